//! The machine: its description, and how fast it streams and multiplies.

use crate::rounds::{Plan, side_by_side, timed};
use serde::{Deserialize, Serialize};
use sinew::roofline;
use std::hint::black_box;

/// The machine on which the numbers were measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name, if the system reports it.
    pub processor: String,
    /// Processors that the program may use.
    pub cores: usize,
    /// Instructions that the kernels use.
    #[serde(default)]
    pub instructions: String,
    /// Operating system and architecture.
    pub system: String,
    /// Mean number of processes that wanted to run in the last minute, if the system reports it: other work disturbs.
    pub load: String,
}

impl Machine {
    /// Describes this machine.
    pub fn here() -> Self {
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        Self {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".into()),
            cores: cores(),
            instructions: sinew::measure::instruction_set().into(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            load: load.split(' ').next().unwrap_or_default().to_owned(),
        }
    }
}

impl Machine {
    /// A remark if more processes wanted to run than the machine has cores: medians of a few milliseconds then measure waiting.
    pub fn disturbance(&self) -> Option<String> {
        let load: f64 = self.load.parse().ok()?;
        (load > 1.5 * self.cores as f64).then(|| {
            format!(
                "other programs were running (load average {load}, {} cores): times are too long, ratios of longer times uncertain",
                self.cores
            )
        })
    }
}

/// Processors that the program may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The first value of `key: value` in a file of the system.
fn field(file: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Largest memory use of the process since [`forget_peak_memory`], bytes, if the system reports it.
pub fn peak_memory() -> Option<f64> {
    let text = field("/proc/self/status", "VmHWM")?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1024.0)
}

/// Resets the peak. If the system does not allow it, the peak is that of the whole process, which is no smaller.
pub fn forget_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Quantile that defines a bound: what the best tenth of the measurements reach.
const UNDISTURBED: f64 = 0.1;

/// Bandwidth of one thread, bytes per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bandwidth {
    /// Reading alone.
    pub read: f64,
    /// Two streams in and one out.
    pub triad: f64,
}

impl Bandwidth {
    /// Measured over `bytes` in all, on the calling thread: data that fit into a cache are streamed from it.
    pub fn measure(bytes: f64, quick: bool) -> Self {
        let third = ((bytes / 24.0) as usize).max(64);
        let (b, c) = (vec![1.0; third], vec![2.0; third]);
        let mut a = vec![0.0; third];
        let values = vec![1.0; 3 * third];
        let plan = Plan { budget: if quick { 1.0 } else { 6.0 }, ..Plan::kernel(quick) };
        let samples = side_by_side(
            plan,
            &mut [&mut || timed(|| _ = black_box(roofline::sum(black_box(&values)))), &mut || {
                timed(|| roofline::triad(black_box(&mut a), black_box(&b), black_box(&c), 3.0))
            }],
        );
        let moved = 24.0 * third as f64;
        // What the machine can do, not what it did while other processes used it.
        Self {
            read: moved / samples[0].quantile(UNDISTURBED),
            triad: moved / samples[1].quantile(UNDISTURBED),
        }
    }

    /// Measured far beyond the size of any cache.
    pub fn of_memory(quick: bool) -> Self {
        Self::measure(if quick { 64e6 } else { 256e6 }, quick)
    }

    /// The larger of the two: the stricter bound for a kernel that mostly reads.
    pub fn best(self) -> f64 {
        self.read.max(self.triad)
    }
}

/// Floating-point operations per second of one thread, multiplying and adding in registers.
pub fn peak_flops(quick: bool) -> f64 {
    const ROUNDS: usize = 50_000;
    let plan = Plan { budget: 2.0, ..Plan::kernel(quick) };
    let samples =
        side_by_side(plan, &mut [&mut || timed(|| _ = black_box(roofline::multiply_add(black_box(ROUNDS))))]);
    (ROUNDS * roofline::FLOPS_PER_ROUND) as f64 / samples[0].quantile(UNDISTURBED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roofline_is_a_positive_number() {
        let bandwidth = Bandwidth::measure(3e5, true);
        assert!(bandwidth.read > 1e8 && bandwidth.triad > 1e8, "{bandwidth:?}");
        assert!(peak_flops(true) > 1e8);
    }

    #[test]
    fn a_busy_machine_is_remarked_upon() {
        let machine = |load: &str| Machine { cores: 2, load: load.into(), ..Machine::default() };
        assert_eq!(machine("1.9").disturbance(), None);
        assert_eq!(machine("").disturbance(), None);
        assert!(machine("9.5").disturbance().is_some_and(|text| text.contains("9.5")));
    }

    #[test]
    fn peak_memory_grows_with_what_is_held() {
        forget_peak_memory();
        let Some(before) = peak_memory() else { return };
        let block = black_box(vec![1u8; 300 << 20]);
        assert!(peak_memory().is_some_and(|after| after > before), "{} bytes held", block.len());
    }
}
