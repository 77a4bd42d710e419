//! Inelastic contacts: bodies separate at most e times as fast as they approached.
//!
//! By itself a contact is elastic, and so is the body: what it stores while it is squeezed throws it back. Newton's law of restitution is
//! applied where the motion reverses: what separates faster than e times its speed of approach is slowed down to that, first each vertex in
//! contact along its normal, then the whole component along the mean normal of its contacts with colliders. The ledger has an entry for the
//! loss. Between two bodies only the vertices are slowed, by opposite impulses along the line of contact, which conserves both momenta.

use crate::contact::ContactMemory;
use crate::contact::contacts::{Contact, Contacts, Facing};
use crate::model::Model;
use crate::placement::Placement;
use glam::DVec3;

/// The part of a step that restitution needs.
#[derive(Clone, Copy)]
pub(crate) struct Bounce<'a> {
    pub model: &'a Model,
    /// Placements of the colliders before the step.
    pub before: &'a [Placement],
    pub h: f64,
    /// (xₙ, vₙ).
    pub start: (&'a [DVec3], &'a [DVec3]),
    /// Positions after the step.
    pub x: &'a [DVec3],
}

impl Contacts {
    /// Whether every contact is elastic.
    pub(crate) fn are_elastic(&self) -> bool {
        self.list.iter().all(|c| c.restitution >= 1.0)
    }

    /// Stores speeds of approach and slows down what separates too fast. `approach` has a speed for each component.
    pub(crate) fn restitute(
        &self,
        step: Bounce,
        memory: &mut [ContactMemory],
        approach: &mut [f64],
        v: &mut [DVec3],
    ) {
        for contact in &self.list {
            self.slow_vertex(step, contact, memory, v);
        }
        for (c, approach) in approach.iter_mut().enumerate() {
            self.slow_component(step, c, approach, v);
        }
    }

    fn slow_vertex(&self, step: Bounce, contact: &Contact, memory: &mut [ContactMemory], v: &mut [DVec3]) {
        let i = contact.vertex as usize;
        let (x0, v0) = step.start;
        let relative = |x: &[DVec3], v: &[DVec3]| {
            let gap = self.gap(contact, x);
            let surface = self.surface_velocity(contact, (x, v), gap.weights, step.before, step.h);
            (gap, gap.normal.dot(v[i] - surface))
        };
        let (gap, parting) = relative(step.x, v);
        let pressed = self.force(contact, &self.gap(contact, x0)) > 0.0;
        if self.force(contact, &gap) == 0.0 && !pressed {
            return;
        }
        let meeting = -relative(x0, v0).1;
        memory[i].approach = if pressed { memory[i].approach.max(meeting) } else { meeting.max(0.0) };
        let excess = parting - contact.restitution * memory[i].approach;
        if excess <= 0.0 || contact.restitution >= 1.0 {
            return;
        }
        let masses = &step.model.masses;
        let Facing::Triangle { corners, .. } = contact.facing else {
            v[i] -= gap.normal * excess;
            return;
        };
        // Along the normal, vertex and foot point interact with the effective mass 1/(1/m + Σ b²/m).
        let weighed = || corners.into_iter().map(|k| k as usize).zip(gap.weights);
        let give = 1.0 / masses[i] + weighed().map(|(k, b)| b * b / masses[k]).sum::<f64>();
        let impulse = gap.normal * (excess / give);
        v[i] -= impulse / masses[i];
        for (k, b) in weighed().filter(|&(k, _)| !step.model.dofs.is_pinned(k)) {
            v[k] += impulse * (b / masses[k]);
        }
    }

    fn slow_component(&self, step: Bounce, c: usize, approach: &mut f64, v: &mut [DVec3]) {
        let (x0, v0) = step.start;
        let (mut normal, mut surface, mut weight, mut restitution) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
        for contact in self.of(c) {
            if matches!(contact.facing, Facing::Triangle { .. }) {
                continue;
            }
            let (was, is) = (self.gap(contact, x0), self.gap(contact, step.x));
            let force = self.force(contact, &was) + self.force(contact, &is);
            normal += was.normal * force;
            surface += self.surface_velocity(contact, (step.x, v), is.weights, step.before, step.h) * force;
            weight += force;
            restitution += contact.restitution * force;
        }
        let Some(normal) = normal.try_normalize().filter(|_| weight > 0.0) else {
            *approach = 0.0;
            return;
        };
        let component = &step.model.topology.components[c];
        if component.supported || restitution >= weight {
            return;
        }
        let masses = &step.model.masses;
        let drift = |v: &[DVec3]| -> DVec3 {
            component.vertices.iter().map(|&i| v[i as usize] * masses[i as usize]).sum::<DVec3>()
                / component.mass
        };
        let surface = surface / weight;
        *approach = approach.max(-normal.dot(drift(v0) - surface));
        let excess = normal.dot(drift(v) - surface) - restitution / weight * *approach;
        if excess > 0.0 {
            for &i in &component.vertices {
                v[i as usize] -= normal * excess;
            }
        }
    }
}
