//! Times contestants in turn: ours, reference, ours, reference, … in one run.
//!
//! Other work of the machine then disturbs all of them alike, and the ratio of the medians is meaningful even if the times themselves are
//! not.

use crate::statistics::Sample;
use std::time::{Duration, Instant};

/// A function to time: it does its work once and returns the duration of the part that counts.
pub type Contestant<'a> = &'a mut dyn FnMut() -> Duration;

/// How often to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Number of rounds that count.
    pub rounds: usize,
    /// Each contestant works at least this long per round, s; its time is the mean within the round.
    pub turn: f64,
    /// No further round begins after this time, s; there are at least three.
    pub budget: f64,
}

impl Plan {
    /// Rounds for kernels: many short turns. A turn shorter than a time slice of the system is mostly undisturbed even if other programs want
    /// to run, and then so is the median.
    pub fn kernel(quick: bool) -> Self {
        if quick {
            Self { rounds: 7, turn: 0.002, budget: 2.0 }
        } else {
            Self { rounds: 301, turn: 0.001, budget: 15.0 }
        }
    }
}

/// The time that a closure takes.
pub fn timed(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

/// Times the contestants in turn; one sample each, in seconds.
pub fn side_by_side(plan: Plan, contestants: &mut [Contestant<'_>]) -> Vec<Sample> {
    // The warm-up fills caches and determines how often each contestant must work in a turn.
    let repeats: Vec<usize> = contestants
        .iter_mut()
        .map(|contestant| {
            contestant();
            let once = contestant().as_secs_f64().max(1e-9);
            ((plan.turn / once).ceil() as usize).clamp(1, 100_000)
        })
        .collect();
    let mut times = vec![Vec::with_capacity(plan.rounds); contestants.len()];
    let begin = Instant::now();
    for round in 0..plan.rounds.max(1) {
        if round >= 3 && begin.elapsed().as_secs_f64() > plan.budget {
            break;
        }
        for ((contestant, &repeats), times) in contestants.iter_mut().zip(&repeats).zip(&mut times) {
            let sum: f64 = (0..repeats).map(|_| contestant().as_secs_f64()).sum();
            times.push(sum / repeats as f64);
        }
    }
    times.into_iter().map(Sample::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn contestants_take_turns() {
        let order = RefCell::new(String::new());
        let plan = Plan { rounds: 3, turn: 1e-9, budget: 10.0 };
        let mut a = || {
            order.borrow_mut().push('a');
            Duration::from_millis(2)
        };
        let mut b = || {
            order.borrow_mut().push('b');
            Duration::from_millis(4)
        };
        let samples = side_by_side(plan, &mut [&mut a, &mut b]);
        assert_eq!(*order.borrow(), "aabbababab", "warm-up, then in turn");
        assert_eq!((samples[0].len(), samples[0].median(), samples[1].median()), (3, 0.002, 0.004));
    }

    #[test]
    fn short_work_is_repeated_until_the_turn_is_long_enough() {
        let mut calls = 0;
        let mut work = || {
            calls += 1;
            Duration::from_micros(10)
        };
        side_by_side(Plan { rounds: 2, turn: 1e-3, budget: 10.0 }, &mut [&mut work]);
        assert_eq!(calls, 2 + 2 * 100);
    }
}
