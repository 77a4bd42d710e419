//! Velocities of places and what impulses at them do, through flesh and bones.
//!
//! A vertex of flesh takes an impulse by itself; a vertex on a bone hands it to the bone, which moves and turns as a whole. Bones that joints hold together take
//! impulses one by one here; the caller makes their velocities agree afterwards.

use super::rows::{Contacts, Row};
use crate::model::Model;
use crate::momentum::{Inertia, InvertedInertia};
use glam::{DMat3, DVec3};

/// A bone in motion.
#[derive(Clone, Copy, Debug)]
struct Moving {
    center: DVec3,
    drift: DVec3,
    omega: DVec3,
    inverse_mass: f64,
    inverse_inertia: DMat3,
}

/// Sums over the rows of colliders that press on a component.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slide {
    /// What friction lacks, kg m/s.
    pub missing: DVec3,
    /// Σλ, over all rows and over those that slide, and Σλu with the speed u along the surface.
    pub weight: f64,
    pub sliding: f64,
    pub speed: DVec3,
    /// Whether it got what is missing.
    pub follows: bool,
    /// What one surface did to it.
    pub pressed: Option<Pressed>,
}

/// One surface that a component slides on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressed {
    /// Its normal, towards the component.
    pub normal: DVec3,
    /// Friction for a unit of the force that presses.
    pub friction: DVec3,
    /// Momentum along the normal where friction was that of the impulse that pressed, kg m/s.
    pub momentum: f64,
}

/// The bones that take part in contacts; owns its buffers.
#[derive(Debug)]
pub(crate) struct Impulses {
    /// Bone of each point, or `NONE`.
    bone: Vec<u32>,
    moving: Vec<Option<Moving>>,
    /// How components slide.
    pub slides: Vec<Slide>,
}

const NONE: u32 = u32::MAX;

impl Impulses {
    pub fn new(model: &Model) -> Self {
        let mut bone = vec![NONE; model.points()];
        for (k, one) in model.skeleton.bones.iter().enumerate() {
            one.points.iter().for_each(|&i| bone[i as usize] = k as u32);
        }
        let slides = vec![Slide::default(); model.topology.components.len()];
        Self { bone, moving: vec![None; model.skeleton.bones.len()], slides }
    }

    /// Reads the motion of every bone that a row acts on.
    pub fn read(&mut self, model: &Model, contacts: &Contacts, x: &[DVec3], v: &[DVec3]) {
        self.moving.fill(None);
        for (i, _) in contacts.rows.iter().flat_map(Row::ends).filter(|&(i, _)| i < x.len()) {
            let k = self.bone[i] as usize;
            if self.bone[i] == NONE || self.moving[k].is_some() || model.dofs.is_pinned(i) {
                continue;
            }
            let bone = &model.skeleton.bones[k];
            let center = bone.center_at(&model.masses, x);
            let (drift, omega) = bone.motion(&model.masses, x, v);
            let mut inertia = Inertia::default();
            bone.points.iter().for_each(|&i| inertia.add(model.masses[i as usize], x[i as usize] - center));
            let inverted = InvertedInertia::new(inertia.matrix());
            let column = |axis| inverted.angular_velocity(axis);
            let inverse_inertia = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
            self.moving[k] =
                Some(Moving { center, drift, omega, inverse_mass: 1.0 / bone.mass, inverse_inertia });
        }
    }

    /// Writes the motion of the bones back.
    pub fn write(&self, model: &Model, x: &[DVec3], v: &mut [DVec3]) {
        for (bone, moving) in model.skeleton.bones.iter().zip(&self.moving) {
            if let Some(m) = moving {
                bone.set_in_motion(m.center, (m.drift, m.omega), x, v);
            }
        }
    }

    fn moving(&self, i: usize) -> Option<&Moving> {
        self.moving.get(self.bone[i] as usize)?.as_ref()
    }

    /// Velocity of a point.
    pub fn velocity(&self, i: usize, x: &[DVec3], v: &[DVec3]) -> DVec3 {
        self.moving(i).map_or(v[i], |m| m.drift + m.omega.cross(x[i] - m.center))
    }

    /// How much n·ż of a row changes by a unit of impulse along n.
    pub fn give(&self, model: &Model, row: &Row, n: DVec3, x: &[DVec3]) -> f64 {
        let free = |&(i, _): &(usize, f64)| i < x.len() && !model.dofs.is_pinned(i);
        let mut sum = 0.0;
        for (k, (i, w)) in row.ends().enumerate().filter(|(_, end)| free(end)) {
            let Some(m) = self.moving(i) else {
                sum += w * w / model.masses[i];
                continue;
            };
            // The places of one bone take the impulse together.
            let same = |&(j, _): &(usize, f64)| j < x.len() && self.bone[j] == self.bone[i];
            if row.ends().take(k).any(|end| same(&end)) {
                continue;
            }
            let (mut push, mut turn) = (0.0, DVec3::ZERO);
            for (j, w) in row.ends().filter(same) {
                push += w;
                turn += (x[j] - m.center).cross(n) * w;
            }
            sum += push * push * m.inverse_mass + turn.dot(m.inverse_inertia * turn);
        }
        sum
    }

    /// Applies the impulse w·j at each place of a row.
    pub fn apply(&mut self, model: &Model, row: &Row, j: DVec3, x: &[DVec3], v: &mut [DVec3]) {
        self.apply_at(model, row.ends(), j, x, v);
    }

    /// Applies the impulse w·j at each place of a row, and at its levers: that of friction.
    pub fn apply_friction(&mut self, model: &Model, row: &Row, j: DVec3, x: &[DVec3], v: &mut [DVec3]) {
        self.apply_at(model, row.ends().chain(row.lever.ends()), j, x, v);
    }

    fn apply_at(
        &mut self,
        model: &Model,
        ends: impl Iterator<Item = (usize, f64)>,
        j: DVec3,
        x: &[DVec3],
        v: &mut [DVec3],
    ) {
        for (i, w) in ends.filter(|&(i, _)| i < x.len()) {
            if model.dofs.is_pinned(i) {
                continue;
            }
            let impulse = j * w;
            match self.moving.get_mut(self.bone[i] as usize).and_then(Option::as_mut) {
                Some(m) => {
                    m.drift += impulse * m.inverse_mass;
                    m.omega += m.inverse_inertia * (x[i] - m.center).cross(impulse);
                }
                None => v[i] += impulse / model.masses[i],
            }
        }
    }
}

impl Contacts {
    /// ż of a row: the relative velocity of its sides.
    pub(super) fn relative_velocity(&self, row: &Row, h: f64, velocity: impl Fn(usize) -> DVec3) -> DVec3 {
        let collider = |i: usize| (self.after[i - self.points] - self.before[i - self.points]) / h;
        // Velocities of points that the user moves are kept as zero: they carry no momentum.
        let point =
            |i: usize| self.moved.get(i).copied().flatten().map_or_else(|| velocity(i), |way| way / h);
        row.ends().map(|(i, w)| if i < self.points { point(i) } else { collider(i) } * w).sum()
    }
}
