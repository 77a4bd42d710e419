//! The choices of a simulation: independent of each other and switchable between two steps.

pub(crate) mod error;

pub use error::SettingsError;

use crate::correction::{Correction, Fepr};
use crate::damping::Damping;
use crate::integrator::Integrator;
use crate::model::Model;
use crate::next::Start;
use crate::solver::{Acceleration, Budget, Solver, SolverSetup};
use crate::sparse::GlobalMethod;
use crate::state::State;
use error::check_range;

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
    /// What Sinew recommends, and what a scene file that chooses nothing gets: SDIRK2 at 30 steps a second, solved by L-BFGS until that suffices and
    /// corrected by fast energy projection.
    fn default() -> Self {
        Self {
            integrator: Integrator::Sdirk2,
            solver: Solver::adaptive(),
            correction: Correction::Fepr(Fepr::default()),
            ..Self::plain()
        }
    }
}

impl Settings {
    /// What Sinew recommends where bodies collide: as [`Settings::default`], with backward Euler and 20 iterations. Rows of contacts hold at the end of a step, and in the inner stage of a rule with
    /// two the contacts push as they did in the last step; backward Euler's velocities are right where something is stopped.
    pub fn in_contact() -> Self {
        Self { integrator: Integrator::BackwardEuler, solver: Solver::accelerated(20), ..Self::default() }
    }

    /// What the papers start from, to compare with: backward Euler at 30 steps a second, 20 plain iterations of Projective Dynamics, no correction.
    pub fn plain() -> Self {
        Self {
            h: 1.0 / 30.0,
            integrator: Integrator::BackwardEuler,
            solver: Solver::ProjectiveDynamics {
                budget: Budget::fixed(20),
                acceleration: Acceleration::None,
            },
            global: GlobalMethod::Auto,
            correction: Correction::None,
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
        if let Integrator::GeneralizedAlpha { spectral_radius: rho } = self.integrator {
            check_range("integrator.spectral_radius", "between 0 and 1", rho, (0.0..=1.0).contains(&rho))?;
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
