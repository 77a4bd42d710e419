//! Resolves selections: from boxes, balls, planes and labels to indices.

use super::anatomy::BodyBone;
use super::site::Site;
use crate::export::Bounds;
use crate::format::{SceneError, Selection};
use crate::mesh_data::MeshData;
use crate::suggest;
use glam::DVec3;

/// The items that a selection chooses from.
pub(super) struct Candidates<'a> {
    /// What the items are called, plural.
    pub what: &'static str,
    /// Position of each item.
    pub places: &'a [DVec3],
    /// Whether each item belongs to a label of the mesh; computed for all at once, or each of a million vertices would search a million
    /// tetrahedra.
    pub in_region: &'a dyn Fn(i32) -> Vec<bool>,
    /// The labels that the mesh has.
    pub regions: &'a [i32],
    /// The bones of the body.
    pub bones: &'a [BodyBone],
    /// Whether each item has only vertices among these.
    pub all_among: &'a dyn Fn(&[usize]) -> Vec<bool>,
}

impl<'a> Candidates<'a> {
    /// The selected indices, in ascending order. Selecting nothing is an error, because it is never intended.
    pub fn choose(&self, select: &Selection, at: &Site<'_>) -> Result<Vec<usize>, SceneError> {
        let chosen = match select {
            Selection::Indices(indices) => return self.by_index(indices, at),
            Selection::All(_) => (0..self.places.len()).collect(),
            Selection::Box(b) => {
                let (low, high) = (DVec3::from(b.min), DVec3::from(b.max));
                self.filter(|p| p.cmpge(low).all() && p.cmple(high).all())
            }
            Selection::Sphere(s) => self.filter(|p| p.distance(DVec3::from(s.center)) <= s.radius),
            Selection::Plane(plane) => {
                let normal = DVec3::from(plane.normal).normalize_or_zero();
                self.filter(|p| normal.dot(p - DVec3::from(plane.point)).abs() <= plane.tolerance)
            }
            Selection::Region(label) => {
                if !self.regions.contains(label) {
                    return Err(at.key("region").error(no_such_region(self.regions, *label)));
                }
                indices_of(&(self.in_region)(*label))
            }
            Selection::Bone(name) => {
                let Some(bone) = self.bones.iter().find(|bone| bone.name == *name) else {
                    let names: Vec<&str> = self.bones.iter().map(|bone| bone.name.as_str()).collect();
                    let hint = suggest::hint(name, &names);
                    return Err(at.key("bone").error(format!("the body has no bone `{name}`{hint}")));
                };
                indices_of(&(self.all_among)(&bone.vertices))
            }
        };
        if chosen.is_empty() { Err(at.error(self.nothing())) } else { Ok(chosen) }
    }

    fn filter(&self, holds: impl Fn(DVec3) -> bool) -> Vec<usize> {
        (0..self.places.len()).filter(|&i| holds(self.places[i])).collect()
    }

    fn by_index(&self, indices: &[u32], at: &Site<'_>) -> Result<Vec<usize>, SceneError> {
        let count = self.places.len();
        if let Some(k) = indices.iter().position(|&i| i as usize >= count) {
            let message = format!("there is no number {}: the body has {count} {}", indices[k], self.what);
            return Err(at.key("indices").index(k).error(message));
        }
        let mut chosen: Vec<usize> = indices.iter().map(|&i| i as usize).collect();
        chosen.sort_unstable();
        chosen.dedup();
        Ok(chosen)
    }

    fn nothing(&self) -> String {
        let what = self.what;
        match Bounds::of(self.places) {
            None => format!("selects nothing: the body has no {what}"),
            Some(Bounds { min, max }) => format!(
                "selects none of the {} {what}; they lie between [{}] and [{}]",
                self.places.len(),
                numbers(min),
                numbers(max)
            ),
        }
    }
}

fn no_such_region(regions: &[i32], label: i32) -> String {
    /// Largest number of labels that a message lists.
    const LISTED: usize = 20;
    if regions.is_empty() {
        return format!("there is no region {label}: the mesh has no labels");
    }
    let known: Vec<_> = regions.iter().take(LISTED).map(i32::to_string).collect();
    let more =
        if regions.len() > LISTED { format!(" and {} more", regions.len() - LISTED) } else { String::new() };
    format!("there is no region {label}; the mesh has {}{more}", known.join(", "))
}

fn indices_of(members: &[bool]) -> Vec<usize> {
    members.iter().enumerate().filter(|(_, member)| **member).map(|(i, _)| i).collect()
}

fn numbers(p: DVec3) -> String {
    let number = |x: f64| {
        if x == 0.0 || (1e-3..1e6).contains(&x.abs()) { format!("{x:.4}") } else { format!("{x:.3e}") }
    };
    p.to_array().map(number).join(", ")
}

/// The labels of a mesh, each once, ascending.
pub(super) fn regions(mesh: &MeshData) -> Vec<i32> {
    let mut regions = mesh.regions.clone();
    regions.sort_unstable();
    regions.dedup();
    regions
}

/// Selects vertices by their rest positions.
pub(super) fn vertices(
    mesh: &MeshData,
    bones: &[BodyBone],
    select: &Selection,
    at: &Site<'_>,
) -> Result<Vec<usize>, SceneError> {
    Candidates {
        what: "vertices",
        places: &mesh.points,
        in_region: &|label| touched(mesh, label),
        regions: &regions(mesh),
        bones,
        all_among: &|vertices| among(mesh, vertices),
    }
    .choose(select, at)
}

/// The vertices of the tetrahedra with any of these labels, ascending. The error holds the index of a label that does not exist, and a
/// sentence about it.
pub(super) fn of_regions(mesh: &MeshData, labels: &[i32]) -> Result<Vec<usize>, (usize, String)> {
    let known = regions(mesh);
    if let Some(k) = labels.iter().position(|label| !known.contains(label)) {
        return Err((k, no_such_region(&known, labels[k])));
    }
    let mut all = vec![false; mesh.points.len()];
    for &label in labels {
        all.iter_mut().zip(touched(mesh, label)).for_each(|(all, touched)| *all |= touched);
    }
    Ok(indices_of(&all))
}

/// Whether each vertex is one of these.
pub(super) fn among(mesh: &MeshData, vertices: &[usize]) -> Vec<bool> {
    let mut among = vec![false; mesh.points.len()];
    vertices.iter().for_each(|&vertex| among[vertex] = true);
    among
}

/// Whether each element has all of its corners among these vertices.
pub(super) fn elements_among<'a>(
    mesh: &MeshData,
    elements: impl Iterator<Item = &'a [u32]>,
    vertices: &[usize],
) -> Vec<bool> {
    let among = among(mesh, vertices);
    let inside = |&vertex: &u32| among.get(vertex as usize).copied().unwrap_or(false);
    elements.map(|corners| corners.iter().all(inside)).collect()
}

/// Whether each tetrahedron has this label.
pub(super) fn labelled(mesh: &MeshData, label: i32) -> Vec<bool> {
    mesh.regions.iter().map(|&region| region == label).collect()
}

/// Whether each vertex belongs to a tetrahedron with this label.
pub(super) fn touched(mesh: &MeshData, label: i32) -> Vec<bool> {
    let mut touched = vec![false; mesh.points.len()];
    for (tet, _) in mesh.tets.iter().zip(&mesh.regions).filter(|(_, region)| **region == label) {
        tet.iter().for_each(|&v| touched[v as usize] = true);
    }
    touched
}
