//! NumPy `.npz`: named arrays in a zip file.
//!
//! | array | names | shape |
//! |---|---|---|
//! | points | `points`, `vertices`, `V`, `positions` | #V × 3 |
//! | tetrahedra | `tets`, `tetrahedra`, `cells`, `T`, `elements` | #T × 4 |
//! | triangles | `triangles`, `faces`, `F` | #F × 3 |
//! | labels of tetrahedra | `regions`, `labels` | #T |
//!
//! Vertices are counted from 0. If there is no `V` but a single name with the endings `_V` and `_F`, these are used.

mod npy;
mod strings;
mod zip;

pub use strings::read_npz_strings;

use super::error::MeshError;
use super::raw::{RawCell, RawMesh, RawPoint};
use super::source::Source;
use glam::DVec3;
use npy::Array;
use std::path::Path;
use zip::Member;

const POINTS: &[&str] = &["points", "vertices", "V", "positions"];
const TETS: &[&str] = &["tets", "tetrahedra", "cells", "T", "elements"];
const TRIANGLES: &[&str] = &["triangles", "faces", "F"];
const REGIONS: &[&str] = &["regions", "labels"];

pub(super) fn parse(source: &mut Source) -> Result<RawMesh, MeshError> {
    source.binary = true;
    let source = &*source;
    let members = zip::members(source)?;
    let part = part_of(&members);
    let find = |names: &[&str], ending: &str| {
        let of_part = part.map(|part| format!("{part}{ending}.npy"));
        let is = |member: &&Member, name: &str| member.name.strip_suffix(".npy") == Some(name);
        let by_name = names.iter().find_map(|name| members.iter().find(|member| is(member, name)));
        by_name.or_else(|| members.iter().find(|member| Some(&member.name) == of_part.as_ref()))
    };
    let Some(points) = find(POINTS, "_V") else {
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).take(12).collect();
        let what =
            format!("there is no array called {}; the file has {}", POINTS.join(", "), names.join(", "));
        return Err(source.malformed(0, what));
    };
    let mut mesh = RawMesh::default();
    let (array, offset) = load(source, points, 3)?;
    for row in 0..array.shape[0] {
        let position = DVec3::new(array.real(row, 0), array.real(row, 1), array.real(row, 2));
        mesh.points.push(RawPoint { number: row as i64, position, offset });
    }
    drop(array);
    if let Some(member) = find(TETS, "_T") {
        let (array, offset) = load(source, member, 4)?;
        for row in 0..array.shape[0] {
            let vertices = [0, 1, 2, 3].map(|k| array.int(row, k));
            mesh.tets.push(RawCell { vertices, label: None, offset });
        }
    }
    if let Some(member) = find(TRIANGLES, "_F") {
        let (array, offset) = load(source, member, 3)?;
        for row in 0..array.shape[0] {
            let vertices = [0, 1, 2].map(|k| array.int(row, k));
            mesh.triangles.push(RawCell { vertices, label: None, offset });
        }
    }
    if let Some(member) = find(REGIONS, "_regions") {
        add_regions(source, member, &mut mesh)?;
    }
    Ok(mesh)
}

/// An array of numbers of any shape.
#[derive(Clone, Debug, PartialEq)]
pub struct NpzArray {
    /// Its dimensions.
    pub shape: Vec<usize>,
    /// Its numbers, the last index fastest.
    pub numbers: Vec<f64>,
}

/// Reads the first array of these names from an `.npz` file.
///
/// # Errors
/// [`MeshError`] says what is wrong with the file, or that it has none of the arrays.
pub fn read_npz_array(path: &Path, names: &[&str]) -> Result<NpzArray, MeshError> {
    let mut source = Source::load(path)?;
    source.binary = true;
    let members = zip::members(&source)?;
    let is = |member: &&Member, name: &str| member.name.strip_suffix(".npy") == Some(name);
    let Some(member) = names.iter().find_map(|name| members.iter().find(|member| is(member, name))) else {
        return Err(source.malformed(0, format!("there is no array called {}", names.join(", "))));
    };
    let refuse =
        |what: String| source.malformed(member.offset as usize, format!("the array {} {what}", member.name));
    let array = Array::parse(zip::contents(&source, member)?).map_err(refuse)?;
    let numbers = array.all().ok_or_else(|| refuse("has the order of Fortran".into()))?;
    Ok(NpzArray { shape: array.shape, numbers })
}

/// The only name with the ending `_V`.
fn part_of(members: &[Member]) -> Option<&str> {
    let mut parts = members.iter().filter_map(|member| member.name.strip_suffix("_V.npy"));
    parts.next().filter(|_| parts.next().is_none())
}

/// An array of so many columns, and its place in the file.
fn load(source: &Source, member: &Member, columns: usize) -> Result<(Array, usize), MeshError> {
    let offset = member.offset as usize;
    let refuse = |what: String| source.malformed(offset, format!("the array {} {what}", member.name));
    let array = Array::parse(zip::contents(source, member)?).map_err(refuse)?;
    if array.rows(columns).is_none() {
        return Err(refuse(format!("has the shape {:?}; rows of {columns} are needed", array.shape)));
    }
    Ok((array, offset))
}

fn add_regions(source: &Source, member: &Member, mesh: &mut RawMesh) -> Result<(), MeshError> {
    let offset = member.offset as usize;
    let refuse = |what: String| source.malformed(offset, format!("the array {} {what}", member.name));
    let array = Array::parse(zip::contents(source, member)?).map_err(refuse)?;
    if array.shape.is_empty() || array.shape[0] == 0 {
        return Ok(());
    }
    if array.shape[..] != [mesh.tets.len()] {
        return Err(refuse(format!("has the shape {:?} for {} tetrahedra", array.shape, mesh.tets.len())));
    }
    for (row, tet) in mesh.tets.iter_mut().enumerate() {
        let label = array.int(row, 0);
        tet.label = Some(
            i32::try_from(label)
                .map_err(|_| refuse(format!("has the label {label}, which does not fit in 32 bits")))?,
        );
    }
    Ok(())
}
