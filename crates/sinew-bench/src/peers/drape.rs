//! A cloth falls on a sphere, here and in other simulators: the time of a frame, and how many surfaces cross in everybody's frames.
//!
//! The same exact test counts for all: how many edges of the cloth go through its triangles. The sphere is the true one and not a mesh, so what is inside it is
//! counted by distance: vertices, and edges by their point that is closest to the centre, more than a millimetre deep, so that nobody is blamed for rounding or
//! for the chords of a triangle mesh. Everybody gets the same contact distance and friction, and one thread.

use super::dump::Dump;
use super::folder::Folder;
use super::process;
use super::rivals::{Configuration, Rival};
use super::subject::{Scene, export};
use crate::catalogue::Options;
use crate::contact::scenes::{FRICTION, Recipe, SPHERE, THICKNESS};
use crate::error::BenchError;
use crate::record::{Bound, Detail, Record, Table, number};
use crate::statistics::Sample;
use glam::DVec3;
use sinew::{Model, State};
use sinew_scene::build::BuiltScene;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Cells to a side of the cloth.
const CELLS: usize = 45;
const QUICK_CELLS: usize = 12;
const QUICK_FRAMES: usize = 12;

/// How deep in the sphere something must be to count, m.
const DEEP: f64 = 1e-3;

/// Those that have both cloth and colliders, and can be driven from here.
const RIVALS: [Rival; 2] = [Rival::Jolt, Rival::Rapier];

/// Adds the comparison to the record of contact.
pub fn drape(
    record: Record,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let folder = Folder::open(&options.peers)?;
    let recipe = Recipe::drape(if options.quick { QUICK_CELLS } else { CELLS })?;
    let frames = if options.quick { QUICK_FRAMES } else { recipe.frames() };
    let built = recipe.with()?;
    let body = folder.run_file("drape.txt");
    std::fs::write(&body, export(&built, frames, 1.0)?).map_err(BenchError::file(&body))?;
    let judge = Judge::new(&recipe)?;

    progress("cloth on a sphere: Sinew");
    let (mut times, motion) = ours(built, frames, options.peers_budget);
    let mut rows = Vec::new();
    for rival in RIVALS {
        progress(&format!("installs {}", rival.name()));
        let status = folder.install(rival);
        for configuration in rival.configurations(Scene::Cloth) {
            progress(&format!("cloth on a sphere: {}, {}", rival.name(), configuration.name));
            let bout = Bout { folder: &folder, rival, configuration, body: &body, options };
            let name = format!("{}, {}", rival.name(), configuration.name);
            rows.push(match status.clone().and_then(|()| bout.fight(judge.model.vertex_count())) {
                Ok((times, motion)) => Row::of(name, times, &motion, &judge, frames),
                Err(why) => Row::failed(name, why),
            });
        }
        // Ours again, so that a busy machine affects all.
        if status.is_ok() {
            times.extend(ours(recipe.with()?, frames, options.peers_budget).0);
        }
    }
    let ours = Row::of("Sinew, fepr".into(), times, &motion, &judge, frames);
    let (crossings, inside) = ours.verdict.map_or((f64::NAN, f64::NAN), |verdict| {
        (verdict.crossings as f64, (verdict.vertices + verdict.edges) as f64)
    });
    rows.insert(0, ours);
    Ok(record
        .detail(Detail::bounded("crossings in Sinew's frames", crossings, "", Bound::AtMost(0.0)))
        .detail(Detail::bounded("vertices and edges of Sinew in the sphere", inside, "", Bound::AtMost(0.0)))
        .table(tabulate(&rows, &judge, frames))
        .note(format!(
            "other simulators: one thread; contact distance {} mm and friction {FRICTION} for everybody; crossings are edges through triangles of the cloth, by the same exact \
             test for all; in the sphere is what is more than {} mm deep in the true sphere; the numbers are the most in a frame",
            1e3 * THICKNESS,
            1e3 * DEEP
        )))
}

/// Milliseconds of each frame, and positions, the initial ones first.
type Motion = (Vec<f64>, Vec<Vec<DVec3>>);

/// Our own run; it ends early if a step fails or its time is up.
fn ours(mut built: BuiltScene, frames: usize, budget: f64) -> Motion {
    let (mut times, mut motion) = (Vec::new(), vec![built.state.positions().to_vec()]);
    let begin = Instant::now();
    while motion.len() <= frames && begin.elapsed().as_secs_f64() < budget {
        let start = Instant::now();
        if built.step(|_| Ok(()), &mut |_| {}).is_err() {
            break;
        }
        times.push(1e3 * start.elapsed().as_secs_f64());
        motion.push(built.state.positions().to_vec());
    }
    (times, motion)
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
    /// Runs it; the error is a few words for the table.
    fn fight(&self, vertices: usize) -> Result<Motion, String> {
        let name = format!("drape-{:?}-{}", self.rival, self.configuration.aim.name());
        let (out, log) = (self.folder.run_file(&format!("{name}.bin")), self.folder.log(&name));
        let _ = std::fs::remove_file(&out);
        let mut command = self.rival.command(self.folder, self.body, &out, &self.configuration);
        command.env("SINEW_PEERS_BUDGET", self.options.peers_budget.to_string());
        command.env("RAYON_NUM_THREADS", "1");
        command.current_dir(self.folder.root());
        let limit = Duration::from_secs_f64(2.0 * self.options.peers_budget + 240.0);
        process::run(&mut command, &log, limit)?;
        let bytes = std::fs::read(&out).map_err(|error| format!("no frames: {error}"))?;
        let _ = std::fs::remove_file(&out);
        let dump = Dump::read(&bytes, vertices)?;
        Ok((dump.times, dump.frames.into_iter().map(|(x, _)| x).collect()))
    }
}

/// Counts what is where it must not be. It knows the cloth without the sphere, so that the exact test counts the cloth with itself.
struct Judge {
    model: Arc<Model>,
    state: State,
    edges: Vec<[u32; 2]>,
}

/// The most of each in one frame of a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Verdict {
    /// Edges through triangles of the cloth.
    crossings: usize,
    /// Frames that have any.
    crossed: usize,
    /// Of the frame at the end.
    left: usize,
    /// Vertices and edges deep in the sphere.
    vertices: usize,
    edges: usize,
    /// The deepest point of an edge in the sphere, m; 0 if none.
    deepest: f64,
    /// Mean height of the vertices at the end, m: whether the cloths lie alike.
    height: f64,
    /// Whether a frame was no longer finite.
    exploded: bool,
}

impl Judge {
    fn new(recipe: &Recipe) -> Result<Self, BenchError> {
        let BuiltScene { simulator, state, .. } = recipe.without_colliders()?;
        let model = Arc::clone(simulator.model());
        let triangles = model.bodies().iter().flat_map(|body| &body.surface);
        let edges: BTreeSet<[u32; 2]> = triangles
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        Ok(Self { model, state, edges: edges.into_iter().collect() })
    }

    /// Watches a motion, up to a frame that is not finite.
    fn watch(&self, motion: &[Vec<DVec3>]) -> Verdict {
        let mut verdict = Verdict::default();
        for x in motion {
            let mut state = self.state.clone();
            if x.len() != state.positions().len()
                || state.edit(&self.model, |to, _| to.copy_from_slice(x)).is_err()
            {
                verdict.exploded = true;
                break;
            }
            let crossings = state.crossings(&self.model);
            verdict.crossings = verdict.crossings.max(crossings);
            verdict.crossed += usize::from(crossings > 0);
            verdict.left = crossings;
            let depth = |p: DVec3| SPHERE.1 - p.distance(SPHERE.0);
            let along = |&[a, b]: &[u32; 2]| depth(closest(x[a as usize], x[b as usize], SPHERE.0));
            let (vertices, edges) = (x.iter().map(|&p| depth(p)), self.edges.iter().map(along));
            verdict.vertices = verdict.vertices.max(vertices.filter(|&depth| depth > DEEP).count());
            verdict.edges = verdict.edges.max(edges.clone().filter(|&depth| depth > DEEP).count());
            verdict.deepest = edges.fold(verdict.deepest, f64::max);
            verdict.height = x.iter().map(|p| p.y).sum::<f64>() / x.len() as f64;
        }
        verdict
    }
}

/// The point of an edge that is closest to another.
fn closest(a: DVec3, b: DVec3, to: DVec3) -> DVec3 {
    let way = b - a;
    let share = (to - a).dot(way) / way.length_squared();
    // An edge without a length is a point.
    if share.is_finite() { a + share.clamp(0.0, 1.0) * way } else { a }
}

/// A line of the table.
struct Row {
    name: String,
    times: Sample,
    verdict: Option<Verdict>,
    note: String,
}

impl Row {
    fn of(name: String, times: Vec<f64>, motion: &[Vec<DVec3>], judge: &Judge, frames: usize) -> Self {
        let verdict = judge.watch(motion);
        let note = match (verdict.exploded, motion.len() <= frames) {
            (true, _) => "explodes".to_owned(),
            (false, true) => format!("ends after {} of {frames} frames", motion.len() - 1),
            (false, false) => String::new(),
        };
        Self { name, times: Sample::new(times), verdict: Some(verdict), note }
    }

    fn failed(name: String, why: String) -> Self {
        Self { name, times: Sample::default(), verdict: None, note: why }
    }
}

fn tabulate(rows: &[Row], judge: &Judge, frames: usize) -> Table {
    let triangles: usize = judge.model.bodies().iter().map(|body| body.surface.len()).sum();
    let vertices = judge.model.vertex_count();
    let title = format!(
        "A cloth of {vertices} vertices and {triangles} triangles falls on a sphere, {frames} frames of 1/30 s"
    );
    let columns = [
        "simulator",
        "ms a frame",
        "spread",
        "crossings",
        "at the end",
        "frames with any",
        "vertices in the sphere",
        "edges in the sphere",
        "deepest (mm)",
        "mean height at the end (m)",
        "note",
    ];
    let mut table = Table::new(title, &columns);
    for row in rows {
        let of = |value: &dyn Fn(&Verdict) -> String| row.verdict.as_ref().map_or_else(|| "–".into(), value);
        table.rows.push(vec![
            row.name.clone(),
            number(row.times.median()),
            number(row.times.spread()),
            of(&|verdict| verdict.crossings.to_string()),
            of(&|verdict| verdict.left.to_string()),
            of(&|verdict| verdict.crossed.to_string()),
            of(&|verdict| verdict.vertices.to_string()),
            of(&|verdict| verdict.edges.to_string()),
            of(&|verdict| format!("{:.1}", 1e3 * verdict.deepest)),
            of(&|verdict| format!("{:.3}", verdict.height)),
            row.note.clone(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge() -> (Judge, Vec<DVec3>) {
        let judge = Judge::new(&Recipe::drape(8).unwrap()).unwrap();
        let x = judge.state.positions().to_vec();
        (judge, x)
    }

    #[test]
    fn a_flat_cloth_above_the_sphere_is_clean() {
        let (judge, x) = judge();
        let height = x[0].y;
        let verdict = judge.watch(&[x]);
        assert!((verdict.height - height).abs() < 1e-12);
        assert_eq!(Verdict { height: 0.0, ..verdict }, Verdict::default());
        // 9 · 8 edges along each side of the grid, and a diagonal in each cell.
        assert_eq!(judge.edges.len(), 2 * 72 + 64);
    }

    #[test]
    fn a_corner_pulled_through_the_cloth_crosses_it() {
        let (judge, x) = judge();
        let mut pulled = x.clone();
        // What is around the corner goes under the cloth, and the corner up through the middle of it.
        [1, 9, 10].into_iter().for_each(|i: usize| pulled[i] -= 0.05 * DVec3::Y);
        pulled[0] = (x[40] + x[41] + x[49]) / 3.0 + 0.05 * DVec3::Y;
        let verdict = judge.watch(&[x, pulled]);
        assert!(verdict.crossings > 0 && verdict.crossed == 1 && verdict.left == verdict.crossings);
        assert_eq!((verdict.vertices, verdict.deepest), (0, 0.0));
    }

    #[test]
    fn what_is_in_the_sphere_counts_if_it_is_deep() {
        let (judge, x) = judge();
        let down = |by: f64| x.iter().map(|p| *p - by * DVec3::Y).collect::<Vec<_>>();
        let top = x[40].y - SPHERE.1;
        assert_eq!(judge.watch(&[down(top + 0.5 * DEEP)]).vertices, 0);
        let verdict = judge.watch(&[down(top + 2.0 * DEEP)]);
        assert!((verdict.deepest - 2.0 * DEEP).abs() < 1e-12);
        // The middle vertex, and at least the edges that end in it.
        assert!(verdict.vertices == 1 && verdict.edges >= 4, "{verdict:?}");
    }

    #[test]
    fn a_motion_that_is_not_finite_explodes() {
        let (judge, x) = judge();
        let row = Row::of("x".into(), vec![1.0], &[x.clone(), vec![DVec3::NAN; x.len()]], &judge, 1);
        assert_eq!(row.note, "explodes");
        let row = Row::of("x".into(), vec![1.0], &[x.clone(), x], &judge, 5);
        assert_eq!(row.note, "ends after 1 of 5 frames");
    }
}
