//! When steps are due: simulated time follows the clock as closely as possible.

/// Longest time that one call spends on steps before messages are checked again, ms.
pub const PATIENCE: f64 = 15.0;

/// Whether a simulation runs, and how fast.
#[derive(Clone, Debug)]
pub struct Pace {
    /// Simulated seconds per second; `None`: as fast as possible.
    pub speed: Option<f64>,
    playing: bool,
    /// Single steps that were requested.
    singles: u32,
    /// Simulated time that is due, s.
    due: f64,
    /// When `due` was last updated, ms.
    seen: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { speed: Some(1.0), playing: false, singles: 0, due: 0.0, seen: 0.0 }
    }
}

impl Pace {
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    pub fn play(&mut self, now: f64) {
        if !self.playing {
            (self.playing, self.singles, self.due, self.seen) = (true, 0, 0.0, now);
        }
    }

    pub fn pause(&mut self) {
        (self.playing, self.singles) = (false, 0);
    }

    /// Makes single steps, then pauses.
    pub fn step(&mut self, count: u32) {
        self.playing = false;
        self.singles = self.singles.saturating_add(count).min(10_000);
    }

    /// Accounts for the time that has passed.
    pub fn catch_up(&mut self, now: f64) {
        if self.playing {
            self.due += (now - self.seen).max(0.0) * 1e-3 * self.speed.unwrap_or(0.0);
        }
        self.seen = now;
    }

    /// Whether another step is due, after `spent` ms of this call.
    pub fn is_due(&mut self, h: f64, spent: f64) -> bool {
        if self.singles == 0 && !self.playing {
            return false;
        }
        if spent >= PATIENCE {
            // A machine that cannot keep up runs slower than the clock; it does not try to catch up.
            self.due = self.due.min(h);
            return false;
        }
        self.singles > 0 || self.speed.is_none() || self.due >= h
    }

    /// Records a step.
    pub fn step_made(&mut self, h: f64) {
        if self.singles > 0 {
            self.singles -= 1;
        } else if self.speed.is_some() {
            self.due -= h;
        }
    }

    /// Milliseconds until the next step is due; `None`: none is.
    pub fn wait(&self, h: f64) -> Option<f64> {
        if self.singles > 0 {
            return Some(0.0);
        }
        self.playing.then(|| self.speed.map_or(0.0, |speed| ((h - self.due) / speed * 1e3).max(0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps that one call makes when each takes `cost` ms.
    fn steps(pace: &mut Pace, h: f64, cost: f64) -> usize {
        let mut made = 0;
        while pace.is_due(h, made as f64 * cost) {
            pace.step_made(h);
            made += 1;
        }
        made
    }

    #[test]
    fn simulated_time_follows_the_clock() {
        let mut pace = Pace::default();
        pace.play(0.0);
        let mut made = 0;
        for k in 1..=100 {
            pace.catch_up(f64::from(k) * 10.0);
            made += steps(&mut pace, 1.0 / 30.0, 1.0);
        }
        assert!((29..=30).contains(&made), "{made} steps in a second");
        pace.speed = Some(0.1);
        assert!(pace.wait(1.0 / 30.0).unwrap() > 200.0, "slow motion waits longer");
    }

    #[test]
    fn a_slow_machine_does_not_run_after_the_clock() {
        let mut pace = Pace::default();
        pace.play(0.0);
        pace.catch_up(10_000.0);
        assert_eq!(steps(&mut pace, 1.0 / 30.0, 20.0), 1);
        assert_eq!(pace.wait(1.0 / 30.0), Some(0.0));
        assert!(pace.due <= 1.0 / 30.0);
    }

    #[test]
    fn single_steps_are_made_while_it_rests() {
        let mut pace = Pace::default();
        pace.step(3);
        assert_eq!(pace.wait(0.1), Some(0.0));
        assert_eq!(steps(&mut pace, 0.1, 1.0), 3);
        assert_eq!(pace.wait(0.1), None);
        assert!(!pace.is_playing());
    }
}
