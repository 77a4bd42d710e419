//! The page's numbering of vertices: first the visible ones, then those inside.

use sinew::{Model, boundary_triangles};

/// The order of vertices on the page, and the surfaces of bones that it includes.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// Index in the model of each vertex of the page.
    model: Vec<u32>,
    /// Index on the page of each vertex of the model.
    page: Vec<u32>,
    /// Number of visible vertices.
    pub seen: usize,
    /// Surfaces of bones inside flesh, in indices of the model.
    pub bone_triangles: Vec<[u32; 3]>,
}

impl Numbering {
    pub fn new(model: &Model) -> Self {
        let bone_triangles = bones_inside(model);
        let mut is_seen = vec![false; model.vertex_count()];
        let mut see = |i: u32| is_seen[i as usize] = true;
        for body in model.bodies() {
            body.surface.iter().flatten().for_each(|&i| see(i));
            if body.surface.is_empty() {
                body.vertices.clone().for_each(|i| see(i as u32));
            }
        }
        bone_triangles.iter().flatten().for_each(|&i| see(i));
        let all = || 0..model.vertex_count() as u32;
        let (seen, inside): (Vec<u32>, Vec<u32>) = all().partition(|&i| is_seen[i as usize]);
        let count = seen.len();
        let order = [seen, inside].concat();
        let mut page = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&i, place)| page[i as usize] = place);
        Self { model: order, page, seen: count, bone_triangles }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.model.len()
    }

    /// Indices in the model, in the page's order.
    pub fn order(&self) -> &[u32] {
        &self.model
    }

    /// Index in the model of a vertex of the page, if it exists.
    pub fn to_model(&self, page: u32) -> Option<u32> {
        self.model.get(page as usize).copied()
    }

    /// Index on the page of a vertex of the model.
    pub fn to_page(&self, model: u32) -> u32 {
        self.page[model as usize]
    }

    /// The same for the corners of elements.
    pub fn corners<const K: usize>(&self, elements: &[[u32; K]]) -> Vec<[u32; K]> {
        elements.iter().map(|corners| corners.map(|i| self.to_page(i))).collect()
    }
}

/// Surfaces of the bones inside flesh.
fn bones_inside(model: &Model) -> Vec<[u32; 3]> {
    if model.bone_count() == 0 {
        return Vec::new();
    }
    let bone_of = model.bone_of_vertices();
    let bones = bone_of.iter().flatten().max().map_or(0, |last| last + 1);
    let mut parts = vec![Vec::new(); bones];
    for body in model.bodies().iter().filter(|body| !body.rigid) {
        for tetrahedron in &body.tetrahedra {
            let [a, b, c, d] = tetrahedron.map(|i| bone_of[i as usize]);
            if let (Some(bone), true) = (a, a == b && a == c && a == d) {
                parts[bone].push(*tetrahedron);
            }
        }
    }
    parts.iter().flat_map(|part| boundary_triangles(part)).collect()
}
