//! What can be wrong with a state, or with a change of it.

use thiserror::Error;

/// A state does not fit a model, or a change to it is invalid.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StateError {
    /// A list has a different length in the state and in the model.
    #[error("the state has {found} {what}, the model has {expected}")]
    Size {
        /// What is counted.
        what: &'static str,
        /// Number in the state.
        found: usize,
        /// Number in the model.
        expected: usize,
    },
    /// A number is NaN or infinite.
    #[error("{what} {index} is not finite")]
    NotFinite {
        /// The quantity that is not finite.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// An edit moved a pinned vertex.
    #[error("vertex {index} is pinned and cannot be moved or given a velocity")]
    Pinned {
        /// Index of the vertex.
        index: usize,
    },
    /// An edit tore joints too far apart.
    #[error("the edit moved bones so far apart that their joints cannot be closed")]
    Joints,
    /// An edit has more energy than a number can tell.
    #[error("the energy after the edit is not finite: it moves something too far or too fast")]
    Overflow,
    /// The bytes are not a saved state of this model.
    #[error("not a saved state: {0}")]
    Encoding(&'static str),
    /// The new model does not have the same bodies.
    #[error("the state cannot continue in a model with different bodies")]
    OtherBodies,
}
