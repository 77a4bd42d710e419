//! Comparison with other simulators: the same bodies, the same formula for energy, one after the other on one machine.
//!
//! A rival is a package that users install, driven by a small program of ours in `peers/`. It reads the body that `subject` exports, times
//! its own steps and writes its frames; `energy` measures them like ours. Our runs come before the first rival and after each of them, so
//! that a busy machine affects all.
//!
//! A rival that cannot be installed or run gets a line in the table that says why.

mod beside;
mod drape;
mod dump;
mod energy;
mod folder;
mod meshers;
mod ours;
mod process;
mod rivals;
mod subject;
mod table;

pub use beside::{Beside, beside, shared};
pub(crate) use drape::drape;
pub use folder::Folder;
pub(crate) use meshers::{MESHERS, Mesher};

use crate::catalogue::Options;
use crate::error::BenchError;
use crate::machine;
use crate::record::{Bound, Detail, Record};
use crate::statistics::Sample;
use dump::Dump;
use energy::{Motion, Scale};
use rivals::{Aim, Configuration, RIVALS, Rival};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use subject::{Scene, Subject};
use table::{Row, Who, tabulate};

/// Stiffnesses, as factors of the shipped one.
const FACTORS: [f64; 3] = [1.0, 10.0, 100.0];
/// Ten seconds, and the frames of a quick run.
const FRAMES: usize = 300;
const QUICK_FRAMES: usize = 15;
/// Frames of our runs between the rivals, which only measure time.
const FRAMES_BETWEEN: usize = 60;

/// Scene C.
pub fn cloth(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let results = compare(Scene::Cloth, options, progress)?;
    let record = results.record(id, Rival::Jolt, Aim::Energy);
    let record = results.judge_against(record, Rival::Jolt, Aim::Energy, 1.5);
    let record = results.judge_against(record, Rival::Rapier, Aim::Energy, 4.0);
    let report = &results.report;
    Ok(results.judge_ours(
        record
            .detail(Detail::bounded("energy.drift", report.energy.drift, "", Bound::AtMost(1e-6)))
            .detail(Detail::bounded(
                "motion.kinetic_kept",
                report.motion.kinetic_kept.unwrap_or(f64::NAN),
                "",
                Bound::AtLeast(0.85),
            ))
            .detail(visible_kept(report)),
    ))
}

/// Scene B.
pub fn bar(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let results = compare(Scene::Bar, options, progress)?;
    let record = results.record(id, Rival::Rapier, Aim::Speed);
    let record = results.judge_against(record, Rival::Rapier, Aim::Speed, 2.0);
    let kinetic = results.report.motion.kinetic_kept.unwrap_or(f64::NAN);
    Ok(results.judge_ours(
        record
            .detail(Detail::new("energy.drift", results.report.energy.drift, ""))
            .detail(Detail::new("motion.kinetic_kept", kinetic, ""))
            .detail(visible_kept(&results.report)),
    ))
}

/// What the kinetic energy cannot tell: how much of it is motion that can be seen.
fn visible_kept(report: &sinew_scene::run::Report) -> Detail {
    Detail::new("motion.visible_kept", report.motion.visible_kept.unwrap_or(f64::NAN), "")
}

/// The rows of all simulators, and our report at the shipped stiffness.
struct Results {
    rows: Vec<Row>,
    report: sinew_scene::run::Report,
    scene: Scene,
    sag: f64,
}

impl Results {
    fn ours(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.who == Who::Ours && row.factor == 1.0)
    }

    fn theirs(&self, rival: Rival, aim: Aim) -> Option<&Row> {
        self.rows.iter().find(|row| row.who == Who::Rival(rival, aim) && row.factor == 1.0)
    }

    fn record(&self, id: &str, rival: Rival, aim: Aim) -> Record {
        let nothing = Sample::default();
        let record = Record::new(id, self.ours().map_or(&nothing, |row| &row.times), "ms a frame");
        let configuration = rival.configurations(self.scene).into_iter().find(|c| c.aim == aim);
        let name = format!("{}, {}", rival.name(), configuration.map_or("", |c| c.name));
        let record = record.against(name, self.theirs(rival, aim).map_or(&nothing, |row| &row.times));
        record.table(tabulate(self.scene, &self.rows)).note(format!(
            "{} threads; ms is the median of a frame of 1/30 s; kept = (H − H_static)/(H₀ − H_static) after 10 s; KE = peak kinetic \
             energy of the last 2 s over that of the first 2 s; visible = mean visible motion of the same parts; sag is the mean depth of the lowest vertex in the last 2 s (in \
             equilibrium {:.3} m at the shipped stiffness); energies by Sinew's formula for everybody",
            machine::cores(),
            self.sag
        ))
    }

    fn judge_against(&self, record: Record, rival: Rival, aim: Aim, goal: f64) -> Record {
        let median = |row: Option<&Row>| row.map_or(f64::NAN, |row| row.times.median());
        let ratio = median(self.theirs(rival, aim)) / median(self.ours());
        record.detail(Detail::bounded(format!("ratio to {}", rival.name()), ratio, "", Bound::AtLeast(goal)))
    }

    fn judge_ours(&self, record: Record) -> Record {
        let kept = self.ours().and_then(|row| row.kept).map_or(f64::NAN, |kept| kept.energy);
        record.detail(Detail::bounded("energy kept", kept, "", Bound::AtLeast(0.99)))
    }
}

fn compare(scene: Scene, options: &Options, progress: &mut dyn FnMut(&str)) -> Result<Results, BenchError> {
    let folder = Folder::open(&options.peers)?;
    let installed: Vec<(Rival, Result<(), String>)> = RIVALS
        .into_iter()
        .map(|rival| {
            progress(&format!("installs {}", rival.name()));
            (rival, folder.install(rival))
        })
        .collect();
    let cores = machine::cores();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(cores)
        .build()
        .map_err(|error| BenchError::CannotRun(format!("threads cannot be started: {error}")))?;

    let (mut rows, mut shipped) = (Vec::new(), None);
    let factors = if options.quick { &FACTORS[..1] } else { &FACTORS[..] };
    for &factor in factors {
        let frames = if options.quick { QUICK_FRAMES } else { FRAMES };
        let subject = Subject { scene, factor, frames };
        let built = subject.build()?;
        let body = folder.run_file(&format!("{}-{factor}.txt", scene.name()));
        std::fs::write(&body, subject.export(&built)?).map_err(BenchError::file(&body))?;
        progress(&format!("{} ×{factor}: equilibrium", scene.name()));
        let h = built.scene.h;
        let mut scale = Scale::new(Arc::clone(built.model()), &built.state, h)?;

        progress(&format!("{} ×{factor}: Sinew", scene.name()));
        let ours = ours::run(&subject, frames, &mut scale, &pool, options.peers_budget)?;
        let mut our_times = ours.times;
        let mut theirs = Vec::new();
        for (rival, status) in &installed {
            for configuration in rival.configurations(scene) {
                progress(&format!("{} ×{factor}: {}, {}", scene.name(), rival.name(), configuration.name));
                let run = Bout { folder: &folder, rival: *rival, configuration, body: &body, options };
                let outcome = status.clone().and_then(|()| run.fight(&mut scale, &subject));
                theirs.push(Row::of_rival(*rival, &configuration, factor, outcome, scene, scale.floor(), h));
            }
            if status.is_ok() {
                let between = frames.min(FRAMES_BETWEEN);
                our_times
                    .extend(ours::run(&subject, between, &mut scale, &pool, options.peers_budget)?.times);
            }
        }
        rows.push(Row::of_ours(factor, our_times, &ours.motion, scale.floor(), h));
        rows.extend(theirs);
        shipped.get_or_insert((ours.report, scale.sag));
    }
    let (report, sag) = shipped.ok_or_else(|| BenchError::CannotRun("nothing was run".into()))?;
    Ok(Results { rows, report, scene, sag })
}

/// One run of one rival.
struct Bout<'a> {
    folder: &'a Folder,
    rival: Rival,
    configuration: Configuration,
    body: &'a Path,
    options: &'a Options,
}

impl Bout<'_> {
    /// Runs it and measures its frames; the error is a few words for the table.
    fn fight(&self, scale: &mut Scale, subject: &Subject) -> Result<(Vec<f64>, Motion, String), String> {
        let name = format!(
            "{}-{}-{:?}-{}",
            subject.scene.name(),
            subject.factor,
            self.rival,
            self.configuration.aim.name()
        );
        let out = self.folder.run_file(&format!("{name}.bin"));
        let _ = std::fs::remove_file(&out);
        let mut command = self.rival.command(self.folder, self.body, &out, &self.configuration);
        command.env("SINEW_PEERS_BUDGET", self.options.peers_budget.to_string());
        // The driver ends itself after its budget; set-up and compilation take additional time.
        let limit = Duration::from_secs_f64(2.0 * self.options.peers_budget + 240.0);
        // Some write files into their working folder.
        let log = self.folder.log(&name);
        command.current_dir(self.folder.root());
        process::run(&mut command, &log, limit)?;
        let bytes = std::fs::read(&out).map_err(|error| format!("no frames: {error}"))?;
        let _ = std::fs::remove_file(&out);
        let vertices = subject.build().map_err(|error| error.to_string())?.model().vertex_count();
        let dump = Dump::read(&bytes, vertices)?;
        let mut motion = Motion { wanted: subject.frames, ..Motion::default() };
        scale.restart();
        for (x, v) in &dump.frames {
            match scale.weigh(x, v) {
                Some(frame) => motion.frames.push(frame),
                None => {
                    motion.exploded = true;
                    break;
                }
            }
        }
        Ok((dump.times, motion, process::note(&log)))
    }
}
