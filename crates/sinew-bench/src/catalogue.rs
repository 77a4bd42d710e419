//! The benchmarks by name.

use crate::error::BenchError;
use crate::record::Record;
use crate::{bones, contact, faces, kernels, lips, meshing, overhead, peers, scaling};
use std::path::PathBuf;

/// What to measure and for how long.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Fewer rounds and smaller bodies: a check that everything works; the numbers are rough.
    pub quick: bool,
    /// Whether rivals are installed or may be: benchmarks that do not need them compare with them as well.
    pub with_peers: bool,
    /// The private folder of the rivals.
    pub peers: PathBuf,
    /// Time limit for runs of rivals, s of wall clock; later frames are left out.
    pub peers_budget: f64,
}

/// A benchmark.
#[derive(Clone, Copy)]
pub struct Benchmark {
    /// Its name.
    pub id: &'static str,
    /// What it measures, in one line.
    pub what: &'static str,
    /// Whether it needs the rivals.
    pub needs_peers: bool,
    run: Run,
}

/// The function that measures; it reports its progress.
type Run = fn(&'static str, &Options, &mut dyn FnMut(&str)) -> Result<Record, BenchError>;

impl std::fmt::Debug for Benchmark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl Benchmark {
    /// Runs it. `progress` receives descriptions of the current work.
    pub fn run(&self, options: &Options, progress: &mut dyn FnMut(&str)) -> Result<Record, BenchError> {
        (self.run)(self.id, options, progress)
    }

    /// Runs it; what goes wrong, a bug included, becomes a record that says so, and others can still run.
    pub fn attempt(&self, options: &Options, progress: &mut dyn FnMut(&str)) -> Record {
        let run = std::panic::AssertUnwindSafe(|| self.run(options, progress));
        match std::panic::catch_unwind(run) {
            Ok(Ok(record)) => record,
            Ok(Err(error)) => Record::failed(self.id, error.to_string()),
            Err(_) => Record::failed(self.id, "it panicked; the message is above"),
        }
    }
}

const fn benchmark(id: &'static str, what: &'static str, run: Run) -> Benchmark {
    Benchmark { id, what, needs_peers: false, run }
}

/// All benchmarks, in the order in which they run.
pub const BENCHMARKS: &[Benchmark] = &[
    benchmark(
        "solve-5k",
        "global solve, tetrahedral cube of 4,913 vertices, against faer",
        kernels::solve_5k,
    ),
    benchmark(
        "solve-30k",
        "global solve, tetrahedral cube of 29,791 vertices, against faer",
        kernels::solve_30k,
    ),
    benchmark(
        "rotations",
        "closest rotations of 3×3 matrices, half of them inverted, against nalgebra",
        kernels::rotations,
    ),
    benchmark(
        "pd-iteration-5k",
        "one local/global iteration against one global solve, one thread",
        kernels::iteration_5k,
    ),
    benchmark("pd-threads-30k", "local/global iterations on one and on two threads", kernels::threads_30k),
    benchmark(
        "fepr-overhead",
        "step with energy projection against the step without, every shipped scene",
        overhead::fepr,
    ),
    benchmark(
        "blend-overhead",
        "step with blending against the step without, every shipped scene",
        overhead::blend,
    ),
    benchmark(
        "bones-overhead",
        "step with 64 bones at 30 thousand vertices against the step without",
        bones::overhead,
    ),
    benchmark(
        "contact",
        "step with contact against the same step without, share of detection; with --peers a cloth on a sphere beside other simulators",
        contact::contact,
    ),
    benchmark(
        "scaling",
        "time per tetrahedron and memory from a thousand to a million tetrahedra",
        scaling::scaling,
    ),
    benchmark(
        "lips-apply",
        "lips of a frame with 19 thousand mouth triangles, one thread, against the dissertation and its unreduced equations",
        lips::apply,
    ),
    benchmark(
        "face-fit",
        "activations of a face's muscles for a new expression, against six numbers for every tetrahedron",
        faces::fit,
    ),
    benchmark(
        "meshing",
        "tetrahedra from closed surfaces: angles, distance and time; with --peers beside parry3d and fTetWild",
        meshing::meshing,
    ),
    Benchmark {
        id: "peers-c",
        what: "cloth, side by side with other simulators",
        needs_peers: true,
        run: peers::cloth,
    },
    Benchmark {
        id: "peers-b",
        what: "bar, side by side with other simulators",
        needs_peers: true,
        run: peers::bar,
    },
];

/// The benchmark of this name.
pub fn find(id: &str) -> Result<&'static Benchmark, BenchError> {
    if let Some(found) = BENCHMARKS.iter().find(|benchmark| benchmark.id == id) {
        return Ok(found);
    }
    let closest = BENCHMARKS.iter().map(|b| (strsim::damerau_levenshtein(id, b.id), b.id)).min();
    let close = closest.filter(|(distance, _)| *distance <= 3.max(id.len() / 3));
    Err(BenchError::Unknown {
        id: id.to_owned(),
        hint: close.map_or_else(String::new, |(_, close)| format!("did you mean `{close}`? ")),
        list: BENCHMARKS.iter().map(|b| b.id).collect::<Vec<_>>().join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_benchmark_that_fails_or_panics_is_a_record_that_says_so() {
        let attempt = |run: Run| benchmark("x", "", run).attempt(&Options::default(), &mut |_| {});
        let refused = attempt(|_, _, _| Err(BenchError::CannotRun("no compiler".into())));
        assert!(refused.id == "x" && refused.failure.as_deref() == Some("no compiler"));
        let broken = attempt(|_, _, _| panic!("this panic is part of a test"));
        assert!(broken.failure.is_some_and(|why| why.contains("panicked")));
        let good = attempt(|id, _, _| Ok(Record { id: id.into(), pass: true, ..Record::default() }));
        assert!(good.pass && good.failure.is_none());
    }

    #[test]
    fn benchmarks_are_found_by_name_and_others_are_explained() {
        assert_eq!(find("scaling").unwrap().id, "scaling");
        assert!(find("solve5k").unwrap_err().to_string().contains("did you mean `solve-5k`?"));
        assert_eq!(find("face-fit").unwrap().id, "face-fit");
        assert!(find("nonsense").unwrap_err().to_string().contains("there are: solve-5k, "));
    }
}
