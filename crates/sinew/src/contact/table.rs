//! Moving items of all bodies, found by position: their boxes, the grid of each body and the table of cells.

use super::spatial_hash::{Bounds, Grid, NOTHING, SpatialHash, grown, overlap};
use crate::parallel;
use glam::DVec3;
use std::ops::Range;

/// The triangles of all bodies that something may collide with.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    boxes: Vec<Bounds>,
    /// The grid of each body.
    grids: Vec<Grid>,
    hash: SpatialHash,
}

impl Table {
    /// Allocates a table for this many items and bodies.
    pub fn new(things: usize, bodies: usize) -> Self {
        Self {
            boxes: vec![NOTHING; things],
            grids: vec![Grid::default(); bodies],
            hash: SpatialHash::new(things),
        }
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.hash.clear();
    }

    /// Adds the items of a body; bodies must ascend from call to call.
    pub fn place(
        &mut self,
        body: usize,
        things: Range<usize>,
        bounds: impl Fn(usize) -> Bounds + Sync + Send,
    ) {
        let start = things.start;
        let boxes = &mut self.boxes[things];
        parallel::for_chunks(boxes, |first, boxes| {
            for (k, out) in boxes.iter_mut().enumerate() {
                *out = bounds(start + first + k);
            }
        });
        self.grids[body] = Grid::fit(body as u32, boxes);
        self.hash.add(&self.grids[body], start, boxes);
    }

    /// Builds the table. Must be called after the last [`Self::place`].
    pub fn build(&mut self) {
        self.hash.build();
    }

    /// Calls `visit(item)` for the items of a body whose boxes come within `reach` of the box around a segment; for some more than once.
    pub fn along(
        &self,
        (body, things): (usize, Range<usize>),
        (from, to): (DVec3, DVec3),
        reach: f64,
        mut visit: impl FnMut(usize),
    ) {
        let mine = grown((from.min(to), from.max(to)), reach);
        self.hash.along(&self.grids[body], things, (from, to), reach, |t| {
            if overlap(&self.boxes[t], &mine) {
                visit(t);
            }
        });
    }

    #[cfg(test)]
    pub fn capacity(&self) -> usize {
        self.hash.capacity()
    }
}
