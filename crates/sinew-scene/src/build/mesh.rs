//! The mesh of a body, from the source that the scene names.

use super::file_materials::FileMaterials;
use super::site::Site;
use crate::format::{
    CellDiagonals, CharacterMesh, ClothMesh, CubeSplit, FileMesh, Filling, InlineMesh, MeshSource, SceneError,
};
use crate::mesh_data::{MeshData, SpringEdge, SpringFamily};
use crate::models::RiggedMesh;
use crate::shapes::Net;
use crate::tetrahedralize::{ClosedSurface, Fineness, Options, tetrahedralize};
use crate::{cast, mesh_check, mesh_io, models, mujoco};
use glam::DVec3;
use std::path::Path;

/// A mesh and how it was converted to metres.
pub(super) struct Loaded {
    pub rigged: RiggedMesh,
    pub frame: FileFrame,
    /// The fine surface that comes with the mesh.
    pub skin: Option<Net>,
    /// Materials that come with the mesh.
    pub materials: Option<FileMaterials>,
    /// Sentences about what was left out or changed while reading.
    pub notes: Vec<String>,
}

/// From the coordinates of a mesh file to metres: p ↦ scale · p − centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileFrame {
    scale: f64,
    centre: DVec3,
}

impl Default for FileFrame {
    fn default() -> Self {
        Self { scale: 1.0, centre: DVec3::ZERO }
    }
}

impl FileFrame {
    /// The same with another scale.
    pub fn scaled(self, scale: Option<f64>) -> Self {
        Self { scale: scale.unwrap_or(self.scale), ..self }
    }

    pub fn place(&self, p: DVec3) -> DVec3 {
        self.scale * p - self.centre
    }
}

/// Generates or reads the mesh at rest, in metres, with its own bones.
pub(super) fn load(source: &MeshSource, folder: &Path, at: &Site<'_>) -> Result<Loaded, SceneError> {
    match source {
        MeshSource::File(mesh) => {
            let Framed { mesh, frame, materials, notes } = framed_file(mesh, folder, &at.key("file.path"))?;
            Ok(Loaded { rigged: mesh.into(), frame, skin: None, materials, notes })
        }
        MeshSource::Mujoco(mesh) => {
            let at = at.key("mujoco.path");
            let text = crate::input::read_text(&folder.join(&mesh.path));
            let text = text.map_err(|error| at.error(format!("{}: {error}", mesh.path)))?;
            let made = mujoco::parse(&text).map_err(|error| at.error(format!("{}: {error}", mesh.path)))?;
            let (mut rigged, notes) = (made.rigged, made.notes);
            rigged.mesh.points.iter_mut().for_each(|p| *p *= mesh.scale);
            rigged.rig.joints.iter_mut().for_each(|joint| joint.position *= mesh.scale);
            Ok(Loaded { rigged, frame: FileFrame::default(), skin: None, materials: None, notes })
        }
        MeshSource::Model(mesh) => {
            let made = cast::made(mesh.name, mesh.count() as usize, mesh.size);
            let made = made.map_err(|error| at.key("model").error(error.to_string()))?;
            let skin = mesh.fine_surface.then(|| made.skin.clone());
            let (frame, notes) = (FileFrame::default(), Vec::new());
            Ok(Loaded { rigged: made.rigged.clone(), frame, skin, materials: None, notes })
        }
        source => {
            let rigged = rigged_mesh_of(source).map_err(|error| at.error(error.to_string()))?;
            let (frame, notes) = (FileFrame::default(), Vec::new());
            Ok(Loaded { rigged, frame, skin: None, materials: None, notes })
        }
    }
}

/// The mesh at rest, in metres, of a source that is neither a file nor of the cast; an empty mesh for those.
///
/// # Errors
/// [`models::ModelError`] if sizes or resolutions are out of range.
pub fn mesh_of(source: &MeshSource) -> Result<MeshData, models::ModelError> {
    rigged_mesh_of(source).map(|rigged| rigged.mesh)
}

/// As [`mesh_of`], with the bones and joints that come with the mesh.
///
/// # Errors
/// [`models::ModelError`] if sizes, resolutions or numbers of bones are out of range.
pub fn rigged_mesh_of(source: &MeshSource) -> Result<RiggedMesh, models::ModelError> {
    let dressed = |made: RiggedMesh, flesh: bool| if flesh { made } else { made.without_flesh() };
    Ok(match source {
        MeshSource::Cantilever(mesh) => {
            let made = models::bone_row(mesh.length, mesh.thickness, counts(mesh.cells), 2)?;
            dressed(made, mesh.flesh)
        }
        MeshSource::Chain(mesh) => {
            let cells = counts(mesh.all_cells());
            dressed(models::bone_row(mesh.length, mesh.thickness, cells, mesh.bones as usize)?, mesh.flesh)
        }
        MeshSource::Nunchuck(mesh) => {
            models::nunchuck(mesh.length, mesh.thickness, mesh.gap, counts(mesh.cells))?
        }
        MeshSource::Bracelet(mesh) => {
            let layers = mesh.cells.div_ceil(2) as usize;
            models::bracelet(mesh.radius, mesh.beads as usize, mesh.bead_radius, layers, mesh.hinges)?
        }
        MeshSource::Character(mesh) => dressed(character(mesh)?, mesh.flesh),
        plain => plain_mesh_of(plain)?.into(),
    })
}

fn character(mesh: &CharacterMesh) -> Result<RiggedMesh, models::ModelError> {
    models::character(&models::Character {
        size: mesh.size,
        vertices: mesh.vertices as usize,
        bones: mesh.bones as usize,
        joints: mesh.joints.map(|count| count as usize),
        elastic: mesh.elastic.map(|count| count as usize),
    })
}

fn plain_mesh_of(source: &MeshSource) -> Result<MeshData, models::ModelError> {
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
        MeshSource::Sphere(mesh) => models::capsule(mesh.radius, 0.0, mesh.segments as usize),
        MeshSource::Capsule(mesh) => models::capsule(mesh.radius, mesh.length, mesh.segments as usize),
        MeshSource::Cloth(mesh) => cloth(mesh),
        MeshSource::Inline(mesh) => Ok(inline(mesh)),
        // Files are read elsewhere and the cast is made elsewhere, and meshes with bones were made above.
        _ => Ok(MeshData::default()),
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
        // A quarter turn about x: the side that faced up faces +z.
        for p in &mut mesh.points {
            *p = DVec3::new(p.x, -p.z, 0.0);
        }
    }
    Ok(mesh)
}

/// Reads a mesh file; `at` is the key that holds its path.
pub(super) fn file(file: &FileMesh, folder: &Path, at: &Site<'_>) -> Result<MeshData, SceneError> {
    framed_file(file, folder, at).map(|framed| framed.mesh)
}

struct Framed {
    mesh: MeshData,
    frame: FileFrame,
    materials: Option<FileMaterials>,
    notes: Vec<String>,
}

fn framed_file(file: &FileMesh, folder: &Path, at: &Site<'_>) -> Result<Framed, SceneError> {
    let path = folder.join(&file.path);
    let file_as_read = read_file(&path, at)?;
    let materials = FileMaterials::of(&file_as_read, &path);
    let (mut mesh, notes) = (file_as_read.mesh, file_as_read.notes);
    if let Some(filling) = &file.tetrahedralize {
        mesh = filled(mesh, filling, file.scale, &path).map_err(|what| at.error(what))?;
    }
    for p in &mut mesh.points {
        *p *= file.scale;
    }
    let mut frame = FileFrame { scale: file.scale, centre: DVec3::ZERO };
    if file.center
        && let Some(bounds) = crate::export::Bounds::of(&mesh.points)
    {
        frame.centre = bounds.centre();
        for p in &mut mesh.points {
            *p -= frame.centre;
        }
    }
    Ok(Framed { mesh, frame, materials, notes })
}

/// Reads a mesh file, with sentences about what was left out or changed.
pub(super) fn read(path: &Path, at: &Site<'_>) -> Result<(MeshData, Vec<String>), SceneError> {
    read_file(path, at).map(|file| (file.mesh, file.notes))
}

/// The same with everything else that the file has; notes name it.
fn read_file(path: &Path, at: &Site<'_>) -> Result<mesh_io::MeshFile, SceneError> {
    let mut file = mesh_io::read_file(path, mesh_io::Orientation::Positive)
        .map_err(|error| at.error(error.to_string()))?;
    file.notes.iter_mut().for_each(|note| *note = format!("{}: {note}", path.display()));
    Ok(file)
}

/// The surface of a file filled with tetrahedra, in the unit of the file.
fn filled(mut mesh: MeshData, filling: &Filling, scale: f64, path: &Path) -> Result<MeshData, String> {
    let name = path.display().to_string();
    if !mesh.tets.is_empty() {
        return Err(format!("{name}: the file has tetrahedra already; leave `tetrahedralize` out"));
    }
    if filling.repair {
        mesh = mesh_check::repair(&mesh).mesh;
    }
    let fineness = match (filling.size, filling.vertices) {
        (Some(size), _) => Fineness::Size(size / scale),
        (None, count) => Fineness::Vertices(count.unwrap_or_default() as usize),
    };
    let surface = ClosedSurface { name, points: mesh.points, triangles: mesh.triangles };
    let options = Options { fineness, coarser_inside: filling.coarser_inside };
    let made = tetrahedralize(&[surface], &options).map_err(|error| error.to_string())?;
    Ok(MeshData { points: made.points, tets: made.tets, regions: made.regions, ..MeshData::default() })
}

fn inline(mesh: &InlineMesh) -> MeshData {
    let spring = |&[a, b]: &[u32; 2]| SpringEdge { a, b, family: SpringFamily::Structural };
    MeshData {
        points: mesh.points.iter().map(|&p| DVec3::from(p)).collect(),
        tets: mesh.tets.clone(),
        regions: mesh.regions.clone().unwrap_or_default(),
        triangles: mesh.triangles.clone(),
        springs: mesh.springs.iter().map(spring).collect(),
    }
}
