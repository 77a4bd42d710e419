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
use sinew_scene::format::{Override, parse};
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
    let measured = measure("fepr", options, progress)?;
    let record = record(id, "fepr", &measured);
    let overheads = overheads(&measured);
    Ok(record
        .detail(Detail::bounded("median overhead", overheads.median(), "%", Bound::AtMost(10.0)))
        .detail(Detail::bounded("worst overhead", overheads.worst(), "%", Bound::AtMost(25.0))))
}

/// Overhead of blending with Euler steps.
pub fn blend(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let measured = measure("blend", options, progress)?;
    let overhead = overheads(&measured).median();
    let bounded = Detail::bounded("median overhead", overhead, "%", Bound::AtMost(15.0));
    Ok(record(id, "blend", &measured).detail(bounded))
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

fn record(id: &str, correction: &str, measured: &[Measured]) -> Record {
    let overheads = overheads(measured);
    let mut table = Table::new(
        format!("Overhead of {correction} over the step of {ITERATIONS} iterations without a correction"),
        &["scene", "vertices", "without (ms)", "with (ms)", "overhead (%)"],
    );
    for m in measured {
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
    record.table(table).note(
        "every shipped scene with its own integrator and time step; one thread; spread is over the scenes",
    )
}

fn measure(
    correction: &str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Measured>, BenchError> {
    let mut all = Vec::new();
    for scene in SCENES {
        if options.quick && scene.seconds > 1.0 {
            continue;
        }
        progress(scene.name);
        all.push(one(scene, correction, options)?);
    }
    Ok(all)
}

fn one(scene: &'static BuiltinScene, correction: &str, options: &Options) -> Result<Measured, BenchError> {
    // Laws that plain Projective Dynamics cannot simulate use the accelerated one.
    let (plain, acceleration) = match load(scene, "none", false) {
        Ok(plain) => (plain, false),
        Err(_) => (load(scene, "none", true)?, true),
    };
    let corrected = load(scene, correction, acceleration)?;
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

fn load(scene: &BuiltinScene, correction: &str, acceleration: bool) -> Result<BuiltScene, BenchError> {
    let refuse = |error| BenchError::CannotRun(format!("{}: {error}", scene.name));
    let acceleration = if acceleration { "lbfgs" } else { "none" };
    let solver = format!(
        "solver={{ kind = \"{SOLVER}\", iterations = {ITERATIONS}, acceleration = \"{acceleration}\" }}"
    );
    let set = [solver, format!("correction={{ kind = \"{correction}\" }}")];
    let overrides =
        set.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>().map_err(refuse)?;
    let parsed = parse(scene.text, scene.name, &overrides).map_err(refuse)?;
    build(&parsed, Path::new("")).map_err(refuse)
}
