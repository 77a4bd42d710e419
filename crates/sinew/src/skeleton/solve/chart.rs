//! The iterate in flesh and bone coordinates, and how it moves: shared by all solvers.
//!
//! Without bones the coordinates are the free vertices and a step is a straight line. With bones they are those of [`Articulated`]: flesh
//! moves along straight lines, bones rotate, joints stay closed.

use super::articulated::{Articulated, move_points};
use crate::dofs::Slot;
use crate::model::Model;
use crate::objective::Objective;
use crate::skeleton::rig::Rig;
use crate::skeleton::{Articulation, Frame};
use glam::DVec3;

/// Frames of the bones at x and at a trial, and their small systems.
#[derive(Debug)]
pub(crate) struct Chart {
    pub articulated: Articulated,
    rig: Rig,
    trial: Vec<Frame>,
}

impl Chart {
    pub fn new(model: &Model) -> Self {
        let rig = Rig::new(model);
        Self { articulated: Articulated::of_model(model), trial: rig.frames.clone(), rig }
    }

    /// Whether there are bones.
    pub fn has_bones(&self) -> bool {
        !self.articulated.is_empty()
    }

    /// The frames and the small systems.
    pub fn parts(&mut self) -> (&[Frame], &mut Articulated) {
        (&self.rig.frames, &mut self.articulated)
    }

    /// Changes an initial guess to one that bones can follow.
    pub fn begin(&mut self, objective: &Objective, x: &mut [DVec3]) {
        let model = objective.model;
        if self.has_bones() && !self.rig.make_rigid(model, |_| true, x) {
            // Where the prediction has torn joints too far apart to close, the bones start from the start of the step.
            self.rig.read(model, objective.start);
            self.rig.write(model, |_| true, x);
        }
    }

    /// reduced ← the gradient with respect to the coordinates, given that with respect to the vertices.
    pub fn reduce(&mut self, model: &Model, gradient: &[DVec3], reduced: &mut [DVec3]) {
        model.dofs.pull_back(gradient, reduced);
        self.articulated.reduce(model, &self.rig.frames, reduced);
    }

    /// x ← x + scale · direction. The resulting frames belong to the trial until it is accepted.
    pub fn advance(&mut self, model: &Model, scale: f64, direction: &[DVec3], x: &mut [DVec3]) {
        if !self.has_bones() {
            model.dofs.add_expanded(scale, direction, x);
            return;
        }
        self.trial.clone_from(&self.rig.frames);
        self.articulated.advance(model, scale, direction, &mut self.trial);
        if model.skeleton.articulations.iter().any(Articulation::has_rows) {
            std::mem::swap(&mut self.rig.frames, &mut self.trial);
            for k in 0..model.skeleton.articulations.len() {
                self.rig.close(model, k);
            }
            std::mem::swap(&mut self.rig.frames, &mut self.trial);
        }
        move_points(model, scale, direction, &self.trial, x);
    }

    /// Accepts the trial.
    pub fn accept(&mut self) {
        self.rig.frames.clone_from(&self.trial);
    }

    /// As [`Objective::residual`], with the coordinates of bones in place of their vertices.
    pub fn residual(&self, objective: &Objective, gradient: &[DVec3], reduced: &[DVec3]) -> f64 {
        if !self.has_bones() {
            return objective.residual(gradient);
        }
        let model = objective.model;
        let (mut squares, mut mass) = (self.articulated.squares(model, reduced), 0.0);
        for (slot, m) in model.dofs.slots().iter().zip(&model.masses) {
            mass += m;
            if let Slot::Free(index) = slot {
                squares += reduced[*index as usize].length_squared() / m;
            }
        }
        (squares / mass).sqrt() / model.topology.size
    }
}
