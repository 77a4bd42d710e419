//! Energy that contacts exchange between bodies, colliders and heat in a step.
//!
//! With the forces F = λn − τ of the rows as the solver saw them, and Δ over the step,
//!
//! * a collider that moves does the work W = −Σ w F·Δx over its own places;
//! * friction takes τ·Δz;
//! * R = J/h − ΣF is what the solver left open of the impulse J = ΔP − hF_known that the momentum of the group shows. It acted somewhere on the colliders: at the mean
//!   velocity V̄ of their surfaces. For one collider that does not turn, W + R·V̄h is exactly J·V, however well the step was solved.
//!
//! None of it sees what a correction did to the last step.

use crate::budgets::{GroupView, Support};
use crate::carry::Carry;
use crate::contact::pair::PairKind;
use crate::contact::rows::Contacts;
use crate::ledger::Cause;
use crate::next::{Next, Start};
use crate::pushes::Pushes;
use glam::{DMat3, DVec3};

/// A vibration that loses this many times its kinetic energy in one step has fewer than about three steps in a period.
const UNRESOLVED: f64 = 4.0;
/// Share of the speed of approach below which a bounce is over.
const OVER: f64 = 0.1;

/// What the books are read off.
pub(super) struct Books<'a> {
    pub start: Start<'a>,
    pub pushes: &'a Pushes,
    pub contacts: &'a Contacts,
    /// Places of the colliders' vertices where they have arrived.
    pub colliders: &'a [DVec3],
}

/// Energy that contacts exchanged with one group, J.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exchange {
    /// Whether any contact pressed.
    pub happened: bool,
    /// Work that moving colliders did.
    pub colliders: f64,
    /// Energy lost to friction.
    pub friction: f64,
    /// Work of the forces that the solver left open.
    pub unclosed: f64,
    /// Work of the rows that start closer than their contact distance, and come apart.
    pub pushed_out: f64,
    /// How colliders that move along their normals carry the group along.
    pub carry: Option<Carry>,
}

impl Exchange {
    /// Limits the energy that leaves to `most`, what the solution of the step has lost altogether.
    pub fn limit(&mut self, most: f64) {
        let most = most.max(0.0);
        self.colliders = self.colliders.max(-most);
        self.friction = self.friction.clamp(0.0, (most + self.colliders).max(0.0));
    }
}

impl Books<'_> {
    /// What the contacts of a group exchanged.
    pub fn exchange(&self, group: &GroupView, next: &Next) -> Exchange {
        let Start { model, state, h, .. } = self.start;
        let contacts = self.contacts;
        let end =
            |i: usize| if i < contacts.points { next.x[i] } else { self.colliders[i - contacts.points] };
        let mut sum = Exchange::default();
        let (mut force, mut weight, mut way) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        let (mut normals, mut means, mut slipped) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for row in contacts.of_group(group.members, &model.topology.labels) {
            sum.happened = true;
            let (mean, drag) = contacts.mean(row);
            let push = row.normal * mean - drag;
            let moved = row.place(end) - contacts.relative_before(row);
            let slipped_by = row.touch(end) - row.touch(|i| contacts.begin(i));
            sum.friction += drag.dot(slipped_by);
            if row.target < row.pair.distance + row.pair.radius {
                // As far as the row asked for; what goes on from there is no push.
                let asked = row.target - row.normal.dot(contacts.relative_before(row));
                sum.pushed_out += mean * row.normal.dot(moved).clamp(0.0, asked.max(0.0));
            }
            if !contacts.meets_collider(row) {
                continue;
            }
            // The surface that it presses on, and which of its sides that is.
            let (mut surface, mut side) = (DVec3::ZERO, 0.0);
            for (i, w) in row.ends().filter(|&(i, _)| i >= contacts.points) {
                surface += (end(i) - contacts.begin(i)) * w.abs();
                side += w;
            }
            sum.colliders -= push.dot(surface) * side.signum();
            force -= push * side.signum();
            weight += mean;
            way += surface * mean;
            normals -= row.normal * (side.signum() * row.force);
            means -= row.normal * (side.signum() * mean);
            slipped += (moved * -side.signum()) * mean;
        }
        if weight <= 0.0 {
            return sum;
        }
        let (way, slipped) = (way / weight, slipped / weight);
        if group.support == Support::Pushed {
            let vertices = || group.component.vertices.iter().map(|&i| i as usize);
            let gained = |i: usize| (next.v[i] - state.v[i]) * model.masses[i];
            let known = |i: usize| model.forces.gravity * model.masses[i] + self.pushes.force(model, i);
            let left = vertices().map(|i| gained(i) / h - known(i)).sum::<DVec3>() - force;
            sum.unclosed = left.dot(slipped);
            sum.colliders += left.dot(way);
            // What pressed in an inner stage alone carries, too.
            if let Some(n) = normals.try_normalize().or_else(|| means.try_normalize()) {
                if sum.friction != 0.0 {
                    let tangential = left - n * n.dot(left);
                    sum.friction -= tangential.dot(slipped - n * n.dot(slipped));
                }
                let velocity = n * (n.dot(way) / h);
                if velocity != DVec3::ZERO {
                    let (from, to) = (DVec3::ZERO, velocity * h);
                    sum.carry =
                        Some(Carry { turn: DMat3::IDENTITY, from, to, velocity, cause: Cause::Colliders });
                }
            }
        }
        sum
    }

    /// Whether something in a group is being untangled.
    pub fn is_pushed(&self, group: &GroupView) -> bool {
        let mut rows = self.contacts.of_group(group.members, &self.start.model.topology.labels);
        rows.any(|row| row.pair.key.kind == PairKind::Push)
    }

    /// How much of what a step lost is heat: where no contact is elastic, and a contact lasts, vibration that is too fast for the step has no right to come back, and a bounce
    /// below one step of gravity is none.
    pub fn settled(&self, group: &GroupView, next: &Next, lost: f64) -> f64 {
        let Start { model, h, .. } = self.start;
        let rows = || self.contacts.of_group(group.members, &model.topology.labels);
        if lost <= 0.0 || group.support != Support::Pushed || rows().any(|row| row.law.restitution >= 1.0) {
            return 0.0;
        }
        let component = group.component;
        let vertices = || component.vertices.iter().map(|&i| i as usize);
        let momentum: DVec3 = vertices().map(|i| next.v[i] * model.masses[i]).sum();
        let drift = momentum / component.mass;
        let inner: f64 =
            vertices().map(|i| 0.5 * model.masses[i] * (next.v[i] - drift).length_squared()).sum();
        let approach = group.members.iter().map(|&c| self.start.state.approach[c]).fold(0.0, f64::max);
        let fall = model.forces.gravity.length() * h;
        let small = 0.5 * component.mass * (fall * fall).max((OVER * approach).powi(2));
        if lost > UNRESOLVED * inner && lost < small { lost } else { 0.0 }
    }
}
