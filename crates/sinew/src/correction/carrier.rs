//! Splitting a velocity into the rigid motion that carries given momenta and the remaining deformation.
//!
//! v = vᵣ + w, vᵣ = u + ω×(x − c) with the target momenta, w M-orthogonal to every rigid motion. Then
//! P and L are met exactly whatever w is, K(v) = K(vᵣ) + K(w), and the energy is one scalar equation in w.
//!
//! A free body carries P and L about its centre of mass. A supported body carries only L about the centre of its supports: the support can
//! absorb any linear momentum. Where energy is missing it carries even less: see [`super::swing`].

use super::Situation;
use crate::math::hat;
use crate::model::Model;
use crate::momentum::{Inertia, InvertedInertia};
use crate::topology::Component;
use glam::{DMat3, DVec3};

/// The momenta that a component is to carry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier {
    /// Point about which L is measured, m: the centre of mass of a free body, of the supports otherwise.
    pub center: DVec3,
    /// The condition on P.
    pub motion: Motion,
    /// L about the centre (relative to the drift), kg·m²/s.
    pub angular: DVec3,
}

/// The condition on a body's linear momentum.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Motion {
    /// The centre of mass has this velocity, m/s.
    Free(DVec3),
    /// No condition on P: the support can absorb any linear momentum. Of L it keeps the part in the range of this projector Π, and may change the rest.
    Held(DMat3),
    /// P is given along the surfaces in contact, where only known forces act; along their normals it is not.
    Guided {
        /// Projector Π onto the directions along the surfaces.
        along: DMat3,
        /// ΠP, kg·m/s.
        linear: DVec3,
    },
}

/// Sums over moving vertices.
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
    /// Sums over the vertices of a component that are not pinned.
    pub fn new(model: &Model, component: &Component, center: DVec3, x: &[DVec3], v: &[DVec3]) -> Self {
        Self::over(model, component, center, |i| (x[i], v[i]))
    }

    /// As [`Self::new`], for points that are computed on the fly.
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

    /// Inertia about the centre, prepared for solves.
    pub fn inverted_inertia(&self) -> InvertedInertia {
        InvertedInertia::new(self.inertia.matrix())
    }
}

/// The result of a split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Angular velocity of vᵣ, rad/s.
    pub omega: DVec3,
    /// Velocity of vᵣ at the centre, m/s.
    pub drift: DVec3,
    /// K(vᵣ), J.
    pub rigid_energy: f64,
    /// K(w), J.
    pub deformation_energy: f64,
}

impl Carrier {
    /// For a body whose support can absorb P and L.
    pub fn fixed() -> Self {
        Self { center: DVec3::ZERO, motion: Motion::Held(DMat3::ZERO), angular: DVec3::ZERO }
    }

    /// For a supported body that is to carry ΠL about `center`.
    pub fn held(center: DVec3, kept: DMat3, angular: DVec3) -> Self {
        Self { center, motion: Motion::Held(kept), angular: kept * angular }
    }

    /// The same motion seen from the frame of the supports, for a body at `x`. L of a held body loses Σ m (x − c)×V; that of a guided one is seen from there already, and that of a free one about its
    /// centre of mass is the same from everywhere.
    pub fn in_frame(mut self, s: &Situation, x: &[DVec3]) -> Self {
        let (center, frame) = (self.center, s.frame());
        let moving = || s.vertices().filter(|&i| !s.model.dofs.is_pinned(i));
        match &mut self.motion {
            Motion::Held(kept) => {
                let moment: DVec3 = moving().map(|i| (x[i] - center) * s.model.masses[i]).sum();
                self.angular -= *kept * moment.cross(frame);
            }
            Motion::Free(velocity) => *velocity -= frame,
            Motion::Guided { along, linear } => {
                let mass: f64 = moving().map(|i| s.model.masses[i]).sum();
                *linear -= *along * frame * mass;
            }
        }
        self
    }

    /// Whether all of P is given.
    pub fn is_free(&self) -> bool {
        matches!(self.motion, Motion::Free(_))
    }

    /// Whether there is no condition on P.
    pub fn is_held(&self) -> bool {
        matches!(self.motion, Motion::Held(_))
    }

    /// Removes from `w` its own rigid part at `x`, and returns the carrier's rigid motion there.
    pub fn split(&self, model: &Model, component: &Component, x: &[DVec3], w: &mut [DVec3]) -> Split {
        let sums = Sums::new(model, component, self.center, x, w);
        let inertia = self.inertia(&sums);
        let moving = || component.vertices.iter().map(|&i| i as usize).filter(|&i| !model.dofs.is_pinned(i));
        let (mut linear, mut angular, mut twice) = (sums.linear, sums.angular, 0.0);
        // About a thin line I has few digits: what is left of the rigid part is removed once more.
        for _ in 0..if inertia.is_thin() { 2 } else { 1 } {
            let (drift, omega) = self.rigid_motion(&sums, &inertia, linear, angular);
            (linear, angular, twice) = (DVec3::ZERO, DVec3::ZERO, 0.0);
            for i in moving() {
                let (m, r) = (model.masses[i], x[i] - self.center);
                w[i] -= drift + omega.cross(r);
                twice += m * w[i].length_squared();
                linear += w[i] * m;
                angular += r.cross(w[i]) * m;
            }
        }
        let mut split = self.carried(&sums, &inertia, 0.5 * twice);
        if inertia.is_thin() {
            let terms =
                moving().map(|i| model.masses[i] * self.rigid_velocity(&split, x[i]).length_squared());
            split.rigid_energy = 0.5 * terms.sum::<f64>();
        }
        split
    }

    /// What [`Self::split`] would return for `scale`·w, from the sums of w alone: K(w) less the energy of its rigid part.
    pub fn foresee(&self, sums: &Sums, scale: f64) -> Split {
        let inertia = self.inertia(sums);
        let (drift, omega) = self.rigid_motion(sums, &inertia, sums.linear, sums.angular);
        let rigid = sums.linear.dot(drift) + sums.angular.dot(omega);
        self.carried(sums, &inertia, 0.5 * scale * scale * (sums.twice_kinetic - rigid))
    }

    /// The matrix that maps ω to L when the drift follows: for a guided body u = (ΠP − Πω×s)/m leaves (I + [s]Π[s]/m) ω = L − s×ΠP/m, s = Σ m
    /// r. For a free body Π is the identity: its centre of mass is off the centre only by rounding and by what an iteration does at second order, but a fast body
    /// turns that into energy. A held body turns only about the axes of which it keeps L: ω = (ΠIΠ)⁺ΠL.
    fn inertia(&self, sums: &Sums) -> InvertedInertia {
        let inertia = sums.inertia.matrix();
        let terms = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        let inertia = match self.motion {
            Motion::Free(_) => {
                let s = hat(sums.moment);
                inertia + s * s * (1.0 / sums.mass)
            }
            Motion::Held(kept) => kept * inertia * kept,
            Motion::Guided { along, .. } => {
                let s = hat(sums.moment);
                inertia + s * along * s * (1.0 / sums.mass)
            }
        };
        InvertedInertia::of_difference(inertia, terms)
    }

    /// Velocity at the centre and angular velocity of the rigid motion with these momenta.
    fn rigid_motion(
        &self,
        sums: &Sums,
        inertia: &InvertedInertia,
        linear: DVec3,
        angular: DVec3,
    ) -> (DVec3, DVec3) {
        match self.motion {
            Motion::Free(_) => {
                let omega = inertia.angular_velocity(angular - sums.moment.cross(linear) / sums.mass);
                ((linear - omega.cross(sums.moment)) / sums.mass, omega)
            }
            Motion::Held(kept) => (DVec3::ZERO, inertia.angular_velocity(kept * angular)),
            Motion::Guided { along, .. } => {
                let linear = along * linear;
                let omega = inertia.angular_velocity(angular - sums.moment.cross(linear) / sums.mass);
                ((linear - along * omega.cross(sums.moment)) / sums.mass, omega)
            }
        }
    }

    fn carried(&self, sums: &Sums, inertia: &InvertedInertia, deformation_energy: f64) -> Split {
        if let Motion::Guided { linear, .. } = self.motion {
            let (drift, omega) = self.rigid_motion(sums, inertia, linear, self.angular);
            let rigid_energy = 0.5 * (drift.dot(linear) + omega.dot(self.angular));
            return Split { omega, drift, rigid_energy, deformation_energy };
        }
        let omega = inertia.angular_velocity(self.angular);
        let (mut drift, mut rigid_energy) = (DVec3::ZERO, inertia.energy(omega));
        if let Motion::Free(velocity) = self.motion {
            drift = velocity - omega.cross(sums.moment) / sums.mass;
            rigid_energy += 0.5 * sums.mass * velocity.length_squared();
        }
        Split { omega, drift, rigid_energy, deformation_energy }
    }

    /// vᵣ at a point that moves with the body.
    pub fn rigid_velocity(&self, split: &Split, x: DVec3) -> DVec3 {
        split.drift + split.omega.cross(x - self.center)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::energy::SpringLaw;

    fn told_and_found(carrier: Carrier, x: &[DVec3; 2], w: [DVec3; 2]) -> (f64, f64, Split, [DVec3; 2]) {
        let rest = vec![DVec3::X, DVec3::X * 2.0];
        let rope = Body::new("rope", rest).springs(vec![[0, 1]], SpringLaw::Hookean, 1.0).total_mass(1.0);
        let model = Model::builder().body(rope).build().unwrap();
        let (component, mut w) = (&model.topology.components[0], w);
        let split = carrier.split(&model, component, x, &mut w);
        let v = [0, 1].map(|i| w[i] + carrier.rigid_velocity(&split, x[i]));
        let told = split.rigid_energy + split.deformation_energy;
        (told, component.kinetic(&model.masses, &v), split, v)
    }

    /// Two points nearly in line with their support: a spin about that line has a tiny inertia, of which Σ m(|r|² I − r rᵀ) keeps few digits.
    #[test]
    fn the_energy_of_a_spin_about_a_thin_line_is_exact() {
        let x = [DVec3::new(1.0, 0.0, 0.0), DVec3::new(2.0, 2e-5, 1e-5)];
        let w = [DVec3::new(0.3, -0.2, 0.1), DVec3::new(0.1, 0.4, 0.2)];
        let carrier = Carrier::held(DVec3::ZERO, DMat3::IDENTITY, DVec3::new(1e-3, 0.2, -0.4));
        let (told, found, split, _) = told_and_found(carrier, &x, w);
        assert!((found - told).abs() < 1e-11 * found, "{found} instead of {told}");
        assert!(split.omega.length() > 1e3, "the case is as bad as it was: {}", split.omega);
    }

    /// The iterate of a free body is not exactly about its centre of mass.
    #[test]
    fn a_free_body_off_its_centre_has_the_momentum_and_energy_that_it_should() {
        let x = [DVec3::new(1.0, 0.3, 0.0), DVec3::new(2.0, -0.2, 0.1)];
        let w = [DVec3::new(0.3, -0.2, 0.1), DVec3::new(0.1, 0.4, 0.2)];
        let drift = DVec3::new(300.0, -200.0, 500.0);
        let angular = DVec3::new(0.1, 2.0, -4.0);
        let carrier = Carrier { center: DVec3::new(1.49, 0.06, 0.05), motion: Motion::Free(drift), angular };
        let (told, found, _, v) = told_and_found(carrier, &x, w);
        assert!((found - told).abs() < 1e-14 * found, "{found} instead of {told}");
        assert!((v[0] + v[1]).abs_diff_eq(drift * 2.0, 1e-12), "{} instead of {drift}", (v[0] + v[1]) * 0.5);
    }
}
