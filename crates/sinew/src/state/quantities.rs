//! Physical quantities of a state: where its mass is, momenta and frequency.

use super::State;
use crate::contact::Passage;
use crate::ids::BodyId;
use crate::model::Model;
use crate::momentum::{Momenta, kinetic_energy};
use glam::DVec3;

/// A point that carries mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassPoint {
    /// Mass, kg.
    pub mass: f64,
    /// Position at rest, m.
    pub rest: DVec3,
    /// Position in the state, m.
    pub position: DVec3,
}

impl State {
    /// Every point that carries mass: the vertices, then the points inside bones. Sums over them count rigid bodies with their full inertia,
    /// which sums over the vertices alone do not.
    pub fn mass_points<'a>(
        &'a self,
        model: &'a Model,
    ) -> impl ExactSizeIterator<Item = MassPoint> + Clone + 'a {
        let points = model.masses.iter().zip(&model.topology.rest).zip(&self.x);
        points.map(|((&mass, &rest), &position)| MassPoint { mass, rest, position })
    }

    /// In how many places surfaces that may collide cross each other, by an exact test; 0 without a contact law. It builds what it needs anew and is made for tests and tools; [`ContactLaw::verify`](crate::contact::ContactLaw) tests
    /// every step.
    pub fn crossings(&self, model: &Model) -> usize {
        Passage::new(model).crossings(&self.x, self.last_controls.colliders())
    }

    /// Velocity of a vertex, m/s; where a kinematic bone moves it, on the way of the last step. `None` if there is no such vertex.
    pub fn velocity(&self, model: &Model, vertex: usize) -> Option<DVec3> {
        let v = *self.velocities().get(vertex)?;
        let h = self.history.h;
        let moved = h > 0.0 && model.dofs.is_pinned(vertex);
        Some(if moved { (self.x[vertex] - self.history.x[vertex]) / h } else { v })
    }

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
