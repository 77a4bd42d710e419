//! Connected components: sets of vertices that no force connects to the rest.
//!
//! Each component has an energy and momenta of its own, so corrections treat one at a time. Batches of energies never
//! span two components: the builder splits the bodies' elements, gravity and attachments, and merges what an energy
//! of the user's own connects.

use super::elements::Elements;
use crate::energy::AttachmentSpring;
use glam::DVec3;

/// One component of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Component {
    /// Its vertices, ascending.
    pub vertices: Vec<u32>,
    /// Its batches in the model's list.
    pub energies: Vec<usize>,
    /// Whether something outside acts on it beside gravity: pins, attachments, external energies of the user's own. Its
    /// momenta are then not its own.
    pub supported: bool,
    /// Whether joints hold it to the world or to bones that go where they are put.
    pub grounded: bool,
    /// Which of its batches are gravity.
    pub gravity: Vec<usize>,
    /// Its batches that are external energies of the user's own.
    pub own_external: Vec<usize>,
    /// Pinned vertices.
    pub pins: Vec<u32>,
    /// (vertex, target, stiffness) of its attachments.
    pub attachments: Vec<(u32, u32, f64)>,
    /// Total mass, kg.
    pub mass: f64,
    /// Trace of its part of L, N/m: what a displacement of all vertices by rounding could store, per m².
    pub stiffness: f64,
    /// Extent at rest, m.
    pub size: f64,
}

impl Component {
    /// Makes this the union of several, reusing its memory.
    pub fn merge<'a>(&mut self, parts: impl Iterator<Item = &'a Self>) {
        let Self {
            vertices,
            energies,
            supported,
            grounded,
            gravity,
            own_external,
            pins,
            attachments,
            mass,
            stiffness,
            size,
        } = self;
        vertices.clear();
        pins.clear();
        energies.clear();
        gravity.clear();
        own_external.clear();
        attachments.clear();
        (*supported, *grounded, *mass, *stiffness, *size) = (false, false, 0.0, 0.0, 0.0);
        for part in parts {
            vertices.extend_from_slice(&part.vertices);
            energies.extend_from_slice(&part.energies);
            gravity.extend_from_slice(&part.gravity);
            own_external.extend_from_slice(&part.own_external);
            pins.extend_from_slice(&part.pins);
            attachments.extend_from_slice(&part.attachments);
            *supported |= part.supported;
            *grounded |= part.grounded;
            *mass += part.mass;
            *stiffness += part.stiffness;
            *size = size.max(part.size);
        }
        vertices.sort_unstable();
    }

    /// K + E of the component, given the value of every batch of the model, J.
    pub fn energy(&self, masses: &[f64], v: &[DVec3], potentials: &[f64]) -> f64 {
        self.kinetic(masses, v) + self.energies.iter().map(|&k| potentials[k]).sum::<f64>()
    }

    /// K of the component, J.
    pub fn kinetic(&self, masses: &[f64], v: &[DVec3]) -> f64 {
        let terms = self.vertices.iter().map(|&i| masses[i as usize] * v[i as usize].length_squared());
        0.5 * terms.sum::<f64>()
    }

    /// Stiffness-weighted centre of what holds it; pins outweigh all attachments. `None` if it is held by neither.
    pub fn support_center(&self, x: &[DVec3], targets: &[DVec3]) -> Option<DVec3> {
        if !self.pins.is_empty() {
            let sum: DVec3 = self.pins.iter().map(|&i| x[i as usize]).sum();
            return Some(sum / self.pins.len() as f64);
        }
        let weight: f64 = self.attachments.iter().map(|a| a.2).sum();
        let moment: DVec3 = self.attachments.iter().map(|&(_, t, k)| targets[t as usize] * k).sum();
        (weight > 0.0).then(|| moment / weight)
    }
}

/// Which vertices belong together, by union–find.
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

/// The components and the label of each vertex.
pub(super) fn connected_components(
    (rest, masses): (&[DVec3], &[f64]),
    elements: &[Elements],
    own: &[Vec<u32>],
    pinned: &[bool],
    springs: &[AttachmentSpring],
) -> (Vec<Component>, Vec<u32>) {
    let vertices = masses.len();
    let mut connectivity = Connectivity::new(vertices);
    for batch in elements {
        batch.for_pairs(|a, b| connectivity.join(a, b));
    }
    for stencil in own {
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
