//! A connected component: vertices that no force connects to other vertices.

use glam::DVec3;

/// One component of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Component {
    /// Its vertices, ascending.
    pub vertices: Vec<u32>,
    /// Indices of its batches in the model.
    pub energies: Vec<usize>,
    /// Whether anything external acts on it in addition to gravity: pins, attachments, external user-defined energies. Its momenta are then
    /// not conserved.
    pub supported: bool,
    /// Whether joints hold it to the world or to kinematic bones.
    pub grounded: bool,
    /// Which of its batches are gravity.
    pub gravity: Vec<usize>,
    /// Which of its batches are external user-defined energies.
    pub own_external: Vec<usize>,
    /// Pinned vertices.
    pub pins: Vec<u32>,
    /// (vertex, target, stiffness) of its attachments.
    pub attachments: Vec<(u32, u32, f64)>,
    /// Total mass, kg.
    pub mass: f64,
    /// Trace of its part of L, N/m: the energy per m² that a displacement of all vertices by rounding could store.
    pub stiffness: f64,
    /// Extent at rest, m.
    pub size: f64,
}

impl Component {
    /// Whether anything in it stores energy when it deforms.
    pub fn can_deform(&self) -> bool {
        self.energies.len() > self.gravity.len()
    }

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

    /// Linear momentum, kg m/s.
    pub fn linear_momentum(&self, masses: &[f64], v: &[DVec3]) -> DVec3 {
        self.vertices.iter().map(|&i| v[i as usize] * masses[i as usize]).sum()
    }

    /// K of the component, J.
    pub fn kinetic(&self, masses: &[f64], v: &[DVec3]) -> f64 {
        let terms = self.vertices.iter().map(|&i| masses[i as usize] * v[i as usize].length_squared());
        0.5 * terms.sum::<f64>()
    }

    /// Stiffness-weighted centre of its supports; pins outweigh all attachments. `None` if it has neither pins nor attachments.
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
