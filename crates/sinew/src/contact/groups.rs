//! Which components share their energy and momenta in a step: those that touch each other.
//!
//! A correction treats one group at a time. A group that nothing outside acts on keeps its P and L, whatever its members do to each
//! other; one that touches a collider, is held by a hand or pushed by air does not.

use super::contacts::{Contact, Contacts, Facing};
use crate::model::{Component, Model};
use glam::DVec3;

/// The partition of one step.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Smallest component that each component is joined with.
    root: Vec<u32>,
    /// What holds each component.
    support: Vec<Support>,
    /// Components in the order of their groups.
    members: Vec<usize>,
    groups: Vec<Group>,
    /// Merged components of groups with several members; more than are in use may be kept.
    merged: Vec<Component>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    start: usize,
    end: usize,
    /// Index of its merged component, if it has several members.
    merged: Option<usize>,
    support: Support,
}

/// What takes or gives momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Support {
    /// Nothing but gravity.
    #[default]
    Free,
    /// Colliders that are touched, and forces that are known.
    Touched,
    /// Pins, attachments, hands, external energies of the user's own.
    Held,
}

/// One group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupView<'a> {
    /// Its components, ascending.
    pub members: &'a [usize],
    /// All of them as one.
    pub component: &'a Component,
    pub support: Support,
}

impl Groups {
    /// Joins what touches at one of the places `x`; `acting(c)` tells what else acts on component c.
    pub fn gather(
        &mut self,
        model: &Model,
        contacts: &Contacts,
        x: [&[DVec3]; 3],
        acting: impl Fn(usize) -> Support,
    ) {
        let count = model.components.len();
        self.root.clear();
        self.root.extend(0..count as u32);
        self.support.clear();
        let support = |c: usize| if model.components[c].supported { Support::Held } else { acting(c) };
        self.support.extend((0..count).map(support));
        let touches = |c: &Contact| x.iter().any(|x| contacts.force(c, &contacts.gap(c, x)) > 0.0);
        for contact in contacts.list.iter() {
            let own = model.labels[contact.vertex as usize];
            match contact.facing {
                Facing::Triangle { corners, .. } => {
                    let other = model.labels[corners[0] as usize];
                    if own != other && touches(contact) {
                        self.join(own, other);
                    }
                }
                _ if self.support[own as usize] != Support::Free => {}
                _ if touches(contact) => self.support[own as usize] = Support::Touched,
                _ => {}
            }
        }
        self.collect(model);
    }

    fn find(&self, mut c: u32) -> u32 {
        while self.root[c as usize] != c {
            c = self.root[c as usize];
        }
        c
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.root[a.max(b) as usize] = a.min(b);
    }

    fn collect(&mut self, model: &Model) {
        for c in 0..self.root.len() {
            self.root[c] = self.find(c as u32);
        }
        self.members.clear();
        self.members.extend(0..self.root.len());
        let root = &self.root;
        self.members.sort_unstable_by_key(|&c| (root[c], c));
        self.groups.clear();
        let mut used = 0;
        for members in self.members.chunk_by(|&a, &b| root[a] == root[b]) {
            let start = self.groups.last().map_or(0, |g| g.end);
            let merged = (members.len() > 1).then(|| {
                if used == self.merged.len() {
                    self.merged.push(Component::default());
                }
                self.merged[used].merge(members.iter().map(|&c| &model.components[c]));
                used += 1;
                used - 1
            });
            let support = members.iter().map(|&c| self.support[c]).max().unwrap_or_default();
            self.groups.push(Group { start, end: start + members.len(), merged, support });
        }
    }

    /// The groups in the order of their first components.
    pub fn iter<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = GroupView<'a>> {
        self.groups.iter().map(move |g| {
            let members = &self.members[g.start..g.end];
            let component = match g.merged {
                Some(k) => &self.merged[k],
                None => &model.components[members[0]],
            };
            GroupView { members, component, support: g.support }
        })
    }
}
