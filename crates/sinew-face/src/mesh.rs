//! OBJ files that come back as they were: faces, texture coordinates, groups and the text of every vertex that did not change.
//!
//! A correction moves the inner lips only. Every other line of the file, and with it every other vertex, is copied byte by byte; moved vertices are
//! written with as many digits as it takes to read the same number again. Vertices that no face uses keep their numbers.

use crate::error::FaceError;
use glam::DVec3;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An OBJ file in memory.
#[derive(Clone, Debug, Default)]
pub struct ObjFile {
    /// The file.
    pub path: PathBuf,
    bytes: Vec<u8>,
    /// Where the coordinates of each vertex are, #V.
    places: Vec<Range<usize>>,
    /// Positions, #V.
    pub points: Vec<DVec3>,
    /// Colours, #V, where the file gives them.
    pub colours: Vec<Option<[f64; 3]>>,
    /// Faces as fans of triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Names of groups, and the vertices of their faces.
    pub groups: Vec<(String, Vec<u32>)>,
}

impl ObjFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`FaceError`] with the line.
    pub fn read(path: &Path) -> Result<Self, FaceError> {
        let limit = sinew_scene::input::MAX_DATA;
        let bytes = sinew_scene::input::read(path, limit).map_err(FaceError::io(path))?;
        let mut file = Self { path: path.to_owned(), ..Self::default() };
        let mut start = 0;
        for (number, line) in bytes.split(|&b| b == b'\n').enumerate() {
            let refuse = |what: &str| FaceError::file(path, format!("line {}: {what}", number + 1));
            let text = String::from_utf8_lossy(line);
            let mut words = text.split_whitespace();
            match words.next() {
                Some("v") => {
                    let numbers: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
                    if numbers.len() < 3 {
                        return Err(refuse("a vertex needs three coordinates"));
                    }
                    file.places.push(start..start + line.len());
                    file.points.push(DVec3::from_slice(&numbers));
                    let colour = (numbers.len() >= 6).then(|| [numbers[3], numbers[4], numbers[5]]);
                    file.colours.push(colour);
                }
                Some("f") => {
                    let corners: Option<Vec<u32>> =
                        words.map(|word| corner(word, file.points.len())).collect();
                    let corners =
                        corners.ok_or_else(|| refuse("a face names a vertex that does not exist"))?;
                    if corners.len() < 3 {
                        return Err(refuse("a face needs three vertices"));
                    }
                    let fan = (1..corners.len() - 1).map(|k| [corners[0], corners[k], corners[k + 1]]);
                    file.triangles.extend(fan);
                    if let Some((_, list)) = file.groups.last_mut() {
                        list.extend(corners);
                    }
                }
                Some("g") => file.groups.push((words.collect::<Vec<_>>().join(" "), Vec::new())),
                _ => {}
            }
            start += line.len() + 1;
        }
        if file.points.is_empty() {
            return Err(FaceError::file(path, "it has no vertices"));
        }
        file.bytes = bytes;
        Ok(file)
    }

    /// Writes the file again with new positions of some vertices.
    ///
    /// # Errors
    /// [`FaceError::Io`].
    pub fn write_moved(&self, path: &Path, moved: &[u32], points: &[DVec3]) -> Result<(), FaceError> {
        let mut out = Vec::with_capacity(self.bytes.len() + 64 * moved.len());
        let mut from = 0;
        let mut sorted = moved.to_vec();
        sorted.sort_unstable();
        for &v in &sorted {
            let (Some(place), Some(p)) = (self.places.get(v as usize), points.get(v as usize)) else {
                continue;
            };
            out.extend_from_slice(&self.bytes[from..place.start]);
            out.extend(format!("v {} {} {}", p.x, p.y, p.z).bytes());
            let old = String::from_utf8_lossy(&self.bytes[place.clone()]);
            old.split_whitespace().skip(4).for_each(|word| out.extend(format!(" {word}").bytes()));
            if self.bytes[place.clone()].ends_with(b"\r") {
                out.push(b'\r');
            }
            from = place.end;
        }
        out.extend_from_slice(&self.bytes[from..]);
        std::fs::write(path, out).map_err(FaceError::io(path))
    }
}

/// A neutral mesh, of an OBJ or a glTF file.
#[derive(Clone, Debug, Default)]
pub struct Neutral {
    /// The file.
    pub path: PathBuf,
    /// Positions, #V.
    pub points: Vec<DVec3>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Colours, #V, where the file gives them.
    pub colours: Vec<Option<[f64; 3]>>,
    groups: Vec<(String, Vec<u32>)>,
}

impl Neutral {
    /// Reads an `.obj`, or the base of the morph targets of a `.glb` or `.gltf`.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be read or has no faces.
    pub fn read(path: &Path) -> Result<Self, FaceError> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let mesh = match ending.as_deref() {
            Some("obj") => {
                let ObjFile { points, triangles, colours, groups, .. } = ObjFile::read(path)?;
                Self { path: path.to_owned(), points, triangles, colours, groups }
            }
            Some("glb" | "gltf") => {
                let clip = sinew_scene::mesh_io::MorphClip::read(path).map_err(FaceError::mesh)?;
                let (points, triangles) = (clip.base().map_err(FaceError::mesh)?, clip.triangles().to_vec());
                Self { path: path.to_owned(), points, triangles, ..Self::default() }
            }
            _ => return Err(FaceError::file(path, "a neutral mesh is an .obj, .glb or .gltf file")),
        };
        if mesh.triangles.is_empty() {
            return Err(FaceError::file(path, "the neutral mesh has no faces"));
        }
        Ok(mesh)
    }

    /// The vertices of a group.
    ///
    /// # Errors
    /// [`FaceError`] with the groups that there are.
    pub fn group(&self, name: &str) -> Result<Vec<u32>, FaceError> {
        let parts: Vec<u32> =
            self.groups.iter().filter(|(n, _)| n == name).flat_map(|(_, list)| list.clone()).collect();
        if parts.is_empty() {
            let mut names: Vec<&str> = self.groups.iter().map(|(n, _)| n.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            let what = match names.is_empty() {
                true => format!("there is no group `{name}`: the file has none (`g NAME`)"),
                false => format!("there is no group `{name}` with faces; the file has {}", names.join(", ")),
            };
            return Err(FaceError::file(&self.path, what));
        }
        Ok(parts)
    }
}

/// The vertex of `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 0.
fn corner(word: &str, points: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let index = if number < 0 { points as i64 + number } else { number - 1 };
    (0..points as i64).contains(&index).then_some(index as u32)
}

/// Writes points and triangles with all digits.
///
/// # Errors
/// [`FaceError::Io`].
pub fn write_obj(path: &Path, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), FaceError> {
    use std::fmt::Write;
    let mut text = String::new();
    for p in points {
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    for t in triangles {
        let _ = writeln!(text, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    std::fs::write(path, text).map_err(FaceError::io(path))
}
