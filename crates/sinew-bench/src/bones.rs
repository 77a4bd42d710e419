//! The cost of bones: a step with them compared with a step of the same mesh without, for the same number of iterations.
//!
//! Bones need a factor, while a large body without bones is solved by multigrid by default. So there are two steps without bones, with a
//! factor and with the default, and the faster one is the reference.

use crate::bodies::{Boned, character};
use crate::catalogue::Options;
use crate::error::BenchError;
use crate::record::{Bound, Detail, Record, Table, number};
use crate::rounds::{Plan, side_by_side, timed};
use crate::statistics::Sample;
use sinew::{Acceleration, Budget, GlobalMethod, Model, Settings, Simulator, Solver, State};
use std::sync::Arc;
use std::time::Duration;

/// Numbers of vertices and bones; the last pair counts for the goal.
const SIZES: [(usize, usize); 5] = [(2_000, 4), (5_000, 16), (30_000, 1), (30_000, 16), (30_000, 64)];
const QUICK_SIZES: [(usize, usize); 2] = [(1_000, 2), (2_000, 8)];

/// Iterations per step, as in the paper [li2020].
const ITERATIONS: usize = 10;

/// Largest ratio of the time of a step with bones to one without.
const GOAL: f64 = 1.25;

struct Measured {
    vertices: usize,
    bones: usize,
    joints: usize,
    /// Seconds per step: without bones with a factor, without bones by default, and with bones.
    direct: Sample,
    automatic: Sample,
    with: Sample,
}

impl Measured {
    /// The faster one without bones.
    fn plain(&self) -> &Sample {
        if self.direct.median() <= self.automatic.median() { &self.direct } else { &self.automatic }
    }

    fn ratio(&self) -> f64 {
        self.with.median() / self.plain().median()
    }
}

/// Milliseconds of a step with 64 bones at 30 thousand vertices, and its ratio to a step without.
pub fn overhead(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let sizes: &[(usize, usize)] = if options.quick { &QUICK_SIZES } else { &SIZES };
    let mut all = Vec::new();
    for &(vertices, bones) in sizes {
        progress(&format!("{bones} bones in {vertices} vertices"));
        all.push(measure(vertices, bones, options.quick)?);
    }
    record(id, &all)
}

fn measure(vertices: usize, bones: usize, quick: bool) -> Result<Measured, BenchError> {
    let (plain, with) = (character(vertices, bones, Boned::No)?, character(vertices, bones, Boned::Yes)?);
    let mut direct = Stepping::new(&plain, GlobalMethod::Direct)?;
    let mut automatic = Stepping::new(&plain, GlobalMethod::default())?;
    let mut boned = Stepping::new(&with, GlobalMethod::default())?;
    // Skip the first steps of the fall, in which everything is still straight.
    for _ in 0..5 {
        direct.step();
        automatic.step();
        boned.step();
    }
    let plan = if quick {
        Plan { rounds: 5, turn: 0.0, budget: 2.0 }
    } else {
        Plan { rounds: 41, turn: 0.0, budget: 20.0 }
    };
    let samples =
        side_by_side(plan, &mut [&mut || direct.step(), &mut || automatic.step(), &mut || boned.step()]);
    direct.failure.or(automatic.failure).or(boned.failure).map_or(Ok(()), Err)?;
    let samples: [Sample; 3] =
        samples.try_into().map_err(|_| BenchError::CannotRun("a sample is missing".into()))?;
    let [direct, automatic, timed] = samples;
    let (vertices, bones, joints) = (with.vertex_count(), with.bone_count(), with.joint_count());
    Ok(Measured { vertices, bones, joints, direct, automatic, with: timed })
}

/// A simulation that continues from step to step.
struct Stepping {
    simulator: Simulator,
    state: State,
    failure: Option<BenchError>,
}

impl Stepping {
    fn new(model: &Arc<Model>, global: GlobalMethod) -> Result<Self, BenchError> {
        let budget = Budget::to(ITERATIONS, 0.0);
        let solver = Solver::ProjectiveDynamics { budget, acceleration: Acceleration::None };
        let settings = Settings { solver, global, ..Settings::plain() };
        let simulator = Simulator::new(Arc::clone(model), settings)
            .map_err(|error| BenchError::CannotRun(error.to_string()))?;
        Ok(Self { simulator, state: State::new(model), failure: None })
    }

    fn step(&mut self) -> Duration {
        let Self { simulator, state, failure } = self;
        timed(|| {
            if let Err(error) = simulator.step(state) {
                *failure = Some(BenchError::CannotRun(error.to_string()));
            }
        })
    }
}

fn record(id: &str, all: &[Measured]) -> Result<Record, BenchError> {
    let Some(last) = all.last() else {
        return Err(BenchError::CannotRun("no size was measured".into()));
    };
    let mut table = Table::new(
        format!("One step of {ITERATIONS} iterations with and without bones, the same mesh"),
        &["vertices", "bones", "joints", "without (ms)", "without, factor (ms)", "with (ms)", "ratio"],
    );
    for m in all {
        table.rows.push(vec![
            m.vertices.to_string(),
            m.bones.to_string(),
            m.joints.to_string(),
            number(1e3 * m.automatic.median()),
            number(1e3 * m.direct.median()),
            number(1e3 * m.with.median()),
            number(m.ratio()),
        ]);
    }
    let what = format!("the same step without bones, {ITERATIONS} iterations");
    let mut record = Record::new(id, &last.with.scaled(1e3), "ms").against(what, &last.plain().scaled(1e3));
    record.ratio = record.value.zip(record.reference_value).map(|(value, reference)| value / reference);
    let name = format!("with {} bones over without", last.bones);
    Ok(record
        .detail(Detail::bounded(name, last.ratio(), "", Bound::AtMost(GOAL)))
        .table(table)
        .note("one thread; a box of jelly with blocks of bone, hung by its uppermost layer of flesh; the ratio is to the faster step without"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_that_of_the_medians_and_bounded() {
        let measured = |with: f64| Measured {
            vertices: 1,
            bones: 64,
            joints: 63,
            direct: Sample::new([0.9, 1.0, 7.0]),
            automatic: Sample::new([2.0]),
            with: Sample::new([with]),
        };
        let record_of = |with| record("bones-overhead", &[measured(9.0), measured(with)]).unwrap();
        let good = record_of(1.2);
        assert!(good.pass && good.ratio == Some(1.2) && good.tables[0].rows.len() == 2);
        assert!(!record_of(1.3).pass);
    }
}
