//! Measures how long the parts of a step take; the engine itself has no clock.

use super::record::Times;
use sinew::Phase;

/// Times one step, using a clock that counts milliseconds from an arbitrary moment.
#[derive(Debug)]
pub struct Clock {
    now: fn() -> f64,
    begin: f64,
    entered: f64,
    phase: Phase,
    times: Times,
}

impl Clock {
    /// Starts the clock at the beginning of a step.
    pub fn start(now: fn() -> f64) -> Self {
        let begin = now();
        Self { now, begin, entered: begin, phase: Phase::Force, times: Times::default() }
    }

    /// Marks the beginning of a phase, and so the end of the previous one.
    pub fn enter(&mut self, phase: Phase) {
        let now = (self.now)();
        let passed = now - self.entered;
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
        Times { step: (self.now)() - self.begin, ..self.times }
    }
}

/// Milliseconds since the first call, by the system's monotonic clock.
pub fn milliseconds() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed().as_secs_f64() * 1e3
}
