//! How bodies bounce.
//!
//! The rows of contacts stop a body without a bounce, and a rigid body, or a stiff one, has nowhere to put the energy of an impact within a step. What the impact took goes back at
//! once, along the motion u = D⁻¹f that the same impulses cause, D = M + h²L: v + βu with
//!
//! K(v + βu) = K(v) + β⟨v, u⟩ + β²K(u) = what there is.
//!
//! For one impulse on rigid bodies this is the law of elastic impact, and P and L are kept by any β. At β₀ = −⟨v, u⟩/2K(u) the bodies neither approach nor part; restitution e < 1 takes
//! β₀ + e(β₁ − β₀), Newton's law, and the rest is lost. Flesh that is soft enough to store an impact over several steps loses little in each of them, and bounces by itself.
//!
//! By Poisson's law the impulse of restitution is at most e times that of compression, which the step has found: β ≤ eh. Where that would not do for a body on another one that is held, they are still on their
//! way: a ball that sinks into a trampoline. Then nothing bounces yet.

use super::Arrays;
use super::projection::{Projection, Standing};
use crate::correction::PhasePoint;
use crate::correction::metric::Metric;
use glam::DVec3;

/// How far the impulse of restitution may exceed that of compression: a step is not solved exactly, and D is only near to the true matrix.
const POISSON: f64 = 1.5;

impl Projection<'_> {
    /// Gives back what an impact took, by velocities alone.
    pub(super) fn bounce(
        &mut self,
        standing: &mut Standing,
        metric: &mut Metric,
        at: &PhasePoint,
        a: &mut Arrays,
    ) {
        let s = self.s;
        let labels = &s.model.topology.labels;
        // What meets with less than one step of gravity does not bounce.
        let least = s.model.forces.gravity.length() * s.h;
        let group = (s.members, &labels[..]);
        let Some((taken, restitution)) = s.pose.contacts.impact(group, (s.h, least), &s.state.v, at.v) else {
            return;
        };
        let missing = (standing.need - standing.split.deformation_energy).min(taken);
        if missing <= 0.0 {
            return;
        }
        s.vertices().for_each(|i| a.trial_x[i] = DVec3::ZERO);
        if !s.pose.contacts.add_normal_forces(s.members, labels, &mut a.trial_x) {
            return;
        }
        // Without what the carrier already decides.
        s.read_bones(&mut a.rig, &a.x);
        metric.solve(s, &a.rig.frames, &a.trial_x, &mut a.direction);
        s.make_direction_rigid(&mut a.rig, &a.x, &mut a.direction);
        self.carrier.split(s.model, s.component, &a.x, &mut a.direction);
        self.follow_momentum(a);
        let moving = || s.vertices().filter(|&i| !s.model.dofs.is_pinned(i));
        let own: f64 = moving().map(|i| 0.5 * s.model.masses[i] * a.direction[i].length_squared()).sum();
        let both: f64 = moving().map(|i| s.model.masses[i] * a.direction[i].dot(a.w[i])).sum();
        let elastic = (-both + (both * both + 4.0 * own * missing).sqrt()) / (2.0 * own);
        let turning = -both / (2.0 * own);
        let share = (turning + restitution * (elastic - turning)).max(0.0);
        if self.afloat().next().is_some() && share > POISSON * restitution * s.h {
            return;
        }
        if !(own > 0.0 && share.is_finite()) {
            return;
        }
        for i in moving() {
            a.w[i] += a.direction[i] * share;
        }
        let gained = share * both + share * share * own;
        let lost = if restitution < 1.0 { (missing - gained).max(0.0) } else { 0.0 };
        self.report.inelastic += lost;
        self.budget -= lost;
        let mut split = standing.split;
        split.deformation_energy += gained;
        *standing = Standing::new(self.budget, standing.energy, split);
    }

    /// Meets the energy by velocities alone, as far as that goes: what is missing waits for the next step, what is too much is taken out of the motion.
    pub(super) fn make_do(&mut self, standing: &mut Standing, a: &mut Arrays) -> bool {
        if standing.need > 0.0 {
            return true;
        }
        // Not even standing still would do: contacts brought it.
        if !self.slow_down(standing, 0.0, a) {
            self.stop(standing, a);
        }
        true
    }

    /// Takes out all motion that the carrier does not decide.
    fn stop(&mut self, standing: &mut Standing, a: &mut Arrays) {
        self.report.fallbacks = 1;
        self.s.vertices().for_each(|i| a.w[i] = DVec3::ZERO);
        standing.split.deformation_energy = 0.0;
    }
}
