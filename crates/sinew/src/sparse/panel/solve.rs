//! Forwards through the branches and the crown, and back.

use super::PanelFactor;
use super::kernel::{COLUMN_BLOCK, Rows, Vector, backward, forward, gather, panel_start, scatter};
use super::lanes::{Lane, Scalar};
use crate::parallel::{for_chunks, pooled};
use crate::simd::{Kernel, Simd, dispatch};
use crate::sparse::schedule::{Block, Schedule, Supernode};
use glam::DVec3;
use std::sync::Arc;

/// Lanes of a supernode above which its product is shared between threads: about ten microseconds each.
const SPLIT_FROM: usize = 16_384;

/// A factor and the memory that a solve writes to.
#[derive(Debug)]
pub(crate) struct PanelSolver<T, const W: usize> {
    factor: Arc<PanelFactor<T, W>>,
    /// Blocks of the branches, then the crown.
    x: Vec<Vector<T>>,
    /// The rows of the supernode at work, for each block.
    t: Vec<Rows<T, W>>,
}

impl<T: Scalar<W>, const W: usize> PanelSolver<T, W> {
    pub fn new(factor: Arc<PanelFactor<T, W>>) -> Self {
        let schedule = &*factor.schedule;
        let blocks = || schedule.branches.iter().chain([&schedule.crown]);
        let x = blocks().map(Block::len).sum();
        let t = blocks().map(|block| tallest::<W>(schedule, block)).sum();
        Self { x: vec![Default::default(); x], t: vec![[Lane([T::default(); W]); 3]; t], factor }
    }

    /// x ← A⁻¹x. Inside a pool the threads share the work; the result has the same bits for any number of them.
    pub fn solve(&mut self, x: &mut [DVec3]) {
        self.factor.solve(x, Piece { x: &mut self.x, t: &mut self.t });
    }
}

/// Panels of the tallest supernode of a block.
fn tallest<const W: usize>(schedule: &Schedule, block: &Block) -> usize {
    let nodes = &schedule.supernodes[block.supernodes.clone()];
    nodes.iter().map(|node| node.height().div_ceil(W)).max().unwrap_or(0)
}

/// The memory of one block, or of several.
struct Piece<'a, T, const W: usize> {
    x: &'a mut [Vector<T>],
    t: &'a mut [Rows<T, W>],
}

impl<T: Scalar<W>, const W: usize> PanelFactor<T, W> {
    fn solve(&self, x: &mut [DVec3], memory: Piece<T, W>) {
        let scale = T::scale(x);
        let schedule = &*self.schedule;
        let lengths = schedule.branches.iter().map(|b| (b.len(), tallest::<W>(schedule, b)));
        let (cut_x, cut_t) = lengths.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
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
        self.crown(x_crown, t_crown);
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

    /// A block's own unknowns from x, and zero for its copies.
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
                let (cut_x, cut_t) = left
                    .iter()
                    .fold((0, 0), |(x, t), block| (x + block.len(), t + tallest::<W>(&self.schedule, block)));
                let (x_left, x_right) = piece.x.split_at_mut(cut_x);
                let (t_left, t_right) = piece.t.split_at_mut(cut_t);
                let mut one = || self.for_branches(left, Piece { x: x_left, t: t_left }, work);
                let mut two = || self.for_branches(right, Piece { x: x_right, t: t_right }, work);
                if pooled() {
                    rayon::join(one, two);
                } else {
                    one();
                    two();
                }
            }
        }
    }

    /// Both passes through the crown, whose supernodes wait for each other: threads share the larger ones.
    fn crown(&self, x: &mut [Vector<T>], t: &mut [Rows<T, W>]) {
        let block = &self.schedule.crown;
        if !pooled() {
            dispatch(ForwardBlock { factor: self, block, piece: Piece { x, t } });
            dispatch(BackwardBlock { factor: self, block, piece: Piece { x, t } });
            return;
        }
        for s in block.supernodes.clone() {
            let (node, values, rows) = self.node(s);
            let t = &mut t[..node.height().div_ceil(W)];
            self.forward_shared(values, 0, &x[node.columns.clone()], t);
            scatter(t, node.columns.clone(), rows, x);
        }
        for s in block.supernodes.clone().rev() {
            let (node, values, rows) = self.node(s);
            let t = &mut t[..node.height().div_ceil(W)];
            gather(x, node.columns.clone(), rows, t);
            let c = node.columns.len();
            self.backward_shared((values, c), 0, t, &mut x[node.columns.clone()]);
        }
    }

    fn forward_shared(&self, values: &[Lane<T, W>], first: usize, x: &[Vector<T>], t: &mut [Rows<T, W>]) {
        let c = x.len();
        let work = panel_start::<W>(c, first + t.len()) - panel_start::<W>(c, first);
        if work < SPLIT_FROM || t.len() < 8 {
            return dispatch(ForwardPanels { values, first, x, t });
        }
        // By whole groups of four panels.
        let half = t.len() / 2 / 4 * 4;
        let (upper, lower) = t.split_at_mut(half);
        rayon::join(
            || self.forward_shared(values, first, x, upper),
            || self.forward_shared(values, first + half, x, lower),
        );
    }

    fn backward_shared(
        &self,
        (values, c): (&[Lane<T, W>], usize),
        first: usize,
        t: &[Rows<T, W>],
        x: &mut [Vector<T>],
    ) {
        let blocks = x.len().div_ceil(COLUMN_BLOCK);
        if blocks < 2 || x.len() * t.len() < SPLIT_FROM {
            for (k, x) in x.chunks_mut(COLUMN_BLOCK).enumerate() {
                dispatch(BackwardColumns { values, c, first: first + k * COLUMN_BLOCK, t, x });
            }
            return;
        }
        let half = blocks / 2 * COLUMN_BLOCK;
        let (left, right) = x.split_at_mut(half);
        rayon::join(
            || self.backward_shared((values, c), first, t, left),
            || self.backward_shared((values, c), first + half, t, right),
        );
    }

    /// A supernode, its lanes and its rows.
    #[inline(always)]
    fn node(&self, s: usize) -> (&Supernode, &[Lane<T, W>], &[u32]) {
        let node = &self.schedule.supernodes[s];
        (node, &self.values[self.starts[s]..self.starts[s + 1]], &self.schedule.rows[node.rows.clone()])
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
            let t = &mut t[..node.height().div_ceil(W)];
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
            let t = &mut t[..node.height().div_ceil(W)];
            gather(x, node.columns.clone(), rows, t);
            let c = node.columns.len();
            for (k, x) in x[node.columns.clone()].chunks_mut(COLUMN_BLOCK).enumerate() {
                backward(simd, (values, c), k * COLUMN_BLOCK, t, x);
            }
        }
    }
}

struct ForwardPanels<'a, T, const W: usize> {
    values: &'a [Lane<T, W>],
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
    values: &'a [Lane<T, W>],
    c: usize,
    first: usize,
    t: &'a [Rows<T, W>],
    x: &'a mut [Vector<T>],
}

impl<T: Scalar<W>, const W: usize> Kernel for BackwardColumns<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        backward(simd, (self.values, self.c), self.first, self.t, self.x);
    }
}
