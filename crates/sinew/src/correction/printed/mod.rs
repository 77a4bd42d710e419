//! Energy projection exactly as printed [dinev2018fepr, Eqs 1–14], for comparison.
//!
//! minimise ½‖q − q_{n+1}‖²_D over q = (x, v, s, t), D = diag(M, h²M, ε, ε), subject to
//! c = (H − Hₙ, P − P_{n+1} − s(Pₙ − P_{n+1}), L − L_{n+1} − t(Lₙ − L_{n+1})) = 0, with L about the origin.
//!
//! The tests measure its flaws: the target Hₙ is the energy of the last state, so an error persists; it interpolates the momenta of a base
//! that has lost them; a body that spins in its rest shape makes S singular; ‖c‖₁ < 1e-7 depends on the units. The recommended version is
//! [`super::fepr`].

mod fast;
mod sqp;

pub(crate) use fast::FastWork;
pub(crate) use sqp::{MOST_VERTICES, SqpWork};

use super::carrier::Sums;
use super::{Situation, Tools};
use glam::DVec3;

/// ε of the paper.
const EPSILON: f64 = 1e-3;
/// ‖c‖₁ at which the paper stops.
const TOLERANCE: f64 = 1e-7;

/// Constants of one projection.
#[derive(Clone, Copy, Debug)]
struct Problem {
    /// H(xₙ, vₙ), J.
    energy: f64,
    /// P_{n+1} and Pₙ − P_{n+1}.
    linear: (DVec3, DVec3),
    /// L_{n+1} and Lₙ − L_{n+1}.
    angular: (DVec3, DVec3),
}

/// The slack variables s and t.
#[derive(Clone, Copy, Debug, Default)]
struct Slack {
    s: f64,
    t: f64,
}

impl Problem {
    /// From the state and the candidate (x, v).
    fn new(s: &Situation, tools: &mut Tools, x: &[DVec3], v: &[DVec3]) -> Self {
        let state = s.state;
        let pose = s.pose.at(&state.x);
        let potential = tools.evaluator.component_value(s.model, s.component, pose, tools.potentials);
        let before = Sums::new(s.model, s.component, DVec3::ZERO, &state.x, &state.v);
        let after = Sums::new(s.model, s.component, DVec3::ZERO, x, v);
        Self {
            energy: potential + 0.5 * before.twice_kinetic,
            linear: (after.linear, before.linear - after.linear),
            angular: (after.angular, before.angular - after.angular),
        }
    }

    /// c at (x, v, s, t); also stores the energies of the batches in the potentials.
    fn constraints(
        &self,
        s: &Situation,
        tools: &mut Tools,
        x: &[DVec3],
        v: &[DVec3],
        slack: Slack,
    ) -> [f64; 7] {
        let pose = s.pose.at(x);
        let potential = tools.evaluator.component_value(s.model, s.component, pose, tools.potentials);
        let sums = Sums::new(s.model, s.component, DVec3::ZERO, x, v);
        let p = sums.linear - self.linear.0 - self.linear.1 * slack.s;
        let l = sums.angular - self.angular.0 - self.angular.1 * slack.t;
        [potential + 0.5 * sums.twice_kinetic - self.energy, p.x, p.y, p.z, l.x, l.y, l.z]
    }
}

/// The part of ∇c that belongs to one vertex: the gradient of each constraint with respect to x and v.
fn vertex_gradients(m: f64, x: DVec3, v: DVec3, force: DVec3) -> [(DVec3, DVec3); 7] {
    let axis = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut columns = [(force, v * m); 7];
    for k in 0..3 {
        columns[1 + k] = (DVec3::ZERO, axis[k] * m);
        // e·(x×v): ∂/∂x = v×e, ∂/∂v = e×x.
        columns[4 + k] = (v.cross(axis[k]) * m, axis[k].cross(x) * m);
    }
    columns
}
