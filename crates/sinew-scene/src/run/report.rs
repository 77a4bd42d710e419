//! The report of a run: the numbers that scripts and `[expect]` rely on.

use super::Run;
use super::contact::ContactReport;
use super::history::History;
use super::record::Recorder;
use super::solve::SolveReport;
use super::stillness::Stillness;
use super::totals::Totals;
use crate::format::Scene;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use sinew::{Cause, Entries, Side};

/// A body that grew beyond this many times its rest size has exploded.
const EXPLODED_GROWTH: f64 = 100.0;

/// The results of a run. Serialises to the nested JSON of `--report`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Name of the scene.
    pub scene: String,
    /// Frames simulated.
    pub frames: usize,
    /// Time step, s.
    pub h: f64,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of tetrahedra and springs.
    pub elements: usize,
    /// Number of rigid bones.
    pub bones: usize,
    /// Number of joints.
    pub joints: usize,
    /// Integrator in use.
    pub integrator: &'static str,
    /// Solver in use.
    pub solver: &'static str,
    /// How well the steps were solved.
    pub solve: SolveReport,
    /// The correction, and what it did.
    pub correction: CorrectionReport,
    /// Total energy and the ledger.
    pub energy: EnergyReport,
    /// Drift of momenta.
    pub momentum: MomentumReport,
    /// Depth, number and work of contacts.
    pub contact: ContactReport,
    /// How much motion remains.
    pub motion: MotionReport,
    /// Computing times.
    pub time_ms: TimeReport,
    /// Hash of the final state, 16 hexadecimal digits.
    pub state_hash: String,
    /// Whether a position became non-finite or a body grew beyond 100 times its rest size.
    pub exploded: bool,
    /// Why the run ended early, if it did.
    pub failure: Option<String>,
}

/// Energies in J.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EnergyReport {
    /// H at the start.
    pub initial: f64,
    /// H at the end.
    pub r#final: f64,
    /// Smallest H.
    pub min: f64,
    /// Largest H.
    pub max: f64,
    /// Work done on the bodies.
    pub added: f64,
    /// Energy taken out on purpose.
    pub dissipated: f64,
    /// max |H − (initial + added − dissipated)| over the largest kinetic energy plus the largest change of potential
    /// energy, or, for bodies at rest, over the least energy that counts as motion.
    pub drift: f64,
    /// The work, by cause.
    pub added_by: ByCause,
    /// The dissipated energy, by cause.
    pub dissipated_by: ByCause,
}

impl Default for EnergyReport {
    fn default() -> Self {
        let entries = Entries::default();
        Self {
            initial: 0.0,
            r#final: 0.0,
            min: 0.0,
            max: 0.0,
            added: 0.0,
            dissipated: 0.0,
            drift: 0.0,
            added_by: ByCause { side: Side::Added, entries },
            dissipated_by: ByCause { side: Side::Dissipated, entries },
        }
    }
}

/// The amounts of one side of the ledger by their causes, J: an object with a key for each cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByCause {
    side: Side,
    entries: Entries,
}

impl ByCause {
    /// The energy that a cause of this side added or took out, J.
    pub fn of(&self, cause: Cause) -> f64 {
        self.entries[cause]
    }
}

impl Serialize for ByCause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for cause in Cause::of(self.side) {
            map.serialize_entry(cause.name(), &self.entries[cause])?;
        }
        map.end()
    }
}

/// Drifts relative to the largest Σ mᵢ|vᵢ| and Σ mᵢ|rᵢ||vᵢ|, or, for bodies at rest, to the least that counts as motion; `None` if external
/// forces act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MomentumReport {
    /// max |P − P₀|, relative.
    pub linear_drift: Option<f64>,
    /// max |L − L₀| about the centre of mass, relative.
    pub angular_drift: Option<f64>,
}

/// Means and totals over all steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CorrectionReport {
    /// Name of the correction.
    pub kind: &'static str,
    /// Mean number of iterations per step.
    pub iterations_mean: f64,
    /// Largest number of iterations in a step.
    pub iterations_max: u64,
    /// Number of steps in which a fallback was used.
    pub fallbacks: u64,
    /// Mean number of energy evaluations per step.
    pub energy_evaluations_mean: f64,
    /// Mean number of gradient evaluations per step.
    pub gradient_evaluations_mean: f64,
}

/// How much motion remains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MotionReport {
    /// Mean frequency of the last third of the run, Hz; `None` if nothing moves.
    pub frequency_hz: Option<f64>,
    /// Mean kinetic energy of the last fifth over that of the first fifth; `None` if nothing moved at first. It says nothing about the motion
    /// that can be seen: a body that only trembles may keep all of its kinetic energy.
    pub kinetic_kept: Option<f64>,
    /// Mean of the visible motion in the first fifth, J: the kinetic energy of displacements over 0.1 s, ½ Σ m|x(t) − x(t − 0.1 s)|²/(0.1 s)². `None` if
    /// the fifth is shorter than that.
    pub visible_first: Option<f64>,
    /// The same in the last fifth, J.
    pub visible_last: Option<f64>,
    /// `visible_last` over `visible_first`; `None` if nothing moved at first.
    pub visible_kept: Option<f64>,
    /// Frequency of the motion of the whole, Hz: the highest peak in the spectrum of the centre of mass and the moments Σ m x Xᵀ. `None` if the run is too
    /// short, or if nothing repeats.
    pub visible_hz: Option<f64>,
}

/// Computing times, ms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TimeReport {
    /// Mean time of a step.
    pub step_mean: f64,
    /// Median time of a step.
    pub step_p50: f64,
    /// 99th percentile of the time of a step.
    pub step_p99: f64,
    /// Mean time of the solver.
    pub solve_mean: f64,
    /// Mean time of the correction.
    pub correct_mean: f64,
    /// Mean time of contact detection.
    pub contact_mean: f64,
}

impl Report {
    pub(super) fn of(run: &Run) -> Self {
        let scene = run.scene();
        let (totals, history) = (run.recorder.totals(), run.recorder.history());
        let (model, settings) = (scene.model(), scene.settings());
        let isolated = model.is_isolated() && settings.damping.ether == 0.0 && nothing_acts_on(&scene.scene);
        let exploded = run.failure().is_some() || totals.growth > EXPLODED_GROWTH;
        // Of each step; the initial state is none.
        let steps = history.frames() as f64;
        Self {
            scene: run.name().to_owned(),
            frames: history.frames(),
            h: settings.h,
            vertices: model.vertex_count(),
            elements: model.element_count(),
            bones: model.bone_count(),
            joints: model.joint_count(),
            integrator: settings.integrator.name(),
            solver: settings.solver.name(),
            solve: SolveReport::of(totals, steps, settings),
            correction: correction(settings.correction.name(), totals, steps),
            energy: energy(&run.recorder, &run.stillness),
            momentum: if isolated { momentum(totals, &run.stillness) } else { MomentumReport::default() },
            contact: ContactReport::of(totals, steps, scene),
            motion: motion(&run.recorder),
            time_ms: times(history, totals),
            state_hash: format!("{:016x}", scene.state.hash()),
            exploded,
            failure: run.failure().map(ToString::to_string),
        }
    }
}

/// Whether a scene has no collider, air, acceleration or drag, all of which change momenta. Contact of bodies with each
/// other does not.
fn nothing_acts_on(scene: &Scene) -> bool {
    scene.colliders.is_empty() && scene.wind.is_none() && scene.acceleration.is_none() && !scene.has_drags()
}

/// What the potentials other than gravity store at the start, J. The potential of gravity depends on the choice of the origin.
fn stored(recorder: &Recorder) -> f64 {
    let potentials = recorder.potentials().iter().zip(&recorder.history().rows()[0].potentials);
    potentials.filter(|(name, _)| *name != "gravity").map(|(_, energy)| energy.abs()).sum()
}

fn energy(recorder: &Recorder, stillness: &Stillness) -> EnergyReport {
    let (totals, rows) = (recorder.totals(), recorder.history().rows());
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    let in_motion = totals.kinetic + totals.change;
    EnergyReport {
        initial: first.total(),
        r#final: last.total(),
        min: totals.low,
        max: totals.high,
        added: last.added,
        dissipated: last.dissipated,
        drift: share(totals.error, in_motion.max(stillness.energy(stored(recorder)))),
        added_by: ByCause { side: Side::Added, entries: last.entries },
        dissipated_by: ByCause { side: Side::Dissipated, entries: last.entries },
    }
}

fn momentum(totals: &Totals, stillness: &Stillness) -> MomentumReport {
    MomentumReport {
        linear_drift: Some(share(totals.linear, totals.linear_scale.max(stillness.linear))),
        angular_drift: Some(share(totals.angular, totals.angular_scale.max(stillness.angular))),
    }
}

fn correction(kind: &'static str, totals: &Totals, steps: f64) -> CorrectionReport {
    let mean_of = |sum: f64| mean(sum, steps).unwrap_or(0.0);
    CorrectionReport {
        kind,
        iterations_mean: mean_of(totals.iterations),
        iterations_max: totals.most_iterations as u64,
        fallbacks: totals.fallbacks as u64,
        energy_evaluations_mean: mean_of(totals.energy_evaluations),
        gradient_evaluations_mean: mean_of(totals.gradient_evaluations),
    }
}

fn motion(recorder: &Recorder) -> MotionReport {
    let history = recorder.history();
    let n = history.frames();
    let fifth = n.div_ceil(5);
    let ends = [0..fifth, n - fifth..n].map(|frames| history.sum(frames));
    let [kinetic_first, kinetic_last] = ends.map(|sum| mean(sum.kinetic, sum.frames));
    let [visible_first, visible_last] = ends.map(|sum| mean(sum.visible, sum.seen));
    let kept = |before: Option<f64>, after: Option<f64>| match (before, after) {
        (Some(before), Some(after)) if before > 0.0 => Some(after / before),
        _ => None,
    };
    let last_third = history.sum(n - n.div_ceil(3)..n);
    MotionReport {
        frequency_hz: mean(last_third.frequency, last_third.moving),
        kinetic_kept: kept(kinetic_first, kinetic_last),
        visible_first,
        visible_last,
        visible_kept: kept(visible_first, visible_last),
        visible_hz: recorder.swing().frequency(),
    }
}

/// Percentiles are those of the kept rows: of a long run, a sample.
fn times(history: &History, totals: &Totals) -> TimeReport {
    let mean_of = |sum: f64| mean(sum, history.frames() as f64).unwrap_or(0.0);
    let mut sorted: Vec<f64> = history.rows()[1..].iter().map(|row| row.times.step).collect();
    sorted.sort_by(f64::total_cmp);
    TimeReport {
        step_mean: mean_of(totals.step),
        step_p50: percentile(&sorted, 0.5),
        step_p99: percentile(&sorted, 0.99),
        solve_mean: mean_of(totals.solve),
        correct_mean: mean_of(totals.correct),
        contact_mean: mean_of(totals.contact),
    }
}

/// The value that a share `p` (0 to 1) of the sorted values does not exceed; 0 without values.
pub fn percentile(sorted: &[f64], p: f64) -> f64 {
    let rank = (p * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

fn mean(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}

/// `part` over `whole`; 0 if `part` is 0.
fn share(part: f64, whole: f64) -> f64 {
    if part == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use super::super::Row;
    use super::*;

    fn row(kinetic: f64, potential: f64, target: f64) -> Row {
        Row { kinetic, potentials: vec![potential], target, ..Row::default() }
    }

    fn energy_of(rows: &[Row]) -> EnergyReport {
        energy(&Recorder::of(&["springs"], rows), &Stillness::default())
    }

    /// The first of the rows is that of the initial state.
    fn motion_of(rows: &[Row]) -> MotionReport {
        motion(&Recorder::of(&[], rows))
    }

    #[test]
    fn drift_is_measured_against_what_the_energy_did() {
        let energy = energy_of(&[row(4.0, -100.0, -96.0), row(1.0, -98.0, -96.0), row(0.0, -99.0, -96.0)]);
        assert_eq!(energy.drift, 3.0 / (4.0 + 2.0));
        assert_eq!((energy.initial, energy.r#final, energy.min, energy.max), (-96.0, -99.0, -99.0, -96.0));
    }

    #[test]
    fn a_body_that_never_moves_has_no_drift() {
        assert_eq!(energy_of(&[row(0.0, 5.0, 5.0), row(0.0, 5.0, 5.0)]).drift, 0.0);
        // Rounding of what it stores: 1e-15 J of 5 J are far below the millionth of it that counts as rest.
        assert!(energy_of(&[row(0.0, 5.0, 5.0), row(0.0, 5.0 + 1e-15, 5.0)]).drift < 1e-9);
    }

    #[test]
    fn kinetic_kept_compares_the_last_fifth_with_the_first() {
        let mut rows = vec![row(100.0, 0.0, 0.0)];
        rows.extend((0..10).map(|i| row(if i < 2 { 8.0 } else { i as f64 }, 0.0, 0.0)));
        assert_eq!(motion_of(&rows).kinetic_kept, Some(8.5 / 8.0));
        assert_eq!(motion_of(&rows[..1]), MotionReport::default());
    }

    #[test]
    fn visible_kept_leaves_out_what_is_not_known_yet() {
        let seen = |visible| Row { visible, ..Row::default() };
        let mut rows = vec![seen(f64::NAN); 3];
        rows.extend((3..=20).map(|i| seen(i as f64)));
        let found = motion_of(&rows);
        assert_eq!(
            (found.visible_first, found.visible_last),
            (Some(3.5), Some(18.5)),
            "frames 3, 4 and 17 to 20"
        );
        assert_eq!(found.visible_kept, Some(18.5 / 3.5));
        let short = motion_of(&rows[..6]);
        assert_eq!((short.visible_first, short.visible_last, short.visible_kept), (None, Some(5.0), None));
    }

    #[test]
    fn frequency_is_the_mean_of_the_last_third_without_stillness() {
        let rows: Vec<Row> = [9.0, 9.0, 9.0, 9.0, 9.0, f64::NAN, 3.0]
            .map(|frequency| Row { frequency, ..Row::default() })
            .to_vec();
        assert_eq!(motion_of(&rows).frequency_hz, Some(3.0));
    }

    /// What is reported of a run that is too long to be kept is what all its rows would give.
    #[test]
    fn a_long_run_is_reported_like_a_short_one() {
        let rows: Vec<Row> = (0..20_001).map(|i| row(2.0 + (i as f64).sin(), 0.0, 2.0)).collect();
        let recorder = Recorder::of(&["springs"], &rows);
        assert!(recorder.history().rows().len() < 5000 && recorder.history().frames() == 20_000);
        let all = |rows: &[Row]| rows.iter().map(|row| row.kinetic).sum::<f64>() / rows.len() as f64;
        let kept = all(&rows[16_001..]) / all(&rows[1..4001]);
        assert!((motion(&recorder).kinetic_kept.unwrap() - kept).abs() < 1e-3);
        let most = rows.iter().map(|row| row.kinetic).fold(0.0, f64::max);
        assert_eq!(energy(&recorder, &Stillness::default()).max, most);
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let sorted: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!((percentile(&sorted, 0.5), percentile(&sorted, 0.99)), (100.0, 198.0));
        assert_eq!((percentile(&[7.0], 0.99), percentile(&[], 0.5)), (7.0, 0.0));
    }
}
