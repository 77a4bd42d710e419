//! The same motion in another model: what a user changes while a simulation runs.
//!
//! Stiffer flesh, other gravity, a vertex held or let go, a ball thrown in: each is a new [`Model`], and the bodies go on
//! from where they were. What the change gave or took is work of the user's, Δ = H_new − H_old, and an entry of the ledger.

use super::{State, StateError};
use crate::Model;
use crate::skeleton::Rig;
use glam::DVec3;

impl State {
    /// This state of `from` as a state of `to`, which has the same bodies with other constants, pins or surroundings, and
    /// perhaps further bodies behind them; those start as `to` says. The ledger goes on: the change of energy is booked as an
    /// edit. Hands stay where they are.
    ///
    /// # Errors
    /// If `from` is not the model of this state, or the bodies of `to` do not begin with those of `from`.
    pub fn carry_over(&self, from: &Model, to: &Model) -> Result<Self, StateError> {
        self.check(from)?;
        let begins = from.bodies.len() <= to.bodies.len()
            && from.bodies.iter().zip(&to.bodies).all(|(a, b)| {
                a.vertices == b.vertices && a.tetrahedra == b.tetrahedra && a.springs == b.springs
            });
        let (bones, more) = (from.skeleton.ids.len(), to.skeleton.ids.len());
        if !begins || bones > more || to.points() - to.visible < from.points() - from.visible {
            return Err(StateError::OtherBodies);
        }
        let mut state = Self::new(to);
        for (new, old) in [
            (&mut state.x, &self.x),
            (&mut state.v, &self.v),
            (&mut state.history.x, &self.history.x),
            (&mut state.history.v, &self.history.v),
        ] {
            take_over(new, old, (to.visible, from.visible));
        }
        take_over(&mut state.contact, &self.contact, (to.visible, from.visible));
        for i in (0..to.points()).filter(|&i| to.dofs.is_pinned(i)) {
            state.v[i] = DVec3::ZERO;
        }
        Rig::new(to).make_still(to, |a| !a.touches_hands(), &state.x, &mut state.v);
        (state.time, state.steps) = (self.time, self.steps);
        // A body that joins has no past.
        state.history.h = if from.points() == to.points() { self.history.h } else { 0.0 };
        for (new, old) in
            [(&mut state.surroundings, &self.surroundings), (&mut state.requested, &self.requested)]
        {
            // What the change itself has moved is where it was moved to.
            let unmoved = |k: usize| from.initial_targets.get(k) == to.initial_targets.get(k);
            keep_where(&mut new.targets, &old.targets, unmoved);
            let place = |model: &Model, k: usize| model.colliders.get(k).map(|collider| collider.placement);
            keep_where(&mut new.placements, &old.placements, |k| place(from, k) == place(to, k));
            begin_with(&mut new.bones, &old.bones);
            (new.wind, new.acceleration) = (old.wind, old.acceleration);
            if to.hands {
                new.grabs = old.grabs;
            }
        }
        state.measure(to);
        let ledger = &mut state.ledger;
        (ledger.initial, ledger.added, ledger.dissipated) =
            (self.ledger.initial, self.ledger.added, self.ledger.dissipated);
        ledger.added.edits += ledger.energy() - self.ledger.energy();
        for (c, component) in to.components.iter().enumerate() {
            // What was owed stays owed; a body that joins owes nothing.
            let first = component.vertices.first().map_or(usize::MAX, |&i| i as usize);
            let before = from.labels.get(first).filter(|_| first < from.visible).map(|&l| l as usize);
            let owed = before.map_or(0.0, |old| {
                let energy = from.components[old].energy(&from.masses, &self.v, &self.ledger.potentials);
                self.ledger.component_targets[old] - energy
            });
            state.approach[c] = before.map_or(0.0, |old| self.approach[old]);
            ledger.component_targets[c] = component.energy(&to.masses, &state.v, &ledger.potentials) + owed;
        }
        Ok(state)
    }
}

/// Copies what `old` has of each vertex and each mass point; both kinds keep their numbers, counted from `starts`.
fn take_over<T: Copy>(new: &mut [T], old: &[T], starts: (usize, usize)) {
    if new.is_empty() || old.is_empty() {
        return;
    }
    let (vertices, points) = old.split_at(starts.1);
    begin_with(new, vertices);
    begin_with(&mut new[starts.0..], points);
}

/// Takes over those of `old` that are to be kept.
fn keep_where<T: Copy>(new: &mut [T], old: &[T], keep: impl Fn(usize) -> bool) {
    new.iter_mut().zip(old).enumerate().filter(|(k, _)| keep(*k)).for_each(|(_, (new, old))| *new = *old);
}

/// Overwrites the beginning of `new` as far as `old` goes.
fn begin_with<T: Copy>(new: &mut [T], old: &[T]) {
    let common = new.len().min(old.len());
    new[..common].copy_from_slice(&old[..common]);
}
