//! What contact does in each phase of a step after the rounds of the solve: velocities at rows, who is in contact with whom, what they exchange, restitution, memory.

mod books;
mod calm;
mod coulomb;
mod explicit;
mod history;
mod restitution;
mod slide;
mod velocities;

pub(crate) use coulomb::rub;
pub(crate) use explicit::stop;
pub(crate) use restitution::{bounce, recall};
pub(crate) use velocities::{settle_inner, settle_velocities};

use super::collider::BadStart;
use super::impulses::{Impulses, Slide};
use super::rounds::Rounds;
use super::rows::{Contacts, Row};
use super::tangle::is_new_each_step;
use crate::budgets::{Budgets, Groups, Support};
use crate::correction::Correction;
use crate::ledger::Cause;
use crate::model::{Evaluator, Model};
use crate::next::{Next, Start};
use crate::pushes::Pushes;
use crate::state::State;
use books::Books;
use calm::calm;

/// How many tangled pairs a message names.
const NAMED: usize = 3;
/// Energy above the target, as a share of all that there is, with which a step is given up.
const OUT_OF_HAND: f64 = 0.5;

/// A summary of the contacts of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactReport {
    /// Number of contacts that exert a force.
    pub pressing: usize,
    /// How far two surfaces are inside each other, as a share of their contact distance: 0 unless a state started like that.
    pub depth: f64,
    /// Rounds of solver and filter.
    pub rounds: usize,
    /// Whether vertices were still held back where the rounds ended.
    pub cut: bool,
    /// In how many places surfaces were inside each other where the step started.
    pub tangled: usize,
    /// What the rows left open of the work of contacts, J.
    pub unclosed: f64,
    /// How far colliders were held back from where they should be, m.
    pub held_back: f64,
}

/// The memory of contact that a simulator owns.
#[derive(Debug)]
pub(crate) struct Contact {
    pub rounds: Rounds,
    pub impulses: Impulses,
    /// Of each component in a step: Σλ times the speed of approach, and Σλ.
    impacts: Vec<(f64, f64)>,
    pub report: ContactReport,
}

impl Contact {
    pub fn new(model: &Model) -> Self {
        Self {
            rounds: Rounds::new(model),
            impulses: Impulses::new(model),
            impacts: vec![(0.0, 0.0); model.topology.components.len()],
            report: ContactReport::default(),
        }
    }

    /// Whether anything slides on a surface.
    pub fn slides(&self) -> bool {
        self.impulses.slides.iter().any(|slide| slide.pressed.is_some())
    }
}

/// Surfaces are inside each other where that is not allowed.
pub(crate) struct Tangled {
    /// In how many places.
    pub count: usize,
    /// Who with whom.
    pub what: String,
}

/// Forgets the step before, and finds what is tangled where this one starts; an error if that is not allowed.
pub(crate) fn look(start: Start, contact: &mut Contact) -> Result<(), Tangled> {
    let Start { model, state, .. } = start;
    contact.impulses.slides.fill(Default::default());
    let tangle = contact.rounds.passage.look(model, state);
    if tangle.any() && model.contact.law.is_some_and(|law| law.start == BadStart::Refuse) {
        return Err(Tangled { count: tangle.count, what: names(model, &tangle.owners) });
    }
    Ok(())
}

/// Who is tangled with whom.
fn names(model: &Model, owners: &[[u32; 2]]) -> String {
    let bodies = &model.topology.bodies;
    let name = |owner: u32| match bodies.get(owner as usize) {
        Some(body) => body.name.as_str(),
        None => {
            model.contact.colliders.get(owner as usize - bodies.len()).map_or("", |collider| &collider.name)
        }
    };
    let two = |&[p, q]: &[u32; 2]| {
        if p == q { format!("`{}` itself", name(p)) } else { format!("`{}` and `{}`", name(p), name(q)) }
    };
    let mut names: Vec<String> = owners.iter().take(NAMED).map(two).collect();
    if owners.len() > NAMED {
        names.push("others".into());
    }
    names.join(", ")
}

/// What the phases of a step have besides contact.
pub(crate) struct Around<'a> {
    pub pushes: &'a Pushes,
    pub evaluator: &'a mut Evaluator,
    pub correction: Correction,
}

/// Groups the components that are in contact, and pays the work of moving colliders and friction on the way to the solution.
pub(crate) fn exchange(
    start: Start,
    contact: &mut Contact,
    around: Around,
    next: &mut Next,
    budgets: &mut Budgets,
) {
    let Start { model, state, .. } = start;
    let Around { pushes, evaluator, correction } = around;
    let usable = next.is_usable();
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
    budgets.form_groups(model, acting, |groups| join(model, &contact.rounds, groups));
    let touching = !contact.rounds.contacts.is_empty();
    // Rounds that pressed leave their traces in the last one, even if no row is left there: what the solver learned of them, and what the filter cut.
    if !usable || !(touching || contact.report.rounds > 1) {
        return;
    }
    if correction == Correction::None {
        velocities::return_momentum(start, next, budgets);
    }
    if !touching {
        return;
    }
    if correction != Correction::None {
        slide::follow_parabolas(start, contact, next, budgets);
    }
    let books = Books {
        start,
        pushes,
        contacts: &contact.rounds.contacts,
        colliders: contact.rounds.passage.colliders(),
    };
    contact.report.unclosed = 0.0;
    for number in budgets.groups() {
        let group = budgets.group(model, number);
        let mut exchange = books.exchange(&group, next);
        if !exchange.happened {
            continue;
        }
        contact.report.unclosed += exchange.unclosed.abs();
        let pose = start.pose(&contact.rounds.contacts).at(&next.x);
        let energy = evaluator.component_value(model, group.component, pose, &mut next.potentials)
            + group.component.kinetic(&model.masses, &next.v);
        let (wind, acceleration) = pushes.work(start, &group.component.vertices, &next.x);
        // No payment can take what the solution still has.
        exchange.limit(budgets.of(number) + wind + acceleration - energy);
        let lost = budgets.of(number) + wind + acceleration + exchange.colliders - exchange.friction - energy;
        let pushed = books.is_pushed(&group);
        let settled = match correction {
            Correction::None => 0.0,
            // What was bent by a push is not to swing.
            _ if pushed => lost.max(0.0),
            _ => books.settled(&group, next, lost),
        };
        for &c in group.members {
            if let Some(carry) = exchange.carry.filter(|_| group.support == Support::Pushed) {
                next.carried[c] = Some(carry);
            }
        }
        // A push brings in what it needs: no correction may take it back.
        let excess = exchange.friction + settled - exchange.colliders + energy
            - budgets.of(number)
            - wind
            - acceleration;
        let brought = if !(excess > 0.0 && excess.is_finite()) {
            0.0
        } else if pushed {
            calm(model, &group, excess, next)
        } else if group.can_deform(model) {
            // It takes that from its strain, and gives it back.
            0.0
        } else {
            excess.min(exchange.pushed_out)
        };
        let payments = [
            (Cause::Colliders, exchange.colliders),
            (Cause::Friction, exchange.friction),
            (Cause::Restitution, settled),
        ];
        budgets.pay_all(number, payments);
        budgets.pay(number, Cause::Contacts, brought);
    }
}

/// Joins the components that press on each other, or hold each other back in a step that was broken off, and marks those that colliders push.
fn join(model: &Model, rounds: &Rounds, groups: &mut Groups) {
    let (contacts, labels) = (&rounds.contacts, &model.topology.labels);
    let pressed = |row: &&Row| contacts.presses(row) || row.load > 0.0 || (row.acted && contacts.unfinished);
    for row in contacts.rows.iter().filter(pressed) {
        connect(&row.pair.places[..usize::from(row.pair.count)], contacts.points, labels, groups);
    }
    for places in rounds.passage.blocks() {
        connect(places, contacts.points, labels, groups);
    }
}

/// Joins the components of places, of which those from `points` on belong to colliders.
fn connect(places: &[u32], points: usize, labels: &[u32], groups: &mut Groups) {
    let places = || places.iter().map(|&i| i as usize);
    let mut own = None;
    for i in places().filter(|&i| i < points) {
        match own {
            Some(c) if c != labels[i] => groups.join(c, labels[i]),
            _ => own = Some(labels[i]),
        }
    }
    if let Some(c) = own
        && places().any(|i| i >= points)
        && groups.support(c) == Support::Free
    {
        groups.push(c);
    }
}

/// Contacts that push vertices out may bring more energy than the group has. No budget owes what is left of it once a group
/// has been brought to a stop: the ledger records what contacts brought in.
pub(crate) fn settle(start: Start, contact: &Contact, next: &Next, budgets: &mut Budgets) {
    let model = start.model;
    let (contacts, labels) = (&contact.rounds.contacts, &model.topology.labels);
    for number in budgets.groups() {
        let group = budgets.group(model, number);
        if !next.blocked[number] && contacts.that_act_on(group.members, labels).next().is_none() {
            continue;
        }
        let excess = group.component.energy(&model.masses, &next.v, &next.potentials) - budgets.of(number);
        if excess > 0.0 && excess.is_finite() {
            budgets.pay(number, Cause::Contacts, excess);
        }
    }
}

/// Whether contacts left some group with so much more energy than it should have that its motion means nothing.
pub(crate) fn is_out_of_hand(start: Start, next: &Next, budgets: &Budgets) -> bool {
    let Start { model, state, .. } = start;
    let ledger = &state.ledger;
    let energy = ledger.kinetic + ledger.potentials.iter().map(|e| e.abs()).sum::<f64>();
    let gravity = model.forces.gravity.length();
    let weights = model.topology.components.iter().map(|c| c.mass * gravity * c.size);
    let most = OUT_OF_HAND * (energy + weights.sum::<f64>());
    budgets.groups().filter(|&number| next.blocked[number]).any(|number| {
        let group = budgets.group(model, number);
        let excess = group.component.energy(&model.masses, &next.v, &next.potentials) - budgets.of(number);
        excess.is_nan() || excess > most
    })
}

/// Puts everything back to where the step started, and forgets what happened since.
pub(crate) fn go_back(start: Start, contact: &mut Contact) {
    let Contact { rounds, impulses, .. } = contact;
    rounds.passage.go_back(&start.state.x);
    rounds.contacts.rows.clear();
    rounds.stands_for.clear();
    impulses.slides.fill(Slide::default());
}

/// Stores what contacts remember at the end of an accepted step, and where colliders really are.
pub(crate) fn remember(
    model: &Model,
    contact: &mut Contact,
    state: &mut State,
    next: &Next,
) -> ContactReport {
    history::forget_before_impacts(model, contact, state);
    for (kept, &approach) in state.approach.iter_mut().zip(&next.approach) {
        *kept = if approach.is_finite() { approach } else { 0.0 };
    }
    let Contact { rounds, report, .. } = contact;
    let tangle = &rounds.passage.tangle;
    (state.tangled, report.tangled, report.depth) = (tangle.any(), tangle.count, tangle.depth);
    let pressing =
        rounds.contacts.rows.iter().filter(|row| row.force > 0.0 && !is_new_each_step(&row.pair.key));
    report.pressing = pressing.count();
    rounds.write_memory(&mut state.contact);
    if rounds.passage.has_arrived() {
        report.held_back = 0.0;
    } else {
        let ways = rounds.passage.colliders().iter().zip(&rounds.contacts.after);
        report.held_back = ways.map(|(x, after)| x.distance(*after)).fold(0.0, f64::max);
        state.last_controls.place_colliders(rounds.passage.placements());
    }
    *report
}
