//! The flesh as a system of equations: energy, forces and the Hessian over free vertices, and its factor.
//!
//! Loops over elements run in parallel and write to places of their own; sums are then taken in the order of the elements, so results do not depend on the
//! number of threads.

use super::activation::Activation;
use super::blend::Blend;
use super::element::{Kind, Lame, Point};
use super::model::{Face, Hold};
use super::touch::Pad;
use super::{activation, polar::outer};
use crate::error::FaceError;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use glam::{DMat3, DVec3};
use rayon::prelude::*;
use std::sync::Arc;

/// A held vertex has no unknowns.
pub(crate) const HELD: u32 = u32::MAX;
/// Elements that a thread takes at once.
const CHUNK: usize = 256;

/// The rest shape of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    /// Gradients of the four shape functions, 1/m: F = Σ xᵥ ⊗ bᵥ.
    pub slopes: [DVec3; 4],
    /// m³.
    pub volume: f64,
}

/// Everything about a face that does not change while it moves.
#[derive(Clone)]
pub struct System {
    pub(crate) tets: Vec<[u32; 4]>,
    pub(crate) rest: Vec<Rest>,
    pub(crate) lame: Lame,
    /// Unknown of each vertex, or [`HELD`].
    pub(crate) unknown: Vec<u32>,
    /// Vertex of each unknown.
    pub(crate) vertex: Vec<u32>,
    pub(crate) holds: Vec<Hold>,
    pub(crate) points: Vec<DVec3>,
    pub(crate) hinge: DVec3,
    start: Vec<usize>,
    rows: Vec<usize>,
    /// Pairs of a vertex and a triangle that press on each other.
    pub(crate) pads: Vec<Pad>,
    /// Column and place of the ten blocks of each element, then of each pair; a column [`HELD`] means none.
    blocks: Vec<[(u32, u32); 10]>,
    symbolic: Arc<SymbolicCholesky<usize>>,
}

impl std::fmt::Debug for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("System")
            .field("elements", &self.tets.len())
            .field("free", &self.vertex.len())
            .finish()
    }
}

const PAIRS: [(usize, usize); 10] =
    [(0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

impl System {
    /// Prepares a face; `fat` scales passive tissue, 1 for none: f_i = (1 − s_i0) + f·s_i0, F ← F/f_i. The text's formula for f_i is just f.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if tetrahedra have no volume, or no vertex is free.
    pub fn new(face: &Face, fat: f64) -> Result<Self, FaceError> {
        if !(0.2..=3.0).contains(&fat) {
            return Err(FaceError::Muscles(format!("fatness must be from 0.2 to 3, and is {fat}")));
        }
        let tets = face.tets[..face.elements].to_vec();
        let mut rest = Vec::with_capacity(tets.len());
        for (i, tet) in tets.iter().enumerate() {
            let [a, b, c, d] = tet.map(|v| face.points[v as usize]);
            let edges = DMat3::from_cols(b - a, c - a, d - a);
            let volume = edges.determinant() / 6.0;
            if !(volume > 0.0 && volume.is_finite()) {
                return Err(FaceError::Muscles(format!("tetrahedron {i} has the volume {volume} m³")));
            }
            let f = (1.0 - face.blend.passive(i)) + fat * face.blend.passive(i);
            let inverse = edges.inverse().transpose() * (1.0 / f);
            let [p, q, r] = [inverse.x_axis, inverse.y_axis, inverse.z_axis];
            rest.push(Rest { slopes: [-(p + q + r), p, q, r], volume: volume * f.powi(3) });
        }
        let mut unknown = vec![HELD; face.points.len()];
        let mut vertex = Vec::new();
        for (v, hold) in face.holds.iter().enumerate() {
            if *hold == Hold::Free {
                unknown[v] = vertex.len() as u32;
                vertex.push(v as u32);
            }
        }
        if vertex.is_empty() {
            return Err(FaceError::Muscles("no vertex of the flesh is free to move".into()));
        }
        let (start, rows, blocks) = pattern(&tets, &unknown, vertex.len());
        let symbolic = analysed(&start, &rows)?;
        Ok(Self {
            tets,
            rest,
            lame: face.lame,
            unknown,
            vertex,
            holds: face.holds.clone(),
            points: face.points.clone(),
            hinge: face.hinge,
            start,
            rows,
            pads: Vec::new(),
            blocks,
            symbolic,
        })
    }

    /// The same flesh with pairs that press on each other.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if there is not enough memory.
    pub(crate) fn with_pads(&self, pads: Vec<Pad>) -> Result<Self, FaceError> {
        if pads.is_empty() {
            return Ok(self.clone());
        }
        let all: Vec<[u32; 4]> =
            self.tets.iter().copied().chain(pads.iter().map(|pad| pad.vertices)).collect();
        let (start, rows, blocks) = pattern(&all, &self.unknown, self.vertex.len());
        let symbolic = analysed(&start, &rows)?;
        Ok(Self { pads, start, rows, blocks, symbolic, ..self.clone() })
    }

    /// Number of unknowns, three for each free vertex.
    pub fn unknowns(&self) -> usize {
        3 * self.vertex.len()
    }

    /// The vertex of each triple of unknowns.
    pub fn free_vertices(&self) -> &[u32] {
        &self.vertex
    }

    /// Vertices at rest, #V, m.
    pub fn points_at_rest(&self) -> Vec<DVec3> {
        self.points.clone()
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.tets.len()
    }

    /// A of every element for activations of the muscles.
    pub fn blended(&self, blend: &Blend, activations: &[Activation]) -> Vec<DMat3> {
        (0..self.tets.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|i| {
                let mut sum = [0.0; 6];
                for (column, weight) in blend.row(i) {
                    let a = match column {
                        0 => &activation::PASSIVE,
                        j => &activations[j as usize - 1],
                    };
                    (0..6).for_each(|k| sum[k] += weight * a[k]);
                }
                activation::symmetric(&sum)
            })
            .collect()
    }

    /// F of an element.
    pub(crate) fn gradient_of(&self, i: usize, x: &[DVec3]) -> DMat3 {
        let (tet, rest) = (&self.tets[i], &self.rest[i]);
        (0..4).fold(DMat3::ZERO, |sum, k| sum + outer(x[tet[k] as usize], rest.slopes[k]))
    }

    /// The decompositions of all elements.
    pub(crate) fn decomposed(&self, x: &[DVec3], a: &[DMat3]) -> Vec<Point> {
        (0..self.tets.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|i| Point::new(&self.gradient_of(i, x), &a[i], self.lame))
            .collect()
    }

    /// The energy, J.
    pub(crate) fn energy(&self, points: &[Point]) -> f64 {
        points.iter().zip(&self.rest).map(|(point, rest)| rest.volume * point.density()).sum()
    }

    /// Adds forces on corners, as stresses of elements make them, to unknowns.
    pub(crate) fn gather(&self, stress: impl Fn(usize) -> DMat3 + Sync, out: &mut [f64]) {
        let corners: Vec<[DVec3; 4]> = (0..self.tets.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|i| {
                let p = self.rest[i].volume * stress(i);
                self.rest[i].slopes.map(|b| p * b)
            })
            .collect();
        for (tet, corners) in self.tets.iter().zip(&corners) {
            for (v, force) in tet.iter().zip(corners) {
                let u = self.unknown[*v as usize];
                if u != HELD {
                    let at = 3 * u as usize;
                    out[at] += force.x;
                    out[at + 1] += force.y;
                    out[at + 2] += force.z;
                }
            }
        }
    }

    /// ∂E/∂x of the unknowns, N.
    pub(crate) fn gradient(&self, points: &[Point]) -> Vec<f64> {
        let mut out = vec![0.0; self.unknowns()];
        self.gather(|i| points[i].stress(), &mut out);
        out
    }

    /// The factor of the Hessian at x; `None` if it is not positive definite.
    pub(crate) fn factor(&self, points: &[Point], x: &[DVec3], kind: Kind) -> Option<Factor> {
        let mut values = self.hessian(points, kind);
        self.stiffen(x, &mut values);
        if !values.iter().all(|v| v.is_finite()) {
            return None;
        }
        let n = self.unknowns();
        let view = SymbolicSparseColMatRef::new_checked(n, n, &self.start, None, &self.rows);
        let mut factor = vec![0.0; self.symbolic.len_val()];
        let scratch = self.symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::new(scratch);
        self.symbolic
            .factorize_numeric_llt(
                &mut factor,
                SparseColMatRef::new(view, &values),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .ok()?;
        Some(Factor { symbolic: self.symbolic.clone(), values: Arc::new(factor) })
    }

    fn hessian(&self, points: &[Point], kind: Kind) -> Vec<f64> {
        let mut values = vec![0.0; self.rows.len()];
        let mut all = vec![[DMat3::ZERO; 10]; self.tets.len().min(1 << 14)];
        for first in (0..self.tets.len()).step_by(1 << 14) {
            let end = (first + (1 << 14)).min(self.tets.len());
            let part = &mut all[..end - first];
            part.par_iter_mut().with_min_len(CHUNK).enumerate().for_each(|(k, blocks)| {
                *blocks = self.element_hessian(first + k, &points[first + k], kind);
            });
            for (k, blocks) in part.iter().enumerate() {
                for (pair, block) in blocks.iter().enumerate() {
                    self.scatter(self.blocks[first + k][pair], pair < 4, block, &mut values);
                }
            }
        }
        values
    }

    /// Adds the pairs that press on each other at x, k·wᵢwⱼ·nnᵀ.
    fn stiffen(&self, x: &[DVec3], values: &mut [f64]) {
        for (k, pad) in self.pads.iter().enumerate().filter(|(_, pad)| pad.force(x) > 0.0) {
            let block = outer(pad.stiffness * pad.normal, pad.normal);
            for (pair, (v, w)) in PAIRS.into_iter().enumerate() {
                let weight = pad.weights[v] * pad.weights[w];
                let place = self.blocks[self.tets.len() + k][pair];
                self.scatter(place, pair < 4, &(block * weight), values);
            }
        }
    }

    /// Adds the forces of pairs to a gradient.
    pub(crate) fn press(&self, x: &[DVec3], gradient: &mut [f64]) {
        for pad in &self.pads {
            let force = pad.force(x);
            for (v, weight) in pad.vertices.iter().zip(pad.weights) {
                let u = self.unknown[*v as usize];
                if u != HELD {
                    (0..3).for_each(|k| gradient[3 * u as usize + k] -= force * weight * pad.normal[k]);
                }
            }
        }
    }

    fn element_hessian(&self, i: usize, point: &Point, kind: Kind) -> [DMat3; 10] {
        let Rest { slopes, volume } = self.rest[i];
        let curvature = point.curvature(kind);
        let mut out = PAIRS.map(|(v, w)| {
            DMat3::from_diagonal(DVec3::splat(volume * curvature.identity * slopes[v].dot(slopes[w])))
        });
        for (weight, m) in curvature.ranks.iter().filter(|(weight, _)| *weight != 0.0) {
            let p = slopes.map(|b| *m * b);
            for (block, (v, w)) in out.iter_mut().zip(PAIRS) {
                // The block of a row is below that of its column.
                let (tet_v, tet_w) =
                    (self.unknown[self.tets[i][v] as usize], self.unknown[self.tets[i][w] as usize]);
                let (row, column) = if tet_v > tet_w { (v, w) } else { (w, v) };
                *block += outer(p[row], volume * weight * p[column]);
            }
        }
        out
    }

    fn scatter(&self, (column, place): (u32, u32), diagonal: bool, block: &DMat3, values: &mut [f64]) {
        if column == HELD {
            return;
        }
        for k in 0..3 {
            let first = self.start[3 * column as usize + k];
            let entries = block.col(k);
            if diagonal {
                (k..3).for_each(|l| values[first + l - k] += entries[l]);
            } else {
                let at = first + 3 - k + 3 * place as usize;
                (0..3).for_each(|l| values[at + l] += entries[l]);
            }
        }
    }

    /// Elements with det F ≤ 0.
    pub fn inverted(&self, x: &[DVec3]) -> usize {
        (0..self.tets.len()).filter(|&i| self.gradient_of(i, x).determinant() <= 0.0).count()
    }

    /// Spreads a change of the unknowns over vertices.
    pub(crate) fn add(&self, step: &[f64], scale: f64, x: &mut [DVec3]) {
        for (u, &v) in self.vertex.iter().enumerate() {
            x[v as usize] += scale * DVec3::from_slice(&step[3 * u..3 * u + 3]);
        }
    }
}

fn analysed(start: &[usize], rows: &[usize]) -> Result<Arc<SymbolicCholesky<usize>>, FaceError> {
    let n = start.len() - 1;
    factorize_symbolic_cholesky(
        SymbolicSparseColMatRef::new_checked(n, n, start, None, rows),
        Side::Lower,
        SymmetricOrdering::Amd,
        CholeskySymbolicParams::default(),
    )
    .map(Arc::new)
    .map_err(|_| FaceError::Muscles("there is not enough memory to factor the face".into()))
}

/// Lower halves of columns: below the diagonal block of each column, blocks by rising row.
type Pattern = (Vec<usize>, Vec<usize>, Vec<[(u32, u32); 10]>);

fn pattern(tets: &[[u32; 4]], unknown: &[u32], n: usize) -> Pattern {
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); n];
    let pair = |tet: &[u32; 4], (v, w): (usize, usize)| {
        let (a, b) = (unknown[tet[v] as usize], unknown[tet[w] as usize]);
        (a != HELD && b != HELD).then(|| (a.min(b), a.max(b)))
    };
    for tet in tets {
        for (column, row) in PAIRS[4..].iter().filter_map(|&p| pair(tet, p)) {
            below[column as usize].push(row);
        }
    }
    below.iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    let (mut start, mut rows) = (vec![0], Vec::new());
    for (column, list) in below.iter().enumerate() {
        for k in 0..3 {
            rows.extend((k..3).map(|l| 3 * column + l));
            rows.extend(list.iter().flat_map(|&row| (0..3).map(move |l| 3 * row as usize + l)));
            start.push(rows.len());
        }
    }
    let blocks = tets
        .iter()
        .map(|tet| {
            PAIRS.map(|p| match pair(tet, p) {
                None => (HELD, 0),
                Some((column, row)) if column == row => (column, 0),
                Some((column, row)) => {
                    let place = below[column as usize].binary_search(&row).unwrap_or(0);
                    (column, place as u32)
                }
            })
        })
        .collect();
    (start, rows, blocks)
}

/// A factored Hessian.
#[derive(Clone)]
pub struct Factor {
    symbolic: Arc<SymbolicCholesky<usize>>,
    values: Arc<Vec<f64>>,
}

impl std::fmt::Debug for Factor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Factor").field("stored", &self.values.len()).finish_non_exhaustive()
    }
}

/// Columns that are solved together.
const TOGETHER: usize = 32;

impl Factor {
    /// X ← H⁻¹X for columns one after the other; groups of them in parallel.
    pub(crate) fn solve(&self, columns: &mut [f64]) {
        let n = self.symbolic.nrows();
        columns.par_chunks_mut(n * TOGETHER).for_each(|part| {
            let count = part.len() / n;
            let mut memory = MemBuffer::new(self.symbolic.solve_in_place_scratch::<f64>(count, Par::Seq));
            LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
                Conj::No,
                MatMut::from_column_major_slice_mut(part, n, count),
                Par::Seq,
                MemStack::new(&mut memory),
            );
        });
    }
}
