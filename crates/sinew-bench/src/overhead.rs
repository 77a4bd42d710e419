//! The cost of a correction: the step with it compared with the same step without, on every shipped scene.
//!
//! Both steps start from the same state, frame by frame, and are timed in turn; the simulation continues with the corrected one. So the ratio
//! holds for the states of a corrected simulation, and disturbances of the machine affect both.

use crate::catalogue::Options;
use crate::error::BenchError;
use crate::record::{Bound, Detail, Record, Table, number};
use crate::rounds::timed;
use crate::statistics::Sample;
use sinew::{Simulator, State};
use sinew_scene::build::{BuiltScene, build};
use sinew_scene::builtin::{BuiltinScene, SCENES};
use sinew_scene::format::{Override, SceneError, parse};
use std::path::Path;
use std::time::Instant;

/// The solver that overheads are measured with: the default step.
const SOLVER: &str = "projective-dynamics";
const ITERATIONS: &str = "20";

/// Number of timed frames of a scene, and the time after which no further one begins, s.
const FRAMES: usize = 120;
const BUDGET: f64 = 12.0;

/// Overhead of energy projection.
pub fn fepr(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let survey = survey("fepr", options, progress)?;
    let overheads = overheads(&survey.measured);
    Ok(record(id, "fepr", &survey)
        .detail(Detail::bounded("median overhead", overheads.median(), "%", Bound::AtMost(10.0)))
        .detail(Detail::bounded("worst overhead", overheads.worst(), "%", Bound::AtMost(25.0))))
}

/// Overhead of blending with Euler steps.
pub fn blend(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let survey = survey("blend", options, progress)?;
    let overhead = overheads(&survey.measured).median();
    let bounded = Detail::bounded("median overhead", overhead, "%", Bound::AtMost(15.0));
    Ok(record(id, "blend", &survey).detail(bounded))
}

/// What the shipped scenes came to.
struct Survey {
    measured: Vec<Measured>,
    /// Scenes that the correction refuses, and why: a choice that does not exist costs nothing.
    refused: Vec<(&'static str, String)>,
}

/// The measurement of one scene.
struct Measured {
    scene: &'static str,
    vertices: usize,
    /// Milliseconds of a step without and with the correction.
    plain: Sample,
    corrected: Sample,
    /// Milliseconds by which the corrected step was longer, frame by frame.
    extra: Sample,
    acceleration: bool,
}

impl Measured {
    /// The median extra time over the median time without, %.
    fn overhead(&self) -> f64 {
        100.0 * self.extra.median() / self.plain.median()
    }
}

fn overheads(measured: &[Measured]) -> Sample {
    Sample::new(measured.iter().map(Measured::overhead))
}

fn record(id: &str, correction: &str, survey: &Survey) -> Record {
    let overheads = overheads(&survey.measured);
    let mut table = Table::new(
        format!("Overhead of {correction} over the step of {ITERATIONS} iterations without a correction"),
        &["scene", "vertices", "without (ms)", "with (ms)", "overhead (%)"],
    );
    for m in &survey.measured {
        let name = if m.acceleration { format!("{} (L-BFGS)", m.scene) } else { m.scene.to_owned() };
        table.rows.push(vec![
            name,
            m.vertices.to_string(),
            number(m.plain.median()),
            number(m.corrected.median()),
            format!("{:.1}", m.overhead()),
        ]);
    }
    let mut record = Record::new(id, &overheads, "%");
    record.reference = format!("the same step without correction, {SOLVER}, {ITERATIONS} iterations");
    record.reference_value = Some(100.0);
    record.ratio = record.value.map(|value| value / 100.0);
    let record = record.table(table).note(
        "every shipped scene with its own integrator and time step; one thread; spread is over the scenes",
    );
    refusals(&survey.refused).into_iter().fold(record, Record::note)
}

/// A sentence for each reason, with its scenes.
fn refusals(refused: &[(&'static str, String)]) -> Vec<String> {
    let mut reasons: Vec<&str> = refused.iter().map(|(_, reason)| reason.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    let sentence = |reason: &&str| {
        let scenes = refused.iter().filter(|(_, other)| other == reason).map(|(scene, _)| *scene);
        format!("left out: {}: {reason}", scenes.collect::<Vec<_>>().join(", "))
    };
    reasons.iter().map(sentence).collect()
}

fn survey(correction: &str, options: &Options, progress: &mut dyn FnMut(&str)) -> Result<Survey, BenchError> {
    let (mut measured, mut refused) = (Vec::new(), Vec::new());
    for scene in SCENES {
        if options.quick && scene.seconds > 1.0 {
            continue;
        }
        let fail = |error: SceneError| BenchError::CannotRun(format!("{}: {error}", scene.name));
        // Laws that plain Projective Dynamics cannot simulate take the accelerated one.
        let (plain, acceleration) = match load(scene, "none", false) {
            Ok(plain) => (plain, false),
            Err(_) => (load(scene, "none", true).map_err(fail)?, true),
        };
        match load(scene, correction, acceleration) {
            Ok(corrected) => {
                progress(scene.name);
                measured.push(one(scene, plain, corrected, acceleration, options)?);
            }
            Err(error) if error.key.starts_with("correction") => {
                progress(&format!("leaves out {}: {}", scene.name, error.message));
                refused.push((scene.name, error.message));
            }
            Err(error) => return Err(fail(error)),
        }
    }
    if measured.is_empty() {
        return Err(BenchError::CannotRun(format!("every scene refuses {correction}")));
    }
    Ok(Survey { measured, refused })
}

fn one(
    scene: &'static BuiltinScene,
    plain: BuiltScene,
    corrected: BuiltScene,
    acceleration: bool,
    options: &Options,
) -> Result<Measured, BenchError> {
    let (mut without, mut with) = (plain.simulator, corrected.simulator);
    let (mut state, motions) = (corrected.state, corrected.motions);
    let h = with.settings().h;
    let (mut times, mut corrected_times, mut extra) = (Vec::new(), Vec::new(), Vec::new());
    let frames = if options.quick { 12 } else { FRAMES };
    let begin = Instant::now();
    for frame in 0..frames {
        if begin.elapsed().as_secs_f64() > BUDGET && frame > 10 {
            break;
        }
        let end = state.time() + h;
        motions
            .apply(with.model(), &mut state, end)
            .map_err(|e| BenchError::CannotRun(format!("{}: {e}", scene.name)))?;
        let mut beside = state.clone();
        // In turn, so that neither always finds the caches as the other left them.
        let (a, b) = if frame % 2 == 0 {
            let a = step(&mut without, &mut beside, scene)?;
            (a, step(&mut with, &mut state, scene)?)
        } else {
            let b = step(&mut with, &mut state, scene)?;
            (step(&mut without, &mut beside, scene)?, b)
        };
        // The first frames warm up.
        if frame >= 4 {
            times.push(a);
            corrected_times.push(b);
            extra.push(b - a);
        }
    }
    Ok(Measured {
        scene: scene.name,
        vertices: with.model().vertex_count(),
        plain: Sample::new(times),
        corrected: Sample::new(corrected_times),
        extra: Sample::new(extra),
        acceleration,
    })
}

/// Milliseconds of one step.
fn step(simulator: &mut Simulator, state: &mut State, scene: &BuiltinScene) -> Result<f64, BenchError> {
    let mut result = Ok(());
    let time = timed(|| result = simulator.step(state).map(drop));
    result.map_err(|error| BenchError::CannotRun(format!("{}: {error}", scene.name)))?;
    Ok(1e3 * time.as_secs_f64())
}

fn load(scene: &BuiltinScene, correction: &str, acceleration: bool) -> Result<BuiltScene, SceneError> {
    let acceleration = if acceleration { "lbfgs" } else { "none" };
    let solver = format!(
        "solver={{ kind = \"{SOLVER}\", iterations = {ITERATIONS}, acceleration = \"{acceleration}\" }}"
    );
    let set = [solver, format!("correction={{ kind = \"{correction}\" }}")];
    let overrides = set.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
    build(&parse(scene.text, scene.name, &overrides)?, Path::new(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_scenes_are_grouped_by_their_reason() {
        let refused = [("a", "bones".to_owned()), ("b", "contact".to_owned()), ("c", "bones".to_owned())];
        assert_eq!(refusals(&refused), ["left out: a, c: bones", "left out: b: contact"]);
    }

    #[test]
    fn a_scene_with_bones_refuses_a_multiplier_at_the_key_of_the_correction() {
        let scene = SCENES.iter().find(|scene| scene.name == "nunchuck").unwrap();
        let error = load(scene, "lagrange-multiplier", true).unwrap_err();
        assert!(error.key.starts_with("correction") && error.message.contains("bones"), "{error}");
        assert!(load(scene, "fepr", true).is_ok());
    }

    #[test]
    fn every_shipped_scene_takes_a_correction_or_refuses_it_at_its_key() {
        let mut refused = Vec::new();
        for scene in SCENES {
            let acceleration = load(scene, "none", false).is_err();
            if let Err(error) = load(scene, "fepr", acceleration) {
                panic!("{}: {error}", scene.name);
            }
            if let Err(error) = load(scene, "lagrange-multiplier", acceleration) {
                assert!(error.key.starts_with("correction"), "{}: {error}", scene.name);
                refused.push(scene.name);
            }
        }
        assert!(refused.contains(&"stairs") && refused.len() < SCENES.len() / 2, "{refused:?}");
    }
}
