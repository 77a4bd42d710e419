//! The mesh of a body, from whichever source the scene names.

use super::site::Site;
use crate::format::{CellDiagonals, ClothMesh, CubeSplit, FileMesh, InlineMesh, MeshSource, SceneError};
use crate::mesh_data::{MeshData, SpringEdge, SpringFamily};
use crate::{mesh_io, models};
use glam::DVec3;
use std::path::Path;

/// Makes or reads the mesh at rest, in metres.
pub(super) fn load(source: &MeshSource, folder: &Path, at: &Site<'_>) -> Result<MeshData, SceneError> {
    match source {
        MeshSource::File(mesh) => file(mesh, folder, &at.key("file.path")),
        source => mesh_of(source).map_err(|error| at.error(error.to_string())),
    }
}

/// The mesh at rest, in metres, of a source that is no file; of a file, nothing.
///
/// # Errors
/// [`models::ModelError`] where sizes or resolutions are out of range.
pub fn mesh_of(source: &MeshSource) -> Result<MeshData, models::ModelError> {
    match source {
        MeshSource::Tetrahedron(mesh) => models::single_tetrahedron(mesh.edge),
        MeshSource::Box(mesh) => {
            models::tet_box(DVec3::from(mesh.size), counts(mesh.cells), split(mesh.split))
        }
        MeshSource::Bar(mesh) => {
            let size = DVec3::new(mesh.length, mesh.height, mesh.width);
            models::tet_box(size, counts(mesh.cells), split(mesh.split))
        }
        // Cells are counted across the ball, layers from its centre.
        MeshSource::Ball(mesh) => models::ball(mesh.radius, mesh.cells.div_ceil(2) as usize),
        MeshSource::Cloth(mesh) => cloth(mesh),
        MeshSource::Inline(mesh) => Ok(inline(mesh)),
        MeshSource::File(_) => Ok(MeshData::default()),
    }
}

fn counts<const N: usize>(cells: [u32; N]) -> [usize; N] {
    cells.map(|count| count as usize)
}

fn split(split: CubeSplit) -> models::Split {
    match split {
        CubeSplit::Five => models::Split::Five,
        CubeSplit::Six => models::Split::Six,
    }
}

fn cloth(cloth: &ClothMesh) -> Result<MeshData, models::ModelError> {
    let wanted = [
        (SpringFamily::Structural, cloth.structural),
        (SpringFamily::Shear, cloth.shear),
        (SpringFamily::Bend, cloth.bend),
    ];
    let families: Vec<_> =
        wanted.into_iter().filter(|(_, wanted)| *wanted).map(|(family, _)| family).collect();
    let diagonals = match cloth.diagonals {
        CellDiagonals::Both => models::Diagonals::Both,
        CellDiagonals::One => models::Diagonals::One,
    };
    let mut mesh = models::cloth(cloth.size, counts(cloth.cells), &families, diagonals)?;
    if cloth.vertical {
        // A quarter turn about x: the side that looked up looks along +z.
        for p in &mut mesh.points {
            *p = DVec3::new(p.x, -p.z, 0.0);
        }
    }
    Ok(mesh)
}

/// Reads a mesh file; `at` is where its path stands.
pub(super) fn file(file: &FileMesh, folder: &Path, at: &Site<'_>) -> Result<MeshData, SceneError> {
    let path = folder.join(&file.path);
    let mut mesh = mesh_io::read(&path).map_err(|error| at.error(error.to_string()))?;
    for p in &mut mesh.points {
        *p *= file.scale;
    }
    if file.center
        && let Some(bounds) = crate::export::render::Bounds::of(&mesh.points)
    {
        for p in &mut mesh.points {
            *p -= bounds.centre();
        }
    }
    Ok(mesh)
}

fn inline(mesh: &InlineMesh) -> MeshData {
    let spring = |&[a, b]: &[u32; 2]| SpringEdge { a, b, family: SpringFamily::Structural };
    MeshData {
        points: mesh.points.iter().map(|&p| DVec3::from(p)).collect(),
        tets: mesh.tets.clone(),
        triangles: mesh.triangles.clone(),
        springs: mesh.springs.iter().map(spring).collect(),
        ..MeshData::default()
    }
}
