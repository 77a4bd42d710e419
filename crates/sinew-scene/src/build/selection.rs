//! Selections resolved: from boxes, balls, planes and labels to indices.

use super::site::Site;
use crate::export::render::Bounds;
use crate::format::{SceneError, Selection};
use crate::mesh_data::MeshData;
use glam::DVec3;

/// What a selection chooses from.
pub(super) struct Candidates<'a> {
    /// What they are called, plural.
    pub what: &'static str,
    /// Where each is.
    pub places: &'a [DVec3],
    /// Whether each belongs to a label of the mesh; asked for all at once, or a million vertices would search a million
    /// tetrahedra each.
    pub in_region: &'a dyn Fn(i32) -> Vec<bool>,
    /// The labels that the mesh has.
    pub regions: &'a [i32],
}

impl<'a> Candidates<'a> {
    /// The indices selected, in ascending order. Selecting nothing is an error: it is never what was meant.
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
                    return Err(at.key("region").error(self.no_such_region(*label)));
                }
                let members = (self.in_region)(*label);
                members.iter().enumerate().filter(|(_, member)| **member).map(|(i, _)| i).collect()
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

    fn no_such_region(&self, label: i32) -> String {
        if self.regions.is_empty() {
            return format!("there is no region {label}: the mesh has no labels");
        }
        let known: Vec<_> = self.regions.iter().take(20).map(i32::to_string).collect();
        format!("there is no region {label}; the mesh has {}", known.join(", "))
    }
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

/// Chooses vertices, by their places at rest.
pub(super) fn vertices(mesh: &MeshData, select: &Selection, at: &Site<'_>) -> Result<Vec<usize>, SceneError> {
    Candidates {
        what: "vertices",
        places: &mesh.points,
        in_region: &|label| touched(mesh, label),
        regions: &regions(mesh),
    }
    .choose(select, at)
}

/// Whether each tetrahedron has this label.
pub(super) fn labelled(mesh: &MeshData, label: i32) -> Vec<bool> {
    mesh.regions.iter().map(|&region| region == label).collect()
}

/// Whether each vertex is one of a tetrahedron with this label.
pub(super) fn touched(mesh: &MeshData, label: i32) -> Vec<bool> {
    let mut touched = vec![false; mesh.points.len()];
    for (tet, _) in mesh.tets.iter().zip(&mesh.regions).filter(|(_, region)| **region == label) {
        tet.iter().for_each(|&v| touched[v as usize] = true);
    }
    touched
}
