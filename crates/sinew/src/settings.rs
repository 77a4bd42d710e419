//! The choices of a simulation: independent of each other and switchable between two steps.

use crate::correction::Correction;
use crate::damping::Damping;
use crate::integrator::Integrator;
use crate::solver::Solver;
use crate::sparse::GlobalMethod;
use thiserror::Error;

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

/// A combination that cannot work, and why.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum SettingsError {
    /// The time step is not positive and finite.
    #[error("the time step must be positive and finite, is {0} s")]
    TimeStep(f64),
    /// A parameter out of range.
    #[error("{name} must be {expected}, is {value}")]
    Parameter {
        /// Which.
        name: &'static str,
        /// The rule.
        expected: &'static str,
        /// What was given.
        value: f64,
    },
    /// A choice that does not know bones.
    #[error("{what} cannot simulate bones: {why}")]
    Bones {
        /// The choice.
        what: &'static str,
        /// Why, and what to use instead.
        why: &'static str,
    },
    /// An energy lacks the form that the solver needs.
    #[error("{solver} cannot simulate `{energy}`: {why}")]
    Unsupported {
        /// The solver.
        solver: &'static str,
        /// The energy.
        energy: String,
        /// What is missing and what to use instead.
        why: &'static str,
    },
    /// The integrator needs another solver.
    #[error("integrator {integrator} cannot be used here: {why}")]
    Integrator {
        /// The integrator.
        integrator: &'static str,
        /// What it needs.
        why: &'static str,
    },
    /// The correction cannot follow.
    #[error("correction {correction} cannot be used here: {why}")]
    Correction {
        /// The correction.
        correction: &'static str,
        /// What is missing and what to use instead.
        why: &'static str,
    },
    /// The matrix of a global step could not be factored.
    #[error("the matrix of {0} is not positive definite: check masses and stiffnesses for extreme values")]
    Matrix(&'static str),
}

pub(crate) fn check_range(
    name: &'static str,
    expected: &'static str,
    value: f64,
    good: bool,
) -> Result<(), SettingsError> {
    if good { Ok(()) } else { Err(SettingsError::Parameter { name, expected, value }) }
}
