//! The surfaces of colliders, for drawing.

use crate::export::solid::Solid;
use sinew::Placement;
use sinew::contact::Shape;

/// The surface of a shape in its own frame; empty for a half-space, which is unbounded.
pub fn solid_of(shape: &Shape) -> Solid {
    let mut solid = Solid::default();
    add(&mut solid, shape, &Placement::default());
    solid
}

fn add(solid: &mut Solid, shape: &Shape, placement: &Placement) {
    let part = match shape {
        Shape::Sphere { radius } => Solid::sphere(*radius),
        Shape::Cuboid { half } => Solid::cuboid(*half),
        Shape::Capsule { half_length, radius } => Solid::capsule(*half_length, *radius),
        Shape::Torus { major, minor } => Solid::torus(*major, *minor),
        Shape::Mesh(mesh) => {
            Solid { positions: mesh.vertices().to_vec(), triangles: mesh.triangles().to_vec() }
        }
        Shape::Union(parts) => {
            let mut all = Solid::default();
            parts.iter().for_each(|(placement, part)| add(&mut all, part, placement));
            all
        }
        // A half-space is unbounded; it is drawn as a plane.
        _ => return,
    };
    solid.add(&part, |p| placement.apply(p));
}
