//! Restores energy by velocities alone [simo1992, su2013]: v = vᵣ + αw; x does not change.
//!
//! vᵣ is the candidate's own rigid motion, so its momenta stay as they are, right or wrong. Where E(x) + K(vᵣ) already exceeds the budget no
//! α exists: the deformation velocity is removed, the excess stays in the positions, and the failure is counted. Therefore the method can
//! still explode [dinev2018fepr, Fig. 17].

use super::carrier::{Carrier, Motion, Sums};
use super::{CorrectionReport, PhasePoint, Situation, Tools};
use crate::budgets::Support;
use crate::model::Model;
use glam::{DMat3, DVec3};

/// Buffer of the projection: w, #V.
#[derive(Debug)]
pub(crate) struct VelocityProjection {
    w: Vec<DVec3>,
}

impl VelocityProjection {
    pub fn new(model: &Model) -> Self {
        Self { w: vec![DVec3::ZERO; model.points()] }
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
        for i in s.vertices() {
            self.w[i] = v[i];
        }
        let split = carrier.split(s.model, s.component, x, &mut self.w);
        let need = s.budget - energy - split.rigid_energy;
        let alpha = if need < 0.0 || !need.is_finite() {
            report.fallbacks = 1;
            0.0
        } else if split.deformation_energy > 0.0 {
            (need / split.deformation_energy).sqrt()
        } else {
            1.0
        };
        for i in s.vertices() {
            if !s.model.dofs.is_pinned(i) {
                v[i] = carrier.rigid_velocity(&split, x[i]) + self.w[i] * alpha;
            }
        }
        report
    }
}

/// The candidate's own momenta: P and L about its centre of mass if it is free, L about the supports otherwise.
fn own_carrier(s: &Situation, x: &[DVec3], v: &[DVec3]) -> Carrier {
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
