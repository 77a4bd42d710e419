//! How long the parts of a step take; the engine itself has no clock.

use super::record::Times;
use sinew::Phase;
use std::time::Instant;

/// Times one step.
#[derive(Debug)]
pub(super) struct Clock {
    begin: Instant,
    entered: Instant,
    phase: Phase,
    times: Times,
}

impl Clock {
    pub fn start() -> Self {
        let now = Instant::now();
        Self { begin: now, entered: now, phase: Phase::Force, times: Times::default() }
    }

    /// A part of the step begins, so the one before it is over.
    pub fn enter(&mut self, phase: Phase) {
        let now = Instant::now();
        let passed = (now - self.entered).as_secs_f64() * 1e3;
        match self.phase {
            Phase::Solve => self.times.solve += passed,
            Phase::Correct => self.times.correct += passed,
            Phase::Detect => self.times.contact += passed,
            _ => {}
        }
        self.entered = now;
        self.phase = phase;
    }

    /// The times up to now.
    pub fn times(&self) -> Times {
        Times { step: self.begin.elapsed().as_secs_f64() * 1e3, ..self.times }
    }
}
