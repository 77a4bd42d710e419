//! Which components share their energy and momenta in a step: those that are in contact with each other.
//!
//! A correction treats one group at a time. A group that nothing outside acts on keeps its P and L, whatever its members do to each
//! other; one that is in contact with a collider, grabbed or pushed by air does not.

use crate::model::Model;
use crate::topology::Component;

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
    /// Colliders in contact, and forces that are known.
    Pushed,
    /// Pins, attachments, grabs, external energies of the user's own.
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

impl GroupView<'_> {
    /// Whether anything in it is not rigid.
    pub fn can_deform(&self, model: &Model) -> bool {
        self.members.iter().any(|&c| model.topology.components[c].can_deform())
    }
}

impl Groups {
    /// Every component is alone again; `acting(c)` tells what acts on component c.
    pub fn scatter(&mut self, components: &[Component], acting: impl Fn(usize) -> Support) {
        self.root.clear();
        self.root.extend(0..components.len() as u32);
        self.support.clear();
        let support = |(c, component): (usize, &Component)| {
            if component.supported { Support::Held } else { acting(c) }
        };
        self.support.extend(components.iter().enumerate().map(support));
    }

    /// What acts on a component.
    pub fn support(&self, component: u32) -> Support {
        self.support[component as usize]
    }

    /// Something pushes a component.
    pub fn push(&mut self, component: u32) {
        let support = &mut self.support[component as usize];
        *support = Support::Pushed.max(*support);
    }

    fn find(&self, mut c: u32) -> u32 {
        while self.root[c as usize] != c {
            c = self.root[c as usize];
        }
        c
    }

    /// Two components exchange energy.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.root[a.max(b) as usize] = a.min(b);
    }

    /// Collects those that were joined.
    pub fn collect(&mut self, components: &[Component]) {
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
                self.merged[used].merge(members.iter().map(|&c| &components[c]));
                used += 1;
                used - 1
            });
            let support = members.iter().map(|&c| self.support[c]).max().unwrap_or_default();
            self.groups.push(Group { start, end: start + members.len(), merged, support });
        }
    }

    /// The groups in the order of their first components.
    pub fn iter<'a>(&'a self, components: &'a [Component]) -> impl Iterator<Item = GroupView<'a>> {
        (0..self.groups.len()).map(move |number| self.view(components, number))
    }

    /// One of the groups.
    pub fn view<'a>(&'a self, components: &'a [Component], number: usize) -> GroupView<'a> {
        let group = &self.groups[number];
        let members = &self.members[group.start..group.end];
        let component = match group.merged {
            Some(k) => &self.merged[k],
            None => &components[members[0]],
        };
        GroupView { members, component, support: group.support }
    }
}
