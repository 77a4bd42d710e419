//! Controls: what the user does to a running simulation.
//!
//! One value holds every input: targets of attachments, places of colliders and kinematic bones, wind, acceleration, grabs and activations of muscles. The user
//! changes it through [`State::controls_mut`](crate::State::controls_mut) between two steps; the next step lets the new values act and books their work in
//! the ledger. Potentials read it through [`Pose::controls`](crate::energy::Pose::controls).
//!
//! A new input (a magnet, a pressure, a motor) is a field here, an arm in `clone_from` and `carry_over`, where the compiler asks for it,
//! a place in the lists that saved states store, and the energy that reads it. Where its work is the change of that energy at fixed positions, it also gets a row
//! in [`THROUGH_POTENTIALS`].

mod grab;
pub(crate) mod work;

pub use grab::Grab;

use crate::ids::{AttachmentId, BoneId, ColliderId, GrabId, MuscleId};
use crate::ledger::Cause;
use crate::muscle::{self, Activation, EIGENVALUES};
use crate::placement::Placement;
use glam::DVec3;
use std::sync::LazyLock;
use thiserror::Error;

/// Grabs at a time.
pub(crate) const GRABS: usize = 8;

/// Everything that the user can change between two steps.
#[derive(Debug, Default, PartialEq)]
pub struct Controls {
    /// Of the attachments, m.
    targets: Vec<DVec3>,
    colliders: Vec<Placement>,
    /// From the rest places of the bones; only kinematic bones follow them.
    bones: Vec<Placement>,
    /// Velocity of the air, m/s.
    wind: DVec3,
    /// Uniform acceleration in addition to gravity, m/s².
    acceleration: DVec3,
    /// A grab of stiffness 0 holds nothing.
    grabs: [Grab; GRABS],
    /// Of the muscles.
    activations: Vec<Activation>,
}

/// A change that a control refuses; the control keeps its value.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ControlError {
    /// A number is NaN or infinite, or a rotation is not one.
    #[error("{what} {index} is not finite")]
    NotFinite {
        /// What was given.
        what: &'static str,
        /// Which one.
        index: usize,
    },
    /// The model has no such thing.
    #[error("there is no {what} {index}: the model has {count}")]
    Missing {
        /// What was asked for.
        what: &'static str,
        /// Its number.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// An activation that would turn tissue inside out, or crush it.
    #[error(
        "the activation of muscle {muscle} must be a symmetric matrix with eigenvalues from {} to {}, is {value:?}",
        EIGENVALUES[0], EIGENVALUES[1]
    )]
    Activation {
        /// Which muscle.
        muscle: usize,
        /// What was given: xx, xy, xz, yy, yz, zz.
        value: Activation,
    },
    /// A grab that cannot be.
    #[error("cannot grab that: {0}")]
    Grab(String),
}

/// An input that acts through a potential: its work is the change of that potential at fixed positions [dinev2018stab, Alg. 1 lines 5–8].
pub(crate) struct ThroughPotential {
    pub cause: Cause,
    /// Takes the input over from other controls; returns whether that changed it.
    pub adopt: fn(&mut Controls, &Controls) -> bool,
}

/// The inputs whose work is the change of a potential, in the order in which it is measured.
pub(crate) const THROUGH_POTENTIALS: &[ThroughPotential] =
    &[ThroughPotential { cause: Cause::Grabs, adopt: |to, from| adopt_holds(&mut to.grabs, &from.grabs) }];

/// Takes over grabs that begin or end; the work of those that only move is measured by their force.
fn adopt_holds(to: &mut [Grab], from: &[Grab]) -> bool {
    let mut changed = false;
    for (to, from) in to.iter_mut().zip(from) {
        if !to.same_hold(from) && to != from {
            *to = *from;
            changed = true;
        }
    }
    changed
}

static NONE: LazyLock<Controls> = LazyLock::new(Controls::default);

impl Clone for Controls {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Takes over another's values; allocates nothing where the lists are as long.
    fn clone_from(&mut self, other: &Self) {
        let Self { targets, colliders, bones, wind, acceleration, grabs, activations } = self;
        targets.clone_from(&other.targets);
        colliders.clone_from(&other.colliders);
        bones.clone_from(&other.bones);
        *wind = other.wind;
        *acceleration = other.acceleration;
        *grabs = other.grabs;
        activations.clone_from(&other.activations);
    }
}

impl Controls {
    /// Where a simulation starts: targets, colliders and bones as the model places them, nothing blows, nothing is grabbed.
    pub(crate) fn new(targets: Vec<DVec3>, colliders: Vec<Placement>, bones: Vec<Placement>) -> Self {
        Self { targets, colliders, bones, ..Self::default() }
    }

    /// The same with so many muscles, all at rest.
    pub(crate) fn with_muscles(mut self, count: usize) -> Self {
        self.activations = vec![muscle::PASSIVE; count];
        self
    }

    /// Controls of a model that has nothing to control.
    pub fn none() -> &'static Self {
        &NONE
    }

    /// Where each attachment pulls to, m.
    pub fn targets(&self) -> &[DVec3] {
        &self.targets
    }

    /// Where each collider will be at the end of the next step.
    pub fn colliders(&self) -> &[Placement] {
        &self.colliders
    }

    /// Puts the colliders where they have really come to.
    pub(crate) fn place_colliders(&mut self, at: impl Iterator<Item = Placement>) {
        self.colliders.iter_mut().zip(at).for_each(|(collider, at)| *collider = at);
    }

    /// Where each kinematic bone will be at the end of the next step: p = R X + t, X the rest place of a vertex. Other bones do not follow.
    pub fn bones(&self) -> &[Placement] {
        &self.bones
    }

    /// Velocity of the air, m/s.
    pub fn wind(&self) -> DVec3 {
        self.wind
    }

    /// Uniform acceleration in addition to gravity, m/s².
    pub fn acceleration(&self) -> DVec3 {
        self.acceleration
    }

    /// What each muscle wants its tissue to be; at rest [`muscle::PASSIVE`].
    pub fn activations(&self) -> &[Activation] {
        &self.activations
    }

    /// Takes over another's activations.
    pub(crate) fn copy_activations(&mut self, other: &Self) {
        self.activations.clone_from(&other.activations);
    }

    /// The grabs that hold something, each with its number.
    pub fn grabs(&self) -> impl Iterator<Item = (GrabId, &Grab)> + Clone {
        self.grabs.iter().enumerate().filter(|(_, grab)| grab.holds()).map(|(k, grab)| (GrabId(k), grab))
    }

    /// Becomes the controls at a share of the way from `old` to `new`: what pulls a body moves through the step. What begins in this step acts from its start.
    pub(crate) fn between(&mut self, old: &Self, new: &Self, share: f64) {
        self.clone_from(new);
        for (target, old) in self.targets.iter_mut().zip(&old.targets) {
            *target = old.lerp(*target, share);
        }
        for (grab, old) in self.grabs.iter_mut().zip(&old.grabs) {
            if old.same_hold(grab) {
                grab.target = old.target.lerp(grab.target, share);
            }
        }
        for (activation, old) in self.activations.iter_mut().zip(&old.activations) {
            *activation = muscle::between(old, activation, share);
        }
    }

    /// All grabs, also those that hold nothing.
    pub(crate) fn grab_slots(&self) -> &[Grab] {
        &self.grabs
    }

    /// The grab of this number, if it holds something.
    pub fn grabbed(&self, id: GrabId) -> Option<&Grab> {
        self.grabs.get(id.0).filter(|grab| grab.holds())
    }

    /// How many grabs there can be at a time.
    pub const fn most_grabs() -> usize {
        GRABS
    }

    /// Moves the target of an attachment.
    pub fn move_target(&mut self, attachment: AttachmentId, to: DVec3) -> Result<&mut Self, ControlError> {
        put(&mut self.targets, "attachment", attachment.0, ("target", to.is_finite()), to)?;
        Ok(self)
    }

    /// Moves a collider. The next step carries it there along a straight line, as far as bodies give way.
    pub fn move_collider(&mut self, collider: ColliderId, to: Placement) -> Result<&mut Self, ControlError> {
        let check = ("placement of collider", to.is_valid());
        put(&mut self.colliders, "collider", collider.0, check, to)?;
        Ok(self)
    }

    /// Moves a kinematic bone: its vertices will be at p = R X + t, X their rest places.
    pub fn move_bone(&mut self, bone: BoneId, to: Placement) -> Result<&mut Self, ControlError> {
        put(&mut self.bones, "bone", bone.0, ("placement of bone", to.is_valid()), to)?;
        Ok(self)
    }

    /// Contracts or relaxes a muscle: sets what it wants its tissue to be, with eigenvalues within [`EIGENVALUES`](muscle::EIGENVALUES).
    /// [`muscle::fibre`] and [`muscle::ring`] make such matrices of a length.
    pub fn activate(&mut self, muscle: MuscleId, to: Activation) -> Result<&mut Self, ControlError> {
        if !muscle::is_healthy(&to) {
            return Err(ControlError::Activation { muscle: muscle.0, value: to });
        }
        put(&mut self.activations, "muscle", muscle.0, ("activation of muscle", true), to)?;
        Ok(self)
    }

    /// Sets the velocity of the air, m/s.
    pub fn set_wind(&mut self, velocity: DVec3) -> Result<&mut Self, ControlError> {
        self.wind = finite("wind", velocity)?;
        Ok(self)
    }

    /// Sets a uniform acceleration in addition to gravity, m/s²: a shaken frame, a moving vehicle.
    pub fn set_acceleration(&mut self, acceleration: DVec3) -> Result<&mut Self, ControlError> {
        self.acceleration = finite("acceleration", acceleration)?;
        Ok(self)
    }

    /// Moves the target of a grab.
    pub fn move_grab(&mut self, id: GrabId, to: DVec3) -> Result<&mut Self, ControlError> {
        if !to.is_finite() {
            return Err(ControlError::NotFinite { what: "target of grab", index: id.0 });
        }
        self.held(id)?.target = to;
        Ok(self)
    }

    /// Releases a grab. The energy of its spring leaves with it.
    pub fn release(&mut self, id: GrabId) -> Result<&mut Self, ControlError> {
        *self.held(id)? = Grab::NONE;
        Ok(self)
    }

    /// Stores a grab that the model allows; see [`Controls::grab`].
    pub(crate) fn hold(&mut self, grab: Grab) -> Result<GrabId, ControlError> {
        let full = || ControlError::Grab(format!("all {GRABS} grabs are in use"));
        let free = self.grabs.iter().position(|grab| !grab.holds()).ok_or_else(full)?;
        self.grabs[free] = grab;
        Ok(GrabId(free))
    }

    fn held(&mut self, id: GrabId) -> Result<&mut Grab, ControlError> {
        let held = self.grabs.get_mut(id.0).filter(|grab| grab.holds());
        held.ok_or_else(|| ControlError::Grab(format!("grab {} holds nothing", id.0)))
    }

    /// Counts of what belongs to the model, by name.
    pub(crate) fn counts(&self) -> [(&'static str, usize); 4] {
        [
            ("attachments", self.targets.len()),
            ("colliders", self.colliders.len()),
            ("bones", self.bones.len()),
            ("muscles", self.activations.len()),
        ]
    }

    /// Takes over what `old` controls of a model that starts with `from`, where this one, of a changed model, starts with `self`: what the change of the model
    /// itself has moved stays where it was moved to. Grabs go on only where the changed model allows them.
    pub(crate) fn carry_over(&mut self, old: &Self, from: &Self, grabbable: bool) {
        let Self { targets, colliders, bones, wind, acceleration, grabs, activations } = self;
        keep_unmoved(targets, &old.targets, &from.targets);
        keep_unmoved(colliders, &old.colliders, &from.colliders);
        keep_unmoved(activations, &old.activations, &from.activations);
        let common = bones.len().min(old.bones.len());
        bones[..common].copy_from_slice(&old.bones[..common]);
        (*wind, *acceleration) = (old.wind, old.acceleration);
        if grabbable {
            *grabs = old.grabs;
        }
    }

    /// Vertices that grabs name, as saved states store them.
    pub(crate) fn indices_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        self.grabs.iter_mut().flat_map(|grab| &mut grab.corners)
    }

    /// Points and directions, as saved states store them.
    pub(crate) fn vectors_mut(&mut self) -> impl Iterator<Item = &mut DVec3> {
        self.targets.iter_mut().chain([&mut self.wind, &mut self.acceleration])
    }

    /// All other numbers, as saved states store them.
    pub(crate) fn scalars_mut(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        for placement in self.colliders.iter_mut().chain(&mut self.bones) {
            placement.for_each(visit);
        }
        for grab in &mut self.grabs {
            grab.target.as_mut().iter_mut().for_each(&mut *visit);
            grab.weights.iter_mut().for_each(&mut *visit);
            visit(&mut grab.stiffness);
        }
        self.activations.iter_mut().flatten().for_each(visit);
    }
}

/// Writes one entry of a list, if it exists and the value is sound.
fn put<T>(
    list: &mut [T],
    what: &'static str,
    index: usize,
    (value_name, sound): (&'static str, bool),
    value: T,
) -> Result<(), ControlError> {
    if !sound {
        return Err(ControlError::NotFinite { what: value_name, index });
    }
    let count = list.len();
    *list.get_mut(index).ok_or(ControlError::Missing { what, index, count })? = value;
    Ok(())
}

fn finite(what: &'static str, value: DVec3) -> Result<DVec3, ControlError> {
    if value.is_finite() { Ok(value) } else { Err(ControlError::NotFinite { what, index: 0 }) }
}

/// Copies from `old` what `new` and `from`, two starts, place alike.
fn keep_unmoved<T: Copy + PartialEq>(new: &mut [T], old: &[T], from: &[T]) {
    for ((new, old), from) in new.iter_mut().zip(old).zip(from) {
        if new == from {
            *new = *old;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An input that is not saved shows here: no two controls that differ look the same when saved.
    #[test]
    fn every_input_is_saved_and_copied() {
        let start = Controls::new(vec![DVec3::ZERO], vec![Placement::default()], vec![Placement::default()])
            .with_muscles(1);
        let mut changed: [Controls; 7] = std::array::from_fn(|_| start.clone());
        changed[0].move_target(AttachmentId(0), DVec3::X).unwrap();
        changed[1].move_collider(ColliderId(0), Placement::at(DVec3::X)).unwrap();
        changed[2].move_bone(BoneId(0), Placement::at(DVec3::X)).unwrap();
        changed[3].set_wind(DVec3::X).unwrap();
        changed[4].set_acceleration(DVec3::X).unwrap();
        changed[6].activate(MuscleId(0), muscle::fibre(DVec3::X, 0.8)).unwrap();
        changed[5]
            .hold(Grab { corners: [1; 3], weights: [1.0, 0.0, 0.0], stiffness: 1.0, target: DVec3::X })
            .unwrap();
        let saved = |controls: &Controls| {
            let (mut copy, mut bits) = (controls.clone(), Vec::new());
            bits.extend(copy.indices_mut().map(|i| u64::from(*i)));
            bits.extend(copy.vectors_mut().flat_map(|p| p.to_array()).map(f64::to_bits));
            copy.scalars_mut(&mut |value| bits.push(value.to_bits()));
            bits
        };
        for (k, controls) in changed.iter().enumerate() {
            assert_ne!(saved(controls), saved(&start), "input {k}");
            assert!(changed[..k].iter().all(|other| saved(other) != saved(controls)), "input {k}");
        }
    }

    #[test]
    fn refused_values_change_nothing() {
        let mut controls = Controls::new(vec![DVec3::ZERO], Vec::new(), Vec::new());
        let before = controls.clone();
        assert!(controls.move_target(AttachmentId(1), DVec3::X).is_err());
        assert!(controls.move_target(AttachmentId(0), DVec3::NAN).is_err());
        assert!(controls.move_collider(ColliderId(0), Placement::default()).is_err());
        assert!(controls.set_wind(DVec3::INFINITY).is_err());
        assert!(controls.activate(MuscleId(0), muscle::PASSIVE).is_err());
        assert!(controls.release(GrabId(0)).is_err() && controls.move_grab(GrabId(99), DVec3::X).is_err());
        assert_eq!(controls, before);
    }
}
