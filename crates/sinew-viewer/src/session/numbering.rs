//! The page's numbering of vertices: first the visible ones, among them those of finer surfaces that bodies carry, then those inside.
//!
//! A body with a finer surface shows that one; its own vertices are inside, except those that are held or attached, which the page marks.

use glam::DVec3;
use sinew::{Model, boundary_triangles};
use sinew_scene::build::{BuiltScene, EmbeddedSurface};

/// The order of vertices on the page, and the surfaces of bones that it includes.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// Index in the model of each vertex of the page that is one of the model; the carried ones are not among them.
    model: Vec<u32>,
    /// Index on the page of each vertex of the model.
    page: Vec<u32>,
    /// The first vertex of a carried surface on the page; they are the last visible ones.
    first_carried: usize,
    /// What carries each of them: corners of a tetrahedron in the model, and their weights.
    anchors: Vec<([u32; 4], [f64; 4])>,
    /// The visible triangles of every body, in indices of the page.
    surfaces: Vec<Vec<[u32; 3]>>,
    /// Number of visible vertices.
    pub seen: usize,
    /// Surfaces of bones inside flesh, in indices of the model.
    pub bone_triangles: Vec<[u32; 3]>,
}

impl Numbering {
    pub fn new(built: &BuiltScene) -> Self {
        let model = built.model();
        let bone_triangles = bones_inside(model);
        let carried = |i: usize| built.surfaces.get(i).and_then(Option::as_ref);
        let mut is_seen = vec![false; model.vertex_count()];
        let mut see = |i: u32| is_seen[i as usize] = true;
        for (k, body) in model.bodies().iter().enumerate() {
            if carried(k).is_some() {
                let marked = |&i: &usize| model.is_held(i) || model.attached().contains(&(i as u32));
                body.vertices.clone().filter(marked).for_each(|i| see(i as u32));
                continue;
            }
            body.surface.iter().flatten().for_each(|&i| see(i));
            if body.surface.is_empty() {
                body.vertices.clone().for_each(|i| see(i as u32));
            }
        }
        bone_triangles.iter().flatten().for_each(|&i| see(i));
        let all = || 0..model.vertex_count() as u32;
        let (seen, inside): (Vec<u32>, Vec<u32>) = all().partition(|&i| is_seen[i as usize]);
        let first_carried = seen.len();
        let anchors: Vec<_> = (0..model.bodies().len())
            .filter_map(carried)
            .flat_map(|surface: &EmbeddedSurface| surface.anchors.iter().copied())
            .collect();
        let order = [seen, inside].concat();
        let mut page = vec![0; order.len()];
        for (place, &i) in order.iter().enumerate() {
            let after = if place < first_carried { 0 } else { anchors.len() };
            page[i as usize] = (place + after) as u32;
        }
        let mut next = first_carried as u32;
        let surfaces = model.bodies().iter().enumerate().map(|(k, body)| match carried(k) {
            Some(surface) => {
                let first = next;
                next += surface.anchors.len() as u32;
                surface.triangles.iter().map(|t| t.map(|v| first + v)).collect()
            }
            None => body.surface.iter().map(|t| t.map(|i| page[i as usize])).collect(),
        });
        let surfaces = surfaces.collect();
        let seen = first_carried + anchors.len();
        Self { model: order, page, first_carried, anchors, surfaces, seen, bone_triangles }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.model.len() + self.anchors.len()
    }

    /// The visible triangles of a body, in indices of the page.
    pub fn surface(&self, body: usize) -> &[[u32; 3]] {
        self.surfaces.get(body).map_or(&[], Vec::as_slice)
    }

    /// The vertices of the model that a vertex of the page consists of, with their weights; none if it does not exist.
    pub fn parts(&self, page: usize) -> impl Iterator<Item = (u32, f64)> {
        let carried = page.checked_sub(self.first_carried).and_then(|k| self.anchors.get(k));
        let own = match (carried, page < self.first_carried) {
            (Some(_), _) => None,
            (None, true) => self.model.get(page),
            (None, false) => self.model.get(page.wrapping_sub(self.anchors.len())),
        };
        let own = own.map(|&i| (i, 1.0));
        own.into_iter().chain(
            carried
                .into_iter()
                .flat_map(|(corners, weights)| corners.iter().copied().zip(weights.iter().copied())),
        )
    }

    /// Where a vertex of the page is, given the positions of the model's.
    pub fn position(&self, page: usize, x: &[DVec3]) -> DVec3 {
        self.parts(page).map(|(i, weight)| weight * x[i as usize]).sum()
    }

    /// The same for a number.
    pub fn value(&self, page: usize, of: &[f64]) -> f64 {
        self.parts(page).map(|(i, weight)| weight * of[i as usize]).sum()
    }

    /// Index in the model of a vertex of the page, if it exists; of a carried one, the vertex that carries most of it.
    pub fn to_model(&self, page: u32) -> Option<u32> {
        self.parts(page as usize).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(i, _)| i)
    }

    /// Index on the page of a vertex of the model.
    pub fn to_page(&self, model: u32) -> u32 {
        self.page[model as usize]
    }

    /// The same for the corners of elements.
    pub fn corners<const K: usize>(&self, elements: &[[u32; K]]) -> Vec<[u32; K]> {
        elements.iter().map(|corners| corners.map(|i| self.to_page(i))).collect()
    }

    /// Three vertices of the model and weights for a point of a triangle of the page. Of a carried surface they are the three that carry most of it, so that the point is a
    /// little beside the one that was meant; none if a corner does not exist.
    pub fn grip(&self, corners: [u32; 3], weights: [f64; 3]) -> Option<([u32; 3], [f64; 3])> {
        let mut parts: Vec<(u32, f64)> = Vec::new();
        for (corner, share) in corners.into_iter().zip(weights) {
            self.to_model(corner)?;
            for (i, weight) in self.parts(corner as usize) {
                match parts.iter_mut().find(|(known, _)| *known == i) {
                    Some((_, sum)) => *sum += share * weight,
                    None => parts.push((i, share * weight)),
                }
            }
        }
        let is_own = |c: u32| (c as usize) < self.first_carried || c as usize >= self.seen;
        if corners.into_iter().all(is_own) {
            return Some((corners.map(|c| self.to_model(c).unwrap_or(0)), weights));
        }
        parts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        parts.retain(|(_, weight)| *weight > 0.0);
        let &(most, _) = parts.first()?;
        let sum: f64 = parts.iter().take(3).map(|(_, weight)| weight).sum();
        let part = |k: usize| parts.get(k).map_or((most, 0.0), |&(i, weight)| (i, weight / sum));
        Some(([part(0).0, part(1).0, part(2).0], [part(0).1, part(1).1, part(2).1]))
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
