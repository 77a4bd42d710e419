//! Keeping points on bones: reading frames from positions, closing joints, making velocities consistent with bones and joints.

mod edit;

use super::articulation::{Articulation, Hold};
use super::bone::{Frame, turn_between};
use super::jointed::JointedFrames;
use super::system::SmallSystem;
use crate::controls::Controls;
use crate::model::Model;
use glam::DVec3;
use std::sync::Arc;

/// Tolerance of a closed joint: gap as a share of the model's size, and angle, rad.
const CLOSED: f64 = 1e-14;
/// Largest number of closing iterations; each squares the gap.
const ROUNDS: usize = 12;

/// Frames of all bones, and buffers to close their joints.
#[derive(Debug)]
pub(crate) struct Rig {
    pub frames: Vec<Frame>,
    /// Systems with masses alone, one for every articulation, and their constant matrices.
    pub(super) systems: Vec<SmallSystem>,
    masses: Vec<Arc<JointedFrames>>,
    /// Coordinates of one articulation.
    s: Vec<DVec3>,
    pub(super) kept: Vec<Frame>,
    /// (ω, velocity) of kinematic bones; zero for all others.
    driven: Vec<(DVec3, DVec3)>,
    /// (ω, velocity) that bones have when kinematic bones carry their joints along and nothing rotates.
    carried: Vec<(DVec3, DVec3)>,
}

impl Model {
    /// Makes the velocities of bones rigid in an initial state. The velocities of kinematic bones are not known yet: bones that hang on them
    /// start with the velocities that the user gave.
    pub(crate) fn make_initial_velocities_rigid(&self, x: &[DVec3], v: &mut [DVec3]) {
        Rig::new(self).make_velocities_rigid(self, |a| !a.has_kinematic_anchor(), x, v);
    }
}

impl Rig {
    pub fn new(model: &Model) -> Self {
        let skeleton = &model.skeleton;
        let longest = skeleton.articulations.iter().map(|a| a.coordinates).max();
        Self {
            frames: skeleton.start.clone(),
            systems: skeleton.articulations.iter().map(SmallSystem::new).collect(),
            masses: skeleton.articulations.iter().map(|a| Arc::new(masses_of(model, a))).collect(),
            s: vec![DVec3::ZERO; longest.unwrap_or(0)],
            kept: skeleton.start.clone(),
            driven: vec![(DVec3::ZERO, DVec3::ZERO); skeleton.bones.len()],
            carried: vec![(DVec3::ZERO, DVec3::ZERO); skeleton.bones.len()],
        }
    }

    /// Reads the frames from the positions of a state, which are rigid.
    pub fn read(&mut self, model: &Model, x: &[DVec3]) {
        for (frame, bone) in self.frames.iter_mut().zip(&model.skeleton.bones) {
            *frame = bone.frame(&model.masses, x).unwrap_or(*frame);
        }
    }

    /// Computes how kinematic bones move in a step of length `h`: bones that hang on them are carried along.
    pub fn drive(&mut self, model: &Model, before: &Controls, after: &Controls, h: f64) {
        self.driven.fill((DVec3::ZERO, DVec3::ZERO));
        let (before, after) = (before.bones(), after.bones());
        for (id, &k) in model.skeleton.ids.iter().enumerate() {
            let bone = &model.skeleton.bones[k];
            if bone.kinematic && before[id] != after[id] {
                let (start, end) = (bone.frame_of(&before[id]), bone.frame_of(&after[id]));
                self.driven[k] = (turn_between(start.turn, end.turn) / h, (end.place - start.place) / h);
            }
        }
    }

    /// Sees the motion of kinematic bones from a frame that moves with `velocity`.
    pub fn change_frame(&mut self, model: &Model, velocity: DVec3) {
        for (driven, bone) in self.driven.iter_mut().zip(&model.skeleton.bones) {
            if bone.kinematic {
                driven.1 -= velocity;
            }
        }
    }

    /// As [`Self::read`], for some articulations.
    pub fn read_some(&mut self, model: &Model, of: impl Fn(&Articulation) -> bool, x: &[DVec3]) {
        for articulation in model.skeleton.articulations.iter().filter(|a| of(a)) {
            self.read_one(model, articulation, x);
        }
    }

    /// Writes the positions of the bones' points for the articulations that `of` selects.
    pub fn write(&self, model: &Model, of: impl Fn(&Articulation) -> bool, x: &mut [DVec3]) {
        for articulation in model.skeleton.articulations.iter().filter(|a| of(a)) {
            for &bone in &articulation.bones {
                model.skeleton.bones[bone].put(&self.frames[bone], x);
            }
        }
    }

    /// Moves bones to the closest rigid frames of their points and closes their joints. Bones whose points are not finite stay as they are.
    /// Returns whether all joints could be closed.
    pub fn make_rigid(&mut self, model: &Model, of: impl Fn(&Articulation) -> bool, x: &mut [DVec3]) -> bool {
        let mut closed = true;
        for (k, articulation) in model.skeleton.articulations.iter().enumerate().filter(|(_, a)| of(a)) {
            let finite = self.read_one(model, articulation, x);
            if !finite {
                continue;
            }
            closed &= self.close(model, k);
            for &bone in &articulation.bones {
                model.skeleton.bones[bone].put(&self.frames[bone], x);
            }
        }
        closed
    }

    /// Reads the frames of an articulation and of its anchors.
    fn read_one(&mut self, model: &Model, articulation: &Articulation, x: &[DVec3]) -> bool {
        let bones = &model.skeleton.bones;
        let fixed = (0..bones.len()).filter(|&k| bones[k].kinematic);
        for k in fixed.chain(articulation.bones.iter().copied()) {
            let Some(frame) = bones[k].frame(&model.masses, x) else { return false };
            self.frames[k] = frame;
        }
        true
    }

    /// Closes the joints of an articulation. Trees without an anchor keep their centre of mass.
    pub fn close(&mut self, model: &Model, k: usize) -> bool {
        let articulation = &model.skeleton.articulations[k];
        self.kept.clone_from(&self.frames);
        articulation.place(&mut self.frames);
        self.center(model, articulation);
        if !articulation.has_rows() {
            return true;
        }
        let coordinates = articulation.coordinates;
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let gap = worst(model, articulation, &self.frames);
            // Less than half a digit of progress per iteration is rounding.
            if gap <= CLOSED || (gap < 1e-12 && gap > 0.3 * least) {
                break;
            }
            least = least.min(gap);
            let system = &mut self.systems[k];
            system.rotate(articulation, &self.frames, &self.masses[k]);
            if !system.factor(articulation, &self.frames) {
                return false;
            }
            system.find_rows(articulation, &self.frames);
            let s = &mut self.s[..coordinates];
            s.fill(DVec3::ZERO);
            system.solve(s, true);
            articulation.advance(1.0, s, &mut self.frames);
        }
        self.center(model, articulation);
        worst(model, articulation, &self.frames) < 1e-9
    }

    /// Shifts every tree without an anchor back to its previous centre of mass.
    fn center(&mut self, model: &Model, articulation: &Articulation) {
        for root in 0..articulation.bones.len() {
            if !matches!(articulation.holds[root], Hold::Free(_)) {
                continue;
            }
            let (mut mass, mut moved) = (0.0, DVec3::ZERO);
            for (k, &bone) in articulation.bones.iter().enumerate() {
                if articulation.roots[k] == root {
                    mass += model.skeleton.bones[bone].mass;
                    moved +=
                        (self.frames[bone].place - self.kept[bone].place) * model.skeleton.bones[bone].mass;
                }
            }
            if moved == DVec3::ZERO {
                continue;
            }
            for (k, &bone) in articulation.bones.iter().enumerate() {
                if articulation.roots[k] == root {
                    self.frames[bone].place -= moved / mass;
                }
            }
        }
    }

    /// Makes the velocities of bones rigid and consistent with their joints, at positions that are: the closest such motion in the metric of
    /// the masses, which has the same momenta if the bones have no anchor. Bones that hang on kinematic bones are carried along.
    pub fn make_velocities_rigid(
        &mut self,
        model: &Model,
        of: impl Fn(&Articulation) -> bool,
        x: &[DVec3],
        v: &mut [DVec3],
    ) {
        self.make_consistent(model, of, true, x, v);
    }

    /// The same for a search direction, for which kinematic bones do not move.
    pub fn make_direction_rigid(
        &mut self,
        model: &Model,
        of: impl Fn(&Articulation) -> bool,
        x: &[DVec3],
        direction: &mut [DVec3],
    ) {
        self.make_consistent(model, of, false, x, direction);
    }

    fn make_consistent(
        &mut self,
        model: &Model,
        of: impl Fn(&Articulation) -> bool,
        carried_along: bool,
        x: &[DVec3],
        v: &mut [DVec3],
    ) {
        let bones = &model.skeleton.bones;
        for (k, articulation) in model.skeleton.articulations.iter().enumerate().filter(|(_, a)| of(a)) {
            if !articulation.has_joints() {
                for &bone in &articulation.bones {
                    let motion = bones[bone].motion(&model.masses, x, v);
                    let center = bones[bone].center_at(&model.masses, x);
                    bones[bone].set_in_motion(center, motion, x, v);
                }
                continue;
            }
            if !self.read_one(model, articulation, x) {
                continue;
            }
            let system = &mut self.systems[k];
            system.rotate(articulation, &self.frames, &self.masses[k]);
            if !system.factor(articulation, &self.frames) {
                continue;
            }
            let driven = if carried_along { &self.driven[..] } else { &[] };
            let s = &mut self.s[..articulation.coordinates];
            s.fill(DVec3::ZERO);
            let carried = &mut self.carried[..articulation.bones.len()];
            articulation.expand_driven(&self.frames, s, driven, carried);
            system.find_rows(articulation, &self.frames);
            system.ask_velocities(driven, carried);
            for (place, &bone) in articulation.bones.iter().enumerate() {
                let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
                for &i in &bones[bone].points {
                    let momentum = v[i as usize] * model.masses[i as usize];
                    linear += momentum;
                    angular += (x[i as usize] - self.frames[bone].place).cross(momentum);
                }
                system.twists[place] = (angular, linear - carried[place].1 * bones[bone].mass);
            }
            articulation.pull_back(&self.frames, &mut system.twists, s);
            system.solve(s, true);
            articulation.expand_driven(&self.frames, s, driven, &mut system.twists);
            for (place, &bone) in articulation.bones.iter().enumerate() {
                let (omega, drift) = system.twists[place];
                bones[bone].set_in_motion(self.frames[bone].place, (drift, omega), x, v);
            }
        }
    }
}

/// The matrix of the masses of bones, in the columns of their frames.
fn masses_of(model: &Model, articulation: &Articulation) -> JointedFrames {
    JointedFrames::new(articulation, |i, j| {
        let bone = &model.skeleton.bones[articulation.bones[i / 4]];
        match (i / 4 == j / 4, i % 4, j % 4) {
            (true, 3, 3) => bone.mass,
            (true, a, b) if a < 3 && b < 3 => bone.second_moment().col(b)[a],
            _ => 0.0,
        }
    })
}

/// The largest violation of constraints beyond the tree: gaps as shares of the size, angles in rad.
fn worst(model: &Model, articulation: &Articulation, frames: &[Frame]) -> f64 {
    let mut worst: f64 = 0.0;
    for ball in &articulation.loops {
        worst = worst.max(ball.gap(frames).length() / model.topology.size);
    }
    for turning in &articulation.turnings {
        turning.rows(frames, |row| {
            worst = worst.max(if row.limit { row.value } else { row.value.abs() });
        });
    }
    worst
}
