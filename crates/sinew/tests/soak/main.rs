//! Random scenes, settings and users: whatever comes in, nothing panics, every state is finite, and FEPR never leaves more energy than there is.
//!
//! 1000 cases, every fifth of them with contact; with `SINEW_SOAK` (`cargo xtask soak`) 100,000. A case is its number: `SINEW_SOAK_CASES=17` plays that one alone and
//! `SINEW_SOAK_CASES=0..500` a range. `SINEW_SOAK_WITHOUT="wind edits body-1"` leaves features out of every case and keeps the rest as it was, to
//! find out what a failure needs: `body-0` to `body-2`, `bones`, `kinematic`, `pins`, `attachments`, `gravity`, `wind`, `grabs`, `acceleration`,
//! `colliders`, `edits`.

#[path = "../support/mod.rs"]
mod support;

mod bodies;
mod choices;
mod drive;
mod gremlin;
mod meetings;
mod play;
mod random;
mod scene;
mod skeletons;

use play::{Outcome, Pools, play};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Every fifth case has contact.
fn has_contact(case: u64) -> bool {
    case % 5 == 4
}

/// `17` or `0..500`.
fn range(asked: &str) -> Range<u64> {
    let number = |text: &str| text.trim().parse().expect("cases are given as 17 or 0..500");
    match asked.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => number(asked)..number(asked) + 1,
    }
}

fn cases() -> Range<u64> {
    if let Ok(asked) = std::env::var("SINEW_SOAK_CASES") {
        return range(&asked);
    }
    0..if std::env::var_os("SINEW_SOAK").is_some() { 100_000 } else { 1000 }
}

/// Plays the cases that `of` selects on all cores; returns what went wrong, in the order of the cases, and what the rest did.
fn play_all(of: impl Fn(u64) -> bool + Sync) -> (Vec<String>, Vec<Outcome>) {
    let (range, of) = (cases(), &of);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let pools = Pools([1, 2].map(pool));
    let (next, results) = (AtomicU64::new(range.start), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= range.end {
                return;
            }
            if of(case) {
                let played = catch_unwind(AssertUnwindSafe(|| play(case, has_contact(case), &pools)))
                    .unwrap_or_else(|_| Err("panicked".to_owned()));
                results.lock().unwrap().push((case, played));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(work);
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(case, _)| *case);
    let (mut failures, mut outcomes) = (Vec::new(), Vec::new());
    for (case, played) in results {
        match played {
            Ok(outcome) => outcomes.push(outcome),
            Err(what) => failures.push(format!("SINEW_SOAK_CASES={case}: {what}")),
        }
    }
    (failures, outcomes)
}

/// Prints what was counted, and fails if anything failed.
fn conclude((failures, outcomes): (Vec<String>, Vec<Outcome>)) {
    let sum = |of: fn(&Outcome) -> usize| outcomes.iter().map(of).sum::<usize>();
    println!(
        "{} cases kept every promise: {} refusals, {} failed steps, {} steps with fepr",
        outcomes.len(),
        sum(|o| o.refusals),
        sum(|o| o.errors),
        sum(|o| o.checked)
    );
    println!(
        "{} cases started with surfaces that cross, and were not verified",
        sum(|o| usize::from(o.tangled))
    );
    let shown = failures.len().min(50);
    assert!(failures.is_empty(), "{} cases failed:\n{}", failures.len(), failures[..shown].join("\n"));
}

#[test]
fn random_scenes_stay_finite_and_below_their_budget() {
    conclude(play_all(|case| !has_contact(case)));
}

#[test]
fn random_scenes_with_contact_stay_finite_and_below_their_budget() {
    conclude(play_all(has_contact));
}
