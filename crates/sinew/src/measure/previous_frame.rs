//! Steps whose iterations start from the previous frame.
//!
//! [li2020, Alg. 1] starts its iterations from the last frame; the engine starts them from the prediction y = xₙ + h vₙ, which already
//! contains the rotation. The start decides whether stiff parts lock, and what a few iterations reach.

use crate::energy::Pose;
use crate::integrator::Integrator;
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use crate::operator::Operators;
use crate::settings::{Settings, SettingsError};
use crate::skeleton::rig::Rig;
use crate::solver::SolverWork;
use crate::state::State;
use glam::DVec3;
use std::sync::Arc;

/// Backward Euler without contact, correction and damping, whose iterations start from xₙ.
#[derive(Debug)]
pub struct FromPreviousFrame {
    model: Arc<Model>,
    settings: Settings,
    solver: SolverWork,
    operators: Operators,
    shared: ObjectiveWork,
    rig: Rig,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    y: Vec<DVec3>,
}

impl FromPreviousFrame {
    /// Uses the time step, solver and global method of `settings`.
    ///
    /// # Errors
    /// [`SettingsError`] if the solver cannot be used.
    pub fn new(model: &Arc<Model>, settings: Settings) -> Result<Self, SettingsError> {
        let settings = Settings { integrator: Integrator::BackwardEuler, ..settings };
        settings.solver.check(model, settings.integrator)?;
        let setup = settings.solver_setup();
        let mut operators = Operators::new(settings.global);
        let of_steps = setup.operators(model, &mut operators)?;
        operators.install(of_steps);
        let zeros = vec![DVec3::ZERO; model.points()];
        Ok(Self {
            solver: SolverWork::new(model, &setup)?,
            operators,
            shared: ObjectiveWork::new(model),
            rig: Rig::new(model),
            settings,
            x: zeros.clone(),
            v: zeros.clone(),
            y: zeros,
            model: Arc::clone(model),
        })
    }

    /// Advances the state by one step and returns whether the solve succeeded. The ledger is not updated.
    pub fn step(&mut self, state: &mut State) -> bool {
        let (model, Settings { h, integrator, solver, .. }) = (&*self.model, self.settings);
        let Some(rule) = integrator.rule(false) else { return false };
        for (i, y) in self.y.iter_mut().enumerate() {
            *y = if model.dofs.is_pinned(i) { state.x[i] } else { state.x[i] + state.v[i] * h };
        }
        self.x.copy_from_slice(&state.x);
        let pose = Pose::new(&state.x, &state.last_controls);
        let objective =
            Objective { model, rule, h, start: &state.x, y: &self.y, pose, discrete_gradient: false };
        let (operators, shared) = (&mut self.operators, &mut self.shared);
        if self.solver.minimise(&solver, &objective, operators, shared, &mut self.x).is_err() {
            return false;
        }
        for (v, (x, start)) in self.v.iter_mut().zip(self.x.iter().zip(&state.x)) {
            *v = (*x - *start) / h;
        }
        self.rig.make_rigid(model, |_| true, &mut self.x);
        self.rig.make_velocities_rigid(model, |_| true, &self.x, &mut self.v);
        state.x.copy_from_slice(&self.x);
        state.v.copy_from_slice(&self.v);
        state.time += h;
        state.steps += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Constitutive, Lame, Simulator, Solver};

    #[test]
    fn where_it_starts_does_not_matter_to_what_is_solved() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let lame = Lame::from_young(100.0, 0.3).unwrap();
        let body =
            Body::new("wedge", corners).tetrahedra(vec![[0, 1, 2, 3]], Constitutive::Corotated, lame, 6.0);
        let mut builder = Model::builder();
        builder.body(body.velocities(vec![DVec3::X, DVec3::Y, DVec3::Z, DVec3::X]));
        builder.gravity(DVec3::NEG_Y);
        let model = Arc::new(builder.build().unwrap());
        let settings = Settings { solver: Solver::accelerated(200), ..Settings::plain() };
        let (mut ours, mut theirs) = (State::new(&model), State::new(&model));
        let mut simulator = Simulator::new(Arc::clone(&model), settings).unwrap();
        let mut previous = FromPreviousFrame::new(&model, settings).unwrap();
        for _ in 0..5 {
            simulator.step(&mut ours).unwrap();
            assert!(previous.step(&mut theirs));
        }
        assert!(ours.positions().iter().zip(theirs.positions()).all(|(a, b)| a.distance(*b) < 1e-9));
    }
}
