//! What contact does in each phase of a step: detect, detect again half-way, book what was exchanged, settle, apply restitution, remember.

mod restitution;

use super::FrictionPart;
use super::contacts::{Contact, Contacts, Facing};
use super::detection::{Detector, PUSH_OUT, Sweep};
use super::exchange::{ContactReport, Exchange, Passage};
use crate::budgets::{Budgets, Groups, Support};
use crate::ledger::Cause;
use crate::model::{Evaluator, Model};
use crate::next::{Next, Start};
use crate::pushes::Pushes;
use crate::state::State;
use glam::DVec3;
use restitution::Bounce;

impl Start<'_> {
    /// The step as detection sees it if the vertices end at `end`.
    fn sweep<'b>(&'b self, end: &'b [DVec3], unhindered: &'b [DVec3]) -> Sweep<'b> {
        let state = self.state;
        let (before, after) = (state.last_controls.colliders(), state.controls.colliders());
        Sweep { start: &state.x, end, unhindered, push_out: PUSH_OUT, before, after, memory: &state.contact }
    }
}

/// Detects what the bodies will collide with on their way to `end`.
pub(crate) fn look_ahead(start: Start, detector: &mut Detector, end: &[DVec3]) {
    detector.detect(start.model, start.sweep(end, end));
}

/// Half-way through a solve it is clearer what is in contact and how large the forces are: friction and the solver's matrix need that.
pub(crate) fn look_again(start: Start, detector: &mut Detector, next: &Next) {
    detector.detect(start.model, start.sweep(&next.x, &next.predicted));
    detector.contacts.update_limits(&next.x);
}

/// Groups the components that are in contact, and pays the work of moving colliders and friction on the way to the solution.
pub(crate) fn exchange(
    start: Start,
    detector: &Detector,
    pushes: &Pushes,
    next: &mut Next,
    evaluator: &mut Evaluator,
    budgets: &mut Budgets,
) {
    let Start { model, state, h, .. } = start;
    let contacts = &detector.contacts;
    let usable = next.is_usable();
    let way = (&state.x[..], &next.x[..]);
    let acting = |c: usize| {
        if state.controls.grabs().any(|(_, grab)| model.topology.labels[grab.corners[0] as usize] == c as u32)
        {
            Support::Held
        } else if pushes.is_active() {
            Support::Pushed
        } else {
            Support::Free
        }
    };
    // Where the prediction is in contact, a collision happened, even if the solution is out of reach again.
    let places = if usable { [way.0, way.1, &next.predicted[..]] } else { [way.0; 3] };
    budgets.form_groups(model, acting, |groups| join(model, contacts, places, groups));
    if !usable || contacts.is_empty() {
        return;
    }
    let pose = start.pose(contacts, FrictionPart::Stored).at(way.1);
    let (before, memory) = (state.last_controls.colliders(), &state.contact[..]);
    let passage = Passage { start: way.0, v: &state.v, end: way.1, h, before, memory };
    for number in budgets.groups() {
        let group = budgets.group(model, number);
        let mut exchange = Exchange::default();
        for &c in group.members {
            exchange.add(&contacts.exchange(c, &passage));
        }
        if exchange.takes() {
            // No payment can take what the solution still has.
            let energy = evaluator.component_value(model, group.component, pose, &mut next.potentials)
                + group.component.kinetic(&model.masses, &next.v);
            let (wind, acceleration) = pushes.work(start, &group.component.vertices, way.1);
            exchange.limit(budgets.of(number) + wind + acceleration - energy);
        }
        let payments = [(Cause::Colliders, exchange.colliders), (Cause::Friction, exchange.friction)];
        budgets.pay_all(number, payments);
    }
}

/// Joins the components that are in contact with each other at one of the positions `x`, and marks those that colliders push.
fn join(model: &Model, contacts: &Contacts, x: [&[DVec3]; 3], groups: &mut Groups) {
    let labels = &model.topology.labels;
    let presses = |c: &Contact| x.iter().any(|x| contacts.force(c, &contacts.gap(c, x)) > 0.0);
    for contact in &contacts.list {
        let own = labels[contact.vertex as usize];
        match contact.facing {
            Facing::Triangle { corners, .. } => {
                let other = labels[corners[0] as usize];
                if own != other && presses(contact) {
                    groups.join(own, other);
                }
            }
            _ if groups.support(own) != Support::Free => {}
            _ if presses(contact) => groups.push(own),
            _ => {}
        }
    }
}

/// New contacts, and contacts that push vertices out, may hold more energy than the group has. No budget owes what is left of it once a group
/// has been brought to a stop: the ledger records what contacts brought in.
pub(crate) fn settle(start: Start, detector: &Detector, next: &Next, budgets: &mut Budgets) {
    let model = start.model;
    if detector.contacts.is_empty() {
        return;
    }
    for number in budgets.groups() {
        let group = budgets.group(model, number);
        if group.support == Support::Free && group.members.len() == 1 {
            continue;
        }
        let excess = group.component.energy(&model.masses, &next.v, &next.potentials) - budgets.of(number);
        if excess > 0.0 && group.component.kinetic(&model.masses, &next.v) == 0.0 {
            budgets.pay(number, Cause::Contacts, excess);
        }
    }
}

/// Slows down what separates faster than its restitution allows; stores speeds of approach in `next`. The caller makes the velocities of bones rigid.
pub(crate) fn bounce(start: Start, detector: &Detector, next: &mut Next) {
    let Start { model, state, h, .. } = start;
    let Next { x, v, contact, approach, .. } = next;
    let before = state.last_controls.colliders();
    let step = Bounce { model, before, h, start: (&state.x, &state.v), x };
    detector.contacts.restitute(step, contact, approach, v);
}

/// Stores what contacts remember at the end of an accepted step; `before` is scratch memory.
pub(crate) fn remember(
    detector: &Detector,
    model: &Model,
    state: &mut State,
    next: &mut Next,
) -> ContactReport {
    if model.contact.law.is_none() {
        return ContactReport::default();
    }
    for (kept, &approach) in state.approach.iter_mut().zip(&next.approach) {
        *kept = if approach.is_finite() { approach } else { 0.0 };
    }
    // The step's own memory is no longer needed: it keeps the previous values while the new ones are written.
    state.contact.copy_from_slice(&next.contact);
    detector.contacts.remember(&model.contact.skin, &state.x, &mut state.contact, &mut next.contact)
}

/// Loads the memory that a step starts with.
pub(crate) fn recall(state: &State, next: &mut Next) {
    next.contact.copy_from_slice(&state.contact);
    next.approach.copy_from_slice(&state.approach);
}
