//! Forces that are not potentials and stay constant during a step: wind on surfaces and a uniform acceleration of the frame.
//!
//! Air with velocity w hits a triangle of area A, normal n and velocity v with u = (w − v)·n and pushes it with F = ½ρA|u|u n, a third on
//! each corner: it depends on area and angle and acts on either side. An explicit force would overshoot for light cloth in strong wind, so
//! each vertex takes F/(1 + hc/m), where c = ½ρA|u| is its air resistance: the air carries it along but never throws it ahead.
//!
//! A force f enters the solve as a shift of the predictor, y ← y + αβh²f/m, and corrections as a potential ([`KnownForces`]); the ledger has an entry for its work f·(x − xₙ).

use crate::budgets::Budgets;
use crate::energy::KnownForces;
use crate::integrator::Rule;
use crate::ledger::Cause;
use crate::model::Model;
use crate::next::{Next, Start};
use crate::state::State;
use glam::DVec3;

/// Forces of one step, #V each, N.
#[derive(Debug)]
pub(crate) struct Pushes {
    wind: Vec<DVec3>,
    acceleration: DVec3,
    /// Air resistance of each vertex, N·s/m.
    resistance: Vec<f64>,
    active: bool,
}

impl Pushes {
    pub fn new(model: &Model) -> Self {
        let vertices = if model.forces.air > 0.0 { model.points() } else { 0 };
        Self {
            wind: vec![DVec3::ZERO; vertices],
            resistance: vec![0.0; vertices],
            acceleration: DVec3::ZERO,
            active: false,
        }
    }

    /// Whether any force acts.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Computes the forces at the start of a step.
    pub fn measure(&mut self, model: &Model, state: &State, h: f64) {
        let (wind, acceleration) = (state.controls.wind(), state.controls.acceleration());
        self.acceleration = acceleration;
        self.active = acceleration != DVec3::ZERO || model.forces.air > 0.0;
        if model.forces.air == 0.0 {
            return;
        }
        self.wind.fill(DVec3::ZERO);
        self.resistance.fill(0.0);
        for triangle in model.topology.bodies.iter().flat_map(|b| &b.surface) {
            let corners = triangle.map(|i| i as usize);
            let [a, b, c] = corners.map(|i| state.x[i]);
            let area = (b - a).cross(c - a) * 0.5;
            let Some(normal) = area.try_normalize() else { continue };
            let velocity: DVec3 = corners.into_iter().map(|i| state.v[i]).sum::<DVec3>() / 3.0;
            let speed = normal.dot(wind - velocity);
            let resistance = 0.5 * model.forces.air * area.length() * speed.abs() / 3.0;
            for i in corners {
                self.wind[i] += normal * (resistance * speed);
                self.resistance[i] += resistance;
            }
        }
        for (i, (force, resistance)) in self.wind.iter_mut().zip(&self.resistance).enumerate() {
            *force /= 1.0 + h * resistance / model.masses[i];
        }
    }

    /// Force on vertex `i`.
    pub fn force(&self, model: &Model, i: usize) -> DVec3 {
        self.wind.get(i).copied().unwrap_or_default() + self.acceleration * model.masses[i]
    }

    /// Subtracts the forces from a gradient.
    pub fn subtract_from(&self, model: &Model, gradient: &mut [DVec3]) {
        if self.active {
            gradient.iter_mut().enumerate().for_each(|(i, g)| *g -= self.force(model, i));
        }
    }

    /// Shifts the predictor of a rule: y ← y + αβh²f/m.
    pub fn shift(&self, model: &Model, rule: Rule, h: f64, y: &mut [DVec3]) {
        if self.active {
            let factor = rule.alpha * rule.beta * h * h;
            y.iter_mut()
                .enumerate()
                .for_each(|(i, y)| *y += self.force(model, i) * (factor / model.masses[i]));
        }
    }

    /// The forces as a potential, where any act.
    pub fn known<'a>(&'a self, start: Start<'a>) -> Option<KnownForces<'a>> {
        let Start { model, state, .. } = start;
        let known = KnownForces {
            wind: &self.wind,
            acceleration: self.acceleration,
            masses: &model.masses,
            from: &state.x,
        };
        self.active.then_some(known)
    }

    /// Work of wind and of the acceleration on vertices that moved to `end`, J.
    pub fn work(&self, start: Start, vertices: &[u32], end: &[DVec3]) -> (f64, f64) {
        let Start { model, state, .. } = start;
        let (mut wind, mut acceleration) = (0.0, 0.0);
        for i in vertices.iter().map(|&i| i as usize) {
            let way = end[i] - state.x[i];
            wind += self.wind.get(i).map_or(0.0, |force| force.dot(way));
            acceleration += model.masses[i] * self.acceleration.dot(way);
        }
        (wind, acceleration)
    }

    /// Pays the work on the way that the bodies went.
    pub fn pay(&self, start: Start, next: &Next, budgets: &mut Budgets) {
        if !self.active {
            return;
        }
        for group in budgets.groups() {
            let vertices = &budgets.group(start.model, group).component.vertices;
            let (wind, acceleration) = self.work(start, vertices, &next.x);
            budgets.pay_all(group, [(Cause::Wind, wind), (Cause::Acceleration, acceleration)]);
        }
    }
}
