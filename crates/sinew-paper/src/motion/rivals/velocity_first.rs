//! Velocity first, energy projection else.
//!
//! The solver's positions stay, and velocities are scaled, whenever the potential energy at those positions leaves something to scale. Only otherwise
//! energy projection moves positions.

use sinew::{Correction, Fepr, Phase, Settings, Simulator, State, StepError, StepReport};
use sinew_scene::build::BuiltScene;
use sinew_scene::run::Stepper;

/// Steps with the scene's own correction, which should be velocity projection, and again with energy projection where that failed. The solve is repeated then:
/// a method of the engine would need it once.
#[derive(Debug, Default)]
pub(super) struct VelocityFirst {
    projection: Option<Simulator>,
    before: Option<State>,
}

impl Stepper for VelocityFirst {
    fn step(
        &mut self,
        scene: &mut BuiltScene,
        enter: &mut dyn FnMut(Phase),
    ) -> Result<StepReport, StepError> {
        let before = self.before.get_or_insert_with(|| scene.state.clone());
        before.clone_from(&scene.state);
        let report = scene.step(|_| Ok(()), enter)?;
        if report.correction.fallbacks == 0 {
            return Ok(report);
        }
        scene.state.clone_from(before);
        if self.projection.is_none() {
            let settings = Settings { correction: Correction::Fepr(Fepr::default()), ..*scene.settings() };
            let refused = |_| StepError::Solver {
                step: scene.state.step_count(),
                solver: "velocity first",
                why: "the scene refuses energy projection",
            };
            self.projection = Some(Simulator::new(scene.model().clone(), settings).map_err(refused)?);
        }
        let Some(projection) = &mut self.projection else { return Ok(report) };
        projection.step_observed(&mut scene.state, enter)
    }
}
