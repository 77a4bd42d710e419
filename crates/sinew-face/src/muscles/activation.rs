//! Activations: six numbers of a muscle, the symmetric matrix that they are, and the matrices that keep elements healthy.

use super::polar::eigen;
use glam::{DMat3, DVec3};

pub use sinew::muscle::{Activation, EIGENVALUES, PASSIVE, fibre, numbers, ring, symmetric};

/// S of the unit vectors.
pub(crate) fn basis(k: usize) -> DMat3 {
    let mut unit = [0.0; 6];
    unit[k] = 1.0;
    symmetric(&unit)
}

/// The nearest activation with eigenvalues within [`EIGENVALUES`].
pub fn clamped(a: &Activation) -> Activation {
    let (values, vectors) = eigen(symmetric(a));
    let inside = values.clamp(DVec3::splat(EIGENVALUES[0]), DVec3::splat(EIGENVALUES[1]));
    if inside == values {
        return *a;
    }
    numbers(&(vectors * DMat3::from_diagonal(inside) * vectors.transpose()))
}

/// det S(a) and its derivative by the six numbers.
pub(crate) fn determinant(a: &Activation) -> (f64, Activation) {
    let [xx, xy, xz, yy, yz, zz] = *a;
    let det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    let slope = [
        yy * zz - yz * yz,
        2.0 * (yz * xz - xy * zz),
        2.0 * (xy * yz - yy * xz),
        xx * zz - xz * xz,
        2.0 * (xy * xz - xx * yz),
        xx * yy - xy * xy,
    ];
    (det, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_keep_the_volume_and_clamping_the_range() {
        let axis = DVec3::new(1.0, 2.0, -0.5).normalize();
        for a in [fibre(axis, 0.6), ring(axis, 0.7)] {
            assert!((determinant(&a).0 - 1.0).abs() < 1e-14);
            assert_eq!(clamped(&a), a);
        }
        let wild = clamped(&[9.0, 2.0, 0.0, -3.0, 1.0, 0.1]);
        let (values, _) = eigen(symmetric(&wild));
        assert!(values.min_element() > 0.25 - 1e-12 && values.max_element() < 3.0 + 1e-12);
        // The slope of the determinant.
        let a = [1.1, 0.2, -0.1, 0.9, 0.3, 1.2];
        let (_, slope) = determinant(&a);
        for k in 0..6 {
            let at = |h: f64| determinant(&std::array::from_fn(|i| a[i] + if i == k { h } else { 0.0 })).0;
            assert!(((at(1e-5) - at(-1e-5)) / 2e-5 - slope[k]).abs() < 1e-9);
        }
    }
}
