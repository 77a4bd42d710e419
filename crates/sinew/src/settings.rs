//! The choices of a simulation: independent of each other and switchable between two steps.

pub(crate) mod error;

pub use error::SettingsError;

use crate::correction::Correction;
use crate::damping::Damping;
use crate::integrator::Integrator;
use crate::model::Model;
use crate::next::Start;
use crate::solver::{Solver, SolverSetup};
use crate::sparse::GlobalMethod;
use crate::state::State;

/// Time step, integrator, solver, correction and damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Time step h, s.
    pub h: f64,
    /// The rule that defines the next state.
    pub integrator: Integrator,
    /// How that rule is solved.
    pub solver: Solver,
    /// How the linear systems of solver and correction are solved.
    pub global: GlobalMethod,
    /// What happens to the solution afterwards.
    pub correction: Correction,
    /// Energy taken out on purpose.
    pub damping: Damping,
}

impl Default for Settings {
    /// Backward Euler with 20 iterations of Projective Dynamics at 30 steps a second.
    fn default() -> Self {
        Self {
            h: 1.0 / 30.0,
            integrator: Integrator::default(),
            solver: Solver::default(),
            global: GlobalMethod::default(),
            correction: Correction::default(),
            damping: Damping::default(),
        }
    }
}

impl Settings {
    /// Whether these choices can work together on a model.
    pub(crate) fn check(&self, model: &Model) -> Result<(), SettingsError> {
        if !(self.h > 0.0 && self.h.is_finite()) {
            return Err(SettingsError::TimeStep(self.h));
        }
        self.damping.check()?;
        self.correction.check(model, self.integrator)?;
        // Explicit rules have no use for a solver.
        if self.integrator.is_explicit() { Ok(()) } else { self.solver.check(model, self.integrator) }
    }

    /// Where a step with these choices starts.
    pub(crate) fn start<'a>(&self, model: &'a Model, state: &'a State) -> Start<'a> {
        Start::new(model, state, self.integrator, self.h)
    }

    /// What the memory of the solver depends on.
    pub(crate) fn solver_setup(&self) -> SolverSetup {
        SolverSetup { solver: self.solver, integrator: self.integrator, global: self.global, h: self.h }
    }
}
