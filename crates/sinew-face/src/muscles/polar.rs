//! Decompositions of 3×3 matrices that the active material and its derivatives need.

use glam::{DMat3, DVec3};

/// Smallest magnitude of σᵢ + σⱼ in the derivative of a rotation: at zero the rotation jumps, and its derivative does not exist.
const FLOOR: f64 = 1e-3;

/// F = U diag(σ) Vᵀ with rotations U and V: where det F < 0, the smallest σ is negative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Svd {
    pub u: DMat3,
    pub sigma: DVec3,
    pub v: DMat3,
}

impl Svd {
    /// Rotations of pairs of columns until all are orthogonal.
    pub fn of(f: DMat3) -> Self {
        let mut a = [f.x_axis, f.y_axis, f.z_axis];
        let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
        for _ in 0..30 {
            let mut turned = false;
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                let (pp, qq, pq) = (a[p].length_squared(), a[q].length_squared(), a[p].dot(a[q]));
                if pq == 0.0 || pq * pq <= 1e-31 * pp * qq {
                    continue;
                }
                turned = true;
                let zeta = (qq - pp) / (2.0 * pq);
                let t = zeta.signum() / (zeta.abs() + (zeta * zeta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                (a[p], a[q]) = (a[p] * c - a[q] * s, a[p] * s + a[q] * c);
                (v[p], v[q]) = (v[p] * c - v[q] * s, v[p] * s + v[q] * c);
            }
            if !turned {
                break;
            }
        }
        let mut length = a.map(DVec3::length);
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if length[p] < length[q] {
                length.swap(p, q);
                a.swap(p, q);
                v.swap(p, q);
            }
        }
        if v[0].cross(v[1]).dot(v[2]) < 0.0 {
            (v[2], a[2]) = (-v[2], -a[2]);
        }
        // The last column of U follows from the others, and carries the sign.
        let first = a[0].try_normalize().unwrap_or(DVec3::X);
        let second = (a[1] - a[1].dot(first) * first).try_normalize();
        let second = second.unwrap_or_else(|| first.any_orthonormal_vector());
        let third = first.cross(second);
        let sigma = DVec3::new(a[0].dot(first), a[1].dot(second), a[2].dot(third));
        Self { u: DMat3::from_cols(first, second, third), sigma, v: DMat3::from_cols(v[0], v[1], v[2]) }
    }

    /// The closest rotation, U Vᵀ.
    pub fn rotation(&self) -> DMat3 {
        self.u * self.v.transpose()
    }

    /// Σ σ.
    pub fn sum(&self) -> f64 {
        self.sigma.x + self.sigma.y + self.sigma.z
    }

    /// The three twists Qₖ = U(Eᵢⱼ − Eⱼᵢ)Vᵀ with their weights cₖ = 1/(σᵢ + σⱼ): dR[dF] = Σ cₖ Qₖ ⟨Qₖ, dF⟩.
    pub fn twists(&self) -> [(f64, DMat3); 3] {
        [(0, 1), (0, 2), (1, 2)].map(|(i, j)| {
            let sum = self.sigma[i] + self.sigma[j];
            let weight = 1.0 / if sum.abs() < FLOOR { FLOOR.copysign(sum) } else { sum };
            let twist = outer(self.u.col(i), self.v.col(j)) - outer(self.u.col(j), self.v.col(i));
            (weight, twist)
        })
    }
}

/// F = R S with a rotation R, without singular values where F is far from singular: R ← (R + R⁻ᵀ)/2 converges quadratically \[higham1986\]. Elsewhere, and where det F ≤ 0, by [`Svd`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polar {
    /// R; the closest rotation to F.
    pub rotation: DMat3,
    /// S = RᵀF.
    stretch: DMat3,
    /// Where F is nearly singular, it is kept instead of S.
    singular: bool,
}

/// det F over the cube of the root of ‖F‖²/3, below which the iteration is not used.
const NEARLY_SINGULAR: f64 = 0.02;

impl Polar {
    pub fn of(f: DMat3) -> Self {
        let size = inner(&f, &f) / 3.0;
        let det = f.determinant();
        if !(det > NEARLY_SINGULAR * size * size.sqrt() && size > 1e-3) {
            let svd = Svd::of(f);
            return Self { rotation: svd.rotation(), stretch: f, singular: true };
        }
        // Frobenius' norm of a rotation is √3.
        let mut r = f * (1.0 / size.sqrt());
        for _ in 0..20 {
            let [a, b, c] = [r.x_axis, r.y_axis, r.z_axis];
            let half = 0.5 / a.dot(b.cross(c));
            let next = 0.5 * r + half * DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b));
            let change = next - r;
            r = next;
            // The next change would be as small as its square.
            if inner(&change, &change) < 1e-16 {
                break;
            }
        }
        Self { rotation: r, stretch: r.transpose() * f, singular: false }
    }

    /// Σ σ = tr S.
    pub fn sum(&self) -> f64 {
        if self.singular {
            return Svd::of(self.stretch).sum();
        }
        self.stretch.x_axis.x + self.stretch.y_axis.y + self.stretch.z_axis.z
    }

    /// dR[dF] = Σ cₖ Qₖ ⟨Qₖ, dF⟩ as for [`Svd::twists`]; here Qₖ = R [lₖ]ₓ with Σ cₖ lₖ lₖᵀ = (tr S·I − S)⁻¹.
    pub fn twists(&self) -> [(f64, DMat3); 3] {
        if self.singular {
            return Svd::of(self.stretch).twists();
        }
        let m = DMat3::from_diagonal(DVec3::splat(self.sum())) - self.stretch;
        let inverse = m.inverse();
        let [x, y, z] = [inverse.x_axis, inverse.y_axis, inverse.z_axis];
        // The Cholesky factor without roots.
        let (l10, l20) = (x.y / x.x, x.z / x.x);
        let d1 = y.y - l10 * x.y;
        let l21 = (y.z - l20 * x.y) / d1;
        let d2 = z.z - l20 * x.z - l21 * l21 * d1;
        let columns = [DVec3::new(1.0, l10, l20), DVec3::new(0.0, 1.0, l21), DVec3::Z];
        let [a, b, c] = [self.rotation.x_axis, self.rotation.y_axis, self.rotation.z_axis];
        // R [l]ₓ by columns.
        let twist = |l: DVec3| DMat3::from_cols(b * l.z - c * l.y, c * l.x - a * l.z, a * l.y - b * l.x);
        [(x.x, twist(columns[0])), (d1, twist(columns[1])), (d2, twist(columns[2]))]
    }
}

/// a bᵀ.
pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// ⟨A, B⟩ = tr(AᵀB).
pub(crate) fn inner(a: &DMat3, b: &DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix, by Jacobi rotations.
pub(crate) fn eigen(a: DMat3) -> (DVec3, DMat3) {
    let mut m = a.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    for _ in 0..40 {
        let off = m[0][1].abs() + m[0][2].abs() + m[1][2].abs();
        if off <= 1e-300 || off <= 1e-17 * (m[0][0].abs() + m[1][1].abs() + m[2][2].abs()) {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if m[p][q] == 0.0 {
                continue;
            }
            let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let t = (if theta < 0.0 { -1.0 } else { 1.0 }) / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for k in 0..3 {
                let (x, y) = (m[k][p], m[k][q]);
                (m[k][p], m[k][q]) = (c * x - s * y, s * x + c * y);
            }
            for k in 0..3 {
                let (x, y) = (m[p][k], m[q][k]);
                (m[p][k], m[q][k]) = (c * x - s * y, s * x + c * y);
                // Columns of V turn with the axes.
                let (x, y) = (v[p][k], v[q][k]);
                (v[p][k], v[q][k]) = (c * x - s * y, s * x + c * y);
            }
        }
    }
    (DVec3::new(m[0][0], m[1][1], m[2][2]), DMat3::from_cols_array_2d(&v))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polar_decompositions_and_their_derivatives_are_those_of_singular_values() {
        let mut noise = crate::muscles::noise::Noise::new(8);
        for k in 0..200 {
            let shape = |noise: &mut crate::muscles::noise::Noise| {
                DMat3::from_cols_array(&std::array::from_fn(|_| noise.uniform() - 0.5))
            };
            // Near and far from a rotation, some of them inverted.
            let f = DMat3::from_rotation_y(0.1 * f64::from(k)) * (DMat3::IDENTITY + 1.5 * shape(&mut noise));
            let (polar, svd, d) = (Polar::of(f), Svd::of(f), shape(&mut noise));
            assert!((polar.rotation - svd.rotation()).abs_diff_eq(DMat3::ZERO, 1e-12));
            assert!((polar.sum() - svd.sum()).abs() < 1e-12);
            let by = |twists: [(f64, DMat3); 3]| {
                twists.iter().fold(DMat3::ZERO, |sum, (c, q)| sum + *c * inner(q, &d) * *q)
            };
            let (a, b) = (by(polar.twists()), by(svd.twists()));
            assert!((a - b).abs_diff_eq(DMat3::ZERO, 1e-9 * inner(&b, &b).sqrt().max(1.0)));
        }
    }

    #[test]
    fn decompositions_come_back() {
        let f = DMat3::from_cols_array(&[0.9, 0.3, -0.2, 0.1, -1.1, 0.4, 0.5, 0.2, 0.7]);
        for f in [f, -f, DMat3::IDENTITY] {
            let svd = Svd::of(f);
            let back = svd.u * DMat3::from_diagonal(svd.sigma) * svd.v.transpose();
            assert!((back - f).abs_diff_eq(DMat3::ZERO, 1e-14));
            assert!((svd.u.determinant() - 1.0).abs() < 1e-14 && (svd.v.determinant() - 1.0).abs() < 1e-14);
            let symmetric = f + f.transpose();
            let (values, vectors) = eigen(symmetric);
            let back = vectors * DMat3::from_diagonal(values) * vectors.transpose();
            assert!((back - symmetric).abs_diff_eq(DMat3::ZERO, 1e-13));
        }
    }
}
