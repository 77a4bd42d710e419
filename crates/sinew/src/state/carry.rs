//! Continuing a motion in another model, after the user has changed something while a simulation runs.
//!
//! Stiffer flesh, other gravity, a vertex pinned or released, a ball thrown in: each is a new [`Model`], and the bodies continue from where
//! they were. The energy that the change adds or takes is the user's work, Δ = H_new − H_old, and an entry of the ledger.

use super::{State, StateError};
use crate::ledger::Cause;
use crate::model::Model;
use glam::DVec3;

impl State {
    /// Converts this state of `from` to a state of `to`, which has the same bodies with other constants, pins or surroundings, and perhaps
    /// further bodies after them; those start in the initial state of `to`. The ledger continues: the change of energy is booked as an edit.
    /// Grabs continue if the model allows them.
    ///
    /// # Errors
    /// Returns an error if `from` is not the model of this state, or if the bodies of `to` do not begin with those of `from`.
    pub fn carry_over(&self, from: &Model, to: &Model) -> Result<Self, StateError> {
        self.check(from)?;
        let begins = from.topology.bodies.len() <= to.topology.bodies.len()
            && from.topology.bodies.iter().zip(&to.topology.bodies).all(|(a, b)| {
                a.vertices == b.vertices && a.tetrahedra == b.tetrahedra && a.springs == b.springs
            });
        let (bones, more) = (from.skeleton.ids.len(), to.skeleton.ids.len());
        if !begins
            || bones > more
            || to.points() - to.topology.vertices < from.points() - from.topology.vertices
        {
            return Err(StateError::OtherBodies);
        }
        let mut state = Self::new(to);
        for (new, old) in [
            (&mut state.x, &self.x),
            (&mut state.v, &self.v),
            (&mut state.history.x, &self.history.x),
            (&mut state.history.v, &self.history.v),
            (&mut state.history.a, &self.history.a),
        ] {
            take_over(new, old, (to.topology.vertices, from.topology.vertices));
        }
        for i in (0..to.points()).filter(|&i| to.dofs.is_pinned(i)) {
            state.v[i] = DVec3::ZERO;
        }
        to.make_initial_velocities_rigid(&state.x, &mut state.v);
        (state.time, state.steps) = (self.time, self.steps);
        // A new body has no history.
        state.history.accelerated = self.history.accelerated;
        state.history.h = if from.points() == to.points() { self.history.h } else { 0.0 };
        for (new, old) in
            [(&mut state.last_controls, &self.last_controls), (&mut state.controls, &self.controls)]
        {
            new.carry_over(old, &from.initial.controls, to.forces.grabs);
        }
        state.measure(to);
        let ledger = &mut state.ledger;
        (ledger.initial, ledger.entries) = (self.ledger.initial, self.ledger.entries);
        ledger.entries[Cause::Edits] += ledger.energy() - self.ledger.energy();
        for (c, component) in to.topology.components.iter().enumerate() {
            // Energy that a correction still owes stays owed; a new body owes nothing.
            let first = component.vertices.first().map_or(usize::MAX, |&i| i as usize);
            let before = from
                .topology
                .labels
                .get(first)
                .filter(|_| first < from.topology.vertices)
                .map(|&l| l as usize);
            let owed = before.map_or(0.0, |old| {
                let energy =
                    from.topology.components[old].energy(&from.masses, &self.v, &self.ledger.potentials);
                self.ledger.component_targets[old] - energy
            });
            state.approach[c] = before.map_or(0.0, |old| self.approach[old]);
            state.slow[c] = before.map_or_else(Default::default, |old| self.slow[old]);
            state.drives[c] = before.map_or_else(Default::default, |old| self.drives[old]);
            ledger.component_targets[c] = component.energy(&to.masses, &state.v, &ledger.potentials) + owed;
        }
        Ok(state)
    }
}

/// Copies the entries of `old` for each vertex and each mass point; both keep their indices, counted from `starts`.
fn take_over<T: Copy>(new: &mut [T], old: &[T], starts: (usize, usize)) {
    if new.is_empty() || old.is_empty() {
        return;
    }
    let (vertices, points) = old.split_at(starts.1);
    begin_with(new, vertices);
    begin_with(&mut new[starts.0..], points);
}

/// Overwrites the beginning of `new` with `old`.
fn begin_with<T: Copy>(new: &mut [T], old: &[T]) {
    let common = new.len().min(old.len());
    new[..common].copy_from_slice(&old[..common]);
}
