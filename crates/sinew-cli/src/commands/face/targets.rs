//! Scans for `sinew face fit`.

use super::bad;
use crate::commands::lips::files;
use crate::failure::Failure;
use glam::DVec3;
use sinew_face::mesh::ObjFile;
use sinew_face::muscles::fit::{Observation, Prepared, Stop, Target, Weights, fit_closest};
use sinew_face::muscles::{Face, Scan, System};
use std::path::{Path, PathBuf};

/// Scans farther than this from the skin of the neutral face are not seen, m.
const NEAR: f64 = 0.015;

/// Vertices of a scan that are skin.
#[derive(Clone, Debug)]
pub struct Skin(Vec<u32>);

/// Parses `0-11247,20000`, or the name of a file with such a list.
pub fn skin(text: &str) -> Result<Skin, String> {
    files::vertices(text).map(Skin)
}

impl Skin {
    /// Which of the vertices of a scan are skin.
    pub fn mask(&self, count: usize, path: &Path) -> Result<Vec<bool>, Failure> {
        let mut mask = vec![false; count];
        for &v in &self.0 {
            *mask.get_mut(v as usize).ok_or_else(|| {
                Failure::Input(format!("{}: there is no vertex {v}: the scan has {count}", path.display()))
            })? = true;
        }
        Ok(mask)
    }
}

/// Targets, what is observed of the face, and the vertex of the face to which each point belongs.
pub struct Scans {
    pub seen: Observation,
    pub targets: Vec<Target>,
    /// Of scans without correspondences: which points found a place, scan by scan.
    pub found: Vec<Vec<bool>>,
    /// Those scans.
    pub surfaces: Vec<(String, Scan)>,
}

impl Scans {
    /// The numbers of those points of a scan that found a place on it.
    pub fn of_found(&self, scan: usize, list: Vec<f64>) -> Vec<f64> {
        match self.found.get(scan) {
            None => list,
            Some(found) => list.into_iter().zip(found).filter(|(_, found)| **found).map(|(e, _)| e).collect(),
        }
    }

    /// Looks for closest places of scans without correspondences.
    pub fn correspond(&mut self, face: &Face, system: &System, weights: &Weights) -> Result<(), Failure> {
        if self.surfaces.is_empty() {
            return Ok(());
        }
        let prepared = Prepared::new(system, &face.blend, &self.seen, face.muscles.len()).map_err(bad)?;
        (self.targets, self.found) = (Vec::new(), Vec::new());
        for (name, scan) in &self.surfaces {
            let how = (weights, &Stop::default());
            let closest = fit_closest(face, &prepared, &self.seen, (name, scan), NEAR, how).map_err(bad)?;
            self.targets.push(closest.target);
            self.found.push(closest.found);
        }
        Ok(())
    }
}

/// How scans are read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The neutral scan.
    pub neutral: Option<&'a Path>,
    /// Length of a unit, mm.
    pub unit: f64,
    /// Vertices that are skin.
    pub skin: Option<&'a Skin>,
    /// Whether places correspond by distance.
    pub closest: bool,
}

/// Reads all OBJ files of a folder. Points correspond by index: to the vertices of the face, or, with a neutral scan, to its points, which lie on the nearest places of the skin.
pub fn read(face: &Face, folder: &Path, how: &Reading<'_>) -> Result<Scans, Failure> {
    let Reading { neutral, unit, skin, closest } = *how;
    let entries = std::fs::read_dir(folder)
        .map_err(|error| Failure::Input(format!("{}: {error}", folder.display())))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("obj")));
    paths.sort();
    if paths.is_empty() {
        return Err(Failure::Input(format!("{}: there are no scans, .obj files", folder.display())));
    }
    if closest {
        return surfaces(face, &paths, how);
    }
    let points = |path: &Path| -> Result<Vec<DVec3>, Failure> {
        let list = ObjFile::read(path).map_err(bad)?.points;
        Ok(list.into_iter().map(|p| 1e-3 * unit * p).collect())
    };
    let (kept, seen, count): (Vec<usize>, _, _) = match neutral {
        Some(path) => {
            let neutral = points(path)?;
            let used: Vec<usize> = match skin {
                Some(skin) => {
                    let mask = skin.mask(neutral.len(), path)?;
                    (0..mask.len()).filter(|&v| mask[v]).collect()
                }
                None => (0..neutral.len()).collect(),
            };
            let places: Vec<DVec3> = used.iter().map(|&v| neutral[v]).collect();
            let (kept, seen) = Observation::nearest(face, &places, NEAR).map_err(bad)?;
            (kept.into_iter().map(|k| used[k]).collect(), seen, neutral.len())
        }
        None => {
            let kept = face.scanned.iter().map(|&v| v as usize).collect();
            (kept, Observation::vertices(&face.scanned), face.points.len())
        }
    };
    let mut targets = Vec::new();
    for path in paths {
        let list = points(&path)?;
        if list.len() != count {
            let what = match neutral {
                Some(_) => "the neutral scan",
                None => {
                    "the face; for scans of another topology give --neutral, the neutral scan in the place of the face, or --closest"
                }
            };
            return Err(Failure::Input(format!(
                "{}: {} vertices, but {count} in {what}",
                path.display(),
                list.len()
            )));
        }
        targets.push(Target { name: stem(&path), points: kept.iter().map(|&k| list[k]).collect() });
    }
    Ok(Scans { seen, targets, found: Vec::new(), surfaces: Vec::new() })
}

/// Scans whose vertices correspond to nothing.
fn surfaces(face: &Face, paths: &[PathBuf], how: &Reading<'_>) -> Result<Scans, Failure> {
    let mut all = Vec::new();
    for path in paths {
        let mesh = ObjFile::read(path).map_err(bad)?;
        let mut triangles = mesh.triangles;
        if let Some(skin) = how.skin {
            let mask = skin.mask(mesh.points.len(), path)?;
            triangles.retain(|t| t.iter().all(|v| mask[*v as usize]));
        }
        if triangles.is_empty() {
            return Err(Failure::Input(format!(
                "{}: closest places need a surface, and it has no triangles of skin",
                path.display()
            )));
        }
        let points = mesh.points.into_iter().map(|p| 1e-3 * how.unit * p).collect();
        all.push((stem(path), Scan { points, triangles }));
    }
    let seen = Observation::vertices(&face.scanned);
    Ok(Scans { seen, targets: Vec::new(), found: Vec::new(), surfaces: all })
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}
