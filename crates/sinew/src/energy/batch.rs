//! Elements with K corners: evaluate each, then gather by vertex.
//!
//! Gradients are first written per corner and then summed per vertex in a fixed order, so that two threads
//! never add to the same place and the sum does not depend on who was first.

use super::{HessianKind, Work};
use crate::parallel;
use glam::{DMat3, DVec3};
use std::ops::Range;

/// What one element of a batch can do.
pub(crate) trait Element<const K: usize>: Send + Sync {
    /// Energy of element `e` with corners at `x`.
    fn value(&self, e: usize, x: &[DVec3; K]) -> f64;
    /// Energy and its gradient for each corner.
    fn gradient(&self, e: usize, x: &[DVec3; K]) -> (f64, [DVec3; K]);
    /// Second derivatives, `blocks[a][b]` = ∂²E/∂xₐ∂x_b.
    fn hessian(&self, e: usize, x: &[DVec3; K], kind: HessianKind) -> [[DMat3; K]; K];
}

/// The corners of the elements and, per vertex, which corners are its own.
#[derive(Clone, Debug)]
pub(crate) struct Batch<const K: usize> {
    pub corners: Vec<[u32; K]>,
    /// The vertices that the batch touches lie in this range.
    vertices: Range<usize>,
    /// Corners of vertex `vertices.start + i` are `incidence[start[i]..start[i + 1]]`, as K·element + corner.
    start: Vec<u32>,
    incidence: Vec<u32>,
}

impl<const K: usize> Batch<K> {
    pub fn new(corners: Vec<[u32; K]>) -> Self {
        let low = corners.iter().flatten().min().map_or(0, |&v| v as usize);
        let high = corners.iter().flatten().max().map_or(0, |&v| v as usize + 1);
        let mut start = vec![0u32; high - low + 1];
        for &v in corners.iter().flatten() {
            start[v as usize - low + 1] += 1;
        }
        for i in 0..high - low {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut incidence = vec![0u32; K * corners.len()];
        for (slot, &v) in corners.iter().flatten().enumerate() {
            let place = &mut next[v as usize - low];
            incidence[*place as usize] = slot as u32;
            *place += 1;
        }
        Self { corners, vertices: low..high, start, incidence }
    }

    pub fn work_size(&self) -> Work {
        Work::new(K * self.corners.len(), parallel::partials(self.corners.len()))
    }

    pub fn value(&self, element: &impl Element<K>, x: &[DVec3], work: &mut Work) -> f64 {
        parallel::sum_chunks(&self.corners, &mut work.scalars, |first, chunk| {
            let mut sum = 0.0;
            for (k, c) in chunk.iter().enumerate() {
                sum += element.value(first + k, &c.map(|v| x[v as usize]));
            }
            sum
        })
    }

    pub fn gradient(
        &self,
        element: &impl Element<K>,
        x: &[DVec3],
        work: &mut Work,
        gradient: &mut [DVec3],
    ) -> f64 {
        let value = parallel::sum_chunks_into(
            &self.corners,
            K,
            &mut work.vectors,
            &mut work.scalars,
            |first, chunk, out| {
                let mut sum = 0.0;
                for (k, (c, out)) in chunk.iter().zip(out.chunks_exact_mut(K)).enumerate() {
                    let (energy, nodal) = element.gradient(first + k, &c.map(|v| x[v as usize]));
                    sum += energy;
                    out.copy_from_slice(&nodal);
                }
                sum
            },
        );
        let nodal = &work.vectors;
        parallel::for_chunks(&mut gradient[self.vertices.clone()], |first, chunk| {
            for (i, g) in chunk.iter_mut().enumerate() {
                let corners = self.start[first + i] as usize..self.start[first + i + 1] as usize;
                for &corner in &self.incidence[corners] {
                    *g += nodal[corner as usize];
                }
            }
        });
        value
    }

    pub fn hessian(
        &self,
        element: &impl Element<K>,
        x: &[DVec3],
        kind: HessianKind,
        add: &mut dyn FnMut(u32, u32, DMat3),
    ) {
        for (e, c) in self.corners.iter().enumerate() {
            let blocks = element.hessian(e, &c.map(|v| x[v as usize]), kind);
            for a in 0..K {
                for b in 0..=a {
                    add(c[a], c[b], blocks[a][b]);
                }
            }
        }
    }
}
