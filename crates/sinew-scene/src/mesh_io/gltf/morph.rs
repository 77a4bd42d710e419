//! Shapes of a mesh over time by morph targets: x = x₀ + Σ wₖ δₖ, with the weights of a clip.
//!
//! A frame is a keyframe of the clip. A file without a clip of weights has one frame for each target. Vertices that the file splits (where normals or texture
//! coordinates differ) have the same place in the base and in every target; they are joined again, and nothing else is: lips that touch
//! in the base stay apart.

use super::asset::Asset;
use super::document::{Mesh, Primitive};
use super::pose::Tree;
use super::surface::{at_rest, triangles};
use crate::mesh_io::error::MeshError;
use crate::mesh_io::source::Source;
use glam::{DMat4, DVec3};
use std::collections::HashMap;
use std::path::Path;

/// A mesh with morph targets.
pub struct MorphClip {
    asset: Asset,
    /// Positions and targets of each primitive: numbers of accessors.
    parts: Vec<(usize, Vec<usize>)>,
    world: DMat4,
    /// The joined vertex of each vertex of the file.
    joined: Vec<u32>,
    vertices: usize,
    triangles: Vec<[u32; 3]>,
    /// Weights of the targets, for each frame.
    weights: Vec<Vec<f64>>,
}

impl std::fmt::Debug for MorphClip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MorphClip").field("vertices", &self.vertices).finish_non_exhaustive()
    }
}

impl MorphClip {
    /// Reads the first mesh with morph targets of a `.glb` or `.gltf` file.
    ///
    /// # Errors
    /// [`MeshError`] says what is wrong with the file, or that no mesh of it has morph targets.
    pub fn read(path: &Path) -> Result<Self, MeshError> {
        let asset = Asset::parse(Source::load(path)?)?;
        let tree = Tree::of(&asset)?;
        let with_targets = |mesh: &Mesh| mesh.primitives.iter().any(|p| !p.targets.is_empty());
        let found = tree.order.iter().find_map(|&(node, _)| {
            let mesh = asset.document.meshes.get(asset.document.nodes[node].mesh?)?;
            with_targets(mesh).then_some((node, mesh))
        });
        let Some((node, mesh)) = found else {
            return Err(asset.refuse("no mesh of the scene has morph targets"));
        };
        let world = tree.world(&at_rest(&asset))[node];
        let count = mesh.primitives.iter().map(|p| p.targets.len()).max().unwrap_or(0);
        let mut parts = Vec::new();
        for primitive in mesh.primitives.iter().filter(|p| matches!(p.mode.unwrap_or(4), 4..=6)) {
            parts.push(part(&asset, primitive, count)?);
        }
        let weights = weights(&asset, node, count)?;
        let (joined, vertices) = join(&asset, &parts, count)?;
        let mut all = Vec::new();
        let mut first = 0;
        for primitive in mesh.primitives.iter().filter(|p| matches!(p.mode.unwrap_or(4), 4..=6)) {
            let points = asset.reals(part(&asset, primitive, count)?.0, 3)?.len() / 3;
            let indices = match primitive.indices {
                Some(indices) => asset.ints(indices, 1)?,
                None => (0..points as i64).collect(),
            };
            for t in triangles(primitive.mode.unwrap_or(4), &indices) {
                let corner = |v: i64| usize::try_from(v).ok().filter(|&v| v < points);
                let [Some(a), Some(b), Some(c)] = t.map(corner) else {
                    return Err(asset.refuse(format!("a triangle refers to the vertices {t:?} of {points}")));
                };
                let t = [a, b, c].map(|v| joined[first + v]);
                if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
                    all.push(t);
                }
            }
            first += points;
        }
        Ok(Self { asset, parts, world, joined, vertices, triangles: all, weights })
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.weights.len()
    }

    /// Number of joined vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Triangles of joined vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The base shape.
    ///
    /// # Errors
    /// [`MeshError`] if its numbers are not in the file.
    pub fn base(&self) -> Result<Vec<DVec3>, MeshError> {
        self.shape(&[])
    }

    /// The shape of a frame; the last for frames beyond.
    ///
    /// # Errors
    /// [`MeshError`] if its numbers are not in the file.
    pub fn frame(&self, frame: usize) -> Result<Vec<DVec3>, MeshError> {
        self.shape(self.weights.get(frame).or(self.weights.last()).map_or(&[][..], Vec::as_slice))
    }

    fn shape(&self, weights: &[f64]) -> Result<Vec<DVec3>, MeshError> {
        let mut points = Vec::with_capacity(self.joined.len());
        for (base, targets) in &self.parts {
            let first = points.len();
            points.extend(vectors(&self.asset, *base)?);
            for (&target, &w) in targets.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
                let moved = vectors(&self.asset, target)?;
                points[first..].iter_mut().zip(moved).for_each(|(p, d)| *p += d * w);
            }
        }
        let mut out = vec![DVec3::ZERO; self.vertices];
        let place = self.world != DMat4::IDENTITY;
        for (&v, &p) in self.joined.iter().zip(&points) {
            out[v as usize] = if place { self.world.transform_point3(p) } else { p };
        }
        Ok(out)
    }
}

fn vectors(asset: &Asset, accessor: usize) -> Result<Vec<DVec3>, MeshError> {
    Ok(asset.reals(accessor, 3)?.as_chunks::<3>().0.iter().map(|&p| DVec3::from(p)).collect())
}

/// The accessors of a primitive's positions and of its targets.
fn part(asset: &Asset, primitive: &Primitive, count: usize) -> Result<(usize, Vec<usize>), MeshError> {
    let missing = || asset.refuse("a mesh with morph targets has a part without positions or targets");
    let base = primitive.attributes.get("POSITION").copied().ok_or_else(missing)?;
    let targets: Option<Vec<usize>> =
        primitive.targets.iter().map(|target| target.get("POSITION").copied()).collect();
    let targets = targets.filter(|targets| targets.len() == count).ok_or_else(missing)?;
    let length = |accessor: usize| asset.document.accessors.get(accessor).map(|a| a.count);
    if targets.iter().any(|&target| length(target) != length(base)) {
        return Err(asset.refuse("a morph target has another number of vertices than its mesh"));
    }
    Ok((base, targets))
}

/// Morph targets of a file without a clip, at most.
const MOST_TARGETS: usize = 4096;

/// Weights of all targets at each keyframe; without a clip, each target by itself.
fn weights(asset: &Asset, node: usize, count: usize) -> Result<Vec<Vec<f64>>, MeshError> {
    for clip in &asset.document.animations {
        let ours = |c: &&super::document::Channel| c.target.node == Some(node) && c.target.path == "weights";
        let Some(channel) = clip.channels.iter().find(ours) else { continue };
        let sampler = clip.samplers.get(channel.sampler);
        let sampler = sampler.ok_or_else(|| asset.refuse("a curve of weights has no sampler"))?;
        let times = asset.reals(sampler.input, 1)?.len();
        let numbers = asset.reals(sampler.output, 1)?;
        let cubic = sampler.interpolation.as_deref() == Some("CUBICSPLINE");
        let each = if cubic { 3 * count } else { count };
        if times == 0 || numbers.len() != times * each || !numbers.iter().all(|w| w.is_finite()) {
            return Err(
                asset.refuse("a curve of weights does not have a finite weight of every target at each time")
            );
        }
        let middle = |key: &[f64]| if cubic { key[count..2 * count].to_vec() } else { key.to_vec() };
        return Ok(numbers.chunks_exact(each).map(middle).collect());
    }
    // Each target is a frame of its own: the square of their number.
    if count > MOST_TARGETS {
        return Err(asset
            .refuse(format!("{count} morph targets without a clip are too many: at most {MOST_TARGETS}")));
    }
    let alone = |k: usize| (0..count).map(|j| f64::from(u8::from(j == k))).collect();
    Ok((0..count).map(alone).collect())
}

/// The joined vertex of each vertex, and how many there are: classes of equal vertices, refined by one target after the other.
fn join(asset: &Asset, parts: &[(usize, Vec<usize>)], count: usize) -> Result<(Vec<u32>, usize), MeshError> {
    let mut class: Vec<u32> = Vec::new();
    for k in 0..=count {
        let mut points = Vec::new();
        for (base, targets) in parts {
            points.extend(vectors(asset, if k == 0 { *base } else { targets[k - 1] })?);
        }
        class.resize(points.len(), 0);
        let mut known: HashMap<(u32, [u64; 3]), u32> = HashMap::new();
        for (c, p) in class.iter_mut().zip(&points) {
            let next = known.len() as u32;
            *c = *known.entry((*c, (*p + DVec3::ZERO).to_array().map(f64::to_bits))).or_insert(next);
        }
        // Nothing more to tell apart.
        if known.len() == points.len() {
            break;
        }
    }
    let vertices = class.iter().max().map_or(0, |&c| c as usize + 1);
    Ok((class, vertices))
}
