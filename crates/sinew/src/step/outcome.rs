//! The parts of a step, what it did, and why it failed.

use crate::contact::ContactReport;
use crate::correction::CorrectionReport;
use crate::ledger::{AddedWork, Dissipation};
use crate::state::StateError;
use thiserror::Error;

/// The parts of a step, for whoever wants to time them: see [`Simulator::step_observed`](crate::Simulator::step_observed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Work of moved targets, and what pushes.
    Force,
    /// What touches what.
    Detect,
    /// The integrator's rule is solved.
    Solve,
    /// The solution is corrected.
    Correct,
    /// Energy is taken out on purpose.
    Damp,
    /// The books are written.
    Account,
    /// The step is over.
    Done,
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Solver iterations.
    pub iterations: usize,
    /// What the correction did.
    pub correction: CorrectionReport,
    /// Work done on the bodies, J.
    pub added: AddedWork,
    /// Energy taken out on purpose, J.
    pub dissipated: Dissipation,
    /// What touches what.
    pub contact: ContactReport,
}

/// Why a step failed. The state is as it was before.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// The state belongs to another model.
    #[error(transparent)]
    State(#[from] StateError),
    /// The solver could not go on.
    #[error("step {step}: {solver} failed: {why}")]
    Solver {
        /// Number of the step.
        step: u64,
        /// The solver.
        solver: &'static str,
        /// What happened.
        why: &'static str,
    },
    /// A position or velocity left the range of numbers.
    #[error("step {step}: the {what} of vertex {vertex} is no longer finite: the simulation exploded")]
    NotFinite {
        /// Number of the step.
        step: u64,
        /// `position` or `velocity`.
        what: &'static str,
        /// The first such vertex.
        vertex: usize,
    },
    /// The energy left the range of numbers.
    #[error("step {step}: the energy is no longer finite: the simulation exploded")]
    Overflow {
        /// Number of the step.
        step: u64,
    },
}
