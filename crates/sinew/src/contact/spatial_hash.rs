//! Boxes in the cells of an infinite grid, the cells in a table of fixed size [teschner2003].
//!
//! Cell (i, j, k) is in bucket (73856093·i xor 19349663·j xor 83492791·k) mod n. The table is rebuilt every step by counting: first how many
//! boxes each bucket gets, then where its part of one long list begins, then the boxes themselves. Items in one bucket may come from distant
//! cells, so the caller must still compare boxes. A box that covers too many cells is kept in a separate list, which every query scans.

use glam::DVec3;
use std::ops::Range;

/// A box, given by its low and high corners; an empty box has its low corner above its high one.
pub(crate) type Bounds = (DVec3, DVec3);

/// An empty box, which overlaps nothing.
pub(crate) const NOTHING: Bounds = (DVec3::INFINITY, DVec3::NEG_INFINITY);

/// Whether two boxes overlap.
#[inline]
pub(crate) fn overlap(a: &Bounds, b: &Bounds) -> bool {
    // One branch that cannot be predicted, rather than six.
    (a.0.cmple(b.1) & b.0.cmple(a.1)).all()
}

/// The smallest box around two boxes.
#[inline]
pub(crate) fn around(a: Bounds, b: Bounds) -> Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}

/// A box enlarged on all sides.
#[inline]
pub(crate) fn grown((low, high): Bounds, by: f64) -> Bounds {
    (low - by, high + by)
}

/// Largest number of cells of one item in the table.
const CELLS: f64 = 128.0;

/// Largest number of pieces into which the path of a query is cut.
const PIECES: f64 = 128.0;

/// The grid of one body. Different bodies have different cells, and different buckets for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    origin: DVec3,
    cell: f64,
    inverse: f64,
    salt: u32,
}

impl Default for Grid {
    fn default() -> Self {
        Self { origin: DVec3::ZERO, cell: 1.0, inverse: 1.0, salt: 0 }
    }
}

impl Grid {
    /// Fits the grid to the boxes of one body. The cell size is the mean size of the boxes, so that each box is in a few cells and each cell
    /// has a few boxes. One box that has exploded must not enlarge all cells: no box counts for more than eight times the harmonic mean.
    pub fn fit(body: u32, boxes: &[Bounds]) -> Self {
        let size = |b: &Bounds| (b.1 - b.0).max_element().max(f64::MIN_POSITIVE);
        let seen = || boxes.iter().filter(|b| b.0.x <= b.1.x);
        let origin = seen().fold(DVec3::INFINITY, |low, b| low.min(b.0));
        let count = seen().count() as f64;
        let most = 8.0 * count / seen().map(|b| size(b).recip()).sum::<f64>();
        let cell = seen().map(|b| size(b).min(most)).sum::<f64>() / count;
        if !(origin.is_finite() && cell.recip().is_finite() && cell.is_finite()) {
            return Self { salt: body.wrapping_mul(0x9e37_79b9), ..Self::default() };
        }
        Self { origin, cell, inverse: cell.recip(), salt: body.wrapping_mul(0x9e37_79b9) }
    }

    /// The same grid with larger cells.
    pub fn coarser(self, by: f64) -> Self {
        Self { cell: by * self.cell, inverse: self.inverse / by, ..self }
    }

    /// First and last cell of a box along each axis; `None` if there are too many.
    #[inline]
    fn cells(&self, (low, high): Bounds) -> Option<Cells> {
        let (low, high) = ((low - self.origin) * self.inverse, (high - self.origin) * self.inverse);
        let count = high - low + 1.0;
        let fits = low.cmpge(DVec3::splat(-1e9)).all() && high.cmple(DVec3::splat(1e9)).all();
        if !(fits && count.x * count.y * count.z <= CELLS) {
            return None;
        }
        // Rounds down; without SSE 4.1 there is no single instruction for that.
        let down = |v: f64| v as i32 - i32::from((v as i32) as f64 > v);
        let whole = |v: DVec3| [down(v.x), down(v.y), down(v.z)];
        Some(Cells { first: whole(low), last: whole(high), salt: self.salt })
    }
}

#[derive(Clone, Copy, Debug)]
struct Cells {
    first: [i32; 3],
    last: [i32; 3],
    salt: u32,
}

impl Cells {
    #[inline]
    fn for_each(&self, mask: u32, mut bucket: impl FnMut(usize)) {
        let part = |i: i32, prime: u32| (i as u32).wrapping_mul(prime);
        for i in self.first[0]..=self.last[0] {
            let x = self.salt ^ part(i, 73_856_093);
            for j in self.first[1]..=self.last[1] {
                let xy = x ^ part(j, 19_349_663);
                for k in self.first[2]..=self.last[2] {
                    bucket(((xy ^ part(k, 83_492_791)) & mask) as usize);
                }
            }
        }
    }
}

/// The table.
#[derive(Clone, Debug)]
pub(crate) struct SpatialHash {
    /// `entries[starts[b]..starts[b + 1]]` are the items of bucket b; the number of buckets is a power of two.
    starts: Vec<u32>,
    entries: Vec<u32>,
    /// Items in the table with their cells.
    placed: Vec<(u32, Cells)>,
    /// Items that cover too many cells, ascending.
    oversize: Vec<u32>,
}

impl SpatialHash {
    /// Allocates a table for about this many items.
    pub fn new(things: usize) -> Self {
        Self {
            starts: vec![0; (2 * things).next_power_of_two() + 1],
            entries: Vec::new(),
            placed: Vec::with_capacity(things),
            oversize: Vec::new(),
        }
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.placed.clear();
        self.oversize.clear();
    }

    /// Adds items `first..` with these boxes to the grid of their body; their indices must ascend from call to call. Queries find them only
    /// after [`Self::build`].
    pub fn add(&mut self, grid: &Grid, first: usize, boxes: &[Bounds]) {
        for (k, bounds) in boxes.iter().enumerate().filter(|(_, b)| b.0.x <= b.1.x) {
            let thing = (first + k) as u32;
            match grid.cells(*bounds) {
                Some(cells) => self.placed.push((thing, cells)),
                None => self.oversize.push(thing),
            }
        }
    }

    /// Builds the table.
    pub fn build(&mut self) {
        let mask = self.mask();
        self.starts.fill(0);
        for (_, cells) in &self.placed {
            cells.for_each(mask, |b| self.starts[b] += 1);
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.entries.clear();
        self.entries.resize(sum as usize, 0);
        // Backwards, so that each bucket begins where its end was and its items ascend.
        for &(thing, cells) in self.placed.iter().rev() {
            cells.for_each(mask, |b| {
                self.starts[b] -= 1;
                self.entries[self.starts[b] as usize] = thing;
            });
        }
    }

    /// Calls `visit(item)` for all of `things` whose boxes come within `reach` of the segment `from → to`, and for some that do not; for some
    /// more than once.
    pub fn along(
        &self,
        grid: &Grid,
        things: Range<usize>,
        (from, to): (DVec3, DVec3),
        reach: f64,
        mut visit: impl FnMut(usize),
    ) {
        let pieces = ((to - from).abs().max_element() / grid.cell).ceil().max(1.0);
        if pieces.is_nan() || pieces > PIECES {
            return things.for_each(visit);
        }
        let mut k = 0.0;
        while k < pieces {
            let (a, b) = (from.lerp(to, k / pieces), from.lerp(to, (k + 1.0) / pieces));
            self.within(grid, things.clone(), grown((a.min(b), a.max(b)), reach), &mut visit);
            k += 1.0;
        }
    }

    /// The same for all items whose boxes overlap a box.
    #[inline]
    pub fn within(&self, grid: &Grid, things: Range<usize>, bounds: Bounds, mut visit: impl FnMut(usize)) {
        let Some(cells) = grid.cells(bounds) else {
            return things.for_each(visit);
        };
        let begin = self.oversize.partition_point(|&t| (t as usize) < things.start);
        let large = self.oversize[begin..].iter().take_while(|&&t| (t as usize) < things.end);
        large.for_each(|&t| visit(t as usize));
        cells.for_each(self.mask(), |b| {
            for &thing in &self.entries[self.starts[b] as usize..self.starts[b + 1] as usize] {
                if (thing as usize).wrapping_sub(things.start) < things.len() {
                    visit(thing as usize);
                }
            }
        });
    }

    fn mask(&self) -> u32 {
        (self.starts.len() - 2) as u32
    }

    /// Capacity of the buffers: it stops growing in steady state.
    #[cfg(test)]
    pub fn capacity(&self) -> usize {
        self.starts.capacity() + self.entries.capacity() + self.placed.capacity() + self.oversize.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boxes(seed: &[([f64; 3], f64)]) -> Vec<Bounds> {
        seed.iter().map(|&(p, size)| (DVec3::from(p), DVec3::from(p) + size.powi(3))).collect()
    }

    proptest! {
        #[test]
        fn whatever_is_near_the_way_is_visited(
            first in prop::collection::vec((prop::array::uniform3(-1.0f64..1.0), 0.0f64..1.5), 1..60),
            second in prop::collection::vec((prop::array::uniform3(-1.0f64..1.0), 0.0f64..1.5), 1..60),
            from in prop::array::uniform3(-1.5f64..1.5),
            to in prop::array::uniform3(-1.5f64..1.5),
            scale in 0.0f64..20.0,
        ) {
            let reach = 0.05;
            let (first, second) = (boxes(&first), boxes(&second));
            let grids = [Grid::fit(0, &first), Grid::fit(1, &second)];
            let mut hash = SpatialHash::new(first.len() + second.len());
            hash.add(&grids[0], 0, &first);
            hash.add(&grids[1], first.len(), &second);
            hash.build();
            let (from, to) = (DVec3::from(from), DVec3::from(to) * scale);
            for (grid, boxes, start) in [(&grids[0], &first, 0), (&grids[1], &second, first.len())] {
                let mut seen = vec![false; boxes.len()];
                hash.along(grid, start..start + boxes.len(), (from, to), reach, |t| seen[t - start] = true);
                for (b, seen) in boxes.iter().zip(seen) {
                    let near = (0..=100).any(|k| {
                        let p = from.lerp(to, f64::from(k) / 100.0);
                        overlap(&(p - 0.99 * reach, p + 0.99 * reach), b)
                    });
                    prop_assert!(seen || !near);
                }
            }
        }
    }

    #[test]
    fn one_exploded_box_leaves_the_cells_small_and_is_still_found() {
        let mut all: Vec<Bounds> =
            (0..1000).map(|k| (DVec3::splat(f64::from(k)), DVec3::splat(f64::from(k) + 1.0))).collect();
        all[500].1 = DVec3::splat(1e30);
        all[501] = NOTHING;
        let grid = Grid::fit(3, &all);
        assert!(grid.cell < 2.0, "{}", grid.cell);
        let mut hash = SpatialHash::new(all.len());
        hash.add(&grid, 0, &all);
        hash.build();
        let mut seen = Vec::new();
        hash.along(&grid, 0..all.len(), (DVec3::splat(700.5), DVec3::splat(700.6)), 0.1, |t| seen.push(t));
        assert!(seen.contains(&500) && seen.contains(&700) && !seen.contains(&501) && seen.len() < 20);
    }
}
