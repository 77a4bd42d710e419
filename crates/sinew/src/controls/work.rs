//! The work of controls that change a potential at once: ΔE at fixed positions, before anything else moves [dinev2018stab, Alg. 1 lines 5–8].
//!
//! What moves through the step (attachments, grabs, kinematic bones, colliders, wind) is paid for where its forces are known: see [`crate::driven`] and
//! `contact::phases`. ΔE at fixed positions would ask a body to follow a stiff spring before it could, ½kΔs² too much in every step.

use super::{Controls, THROUGH_POTENTIALS};
use crate::budgets::Budgets;
use crate::energy::Pose;
use crate::model::{Evaluator, Model};
use crate::next::Start;

/// Memory for measuring one input at a time.
#[derive(Debug)]
pub(crate) struct ControlWork {
    /// The controls of the last step, one input after the other replaced by the new ones.
    controls: Controls,
    /// E of each component with them, J.
    energies: Vec<f64>,
}

impl ControlWork {
    pub fn new(model: &Model) -> Self {
        Self {
            controls: model.initial.controls.clone(),
            energies: vec![0.0; model.topology.components.len()],
        }
    }

    /// Pays the work of every input that the user changed since the last step. `potentials` is memory with a place for every batch.
    pub fn pay(
        &mut self,
        start: Start,
        evaluator: &mut Evaluator,
        potentials: &mut [f64],
        budgets: &mut Budgets,
    ) {
        let Start { model, state, .. } = start;
        let mut energy = |c: usize, controls: &Controls| {
            let pose = Pose::new(&state.x, controls);
            evaluator.component_value(model, &model.topology.components[c], pose, potentials)
        };
        let mut measured = false;
        self.controls.clone_from(&state.last_controls);
        for input in THROUGH_POTENTIALS {
            if !(input.adopt)(&mut self.controls, &state.controls) {
                continue;
            }
            if !std::mem::replace(&mut measured, true) {
                for (c, before) in self.energies.iter_mut().enumerate() {
                    *before = energy(c, &state.last_controls);
                }
            }
            for (c, before) in self.energies.iter_mut().enumerate() {
                let after = energy(c, &self.controls);
                budgets.pay_component(c, input.cause, after - *before);
                *before = after;
            }
        }
    }
}
