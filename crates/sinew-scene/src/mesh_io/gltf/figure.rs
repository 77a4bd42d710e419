//! A figure: skeleton, skin and a clip that moves them.

use super::asset::Asset;
use super::clip::Clip;
use super::pose::{Local, Tree};
use super::surface::{Surface, at_rest};
use crate::mesh_data::MeshData;
use crate::mesh_io::error::MeshError;
use crate::mesh_io::source::Source;
use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

/// A skinned figure of a glTF file and one of its clips.
pub struct Figure {
    asset: Asset,
    tree: Tree,
    rest: Vec<Local>,
    clip: Clip,
    surfaces: Vec<Surface>,
    /// Name and node of each joint.
    joints: Vec<(String, usize)>,
}

/// The nodes of a figure at one moment.
#[derive(Clone, Debug)]
pub struct FigurePose {
    world: Vec<DMat4>,
}

/// Translation, rotation (x, y, z, w) and scale of a node, relative to its parent.
pub type NodeTransform = (usize, [f64; 3], [f64; 4], [f64; 3]);

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Figure").field("file", &self.asset.source.path).field("joints", &self.joints).finish()
    }
}

impl Figure {
    /// Reads a figure with the clip of this name, or its first.
    ///
    /// # Errors
    /// [`MeshError`] says what is wrong with the file, or that it has no skin.
    pub fn read(path: &Path, clip: Option<&str>) -> Result<Self, MeshError> {
        let asset = Asset::parse(Source::load(path)?)?;
        let tree = Tree::of(&asset)?;
        let clip = Clip::of(&asset, clip)?;
        let surfaces = Surface::all(&asset, &tree)?;
        let (mut joints, mut seen, mut names) = (Vec::new(), HashSet::new(), HashSet::new());
        for &node in
            surfaces.iter().filter_map(|surface| surface.binding.as_ref()).flat_map(|skin| &skin.joints)
        {
            if seen.insert(node) {
                let given =
                    asset.document.nodes[node].name.clone().unwrap_or_else(|| format!("joint {node}"));
                let name = if names.insert(given.clone()) { given } else { format!("{given} {node}") };
                joints.push((name, node));
            }
        }
        if joints.is_empty() {
            return Err(asset.refuse("the file has no skinned mesh: there is no skeleton that could move"));
        }
        let rest = at_rest(&asset);
        let figure = Self { asset, tree, rest, clip, surfaces, joints };
        if figure.points(&figure.pose(0.0)).iter().any(|p| !p.is_finite()) {
            return Err(figure.asset.refuse("the skinned surface is not finite at the start of the clip"));
        }
        Ok(figure)
    }

    /// Length of the clip, s.
    pub fn duration(&self) -> f64 {
        self.clip.duration
    }

    /// Names of the joints.
    pub fn joints(&self) -> impl Iterator<Item = &str> {
        self.joints.iter().map(|(name, _)| name.as_str())
    }

    /// The pose at `time` of the clip, s; constant before its first and after its last keyframe.
    pub fn pose(&self, time: f64) -> FigurePose {
        FigurePose { world: self.tree.world(&self.locals(time)) }
    }

    fn locals(&self, time: f64) -> Vec<Local> {
        let mut locals = self.rest.clone();
        self.clip.apply(time, &mut locals);
        locals
    }

    /// Points of the skinned surface in a pose, in the unit of the file.
    pub fn points(&self, pose: &FigurePose) -> Vec<DVec3> {
        self.surfaces.iter().flat_map(|surface| surface.place(&pose.world)).collect()
    }

    /// Place and rotation of each joint in a pose.
    pub fn joint_places(&self, pose: &FigurePose) -> Vec<(DVec3, DQuat)> {
        let place = |(_, node): &(String, usize)| {
            let (_, rotation, translation) = pose.world[*node].to_scale_rotation_translation();
            (translation, rotation)
        };
        self.joints.iter().map(place).collect()
    }

    /// The surface at the start of the clip.
    pub fn surface(&self) -> MeshData {
        let mut triangles = Vec::new();
        let mut first = 0;
        for surface in &self.surfaces {
            triangles.extend(surface.triangles.iter().map(|t| t.map(|vertex| first + vertex)));
            first += surface.points.len() as u32;
        }
        MeshData { points: self.points(&self.pose(0.0)), triangles, ..MeshData::default() }
    }

    /// What the clip makes of the nodes that it moves at `time`, s.
    pub fn transforms(&self, time: f64) -> Vec<NodeTransform> {
        let locals = self.locals(time);
        let of = |node: usize| {
            let (translation, rotation, scale) = locals[node].parts();
            (node, translation.to_array(), rotation.to_array(), scale.to_array())
        };
        self.clip.nodes().into_iter().map(of).collect()
    }

    /// The JSON of the file with all buffers in one, and that buffer.
    ///
    /// # Errors
    /// As [`Figure::read`].
    pub fn document(&self) -> Result<(Value, Vec<u8>), MeshError> {
        self.asset.in_one_buffer()
    }

    /// A number that differs between files with other contents.
    pub(crate) fn fingerprint(&self) -> u64 {
        crate::build::fnv(self.asset.source.bytes.iter().copied())
    }
}
