//! Physical quantities of a state: momenta and frequency.

use super::State;
use crate::ids::BodyId;
use crate::model::Model;
use crate::momentum::{Momenta, kinetic_energy};

impl State {
    /// Momenta of one body; `None` if there is no such body.
    pub fn momenta(&self, model: &Model, body: BodyId) -> Option<Momenta> {
        let body = model.bodies().get(body.0)?;
        let points = body.vertices.clone().chain(body.mass_points.iter().map(|&i| i as usize));
        Some(Momenta::over(points.map(|i| (model.masses[i], self.x[i], self.v[i]))))
    }

    /// Momenta of all bodies together.
    pub fn total_momenta(&self, model: &Model) -> Momenta {
        Momenta::new(&model.masses, &self.x, &self.v)
    }

    /// Σ m|v| and Σ m|v||x − c|, c the centre of mass: the scales that the momenta are compared with.
    pub fn momentum_scales(&self, model: &Model) -> (f64, f64) {
        let center = self.total_momenta(model).center;
        let points = model.masses.iter().zip(&self.x).zip(&self.v);
        points.fold((0.0, 0.0), |(linear, angular), ((m, x), v)| {
            let momentum = m * v.length();
            (linear + momentum, angular + momentum * x.distance(center))
        })
    }

    /// √(vᵀLv / vᵀMv)/2π, Hz: how fast the motion oscillates, where L is the stiffness-weighted Laplacian. `None` for a body at rest.
    pub fn frequency(&self, model: &Model) -> Option<f64> {
        let mass = 2.0 * kinetic_energy(&model.masses, &self.v);
        let stiffness = model.laplacian.quadratic_form(&self.v);
        (mass > 0.0).then(|| (stiffness.max(0.0) / mass).sqrt() / std::f64::consts::TAU)
    }
}
