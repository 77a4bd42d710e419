//! Real scans: neutral and expressions of the ICT FaceKit's face, as scans of one person.
//!
//! The files are those that [`perform::ict`](crate::perform::ict) reads. Skin is the face and the head with the neck; what is behind lips and eyelids, teeth and eyes is left out.

use super::fit::Target;
use super::landmarks::{Pair, parse_pairs};
use super::model::Face;
use super::scan::Scan;
use crate::error::FaceError;
use crate::mesh::ObjFile;
use glam::DVec3;
use sinew_scene::mesh_io::{read_npz_array, read_npz_strings};
use std::path::Path;

/// Pairs of landmarks of the built-in head with the vertices of this face: those of Multi-PIE, and some more around the head.
pub const PAIRS: &str = include_str!("ict.landmarks");
/// Its unit, m.
pub const UNIT: f64 = 0.01;
/// Vertices of the skin: face, head and neck.
const SKIN: u32 = 11248;
/// Vertices of the narrow face, from the forehead to the chin: what scans are compared on.
const NARROW: usize = 6706;

/// The face and its expressions.
#[derive(Clone, Debug)]
pub struct IctScans {
    /// The neutral scan, m; triangles of the skin only.
    pub neutral: Scan,
    names: Vec<String>,
    deltas: Vec<f64>,
}

impl IctScans {
    /// Reads `ict_neutral.obj` and `ict_expressions_dev24.npz` from a folder.
    ///
    /// # Errors
    /// [`FaceError`] if a file is missing or is not what it should be.
    pub fn load(folder: &Path) -> Result<Self, FaceError> {
        let (obj, npz) = (folder.join("ict_neutral.obj"), folder.join("ict_expressions_dev24.npz"));
        let mesh = ObjFile::read(&obj)?;
        let wrong = |error: sinew_scene::mesh_io::MeshError| FaceError::file(&npz, error.to_string());
        let names = read_npz_strings(&npz, "names").map_err(wrong)?;
        let array = read_npz_array(&npz, &["delta"]).map_err(wrong)?;
        if array.shape != [names.len(), mesh.points.len(), 3] || mesh.points.len() < SKIN as usize {
            let what = format!(
                "the expressions have the shape {:?} for {} vertices",
                array.shape,
                mesh.points.len()
            );
            return Err(FaceError::file(&npz, what));
        }
        let triangles = mesh.triangles.into_iter().filter(|t| t.iter().all(|v| *v < SKIN)).collect();
        let points = mesh.points.into_iter().map(|p| UNIT * p).collect();
        Ok(Self { neutral: Scan { points, triangles }, names, deltas: array.numbers })
    }

    /// Landmarks of a face with their places on the neutral scan.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if the face has other landmarks than the built-in head.
    pub fn pairs(&self, face: &Face) -> Result<Vec<Pair>, FaceError> {
        parse_pairs(PAIRS, face, &self.neutral.points, UNIT).map_err(FaceError::Muscles)
    }

    /// Points of the neutral scan that are compared.
    pub fn compared(&self) -> &[DVec3] {
        &self.neutral.points[..NARROW]
    }

    /// Names of the expressions.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// An expression as a scan, all of its points.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if there is none with this name.
    pub fn expression(&self, name: &str) -> Result<Target, FaceError> {
        let at = (self.names.iter().position(|n| n == name))
            .ok_or_else(|| FaceError::Muscles(format!("there is no expression `{name}` in the data")))?;
        let n = self.neutral.points.len();
        let moved = self.deltas[3 * n * at..3 * n * (at + 1)].chunks_exact(3).map(DVec3::from_slice);
        let points = self.neutral.points.iter().zip(moved).map(|(p, d)| *p + UNIT * d).collect();
        Ok(Target { name: name.to_owned(), points })
    }
}
