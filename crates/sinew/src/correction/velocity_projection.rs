//! Restores energy by velocities alone [simo1992, su2013]: v = vᵣ + αw; x does not change.
//!
//! vᵣ is the candidate's own rigid motion, so its momenta stay as they are, right or wrong. Where E(x) + K(vᵣ) already exceeds the budget no
//! α exists: the deformation velocity is removed, the excess stays in the positions, and the failure is counted. Therefore the method can
//! still explode [dinev2018fepr, Fig. 17].
//!
//! With bones, w is a motion that bones and joints can follow, because v and vᵣ are. Where joints hold a body to the world or to a kinematic
//! bone, vᵣ is instead the smallest motion with which the body follows that bone, zero if the bone rests, and w is M-orthogonal to it. A rigid body
//! that flies freely has no w: the method cannot change its energy, and counts a failure.

use super::carrier::{Carrier, Motion, Sums};
use super::{CorrectionReport, PhasePoint, Rig, Situation, Tools};
use crate::budgets::Support;
use crate::model::Model;
use glam::{DMat3, DVec3};

/// K(w) below this share of K(vᵣ) is rounding: scaling it would add noise.
const RIGID: f64 = 1e-20;
/// A failure to meet the budget by less than this share of the energies is none.
const MET: f64 = 1e-12;

/// Buffers of the projection: w and the motion that a kinematic bone imposes, #V each.
#[derive(Debug)]
pub(crate) struct VelocityProjection {
    w: Vec<DVec3>,
    imposed: Vec<DVec3>,
    rig: Rig,
}

impl VelocityProjection {
    pub fn new(model: &Model) -> Self {
        let zeros = || vec![DVec3::ZERO; model.points()];
        Self { w: zeros(), imposed: zeros(), rig: Rig::new(model) }
    }

    pub fn project(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        PhasePoint { x, v }: &mut PhasePoint,
    ) -> CorrectionReport {
        let pose = s.pose.at(x);
        let energy = tools.evaluator.component_value(s.model, s.component, pose, tools.potentials);
        let mut report = CorrectionReport { energy_evaluations: 1, ..CorrectionReport::default() };
        let carrier = own_carrier(s, x, v);
        self.impose(s, x);
        for i in s.vertices() {
            self.w[i] = v[i] - self.imposed[i];
        }
        let split = carrier.split(s.model, s.component, x, &mut self.w);
        let rigid = split.rigid_energy + s.component.kinetic(&s.model.masses, &self.imposed);
        let need = s.budget - energy - rigid;
        let alpha = if need < 0.0 || !need.is_finite() {
            report.fallbacks = 1;
            0.0
        } else if split.deformation_energy > RIGID * rigid {
            (need / split.deformation_energy).sqrt()
        } else {
            report.fallbacks = usize::from(need > MET * (energy.abs() + rigid));
            1.0
        };
        for i in s.vertices() {
            if !s.model.dofs.is_pinned(i) {
                v[i] = self.imposed[i] + carrier.rigid_velocity(&split, x[i]) + self.w[i] * alpha;
            }
        }
        if s.has_bones() {
            // Only rounding is left to remove, which α may have enlarged.
            s.make_velocities_rigid(&mut self.rig, x, v);
        }
        report
    }

    /// Computes the smallest motion with which the group follows its kinematic bones.
    fn impose(&mut self, s: &Situation, x: &[DVec3]) {
        for i in s.vertices() {
            self.imposed[i] = DVec3::ZERO;
        }
        if s.component.grounded {
            self.rig.drive(s.model, &s.state.last_controls, &s.state.controls, s.h);
            s.make_velocities_rigid(&mut self.rig, x, &mut self.imposed);
        }
    }
}

/// The candidate's own momenta: P and L about its centre of mass if it is free, L about the supports otherwise, and none if joints hold it.
fn own_carrier(s: &Situation, x: &[DVec3], v: &[DVec3]) -> Carrier {
    if s.component.grounded {
        return Carrier::fixed();
    }
    let sums = Sums::new(s.model, s.component, DVec3::ZERO, x, v);
    let own_center = sums.moment / sums.mass;
    if s.support != Support::Free {
        let center = s.component.support_center(x, s.state.controls.targets()).unwrap_or(own_center);
        let angular = Sums::new(s.model, s.component, center, x, v).angular;
        return Carrier::held(center, DMat3::IDENTITY, angular);
    }
    let drift = sums.linear / sums.mass;
    let about = Sums::new(s.model, s.component, own_center, x, v);
    Carrier {
        center: own_center,
        motion: Motion::Free(drift),
        angular: about.angular - about.moment.cross(drift),
    }
}
