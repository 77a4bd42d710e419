//! One V-cycle: an approximation of Â⁻¹ that is linear, symmetric and positive definite, in single precision.
//!
//! ```text
//! cycle(b):  x ← q(Â)b                         smooth, from zero
//!            x ← x + P·cycle(Pᵀ(b − Âx))       correct on the coarser level; the coarsest is factored
//!            x ← x + q(Â)(b − Âx)              smooth
//! ```
//!
//! A preconditioner need not be accurate, only the same every time: its matrices are rounded to `f32`, which halves the bytes that each pass
//! must read. Three right-hand sides are processed together, padded to four lanes.

use super::aggregation::Aggregates;
use super::galerkin::{Rectangular, coarsen};
use super::rows::{RowPattern, UnitRows};
use super::smoother::{Smoother, largest_eigenvalue};
use crate::parallel;
use crate::sparse::{Cholesky, SymmetricMatrix};
use glam::DVec3;
use std::sync::Arc;

/// x, y, z and a lane that stays zero.
pub(super) type Lanes = [f32; 4];

/// A matrix with at most this many rows is factored.
const COARSEST: usize = 400;
/// A level with more than this share of the rows above it is not worthwhile.
const STALLED: f64 = 0.7;

/// A sparse matrix in single precision.
#[derive(Debug)]
struct Single {
    pattern: Arc<RowPattern>,
    values: Vec<f32>,
}

impl Single {
    fn new(pattern: Arc<RowPattern>, values: &[f64]) -> Self {
        Self { pattern, values: values.iter().map(|&v| v as f32).collect() }
    }

    /// Row `i` times `x`. Even and odd entries have separate sums, because in a single chain each addition would wait for the previous one.
    #[inline(always)]
    fn row_times(&self, i: usize, x: &[Lanes]) -> Lanes {
        let row = self.pattern.row(i);
        let (columns, last_column) = self.pattern.columns[row.clone()].as_chunks::<2>();
        let (values, last_value) = self.values[row].as_chunks::<2>();
        let (mut even, mut odd) = ([0.0; 4], [0.0; 4]);
        for (j, a) in columns.iter().zip(values) {
            add_scaled(&mut even, a[0], &x[j[0] as usize]);
            add_scaled(&mut odd, a[1], &x[j[1] as usize]);
        }
        for (&j, &a) in last_column.iter().zip(last_value) {
            add_scaled(&mut even, a, &x[j as usize]);
        }
        lanes(|l| even[l] + odd[l])
    }

    /// `combine(i, (Ax)ᵢ, outᵢ)` for every row.
    fn for_rows(
        &self,
        x: &[Lanes],
        out: &mut [Lanes],
        combine: impl Fn(usize, Lanes, Lanes) -> Lanes + Sync + Send,
    ) {
        parallel::for_chunks(out, |first, chunk| {
            for (k, out) in chunk.iter_mut().enumerate() {
                *out = combine(first + k, self.row_times(first + k, x), *out);
            }
        });
    }

    fn bytes(&self) -> usize {
        4 * (self.pattern.start.len() + self.pattern.columns.len() + self.values.len())
    }
}

/// A level that is smoothed.
#[derive(Debug)]
struct Level {
    matrix: Single,
    smoother: Smoother,
    prolongation: Single,
    restriction: Single,
    /// Right-hand side, solution and residual.
    b: Vec<Lanes>,
    x: Vec<Lanes>,
    r: Vec<Lanes>,
}

/// The coarsest level, factored in double precision. It has no rows if every row above is dominated by its diagonal.
#[derive(Debug)]
struct Coarsest {
    cholesky: Option<Cholesky>,
    b: Vec<Lanes>,
    x: Vec<Lanes>,
    scratch: Vec<DVec3>,
}

/// All levels.
#[derive(Debug)]
pub(super) struct Cycle {
    levels: Vec<Level>,
    coarsest: Coarsest,
}

impl Cycle {
    /// Builds the levels for Â; `smooth` is D^½·1. `None` if the matrix turns out not to be positive definite.
    pub fn new(matrix: &UnitRows, smooth: Vec<f64>) -> Option<Self> {
        let mut levels = Vec::new();
        let (mut matrix, mut smooth) = (matrix.clone(), smooth);
        while matrix.pattern.n() > COARSEST {
            let n = matrix.pattern.n();
            let groups = Aggregates::new(&matrix);
            if groups.count as f64 > STALLED * n as f64 {
                break;
            }
            let largest = largest_eigenvalue(&matrix);
            let coarse = coarsen(&matrix, &groups, &smooth, 4.0 / (3.0 * largest))?;
            let single = |m: Rectangular| Single::new(Arc::new(m.pattern), &m.values);
            let zeros = vec![[0.0; 4]; n];
            levels.push(Level {
                matrix: Single::new(matrix.pattern, &matrix.values),
                smoother: Smoother::new(largest),
                prolongation: single(coarse.prolongation),
                restriction: single(coarse.restriction),
                b: zeros.clone(),
                x: zeros.clone(),
                r: zeros,
            });
            (matrix, smooth) = (coarse.matrix, coarse.smooth);
        }
        Some(Self { levels, coarsest: Coarsest::new(&matrix)? })
    }

    /// z ← cycle(r / unit)·unit; `unit` brings r into the range of single precision.
    pub fn apply(&mut self, r: &[DVec3], unit: f64, z: &mut [DVec3]) {
        if self.levels.is_empty() {
            z.copy_from_slice(r);
            return self.coarsest.solve_exactly(z);
        }
        let inverse = 1.0 / unit;
        parallel::for_chunks(&mut self.levels[0].b, |first, chunk| {
            for (b, r) in chunk.iter_mut().zip(&r[first..]) {
                *b = narrow(*r * inverse);
            }
        });
        cycle(&mut self.levels, &mut self.coarsest);
        let x = &self.levels[0].x;
        parallel::for_chunks(z, |first, chunk| {
            for (z, x) in chunk.iter_mut().zip(&x[first..]) {
                *z = widen(x) * unit;
            }
        });
    }

    /// Memory, without the factor of the coarsest level.
    pub fn bytes(&self) -> usize {
        let level =
            |l: &Level| l.matrix.bytes() + l.prolongation.bytes() + l.restriction.bytes() + 48 * l.b.len();
        self.levels.iter().map(level).sum()
    }
}

impl Coarsest {
    fn new(matrix: &UnitRows) -> Option<Self> {
        let n = matrix.pattern.n();
        let mut entries: Vec<_> = (0..n as u32).map(|i| (i, i, 1.0)).collect();
        for i in 0..n {
            entries.extend(matrix.row(i).filter(|&(j, _)| j < i).map(|(j, a)| (i as u32, j as u32, a)));
        }
        let mut cholesky = None;
        if n > 0 {
            let matrix = SymmetricMatrix::from_entries(n, &entries);
            let factor = cholesky.insert(Cholesky::analyse(&matrix.pattern).ok()?);
            factor.factor(&matrix).ok()?;
        }
        Some(Self { cholesky, b: vec![[0.0; 4]; n], x: vec![[0.0; 4]; n], scratch: vec![DVec3::ZERO; n] })
    }

    fn solve_exactly(&mut self, x: &mut [DVec3]) {
        if let Some(cholesky) = &mut self.cholesky {
            cholesky.solve_vectors(x);
        }
    }

    /// x ← Â⁻¹b.
    fn solve(&mut self) {
        let mut scratch = std::mem::take(&mut self.scratch);
        for (s, b) in scratch.iter_mut().zip(&self.b) {
            *s = widen(b);
        }
        self.solve_exactly(&mut scratch);
        for (x, s) in self.x.iter_mut().zip(&scratch) {
            *x = narrow(*s);
        }
        self.scratch = scratch;
    }
}

/// x of the first level ← cycle(b of the first level).
fn cycle(levels: &mut [Level], coarsest: &mut Coarsest) {
    let Some((level, below)) = levels.split_first_mut() else { return coarsest.solve() };
    let Level { matrix, smoother, prolongation, restriction, b, x, r } = level;
    let Smoother { constant, linear } = *smoother;
    let b = &b[..];
    // The diagonal of Â is 1: (Âx)ᵢ = xᵢ + the product with the stored row.
    matrix.for_rows(b, x, |i, ab, _| lanes(|l| constant * b[i][l] - linear * (b[i][l] + ab[l])));
    let now = &x[..];
    matrix.for_rows(now, r, |i, ax, _| lanes(|l| b[i][l] - (now[i][l] + ax[l])));

    let coarse_b = below.first_mut().map_or(&mut coarsest.b, |next| &mut next.b);
    restriction.for_rows(r, coarse_b, |_, sum, _| sum);
    cycle(below, coarsest);
    let coarse_x = below.first().map_or(&coarsest.x, |next| &next.x);
    prolongation.for_rows(coarse_x, x, |_, step, x| lanes(|l| x[l] + step[l]));

    let now = &x[..];
    matrix.for_rows(now, r, |i, ax, _| lanes(|l| b[i][l] - (now[i][l] + ax[l])));
    let r = &r[..];
    matrix.for_rows(r, x, |i, ar, x| lanes(|l| x[l] + constant * r[i][l] - linear * (r[i][l] + ar[l])));
}

#[inline(always)]
fn add_scaled(sum: &mut Lanes, a: f32, x: &Lanes) {
    for l in 0..4 {
        sum[l] += a * x[l];
    }
}

#[inline(always)]
fn lanes(f: impl Fn(usize) -> f32) -> Lanes {
    [f(0), f(1), f(2), f(3)]
}

fn widen(a: &Lanes) -> DVec3 {
    DVec3::new(a[0].into(), a[1].into(), a[2].into())
}

fn narrow(a: DVec3) -> Lanes {
    [a.x as f32, a.y as f32, a.z as f32, 0.0]
}
