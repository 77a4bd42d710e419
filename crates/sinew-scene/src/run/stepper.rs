//! Steps that the engine does not make: other methods, on the same scenes and measured in the same way.

use crate::build::BuiltScene;
use sinew::{Phase, StepError, StepReport};
use std::fmt::Debug;

/// Advances a scene by a step in its own way.
pub trait Stepper: Debug + Send {
    /// Makes a step of the scene's time step, and calls `enter` when each phase begins, so that the caller can measure how long it takes.
    ///
    /// # Errors
    /// [`StepError`]; the state is that of the last successful step.
    fn step(&mut self, scene: &mut BuiltScene, enter: &mut dyn FnMut(Phase))
    -> Result<StepReport, StepError>;
}

/// What [`Run`](super::Run) uses unless it is told otherwise: the scene's own simulator.
#[derive(Debug)]
pub(super) struct Engine;

impl Stepper for Engine {
    fn step(
        &mut self,
        scene: &mut BuiltScene,
        enter: &mut dyn FnMut(Phase),
    ) -> Result<StepReport, StepError> {
        scene.step(|_| Ok(()), enter)
    }
}
