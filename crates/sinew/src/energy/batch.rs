//! Elements with K corners, processed four at a time, and how their gradients are summed at the vertices.
//!
//! Four elements make a *block*: the lanes of one kernel call. A batch whose size is not a multiple of four repeats its last element with
//! zero weight. 128 blocks make a *chunk*: the work of one task. Within a chunk, gradients are summed block by block in *places*, one for
//! each vertex of the chunk; then every vertex sums its places in the order of the chunks. No two threads add to the same number, and the sum
//! does not depend on which thread is first. A tetrahedral mesh has some sixteen corners per vertex but two places, so that places stay in
//! the nearest cache and little memory moves.

use super::Work;
use crate::math::lanes::Vec3;
use crate::parallel;
use crate::simd::{F64x4, Kernel, LANES, Simd, dispatch};
use glam::DVec3;
use std::array::from_fn;
use std::ops::Range;

/// Blocks per chunk; 4·128 elements have at most 2048 corners, so that a place fits into 16 bits.
const CHUNK_BLOCKS: usize = parallel::CHUNK / LANES;

/// Operations on four elements of a batch at once.
pub(crate) trait Element<const K: usize>: Send + Sync {
    /// Constants of four elements, lane by lane.
    type Block: Send + Sync;

    /// Energies of the elements with corners at `x`.
    fn value<S: Simd>(&self, simd: S, block: &Self::Block, x: &[Vec3<S::F64>; K]) -> S::F64;

    /// Energies and their gradients for each corner.
    fn gradient<S: Simd>(
        &self,
        simd: S,
        block: &Self::Block,
        x: &[Vec3<S::F64>; K],
    ) -> (S::F64, [Vec3<S::F64>; K]);
}

/// Corners of the elements and where their gradients go.
#[derive(Clone, Debug)]
pub(crate) struct Batch<const K: usize> {
    /// Corners of four elements, by corner and lane.
    blocks: Vec<[[u32; LANES]; K]>,
    /// Their places within the chunk.
    places: Vec<[[u16; LANES]; K]>,
    /// Number of elements.
    len: usize,
    /// Places per chunk: the largest number that any chunk needs.
    stride: usize,
    /// The vertices of the batch lie in this range.
    vertices: Range<usize>,
    /// Places of vertex `vertices.start + i` are `incidence[start[i]..start[i + 1]]`, as stride·chunk + place.
    start: Vec<u32>,
    incidence: Vec<u32>,
}

/// Arranges items in blocks: lane l of block j of a chunk of n blocks is its item n·l + j. Lanes lie far apart, so that the four elements of
/// a block seldom share a vertex, and adding their gradients does not wait for the sum just written. Lanes beyond the last item get
/// `fill(last item)`.
pub(super) fn blocks<A: Copy>(items: &[A], fill: impl Fn(A) -> A) -> Vec<[A; LANES]> {
    let mut blocks = Vec::with_capacity(items.len().div_ceil(LANES));
    for chunk in items.chunks(parallel::CHUNK) {
        let n = chunk.len().div_ceil(LANES);
        for j in 0..n {
            blocks.push(from_fn(|l| chunk.get(n * l + j).copied().unwrap_or(fill(chunk[chunk.len() - 1]))));
        }
    }
    blocks
}

/// Block and lane of item `e` of `len`.
pub(super) fn locate(e: usize, len: usize) -> (usize, usize) {
    let first = e / parallel::CHUNK * parallel::CHUNK;
    let n = (len - first).min(parallel::CHUNK).div_ceil(LANES);
    (first / LANES + (e - first) % n, (e - first) / n)
}

impl<const K: usize> Batch<K> {
    pub fn new(corners: &[[u32; K]]) -> Self {
        let blocks: Vec<[[u32; LANES]; K]> =
            blocks(corners, |c| c).iter().map(|b| from_fn(|k| b.map(|c| c[k]))).collect();
        let low = corners.iter().flatten().min().map_or(0, |&v| v as usize);
        let high = corners.iter().flatten().max().map_or(0, |&v| v as usize + 1);
        let mut places = vec![[[0; LANES]; K]; blocks.len()];
        // (vertex, chunk, place), sorted by chunk.
        let mut touched: Vec<(u32, u32, u32)> = Vec::new();
        // Place of each vertex in the last chunk that uses it.
        let mut latest = vec![(u32::MAX, 0u16); high - low];
        let mut stride = 0;
        let chunks = blocks.chunks(CHUNK_BLOCKS).zip(places.chunks_mut(CHUNK_BLOCKS));
        for (chunk, (blocks, places)) in (0u32..).zip(chunks) {
            let mut count = 0;
            let slots = places.as_flattened_mut().as_flattened_mut().iter_mut();
            for (&v, slot) in blocks.as_flattened().as_flattened().iter().zip(slots) {
                let entry = &mut latest[v as usize - low];
                if entry.0 != chunk {
                    *entry = (chunk, count);
                    touched.push((v, chunk, u32::from(count)));
                    count += 1;
                }
                *slot = entry.1;
            }
            stride = stride.max(usize::from(count));
        }
        let mut start = vec![0u32; high - low + 1];
        for &(v, ..) in &touched {
            start[v as usize - low + 1] += 1;
        }
        for i in 0..high - low {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut incidence = vec![0u32; touched.len()];
        for (v, chunk, place) in touched {
            let slot = &mut next[v as usize - low];
            incidence[*slot as usize] = stride as u32 * chunk + place;
            *slot += 1;
        }
        Self { blocks, places, len: corners.len(), stride, vertices: low..high, start, incidence }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Block and lane of element `e`.
    pub fn locate(&self, e: usize) -> (usize, usize) {
        locate(e, self.len)
    }

    /// Corners of element `e`.
    pub fn corners(&self, e: usize) -> [u32; K] {
        let (block, lane) = self.locate(e);
        self.blocks[block].map(|corner| corner[lane])
    }

    /// Index of the element in each lane of a block; `None` for a lane of padding.
    pub fn elements(&self, block: usize) -> [Option<usize>; LANES] {
        let first = block / CHUNK_BLOCKS * CHUNK_BLOCKS;
        let n = (self.blocks.len() - first).min(CHUNK_BLOCKS);
        from_fn(|lane| Some(LANES * first + n * lane + block - first).filter(|&e| e < self.len))
    }

    /// Positions of the corners of one block.
    pub fn positions(&self, block: usize, x: &[DVec3]) -> [[DVec3; LANES]; K] {
        self.blocks[block].map(|corner| corner.map(|v| x[v as usize]))
    }

    pub fn work_size(&self) -> Work {
        let chunks = self.blocks.len().div_ceil(CHUNK_BLOCKS);
        Work::new(chunks * self.stride, chunks)
    }

    pub fn value<E: Element<K>>(
        &self,
        element: &E,
        constants: &[E::Block],
        x: &[DVec3],
        work: &mut Work,
    ) -> f64 {
        parallel::sum_tasks(&mut work.scalars, |c| {
            let range = chunk(c, self.blocks.len());
            dispatch(Value { element, corners: &self.blocks[range.clone()], constants: &constants[range], x })
        })
    }

    pub fn gradient<E: Element<K>>(
        &self,
        element: &E,
        constants: &[E::Block],
        x: &[DVec3],
        work: &mut Work,
        gradient: &mut [DVec3],
    ) -> f64 {
        let value = parallel::sum_tasks_into(&mut work.scalars, &mut work.vectors, self.stride, |c, sums| {
            let range = chunk(c, self.blocks.len());
            dispatch(Gradient {
                element,
                corners: &self.blocks[range.clone()],
                places: &self.places[range.clone()],
                constants: &constants[range],
                x,
                sums,
            })
        });
        let sums = &work.vectors;
        parallel::for_chunks(&mut gradient[self.vertices.clone()], |first, chunk| {
            let starts = &self.start[first..first + chunk.len() + 1];
            for (g, range) in chunk.iter_mut().zip(starts.windows(2)) {
                for &place in &self.incidence[range[0] as usize..range[1] as usize] {
                    *g += sums[place as usize];
                }
            }
        });
        value
    }
}

/// Blocks of chunk `c`.
fn chunk(c: usize, blocks: usize) -> Range<usize> {
    c * CHUNK_BLOCKS..((c + 1) * CHUNK_BLOCKS).min(blocks)
}

/// Corner positions of one block, lane by lane.
///
/// A loop, not `map`: the compiler compiles a closure that creates lanes without their instructions unless it happens to inline it.
#[inline(always)]
fn load<S: Simd, const K: usize>(simd: S, corners: &[[u32; LANES]; K], x: &[DVec3]) -> [Vec3<S::F64>; K] {
    let mut lanes = [Vec3::splat(simd, DVec3::ZERO); K];
    for k in 0..K {
        let [a, b, c, d] = corners[k];
        lanes[k] = Vec3::load(simd, &[x[a as usize], x[b as usize], x[c as usize], x[d as usize]]);
    }
    lanes
}

/// Energy of one chunk.
struct Value<'a, E: Element<K>, const K: usize> {
    element: &'a E,
    corners: &'a [[[u32; LANES]; K]],
    constants: &'a [E::Block],
    x: &'a [DVec3],
}

impl<E: Element<K>, const K: usize> Kernel for Value<'_, E, K> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        let mut sum = simd.zero();
        for (corners, constants) in self.corners.iter().zip(self.constants) {
            sum += self.element.value(simd, constants, &load(simd, corners, self.x));
        }
        sum.sum()
    }
}

/// Energy of one chunk, and its gradient in the places of the chunk.
struct Gradient<'a, E: Element<K>, const K: usize> {
    element: &'a E,
    corners: &'a [[[u32; LANES]; K]],
    places: &'a [[[u16; LANES]; K]],
    constants: &'a [E::Block],
    x: &'a [DVec3],
    sums: &'a mut [DVec3],
}

impl<E: Element<K>, const K: usize> Kernel for Gradient<'_, E, K> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        let Self { element, corners, places, constants, x, sums } = self;
        sums.fill(DVec3::ZERO);
        let mut energy = simd.zero();
        let mut nodal = [[Vec3::splat(simd, DVec3::ZERO); K]; 2];
        // Two blocks are computed before the first is summed: roots and divisions of one need not wait for the sums of the other.
        let groups = corners.chunks(2).zip(places.chunks(2)).zip(constants.chunks(2));
        for ((corners, places), constants) in groups {
            for ((corners, constants), nodal) in corners.iter().zip(constants).zip(&mut nodal) {
                let (value, gradient) = element.gradient(simd, constants, &load(simd, corners, x));
                energy += value;
                *nodal = gradient;
            }
            for (places, nodal) in places.iter().zip(&nodal) {
                for (places, nodal) in places.iter().zip(nodal) {
                    for (&place, g) in places.iter().zip(nodal.to_array()) {
                        sums[usize::from(place)] += g;
                    }
                }
            }
        }
        energy.sum()
    }
}

#[cfg(test)]
mod tests;
