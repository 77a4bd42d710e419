//! The inner loops: t = G·x and x = Gᵀ·t for one supernode and three right-hand sides.
//!
//! A *lane* is W rows of one column. A *panel* is up to four lanes high and holds them column after column, so that both loops read the whole
//! supernode as one stream, four lanes at a time: the twelve sums (forwards) or the twelve numbers of t (backwards) that belong to them stay
//! in registers, and twelve multiply-adds are in flight, enough to hide their latency.
//!
//! ```text
//!   lanes  columns →                 Above the diagonal of L₁₁⁻¹ nothing is stored. The first strip of panel g,
//!     0    ████                      W(4g + 1) columns, has all of its lanes; the next strip of W columns lacks
//!     1    ████████                  lane 0, the next lanes 0 and 1, …
//!     2    ████████████
//!     3    ████████████████
//! ```
//!
//! No closure or iterator adaptor computes with lanes here: those are compiled separately, without the instructions of the kernel, and called
//! for every number. And every index into an array of lanes is a constant, or else the array leaves the registers.

use super::lanes::{Lane, Scalar};
use crate::simd::{Arithmetic, Simd};
use std::ops::Range;

/// x, y and z of one unknown.
pub(crate) type Vector<T> = [T; 3];
/// x, y and z of W rows.
pub(crate) type Rows<T, const W: usize> = [Lane<T, W>; 3];
/// Lanes and the shape that they fill.
pub(super) type Values<'a, T, const W: usize> = (&'a [Lane<T, W>], Shape<W>);

/// Lanes of a panel.
pub(super) const PANEL: usize = 4;
/// Number of columns whose sums are kept at the same time on the way back, so that they stay in the first-level cache. A multiple of the rows
/// of a panel in either precision.
pub(super) const COLUMN_BLOCK: usize = 128;

/// Size of G: its columns, and its rows in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<const W: usize> {
    pub columns: usize,
    pub lanes: usize,
}

impl<const W: usize> Shape<W> {
    #[inline(always)]
    pub fn new(columns: usize, height: usize) -> Self {
        Self { columns, lanes: height.div_ceil(W) }
    }

    /// Lanes of panel g.
    #[inline(always)]
    pub fn panel_lanes(self, g: usize) -> usize {
        PANEL.min(self.lanes - PANEL * g)
    }

    /// Columns of panel g that have lane `j` and those below it, but not lane `j − 1`.
    #[inline(always)]
    pub fn strip(self, g: usize, j: usize) -> Range<usize> {
        let end = self.columns.min(W * (PANEL * g + j + 1));
        if j == 0 { 0..end } else { end.min(W * (PANEL * g + j))..end }
    }

    /// Lanes stored of panel g.
    pub fn panel_len(self, g: usize) -> usize {
        let lanes = self.panel_lanes(g);
        (0..lanes).map(|j| (lanes - j) * self.strip(g, j).len()).sum()
    }

    /// Lanes stored before panel g.
    pub fn panel_start(self, g: usize) -> usize {
        (0..g).map(|g| self.panel_len(g)).sum()
    }

    /// Lanes stored.
    pub fn len(self) -> usize {
        self.panel_start(self.lanes.div_ceil(PANEL))
    }
}

/// t = G·x for the panels from `first` on; `values` begins with them.
#[inline(always)]
pub(super) fn forward<S: Simd, T: Scalar<W>, const W: usize>(
    simd: S,
    (mut lanes, shape): Values<T, W>,
    first: usize,
    x: &[Vector<T>],
    t: &mut [Rows<T, W>],
) {
    for (g, t) in (first..).zip(t.chunks_mut(PANEL)) {
        let values = (lanes, shape);
        lanes = match t.len() {
            PANEL => forward_panel::<S, T, W, PANEL>(simd, values, g, x, t),
            3 => forward_panel::<S, T, W, 3>(simd, values, g, x, t),
            2 => forward_panel::<S, T, W, 2>(simd, values, g, x, t),
            _ => forward_panel::<S, T, W, 1>(simd, values, g, x, t),
        };
    }
}

/// t = G·x for panel g, which has M lanes; returns the lanes after it.
#[inline(always)]
fn forward_panel<'a, S: Simd, T: Scalar<W>, const W: usize, const M: usize>(
    simd: S,
    (lanes, shape): Values<'a, T, W>,
    g: usize,
    x: &[Vector<T>],
    t: &mut [Rows<T, W>],
) -> &'a [Lane<T, W>] {
    let mut sums = [[T::zero(simd); 3]; M];
    let mut lanes = accumulate::<S, T, W, M, M>(simd, lanes, &x[shape.strip(g, 0)], &mut sums);
    if W * (PANEL * g + 1) < shape.columns {
        // The panel contains part of the diagonal.
        if M > 3 {
            lanes = accumulate::<S, T, W, M, 3>(simd, lanes, &x[shape.strip(g, M - 3)], &mut sums);
        }
        if M > 2 {
            lanes = accumulate::<S, T, W, M, 2>(simd, lanes, &x[shape.strip(g, M - 2)], &mut sums);
        }
        if M > 1 {
            lanes = accumulate::<S, T, W, M, 1>(simd, lanes, &x[shape.strip(g, M - 1)], &mut sums);
        }
    }
    for j in 0..M {
        for k in 0..3 {
            T::store::<S>(sums[j][k], &mut t[j][k]);
        }
    }
    lanes
}

/// Adds lanes·x to the last K sums, for columns that have K lanes; returns the lanes after them.
#[inline(always)]
fn accumulate<'a, S: Simd, T: Scalar<W>, const W: usize, const M: usize, const K: usize>(
    simd: S,
    lanes: &'a [Lane<T, W>],
    x: &[Vector<T>],
    sums: &mut [[T::Lanes<S>; 3]; M],
) -> &'a [Lane<T, W>] {
    let (lanes, rest) = lanes.split_at(K * x.len());
    let mut last = [[T::zero(simd); 3]; K];
    for j in 0..K {
        last[j] = sums[M - K + j];
    }
    for (lanes, x) in lanes.as_chunks::<K>().0.iter().zip(x) {
        let x = [T::splat(simd, x[0]), T::splat(simd, x[1]), T::splat(simd, x[2])];
        for j in 0..K {
            last[j] = fused(T::load(simd, &lanes[j]), x, last[j]);
        }
    }
    for j in 0..K {
        sums[M - K + j] = last[j];
    }
    rest
}

/// x = Gᵀ·t for the columns `first..first + x.len()`, at most [`COLUMN_BLOCK`] of them from a multiple of it.
#[inline(always)]
pub(super) fn backward<S: Simd, T: Scalar<W>, const W: usize>(
    simd: S,
    values: Values<T, W>,
    first: usize,
    t: &[Rows<T, W>],
    x: &mut [Vector<T>],
) {
    // Most supernodes are narrow, and clearing unneeded sums would cost more than the work itself.
    if x.len() <= 8 {
        backward_block::<S, T, W, 8>(simd, values, first, t, x);
    } else if x.len() <= 32 {
        backward_block::<S, T, W, 32>(simd, values, first, t, x);
    } else {
        backward_block::<S, T, W, COLUMN_BLOCK>(simd, values, first, t, x);
    }
}

#[inline(always)]
fn backward_block<S: Simd, T: Scalar<W>, const W: usize, const SUMS: usize>(
    simd: S,
    (lanes, shape): Values<T, W>,
    first: usize,
    t: &[Rows<T, W>],
    x: &mut [Vector<T>],
) {
    let mut sums = [[T::zero(simd); 3]; SUMS];
    let sums = &mut sums[..x.len()];
    // Panels above the diagonal of the first column hold none of its entries.
    let above = first / (PANEL * W);
    let mut lanes = &lanes[shape.panel_start(above)..];
    for (g, t) in (above..).zip(t[PANEL * above..].chunks(PANEL)) {
        let values = (lanes, shape);
        lanes = match t.len() {
            PANEL => backward_panel::<S, T, W, PANEL>(simd, values, (g, first), t, sums),
            3 => backward_panel::<S, T, W, 3>(simd, values, (g, first), t, sums),
            2 => backward_panel::<S, T, W, 2>(simd, values, (g, first), t, sums),
            _ => backward_panel::<S, T, W, 1>(simd, values, (g, first), t, sums),
        };
    }
    for (x, sum) in x.iter_mut().zip(sums) {
        *x = [T::sum::<S>(sum[0]), T::sum::<S>(sum[1]), T::sum::<S>(sum[2])];
    }
}

/// sums += Gᵀ·t for panel g, which has M lanes, and the columns from `first` on; returns the lanes after it.
#[inline(always)]
fn backward_panel<'a, S: Simd, T: Scalar<W>, const W: usize, const M: usize>(
    simd: S,
    (lanes, shape): Values<'a, T, W>,
    (g, first): (usize, usize),
    t: &[Rows<T, W>],
    sums: &mut [[T::Lanes<S>; 3]],
) -> &'a [Lane<T, W>] {
    let mut factors = [[T::zero(simd); 3]; M];
    for j in 0..M {
        factors[j] = [T::load(simd, &t[j][0]), T::load(simd, &t[j][1]), T::load(simd, &t[j][2])];
    }
    let whole = shape.strip(g, 0).len();
    let (all, mut lanes) = lanes.split_at(M * whole);
    spread::<S, T, W, M, M>(simd, &all[M * first..], factors, sums);
    if W * (PANEL * g + 1) < shape.columns {
        // The panel contains part of the diagonal.
        let strip = |j| shape.strip(g, j).start - first..shape.strip(g, j).end - first;
        if M > 3 {
            lanes = spread_strip::<S, T, W, M, 3>(simd, lanes, strip(M - 3), factors, sums);
        }
        if M > 2 {
            lanes = spread_strip::<S, T, W, M, 2>(simd, lanes, strip(M - 2), factors, sums);
        }
        if M > 1 {
            lanes = spread_strip::<S, T, W, M, 1>(simd, lanes, strip(M - 1), factors, sums);
        }
    }
    lanes
}

/// [`spread`] over one strip, which a block of columns contains entirely or not at all; returns the lanes after it.
#[inline(always)]
fn spread_strip<'a, S: Simd, T: Scalar<W>, const W: usize, const M: usize, const K: usize>(
    simd: S,
    lanes: &'a [Lane<T, W>],
    strip: Range<usize>,
    factors: [[T::Lanes<S>; 3]; M],
    sums: &mut [[T::Lanes<S>; 3]],
) -> &'a [Lane<T, W>] {
    let (now, later) = lanes.split_at(K * strip.len());
    if let Some(sums) = sums.get_mut(strip) {
        spread::<S, T, W, M, K>(simd, now, factors, sums);
    }
    later
}

/// sums += lanes·(the last K factors), for columns that have K lanes.
#[inline(always)]
fn spread<S: Simd, T: Scalar<W>, const W: usize, const M: usize, const K: usize>(
    simd: S,
    lanes: &[Lane<T, W>],
    factors: [[T::Lanes<S>; 3]; M],
    sums: &mut [[T::Lanes<S>; 3]],
) {
    for (lanes, sum) in lanes.as_chunks::<K>().0.iter().zip(sums) {
        let mut s = *sum;
        for j in 0..K {
            s = fused(T::load(simd, &lanes[j]), factors[M - K + j], s);
        }
        *sum = s;
    }
}

/// lane·x + sum.
#[inline(always)]
fn fused<L: Arithmetic>(lane: L, x: [L; 3], sum: [L; 3]) -> [L; 3] {
    [lane.mul_add(x[0], sum[0]), lane.mul_add(x[1], sum[1]), lane.mul_add(x[2], sum[2])]
}

/// x ← the first rows of t; the rows below are added to the rows of x that they correspond to.
#[inline(always)]
pub(super) fn scatter<T: Scalar<W>, const W: usize>(
    t: &[Rows<T, W>],
    columns: Range<usize>,
    rows: &[u32],
    x: &mut [Vector<T>],
) {
    let c = columns.len();
    for (t, x) in t.iter().zip(x[columns].chunks_mut(W)) {
        for (w, x) in x.iter_mut().enumerate() {
            *x = [t[0].0[w], t[1].0[w], t[2].0[w]];
        }
    }
    // The rows below begin within the last lane of the columns; then they fill lane after lane.
    let (first, rows) = rows.split_at(rows.len().min(c.next_multiple_of(W) - c));
    for (w, &row) in (c % W..).zip(first) {
        add(&t[c / W], w, &mut x[row as usize]);
    }
    let t = &t[c.div_ceil(W)..];
    let (whole, last) = rows.as_chunks::<W>();
    for (t, rows) in t.iter().zip(whole) {
        for w in 0..W {
            add(t, w, &mut x[rows[w] as usize]);
        }
    }
    for (w, &row) in last.iter().enumerate() {
        add(&t[whole.len()], w, &mut x[row as usize]);
    }
}

#[inline(always)]
fn add<T: Scalar<W>, const W: usize>(t: &Rows<T, W>, w: usize, x: &mut Vector<T>) {
    for k in 0..3 {
        x[k] += t[k].0[w];
    }
}

/// t ← the supernode's columns and rows of x, padded with zeros.
#[inline(always)]
pub(super) fn gather<T: Scalar<W>, const W: usize>(
    x: &[Vector<T>],
    columns: Range<usize>,
    rows: &[u32],
    t: &mut [Rows<T, W>],
) {
    if let Some(last) = t.last_mut() {
        *last = [Lane([T::default(); W]); 3];
    }
    let c = columns.len();
    for (t, x) in t.iter_mut().zip(x[columns].chunks(W)) {
        for (w, x) in x.iter().enumerate() {
            set(t, w, x);
        }
    }
    let (first, rows) = rows.split_at(rows.len().min(c.next_multiple_of(W) - c));
    for (w, &row) in (c % W..).zip(first) {
        set(&mut t[c / W], w, &x[row as usize]);
    }
    let t = &mut t[c.div_ceil(W)..];
    let (whole, last) = rows.as_chunks::<W>();
    for (t, rows) in t.iter_mut().zip(whole) {
        for w in 0..W {
            set(t, w, &x[rows[w] as usize]);
        }
    }
    for (w, &row) in last.iter().enumerate() {
        set(&mut t[whole.len()], w, &x[row as usize]);
    }
}

#[inline(always)]
fn set<T: Scalar<W>, const W: usize>(t: &mut Rows<T, W>, w: usize, x: &Vector<T>) {
    for k in 0..3 {
        t[k].0[w] = x[k];
    }
}
