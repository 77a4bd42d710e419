//! The surfaces of all bodies of a model: which vertices and triangles may collide, and which are neighbours at rest.

use super::collider::ContactLaw;
use super::triangle::closest_point;
use crate::topology::BodyInfo;
use glam::DVec3;
use std::ops::Range;

/// A vertex and a triangle that are closer than this many contact distances at rest are neighbours.
const NEIGHBOURS: f64 = 2.0;

/// The part of [`Surfaces`] that belongs to one body.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceBody {
    /// Whether it has tetrahedra, in which case its triangles face outward. Otherwise it is cloth, or a rope without triangles.
    pub solid: bool,
    /// Contact distance, m.
    pub distance: f64,
    /// All of its vertices.
    pub vertices: Range<usize>,
    /// Its part of [`Surfaces::vertices`].
    pub outer: Range<usize>,
    /// Its part of [`Surfaces::triangles`].
    pub triangles: Range<usize>,
    /// Its part of [`Surfaces::tetrahedra`].
    pub tetrahedra: Range<usize>,
}

/// The constant data that contact between bodies needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surfaces {
    /// Triangles of all bodies, in vertex indices of the model.
    pub triangles: Vec<[u32; 3]>,
    /// Tetrahedra of all solids.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Vertices that may collide with triangles, ascending: corners of triangles, and all vertices of a body without any.
    pub vertices: Vec<u32>,
    /// The bodies in the order of the model.
    pub bodies: Vec<SurfaceBody>,
    /// Body of each triangle.
    pub triangle_body: Vec<u32>,
    /// Body of each vertex of the model.
    pub vertex_body: Vec<u32>,
    rest: Vec<DVec3>,
    /// `neighbours[neighbour_start[v]..neighbour_start[v + 1]]` share an edge of the mesh with v.
    neighbour_start: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Surfaces {
    /// Collects the surfaces of bodies with these rest positions, #V. Without a `thickness` (m), [`ContactLaw::THICKNESS`] times each body's size.
    pub fn new(bodies: &[BodyInfo], rest: &[DVec3], thickness: Option<f64>) -> Self {
        let mut surfaces = Self {
            triangles: Vec::new(),
            tetrahedra: Vec::new(),
            vertices: Vec::new(),
            bodies: Vec::with_capacity(bodies.len()),
            triangle_body: Vec::new(),
            vertex_body: vec![0; rest.len()],
            rest: rest.to_vec(),
            neighbour_start: Vec::new(),
            neighbours: Vec::new(),
        };
        let mut edges = Vec::new();
        for (number, body) in bodies.iter().enumerate() {
            surfaces.add(number as u32, body, thickness);
            mesh_edges(body, &mut edges);
        }
        edges.sort_unstable();
        edges.dedup();
        surfaces.neighbour_start =
            (0..=rest.len() as u32).map(|v| edges.partition_point(|e| e.0 < v) as u32).collect();
        surfaces.neighbours = edges.into_iter().map(|e| e.1).collect();
        surfaces
    }

    fn add(&mut self, number: u32, body: &BodyInfo, thickness: Option<f64>) {
        let at_rest = &self.rest[body.vertices.clone()];
        let low = at_rest.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = at_rest.iter().copied().reduce(DVec3::max).unwrap_or_default();
        let distance = thickness.unwrap_or(ContactLaw::THICKNESS * (high - low).length());
        self.vertex_body[body.vertices.clone()].fill(number);
        let mut outer: Vec<u32> = body.surface.iter().flatten().copied().collect();
        if outer.is_empty() {
            outer.extend(body.vertices.clone().map(|v| v as u32));
        }
        outer.sort_unstable();
        outer.dedup();
        self.bodies.push(SurfaceBody {
            solid: !body.tetrahedra.is_empty(),
            distance: if distance.is_finite() { distance.max(0.0) } else { 0.0 },
            vertices: body.vertices.clone(),
            outer: self.vertices.len()..self.vertices.len() + outer.len(),
            triangles: self.triangles.len()..self.triangles.len() + body.surface.len(),
            tetrahedra: self.tetrahedra.len()..self.tetrahedra.len() + body.tetrahedra.len(),
        });
        self.vertices.append(&mut outer);
        self.triangles.extend_from_slice(&body.surface);
        self.triangle_body.resize(self.triangles.len(), number);
        self.tetrahedra.extend_from_slice(&body.tetrahedra);
    }

    /// Contact distance of a vertex and a triangle, m: the mean of those of their bodies.
    pub fn distance(&self, vertex: u32, triangle: u32) -> f64 {
        self.body_distance(
            self.vertex_body[vertex as usize] as usize,
            self.triangle_body[triangle as usize] as usize,
        )
    }

    /// The same for two bodies.
    pub fn body_distance(&self, a: usize, b: usize) -> f64 {
        0.5 * (self.bodies[a].distance + self.bodies[b].distance)
    }

    /// Corners of a triangle at `x`.
    pub fn corners(&self, triangle: usize, x: &[DVec3]) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| x[v as usize])
    }

    /// The vertices that share an edge of the mesh with `vertex`, ascending; in a solid these include inner ones.
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let start = self.neighbour_start[vertex as usize] as usize;
        &self.neighbours[start..self.neighbour_start[vertex as usize + 1] as usize]
    }

    /// Whether one of the corners is the vertex or shares an edge with it.
    #[inline]
    pub fn adjacent(&self, vertex: u32, corners: &[u32]) -> bool {
        corners.contains(&vertex) || self.neighbours(vertex).iter().any(|n| corners.contains(n))
    }

    /// Whether a vertex and a triangle of the same body are so close at rest that contact must not separate them.
    pub fn near_at_rest(&self, vertex: u32, triangle: u32) -> bool {
        let p = self.rest[vertex as usize];
        let closest = closest_point(p, self.corners(triangle as usize, &self.rest)).point;
        p.distance(closest) < NEIGHBOURS * self.distance(vertex, triangle)
    }
}

/// Edges of a body in both directions: of its tetrahedra and triangles, or of a rope its springs. The springs of a cloth are left out,
/// because bending springs reach across edges.
fn mesh_edges(body: &BodyInfo, edges: &mut Vec<(u32, u32)>) {
    let mut add = |a: u32, b: u32| edges.extend([(a, b), (b, a)]);
    for t in &body.tetrahedra {
        for i in 0..4 {
            for j in 0..i {
                add(t[i], t[j]);
            }
        }
    }
    for t in &body.surface {
        (0..3).for_each(|k| add(t[k], t[(k + 1) % 3]));
    }
    if body.surface.is_empty() && body.tetrahedra.is_empty() {
        body.springs.iter().for_each(|s| add(s[0], s[1]));
    }
}
