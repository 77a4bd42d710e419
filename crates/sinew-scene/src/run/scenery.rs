//! The colliders of a scene as surfaces to draw: made once, moved every frame.

use super::surface::solid_of;
use crate::export::render::{Bounds, Plane};
use crate::export::solid::Solid;
use glam::DVec3;
use sinew::contact::Shape;
use sinew::{Model, Placement};

/// All colliders of a scene.
#[derive(Clone, Debug, Default)]
pub(super) struct Scenery {
    solids: Vec<Movable>,
    /// Indices of the colliders that are half-spaces.
    planes: Vec<usize>,
}

/// A collider with a surface.
#[derive(Clone, Debug)]
struct Movable {
    /// Index of the collider.
    collider: usize,
    /// Its surface in its own frame.
    own: Solid,
    /// Its points in world coordinates, #V.
    placed: Vec<DVec3>,
}

impl Scenery {
    pub fn new(model: &Model) -> Self {
        let mut scenery = Self::default();
        for (collider, part) in model.colliders().iter().enumerate() {
            if matches!(part.shape, Shape::HalfSpace) {
                scenery.planes.push(collider);
            }
            let own = solid_of(&part.shape);
            if !own.triangles.is_empty() {
                scenery.solids.push(Movable { collider, placed: own.positions.clone(), own });
            }
        }
        scenery
    }

    /// Moves the solids to these placements of the colliders.
    pub fn place(&mut self, colliders: &[Placement]) {
        for solid in &mut self.solids {
            let Some(placement) = colliders.get(solid.collider) else { continue };
            for (placed, &own) in solid.placed.iter_mut().zip(&solid.own.positions) {
                *placed = placement.apply(own);
            }
        }
    }

    /// Points and triangles of each solid.
    pub fn solids(&self) -> impl Iterator<Item = (&[DVec3], &[[u32; 3]])> {
        self.solids.iter().map(|solid| (solid.placed.as_slice(), solid.own.triangles.as_slice()))
    }

    /// The half-spaces at these placements of the colliders.
    pub fn planes(&self, colliders: &[Placement]) -> Vec<Plane> {
        let placed = self.planes.iter().filter_map(|&collider| colliders.get(collider));
        placed
            .map(|placement| Plane {
                point: placement.translation,
                normal: placement.rotation * DVec3::Y,
                along: placement.rotation * DVec3::X,
            })
            .collect()
    }

    /// The region that a camera should see besides the bodies in `bodies`: solids that are not much larger than them, and the parts of planes
    /// under them.
    pub fn bounds(&self, bodies: Bounds, colliders: &[Placement]) -> Bounds {
        /// In sizes of the bodies.
        const LARGE: f64 = 4.0;
        let size = bodies.diagonal();
        let near =
            |b: &Bounds| b.diagonal() <= LARGE * size && b.union(bodies).diagonal() <= 2.0 * LARGE * size;
        let solids = self.solids().filter_map(|(positions, _)| Bounds::of(positions)).filter(near);
        let planes = self.planes(colliders);
        let centre = bodies.centre();
        let feet = planes.iter().filter_map(|plane| {
            let foot = centre - plane.normal * plane.normal.dot(centre - plane.point);
            Bounds::of([&foot]).filter(near)
        });
        solids.chain(feet).fold(bodies, Bounds::union)
    }
}
