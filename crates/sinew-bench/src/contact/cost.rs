//! The cost of contact: a step with it over the same step of the same bodies without.
//!
//! A simulation with contact goes on from step to step. Beside each of its steps the same state is carried over to a model without contact and
//! without colliders, and steps there with the same settings; who goes first alternates. So both solve from the same poses, velocities and
//! budgets of energy, and what the step without would do afterwards (fall through the floor) never happens. The whole motion is repeated in rounds, and the
//! time of a step is its median over the rounds: the motion is the same to the bit, so only the machine differs.
//!
//! Contact solves in rounds of a few iterations and may stop sooner or later than the step without. There are two ratios: time per step, and time
//! per solver iteration.

use super::scenes::Recipe;
use crate::error::BenchError;
use crate::statistics::Sample;
use sinew::{Simulator, State};
use sinew_scene::build::BuiltScene;
use sinew_scene::run::{Clock, milliseconds};
use std::sync::Arc;
use std::time::Instant;

/// How long to measure a scene.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// Largest number of steps.
    pub steps: usize,
    /// Largest number of rounds: runs from the beginning.
    pub rounds: usize,
    /// No further round begins after this time, and the first one ends, s.
    pub budget: f64,
}

/// One step of one simulator.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// ms.
    pub time: f64,
    /// Of it search, filter and linearising, ms.
    pub detection: f64,
    /// Solver iterations.
    pub iterations: usize,
    /// Contacts that press.
    pub pressing: usize,
    /// Rounds of solver and filter.
    pub rounds: usize,
}

/// The steps in contact of a scene, each with its twin without.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Name of the scene.
    pub name: String,
    /// Vertices, and triangles of surfaces.
    pub size: (usize, usize),
    /// Steps in contact: with it, and the same without.
    pub steps: Vec<(Step, Step)>,
    /// Steps that were made, in contact or not, and that should have been.
    pub made: (usize, usize),
}

impl Cost {
    /// Measures a scene.
    pub fn measure(recipe: &Recipe, length: Length) -> Result<Self, BenchError> {
        let mut twins = Twins::new(recipe)?;
        let begin = Instant::now();
        let mut runs: Vec<Vec<(Step, Step)>> = Vec::new();
        let (mut longest, wanted) = (0.0, length.steps.min(recipe.frames()));
        while runs.len() < length.rounds {
            let round = Instant::now();
            if !runs.is_empty() && begin.elapsed().as_secs_f64() + longest > length.budget {
                break;
            }
            let mut run = Vec::new();
            twins.restart();
            for _ in 0..wanted {
                if runs.is_empty() && begin.elapsed().as_secs_f64() > length.budget {
                    break;
                }
                run.push(twins.step()?);
            }
            longest = round.elapsed().as_secs_f64().max(longest);
            runs.push(run);
        }
        let model = twins.with.model();
        let triangles = model.bodies().iter().map(|body| body.surface.len()).sum();
        let size = (model.vertex_count(), triangles);
        // What does not touch is not what contact costs.
        let steps = over_rounds(&runs).into_iter().filter(|(with, _)| with.pressing > 0).collect();
        let made = (runs.first().map_or(0, Vec::len), wanted);
        Ok(Self { name: recipe.name.clone(), size, steps, made })
    }

    /// The time of each step with contact over that of the step without.
    pub fn ratios(&self) -> Sample {
        self.of(|with, without| with.time / without.time)
    }

    /// The same for the time of an iteration.
    pub fn ratios_by_iteration(&self) -> Sample {
        self.of(|with, without| {
            (with.time / with.iterations as f64) / (without.time / without.iterations as f64)
        })
    }

    /// The time of all steps in contact over that of their twins: slow steps count more than in the median.
    pub fn ratio_of_sums(&self) -> f64 {
        let sum = |of: fn(&(Step, Step)) -> f64| self.steps.iter().map(of).sum::<f64>();
        sum(|pair| pair.0.time) / sum(|pair| pair.1.time)
    }

    /// A remark, if the time was up before all steps were made.
    pub fn shortened(&self) -> Option<String> {
        let (made, wanted) = self.made;
        (made < wanted).then(|| format!("{}: out of time after {made} of {wanted} steps", self.name))
    }

    /// A number of each pair of steps.
    pub fn of(&self, value: impl Fn(&Step, &Step) -> f64) -> Sample {
        Sample::new(self.steps.iter().map(|(with, without)| value(with, without)))
    }
}

/// The medians over the rounds of the times of each step.
fn over_rounds(runs: &[Vec<(Step, Step)>]) -> Vec<(Step, Step)> {
    let Some(first) = runs.first() else { return Vec::new() };
    let median = |k: usize, of: &dyn Fn(&(Step, Step)) -> f64| {
        Sample::new(runs.iter().filter_map(|run| run.get(k)).map(of)).median()
    };
    let step = |(k, &(with, without)): (usize, &(Step, Step))| {
        let with = Step { time: median(k, &|p| p.0.time), detection: median(k, &|p| p.0.detection), ..with };
        (with, Step { time: median(k, &|p| p.1.time), ..without })
    };
    first.iter().enumerate().map(step).collect()
}

/// A simulation with contact, and a simulator of the same bodies without.
struct Twins {
    with: BuiltScene,
    without: Simulator,
    start: State,
    /// Who goes first.
    turn: bool,
    name: String,
}

impl Twins {
    fn new(recipe: &Recipe) -> Result<Self, BenchError> {
        let (with, without) = (recipe.with()?, recipe.without()?);
        // A scene without contact would get other settings by default.
        let without = Simulator::new(Arc::clone(without.model()), *with.settings())
            .map_err(|error| BenchError::CannotRun(format!("{}: {error}", recipe.name)))?;
        let start = with.state.clone();
        Ok(Self { with, without, start, turn: false, name: recipe.name.clone() })
    }

    fn restart(&mut self) {
        self.with.state.clone_from(&self.start);
    }

    /// One step with contact, which counts, and one without from the same state.
    fn step(&mut self) -> Result<(Step, Step), BenchError> {
        let refuse = |error: &dyn std::fmt::Display| BenchError::CannotRun(format!("{}: {error}", self.name));
        let BuiltScene { simulator, state, motions, .. } = &mut self.with;
        let end = state.time() + simulator.settings().h;
        motions.apply(simulator.model(), state, end).map_err(|e| refuse(&e))?;
        let mut beside = state.carry_over(simulator.model(), self.without.model()).map_err(|e| refuse(&e))?;
        // In turn, so that neither always finds the caches as the other left them.
        self.turn = !self.turn;
        if self.turn {
            let with = timed(simulator, state).map_err(|e| refuse(&e))?;
            Ok((with, timed(&mut self.without, &mut beside).map_err(|e| refuse(&e))?))
        } else {
            let without = timed(&mut self.without, &mut beside).map_err(|e| refuse(&e))?;
            Ok((timed(simulator, state).map_err(|e| refuse(&e))?, without))
        }
    }
}

/// One step, and how long it and its parts took.
pub fn timed(simulator: &mut Simulator, state: &mut State) -> Result<Step, sinew::StepError> {
    let mut clock = Clock::start(milliseconds);
    let report = simulator.step_observed(state, &mut |phase| clock.enter(phase))?;
    let times = clock.times();
    Ok(Step {
        time: times.step,
        detection: times.contact,
        iterations: report.iterations,
        pressing: report.contact.pressing,
        rounds: report.contact.rounds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(time: f64, iterations: usize) -> Step {
        Step { time, detection: 0.1 * time, iterations, pressing: 1, rounds: 2 }
    }

    #[test]
    fn a_disturbed_round_does_not_count() {
        let run =
            |disturbed: f64| vec![(step(4.0 * disturbed, 8), step(2.0, 2)), (step(3.0, 8), step(1.0, 4))];
        let steps = over_rounds(&[run(1.0), run(9.0), run(1.0)]);
        let cost = Cost { name: "x".into(), size: (1, 1), steps, made: (2, 5) };
        assert_eq!((cost.ratios().best(), cost.ratios().worst()), (2.0, 3.0));
        assert_eq!((cost.ratios_by_iteration().best(), cost.ratios_by_iteration().worst()), (0.5, 1.5));
        assert_eq!(cost.ratio_of_sums(), 7.0 / 3.0);
        assert_eq!(cost.shortened().as_deref(), Some("x: out of time after 2 of 5 steps"));
    }

    #[test]
    fn the_step_without_contact_starts_where_the_other_does_and_meets_nothing() {
        let mut twins = Twins::new(&Recipe::solid(true).unwrap()).unwrap();
        let steps: Vec<(Step, Step)> = (0..20).map(|_| twins.step().unwrap()).collect();
        assert!(steps.iter().any(|(with, _)| with.pressing > 0));
        assert!(steps.iter().all(|(_, without)| without.pressing == 0 && without.iterations > 0));
        // The simulation is the one with contact: it stays above the floor.
        let state = &twins.with.state;
        let floor = state.controls().colliders()[0].translation.y;
        assert!(state.positions().iter().all(|p| p.y > floor));
    }
}
