//! Budgets: how much energy each group of components is to have at the end of a step, and who paid for it.
//!
//! A step opens with the targets of the ledger. Whatever does work or takes energy out pays or charges the group that it acts on, together
//! with the entry of its cause. A correction then moves each group to where its budget is met, and the step closes by writing the targets back.
//!
//! Components that are in contact exchange energy, so they share one budget. Groups form in the middle of a step, when the solution tells who is in contact
//! with whom; until then payments go to components.

mod groups;

pub(crate) use groups::{GroupView, Groups, Support};

use crate::ledger::{Cause, Entries, Ledger, Side};
use crate::model::Model;
use crate::next::Next;
use crate::topology::Component;
use glam::DVec3;

/// The budgets of one step.
#[derive(Debug)]
pub(crate) struct Budgets {
    /// H_total of each component, J, while there are no groups yet.
    components: Vec<f64>,
    groups: Groups,
    /// H_total of each group, J.
    totals: Vec<f64>,
    /// What each cause did in this step.
    entries: Entries,
    /// H_total of each component and the entries before the solution: what is left of the step if nothing moves.
    before: (Vec<f64>, Entries),
}

/// Number of a group.
pub(crate) type Group = usize;

/// What a component pays for: with its sign as the budget sees it.
fn signed(cause: Cause, joules: f64) -> f64 {
    match cause.side() {
        Side::Added => joules,
        Side::Dissipated => -joules,
    }
}

impl Budgets {
    pub fn new(model: &Model) -> Self {
        let count = model.topology.components.len();
        Self {
            components: vec![0.0; count],
            groups: Groups::default(),
            totals: Vec::with_capacity(count),
            entries: Entries::default(),
            before: (vec![0.0; count], Entries::default()),
        }
    }

    /// Begins a step with the targets of the ledger.
    pub fn open(&mut self, ledger: &Ledger) {
        self.components.copy_from_slice(&ledger.component_targets);
        self.totals.clear();
        self.entries = Entries::default();
    }

    /// Pays for one component before groups are formed.
    pub fn pay_component(&mut self, component: usize, cause: Cause, joules: f64) {
        self.components[component] += signed(cause, joules);
        self.entries[cause] += joules;
    }

    /// Marks that the solution begins: what was paid until now stays, whatever becomes of it.
    pub fn begin_solution(&mut self) {
        self.before.0.copy_from_slice(&self.components);
        self.before.1 = self.entries;
    }

    /// Takes back all that was paid since the solution began.
    pub fn annul_solution(&mut self, model: &Model) {
        self.components.copy_from_slice(&self.before.0);
        self.entries = self.before.1;
        let components = &self.components;
        let groups = self.groups.iter(&model.topology.components);
        for (total, group) in self.totals.iter_mut().zip(groups) {
            *total = group.members.iter().map(|&c| components[c]).sum();
        }
    }

    /// Pays for targets of attachments that moved while everything else stayed: all that this changed is the potential.
    pub fn pay_for_targets(&mut self, model: &Model, next: &Next) {
        for group in self.groups() {
            let view = self.group(model, group);
            let change = view.component.energy(&model.masses, &next.v, &next.potentials) - self.totals[group];
            let is_attached = !view.component.attachments.is_empty();
            if change.is_finite() && (is_attached || change > 0.0) {
                self.pay(group, if is_attached { Cause::Attachments } else { Cause::Contacts }, change);
            }
        }
    }

    /// Forms groups: `acting(c)` tells what acts on component c, and `join` joins those that are in contact.
    pub fn form_groups(
        &mut self,
        model: &Model,
        acting: impl Fn(usize) -> Support,
        join: impl FnOnce(&mut Groups),
    ) {
        let all = &model.topology.components;
        self.groups.scatter(all, acting);
        join(&mut self.groups);
        self.groups.collect(all);
        let components = &self.components;
        self.totals.clear();
        self.totals
            .extend(self.groups.iter(all).map(|g| g.members.iter().map(|&c| components[c]).sum::<f64>()));
    }

    /// Number of groups.
    pub fn groups(&self) -> std::ops::Range<Group> {
        0..self.totals.len()
    }

    /// One of the groups.
    pub fn group<'a>(&'a self, model: &'a Model, group: Group) -> GroupView<'a> {
        self.groups.view(&model.topology.components, group)
    }

    /// H_total of a group, J.
    pub fn of(&self, group: Group) -> f64 {
        self.totals[group]
    }

    /// Pays for a group: a cause that adds energy raises its budget, one that dissipates lowers it.
    pub fn pay(&mut self, group: Group, cause: Cause, joules: f64) {
        self.totals[group] += signed(cause, joules);
        self.entries[cause] += joules;
    }

    /// Pays what a correction left out or made moving supports do.
    pub fn pay_corrected(&mut self, model: &Model, next: &Next) {
        for group in self.groups() {
            self.pay(group, Cause::Unresolved, next.unresolved[group]);
            self.pay(group, Cause::Restitution, next.inelastic[group]);
            let view = self.group(model, group);
            let Some(carry) = view.members.iter().find_map(|&c| next.carried[c]) else { continue };
            // What is still too much is due to whoever moved the supports: bodies cannot be where they were.
            let energy = view.component.energy(&model.masses, &next.v, &next.potentials);
            let excess = (energy - self.totals[group] - next.driven[group]).max(0.0);
            let excess = if excess.is_finite() { excess } else { 0.0 };
            self.pay(group, carry.cause, next.driven[group] + excess);
        }
    }

    /// Pays for several causes at once; their sum is added.
    pub fn pay_all<const N: usize>(&mut self, group: Group, payments: [(Cause, f64); N]) {
        let mut sum = 0.0;
        for (cause, joules) in payments {
            sum += signed(cause, joules);
            self.entries[cause] += joules;
        }
        self.totals[group] += sum;
    }

    /// Lets a change of velocities pay for itself: each budget changes as its group's kinetic energy does, and `change` returns what to enter for which cause.
    pub fn follow<const N: usize>(
        &mut self,
        model: &Model,
        next: &mut Next,
        change: impl FnOnce(&mut Next) -> [(Cause, f64); N],
    ) {
        self.add_kinetic(model, &next.v, -1.0);
        for (cause, joules) in change(next) {
            self.entries[cause] += joules;
        }
        self.add_kinetic(model, &next.v, 1.0);
    }

    fn add_kinetic(&mut self, model: &Model, v: &[DVec3], sign: f64) {
        for (total, group) in self.totals.iter_mut().zip(self.groups.iter(&model.topology.components)) {
            *total += sign * group.component.kinetic(&model.masses, v);
        }
    }

    /// What each cause did in this step.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// Ends a step: enters what was paid, and writes the targets for the next step. `ledger` holds the potentials at the end of the step already.
    ///
    /// Without a correction nothing is owed: switching one on later does not bring back what was lost before.
    pub fn close(&self, model: &Model, corrected: bool, v: &[DVec3], ledger: &mut Ledger) {
        ledger.entries.add(&self.entries);
        for (group, &budget) in self.groups.iter(&model.topology.components).zip(&self.totals) {
            if let (true, &[alone]) = (corrected, group.members) {
                ledger.component_targets[alone] = budget;
                continue;
            }
            // What is owed or in excess is shared by mass; a rigid body on its way would have nowhere to put it.
            let parts = || group.members.iter().map(|&c| &model.topology.components[c]);
            let all_rigid = !group.can_deform(model);
            let takes = |part: &Component| if all_rigid || part.can_deform() { part.mass } else { 0.0 };
            let mass: f64 = parts().map(takes).sum();
            let energy = group.component.energy(&model.masses, v, &ledger.potentials);
            let rest = if corrected { budget - energy } else { 0.0 };
            for &c in group.members {
                let component = &model.topology.components[c];
                let own = component.energy(&model.masses, v, &ledger.potentials);
                ledger.component_targets[c] = own + rest * (takes(component) / mass);
            }
        }
    }
}
