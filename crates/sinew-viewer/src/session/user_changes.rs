//! What the user did to a scene besides changing its values: pins, thrown balls, wind, moved attachments.

use super::command::{place, throwable};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use sinew::{AttachmentId, ControlError, State};
use sinew_scene::format::{
    Acceleration, BallMesh, Body, Contact, Expression, Material, MaterialKind, MeshSource, Pin, Scene,
    Selection, Wind,
};
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of balls that can be thrown into one scene.
pub const MAX_BALLS: usize = 20;

/// Everything that a reset undoes.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct UserChanges {
    /// For each body, all its pinned vertices, in indices of the body, in place of those of the scene.
    pub pins: BTreeMap<usize, BTreeSet<u32>>,
    pub balls: Vec<Ball>,
    /// Velocity of the air, m/s.
    pub wind: Option<[f64; 3]>,
    /// What faces show instead of the scene's expressions.
    pub face: Option<Expression>,
    /// Moved attachment targets, m.
    pub targets: BTreeMap<usize, [f64; 3]>,
}

/// A soft ball.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ball {
    pub from: [f64; 3],
    pub velocity: [f64; 3],
    pub radius: f64,
}

impl UserChanges {
    /// Applies all changes to the scene.
    pub fn apply(&self, scene: &mut Scene) {
        for (&body, pins) in &self.pins {
            if let Some(body) = scene.bodies.get_mut(body) {
                let indices = Selection::Indices(pins.iter().copied().collect());
                body.pins = if pins.is_empty() { Vec::new() } else { vec![Pin { select: indices }] };
            }
        }
        if !self.balls.is_empty() {
            scene.contact.get_or_insert_with(Contact::default);
            // L-BFGS learns contact; plain iterations do not see it.
            if scene.solver.acceleration == Some(Acceleration::None) {
                scene.solver.acceleration = Some(Acceleration::Lbfgs);
            }
        }
        for (number, ball) in self.balls.iter().enumerate() {
            scene.bodies.push(ball.body(number));
        }
        if let Some(velocity) = self.wind {
            match &mut scene.wind {
                Some(wind) => (wind.velocity, wind.gusts) = (velocity, None),
                None => scene.wind = Some(Wind { velocity, density: 1.2, gusts: None }),
            }
        }
    }

    /// Checks that all of it could have come from a page.
    pub fn check(&self) -> Result<(), String> {
        if self.balls.len() > MAX_BALLS {
            return Err(format!("more than {MAX_BALLS} balls"));
        }
        self.balls.iter().try_for_each(|ball| throwable(&ball.from, &ball.velocity, ball.radius))?;
        self.wind.iter().try_for_each(|wind| place("wind", wind))?;
        self.targets.values().try_for_each(|to| place("a target", to))
    }

    /// Applies what is not in the scene because it changes from step to step.
    pub fn guide(&self, state: &mut State) -> Result<(), ControlError> {
        if let Some(velocity) = self.wind {
            state.controls_mut().set_wind(DVec3::from(velocity))?;
        }
        let count = state.controls().targets().len();
        for (&number, &to) in self.targets.iter().filter(|(number, _)| **number < count) {
            state.controls_mut().move_target(AttachmentId(number), DVec3::from(to))?;
        }
        Ok(())
    }
}

impl Ball {
    /// Firm foam, light enough not to tear through what it hits.
    fn body(&self, number: usize) -> Body {
        let mut body = Body::new(MeshSource::Ball(BallMesh { radius: self.radius, cells: 6 }));
        body.name = Some(format!("ball {}", number + 1));
        body.material = Material {
            kind: Some(MaterialKind::Corotated),
            young: Some(1e5),
            poisson: Some(0.3),
            density: Some(100.0),
            ..Material::default()
        };
        body.initial.translate = Some(self.from);
        body.initial.velocity = Some(self.velocity);
        body
    }
}
