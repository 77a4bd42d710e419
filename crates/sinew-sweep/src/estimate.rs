//! How long a sweep takes on many cores: a simulation of the cluster.
//!
//! Workers, one per core, get tasks of whole parts from one driver. Where a task ends, the driver does its work one thing at a time: it takes the result,
//! stores each part and hands out the next task. A part costs its runs, drawn from measured times; a worker that dies loses its task. Tasks become smaller
//! towards the end (guided self-scheduling: at most 1/(2·cores) of what is left), so that no core is left alone with a long one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What things cost, s. Measured; `docs/scale.md` says how.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// The driver's work for a task: take its result, hand out the next.
    pub task: f64,
    /// The driver's work for a part: write it, rename it.
    pub part: f64,
    /// A worker's work for a task before its first run.
    pub start: f64,
    /// The merge, for a row.
    pub row: f64,
    /// Deaths of a worker in an hour.
    pub deaths: f64,
}

/// A cluster and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    /// Cores, each with a run at a time.
    pub cores: usize,
    /// Runs of the sweep.
    pub runs: u64,
    /// Runs of a part.
    pub part: u64,
    /// How long a task is to take, s.
    pub target: f64,
}

/// What the simulation found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// From start to finished table, s.
    pub seconds: f64,
    /// Computing time of the runs over the cores, s: what a perfect cluster takes.
    pub ideal: f64,
    /// Share of the time in which the driver had something to do.
    pub driver: f64,
    /// Time from the first idle core to the last finished run, s.
    pub tail: f64,
    /// Computing time that was lost to deaths, core seconds.
    pub lost: f64,
    /// Merging the table, s.
    pub merge: f64,
    /// Number of tasks.
    pub tasks: u64,
}

impl Estimate {
    /// How much of the cores' time went into runs that count.
    pub fn efficiency(&self) -> f64 {
        self.ideal / self.seconds
    }
}

/// A task under way; ordered by its end in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    ends: u64,
    parts: u64,
    first: u64,
    dies: bool,
}

/// Simulates a sweep whose runs take times drawn from `seconds`.
pub fn estimate(costs: &Costs, cluster: &Cluster, seconds: &[f64]) -> Estimate {
    let Cluster { cores, runs, part, target } = *cluster;
    if seconds.is_empty() || cores == 0 || runs == 0 || part == 0 {
        return Estimate::default();
    }
    let parts = runs.div_ceil(part);
    let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
    let usual = ((target / (mean * part as f64)).floor() as u64).max(1);
    let nanos = |seconds: f64| (seconds.max(0.0) * 1e9) as u64;
    let drawn = |run: u64| seconds[(crate::random::unit(1, "run", run) * seconds.len() as f64) as usize];
    let length = |first: u64, count: u64| {
        let runs = first * part..((first + count) * part).min(runs);
        runs.map(drawn).sum::<f64>()
    };
    let mut found =
        Estimate { ideal: (0..runs).map(drawn).sum::<f64>() / cores as f64, ..Estimate::default() };
    // Parts that a dead worker leaves behind are handed out again.
    let (mut next, mut again) = (0, Vec::<(u64, u64)>::new());
    let (mut busy, mut free, mut working) = (0_u64, 0_u64, BinaryHeap::new());
    let mut idle_since = None;
    let mut attempt = 0_u64;
    let mut hand_out = |now: u64, found: &mut Estimate, again: &mut Vec<(u64, u64)>| -> Option<Task> {
        let (first, count) = again.pop().or_else(|| {
            let left = parts - next;
            let most = (left / (2 * cores as u64)).max(1);
            let count = usual.min(most).min(left);
            let first = next;
            next += count;
            (count > 0).then_some((first, count))
        })?;
        found.tasks += 1;
        attempt += 1;
        let takes = costs.start + length(first, count);
        let hazard = 1.0 - (-costs.deaths / 3600.0 * takes).exp();
        let dies = crate::random::unit(2, "death", attempt) < hazard;
        let lives = takes * if dies { crate::random::unit(3, "death", attempt) } else { 1.0 };
        found.lost += if dies { lives } else { 0.0 };
        Some(Task { ends: now + nanos(lives), parts: count, first, dies })
    };
    for _ in 0..cores {
        free += nanos(costs.task);
        busy += nanos(costs.task);
        match hand_out(free, &mut found, &mut again) {
            Some(task) => working.push(Reverse(task)),
            None => {
                idle_since.get_or_insert(free);
                break;
            }
        }
    }
    let mut end = free;
    while let Some(Reverse(task)) = working.pop() {
        let stored = if task.dies { 0.0 } else { costs.part * task.parts as f64 };
        let work = nanos(costs.task + stored);
        // The driver may still have others to serve.
        free = free.max(task.ends) + work;
        busy += work;
        end = end.max(free);
        if task.dies {
            again.push((task.first, task.parts));
        }
        match hand_out(free, &mut found, &mut again) {
            Some(task) => working.push(Reverse(task)),
            None => {
                idle_since.get_or_insert(task.ends);
            }
        }
    }
    found.merge = costs.row * runs as f64;
    found.seconds = end as f64 * 1e-9 + found.merge;
    found.driver = busy as f64 / end.max(1) as f64;
    found.tail = (end.saturating_sub(idle_since.unwrap_or(end))) as f64 * 1e-9;
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Costs = Costs { task: 0.0, part: 0.0, start: 0.0, row: 0.0, deaths: 0.0 };

    #[test]
    fn equal_runs_without_costs_take_what_they_must() {
        let cluster = Cluster { cores: 10, runs: 1000, part: 1, target: 10.0 };
        let found = estimate(&FREE, &cluster, &[2.0]);
        assert!((found.seconds - 200.0).abs() < 1e-6 && (found.ideal - 200.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn a_slow_driver_is_what_limits() {
        let costs = Costs { task: 0.1, ..FREE };
        let cluster = Cluster { cores: 1000, runs: 10_000, part: 1, target: 0.0 };
        let found = estimate(&costs, &cluster, &[1.0]);
        // 10,000 tasks one after the other, and 1000 ends that find nothing more to hand out.
        assert!(found.seconds > 1000.0 && found.driver > 0.99, "{found:?}");
    }

    #[test]
    fn one_long_run_at_the_end_is_waited_for() {
        let cluster = Cluster { cores: 100, runs: 100, part: 1, target: 1.0 };
        let found = estimate(&FREE, &cluster, &[1.0, 50.0]);
        assert!((found.seconds - 50.0).abs() < 1e-6 && (found.tail - 49.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn deaths_cost_what_they_lose() {
        let costs = Costs { deaths: 36.0, ..FREE };
        let cluster = Cluster { cores: 50, runs: 5000, part: 1, target: 10.0 };
        let found = estimate(&costs, &cluster, &[1.0]);
        // A death in 100 s: tasks of 10 s lose about a twentieth of their time.
        let share = found.lost / (found.ideal * 50.0);
        assert!((0.02..0.10).contains(&share), "{share}: {found:?}");
        assert!(found.seconds > found.ideal);
    }
}
