//! Splitting a velocity into the rigid motion that carries given momenta and the deformation that is left.
//!
//! v = vᵣ + w, vᵣ = u + ω×(x − c) with the target momenta, w M-orthogonal to every rigid motion. Then
//! P and L are met exactly whatever w is, K(v) = K(vᵣ) + K(w), and the energy is one scalar equation in w.
//!
//! A free body carries P and L about its centre of mass. A supported body carries only L about the centre of its
//! supports: the support takes whatever linear momentum it is given.

use crate::model::{Component, Model};
use crate::momentum::{Inertia, InvertedInertia};
use glam::DVec3;

/// The momenta that a component is to carry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier {
    /// Point about which L is measured, m: the centre of mass of a free body, of the supports otherwise.
    pub center: DVec3,
    /// Velocity of the centre of mass, m/s; `None` for a supported body.
    pub drift: Option<DVec3>,
    /// L about the centre (relative to the drift), kg·m²/s.
    pub angular: DVec3,
}

/// Σ over moving vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums {
    pub mass: f64,
    /// Σ m r, r = x − center.
    pub moment: DVec3,
    pub linear: DVec3,
    /// Σ m r×v.
    pub angular: DVec3,
    /// Σ m v².
    pub twice_kinetic: f64,
    inertia: Inertia,
}

impl Sums {
    /// Over the vertices of a component that are not pinned.
    pub fn new(model: &Model, component: &Component, center: DVec3, x: &[DVec3], v: &[DVec3]) -> Self {
        Self::over(model, component, center, |i| (x[i], v[i]))
    }

    /// As [`Self::new`], of points that are computed on the way.
    pub fn over(
        model: &Model,
        component: &Component,
        center: DVec3,
        mut at: impl FnMut(usize) -> (DVec3, DVec3),
    ) -> Self {
        let mut s = Self {
            mass: 0.0,
            moment: DVec3::ZERO,
            linear: DVec3::ZERO,
            angular: DVec3::ZERO,
            twice_kinetic: 0.0,
            inertia: Inertia::default(),
        };
        for &i in &component.vertices {
            let i = i as usize;
            let (x, v) = at(i);
            if model.dofs.is_pinned(i) {
                continue;
            }
            let (m, r) = (model.masses[i], x - center);
            s.mass += m;
            s.moment += r * m;
            s.linear += v * m;
            s.angular += r.cross(v) * m;
            s.twice_kinetic += m * v.length_squared();
            s.inertia.add(m, r);
        }
        s
    }

    /// Inertia about the centre, ready to be solved with.
    pub fn inertia(&self) -> InvertedInertia {
        InvertedInertia::new(self.inertia.matrix())
    }
}

/// What a split found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Angular velocity of vᵣ, rad/s.
    pub omega: DVec3,
    /// K(vᵣ), J.
    pub rigid_energy: f64,
    /// K(w), J.
    pub deformation_energy: f64,
}

impl Carrier {
    /// Removes from `w` its own rigid part at `x`, and says what the carrier's rigid motion is there.
    pub fn split(&self, model: &Model, component: &Component, x: &[DVec3], w: &mut [DVec3]) -> Split {
        let sums = Sums::new(model, component, self.center, x, w);
        let inertia = sums.inertia();
        let (drift, omega) = self.rigid_part(&sums, &inertia);
        let mut twice = 0.0;
        for &i in &component.vertices {
            let i = i as usize;
            if model.dofs.is_pinned(i) {
                continue;
            }
            w[i] -= drift + omega.cross(x[i] - self.center);
            twice += model.masses[i] * w[i].length_squared();
        }
        self.carried(&sums, &inertia, 0.5 * twice)
    }

    /// What [`Self::split`] would find for `scale`·w, from the sums of w alone: K(w) less the energy of its rigid part.
    pub fn foresee(&self, sums: &Sums, scale: f64) -> Split {
        let inertia = sums.inertia();
        let (drift, omega) = self.rigid_part(sums, &inertia);
        let rigid = sums.linear.dot(drift) + sums.angular.dot(omega);
        self.carried(sums, &inertia, 0.5 * scale * scale * (sums.twice_kinetic - rigid))
    }

    /// Drift and angular velocity of the rigid motion in w.
    fn rigid_part(&self, sums: &Sums, inertia: &InvertedInertia) -> (DVec3, DVec3) {
        // For a free body r is measured from its centre of mass up to rounding; a drift adds no angular momentum.
        let drift = if self.drift.is_some() { sums.linear / sums.mass } else { DVec3::ZERO };
        (drift, inertia.angular_velocity(sums.angular - sums.moment.cross(drift)))
    }

    fn carried(&self, sums: &Sums, inertia: &InvertedInertia, deformation_energy: f64) -> Split {
        let omega = inertia.angular_velocity(self.angular);
        let translation = self.drift.map_or(0.0, |u| 0.5 * sums.mass * u.length_squared());
        Split { omega, rigid_energy: translation + inertia.energy(omega), deformation_energy }
    }

    /// vᵣ at a point that moves with the body.
    pub fn rigid_velocity(&self, omega: DVec3, x: DVec3) -> DVec3 {
        self.drift.unwrap_or(DVec3::ZERO) + omega.cross(x - self.center)
    }
}
