//! Tetrahedra from closed surfaces, here and by other programs: how many, their angles, how far from the surface, and how long it takes.
//!
//! The size is searched for once, for about as many vertices as the table says, and is not part of the time. Others get the same size: parry3d its cells, and fTetWild the mean edge
//! of our tetrahedra as its ideal one. Ours is timed before the first of them and after each.

mod judge;
mod surfaces;

use crate::catalogue::Options;
use crate::error::BenchError;
use crate::machine;
use crate::peers::{Folder, MESHERS, Mesher};
use crate::record::{Bound, Detail, Record, Table, number};
use crate::statistics::Sample;
use judge::Verdict;
use sinew_scene::mesh_data::MeshData;
use sinew_scene::mesh_io;
use sinew_scene::tetrahedralize::{self, ClosedSurface, Fineness, Tetrahedra};
use std::time::Instant;

/// About how many vertices.
const VERTICES: usize = 10_000;
const QUICK_VERTICES: usize = 1_000;
/// How often ours is made where nobody else is.
const ROUNDS: usize = 3;

/// Goals: degrees, distance over size, and how many times fTetWild takes as long.
const ANGLE: f64 = 8.0;
const DISTANCE: f64 = 0.6;
const FASTER: f64 = 3.0;

/// What another program made and its seconds, or why it made nothing, in a few words.
type Outcome = Result<(Verdict, f64), String>;

/// What came out for one surface.
struct Filled {
    name: String,
    size: f64,
    ours: (Verdict, Sample),
    theirs: Vec<(Mesher, Outcome)>,
}

impl Filled {
    /// fTetWild's time over ours; none where it did not run.
    fn faster(&self) -> Option<f64> {
        let (_, outcome) = self.theirs.iter().find(|(mesher, _)| *mesher == Mesher::FTetWild)?;
        Some(outcome.as_ref().ok()?.1 / self.ours.1.median())
    }
}

/// The time of our meshes, against fTetWild's where it is installed.
pub fn meshing(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let folder = options.with_peers.then(|| Folder::open(&options.peers)).transpose()?;
    let mut installed = Vec::new();
    for mesher in MESHERS {
        if let Some(folder) = &folder {
            progress(&format!("installs {}", mesher.name()));
            installed.push((mesher, mesher.install(folder)));
        }
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(machine::cores())
        .build()
        .map_err(|error| BenchError::CannotRun(format!("threads cannot be started: {error}")))?;
    let mut results = Vec::new();
    for surface in surfaces::surfaces(options.quick)? {
        progress(&surface.name);
        let wanted = Fineness::Vertices(if options.quick { QUICK_VERTICES } else { VERTICES });
        let size = pool.install(|| ours(&surface, wanted))?.size;
        let made = pool.install(|| ours(&surface, Fineness::Size(size)))?;
        let verdict = Verdict::of(&made.points, &made.tets, &surface, size);
        let time = || -> Result<f64, BenchError> {
            let begin = Instant::now();
            pool.install(|| ours(&surface, Fineness::Size(size)))?;
            Ok(begin.elapsed().as_secs_f64())
        };
        let mut times = vec![time()?];
        let mut theirs = Vec::new();
        for (mesher, status) in &installed {
            let Some(folder) = &folder else { continue };
            progress(&format!("{}: {}", surface.name, mesher.name()));
            let edge = if *mesher == Mesher::FTetWild { verdict.mean_edge } else { size };
            let outcome = status.clone().and_then(|()| fill(*mesher, folder, &surface, edge, size, options));
            theirs.push((*mesher, outcome));
            times.push(time()?);
        }
        while times.len() < ROUNDS {
            times.push(time()?);
        }
        results.push(Filled { name: surface.name, size, ours: (verdict, Sample::new(times)), theirs });
    }
    Ok(record(id, &results))
}

fn ours(surface: &ClosedSurface, fineness: Fineness) -> Result<Tetrahedra, BenchError> {
    let options = tetrahedralize::Options { fineness, coarser_inside: false };
    tetrahedralize::tetrahedralize(std::slice::from_ref(surface), &options)
        .map_err(|error| BenchError::CannotRun(format!("{}: {error}", surface.name)))
}

/// What another program makes of a surface.
fn fill(
    mesher: Mesher,
    folder: &Folder,
    surface: &ClosedSurface,
    edge: f64,
    size: f64,
    options: &Options,
) -> Outcome {
    let file = folder.run_file(&format!("{}.off", surface.name));
    let mesh = MeshData {
        points: surface.points.clone(),
        triangles: surface.triangles.clone(),
        ..MeshData::default()
    };
    mesh_io::write(&file, &mesh).map_err(|error| error.to_string())?;
    let (mesh, seconds) = mesher.fill(folder, &file, edge, options.peers_budget)?;
    Ok((Verdict::of(&mesh.points, &mesh.tets, surface, size), seconds))
}

fn record(id: &str, results: &[Filled]) -> Record {
    let sum = |of: &dyn Fn(&Filled) -> f64| results.iter().map(of).sum::<f64>();
    let ours = Sample::new([sum(&|r| r.ours.1.median())]);
    let mut record = Record::new(id, &ours, "s");
    record.spread = Some(sum(&|r| r.ours.1.spread()));
    if results.iter().any(|r| r.faster().is_some()) {
        let theirs = sum(&|r| r.faster().map_or(f64::NAN, |faster| faster * r.ours.1.median()));
        record = record.against(Mesher::FTetWild.name(), &Sample::new([theirs]));
    }
    let most = |of: &dyn Fn(&Filled) -> f64| results.iter().map(of).fold(0.0, f64::max);
    let least = results.iter().map(|r| r.ours.0.least_angle).fold(f64::INFINITY, f64::min);
    let bad = sum(&|r| r.ours.0.bad as f64);
    record = record
        .detail(Detail::bounded("inverted or flat", bad, "", Bound::AtMost(0.0)))
        .detail(Detail::bounded("smallest dihedral angle", least, "°", Bound::AtLeast(ANGLE)))
        .detail(Detail::bounded(
            "distance over size",
            most(&|r| r.ours.0.distance()),
            "",
            Bound::AtMost(DISTANCE),
        ));
    for result in results {
        if let Some(faster) = result.faster() {
            let name = format!("{}, time of fTetWild over ours", result.name);
            record = record.detail(Detail::bounded(name, faster, "", Bound::AtLeast(FASTER)));
        }
    }
    record.table(table(results)).note(
        "everybody on all cores; seconds are those of the method without reading and writing, ours the median of several; angles and distances of everybody by the same code: smallest \
         dihedral angle, mean over tetrahedra of their smallest, and largest distance both ways at samples a quarter of the size apart",
    )
}

fn table(results: &[Filled]) -> Table {
    let columns = [
        "surface",
        "size",
        "by",
        "tetrahedra",
        "inverted",
        "smallest angle (°)",
        "mean (°)",
        "to the surface / size",
        "from it / size",
        "seconds",
    ];
    let mut table = Table::new("Tetrahedra of about the same size", &columns);
    for result in results {
        let mut row = |by: &str, verdict: &Verdict, seconds: f64| {
            table.rows.push(vec![
                result.name.clone(),
                number(result.size),
                by.into(),
                verdict.tets.to_string(),
                verdict.bad.to_string(),
                number(verdict.least_angle),
                number(verdict.mean_angle),
                number(verdict.to_surface),
                number(verdict.from_surface),
                number(seconds),
            ]);
        };
        row("Sinew", &result.ours.0, result.ours.1.median());
        for (mesher, outcome) in &result.theirs {
            if let Ok((verdict, seconds)) = outcome {
                row(mesher.name(), verdict, *seconds);
            }
        }
        for (mesher, why) in result.theirs.iter().filter_map(|(m, o)| Some((m, o.as_ref().err()?))) {
            let mut cells = vec![result.name.clone(), number(result.size), mesher.name().into(), why.clone()];
            cells.resize(columns.len(), "–".into());
            table.rows.push(cells);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(bad: usize) -> Verdict {
        Verdict {
            tets: 100,
            bad,
            least_angle: 12.0,
            mean_angle: 50.0,
            to_surface: 0.3,
            from_surface: 0.5,
            mean_edge: 0.9,
        }
    }

    #[test]
    fn every_goal_counts_and_a_rival_that_did_not_run_says_why() {
        let result = |bad: usize, seconds: f64| Filled {
            name: "x".into(),
            size: 1.0,
            ours: (verdict(bad), Sample::new([1.0, 1.0, 2.0])),
            theirs: vec![
                (Mesher::Parry, Err("no compiler".into())),
                (Mesher::FTetWild, Ok((verdict(0), seconds))),
            ],
        };
        let good = record("meshing", &[result(0, 9.0), result(0, 3.5)]);
        assert!(good.pass && good.ratio == Some(6.25), "{good:?}");
        assert!(good.tables[0].rows.iter().all(|row| row.len() == good.tables[0].columns.len()));
        assert!(good.tables[0].rows.iter().any(|row| row.contains(&"no compiler".to_owned())));
        assert!(!record("meshing", &[result(1, 9.0)]).pass, "an inverted tetrahedron");
        assert!(!record("meshing", &[result(0, 2.0)]).pass, "too slow");
        let alone = Filled { theirs: Vec::new(), ..result(0, 0.0) };
        assert!(record("meshing", &[alone]).pass, "without others");
    }
}
