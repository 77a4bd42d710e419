//! How deep bodies are inside colliders: measured in every frame, outside the time of the step.
//!
//! depth = max over surface vertices i and colliders k of −φₖ(xᵢ), as a share of the size of the vertex's body at rest. Colliders count where they are, which is not where they
//! should be if a body held them back.

use glam::DVec3;
use sinew::contact::ContactLaw;
use sinew::{Model, State};

/// The vertices that are measured.
#[derive(Clone, Debug, Default)]
pub(super) struct Depth {
    /// For each body its vertices and 1/size, 1/m.
    bodies: Vec<(Vec<u32>, f64)>,
    /// Whether there are any colliders.
    colliders: bool,
    /// The largest contact distance of a body, as a share of its size.
    distance: f64,
}

impl Depth {
    /// `sizes`: extent of each body at rest, m.
    pub fn new(model: &Model, sizes: &[f64]) -> Self {
        let colliders = !model.colliders().is_empty();
        let bodies = model.bodies().iter().zip(sizes).filter(|_| colliders).map(|(body, &size)| {
            let mut vertices: Vec<u32> = body.surface.iter().flatten().copied().collect();
            if vertices.is_empty() {
                vertices.extend(body.vertices.clone().map(|i| i as u32));
            }
            vertices.sort_unstable();
            vertices.dedup();
            (vertices, 1.0 / if size > 0.0 { size } else { model.size() })
        });
        let shares = sizes.iter().filter(|size| **size > 0.0).map(|&size| {
            let law = model.contact_law();
            law.map_or(0.0, |law| law.thickness.map_or(ContactLaw::THICKNESS, |distance| distance / size))
        });
        Self { bodies: bodies.collect(), colliders, distance: shares.fold(0.0, f64::max) }
    }

    /// A depth that the engine measures in contact distances, as a share of the body's size. Of bodies with different contact distances for their size, at most that.
    pub fn of_distances(&self, depth: f64) -> f64 {
        depth * self.distance
    }

    /// The largest depth below the surface of a collider, as a share of the body's size; 0 if nothing is inside. The engine measures the
    /// depth between bodies.
    pub fn in_colliders(&self, model: &Model, state: &State) -> f64 {
        if !self.colliders {
            return 0.0;
        }
        let x = state.positions();
        let mut deepest = 0.0f64;
        for (collider, placement) in model.colliders().iter().zip(state.colliders()) {
            let bounds = collider.shape.bounds();
            let outside =
                |p: DVec3| bounds.is_some_and(|(low, high)| p.cmplt(low).any() || p.cmpgt(high).any());
            for (vertices, per_size) in &self.bodies {
                for &i in vertices {
                    let local = placement.undo(x[i as usize]);
                    if !outside(local) {
                        deepest = deepest.max(-collider.shape.proximity(local).distance * per_size);
                    }
                }
            }
        }
        deepest
    }
}
