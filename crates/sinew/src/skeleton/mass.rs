//! Masses and inertia of bones.
//!
//! Masses at vertices are too far out: a box of one cell would have three times its true inertia, a single tetrahedron five times. The
//! inertia of a bone is therefore the exact integral over its volume, for a tetrahedron ∫ρ x xᵀ = m/20 (Σ x xᵀ + Σx Σxᵀ). Any rigid body
//! moves like four equal masses at suitable points, so the bone stores its inertia that way: its own vertices carry a tenth of their lumped
//! masses, and four *mass points* inside carry the rest, with the same mass, centre and second moment as the volume. Everything else
//! (energies, momenta, corrections) sums over points and need not know.

use super::spec::MassProperties;
use crate::math::{outer, symmetric_eigen};
use glam::{DMat3, DVec3};

/// Share of the lumped masses that a bone's vertices carry. Below 1/5, what remains has a positive second moment for any mesh.
const AT_VERTICES: f64 = 0.1;
/// Least eigenvalue of the second moment, over m ℓ²: a bone of one vertex or of a line gets that much width. With a pseudo-inverse instead it
/// would silently lock.
const LEAST: f64 = 1e-6;
/// Second moment of a given inertia, over m ℓ², below which its mass counts as a point: its four points would be less than 1e-6 ℓ apart, and their
/// motion mostly rounding.
const POINT: f64 = 1e-12;

/// ∫ρ, ∫ρx and ∫ρ x xᵀ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments {
    pub mass: f64,
    pub first: DVec3,
    pub second: DMat3,
}

impl Default for Moments {
    fn default() -> Self {
        Self { mass: 0.0, first: DVec3::ZERO, second: DMat3::ZERO }
    }
}

impl Moments {
    /// Adds another body.
    pub fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.first += other.first;
        self.second += other.second;
    }

    /// Adds a point mass.
    pub fn add_point(&mut self, mass: f64, x: DVec3) {
        self.mass += mass;
        self.first += x * mass;
        self.second += outer(x * mass, x);
    }

    /// Adds a tetrahedron of uniform density.
    pub fn add_tetrahedron(&mut self, mass: f64, corners: [DVec3; 4]) {
        let sum: DVec3 = corners.iter().sum();
        self.mass += mass;
        self.first += sum * (0.25 * mass);
        let mut squares = outer(sum, sum);
        corners.iter().for_each(|x| squares += outer(*x, *x));
        self.second += squares * (mass / 20.0);
    }

    /// Moments of a body with given inertia.
    pub fn given(properties: &MassProperties) -> Self {
        let MassProperties { mass, center, inertia } = *properties;
        // I = tr(J) 1 − J and tr(I) = 2 tr(J).
        let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        let central = DMat3::from_diagonal(DVec3::splat(0.5 * trace)) - inertia;
        Self { mass, first: center * mass, second: central + outer(center * mass, center) }
    }

    /// Centre of mass.
    pub fn center(&self) -> DVec3 {
        self.first / self.mass
    }

    /// ∫ρ r rᵀ about the centre of mass.
    pub fn central(&self) -> DMat3 {
        self.second - outer(self.first, self.first) * (1.0 / self.mass)
    }

    fn less(&self, share: f64, other: &Self) -> Self {
        Self {
            mass: self.mass - share * other.mass,
            first: self.first - other.first * share,
            second: self.second - other.second * share,
        }
    }
}

/// Point masses that move like the whole.
pub(crate) struct Distribution {
    /// Masses of the vertices.
    pub vertices: Vec<f64>,
    /// Positions of four more points of equal mass.
    pub points: [DVec3; 4],
    pub point_mass: f64,
}

/// The least second moment that a bone gets, kg·m². `length` is ℓ, the size of the bone or its distance to a joint. An inertia that was given is
/// measured by itself: however long the arm to its joint, it stays as it is, unless its mass lies in a plane or a line, or at a point.
pub(crate) fn least_moment(whole: &Moments, length: f64, given: bool) -> f64 {
    let of_arm = whole.mass * length * length;
    let own = symmetric_eigen(&whole.central()).values.max_element();
    LEAST * if given && own > POINT * of_arm { own.min(of_arm) } else { of_arm }
}

/// Divides `whole` between vertices, by their lumped masses, and four points. `width` is the [least second moment](least_moment).
pub(crate) fn distribute(whole: &Moments, vertices: &[(f64, DVec3)], width: f64) -> Distribution {
    let mut lumped = Moments::default();
    vertices.iter().for_each(|(m, x)| lumped.add_point(*m, *x));
    // Given inertias may be smaller than that of a tenth of the mass at the vertices.
    let least = symmetric_eigen(&whole.central()).values.min_element().max(0.0);
    let mut share = if vertices.is_empty() { 0.0 } else { AT_VERTICES * whole.mass / lumped.mass };
    let mut rest = whole.less(share, &lumped);
    for _ in 0..60 {
        if symmetric_eigen(&rest.central()).values.min_element() >= 0.1 * least {
            break;
        }
        share *= 0.5;
        rest = whole.less(share, &lumped);
    }
    let eigen = symmetric_eigen(&rest.central());
    // A regular tetrahedron of unit corners has Σ t tᵀ = 4/3: corners at √(3J/m) t have second moment J.
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let points = corners.map(|t| {
        let mut point = rest.center();
        for k in 0..3 {
            point += eigen.vectors.col(k) * (t[k] * (eigen.values[k].max(width) / rest.mass).sqrt());
        }
        point
    });
    Distribution {
        vertices: vertices.iter().map(|(m, _)| m * share).collect(),
        points,
        point_mass: 0.25 * rest.mass,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments_of(distribution: &Distribution, vertices: &[(f64, DVec3)]) -> Moments {
        let mut sum = Moments::default();
        for (m, (_, x)) in distribution.vertices.iter().zip(vertices) {
            sum.add_point(*m, *x);
        }
        distribution.points.iter().for_each(|x| sum.add_point(distribution.point_mass, *x));
        sum
    }

    #[test]
    fn a_tetrahedron_keeps_its_inertia() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::new(0.2, 1.3, 0.0), DVec3::new(0.1, 0.2, 0.7)];
        let mut whole = Moments::default();
        whole.add_tetrahedron(2.0, corners);
        let vertices = corners.map(|x| (0.5, x));
        let found = moments_of(&distribute(&whole, &vertices, least_moment(&whole, 1.0, false)), &vertices);
        assert!((found.mass - whole.mass).abs() < 1e-14);
        assert!((found.center() - whole.center()).length() < 1e-14);
        assert!((found.second - whole.second).abs_diff_eq(DMat3::ZERO, 1e-14));
    }

    #[test]
    fn a_point_gets_a_little_width() {
        let mut whole = Moments::default();
        whole.add_point(1.0, DVec3::Y);
        let width = least_moment(&whole, 2.0, false);
        let found = moments_of(&distribute(&whole, &[(1.0, DVec3::Y)], width), &[(1.0, DVec3::Y)]);
        assert!((found.center() - DVec3::Y).length() < 1e-14);
        assert!((found.central() - DMat3::IDENTITY * 4e-6).abs_diff_eq(DMat3::ZERO, 1e-14));
    }

    #[test]
    fn a_given_inertia_is_met() {
        let properties = MassProperties {
            mass: 3.0,
            center: DVec3::new(0.0, 1.0, 0.0),
            inertia: DMat3::from_diagonal(DVec3::new(0.03, 0.02, 0.025)),
        };
        let whole = Moments::given(&properties);
        let corners =
            [(1.0, DVec3::ZERO), (1.0, DVec3::new(1.0, 2.0, 0.5)), (1.0, DVec3::new(-1.0, 1.0, 0.5))];
        let found = moments_of(&distribute(&whole, &corners, least_moment(&whole, 1.0, true)), &corners);
        let j = found.central();
        let trace = j.x_axis.x + j.y_axis.y + j.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - j;
        assert!((found.center() - properties.center).length() < 1e-14);
        assert!((inertia - properties.inertia).abs_diff_eq(DMat3::ZERO, 1e-14));
    }

    /// The inertia that `distribute` makes of a given one, without vertices and with a joint `arm` away.
    fn realised(inertia: DVec3, arm: f64) -> DVec3 {
        let properties =
            MassProperties { mass: 2.0, center: DVec3::ZERO, inertia: DMat3::from_diagonal(inertia) };
        let whole = Moments::given(&properties);
        let found = moments_of(&distribute(&whole, &[], least_moment(&whole, arm, true)), &[]);
        let j = found.central();
        let diagonal = DVec3::new(j.x_axis.x, j.y_axis.y, j.z_axis.z);
        DVec3::splat(diagonal.element_sum()) - diagonal
    }

    /// A small bob on a long arm: 5e-8 of m ℓ² used to become 2e-6 of it.
    #[test]
    fn a_given_inertia_does_not_depend_on_the_arm() {
        let given = DVec3::new(1e-5, 2e-5, 1.5e-5);
        for arm in [0.1, 10.0, 100.0] {
            let found = realised(given, arm);
            assert!((found / given - 1.0).abs().max_element() < 1e-12, "{arm}: {found}");
        }
    }

    /// A disc and a rod have no thickness; what they need of it is a millionth of their own size, and a point a millionth of its arm.
    #[test]
    fn only_what_has_no_width_gets_some() {
        let disc = realised(DVec3::new(1.0, 1.0, 2.0), 10.0);
        assert!((disc - DVec3::new(1.0, 1.0, 2.0)).abs().max_element() < 2e-6, "{disc}");
        let rod = realised(DVec3::new(0.0, 1.0, 1.0), 10.0);
        assert!(rod.x > 0.0 && rod.x < 3e-6 && (rod.y - 1.0).abs() < 2e-6, "{rod}");
        let point = realised(DVec3::ZERO, 10.0);
        assert!((point - DVec3::splat(4e-4)).abs().max_element() < 1e-12, "{point}");
    }
}
