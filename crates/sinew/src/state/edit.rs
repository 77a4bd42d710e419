//! Changes of positions and velocities by the user.

use super::{State, StateError};
use crate::ledger::Cause;
use crate::model::Model;
use glam::DVec3;

impl State {
    /// Edits positions and velocities: the ledger books the difference in energy as added. Bones follow the vertices that were changed, and
    /// joints are closed again. An edit that is not finite or has an energy that is not, that moves a pinned vertex, or that tears joints too far apart returns an error
    /// and leaves the state unchanged.
    pub fn edit(
        &mut self,
        model: &Model,
        change: impl FnOnce(&mut [DVec3], &mut [DVec3]),
    ) -> Result<(), StateError> {
        self.check(model)?;
        let (mut x, mut v) = (self.x.clone(), self.v.clone());
        change(&mut x[..self.vertices], &mut v[..self.vertices]);
        for i in 0..x.len() {
            if !x[i].is_finite() || !v[i].is_finite() {
                return Err(StateError::NotFinite { what: "edited vertex", index: i });
            }
            if model.dofs.is_pinned(i) {
                if x[i] != self.x[i] || v[i].abs().max_element() > self.rounding(i) {
                    return Err(StateError::Pinned { index: i });
                }
                v[i] = DVec3::ZERO;
            }
        }
        if !model.follow_edit((&self.x, &self.v), (&mut x, &mut v)) {
            return Err(StateError::Joints);
        }
        let before = self.ledger.clone();
        let (old_x, old_v) = (std::mem::replace(&mut self.x, x), std::mem::replace(&mut self.v, v));
        self.measure(model);
        let gained = self.ledger.energy() - before.energy();
        if !gained.is_finite() {
            (self.x, self.v, self.ledger) = (old_x, old_v, before);
            return Err(StateError::Overflow);
        }
        let ledger = &mut self.ledger;
        ledger.entries[Cause::Edits] += gained;
        for (target, component) in ledger.component_targets.iter_mut().zip(&model.topology.components) {
            *target += component.energy(&model.masses, &self.v, &ledger.potentials)
                - component.energy(&model.masses, &old_v, &before.potentials);
        }
        // BDF2 cannot extrapolate across a jump, nor an acceleration last: rules start again without history.
        self.history.h = 0.0;
        self.tangled = true;
        Ok(())
    }

    /// The speed that a rule may leave at a vertex that does not move: those that look back weight three positions, which cancel but for their
    /// last digits. All velocities times a number is an edit that must work.
    fn rounding(&self, vertex: usize) -> f64 {
        let h = self.history.h;
        if h > 0.0 { 1e4 * f64::EPSILON * self.x[vertex].abs().max_element() / h } else { 0.0 }
    }
}
