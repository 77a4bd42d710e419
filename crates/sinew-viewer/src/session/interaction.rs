//! Interaction of a page with the bodies: grabs, pins, attachments, balls, wind.
//!
//! Each acts on every variant, so that variants stay comparable. Vertices and attachments are numbered as in the view that was used; a
//! variant with a different number of them is left out.

use super::Session;
use super::command::Hold;
use super::user_changes::{Ball, MAX_BALLS, UserChanges};
use super::variant::{Fault, Variant};
use glam::DVec3;
use sinew::Grab;
use sinew_scene::format::Expression;

/// Numbers of vertices and attachments, by which the page's numbering is compared.
fn numbers(variant: &Variant) -> (usize, usize) {
    (variant.numbering.len(), variant.built.model().attached().len())
}

impl Session {
    /// The variant whose view was used.
    fn used(&self, number: usize) -> Result<&Variant, Fault> {
        self.variants.get(number).ok_or_else(|| Fault::from("there is no such variant any more".to_owned()))
    }

    pub(super) fn grab(&mut self, hold: &Hold) -> Result<(), Fault> {
        let used = self.used(hold.variant)?;
        let (alike, (corners, weights)) = (numbers(used), used.grip(hold.corners, hold.weights)?);
        let grab = Grab { corners, weights, stiffness: 0.0, target: DVec3::from(hold.target) };
        self.stale = true;
        let mut held = Ok(());
        for variant in self.variants.iter_mut().filter(|v| numbers(v) == alike) {
            held = held.and(variant.grab(hold.pointer, grab, hold.stiffness));
        }
        if held.is_err() {
            self.release(hold.pointer)?;
        }
        held
    }

    pub(super) fn move_grabs(&mut self, pointer: usize, target: [f64; 3]) -> Result<(), Fault> {
        self.stale = true;
        let target = DVec3::from(target);
        self.variants.iter_mut().try_for_each(|variant| variant.move_to(pointer, target))
    }

    pub(super) fn release(&mut self, pointer: usize) -> Result<(), Fault> {
        self.stale = true;
        self.variants.iter_mut().try_for_each(|variant| variant.release(pointer))
    }

    pub(super) fn pin(&mut self, vertices: &[u32], on: bool, view: usize) -> Result<(), Fault> {
        let alike = numbers(self.used(view)?);
        self.change(|_, variant| match numbers(variant) == alike {
            true => Ok(Some((variant.set.clone(), variant.pinned(vertices, on)?))),
            false => Ok(None),
        })
    }

    pub(super) fn move_target(
        &mut self,
        attachment: usize,
        to: Option<[f64; 3]>,
        view: usize,
    ) -> Result<(), Fault> {
        let alike = numbers(self.used(view)?);
        if attachment >= alike.1 {
            return Err(Fault::from(format!("there is no attachment {attachment} any more")));
        }
        self.stale = true;
        let mut variants = self.variants.iter_mut().filter(|variant| numbers(variant) == alike);
        variants.try_for_each(|variant| variant.move_target(attachment, to))
    }

    pub(super) fn throw(&mut self, from: [f64; 3], velocity: [f64; 3], radius: f64) -> Result<(), Fault> {
        if self.variants.iter().any(|variant| variant.changes.balls.len() >= MAX_BALLS) {
            return Err(Fault::from(format!("{MAX_BALLS} balls are enough; reset takes them away")));
        }
        self.change(|_, variant| {
            let mut changes = variant.changes.clone();
            changes.balls.push(Ball { from, velocity, radius });
            Ok(Some((variant.set.clone(), changes)))
        })
    }

    /// Muscles and jaws of all faces; the model stays as it is.
    pub(super) fn show_on_faces(&mut self, expression: Option<Expression>) -> Result<(), Fault> {
        if self.variants.iter().all(|variant| variant.built.motions.faces().next().is_none()) {
            return Err(Fault::from("this scene has no face".to_owned()));
        }
        self.variants.iter_mut().try_for_each(|variant| variant.show_on_faces(expression.clone()))
    }

    pub(super) fn blow(&mut self, velocity: [f64; 3]) -> Result<(), Fault> {
        self.change(|_, variant| {
            let changes = UserChanges { wind: Some(velocity), ..variant.changes.clone() };
            Ok(Some((variant.set.clone(), changes)))
        })
    }
}
