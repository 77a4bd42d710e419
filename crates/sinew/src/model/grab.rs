//! Grabbing points of a model.

use super::Model;
use crate::controls::{ControlError, Controls, Grab};
use crate::ids::GrabId;

impl Controls {
    /// Grabs a point of a model that allows it ([`ModelBuilder::grabs`](crate::ModelBuilder::grabs)), from the next step on. A grab adds no
    /// energy if its target is the point's position.
    pub fn grab(&mut self, model: &Model, grab: Grab) -> Result<GrabId, ControlError> {
        model.check_grab(&grab)?;
        self.hold(grab)
    }
}

impl Model {
    fn check_grab(&self, grab: &Grab) -> Result<(), ControlError> {
        let refuse = |what: String| Err(ControlError::Grab(what));
        if !self.forces.grabs {
            return refuse("the model does not allow grabs; ask its builder for them".to_owned());
        }
        if let Some(&vertex) = grab.corners.iter().find(|&&i| i as usize >= self.points()) {
            return refuse(format!("there is no vertex {vertex}"));
        }
        let components = grab.corners.map(|i| self.topology.labels[i as usize]);
        if components != [components[0]; 3] {
            return refuse("its corners belong to different bodies".to_owned());
        }
        let sum: f64 = grab.weights.iter().sum();
        if sum.is_nan() || (sum - 1.0).abs() >= 1e-6 {
            return refuse(format!("its weights must add up to 1, not {sum}"));
        }
        if !(grab.stiffness > 0.0 && grab.stiffness.is_finite()) {
            return refuse(format!("its stiffness must be positive and finite, is {}", grab.stiffness));
        }
        if !grab.target.is_finite() {
            return Err(ControlError::NotFinite { what: "target of grab", index: 0 });
        }
        Ok(())
    }
}
