//! Bodies that only contacts hold, in a group that something else holds: a ball on a trampoline.
//!
//! The support of a held group can absorb any momentum, so the group's carrier has no condition on P, and all of its motion may be scaled to meet the energy. For such a body that would be wrong:
//! nothing but contacts and known forces F changes its momentum, and the solver has found how, J = ΔP − hF. A correction may change its momentum along J, as a stronger or weaker contact would, but not across: a
//! projection that blows up every error of a solve that was broken off would throw the ball aside.

use super::Arrays;
use super::projection::{Projection, Standing};
use crate::correction::carrier::Motion;
use crate::topology::Component;
use glam::{DMat3, DVec3};

impl Projection<'_> {
    /// The members that only contacts hold, where the rest of the group is held.
    pub(super) fn afloat(&self) -> impl Iterator<Item = &Component> {
        let s = self.s;
        let components = &s.model.topology.components;
        let labels = &s.model.topology.labels;
        let held = matches!(self.carrier.motion, Motion::Held(kept) if kept == DMat3::ZERO);
        let grabbed = move |c: usize| {
            s.state.controls.grabs().any(|(_, grab)| labels[grab.corners[0] as usize] as usize == c)
        };
        let free = move |&&c: &&usize| held && s.members.len() > 1 && !components[c].supported && !grabbed(c);
        s.members.iter().filter(free).map(|&c| &components[c])
    }

    /// J/h of a member, N, for the velocities `w` in the frame of the supports.
    fn pushed(&self, component: &Component, w: &[DVec3]) -> DVec3 {
        let s = self.s;
        let mut impulse = DVec3::ZERO;
        for i in component.vertices.iter().map(|&i| i as usize) {
            let mass = s.model.masses[i];
            let known = s.model.forces.gravity * mass + s.pushes.force(s.model, i);
            impulse += (w[i] + s.frame() - s.state.v[i]) * (mass / s.h) - known;
        }
        impulse
    }

    /// Gives what only contacts hold the direction of its J as a whole: forces of rows that were not solved to the end would push it aside.
    pub(super) fn follow_momentum(&self, a: &mut Arrays) {
        for component in self.afloat() {
            let own = component.linear_momentum(&self.s.model.masses, &a.direction);
            let change = (self.pushed(component, &a.w) - own) / component.mass;
            component.vertices.iter().for_each(|&i| a.direction[i as usize] += change);
        }
    }

    /// Keeps a direction from moving what is set afloat across its J; returns whether there is anything.
    pub(super) fn keep_on_course(&self, a: &mut Arrays) -> bool {
        let mut any = false;
        for component in self.afloat().filter(|_| self.carried.is_some()) {
            let course = a.course[component.vertices[0] as usize];
            let mean = component.linear_momentum(&self.s.model.masses, &a.direction) / component.mass;
            let across = mean - course * course.dot(mean);
            component.vertices.iter().for_each(|&i| a.direction[i as usize] -= across);
            any = true;
        }
        any
    }

    /// Takes the momentum of what only contacts hold across its J out of w, and the energy of that out of the budget.
    pub(super) fn set_afloat(&mut self, standing: &mut Standing, a: &mut Arrays) {
        if self.afloat().next().is_none() {
            return;
        }
        let masses = &self.s.model.masses;
        let (mut split, mut carried) = (standing.split, 0.0);
        for component in self.afloat() {
            let course = self.pushed(component, &a.w).normalize_or_zero();
            let mean = component.linear_momentum(masses, &a.w) / component.mass;
            let drift = mean - course * course.dot(mean);
            for &i in &component.vertices {
                a.w[i as usize] -= drift;
                a.drift[i as usize] = drift;
                a.course[i as usize] = course;
            }
            carried += 0.5 * component.mass * drift.length_squared();
        }
        split.deformation_energy -= carried;
        self.budget -= carried;
        self.carried = Some(carried);
        *standing = Standing::new(self.budget, standing.energy, split);
    }

    /// Puts it back, with w scaled as far as it has to be.
    pub(super) fn take_aboard(&mut self, standing: &mut Standing, a: &mut Arrays) {
        let Some(carried) = self.carried.take() else { return };
        let scaling = if self.met(standing) { self.final_scaling(standing) } else { 1.0 };
        self.s.vertices().for_each(|i| a.w[i] *= scaling);
        for i in self.afloat().flat_map(|component| &component.vertices) {
            a.w[*i as usize] += a.drift[*i as usize];
        }
        let mut split = standing.split;
        split.deformation_energy = split.deformation_energy * scaling * scaling + carried;
        self.budget += carried;
        *standing = Standing::new(self.budget, standing.energy, split);
    }
}
