//! A ball of tetrahedra that are all nearly regular.
//!
//! The icosahedron consists of 20 nearly regular tetrahedra around its centre (edges 1 and 1.05). Each is cut into n³ smaller ones by planes
//! parallel to its faces: upright ones, octahedra, and upside-down ones in between; an octahedron is cut in four around its shortest
//! diagonal, which is not visible to its neighbours. Then layer s of the lattice is moved radially onto the sphere of radius r·s/n. A grid
//! bent into a ball would flatten the cells along the edges of the cube; here no element has more than one face on the sphere, and angles
//! stay wide at any resolution.

use super::{ModelError, check_amount, check_cells, check_length};
use crate::mesh_data::MeshData;
use glam::{DMat3, DVec3};
use std::collections::HashMap;

/// A ball of the given `radius` (metres) around the origin, in `layers` concentric shells.
///
/// There are 20·n³ tetrahedra, 1 + Σₛ (10s² + 2) vertices, s = 1…n, and 20·n² faces on the sphere. Vertex 0 is the
/// centre; the surface vertices are on the sphere up to rounding.
///
/// # Errors
/// [`ModelError`] if the radius is not positive and finite, there are no layers, or far too many.
pub fn ball(radius: f64, layers: usize) -> Result<MeshData, ModelError> {
    check_length("the radius of the ball", radius)?;
    check_cells("the number of layers of the ball", layers)?;
    check_amount("the ball", &[20, layers, layers, layers])?;
    let mut builder = Builder::new(radius, layers);
    for face in icosahedron_faces() {
        builder.fill(face);
    }
    Ok(builder.mesh)
}

/// A lattice point in one of the 20 tetrahedra: its weights at the centre and at the three corners of the
/// face, which sum to n.
type Weights = [usize; 4];

/// A lattice point of the whole ball: icosahedron corners with a weight above zero, sorted, then padding.
type Key = [(usize, usize); 3];

struct Builder {
    mesh: MeshData,
    radius: f64,
    layers: usize,
    corners: [DVec3; 12],
    index: HashMap<Key, u32>,
}

impl Builder {
    fn new(radius: f64, layers: usize) -> Self {
        let mut builder = Self {
            mesh: MeshData::default(),
            radius,
            layers,
            corners: icosahedron_corners(),
            index: HashMap::new(),
        };
        builder.vertex([0, 1, 2], [layers, 0, 0, 0]);
        builder
    }

    /// Fills the tetrahedron between the centre and a face of the icosahedron.
    fn fill(&mut self, face: [usize; 3]) {
        let n = self.layers;
        for base in weights_of_sum(n - 1) {
            let corner = |m| with_one_more(base, &[m]);
            self.add(face, [corner(0), corner(1), corner(2), corner(3)]);
        }
        if n >= 2 {
            weights_of_sum(n - 2).for_each(|base| self.add_octahedron(face, base));
        }
        if n >= 3 {
            for base in weights_of_sum(n - 3) {
                let corner = |m: usize| with_one_more(base, &[(m + 1) % 4, (m + 2) % 4, (m + 3) % 4]);
                self.add(face, [corner(0), corner(1), corner(2), corner(3)]);
            }
        }
    }

    /// Its six vertices add one at two of the four corners; opposite vertices use complementary pairs.
    fn add_octahedron(&mut self, face: [usize; 3], base: Weights) {
        let diagonals = [([0, 1], [2, 3]), ([0, 2], [1, 3]), ([0, 3], [1, 2])]
            .map(|(one, other)| [with_one_more(base, &one), with_one_more(base, &other)]);
        let length =
            |[one, other]: [Weights; 2]| self.position(face, one).distance(self.position(face, other));
        let lengths = diagonals.map(length);
        let mut shortest = 0;
        for k in 1..3 {
            // A margin, so that rounding does not choose between equal lengths.
            if lengths[k] < lengths[shortest] * (1.0 - 1e-9) {
                shortest = k;
            }
        }
        let [top, bottom] = diagonals[shortest];
        let [[east, west], [north, south]] = [diagonals[(shortest + 1) % 3], diagonals[(shortest + 2) % 3]];
        for [one, other] in [[east, north], [north, west], [west, south], [south, east]] {
            self.add(face, [top, bottom, one, other]);
        }
    }

    /// Adds a tetrahedron, positively oriented.
    fn add(&mut self, face: [usize; 3], corners: [Weights; 4]) {
        let mut tet = corners.map(|weights| self.vertex(face, weights));
        let [a, b, c, d] = tet.map(|vertex| self.mesh.points[vertex as usize]);
        if DMat3::from_cols(b - a, c - a, d - a).determinant() < 0.0 {
            tet.swap(2, 3);
        }
        self.mesh.tets.push(tet);
    }

    /// The index of a lattice point, which neighbouring tetrahedra share.
    fn vertex(&mut self, face: [usize; 3], weights: Weights) -> u32 {
        let mut key: Key = [0, 1, 2].map(|m| (face[m], weights[m + 1]));
        key.sort_unstable_by_key(|&(corner, weight)| (weight == 0, corner));
        for entry in &mut key {
            if entry.1 == 0 {
                *entry = (0, 0);
            }
        }
        if let Some(&index) = self.index.get(&key) {
            return index;
        }
        let index = self.mesh.points.len() as u32;
        // From the key, so that the position does not depend on which tetrahedron comes first.
        self.mesh.points.push(self.position(key.map(|entry| entry.0), [0, key[0].1, key[1].1, key[2].1]));
        self.index.insert(key, index);
        index
    }

    /// Position of a lattice point: along its direction, at the radius of its layer.
    fn position(&self, face: [usize; 3], [_, a, b, c]: Weights) -> DVec3 {
        let layer = a + b + c;
        if layer == 0 {
            return DVec3::ZERO;
        }
        let [p, q, r] = face.map(|corner| self.corners[corner]);
        let direction = (a as f64 * p + b as f64 * q + c as f64 * r).normalize();
        self.radius * (layer as f64 / self.layers as f64) * direction
    }
}

/// All weights with the given sum.
fn weights_of_sum(sum: usize) -> impl Iterator<Item = Weights> {
    (0..=sum).flat_map(move |a| {
        (0..=sum - a).flat_map(move |b| (0..=sum - a - b).map(move |c| [sum - a - b - c, a, b, c]))
    })
}

fn with_one_more(mut weights: Weights, at: &[usize]) -> Weights {
    at.iter().for_each(|&corner| weights[corner] += 1);
    weights
}

/// The corners (0, ±1, ±φ) and their cyclic permutations, not normalised.
fn icosahedron_corners() -> [DVec3; 12] {
    let golden = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let signs = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    std::array::from_fn(|k| {
        let (one, phi) = (signs[k % 4].0, golden * signs[k % 4].1);
        match k / 4 {
            0 => DVec3::new(0.0, one, phi),
            1 => DVec3::new(one, phi, 0.0),
            _ => DVec3::new(phi, 0.0, one),
        }
    })
}

/// Triples of corners at the distance of an edge from each other: there are 20, all of them faces.
fn icosahedron_faces() -> Vec<[usize; 3]> {
    let corners = icosahedron_corners();
    // Edges have the squared length 4, the next larger distance has 4φ² ≈ 10.5.
    let joined = |a: usize, b: usize| corners[a].distance_squared(corners[b]) < 6.0;
    let mut faces = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if joined(a, b) && joined(b, c) && joined(c, a) {
                    faces.push([a, b, c]);
                }
            }
        }
    }
    faces
}
