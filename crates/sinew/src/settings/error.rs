//! Why a combination of settings is refused.

use thiserror::Error;

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
