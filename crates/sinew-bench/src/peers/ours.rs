//! Our own runs of the two scenes.

use super::energy::{Motion, Scale};
use super::subject::Subject;
use crate::error::BenchError;
use rayon::ThreadPool;
use sinew_scene::run::{Report, Run};
use std::time::Instant;

/// The results of a run.
pub struct Ours {
    /// Milliseconds of each step.
    pub times: Vec<f64>,
    /// The motion.
    pub motion: Motion,
    /// The report of `sinew run`.
    pub report: Report,
}

/// Runs the scene as it is shipped, on the threads of `pool`, for at most `budget` seconds.
pub fn run(
    subject: &Subject,
    frames: usize,
    scale: &mut Scale,
    pool: &ThreadPool,
    budget: f64,
) -> Result<Ours, BenchError> {
    let mut run = Run::new(subject.scene.name(), subject.build()?, frames).keeping_all_rows();
    let begin = Instant::now();
    let mut motion = Motion { wanted: frames, ..Motion::default() };
    scale.restart();
    motion.frames.extend(scale.weigh(run.state().positions(), run.state().velocities()));
    while !run.is_over() && begin.elapsed().as_secs_f64() < budget {
        let stepped = pool.install(|| run.step());
        let frame = scale.weigh(run.state().positions(), run.state().velocities());
        match (stepped, frame) {
            (Ok(()), Some(frame)) => motion.frames.push(frame),
            _ => {
                motion.exploded = true;
                break;
            }
        }
    }
    // The first row is the initial state, before any step.
    let times = run.rows().iter().skip(1).map(|row| row.times.step).collect();
    Ok(Ours { times, motion, report: run.report() })
}
