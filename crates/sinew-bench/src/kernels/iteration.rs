//! One local/global iteration of Projective Dynamics compared with the global solve inside it.

use super::{CELLS_5K, H, cells};
use crate::bodies::{Noise, cube};
use crate::catalogue::Options;
use crate::error::BenchError;
use crate::machine::{Bandwidth, peak_flops};
use crate::record::{Bound, Detail, Record, Table, number};
use crate::rounds::{Plan, side_by_side, timed};
use glam::DVec3;
use sinew::measure::{GlobalSolve, LocalStep};
use sinew::{Acceleration, Budget, Model, Settings, Simulator, Solver, State};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// Iterations of the longer and of the shorter step; the two differ only in iterations. There are few, so that a step is shorter than a time
/// slice of the system.
const LONG: usize = 3;
const SHORT: usize = 1;

/// A simulation that repeats the same step.
pub(super) struct Repeated {
    simulator: Simulator,
    start: State,
}

impl Repeated {
    /// A step with this many plain iterations, from a shape that is bent and moves.
    pub fn new(model: &Arc<Model>, iterations: usize) -> Result<Self, BenchError> {
        let refuse = |error: &dyn std::fmt::Display| BenchError::CannotRun(error.to_string());
        let solver = Solver::ProjectiveDynamics {
            budget: Budget::to(iterations, 0.0),
            acceleration: Acceleration::None,
        };
        let settings = Settings { h: H, solver, ..Settings::plain() };
        let mut start = State::new(model);
        let mut noise = Noise::new(5);
        start
            .edit(model, |x, v| {
                for (i, (x, v)) in x.iter_mut().zip(v).enumerate() {
                    if !model.is_held(i) {
                        *v += DVec3::new(2.0 * x.y, -x.x, 0.5) + 0.1 * noise.vector();
                        *x += 0.1 * DVec3::new(x.y * x.y, x.z, x.x * x.y);
                    }
                }
            })
            .map_err(|e| refuse(&e))?;
        let simulator = Simulator::new(Arc::clone(model), settings).map_err(|e| refuse(&e))?;
        Ok(Self { simulator, start })
    }

    /// Makes the step; returns the time that it took. An explosion would show as a time of zero, which no benchmark passes by mistake: the
    /// state is the same each time, and [`Repeated::new`]'s caller has seen the first one.
    pub fn step(&mut self) -> Duration {
        let mut state = self.start.clone();
        let simulator = &mut self.simulator;
        timed(|| _ = black_box(simulator.step(&mut state)))
    }

    /// Makes the step once and checks that it succeeded.
    pub fn check(&mut self) -> Result<(), BenchError> {
        let mut state = self.start.clone();
        self.simulator.step(&mut state).map(drop).map_err(|error| BenchError::CannotRun(error.to_string()))
    }
}

/// Milliseconds per iteration on one thread.
pub fn iteration_5k(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let refuse = |error: &dyn std::fmt::Display| BenchError::CannotRun(error.to_string());
    let model = cube(cells(CELLS_5K, options.quick), false)?;
    progress("factors the matrix");
    let (mut long, mut short) = (Repeated::new(&model, LONG)?, Repeated::new(&model, SHORT)?);
    long.check()?;
    let mut solve = GlobalSolve::new(&model, H).map_err(|e| refuse(&e))?;
    let mut local = LocalStep::new(&model);
    let places = long.start.positions().to_vec();
    let mut x = places.clone();

    progress("steps of three iterations and of one, the solve and the local step in turn");
    let samples = side_by_side(
        Plan::kernel(options.quick),
        &mut [
            &mut || long.step(),
            &mut || short.step(),
            &mut || {
                x.copy_from_slice(&places);
                timed(|| solve.ours(black_box(&mut x)))
            },
            &mut || timed(|| _ = black_box(local.gradient(black_box(&places)))),
        ],
    );
    let iteration = (samples[0].median() - samples[1].median()) / (LONG - SHORT) as f64;
    let best = (samples[0].best() - samples[1].best()) / (LONG - SHORT) as f64;
    let (kernel, gradient) = (samples[2].median(), samples[3].median());

    progress("measures bandwidth and peak");
    let (bytes, flops) = (local.bytes() as f64, local.flops() as f64);
    let bandwidth = Bandwidth::measure(bytes, options.quick);
    let peak = peak_flops(options.quick);
    let bound = (bytes / bandwidth.best()).max(flops / peak);
    let mut table = Table::new(
        format!("One iteration, {} vertices, {} tetrahedra", model.vertex_count(), model.element_count()),
        &["", "ms", "GB/s", "GFLOP/s", "over the bound"],
    );
    let rate = |amount: f64, time: f64| number(amount / time / 1e9);
    table.rows.push(vec!["iteration".into(), number(1e3 * iteration), "–".into(), "–".into(), "–".into()]);
    table.rows.push(vec![
        "global solve".into(),
        number(1e3 * kernel),
        rate(solve.bytes() as f64, kernel),
        rate(solve.flops() as f64, kernel),
        "–".into(),
    ]);
    table.rows.push(vec![
        "local step (energy and gradient)".into(),
        number(1e3 * gradient),
        rate(bytes, gradient),
        rate(flops, gradient),
        number(gradient / bound),
    ]);
    table.rows.push(vec![
        "bound of the local step".into(),
        number(1e3 * bound),
        rate(bytes, bound),
        rate(flops, bound),
        "1".into(),
    ]);

    // The spread of a difference: both spreads, over the iterations between them.
    let spread = samples[0].spread().hypot(samples[1].spread()) / (LONG - SHORT) as f64;
    let mut record = Record::new(id, &samples[0], "ms");
    record.value = Some(1e3 * iteration);
    record.spread = Some(1e3 * spread);
    let record = record.against("the solve kernel alone", &samples[2].scaled(1e3));
    Ok(record
        .detail(Detail::bounded("iteration over solve", iteration / kernel, "", Bound::AtMost(5.0)))
        .detail(Detail::new("the same of the best times", best / samples[2].best(), ""))
        .detail(Detail::new("local step", 1e3 * gradient, "ms"))
        .detail(Detail::new(
            "local step per tetrahedron",
            1e9 * gradient / model.element_count() as f64,
            "ns",
        ))
        .detail(Detail::new("bytes of the local step", bytes / 1e6, "MB"))
        .detail(Detail::new("floating-point operations of the local step", flops / 1e6, "M"))
        .detail(Detail::new("bandwidth at that size", bandwidth.best() / 1e9, "GB/s"))
        .detail(Detail::new("peak", peak / 1e9, "GFLOP/s"))
        .detail(Detail::new("local step over its bound", gradient / bound, ""))
        .table(table)
        .note(format!(
            "one thread; an iteration is the difference of steps with {LONG} and {SHORT} iterations, over {}",
            LONG - SHORT
        )))
}
