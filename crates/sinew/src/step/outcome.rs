//! The parts of a step, what it did, and why it failed.

use crate::contact::ContactReport;
use crate::controls::ControlError;
use crate::correction::CorrectionReport;
use crate::ledger::Entries;
use crate::state::StateError;
use thiserror::Error;

/// The phases of a step. [`Simulator::step_observed`](crate::Simulator::step_observed) reports them, so that a caller can time them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// Work of what the user moved, and the forces that push.
    Force,
    /// Contacts are found. It is entered in every round of a step in contact, between parts of [`Phase::Solve`].
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
#[non_exhaustive]
pub struct StepReport {
    /// Solver iterations.
    pub iterations: usize,
    /// Unbalanced force where the solve ended, as a share of the force that moves the bodies; 0 where nothing is measured (XPBD, explicit rules).
    pub residual: f64,
    /// Whether iterations ran out before a tolerance was met.
    pub at_limit: bool,
    /// What the correction did.
    pub correction: CorrectionReport,
    /// What each cause added or took out, J.
    pub entries: Entries,
    /// What is in contact.
    pub contact: ContactReport,
}

/// Why a step failed. The state is as it was before.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// The state belongs to another model.
    #[error(transparent)]
    State(#[from] StateError),
    /// What the user asked for before the step cannot be done.
    #[error(transparent)]
    Control(#[from] ControlError),
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
    /// Surfaces cross after a step that should have kept them apart.
    #[error("step {step}: {count} places where surfaces cross, found by the exact test of contact")]
    Crossing {
        /// Number of the step.
        step: u64,
        /// How many there are.
        count: usize,
    },
    /// Surfaces are inside each other where the step starts, and the contact law refuses that.
    #[error("step {step}: surfaces are inside each other in {count} places: {what}")]
    Tangled {
        /// Number of the step.
        step: u64,
        /// In how many places.
        count: usize,
        /// The bodies and colliders concerned.
        what: String,
    },
    /// The energy left the range of numbers.
    #[error("step {step}: the energy is no longer finite: the simulation exploded")]
    Overflow {
        /// Number of the step.
        step: u64,
    },
}
