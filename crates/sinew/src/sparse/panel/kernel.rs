//! The inner loops: t = G·x and x = Gᵀ·t for one supernode and three right-hand sides.
//!
//! G is cut into panels of W rows. Panel p holds, column after column, one lane of W numbers; above the diagonal there
//! is nothing to store, so its width is min(c, W(p + 1)) columns of c. Both loops read the panels four at a time in the
//! order of memory, as four streams, and keep twelve lanes in flight: enough to hide the latency of a fused
//! multiply-add, and few enough for sixteen registers.

use super::lanes::{Lane, Scalar};
use crate::simd::{Arithmetic, Simd};

/// x, y and z of one unknown.
pub(crate) type Vector<T> = [T; 3];
/// x, y and z of W rows.
pub(crate) type Rows<T, const W: usize> = [Lane<T, W>; 3];

/// Panels that are read at the same time.
const STREAMS: usize = 4;
/// Columns whose sums are kept at the same time on the way back, so that they stay in the first-level cache; a multiple
/// of every W.
pub(crate) const COLUMN_BLOCK: usize = 64;
/// Supernodes up to this many columns go back four columns at a time with all sums in registers: their panels are
/// short, and lie next to each other anyway.
const NARROW: usize = 16;

/// Columns stored of panel p.
#[inline(always)]
pub(super) fn panel_width<const W: usize>(columns: usize, p: usize) -> usize {
    columns.min(W * (p + 1))
}

/// Lanes stored before panel p.
#[inline(always)]
pub(super) fn panel_start<const W: usize>(columns: usize, p: usize) -> usize {
    // The panels before this one are cut off by the diagonal.
    let cut = p.min(columns.div_ceil(W).saturating_sub(1));
    W * cut * (cut + 1) / 2 + columns * (p - cut)
}

/// t = G·x for the panels `first..first + t.len()`; `values` are all lanes of the supernode.
#[inline(always)]
pub(super) fn forward<S: Simd, T: Scalar<W>, const W: usize>(
    simd: S,
    values: &[Lane<T, W>],
    first: usize,
    x: &[Vector<T>],
    t: &mut [Rows<T, W>],
) {
    let c = x.len();
    let mut values = &values[panel_start::<W>(c, first)..];
    let mut next = |p: usize| {
        let (panel, rest) = values.split_at(panel_width::<W>(c, p));
        values = rest;
        panel
    };
    let mut p = first;
    let (groups, rest) = t.as_chunks_mut::<STREAMS>();
    for group in groups {
        let panels: [&[Lane<T, W>]; STREAMS] = [next(p), next(p + 1), next(p + 2), next(p + 3)];
        let mut sums = [[T::zero(simd); 3]; STREAMS];
        let [a, b, c, d] = panels;
        // The first panel is the shortest.
        for ((((x, a), b), c), d) in x.iter().zip(a).zip(b).zip(c).zip(d) {
            let x = x.map(|x| T::splat(simd, x));
            for (sum, lane) in sums.iter_mut().zip([a, b, c, d]) {
                let lane = T::load(simd, lane);
                for k in 0..3 {
                    sum[k] = lane.mul_add(x[k], sum[k]);
                }
            }
        }
        let shared = a.len();
        for (sum, panel) in sums.iter_mut().zip(panels).skip(1) {
            accumulate(simd, &panel[shared..], &x[shared..], sum);
        }
        *group = sums.map(|sum| sum.map(T::store));
        p += STREAMS;
    }
    for t in rest {
        let mut sum = [T::zero(simd); 3];
        accumulate(simd, next(p), x, &mut sum);
        *t = sum.map(T::store);
        p += 1;
    }
}

/// sum += panel·x.
#[inline(always)]
fn accumulate<S: Simd, T: Scalar<W>, const W: usize>(
    simd: S,
    panel: &[Lane<T, W>],
    x: &[Vector<T>],
    sum: &mut [T::Lanes<S>; 3],
) {
    for (x, lane) in x.iter().zip(panel) {
        let lane = T::load(simd, lane);
        for k in 0..3 {
            sum[k] = lane.mul_add(T::splat(simd, x[k]), sum[k]);
        }
    }
}

/// x = Gᵀ·t for the columns `first..first + x.len()` of c, at most [`COLUMN_BLOCK`] of them from a multiple of it.
#[inline(always)]
pub(super) fn backward<S: Simd, T: Scalar<W>, const W: usize>(
    simd: S,
    (values, c): (&[Lane<T, W>], usize),
    first: usize,
    t: &[Rows<T, W>],
    x: &mut [Vector<T>],
) {
    if c <= NARROW {
        backward_narrow(simd, (values, c), t, x);
    } else {
        backward_wide(simd, (values, c), first, t, x);
    }
}

#[inline(always)]
fn backward_narrow<S: Simd, T: Scalar<W>, const W: usize>(
    simd: S,
    (values, c): (&[Lane<T, W>], usize),
    t: &[Rows<T, W>],
    x: &mut [Vector<T>],
) {
    let (fours, rest) = x.as_chunks_mut::<4>();
    let mut q = 0;
    for four in fours {
        let mut sums = [[T::zero(simd); 3]; 4];
        let above = q / W;
        let mut start = panel_start::<W>(c, above) + q;
        for (p, t) in t.iter().enumerate().skip(above) {
            let lanes = &values[start..start + 4];
            let t = t.each_ref().map(|t| T::load(simd, t));
            for (sum, lane) in sums.iter_mut().zip(lanes) {
                let lane = T::load(simd, lane);
                for k in 0..3 {
                    sum[k] = lane.mul_add(t[k], sum[k]);
                }
            }
            start += panel_width::<W>(c, p);
        }
        *four = sums.map(|sum| sum.map(T::sum));
        q += 4;
    }
    for x in rest {
        let mut sum = [T::zero(simd); 3];
        let above = q / W;
        let mut start = panel_start::<W>(c, above) + q;
        for (p, t) in t.iter().enumerate().skip(above) {
            let lane = T::load(simd, &values[start]);
            for k in 0..3 {
                sum[k] = lane.mul_add(T::load(simd, &t[k]), sum[k]);
            }
            start += panel_width::<W>(c, p);
        }
        *x = sum.map(T::sum);
        q += 1;
    }
}

#[inline(always)]
fn backward_wide<S: Simd, T: Scalar<W>, const W: usize>(
    simd: S,
    (values, c): (&[Lane<T, W>], usize),
    first: usize,
    t: &[Rows<T, W>],
    x: &mut [Vector<T>],
) {
    let mut sums = [[T::zero(simd); 3]; COLUMN_BLOCK];
    let sums = &mut sums[..x.len()];
    // Panels above the first column's diagonal hold nothing of it.
    let above = first / W;
    let mut p = above;
    let mut start = panel_start::<W>(c, p);
    let mut next = || {
        let width = panel_width::<W>(c, p);
        let panel = &values[start + first..start + width.min(first + x.len())];
        start += width;
        p += 1;
        panel
    };
    let (groups, rest) = t[above..].as_chunks::<STREAMS>();
    for group in groups {
        let panels: [&[Lane<T, W>]; STREAMS] = [next(), next(), next(), next()];
        let t = group.each_ref().map(|rows| rows.each_ref().map(|t| T::load(simd, t)));
        let [a, b, c, d] = panels;
        // The first panel is the shortest.
        for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let mut s = *sum;
            for (lane, t) in [a, b, c, d].into_iter().zip(&t) {
                let lane = T::load(simd, lane);
                for k in 0..3 {
                    s[k] = lane.mul_add(t[k], s[k]);
                }
            }
            *sum = s;
        }
        let shared = a.len();
        for (panel, t) in panels.iter().zip(&t).skip(1) {
            spread(simd, &panel[shared..], t, &mut sums[shared..]);
        }
    }
    for rows in rest {
        let t = rows.each_ref().map(|t| T::load(simd, t));
        spread(simd, next(), &t, sums);
    }
    for (x, sum) in x.iter_mut().zip(sums) {
        *x = sum.map(T::sum);
    }
}

/// sums += panel·t, a sum for each column.
#[inline(always)]
fn spread<S: Simd, T: Scalar<W>, const W: usize>(
    simd: S,
    panel: &[Lane<T, W>],
    t: &[T::Lanes<S>; 3],
    sums: &mut [[T::Lanes<S>; 3]],
) {
    for (sum, lane) in sums.iter_mut().zip(panel) {
        let lane = T::load(simd, lane);
        for k in 0..3 {
            sum[k] = lane.mul_add(t[k], sum[k]);
        }
    }
}

/// x ← the first rows of t, and what is below them is added to the rows that they stand for.
#[inline(always)]
pub(super) fn scatter<T: Scalar<W>, const W: usize>(
    t: &[Rows<T, W>],
    columns: std::ops::Range<usize>,
    rows: &[u32],
    x: &mut [Vector<T>],
) {
    for (i, x) in x[columns.clone()].iter_mut().enumerate() {
        for k in 0..3 {
            x[k] = t[i / W][k].0[i % W];
        }
    }
    for (i, &row) in (columns.len()..).zip(rows) {
        let (t, x) = (&t[i / W], &mut x[row as usize]);
        for k in 0..3 {
            x[k] += t[k].0[i % W];
        }
    }
}

/// t ← the supernode's columns and rows of x, padded with zeros.
#[inline(always)]
pub(super) fn gather<T: Scalar<W>, const W: usize>(
    x: &[Vector<T>],
    columns: std::ops::Range<usize>,
    rows: &[u32],
    t: &mut [Rows<T, W>],
) {
    if let Some(last) = t.last_mut() {
        *last = [Lane([T::default(); W]); 3];
    }
    for (i, x) in x[columns.clone()].iter().enumerate() {
        for k in 0..3 {
            t[i / W][k].0[i % W] = x[k];
        }
    }
    for (i, &row) in (columns.len()..).zip(rows) {
        let (t, x) = (&mut t[i / W], &x[row as usize]);
        for k in 0..3 {
            t[k].0[i % W] = x[k];
        }
    }
}
