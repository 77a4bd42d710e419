//! Cost as a function of size: one step of 20 iterations from a thousand to a million tetrahedra.

use crate::bodies::cube;
use crate::catalogue::Options;
use crate::error::BenchError;
use crate::machine::{self, forget_peak_memory, peak_memory};
use crate::record::{Bound, Curve, Detail, Record, Table, number};
use crate::rounds::timed;
use crate::statistics::Sample;
use rayon::ThreadPoolBuilder;
use sinew::{Correction, Fepr, Settings, Simulator, State};
use std::sync::Arc;
use std::time::Instant;

/// Cells to a side: 5·c³ tetrahedra, from 1,080 to 1,026,895.
const SIZES: [usize; 7] = [6, 8, 13, 18, 27, 39, 59];
const QUICK_SIZES: [usize; 3] = [3, 6, 8];

/// Number of timed steps, and the time after which no further one begins, s.
const STEPS: usize = 15;
const BUDGET: f64 = 20.0;

/// The sizes between which the time per tetrahedron is compared, and its largest allowed growth.
const FROM: f64 = 1e4;
const TO: f64 = 1e6;
const GROWTH: f64 = 4.0;

/// Largest memory for a million tetrahedra, GB.
const MEMORY: f64 = 8.0;

struct Point {
    tetrahedra: usize,
    vertices: usize,
    /// Seconds to build the model and the simulator.
    setup: f64,
    /// Seconds per step.
    step: Sample,
    /// Bytes, if the system reports them.
    memory: Option<f64>,
}

impl Point {
    fn per_tetrahedron(&self) -> f64 {
        1e9 * self.step.median() / self.tetrahedra as f64
    }
}

/// Nanoseconds per tetrahedron and step at the largest size, all cores.
pub fn scaling(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let sizes: &[usize] = if options.quick { &QUICK_SIZES } else { &SIZES };
    let cores = machine::cores();
    let pool = ThreadPoolBuilder::new()
        .num_threads(cores)
        .build()
        .map_err(|error| BenchError::CannotRun(format!("threads cannot be started: {error}")))?;
    let mut points = Vec::new();
    for &cells in sizes {
        progress(&format!("{} tetrahedra", 5 * cells * cells * cells));
        points.push(pool.install(|| measure(cells))?);
    }
    record(id, &points, cores)
}

fn measure(cells: usize) -> Result<Point, BenchError> {
    let refuse = |error: &dyn std::fmt::Display| BenchError::CannotRun(error.to_string());
    forget_peak_memory();
    let begin = Instant::now();
    let model = cube(cells, true)?;
    let settings = Settings { correction: Correction::Fepr(Fepr::default()), ..Settings::plain() };
    let mut simulator = Simulator::new(Arc::clone(&model), settings).map_err(|e| refuse(&e))?;
    let setup = begin.elapsed().as_secs_f64();
    let mut state = State::new(&model);
    let mut times = Vec::new();
    let begin = Instant::now();
    for step in 0..=STEPS {
        if step > 3 && begin.elapsed().as_secs_f64() > BUDGET {
            break;
        }
        let mut result = Ok(());
        let time = timed(|| result = simulator.step(&mut state).map(drop));
        result.map_err(|e| refuse(&e))?;
        // The first step warms up.
        if step > 0 {
            times.push(time.as_secs_f64());
        }
    }
    Ok(Point {
        tetrahedra: model.element_count(),
        vertices: model.vertex_count(),
        setup,
        step: Sample::new(times),
        memory: peak_memory(),
    })
}

fn record(id: &str, points: &[Point], cores: usize) -> Result<Record, BenchError> {
    // The size closest to a given one, by ratio.
    let near = |size: f64| {
        let distance = |p: &&Point| ((p.tetrahedra as f64 / size).ln().abs() * 1e6) as u64;
        points.iter().min_by_key(distance)
    };
    let (Some(small), Some(large)) = (near(FROM), near(TO)) else {
        return Err(BenchError::CannotRun("no size was measured".into()));
    };
    let growth = large.per_tetrahedron() / small.per_tetrahedron();
    let per = |p: &Point| p.step.scaled(1e9 / p.tetrahedra as f64);
    let mut table = Table::new(
        format!("One step of 20 iterations with energy projection, {cores} threads"),
        &[
            "tetrahedra",
            "vertices",
            "set up (s)",
            "step (ms)",
            "spread (ms)",
            "ns a tetrahedron",
            "memory (GB)",
        ],
    );
    for p in points {
        let memory = p.memory.map_or_else(|| "–".into(), |bytes| number(bytes / 1e9));
        table.rows.push(vec![
            p.tetrahedra.to_string(),
            p.vertices.to_string(),
            number(p.setup),
            number(1e3 * p.step.median()),
            number(1e3 * p.step.spread()),
            number(p.per_tetrahedron()),
            memory,
        ]);
    }
    let curve = |name: &str, y: &dyn Fn(&Point) -> f64| Curve {
        name: name.into(),
        points: points.iter().map(|p| (p.tetrahedra as f64, y(p))).collect(),
    };
    let mut record = Record::new(id, &per(large), "ns a tetrahedron")
        .against(format!("the same at {} tetrahedra", small.tetrahedra), &per(small))
        .detail(Detail::bounded("growth of the time per tetrahedron", growth, "", Bound::AtMost(GROWTH)))
        .table(table);
    record.curves = vec![
        curve("step (ms)", &|p| 1e3 * p.step.median()),
        curve("set up (ms)", &|p| 1e3 * p.setup),
        curve("per tetrahedron (ns)", &Point::per_tetrahedron),
    ];
    Ok(match large.memory {
        Some(bytes) => {
            record.detail(Detail::bounded("peak memory", bytes / 1e9, "GB", Bound::AtMost(MEMORY)))
        }
        None => record.note("the system does not tell how much memory the process held"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(tetrahedra: usize, seconds: f64) -> Point {
        Point { tetrahedra, vertices: 1, setup: 0.1, step: Sample::new([seconds]), memory: Some(1e9) }
    }

    #[test]
    fn growth_is_between_the_sizes_next_to_the_two_ends() {
        let points = [point(1_000, 1.0), point(10_985, 1e-3), point(1_026_895, 0.3)];
        let record = record("scaling", &points, 2).unwrap();
        let growth = record.details[0].value.unwrap();
        assert!((growth - 300.0 * 10_985.0 / 1_026_895.0).abs() < 1e-9);
        assert!(record.pass && growth < 4.0);
    }
}
