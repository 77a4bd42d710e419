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

#[cfg(test)]
mod tests {
    use crate::Trial;
    use crate::motion::Rival;
    use crate::motion::scenes::TUNED;
    use sinew_scene::run::Run;

    fn stepped(trial: &Trial) -> Run {
        let mut run = trial.start().unwrap();
        while !run.is_over() {
            run.step().unwrap();
        }
        run
    }

    /// The midpoint rule gains energy in the strain of a cloth, more than its velocities have.
    #[test]
    fn energy_projection_helps_where_velocities_cannot() {
        let scene = TUNED.scenes.iter().find(|scene| scene.name == "hung-cloth").unwrap();
        let set = ["integrator.kind=implicit-midpoint", "correction.kind=velocity-projection"];
        let alone = Trial::new("test", scene.source(), 120, &set);
        let first = alone.clone().by(Rival::VelocityFirst);
        let [alone, first] = [alone, first].map(|trial| stepped(&trial).report());
        assert!(alone.correction.fallbacks > 0 && alone.energy.drift > 1e-3, "{:?}", alone.energy);
        assert!(first.energy.drift < 1e-9, "{:?}", first.energy);
    }
}
