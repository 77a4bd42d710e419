//! One mesh into a file; the extension of its name is the format.
//!
//! Formats of volumes keep tetrahedra with their regions, and triangles beside them. Formats of surfaces get the boundary of tetrahedra, or the triangles if there are no tetrahedra.
//! STL and glTF have single precision; everything else reads back to the same bits, OBJ to nine digits.

use super::error::MeshError;
use super::{write_medit, write_obj};
use crate::export::ExportError;
use crate::export::series::{Array, Cells, Field, NpzWriter, Part, Spool, write_gltf, write_ply, write_vtu};
use crate::mesh_check;
use crate::mesh_data::MeshData;
use crate::surface::{area_vector, corners};
use glam::DVec3;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Endings of files that hold tetrahedra.
pub const SOLID_ENDINGS: [&str; 5] = ["mesh", "msh", "node", "vtu", "npz"];
/// Endings of files that hold a surface.
pub const SURFACE_ENDINGS: [&str; 5] = ["obj", "ply", "stl", "off", "glb"];

/// The ending of a file's name, in small letters.
fn ending(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

/// Whether [`write()`] knows the ending of a name.
pub fn writable(path: &Path) -> bool {
    let ending = ending(path);
    SOLID_ENDINGS.into_iter().chain(SURFACE_ENDINGS).any(|known| known == ending)
}

/// Writes a mesh by the extension of the file's name: [`SOLID_ENDINGS`] and [`SURFACE_ENDINGS`].
///
/// # Errors
/// [`MeshError::UnknownFormat`] for other extensions and [`MeshError::Io`] if the file cannot be written.
pub fn write(path: &Path, mesh: &MeshData) -> Result<(), MeshError> {
    let io = |source| MeshError::Io { file: path.to_owned(), source };
    match ending(path).as_str() {
        "mesh" => write_medit(path, mesh),
        "msh" => write_gmsh(path, mesh).map_err(io),
        "node" if mesh.tets.is_empty() => Err(io(std::io::Error::other(
            "there are no tetrahedra, and TetGen's pair of files holds nothing else",
        ))),
        "node" => write_tetgen(path, mesh).map_err(io),
        "vtu" => write_cells(path, mesh).map_err(|error| from_export(path, error)),
        "npz" => write_arrays(path, mesh).map_err(|error| from_export(path, error)),
        _ => {
            let (points, triangles) = surface(mesh);
            match ending(path).as_str() {
                "obj" => write_obj(path, &points, &triangles),
                "ply" => write_ply(path, &points, &triangles).map_err(|error| from_export(path, error)),
                "stl" => write_stl(path, &points, &triangles).map_err(io),
                "off" => write_off(path, &points, &triangles).map_err(io),
                "glb" => write_still(path, points, triangles).map_err(|error| from_export(path, error)),
                _ => Err(MeshError::UnknownFormat { file: path.to_owned() }),
            }
        }
    }
}

fn from_export(path: &Path, error: ExportError) -> MeshError {
    let source = match error {
        ExportError::Io { source, .. } => source,
        other => std::io::Error::other(other.to_string()),
    };
    MeshError::Io { file: path.to_owned(), source }
}

/// The points and triangles of a surface, without points that no triangle uses.
fn surface(mesh: &MeshData) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    if mesh.tets.is_empty() {
        return (mesh.points.clone(), mesh.triangles.clone());
    }
    let mut triangles = mesh_check::boundary(&mesh.tets);
    let mut number = vec![u32::MAX; mesh.points.len()];
    triangles.iter().flatten().for_each(|&v| number[v as usize] = 0);
    let mut points = Vec::new();
    for (place, &at) in number.iter_mut().zip(&mesh.points).filter(|(place, _)| **place == 0) {
        *place = points.len() as u32;
        points.push(at);
    }
    triangles.iter_mut().flatten().for_each(|v| *v = number[*v as usize]);
    (points, triangles)
}

fn write_off(path: &Path, points: &[DVec3], triangles: &[[u32; 3]]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "OFF\n{} {} 0", points.len(), triangles.len())?;
    for p in points {
        writeln!(out, "{:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    for [a, b, c] in triangles {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    out.flush()
}

fn write_stl(path: &Path, points: &[DVec3], triangles: &[[u32; 3]]) -> std::io::Result<()> {
    let count =
        u32::try_from(triangles.len()).map_err(|_| std::io::Error::other("too many triangles for STL"))?;
    let mut out = BufWriter::new(File::create(path)?);
    let mut head = b"binary STL written by Sinew".to_vec();
    head.resize(80, b' ');
    out.write_all(&head)?;
    out.write_all(&count.to_le_bytes())?;
    for &triangle in triangles {
        let corners = corners(points, triangle);
        let normal = area_vector(corners).normalize_or_zero();
        for value in [normal].into_iter().chain(corners).flat_map(|p| p.to_array()) {
            out.write_all(&(value as f32).to_le_bytes())?;
        }
        out.write_all(&[0, 0])?;
    }
    out.flush()
}

/// glTF of one shape that does not move.
fn write_still(path: &Path, points: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<(), ExportError> {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let part = Part { name, vertices: 0..points.len(), triangles, segments: Vec::new() };
    let mut frame = Spool::create(&path.with_extension("glb.part"), points.len())?;
    frame.push(0.0, &points)?;
    write_gltf(path, &[part], &mut frame, None)
}

/// Gmsh 2.2 as text: triangles with the label 0, then tetrahedra with their regions.
fn write_gmsh(path: &Path, mesh: &MeshData) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}", mesh.points.len())?;
    for (k, p) in mesh.points.iter().enumerate() {
        writeln!(out, "{} {:?} {:?} {:?}", k + 1, p.x, p.y, p.z)?;
    }
    let triangles = mesh.triangles.len();
    writeln!(out, "$EndNodes\n$Elements\n{}", triangles + mesh.tets.len())?;
    for (k, triangle) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|v| u64::from(v) + 1);
        writeln!(out, "{} 2 2 0 0 {a} {b} {c}", k + 1)?;
    }
    for (k, tet) in mesh.tets.iter().enumerate() {
        let [a, b, c, d] = tet.map(|v| u64::from(v) + 1);
        let region = mesh.regions.get(k).copied().unwrap_or(0);
        writeln!(out, "{} 4 2 {region} {region} {a} {b} {c} {d}", triangles + k + 1)?;
    }
    writeln!(out, "$EndElements")?;
    out.flush()
}

/// TetGen's pair: points in the `.node`, tetrahedra with their regions in the `.ele` beside it.
fn write_tetgen(path: &Path, mesh: &MeshData) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "{} 3 0 0", mesh.points.len())?;
    for (k, p) in mesh.points.iter().enumerate() {
        writeln!(out, "{} {:?} {:?} {:?}", k + 1, p.x, p.y, p.z)?;
    }
    out.flush()?;
    let mut out = BufWriter::new(File::create(path.with_extension("ele"))?);
    writeln!(out, "{} 4 1", mesh.tets.len())?;
    for (k, tet) in mesh.tets.iter().enumerate() {
        let [a, b, c, d] = tet.map(|v| u64::from(v) + 1);
        writeln!(out, "{} {a} {b} {c} {d} {}", k + 1, mesh.regions.get(k).copied().unwrap_or(0))?;
    }
    out.flush()
}

fn write_cells(path: &Path, mesh: &MeshData) -> Result<(), ExportError> {
    let mut cells = Cells::default();
    cells.add_tets(&mesh.tets);
    cells.add_triangles(&mesh.triangles);
    let mut regions = mesh.regions.clone();
    regions.resize(cells.len(), 0);
    let fields = [Field::CellInts("region", &regions)];
    write_vtu(path, &mesh.points, &cells, if mesh.regions.is_empty() { &[] } else { &fields })
}

fn write_arrays(path: &Path, mesh: &MeshData) -> Result<(), ExportError> {
    let mut out = NpzWriter::create(path)?;
    let points: Vec<f64> = mesh.points.iter().flat_map(|p| p.to_array()).collect();
    out.array("points", &[mesh.points.len(), 3], Array::Reals(&points))?;
    if !mesh.tets.is_empty() {
        out.array("tets", &[mesh.tets.len(), 4], Array::Indices(mesh.tets.as_flattened()))?;
    }
    if !mesh.triangles.is_empty() {
        out.array("triangles", &[mesh.triangles.len(), 3], Array::Indices(mesh.triangles.as_flattened()))?;
    }
    if !mesh.regions.is_empty() {
        out.array("regions", &[mesh.regions.len()], Array::Ints(&mesh.regions))?;
    }
    out.finish()
}
