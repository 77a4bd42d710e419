//! Animated figures: a clip moves a skeleton, and the skeleton its skin.
//!
//! Everything of a figure is kinematic. Each joint of its skeleton is a bone of one vertex, which turns with the joint, so that others can be connected to it; each vertex of
//! the skin, which several joints may move, x = Σ wⱼ Wⱼ B⁻¹ⱼ x̄, is a bone that only moves. So a skinned surface collides like any other, and the
//! ledger books what it does to others as the work of bones.

use super::anatomy::{Anatomy, BodyBone, Guide};
use super::elasticity::Net;
use super::site::Site;
use super::weight::Weight;
use crate::format::{ClipRepeat, FigureMesh, SceneError};
use crate::mesh_data::MeshData;
use crate::mesh_io::Figure;
use glam::{DQuat, DVec3};
use sinew::{BoneId, ControlError, Placement, State};
use std::path::Path;
use std::sync::Arc;

/// A figure as the scene places it in time.
#[derive(Clone, Debug)]
pub struct PlacedFigure {
    /// The file.
    pub figure: Arc<Figure>,
    /// Factor from the file's unit to metres.
    pub scale: f64,
    /// Index of the body.
    pub body: usize,
    /// Where `initial` puts it.
    pub placed: Placement,
    repeat: ClipRepeat,
    start: f64,
}

impl PlacedFigure {
    /// The time of the clip at a time of the simulation, s.
    pub fn clip_time(&self, time: f64) -> f64 {
        let time = (time - self.start).max(0.0);
        let duration = self.figure.duration();
        match self.repeat {
            _ if duration <= 0.0 => time,
            ClipRepeat::Never => time,
            ClipRepeat::Restart => time % duration,
            ClipRepeat::BackAndForth => duration - (duration - time % (2.0 * duration)).abs(),
        }
    }
}

/// Reads a figure: its skin, then a point for each joint.
pub(super) fn anatomy(given: &FigureMesh, folder: &Path, at: &Site<'_>) -> Result<Anatomy, SceneError> {
    let figure = Figure::read(&folder.join(&given.path), given.clip.as_deref());
    let figure = figure.map_err(|error| at.key("path").error(error.to_string()))?;
    let mut mesh = figure.surface();
    let skin = mesh.points.len();
    mesh.points.extend(figure.joint_places(&figure.pose(0.0)).iter().map(|(place, _)| *place));
    mesh.points.iter_mut().for_each(|p| *p *= given.scale);
    let bone = |name: String, vertex: usize| BodyBone {
        name,
        vertices: vec![vertex],
        kinematic: true,
        guide: Guide::default(),
    };
    let joints = figure.joints().enumerate().map(|(k, name)| bone(name.to_owned(), skin + k));
    let vertices = (0..skin).map(|vertex| bone(format!("skin {vertex}"), vertex));
    Ok(Anatomy {
        bones: joints.chain(vertices).collect(),
        file: format!("{:016x}", figure.fingerprint()),
        figure: Some(Arc::new(figure)),
        mesh,
        ..Anatomy::default()
    })
}

/// A kilogram, and springs of no strength.
///
/// What a clip moves needs neither. But the engine measures what a support can do by what it holds, and takes as one what springs connect: so the whole figure, and not
/// a single vertex of its skin, is what pushes others.
pub(super) fn substance(mesh: &MeshData) -> (Weight, Net) {
    const MASS: f64 = 1.0;
    const STIFFNESS: f64 = 1e-6;
    let count = mesh.points.len();
    let mut ends: Vec<[u32; 2]> = Vec::new();
    for &[a, b, c] in &mesh.triangles {
        ends.extend([[a, b], [b, c], [c, a]].iter().map(|&[a, b]| [a.min(b), a.max(b)]));
    }
    // Parts that share no edge, and joints, hang on the first vertex.
    let mut group: Vec<u32> = (0..count as u32).collect();
    fn root(group: &mut [u32], mut v: u32) -> u32 {
        while group[v as usize] != v {
            group[v as usize] = group[group[v as usize] as usize];
            v = group[v as usize];
        }
        v
    }
    for [a, b] in ends.clone() {
        let (a, b) = (root(&mut group, a), root(&mut group, b));
        group[a as usize] = b;
    }
    for vertex in 1..count as u32 {
        let (a, b) = (root(&mut group, 0), root(&mut group, vertex));
        if a != b {
            ends.push([0, vertex]);
            group[b as usize] = a;
        }
    }
    ends.sort_unstable();
    ends.dedup();
    let length = |&[a, b]: &[u32; 2]| mesh.points[a as usize].distance(mesh.points[b as usize]);
    let rest_lengths = ends.iter().map(length).collect();
    let net = Net { stiffness: vec![STIFFNESS; ends.len()], rest_lengths, ends, ..Net::default() };
    (Weight::Vertices(vec![MASS / count.max(1) as f64; count]), net)
}

/// The bones of a figure over time.
#[derive(Clone, Debug)]
pub(super) struct FigureCourse {
    figure: PlacedFigure,
    joints: Vec<BoneId>,
    skin: Vec<BoneId>,
    /// Places and rotations of the joints, and points of the skin, at the start.
    from: (Vec<(DVec3, DQuat)>, Vec<DVec3>),
}

impl FigureCourse {
    /// `bones` are those of [`anatomy`], in their order.
    pub fn new(
        given: &FigureMesh,
        figure: Arc<Figure>,
        body: usize,
        placed: Placement,
        bones: &[BoneId],
    ) -> Self {
        let figure = PlacedFigure {
            figure,
            scale: given.scale,
            body,
            placed,
            repeat: given.repeat,
            start: given.start,
        };
        let (joints, skin) = bones.split_at(figure.figure.joints().count().min(bones.len()));
        let from = places(&figure, 0.0);
        Self { figure, joints: joints.to_vec(), skin: skin.to_vec(), from }
    }

    /// The figure.
    pub fn figure(&self) -> &PlacedFigure {
        &self.figure
    }

    /// Moves the bones to `time`, s.
    pub fn apply(&self, state: &mut State, time: f64) -> Result<(), ControlError> {
        let controls = state.controls_mut();
        let (joints, skin) = places(&self.figure, time);
        for (bone, ((to, turned), (from, start))) in self.joints.iter().zip(joints.iter().zip(&self.from.0)) {
            let rotation = (*turned * start.inverse()).normalize();
            controls.move_bone(*bone, Placement { rotation, translation: *to - rotation * *from })?;
        }
        for (bone, (to, from)) in self.skin.iter().zip(skin.iter().zip(&self.from.1)) {
            controls.move_bone(*bone, Placement::at(*to - *from))?;
        }
        Ok(())
    }
}

/// Joints and points of the skin in the world at a time of the simulation, s.
fn places(figure: &PlacedFigure, time: f64) -> (Vec<(DVec3, DQuat)>, Vec<DVec3>) {
    let PlacedFigure { figure: file, scale, placed, .. } = figure;
    let pose = file.pose(figure.clip_time(time));
    let joint = |(place, turn): (DVec3, DQuat)| (placed.apply(place * *scale), placed.rotation * turn);
    let joints = file.joint_places(&pose).into_iter().map(joint).collect();
    (joints, file.points(&pose).into_iter().map(|p| placed.apply(p * *scale)).collect())
}
