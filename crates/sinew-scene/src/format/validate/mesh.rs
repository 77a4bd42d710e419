//! Meshes: extents, resolutions, and for inline meshes everything.

use super::super::mesh::{ClothMesh, FileMesh, Filling, InlineMesh, MeshSource};
use super::at::{At, Verdict};

/// Largest number of cells of a generated mesh; a mistyped resolution must not use up the memory.
const MAX_CELLS: f64 = 1e7;
/// Largest number of segments of a circle, for the same reason.
pub(super) const MAX_SEGMENTS: usize = 1000;
/// Largest number of bones of a generated mesh, for the same reason.
const MAX_BONES: usize = 100_000;

pub(super) fn check(mesh: &MeshSource, at: &At<'_>) -> Verdict {
    match mesh {
        MeshSource::Tetrahedron(mesh) => at.key("tetrahedron").positive("edge", mesh.edge),
        MeshSource::Box(mesh) => {
            let at = at.key("box");
            at.all_positive("size", &mesh.size)?;
            cells(&mesh.cells, &at)
        }
        MeshSource::Bar(mesh) => {
            let at = at.key("bar");
            at.positive("length", mesh.length)?;
            at.positive("width", mesh.width)?;
            at.positive("height", mesh.height)?;
            cells(&mesh.cells, &at)
        }
        MeshSource::Ball(mesh) => {
            let at = at.key("ball");
            at.positive("radius", mesh.radius)?;
            at.count("cells", mesh.cells as usize, 1, MAX_CELLS.cbrt() as usize)
        }
        MeshSource::Sphere(mesh) => {
            let at = at.key("sphere");
            at.positive("radius", mesh.radius)?;
            at.count("segments", mesh.segments as usize, 3, MAX_SEGMENTS)
        }
        MeshSource::Capsule(mesh) => {
            let at = at.key("capsule");
            at.positive("radius", mesh.radius)?;
            at.require("length", mesh.length > 0.0 && mesh.length.is_finite(), || {
                format!("must be positive, is {}; without length it is a sphere", mesh.length)
            })?;
            at.count("segments", mesh.segments as usize, 3, MAX_SEGMENTS)
        }
        MeshSource::Cloth(mesh) => cloth(mesh, &at.key("cloth")),
        MeshSource::Cantilever(mesh) => {
            let at = at.key("cantilever");
            at.positive("length", mesh.length)?;
            at.positive("thickness", mesh.thickness)?;
            cells(&mesh.cells, &at)
        }
        MeshSource::Chain(mesh) => {
            let at = at.key("chain");
            at.count("bones", mesh.bones as usize, 1, MAX_BONES)?;
            at.positive("length", mesh.length)?;
            at.positive("thickness", mesh.thickness)?;
            cells(&mesh.all_cells(), &at)
        }
        MeshSource::Nunchuck(mesh) => {
            let at = at.key("nunchuck");
            at.positive("length", mesh.length)?;
            at.positive("thickness", mesh.thickness)?;
            at.non_negative("gap", mesh.gap)?;
            cells(&mesh.cells, &at)
        }
        MeshSource::Bracelet(mesh) => {
            let at = at.key("bracelet");
            at.count("beads", mesh.beads as usize, 3, MAX_BONES)?;
            at.positive("radius", mesh.radius)?;
            at.positive("bead_radius", mesh.bead_radius)?;
            at.count("cells", mesh.cells as usize, 1, MAX_CELLS.cbrt() as usize)
        }
        MeshSource::Character(mesh) => {
            let at = at.key("character");
            at.all_positive("size", &mesh.size)?;
            at.count("vertices", mesh.vertices as usize, 8, MAX_CELLS as usize)?;
            at.count("bones", mesh.bones as usize, 0, MAX_BONES)
        }
        MeshSource::Figure(mesh) => {
            let at = at.key("figure");
            at.require("path", !mesh.path.trim().is_empty(), || "must not be empty".into())?;
            at.non_negative("start", mesh.start)?;
            at.positive("scale", mesh.scale)
        }
        MeshSource::Face(mesh) => {
            let at = at.key("face");
            let named = mesh.path.as_ref().is_none_or(|path| !path.trim().is_empty());
            at.require("path", named, || "must not be empty".into())?;
            let fat = mesh.fat;
            let lips = mesh.lips;
            at.require("lips", (0.0..=0.002).contains(&lips), || {
                format!("must be between 0 and 0.002 m, is {lips}")
            })?;
            at.require("fat", (0.5..=2.0).contains(&fat), || format!("must be between 0.5 and 2, is {fat}"))
        }
        MeshSource::Mujoco(mesh) => {
            let at = at.key("mujoco");
            at.require("path", !mesh.path.trim().is_empty(), || "must not be empty".into())?;
            at.positive("scale", mesh.scale)
        }
        MeshSource::Model(mesh) => {
            let at = at.key("model");
            at.positive("size", mesh.size)?;
            at.count("vertices", mesh.count() as usize, 20, MAX_CELLS as usize)
        }
        MeshSource::File(mesh) => file(mesh, &at.key("file")),
        MeshSource::Inline(mesh) => inline(mesh, &at.key("inline")),
    }
}

pub(super) fn file(mesh: &FileMesh, at: &At<'_>) -> Verdict {
    at.require("path", !mesh.path.trim().is_empty(), || "must not be empty".into())?;
    at.positive("scale", mesh.scale)?;
    mesh.tetrahedralize.as_ref().map_or(Ok(()), |filling| fill(filling, &at.key("tetrahedralize")))
}

fn fill(filling: &Filling, at: &At<'_>) -> Verdict {
    if let Some(size) = filling.size {
        at.positive("size", size)?;
    }
    if let Some(vertices) = filling.vertices {
        at.count("vertices", vertices as usize, 20, MAX_CELLS as usize)?;
    }
    match (filling.size, filling.vertices) {
        (Some(_), None) | (None, Some(_)) => Ok(()),
        (Some(_), Some(_)) => Err(at.error("has both `size` and `vertices`; give one of them")),
        (None, None) => Err(at.error("needs `size`, in metres, or `vertices`, their number")),
    }
}

fn cells(cells: &[u32], at: &At<'_>) -> Verdict {
    let each = at.key("cells");
    for (i, &count) in cells.iter().enumerate() {
        each.require(&i.to_string(), count >= 1, || format!("must be at least 1, is {count}"))?;
    }
    let total: f64 = cells.iter().map(|&count| f64::from(count)).product();
    at.require("cells", total <= MAX_CELLS, || {
        format!("make {total} cells together; at most {MAX_CELLS} are possible")
    })
}

fn cloth(cloth: &ClothMesh, at: &At<'_>) -> Verdict {
    at.all_positive("size", &cloth.size)?;
    cells(&cloth.cells, at)?;
    at.require("structural", cloth.structural || cloth.shear || cloth.bend, || {
        "a cloth needs springs: one of structural, shear and bend must be true".into()
    })
}

fn inline(mesh: &InlineMesh, at: &At<'_>) -> Verdict {
    let vertices = mesh.points.len();
    at.require("points", vertices > 0, || "must not be empty".into())?;
    elements("springs", &mesh.springs, vertices, at)?;
    elements("tets", &mesh.tets, vertices, at)?;
    elements("triangles", &mesh.triangles, vertices, at)?;

    per("regions", mesh.regions.as_deref(), mesh.tets.len(), "tetrahedra", at)?;
    per("masses", mesh.masses.as_deref(), vertices, "vertices", at)?;
    per("positions", mesh.positions.as_deref(), vertices, "vertices", at)?;
    per("velocities", mesh.velocities.as_deref(), vertices, "vertices", at)?;
    per("rest_lengths", mesh.rest_lengths.as_deref(), mesh.springs.len(), "springs", at)?;
    per("stiffnesses", mesh.stiffnesses.as_deref(), mesh.springs.len(), "springs", at)?;

    each(mesh.masses.as_deref(), |&mass| mass > 0.0, "must be positive", "masses", at)?;
    each(mesh.rest_lengths.as_deref(), |&length| length >= 0.0, "must not be negative", "rest_lengths", at)?;
    each(mesh.stiffnesses.as_deref(), |&k| k >= 0.0, "must not be negative", "stiffnesses", at)
}

/// Checks that elements name existing vertices, and none of them twice.
fn elements<const N: usize>(key: &str, elements: &[[u32; N]], vertices: usize, at: &At<'_>) -> Verdict {
    let at = at.key(key);
    for (i, element) in elements.iter().enumerate() {
        for (k, &vertex) in element.iter().enumerate() {
            if vertex as usize >= vertices {
                let message = format!("there is no vertex {vertex}: there are {vertices} points");
                return Err(at.index(i).index(k).error(message));
            }
            if element[..k].contains(&vertex) {
                return Err(at.index(i).error(format!("names vertex {vertex} twice")));
            }
        }
    }
    Ok(())
}

/// Checks that a list has one value for each of `count` items.
fn per<T>(key: &str, values: Option<&[T]>, count: usize, what: &str, at: &At<'_>) -> Verdict {
    let length = values.map_or(count, <[T]>::len);
    at.require(key, length == count, || format!("has {length} values for {count} {what}"))
}

fn each(values: Option<&[f64]>, holds: impl Fn(&f64) -> bool, rule: &str, key: &str, at: &At<'_>) -> Verdict {
    let values = values.unwrap_or_default();
    match values.iter().position(|value| !holds(value)) {
        Some(i) => Err(at.key(key).index(i).error(format!("{rule}, is {}", values[i]))),
        None => Ok(()),
    }
}
