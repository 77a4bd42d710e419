//! A closed triangle surface as a solid: its signed distance, found with a hierarchy of boxes.
//!
//! The sign comes from the angle-weighted normal of the closest corner, edge or face. It is correct for every closed surface that does not
//! intersect itself \[baerentzen2005\].

use super::bounding_boxes::BoundingBoxes;
use super::shape::Proximity;
use super::triangle::{Feature, closest_point};
use glam::DVec3;
use std::collections::HashMap;
use thiserror::Error;

/// Why a surface cannot be a solid.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ClosedMeshError {
    /// The surface has no triangles.
    #[error("the surface has no triangles")]
    Empty,
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices}")]
    Index {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex index that it names.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A vertex position is NaN or infinite.
    #[error("the position of vertex {0} is not finite")]
    NotFinite(usize),
    /// A triangle has zero area.
    #[error("triangle {0} has no area")]
    Flat(usize),
    /// The surface is open: an edge does not have exactly two triangles.
    #[error(
        "the surface is open: the edge from vertex {from} to vertex {to} has {triangles} triangle(s) instead of 2; close the hole"
    )]
    Open {
        /// One end of the edge.
        from: u32,
        /// The other end of the edge.
        to: u32,
        /// Number of triangles at the edge.
        triangles: usize,
    },
    /// Two neighbouring triangles have opposite orientations.
    #[error(
        "two triangles at the edge from vertex {from} to vertex {to} are oriented differently; orient all of them outward"
    )]
    Orientation {
        /// One end of the edge.
        from: u32,
        /// The other end of the edge.
        to: u32,
    },
    /// The enclosed volume is zero or negative.
    #[error("the surface encloses a volume of {0} m³: it is flat or turned inside out")]
    Volume(f64),
}

/// A closed triangle surface, oriented outward.
#[derive(Clone, Debug)]
pub struct ClosedMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    boxes: BoundingBoxes,
    face_normals: Vec<DVec3>,
    /// Normals of the three edges of each triangle.
    edge_normals: Vec<[DVec3; 3]>,
    corner_normals: Vec<DVec3>,
}

impl ClosedMesh {
    /// Creates a solid from its vertices (#V) and its triangles (#T), counter-clockwise seen from outside.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ClosedMeshError> {
        check(&vertices, &triangles)?;
        let corners = |t: &[u32; 3]| t.map(|v| vertices[v as usize]);
        let face_normals: Vec<_> = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = corners(t);
                (b - a).cross(c - a).normalize()
            })
            .collect();
        let mut corner_normals = vec![DVec3::ZERO; vertices.len()];
        let mut at_edge: HashMap<(u32, u32), DVec3> = HashMap::with_capacity(3 * triangles.len() / 2);
        for (t, normal) in triangles.iter().zip(&face_normals) {
            let x = corners(t);
            for k in 0..3 {
                let (next, last) = ((k + 1) % 3, (k + 2) % 3);
                let angle = (x[next] - x[k]).angle_between(x[last] - x[k]);
                corner_normals[t[k] as usize] += *normal * angle;
                *at_edge.entry(undirected(t[k], t[next])).or_insert(DVec3::ZERO) += *normal;
            }
        }
        let edge_normals = triangles
            .iter()
            .map(|t| {
                std::array::from_fn(|k| {
                    let sum = at_edge.get(&undirected(t[k], t[(k + 1) % 3])).copied();
                    sum.unwrap_or_default().normalize_or_zero()
                })
            })
            .collect();
        for normal in &mut corner_normals {
            *normal = normal.normalize_or_zero();
        }
        let bounds = triangles.iter().map(|t| {
            let [a, b, c] = corners(t);
            (a.min(b).min(c), a.max(b).max(c))
        });
        let boxes = BoundingBoxes::new(bounds.collect());
        Ok(Self { boxes, face_normals, edge_normals, corner_normals, vertices, triangles })
    }

    /// A cuboid of twelve triangles, for tests and as a model of the format.
    pub fn cuboid(half: DVec3) -> Self {
        let vertices = (0..8u32)
            .map(|i| {
                let side = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
                half * DVec3::new(side(0), side(1), side(2))
            })
            .collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Self::new(vertices, triangles).unwrap_or_else(|fault| unreachable!("a cuboid is closed: {fault}"))
    }

    /// The vertices, #V.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles, #T.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Low and high corners of the bounding box.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        self.boxes.bounds()
    }

    /// Signed distance φ and its gradient ∇φ at `p`.
    pub fn proximity(&self, p: DVec3) -> Proximity {
        self.nearest(p).1
    }

    /// As [`Self::proximity`], with the closest triangle.
    pub(crate) fn nearest(&self, p: DVec3) -> (usize, Proximity) {
        let mut best = (f64::INFINITY, p, DVec3::Y);
        let mut triangle = 0;
        self.boxes.nearest(p, |t| {
            let corners = self.triangles[t];
            let closest = closest_point(p, corners.map(|v| self.vertices[v as usize]));
            let squared = p.distance_squared(closest.point);
            if squared < best.0 {
                let normal = match closest.feature {
                    Feature::Face => self.face_normals[t],
                    Feature::Edge(k) => self.edge_normals[t][k],
                    Feature::Corner(k) => self.corner_normals[corners[k] as usize],
                };
                best = (squared, closest.point, normal);
                triangle = t;
            }
            best.0
        });
        let (squared, point, pseudo_normal) = best;
        let offset = p - point;
        let length = squared.sqrt();
        let sign = if offset.dot(pseudo_normal) < 0.0 { -1.0 } else { 1.0 };
        let normal = if length > 0.0 { offset * (sign / length) } else { pseudo_normal };
        (triangle, Proximity { distance: sign * length, normal })
    }
}

fn undirected(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

fn check(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), ClosedMeshError> {
    if triangles.is_empty() {
        return Err(ClosedMeshError::Empty);
    }
    if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
        return Err(ClosedMeshError::NotFinite(vertex));
    }
    let mut volume = 0.0;
    // How often each undirected edge occurs in each direction.
    let mut walked: HashMap<(u32, u32), (usize, usize)> = HashMap::with_capacity(3 * triangles.len() / 2);
    for (triangle, t) in triangles.iter().enumerate() {
        if let Some(&vertex) = t.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(ClosedMeshError::Index { triangle, vertex, vertices: vertices.len() });
        }
        let [a, b, c] = t.map(|v| vertices[v as usize]);
        let longest = (b - a).length_squared().max((c - a).length_squared()).max((c - b).length_squared());
        if (b - a).cross(c - a).length() <= 1e-12 * longest {
            return Err(ClosedMeshError::Flat(triangle));
        }
        volume += a.dot(b.cross(c)) / 6.0;
        for k in 0..3 {
            let (from, to) = (t[k], t[(k + 1) % 3]);
            let count = walked.entry(undirected(from, to)).or_default();
            if from < to { count.0 += 1 } else { count.1 += 1 }
        }
    }
    // Report the first fault in the order of the triangles, because a hash map has no fixed order.
    for t in triangles {
        for k in 0..3 {
            let (from, to) = (t[k], t[(k + 1) % 3]);
            let (up, down) = walked.get(&undirected(from, to)).copied().unwrap_or_default();
            if up + down != 2 {
                return Err(ClosedMeshError::Open { from, to, triangles: up + down });
            }
            if up != down {
                return Err(ClosedMeshError::Orientation { from, to });
            }
        }
    }
    if volume > 0.0 { Ok(()) } else { Err(ClosedMeshError::Volume(volume)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let cube = ClosedMesh::cuboid(DVec3::ONE);
        (cube.vertices, cube.triangles)
    }

    #[test]
    fn faults_are_named() {
        let (vertices, triangles) = parts();
        type Edit<'a> = &'a dyn Fn(&mut Vec<DVec3>, &mut Vec<[u32; 3]>);
        let build = |edit: Edit| {
            let (mut v, mut t) = (vertices.clone(), triangles.clone());
            edit(&mut v, &mut t);
            ClosedMesh::new(v, t).err()
        };
        assert_eq!(build(&|_, t| t.clear()), Some(ClosedMeshError::Empty));
        assert!(matches!(
            build(&|_, t| {
                t.pop();
            }),
            Some(ClosedMeshError::Open { triangles: 1, .. })
        ));
        assert!(matches!(build(&|_, t| t[0].swap(0, 1)), Some(ClosedMeshError::Orientation { .. })));
        assert!(matches!(build(&|_, t| t[0][0] = 99), Some(ClosedMeshError::Index { vertex: 99, .. })));
        assert!(matches!(build(&|v, _| v[3].x = f64::NAN), Some(ClosedMeshError::NotFinite(3))));
        assert!(matches!(
            build(&|_, t| t.iter_mut().for_each(|t| t.swap(0, 1))),
            Some(ClosedMeshError::Volume(_))
        ));
        assert!(matches!(build(&|_, t| t[0][1] = t[0][0]), Some(ClosedMeshError::Flat(0))));
    }
}
