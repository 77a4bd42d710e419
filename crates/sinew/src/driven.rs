//! Work of what the user moves: kinematic bones, targets of attachments, grabs.
//!
//! A support that moves by Δs while it pushes with the mean force f does the work f·Δs. Springs, attachments and grabs, show their force at both ends of the step: their mean
//! tells which of them did it. ΔE at fixed positions would ask the body to follow before it can.
//!
//! Such forces are not the whole truth. A rule has its own mean, which is that of both ends only for small steps; what a kinematic bone does to flesh is not the force of one
//! spring; an iteration that was broken off leaves forces that are none. But the momentum of the body shows the whole impulse J = ΔP − hF of its supports, F the known forces. So
//!
//! W = Σ f·Δs + R·s̄,  R = J/h − Σ f,  s̄ = Σ|f|Δs/Σ|f|,
//!
//! with the forces at the solution. Where all supports move alike this is J·Δs/h, whatever the forces are, after any rule and any solve: a body that is carried along at constant speed then has the
//! energy that it would have at rest. (Mean forces alone miss that by V·(h Σf − J) in each step. After a correction these errors do not cancel: with BDF2 and fepr they became as large as the work
//! itself, at any h.) A body that only one
//! kinematic bone holds shows the moment of the impulse, too: W = F·Δt + τ·Δθ.
//!
//! The velocities of backward Euler are Δx/h, those of the middle of a step, and what changes them from one step to the next acts where the steps meet. There the supports moved with the
//! mean of their velocities before and after: of J, what accelerates the body, ΔP, belongs to that mean, and W is less by ½ΔP·ΔV. Otherwise a stiff body of mass M gets ½M|ΔV|² too much in every step: it is just
//! what the rule loses, but a correction returned it as a tremble, up to three times the largest work of the hand.
//!
//! A correction that changes P by δP changes the impulse of the supports, and their work by V·δP, V = s̄/h. So it works in the frame that moves with V, [`Carry`],
//! and its result does not depend on how fast the whole scene moves.

use crate::budgets::Budgets;
use crate::carry::{Carry, Drive};
use crate::contact::Contacts;
use crate::integrator::Integrator;
use crate::ledger::Cause;
use crate::model::{Evaluator, Model};
use crate::next::{Next, Start};
use crate::pushes::Pushes;
use crate::skeleton::{Articulation, Frame, turn_between};
use crate::topology::Component;
use glam::{DMat3, DVec3};

/// Forces of one kind of support, and the way that it went.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    /// Σ f, N.
    force: DVec3,
    /// Σ |f|, N.
    weight: f64,
    /// Σ |f|Δs, N·m.
    way: DVec3,
    /// Σ f·Δs, J.
    work: f64,
    /// Largest |Δs|², m².
    furthest: f64,
    moved: bool,
}

impl Pull {
    fn add(&mut self, force: DVec3, way: DVec3) {
        self.force += force;
        self.weight += force.length();
        self.way += way * force.length();
        self.work += force.dot(way);
        self.furthest = self.furthest.max(way.length_squared());
        self.moved |= way != DVec3::ZERO;
    }
}

/// A body is within reach where the way it went is at most this many times h√(2E), E the energy at hand: a bound against explosions, far from what steady motion needs.
const REACH: f64 = 8.0;

/// The kinds of support, in the order of [`Pulls`].
const CAUSES: [Cause; 3] = [Cause::Bones, Cause::Attachments, Cause::Grabs];

/// The pull of each kind on a component.
type Pulls = [Pull; 3];

/// Memory to compute the work in.
#[derive(Debug)]
pub(crate) struct Driven {
    /// ∇E at the solution, less the forces of contacts; empty in a model without bones.
    gradient: Vec<DVec3>,
    before: Vec<Frame>,
    after: Vec<Frame>,
}

/// What acts in a step besides the supports.
pub(crate) struct Surroundings<'a> {
    pub contacts: &'a Contacts,
    pub pushes: &'a Pushes,
}

impl Driven {
    pub fn new(model: &Model) -> Self {
        let points = if model.skeleton.bones.is_empty() { 0 } else { model.points() };
        Self {
            gradient: vec![DVec3::ZERO; points],
            before: model.skeleton.start.clone(),
            after: model.skeleton.start.clone(),
        }
    }

    /// Pays the work of everything that moves in this step, and tells in `next.carried` how components are carried along.
    pub fn pay(
        &mut self,
        start: Start,
        around: &Surroundings,
        evaluator: &mut Evaluator,
        next: &mut Next,
        budgets: &mut Budgets,
    ) {
        next.carried.fill(None);
        next.drives.fill(Drive::default());
        let Start { model, state, .. } = start;
        let (old, new) = (&state.last_controls, &state.controls);
        let bones_move = old.bones() != new.bones();
        // What comes to a stop stands still already, and is stopped in this step.
        let stops = |c: usize| state.drives[c] != Drive::default();
        let any_stops = (0..state.drives.len()).any(stops);
        let any_moves = bones_move || old.targets() != new.targets() || old.grab_slots() != new.grab_slots();
        if !(any_moves || any_stops) {
            return;
        }
        if !next.is_usable() {
            return (0..model.topology.components.len()).for_each(|c| pay_blindly(start, next, c, budgets));
        }
        if bones_move || any_stops && !model.skeleton.bones.is_empty() {
            let pose = start.pose(around.contacts).at(&next.x);
            evaluator.gradient(model, pose, &mut self.gradient);
            // What presses on a bone that the user moves is moved by it.
            around.contacts.subtract_all_but_pushes(&mut self.gradient);
            for (k, bone) in model.skeleton.bones.iter().enumerate() {
                self.before[k] = bone.frame(&model.masses, &state.x).unwrap_or(self.before[k]);
                self.after[k] = bone.frame(&model.masses, &next.x).unwrap_or(self.after[k]);
            }
        }
        for c in 0..model.topology.components.len() {
            let pulls = self.pulls(start, next, c, bones_move);
            if !(stops(c) || pulls.iter().any(|p| p.moved)) {
                continue;
            }
            let (mut works, drive, carry) = match self.only_bone(start, around, c) {
                Some(bone) => self.by_momenta(start, around, next, c, bone),
                None => by_forces(start, around, next, c, &pulls),
            };
            next.drives[c] = drive;
            let furthest = pulls.iter().map(|p| p.furthest).fold(0.0, f64::max);
            let has = energy_of(start, c, &carry);
            let energy = has + what_supports_bring(start, c, furthest);
            // No support can take more than there is.
            let sensible = works.iter().all(|work| work.abs() <= REACH * REACH * energy)
                && works.iter().sum::<f64>() >= -2.0 * has;
            if !(sensible && within_reach(start, next, c, &carry, energy)) {
                if !pulls[0].moved {
                    pay_at_rest(start, c, budgets);
                    continue;
                }
                works = [lifting(start, c, &carry), 0.0, 0.0];
            }
            for (cause, work) in CAUSES.into_iter().zip(works) {
                if work != 0.0 {
                    budgets.pay_component(c, cause, work);
                }
            }
            next.carried[c] = Some(carry).filter(|carry| carry.velocity.is_finite() && carry.to.is_finite());
        }
    }

    /// What supports do to component `c` at the solution.
    fn pulls(&self, start: Start, next: &Next, c: usize, bones_move: bool) -> Pulls {
        let Start { model, state, h, .. } = start;
        let (component, labels) = (&model.topology.components[c], &model.topology.labels);
        let mut pulls = Pulls::default();
        let (old, new) = (&state.last_controls, &state.controls);
        for &(vertex, target, stiffness) in &component.attachments {
            let (from, to) = (old.targets()[target as usize], new.targets()[target as usize]);
            let stretch = (from - state.x[vertex as usize]) + (to - next.x[vertex as usize]);
            pulls[1].add(stretch * (0.5 * stiffness), to - from);
        }
        for (before, grab) in old.grab_slots().iter().zip(new.grab_slots()) {
            if grab.holds() && labels[grab.corners[0] as usize] == c as u32 {
                // A grab that has just taken hold has not moved.
                let from = if before.same_hold(grab) { before.target } else { grab.target };
                let stretch = (from - grab.point(&state.x)) + (grab.target - grab.point(&next.x));
                pulls[2].add(stretch * (0.5 * grab.stiffness), grab.target - from);
            }
        }
        if bones_move {
            for &i in &component.pins {
                let i = i as usize;
                pulls[0].add(self.gradient[i], next.x[i] - state.x[i]);
            }
            let own = |a: &&Articulation| a.component == c && a.is_grounded();
            for &bone in model.skeleton.articulations.iter().filter(own).flat_map(|a| &a.bones) {
                // What joints do to a bone: what its momenta show, less the forces of the potentials.
                let (from, to) = (self.before[bone], self.after[bone]);
                let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
                for &i in &model.skeleton.bones[bone].points {
                    let i = i as usize;
                    let f = (next.v[i] - state.v[i]) * (model.masses[i] / h) + self.gradient[i];
                    force += f;
                    torque += (next.x[i] - to.place).cross(f);
                }
                pulls[0].add(force, to.place - from.place);
                pulls[0].work += torque.dot(turn_between(from.turn, to.turn));
            }
        }
        pulls
    }

    /// The kinematic bone that alone holds a component, if there is one.
    fn only_bone(&self, start: Start, around: &Surroundings, c: usize) -> Option<usize> {
        let Start { model, state, .. } = start;
        let (component, labels) = (&model.topology.components[c], &model.topology.labels);
        let bones = &model.skeleton.bones;
        let own = |k: &usize| bones[*k].kinematic && labels[bones[*k].points[0] as usize] == c as u32;
        let mut kinematic = (0..bones.len()).filter(own);
        let (first, second) = (kinematic.next()?, kinematic.next());
        let anchored = |a: &Articulation| a.component == c && a.has_world_anchor();
        let grabbed = state.controls.grabs().any(|(_, g)| labels[g.corners[0] as usize] == c as u32);
        let alone = second.is_none()
            && component.pins.len() == bones[first].points.len()
            && component.attachments.is_empty()
            && component.own_external.is_empty()
            && around.contacts.is_empty()
            && !grabbed
            && !model.skeleton.articulations.iter().any(anchored);
        alone.then_some(first)
    }

    /// W = F·Δt + τ·Δθ, hF = ΔP − hMg and hτ = ΔL − h Σ r×mg about the bone; wind is treated like gravity.
    fn by_momenta(
        &self,
        start: Start,
        around: &Surroundings,
        next: &Next,
        c: usize,
        bone: usize,
    ) -> ([f64; 3], Drive, Carry) {
        let Start { model, state, h, .. } = start;
        let component = &model.topology.components[c];
        let (from, to) = (self.before[bone], self.after[bone]);
        let center = (from.place + to.place) * 0.5;
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        // Rates of P and L.
        let (mut rate, mut spin) = (DVec3::ZERO, DVec3::ZERO);
        let mut moment = DVec3::ZERO;
        for &i in &component.vertices {
            let i = i as usize;
            let (m, middle) = (model.masses[i], (state.x[i] + next.x[i]) * 0.5);
            let known = model.forces.gravity * m + around.pushes.force(model, i);
            force -= known;
            torque -= (middle - center).cross(known);
            moment += (middle - center) * m;
            if !model.dofs.is_pinned(i) {
                rate += (next.v[i] - state.v[i]) * (m / h);
                let turning = (next.x[i] - center).cross(next.v[i]) - (state.x[i] - center).cross(state.v[i]);
                spin += turning * (m / h);
            }
        }
        (force, torque) = (force + rate, torque + spin);
        let (way, angle) = (to.place - from.place, turn_between(from.turn, to.turn));
        let carry = Carry {
            turn: to.turn * from.turn.transpose(),
            from: from.place,
            to: to.place,
            velocity: (way + angle.cross(moment / component.mass)) / h,
            cause: Cause::Bones,
        };
        let drive = Drive { velocity: way / h, turning: angle / h };
        let late = lateness(start, c, drive);
        let too_much = (rate.dot(late.velocity) + spin.dot(late.turning)) * h;
        ([force.dot(way) + torque.dot(angle) - too_much, 0.0, 0.0], drive, carry)
    }
}

/// W = Σ f·Δs + R·s̄.
fn by_forces(
    start: Start,
    around: &Surroundings,
    next: &Next,
    c: usize,
    pulls: &Pulls,
) -> ([f64; 3], Drive, Carry) {
    let component = &start.model.topology.components[c];
    let weight: f64 = pulls.iter().map(|p| p.weight).sum();
    let way: DVec3 = pulls.iter().map(|p| p.way).sum::<DVec3>() / weight.max(f64::MIN_POSITIVE);
    let mut works = pulls.map(|p| p.work);
    let drive = Drive { velocity: way / start.h, turning: DVec3::ZERO };
    // R is what no force of a support explains. Where something else holds the body as well, a part of it is not theirs: through joints, and at pins while bones stand still.
    let bones_move = start.state.last_controls.bones() != start.state.controls.bones();
    let counted = (component.pins.is_empty() || bones_move) && !component.grounded;
    let known = around.contacts.is_empty() && component.own_external.is_empty();
    if known && counted {
        let (change, known) = impulses(start, around.pushes, component, next);
        let rest = (change - known) / start.h - pulls.iter().map(|p| p.force).sum::<DVec3>();
        let too_much = change.dot(lateness(start, c, drive).velocity);
        for (work, pull) in works.iter_mut().zip(pulls) {
            *work += (rest.dot(pull.way) - too_much * pull.weight) / weight.max(f64::MIN_POSITIVE);
        }
    }
    let moving = (0..CAUSES.len()).filter(|&k| pulls[k].moved);
    let most = moving.max_by(|&a, &b| pulls[a].weight.total_cmp(&pulls[b].weight)).unwrap_or(0);
    // An anchor in the world moves in no other frame than its own.
    let anchored = |a: &Articulation| a.component == c && a.has_world_anchor();
    let still = start.model.skeleton.articulations.iter().any(anchored);
    let velocity = if still { DVec3::ZERO } else { way / start.h };
    let carry = Carry { turn: DMat3::IDENTITY, from: DVec3::ZERO, to: way, velocity, cause: CAUSES[most] };
    (works, drive, carry)
}

/// By how much the motion of supports in a step differs from that while they accelerated the body: half of what it gained since the last step, for backward Euler, whose velocities are Δx/h.
fn lateness(start: Start, c: usize, now: Drive) -> Drive {
    if start.integrator != Integrator::BackwardEuler {
        return Drive::default();
    }
    let before = start.state.drives[c];
    Drive { velocity: (now.velocity - before.velocity) * 0.5, turning: (now.turning - before.turning) * 0.5 }
}

/// ΔP and hF: their difference J is what the supports of a component must have given it. The weight of what they hold directly is part of F.
fn impulses(start: Start, pushes: &Pushes, component: &Component, next: &Next) -> (DVec3, DVec3) {
    let Start { model, state, h, .. } = start;
    let (mut change, mut known) = (DVec3::ZERO, DVec3::ZERO);
    for i in component.vertices.iter().map(|&i| i as usize) {
        let m = model.masses[i];
        known += (model.forces.gravity * m + pushes.force(model, i)) * h;
        if !model.dofs.is_pinned(i) {
            change += (next.v[i] - state.v[i]) * m;
        }
    }
    (change, known)
}

/// Whether a component is where its energy and its supports can have carried it. Forces where an explicit rule or a solver threw it are of no use.
fn within_reach(start: Start, next: &Next, c: usize, carry: &Carry, energy: f64) -> bool {
    let Start { model, state, h, .. } = start;
    let component = &model.topology.components[c];
    let way: f64 = component
        .vertices
        .iter()
        .map(|&i| i as usize)
        .map(|i| model.masses[i] * next.x[i].distance_squared(carry.apply(state.x[i])))
        .sum();
    way.sqrt() <= REACH * h * (2.0 * energy).sqrt()
}

/// About the most energy that a component has, J: in motion, also that of its supports, in strain, and what its height is worth.
fn energy_of(start: Start, c: usize, carry: &Carry) -> f64 {
    let Start { model, state, .. } = start;
    let component = &model.topology.components[c];
    let elastic = component.energies.iter().filter(|&k| !component.gravity.contains(k));
    component.kinetic(&model.masses, &state.v)
        + 0.5 * component.mass * carry.velocity.length_squared()
        + elastic.map(|&k| state.ledger.potentials[k].abs()).sum::<f64>()
        + component.mass * model.forces.gravity.length() * component.size
}

/// About the most energy that supports can put into a component by strain, J, if they go `furthest`², m².
fn what_supports_bring(start: Start, c: usize, furthest: f64) -> f64 {
    let at_rest: f64 = works_at_rest(start, c).map(f64::abs).iter().sum();
    0.5 * start.model.topology.components[c].stiffness * furthest + at_rest
}

/// Work against gravity if a component were carried along as it is, J.
fn lifting(start: Start, c: usize, carry: &Carry) -> f64 {
    let Start { model, state, .. } = start;
    let ways = model.topology.components[c].vertices.iter().map(|&i| i as usize).map(|i| {
        let way = carry.apply(state.x[i]) - state.x[i];
        way * model.masses[i]
    });
    -model.forces.gravity.dot(ways.sum())
}

/// Without a solution there are no forces: the component is carried along as it is.
fn pay_blindly(start: Start, next: &mut Next, c: usize, budgets: &mut Budgets) {
    pay_at_rest(start, c, budgets);
    let (pins, x) = (&start.model.topology.components[c].pins, &start.state.x);
    let ways = pins.iter().map(|&i| next.predicted[i as usize] - x[i as usize]);
    let way = ways.sum::<DVec3>() / pins.len().max(1) as f64;
    if way == DVec3::ZERO || !way.is_finite() {
        return;
    }
    let velocity = way / start.h;
    let carry = Carry { turn: DMat3::IDENTITY, from: DVec3::ZERO, to: way, velocity, cause: Cause::Bones };
    budgets.pay_component(c, Cause::Bones, lifting(start, c, &carry));
    next.carried[c] = Some(carry);
}

/// Without a solution the work of springs is the change of their energy where the bodies are.
fn pay_at_rest(start: Start, c: usize, budgets: &mut Budgets) {
    let [attachments, grabs] = works_at_rest(start, c);
    budgets.pay_component(c, Cause::Attachments, attachments);
    budgets.pay_component(c, Cause::Grabs, grabs);
}

/// How the energy of attachments and of grabs changes where the component is, J.
fn works_at_rest(start: Start, c: usize) -> [f64; 2] {
    let Start { model, state, .. } = start;
    let (old, new) = (&state.last_controls, &state.controls);
    let attachments = &model.topology.components[c].attachments;
    let attached = attachments.iter().map(|&(vertex, target, stiffness)| {
        let energy = |targets: &[DVec3]| targets[target as usize].distance_squared(state.x[vertex as usize]);
        0.5 * stiffness * (energy(new.targets()) - energy(old.targets()))
    });
    let grabs = old.grab_slots().iter().zip(new.grab_slots());
    let held = grabs.filter(|&(before, grab)| {
        before.same_hold(grab) && model.topology.labels[grab.corners[0] as usize] == c as u32
    });
    let grabbed = held.map(|(before, grab)| grab.energy(&state.x) - before.energy(&state.x));
    [attached.sum(), grabbed.sum()]
}
