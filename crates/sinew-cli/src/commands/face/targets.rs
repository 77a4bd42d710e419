//! Scans for `sinew face fit`.

use super::bad;
use crate::failure::Failure;
use glam::DVec3;
use sinew_face::mesh::ObjFile;
use sinew_face::muscles::Face;
use sinew_face::muscles::fit::{Observation, Target};
use std::path::{Path, PathBuf};

/// Scans farther than this from the skin of the neutral face are not seen, m.
const NEAR: f64 = 0.015;

/// Targets, what is observed of the face, and the vertex of the face to which each point belongs.
pub struct Scans {
    pub seen: Observation,
    pub targets: Vec<Target>,
}

/// Reads all OBJ files of a folder. Points correspond by index: to the vertices of the face, or, with a neutral scan, to its points, which lie on the nearest places of the skin.
pub fn read(face: &Face, folder: &Path, neutral: Option<&Path>, unit: f64) -> Result<Scans, Failure> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| Failure::Input(format!("{}: {error}", folder.display())))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("obj")));
    paths.sort();
    if paths.is_empty() {
        return Err(Failure::Input(format!("{}: there are no scans, .obj files", folder.display())));
    }
    let points = |path: &Path| -> Result<Vec<DVec3>, Failure> {
        let list = ObjFile::read(path).map_err(bad)?.points;
        Ok(list.into_iter().map(|p| 1e-3 * unit * p).collect())
    };
    let (kept, seen, count) = match neutral {
        Some(path) => {
            let neutral = points(path)?;
            let (kept, seen) = Observation::nearest(face, &neutral, NEAR).map_err(bad)?;
            (kept, seen, neutral.len())
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
                    "the face; for scans of another topology give --neutral, the neutral scan in the place of the face"
                }
            };
            return Err(Failure::Input(format!(
                "{}: {} vertices, but {count} in {what}",
                path.display(),
                list.len()
            )));
        }
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        targets.push(Target { name, points: kept.iter().map(|&k| list[k]).collect() });
    }
    Ok(Scans { seen, targets })
}
