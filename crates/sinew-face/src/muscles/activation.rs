//! Activations: six numbers of a muscle, the symmetric matrix that they are, and the matrices that keep elements healthy.

use super::polar::{eigen, outer};
use glam::{DMat3, DVec3};

/// An activation, [xx xy xz yy yz zz] of a symmetric matrix \[dinev2020, Eq. 4.1\].
pub type Activation = [f64; 6];

/// Passive tissue, a_I: the identity.
pub const PASSIVE: Activation = [1.0, 0.0, 0.0, 1.0, 0.0, 1.0];
/// Least and largest eigenvalue of an activation. Equation 4.10 would allow two negative ones; rows on the simplex keep every blend of such matrices positive definite.
pub const EIGENVALUES: [f64; 2] = [0.25, 3.0];

/// S(a).
pub fn symmetric(a: &Activation) -> DMat3 {
    DMat3::from_cols(DVec3::new(a[0], a[1], a[2]), DVec3::new(a[1], a[3], a[4]), DVec3::new(a[2], a[4], a[5]))
}

/// The six numbers of a symmetric matrix.
pub fn numbers(m: &DMat3) -> Activation {
    [m.x_axis.x, m.y_axis.x, m.z_axis.x, m.y_axis.y, m.z_axis.y, m.z_axis.z]
}

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

/// A fibre along `axis` with `length` of its rest length, and the volume it had.
pub fn fibre(axis: DVec3, length: f64) -> Activation {
    let along = outer(axis, axis);
    numbers(&(length * along + (DMat3::IDENTITY - along) / length.sqrt()))
}

/// A ring about `axis` with `length` of its circumference, and the volume it had.
pub fn ring(axis: DVec3, length: f64) -> Activation {
    let along = outer(axis, axis);
    numbers(&(length * (DMat3::IDENTITY - along) + along / (length * length)))
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
