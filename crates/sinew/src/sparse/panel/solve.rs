//! Solves forwards through the branches and the crown, and back.

use super::PanelFactor;
use super::kernel::{COLUMN_BLOCK, PANEL, Rows, Shape, Values, Vector, backward, forward, gather, scatter};
use super::lanes::{Lane, Scalar};
use crate::parallel::{for_chunks, join};
use crate::simd::{Kernel, Simd, dispatch};
use crate::sparse::cholesky::NotPositiveDefinite;
use crate::sparse::corner::Corner;
use crate::sparse::schedule::{Block, Supernode};
use faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef;
use glam::DVec3;
use std::sync::Arc;

/// Lanes of a supernode above which its product is shared between threads: about ten microseconds each.
const SPLIT_FROM: usize = 16_384;

/// A factor and the buffers of a solve.
#[derive(Debug)]
pub(crate) struct PanelSolver<T, const W: usize> {
    factor: Arc<PanelFactor<T, W>>,
    /// Blocks of the branches, then the crown.
    x: Vec<Vector<T>>,
    /// The rows of the current supernode, for each block.
    t: Vec<Rows<T, W>>,
}

impl<T: Scalar<W>, const W: usize> PanelSolver<T, W> {
    pub fn new(factor: Arc<PanelFactor<T, W>>) -> Self {
        let branches = sizes::<W>(&factor.schedule.branches);
        let crown = sizes::<W>(std::slice::from_ref(&factor.schedule.crown));
        let x = vec![Default::default(); branches.0 + crown.0];
        let t = vec![[Lane([T::default(); W]); 3]; branches.1 + crown.1];
        Self { x, t, factor }
    }

    /// The corners of its factor.
    pub fn corners(&self) -> &Arc<[Corner]> {
        &self.factor.corners
    }

    /// Replaces the factor by another with the same supernodes, if nothing else holds the old one.
    pub(in crate::sparse) fn refill(
        &mut self,
        factor: SupernodalLltRef<'_, usize, f64>,
        memory: &mut Vec<f64>,
    ) -> Result<(), NotPositiveDefinite> {
        Arc::get_mut(&mut self.factor).ok_or(NotPositiveDefinite)?.refill(factor, memory)
    }

    /// x ← A⁻¹x. Inside a pool the threads share the work; the result has the same bits for any number of threads.
    pub fn solve(&mut self, x: &mut [DVec3]) {
        self.solve_between(x, &mut |_| {});
    }

    /// As [`Self::solve`]; `between` sees y = L⁻¹x before Lᵀx = y is solved.
    pub fn solve_between(&mut self, x: &mut [DVec3], between: &mut dyn FnMut(&mut dyn Unknowns)) {
        self.factor.solve(x, Piece { x: &mut self.x, t: &mut self.t }, between);
    }
}

/// The unknowns in the middle of a solve, indexed by the rows of the matrix.
pub(crate) trait Unknowns {
    fn get(&self, row: u32) -> DVec3;
    fn set(&mut self, row: u32, value: DVec3);
}

/// Unknowns in the memory of the blocks; W only selects the scalar's trait.
struct Middle<'a, T, const W: usize> {
    x: &'a mut [Vector<T>],
    place: &'a [u32],
    scale: f64,
}

impl<T: Scalar<W>, const W: usize> Unknowns for Middle<'_, T, W> {
    fn get(&self, row: u32) -> DVec3 {
        DVec3::from(self.x[self.place[row as usize] as usize].map(T::to_f64)) * self.scale
    }

    fn set(&mut self, row: u32, value: DVec3) {
        self.x[self.place[row as usize] as usize] = (value / self.scale).to_array().map(T::from_f64);
    }
}

/// Numbers of vectors and lanes that the blocks need.
fn sizes<const W: usize>(blocks: &[Block]) -> (usize, usize) {
    blocks.iter().fold((0, 0), |(x, t), block| (x + block.len(), t + block.tallest.div_ceil(W)))
}

/// The memory of one block, or of several.
struct Piece<'a, T, const W: usize> {
    x: &'a mut [Vector<T>],
    t: &'a mut [Rows<T, W>],
}

impl<T: Scalar<W>, const W: usize> PanelFactor<T, W> {
    fn solve(&self, x: &mut [DVec3], memory: Piece<T, W>, between: &mut dyn FnMut(&mut dyn Unknowns)) {
        let scale = T::scale(x);
        let schedule = &*self.schedule;
        let (cut_x, cut_t) = sizes::<W>(&schedule.branches);
        let (x_branches, x_crown) = memory.x.split_at_mut(cut_x);
        let (t_branches, t_crown) = memory.t.split_at_mut(cut_t);

        let branches = Piece { x: x_branches, t: t_branches };
        self.for_branches(&schedule.branches, branches, &|block, piece| {
            self.load(block, x, 1.0 / scale, piece.x);
            dispatch(ForwardBlock { factor: self, block, piece });
        });
        self.load(&schedule.crown, x, 1.0 / scale, x_crown);
        let mut start = 0;
        for block in &schedule.branches {
            let copies = &x_branches[start + block.own.len()..start + block.len()];
            for (copy, &row) in copies.iter().zip(&schedule.outer[block.outer.clone()]) {
                for k in 0..3 {
                    x_crown[row as usize][k] += copy[k];
                }
            }
            start += block.len();
        }
        self.crown_forward(x_crown, t_crown);
        between(&mut Middle::<T, W> { x: &mut *memory.x, place: &schedule.place, scale });
        let (x_branches, x_crown) = memory.x.split_at_mut(cut_x);
        self.crown_backward(x_crown, t_crown);
        let branches = Piece { x: x_branches, t: t_branches };
        let crown = &*x_crown;
        self.for_branches(&schedule.branches, branches, &|block, piece| {
            let outer = &schedule.outer[block.outer.clone()];
            for (copy, &row) in piece.x[block.own.len()..].iter_mut().zip(outer) {
                *copy = crown[row as usize];
            }
            dispatch(BackwardBlock { factor: self, block, piece });
        });
        let solved = &*memory.x;
        for_chunks(x, |first, chunk| {
            for (x, &place) in chunk.iter_mut().zip(&schedule.place[first..]) {
                *x = DVec3::from(solved[place as usize].map(T::to_f64)) * scale;
            }
        });
    }

    /// Loads a block's own unknowns from x, and sets its copies to zero.
    fn load(&self, block: &Block, x: &[DVec3], scale: f64, to: &mut [Vector<T>]) {
        let (own, copies) = to.split_at_mut(block.own.len());
        for (to, &row) in own.iter_mut().zip(&self.schedule.original[block.own.clone()]) {
            *to = (x[row as usize] * scale).to_array().map(T::from_f64);
        }
        copies.fill(Default::default());
    }

    /// Calls `work` for every branch, on as many threads as there are.
    fn for_branches(
        &self,
        branches: &[Block],
        piece: Piece<T, W>,
        work: &(impl Fn(&Block, Piece<T, W>) + Sync),
    ) {
        match branches {
            [] => {}
            [block] => work(block, piece),
            _ => {
                let (left, right) = branches.split_at(branches.len() / 2);
                let (cut_x, cut_t) = sizes::<W>(left);
                let (x_left, x_right) = piece.x.split_at_mut(cut_x);
                let (t_left, t_right) = piece.t.split_at_mut(cut_t);
                join(
                    || self.for_branches(left, Piece { x: x_left, t: t_left }, work),
                    || self.for_branches(right, Piece { x: x_right, t: t_right }, work),
                );
            }
        }
    }

    /// Solves forwards through the crown, whose supernodes depend on each other: threads share the larger ones.
    fn crown_forward(&self, x: &mut [Vector<T>], t: &mut [Rows<T, W>]) {
        let block = &self.schedule.crown;
        for s in block.supernodes.clone() {
            let (node, values, rows) = self.node(s);
            let t = &mut t[..values.1.lanes];
            self.forward_shared(values, 0, &x[node.columns.clone()], t);
            scatter(t, node.columns.clone(), rows, x);
        }
    }

    fn crown_backward(&self, x: &mut [Vector<T>], t: &mut [Rows<T, W>]) {
        for s in self.schedule.crown.supernodes.clone().rev() {
            let (node, values, rows) = self.node(s);
            let t = &mut t[..values.1.lanes];
            gather(x, node.columns.clone(), rows, t);
            self.backward_shared(values, 0, t, &mut x[node.columns.clone()]);
        }
    }

    /// t = G·x for the panels from `first` on, with which `values` begins; two threads compute the halves of t.
    fn forward_shared(&self, values: Values<T, W>, first: usize, x: &[Vector<T>], t: &mut [Rows<T, W>]) {
        if values.0.len() < SPLIT_FROM || t.len() < 2 * PANEL {
            return dispatch(ForwardPanels { values, first, x, t });
        }
        let (lanes, shape) = values;
        let panels = t.len().div_ceil(PANEL) / 2;
        let cut = shape.panel_start(first + panels) - shape.panel_start(first);
        let (upper, lower) = lanes.split_at(cut);
        let (t_upper, t_lower) = t.split_at_mut(PANEL * panels);
        join(
            || self.forward_shared((upper, shape), first, x, t_upper),
            || self.forward_shared((lower, shape), first + panels, x, t_lower),
        );
    }

    /// x = Gᵀ·t for the columns from `first` on; two threads compute the halves of x.
    fn backward_shared(&self, values: Values<T, W>, first: usize, t: &[Rows<T, W>], x: &mut [Vector<T>]) {
        let blocks = x.len().div_ceil(COLUMN_BLOCK);
        if blocks < 2 || x.len() * t.len() < SPLIT_FROM {
            for (k, x) in x.chunks_mut(COLUMN_BLOCK).enumerate() {
                dispatch(BackwardColumns { values, first: first + k * COLUMN_BLOCK, t, x });
            }
            return;
        }
        let half = blocks / 2 * COLUMN_BLOCK;
        let (left, right) = x.split_at_mut(half);
        join(
            || self.backward_shared(values, first, t, left),
            || self.backward_shared(values, first + half, t, right),
        );
    }

    /// A supernode, its lanes and its rows.
    #[inline(always)]
    fn node(&self, s: usize) -> (&Supernode, Values<'_, T, W>, &[u32]) {
        let node = &self.schedule.supernodes[s];
        let shape = Shape::new(node.columns.len(), node.height());
        let lanes = &self.values[self.starts[s]..self.starts[s + 1]];
        (node, (lanes, shape), &self.schedule.rows[node.rows.clone()])
    }
}

struct ForwardBlock<'a, T, const W: usize> {
    factor: &'a PanelFactor<T, W>,
    block: &'a Block,
    piece: Piece<'a, T, W>,
}

impl<T: Scalar<W>, const W: usize> Kernel for ForwardBlock<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Piece { x, t } = self.piece;
        for s in self.block.supernodes.clone() {
            let (node, values, rows) = self.factor.node(s);
            let t = &mut t[..values.1.lanes];
            forward(simd, values, 0, &x[node.columns.clone()], t);
            scatter(t, node.columns.clone(), rows, x);
        }
    }
}

struct BackwardBlock<'a, T, const W: usize> {
    factor: &'a PanelFactor<T, W>,
    block: &'a Block,
    piece: Piece<'a, T, W>,
}

impl<T: Scalar<W>, const W: usize> Kernel for BackwardBlock<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Piece { x, t } = self.piece;
        for s in self.block.supernodes.clone().rev() {
            let (node, values, rows) = self.factor.node(s);
            let t = &mut t[..values.1.lanes];
            gather(x, node.columns.clone(), rows, t);
            for (k, x) in x[node.columns.clone()].chunks_mut(COLUMN_BLOCK).enumerate() {
                backward(simd, values, k * COLUMN_BLOCK, t, x);
            }
        }
    }
}

struct ForwardPanels<'a, T, const W: usize> {
    values: Values<'a, T, W>,
    first: usize,
    x: &'a [Vector<T>],
    t: &'a mut [Rows<T, W>],
}

impl<T: Scalar<W>, const W: usize> Kernel for ForwardPanels<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        forward(simd, self.values, self.first, self.x, self.t);
    }
}

struct BackwardColumns<'a, T, const W: usize> {
    values: Values<'a, T, W>,
    first: usize,
    t: &'a [Rows<T, W>],
    x: &'a mut [Vector<T>],
}

impl<T: Scalar<W>, const W: usize> Kernel for BackwardColumns<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        backward(simd, self.values, self.first, self.t, self.x);
    }
}

#[cfg(test)]
impl<T: Scalar<W>, const W: usize> PanelSolver<T, W> {
    /// As [`PanelSolver::solve`], block after block, with portable arithmetic.
    pub fn solve_portably(&mut self, x: &mut [DVec3]) {
        use crate::simd::Portable;
        let (factor, schedule) = (&*self.factor, &*self.factor.schedule);
        let t = &mut self.t[..];
        let (branches, crown) = self.x.split_at_mut(sizes::<W>(&schedule.branches).0);
        factor.load(&schedule.crown, x, 1.0, crown);
        let mut rest = &mut *branches;
        for block in &schedule.branches {
            let own;
            (own, rest) = rest.split_at_mut(block.len());
            factor.load(block, x, 1.0, own);
            Portable.run(ForwardBlock { factor, block, piece: Piece { x: own, t } });
            for (copy, &row) in own[block.own.len()..].iter().zip(&schedule.outer[block.outer.clone()]) {
                for k in 0..3 {
                    crown[row as usize][k] += copy[k];
                }
            }
        }
        Portable.run(ForwardBlock { factor, block: &schedule.crown, piece: Piece { x: crown, t } });
        Portable.run(BackwardBlock { factor, block: &schedule.crown, piece: Piece { x: crown, t } });
        let mut rest = branches;
        for block in &schedule.branches {
            let own;
            (own, rest) = rest.split_at_mut(block.len());
            for (copy, &row) in own[block.own.len()..].iter_mut().zip(&schedule.outer[block.outer.clone()]) {
                *copy = crown[row as usize];
            }
            Portable.run(BackwardBlock { factor, block, piece: Piece { x: own, t } });
        }
        for (x, &place) in x.iter_mut().zip(&schedule.place) {
            *x = DVec3::from(self.x[place as usize].map(T::to_f64));
        }
    }
}
