//! The triangles of a glTF file, from all meshes of its scene, in the bind pose or any other.
//!
//! Vertices are split where normals or texture coordinates differ; those of one node that have the same place (and the same weights) are joined
//! again, otherwise a body would fall apart along its seams.

use super::asset::Asset;
use super::document::Primitive;
use super::pose::{Binding, Local, Tree, Weights};
use crate::mesh_io::error::MeshError;
use glam::{DMat4, DVec3};
use std::collections::HashMap;

/// A surface of joined vertices, in the frame of its mesh.
#[derive(Default)]
pub(crate) struct Surface {
    /// The node of the mesh.
    pub node: usize,
    /// Vertices in the frame of the mesh.
    pub points: Vec<DVec3>,
    /// What moves each vertex, #V, or empty for a mesh without a skin.
    pub weights: Vec<Weights>,
    pub binding: Option<Binding>,
    pub triangles: Vec<[u32; 3]>,
    /// Vertices of the file that were joined with another.
    pub joined: usize,
    /// Triangles that lost a corner.
    pub lost: usize,
}

impl Surface {
    /// All surfaces of the scene.
    pub fn all(asset: &Asset, tree: &Tree) -> Result<Vec<Self>, MeshError> {
        let mut all = Vec::new();
        for &(index, _) in &tree.order {
            let node = &asset.document.nodes[index];
            let Some(mesh) = node.mesh else { continue };
            let Some(mesh) = asset.document.meshes.get(mesh) else {
                return Err(asset.refuse(format!("mesh {mesh} does not exist")));
            };
            let binding = node.skin.map(|skin| Binding::of(asset, skin)).transpose()?;
            let mut surface = Self { node: index, binding, ..Self::default() };
            let mut known = HashMap::new();
            for primitive in &mesh.primitives {
                surface.add(asset, primitive, &mut known)?;
            }
            all.push(surface);
        }
        Ok(all)
    }

    fn add(
        &mut self,
        asset: &Asset,
        primitive: &Primitive,
        known: &mut HashMap<Vec<u64>, u32>,
    ) -> Result<(), MeshError> {
        // Points and lines are no surface.
        let mode = primitive.mode.unwrap_or(4);
        let (Some(&positions), 4..=6) = (primitive.attributes.get("POSITION"), mode) else { return Ok(()) };
        let points = asset.reals(positions, 3)?;
        let points: Vec<DVec3> = points.as_chunks::<3>().0.iter().map(|&p| DVec3::from(p)).collect();
        let weights = match &self.binding {
            Some(binding) => weights(asset, primitive, points.len(), binding.joints.len())?,
            None => Vec::new(),
        };
        let joined: Vec<u32> = (0..points.len())
            .map(|i| {
                let mut key: Vec<u64> = (points[i] + DVec3::ZERO).to_array().map(f64::to_bits).to_vec();
                if let Some(w) = weights.get(i) {
                    key.extend(w.joints.iter().map(|&joint| joint as u64));
                    key.extend(w.weights.map(f64::to_bits));
                }
                let next = self.points.len() as u32;
                *known.entry(key).or_insert_with(|| {
                    self.points.push(points[i]);
                    self.weights.extend(weights.get(i));
                    next
                })
            })
            .collect();
        let indices = match primitive.indices {
            Some(accessor) => asset.ints(accessor, 1)?,
            None => (0..points.len() as i64).collect(),
        };
        let corner = |index: i64| usize::try_from(index).ok().and_then(|index| joined.get(index).copied());
        for corners in triangles(mode, &indices) {
            let [Some(a), Some(b), Some(c)] = corners.map(corner) else {
                let what = format!("a triangle refers to the vertices {corners:?} of {}", points.len());
                return Err(asset.refuse(what));
            };
            if a == b || b == c || c == a {
                self.lost += 1;
            } else {
                self.triangles.push([a, b, c]);
            }
        }
        self.joined += points.len();
        Ok(())
    }

    /// Places of all vertices, given the world matrices of the nodes.
    pub fn place(&self, world: &[DMat4]) -> Vec<DVec3> {
        match &self.binding {
            Some(binding) => {
                let matrices = binding.matrices(world);
                self.points.iter().zip(&self.weights).map(|(&p, w)| w.place(&matrices, p)).collect()
            }
            None => self.points.iter().map(|&p| world[self.node].transform_point3(p)).collect(),
        }
    }
}

/// Local transforms of all nodes at rest.
pub(crate) fn at_rest(asset: &Asset) -> Vec<Local> {
    asset.document.nodes.iter().map(Local::of).collect()
}

pub(super) fn triangles(mode: u32, indices: &[i64]) -> Vec<[i64; 3]> {
    match mode {
        5 => indices
            .windows(3)
            .enumerate()
            .map(|(k, t)| if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] })
            .collect(),
        6 => match indices {
            [first, rest @ ..] => rest.windows(2).map(|pair| [*first, pair[0], pair[1]]).collect(),
            [] => Vec::new(),
        },
        _ => indices.as_chunks::<3>().0.to_vec(),
    }
}

fn weights(
    asset: &Asset,
    primitive: &Primitive,
    points: usize,
    joints: usize,
) -> Result<Vec<Weights>, MeshError> {
    let find = |name: &str| {
        let missing = || asset.refuse(format!("a skinned mesh without the attribute {name}"));
        primitive.attributes.get(name).copied().ok_or_else(missing)
    };
    let of_joints = asset.ints(find("JOINTS_0")?, 4)?;
    let of_weights = asset.reals(find("WEIGHTS_0")?, 4)?;
    if of_joints.len() != 4 * points || of_weights.len() != 4 * points {
        return Err(asset.refuse(format!(
            "a skinned mesh of {points} vertices has joints or weights for another number"
        )));
    }
    let rows = of_joints.as_chunks::<4>().0.iter().zip(of_weights.as_chunks::<4>().0);
    rows.map(|(row, weights)| {
        let joints = row.map(|joint| usize::try_from(joint).ok().filter(|&joint| joint < joints));
        let [Some(a), Some(b), Some(c), Some(d)] = joints else {
            return Err(
                asset.refuse(format!("a vertex is moved by the joints {row:?}, of which one does not exist"))
            );
        };
        let sum: f64 = weights.iter().sum();
        if !(sum.is_finite() && sum > 0.0) {
            return Err(asset.refuse("a vertex of a skinned mesh has no weights"));
        }
        Ok(Weights { joints: [a, b, c, d], weights: weights.map(|w| w / sum) })
    })
    .collect()
}
