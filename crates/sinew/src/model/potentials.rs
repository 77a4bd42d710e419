//! A pass over the components: the potentials that act on each, in batches that never span two.

use super::ModelError;
use super::elements::Elements;
use crate::controls::Controls;
use crate::energy::{AttachmentSpring, Attachments, Energy, Grabs, Gravity, HessianKind, Pose};
use crate::sparse::SymmetricMatrix;
use crate::topology::Component;
use glam::DVec3;

/// Everything that becomes a potential.
pub(super) struct Sources<'a> {
    pub elements: Vec<Elements>,
    pub masses: &'a [f64],
    pub gravity: DVec3,
    pub springs: &'a [AttachmentSpring],
    /// Whether points can be grabbed.
    pub grabs: bool,
    /// User-defined energies, and the vertices of each.
    pub own: Vec<Box<dyn Energy>>,
    pub own_stencils: &'a [Vec<u32>],
}

impl Sources<'_> {
    /// Returns the batches in the order of the ledger; records in `components` which batches are theirs and what supports them.
    pub fn distribute(self, labels: &[u32], components: &mut [Component]) -> Vec<Box<dyn Energy>> {
        let mut energies: Vec<(usize, Box<dyn Energy>)> = Vec::new();
        for batch in self.elements {
            batch.split(labels, &mut energies);
        }
        let mut springs = vec![Vec::new(); components.len()];
        for spring in self.springs {
            springs[labels[spring.vertex as usize] as usize].push(*spring);
        }
        for ((c, component), springs) in components.iter_mut().enumerate().zip(springs) {
            let vertices = || component.vertices.clone();
            if self.gravity != DVec3::ZERO {
                let gravity = Gravity::new(self.gravity, self.masses, &component.vertices);
                component.gravity.push(energies.len());
                energies.push((c, Box::new(gravity)));
            }
            if !springs.is_empty() {
                energies.push((c, Box::new(Attachments::new(springs))));
            }
            if self.grabs {
                energies.push((c, Box::new(Grabs::new(vertices()))));
            }
        }
        let first_own = energies.len();
        for (energy, stencil) in self.own.into_iter().zip(self.own_stencils) {
            let c = stencil.first().map_or(0, |&i| labels[i as usize] as usize);
            energies.push((c, energy));
        }
        for (batch, (c, energy)) in energies.iter().enumerate() {
            let component = &mut components[*c];
            component.energies.push(batch);
            if batch >= first_own && energy.external() {
                component.own_external.push(batch);
            }
            component.supported |= energy.external() && !component.gravity.contains(&batch);
        }
        energies.into_iter().map(|(_, energy)| energy).collect()
    }
}

/// The vertices that each user-defined energy acts on, found from its Hessian.
pub(super) fn own_stencils(
    own: &[Box<dyn Energy>],
    positions: &[DVec3],
    controls: &Controls,
) -> Result<Vec<Vec<u32>>, ModelError> {
    let pose = Pose::new(positions, controls);
    let vertices = positions.len();
    let mut stencils = Vec::new();
    for energy in own {
        let mut stencil = Vec::new();
        energy.hessian(pose, HessianKind::PositiveSemidefinite, &mut |i, j, _| stencil.extend([i, j]));
        if stencil.is_empty() {
            // Without second derivatives, its vertices are unknown: it may act on all.
            stencil.extend(0..vertices as u32);
        }
        stencil.sort_unstable();
        stencil.dedup();
        if let Some(&vertex) = stencil.last().filter(|&&i| i as usize >= vertices) {
            let name = energy.name().to_owned();
            return Err(ModelError::OwnEnergy { name, vertex, vertices });
        }
        stencils.push(stencil);
    }
    Ok(stencils)
}

/// L = Σ w GᵀG over all potentials.
pub(super) fn laplacian(
    energies: &[Box<dyn Energy>],
    vertices: usize,
) -> Result<SymmetricMatrix, ModelError> {
    let mut entries = Vec::new();
    for energy in energies {
        let first = entries.len();
        energy.laplacian(&mut |i, j, weight| entries.push((i, j, weight)));
        let bad = |(i, j, w): &&(u32, u32, f64)| *i.max(j) as usize >= vertices || !w.is_finite();
        if let Some(&(i, j, weight)) = entries[first..].iter().find(bad) {
            let name = energy.name().to_owned();
            return Err(ModelError::Laplacian { name, i, j, weight });
        }
    }
    Ok(SymmetricMatrix::from_entries(vertices, &entries))
}
