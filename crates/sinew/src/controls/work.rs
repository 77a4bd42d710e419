//! The work of controls that change a potential at once: ΔE at fixed positions, before anything else moves [dinev2018stab, Alg. 1 lines 5–8].
//!
//! Muscles contract through the step: their work is the mean of ΔE where the step starts and where its solution is. ΔE at the start alone takes tissue for slower than it is, by an error of first
//! order that a correction would turn into vibration.
//!
//! What moves through the step (attachments, grabs, kinematic bones, colliders, wind) is paid for where its forces are known: see [`crate::driven`] and
//! `contact::phases`. ΔE at fixed positions would ask a body to follow a stiff spring before it could, ½kΔs² too much in every step.

use super::{Controls, THROUGH_POTENTIALS};
use crate::budgets::Budgets;
use crate::energy::Pose;
use crate::ledger::Cause;
use crate::model::{Evaluator, Model};
use crate::next::{Next, Start};
use glam::DVec3;

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

    /// Pays the work of muscles that contract or relax in this step; after the solve.
    pub fn pay_muscles(
        &mut self,
        start: Start,
        evaluator: &mut Evaluator,
        next: &mut Next,
        budgets: &mut Budgets,
    ) {
        let Start { model, state, .. } = start;
        if state.last_controls.activations() == state.controls.activations() {
            return;
        }
        self.controls.clone_from(&state.last_controls);
        self.controls.copy_activations(&state.controls);
        let usable = next.is_usable();
        let Next { x, potentials, .. } = next;
        for (c, component) in model.topology.components.iter().enumerate() {
            let mut gain = |x: &[DVec3]| {
                let mut energy = |controls: &Controls| {
                    evaluator.component_value(model, component, Pose::new(x, controls), potentials)
                };
                energy(&self.controls) - energy(&state.last_controls)
            };
            let before = gain(&state.x);
            let after = if usable { gain(x) } else { before };
            if before != 0.0 || after != 0.0 {
                budgets.pay_component(c, Cause::Muscles, 0.5 * (before + after));
            }
        }
    }
}
