//! What backward Euler leaves behind: positions.
//!
//! It goes on by h v₁, although the body had the mean of v₀ and v₁. The difference, ½h(v₀ − v₁), is a²/2 of the amplitude of a mode with hω = a, inwards, and half of the energy that the rule takes from it.
//! Velocities that are scaled up cannot bring that back: motion then has more energy in its speed than in its amplitude, and is seen to go slower than it should. So where a held body lacks energy,
//! positions first get what they lack. What is not resolved has positions that lack nothing, and would only be strained: the move must not cost more energy than is missing.

use super::Arrays;
use super::projection::{Projection, Standing};
use crate::integrator::Integrator;
use crate::model::Evaluator;
use glam::DVec3;

/// Shares of the move that are tried.
const SHARES: [f64; 3] = [1.0, 0.5, 0.25];

impl Projection<'_> {
    /// Moves a candidate of backward Euler that lacks energy to where the mean velocity of the step leads.
    pub(super) fn undo_the_lag(
        &mut self,
        rule: Integrator,
        standing: &mut Standing,
        evaluator: &mut Evaluator,
        a: &mut Arrays,
    ) {
        let s = self.s;
        let lags = rule == Integrator::BackwardEuler && self.carrier.is_held() && s.carry.is_none();
        if !lags || self.met(standing) || standing.residual >= 0.0 {
            return;
        }
        for i in s.vertices() {
            // v₁ with all of it: what turns about an axle must not turn further.
            let held = s.model.dofs.is_pinned(i);
            let v = a.w[i] + self.carrier.rigid_velocity(&standing.split, a.x[i]);
            a.direction[i] = if held { DVec3::ZERO } else { v - s.state.v[i] };
        }
        for share in SHARES {
            let step = 0.5 * s.h * share;
            let found = self.measure_trial(step, 1.0, evaluator, a);
            if found.need > 0.0 && found.residual <= 0.0 {
                self.keep_values(a);
                s.vertices().for_each(|i| a.x[i] -= a.direction[i] * step);
                s.make_rigid(&mut a.rig, &mut a.x, Some(&mut a.w));
                let split = self.carrier.split(s.model, s.component, &a.x, &mut a.w);
                *standing = Standing::new(self.budget, found.energy, split);
                self.gradient_is_fresh = false;
                return;
            }
        }
    }
}
