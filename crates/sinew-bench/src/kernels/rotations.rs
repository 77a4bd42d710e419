//! Closest rotations: our lanes compared with nalgebra's SVD on the same matrices.

use crate::bodies::Noise;
use crate::catalogue::Options;
use crate::error::BenchError;
use crate::record::{Bound, Detail, Record, Table, number};
use crate::rounds::{Plan, side_by_side, timed};
use glam::{DMat3, DVec3};
use nalgebra::Matrix3;
use sinew::measure;
use std::hint::black_box;

/// About as many as a body of a thousand vertices has; they fit into the second-level cache.
const MATRICES: usize = 4096;

/// F = R·diag(σ)·Qᵀ with stretches between 0.3 and 1.7; every second one is inverted.
fn deformations() -> Vec<DMat3> {
    let mut noise = Noise::new(7);
    let rotation = |noise: &mut Noise| {
        let [a, b] = [noise.vector(), noise.vector()];
        let x = a.normalize();
        let y = (b - x * x.dot(b)).normalize();
        DMat3::from_cols(x, y, x.cross(y))
    };
    let mut one = |i: usize| {
        let (r, q) = (rotation(&mut noise), rotation(&mut noise));
        let mut stretch = DVec3::ONE + 0.7 * noise.vector();
        if i % 2 == 1 {
            stretch.z = -stretch.z;
        }
        r * DMat3::from_diagonal(stretch) * q.transpose()
    };
    (0..MATRICES).map(&mut one).collect()
}

/// U·diag(1, 1, det UVᵀ)·Vᵀ by nalgebra, whose singular values come in decreasing order.
fn nalgebra_rotation(f: &Matrix3<f64>) -> Matrix3<f64> {
    let svd = f.svd(true, true);
    let (Some(mut u), Some(v_t)) = (svd.u, svd.v_t) else { return Matrix3::identity() };
    if (u * v_t).determinant() < 0.0 {
        u.column_mut(2).neg_mut();
    }
    u * v_t
}

/// Largest difference between the two.
fn disagreement(ours: &[DMat3], theirs: &[Matrix3<f64>]) -> f64 {
    let difference = |(a, b): (&DMat3, &Matrix3<f64>)| {
        let entries = a.to_cols_array();
        entries.iter().zip(b.as_slice()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    ours.iter().zip(theirs).map(difference).fold(0.0, f64::max)
}

/// Nanoseconds per matrix.
pub fn rotations(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    progress("closest rotations of 4,096 matrices, ours and nalgebra's in turn");
    let f = deformations();
    let copies: Vec<Matrix3<f64>> =
        f.iter().map(|f| Matrix3::from_column_slice(&f.to_cols_array())).collect();
    let mut ours = vec![DMat3::IDENTITY; MATRICES];
    let mut theirs = vec![Matrix3::identity(); MATRICES];
    let samples = side_by_side(
        Plan::kernel(options.quick),
        &mut [&mut || timed(|| measure::rotations(black_box(&f), black_box(&mut ours))), &mut || {
            timed(|| {
                for (f, r) in black_box(&copies).iter().zip(black_box(&mut theirs)) {
                    *r = nalgebra_rotation(f);
                }
            })
        }],
    );
    let [ours_ns, theirs_ns] = [&samples[0], &samples[1]].map(|sample| sample.scaled(1e9 / MATRICES as f64));
    let error = disagreement(&ours, &theirs);
    let mut table = Table::new("Closest rotations", &["", "ns a matrix", "spread"]);
    for (name, sample) in [("Sinew", &ours_ns), ("nalgebra svd", &theirs_ns)] {
        table.rows.push(vec![name.into(), number(sample.median()), number(sample.spread())]);
    }
    Ok(Record::new(id, &ours_ns, "ns a matrix")
        .against("nalgebra's svd and U·Vᵀ", &theirs_ns)
        .detail(Detail::bounded("time", ours_ns.median(), "ns", Bound::AtMost(60.0)))
        .detail(Detail::bounded("largest difference of an entry", error, "", Bound::AtMost(1e-6)))
        .table(table)
        .note("one thread, f64; half of the matrices are inverted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_matrices_are_inverted() {
        let f = deformations();
        assert_eq!(f.iter().filter(|f| f.determinant() < 0.0).count(), MATRICES / 2);
    }

    #[test]
    fn ours_are_the_rotations_that_an_svd_gives() {
        let f = deformations();
        let mut ours = vec![DMat3::IDENTITY; f.len()];
        measure::rotations(&f, &mut ours);
        let theirs: Vec<_> =
            f.iter().map(|f| nalgebra_rotation(&Matrix3::from_column_slice(&f.to_cols_array()))).collect();
        let error = disagreement(&ours, &theirs);
        assert!(error < 1e-6, "{error}");
    }
}
