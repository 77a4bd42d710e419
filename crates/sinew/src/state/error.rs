//! What can be wrong with a state, or with a change of it.

use thiserror::Error;

/// A state that does not fit a model, or a change that is not finite.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StateError {
    /// Lengths differ.
    #[error("the state has {found} {what}, the model has {expected}")]
    Size {
        /// What was counted.
        what: &'static str,
        /// In the state.
        found: usize,
        /// In the model.
        expected: usize,
    },
    /// A number is NaN or infinite.
    #[error("{what} {index} is not finite")]
    NotFinite {
        /// What was given.
        what: &'static str,
        /// Which one.
        index: usize,
    },
    /// A pinned vertex was moved.
    #[error("vertex {index} is pinned and cannot be moved or given a velocity")]
    Pinned {
        /// The vertex.
        index: usize,
    },
    /// An edit tore joints apart.
    #[error("the edit moved bones so far apart that their joints cannot be closed")]
    Joints,
    /// Saved bytes do not make a state.
    #[error("not a saved state: {0}")]
    Encoding(&'static str),
    /// A change of the model that is more than one of constants, pins, colliders and further bodies.
    #[error("the state cannot go on in a model whose bodies are others")]
    OtherBodies,
}
