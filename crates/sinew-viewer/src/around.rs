//! A scene around a mesh that somebody dropped on the page: what it is made of follows from what the file has.
//!
//! Tetrahedra are a soft body, a closed surface is filled with them, and an open surface is a cloth. The longest side becomes one metre,
//! since mesh files do not say their unit; the text says so, and the page can edit it.

use crate::library::MAX_VERTICES;
use glam::DVec3;
use sinew_scene::mesh_check::{bounds, repair};
use sinew_scene::mesh_data::MeshData;
use sinew_scene::mesh_io::{Orientation, read_file};
use sinew_scene::surface::Edges;
use std::collections::BTreeMap;
use std::path::Path;

/// About how many vertices a surface is filled with: enough to look like it, few enough for real time.
const FILLING: usize = 900;
/// Open edges for each triangle, up to which a surface has holes instead of being a sheet.
const HOLES: f64 = 0.02;
/// Room between the body and the floor, m.
const FALL: f64 = 0.4;

/// The text of a scene with the mesh of a file; `name` is what the text calls the file.
///
/// # Errors
/// A sentence: what is wrong with the file, or why nothing can be made of it.
pub fn scene_around(path: &Path, name: &str) -> Result<String, String> {
    let file = read_file(path, Orientation::Positive).map_err(|error| error.to_string())?;
    let mesh = &file.mesh;
    let (low, high) = bounds(&mesh.points).ok_or_else(|| format!("{name}: the file has no points"))?;
    let side = (high - low).max_element();
    if !side.is_finite() || side <= 0.0 {
        return Err(format!("{name}: all points of the file are in one place"));
    }
    if mesh.points.len() > MAX_VERTICES && !mesh.tets.is_empty() {
        let count = mesh.points.len();
        return Err(format!(
            "{name}: {count} vertices are too many for the viewer; it shows up to {MAX_VERTICES}"
        ));
    }
    // Four digits are plenty, and a text that one wants to read.
    let scale: f64 = format!("{:.3e}", 1.0 / side).parse().unwrap_or(1.0);
    let half = 0.5 * (high - low).y * scale;
    // As JSON writes it, which is also how TOML does.
    let quoted = serde_json::Value::from(name).to_string();
    let title = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let title = serde_json::Value::from(title).to_string();
    let (what, elements, material, below) = if !mesh.tets.is_empty() {
        ("Its tetrahedra are a soft body.", String::new(), SOFT, FLOOR)
    } else if mesh.triangles.is_empty() {
        return Err(format!("{name}: the file has neither tetrahedra nor triangles"));
    } else if is_closed(mesh, 1e-6 * side) {
        let filling = format!(", tetrahedralize = {{ vertices = {FILLING}, repair = true }}");
        ("Its closed surface is filled with tetrahedra.", filling, SOFT, FLOOR)
    } else {
        ("Its surface is open: it is a cloth.", String::new(), CLOTH, SPHERE)
    };
    let height = format!("{:.3}", half + FALL + if below == SPHERE { 0.5 } else { 0.0 });
    Ok(format!(
        "# {what} Mesh files have no unit: its longest side is taken to be 1 m.\n\
         title = {title}\nframes = 300\nh = \"1/60\"\ngravity = [0, -9.81, 0]\ncorrection.kind = \"fepr\"\n\n\
         [contact]\nfriction = 0.5\n\n[material]\n{material}\n\
         [[body]]\nmesh.file = {{ path = {quoted}, scale = {scale:e}, center = true{elements} }}\n\
         initial.translate = [0, {height}, 0]\n\n{below}"
    ))
}

/// Whether a surface encloses something, up to small holes that a repair fills. Corners in one place are one, as exporters write them.
fn is_closed(mesh: &MeshData, near: f64) -> bool {
    let mut places = BTreeMap::new();
    let place = |p: &DVec3| (*p / near).to_array().map(|c| c.round() as i64);
    let welded: Vec<u32> =
        mesh.points.iter().enumerate().map(|(i, p)| *places.entry(place(p)).or_insert(i as u32)).collect();
    let triangles: Vec<[u32; 3]> =
        mesh.triangles.iter().map(|triangle| triangle.map(|v| welded[v as usize])).collect();
    let open = Edges::new(&triangles).open().count() as f64;
    open == 0.0
        || open < HOLES * triangles.len() as f64
            && Edges::new(&repair(mesh).mesh.triangles).open().next().is_none()
}

const SOFT: &str = "young = 1e5      # Pa; less is softer\npoisson = 0.4\ndensity = 1000   # kg/m³\n";
const CLOTH: &str = "mass = 0.5       # kg\nstiffness = 500  # N/m\n";
const FLOOR: &str = "[[collider]]\nshape.plane = {}\n";
const SPHERE: &str = "[[collider]]\nshape.sphere = { radius = 0.3 }\nposition = [0, 0.4, 0]\n\n[[collider]]\nshape.plane = {}\n";
