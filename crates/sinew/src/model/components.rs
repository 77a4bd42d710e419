//! Connected components: sets of vertices that no force connects to other vertices.
//!
//! Each component has its own energy and momenta, so corrections treat one at a time. Batches of energies never span two components: the
//! builder splits the bodies' elements, gravity and attachments, and merges the components that a user-defined energy connects.

use super::elements::Elements;
use crate::energy::AttachmentSpring;
use crate::topology::Component;
use glam::DVec3;

/// Connectivity of the vertices, by union–find.
#[derive(Clone, Debug)]
pub(super) struct Connectivity {
    parent: Vec<u32>,
}

impl Connectivity {
    pub fn new(vertices: usize) -> Self {
        Self { parent: (0..vertices as u32).collect() }
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            self.parent[i as usize] = self.parent[self.parent[i as usize] as usize];
            i = self.parent[i as usize];
        }
        i
    }

    /// The smaller root wins, so labels do not depend on the order of unions.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }

    /// Labels 0, 1, … in the order of each component's first vertex, and their number.
    pub fn labels(&mut self) -> (Vec<u32>, usize) {
        let mut labels = vec![u32::MAX; self.parent.len()];
        let mut count = 0;
        for i in 0..self.parent.len() as u32 {
            let root = self.root(i) as usize;
            if labels[root] == u32::MAX {
                labels[root] = count;
                count += 1;
            }
            labels[i as usize] = labels[root];
        }
        (labels, count as usize)
    }
}

/// The data that decide about components.
pub(super) struct Pieces<'a> {
    pub rest: &'a [DVec3],
    pub masses: &'a [f64],
    pub elements: &'a [Elements],
    /// Lists of connected vertices: of user-defined energies, and of bones and joints.
    pub stencils: [&'a [Vec<u32>]; 2],
    pub pinned: &'a [bool],
    pub springs: &'a [AttachmentSpring],
}

/// The components and the label of each vertex.
pub(super) fn connected_components(pieces: &Pieces) -> (Vec<Component>, Vec<u32>) {
    let Pieces { rest, masses, elements, stencils, pinned, springs } = *pieces;
    let mut connectivity = Connectivity::new(masses.len());
    for batch in elements {
        batch.for_pairs(|a, b| connectivity.join(a, b));
    }
    for stencil in stencils.into_iter().flatten() {
        for pair in stencil.windows(2) {
            connectivity.join(pair[0], pair[1]);
        }
    }
    let (labels, count) = connectivity.labels();
    let mut lists = vec![Vec::new(); count];
    for (i, &label) in labels.iter().enumerate() {
        lists[label as usize].push(i as u32);
    }
    let mut components: Vec<_> = lists
        .into_iter()
        .map(|list| {
            let places = || list.iter().map(|&i| rest[i as usize]);
            let low = places().reduce(DVec3::min).unwrap_or_default();
            let high = places().reduce(DVec3::max).unwrap_or_default();
            let pins: Vec<u32> = list.iter().copied().filter(|&i| pinned[i as usize]).collect();
            Component {
                mass: list.iter().map(|&i| masses[i as usize]).sum(),
                size: (high - low).length(),
                supported: !pins.is_empty(),
                grounded: false,
                gravity: Vec::new(),
                own_external: Vec::new(),
                pins,
                attachments: Vec::new(),
                energies: Vec::new(),
                stiffness: 0.0,
                vertices: list,
            }
        })
        .collect();
    for s in springs {
        let component = &mut components[labels[s.vertex as usize] as usize];
        component.attachments.push((s.vertex, s.target, s.stiffness));
        component.supported = true;
    }
    (components, labels)
}
