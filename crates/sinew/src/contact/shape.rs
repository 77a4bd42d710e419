//! Solids by their signed distance: negative inside, with a unit gradient that points outward.
//!
//! φ(p) and ∇φ(p) are in the solid's own frame. For the simple solids they are closed forms, exact inside and outside; a closed triangle mesh
//! finds its closest point in a hierarchy of boxes ([`ClosedMesh`]). Where the closest surface point is not unique (the centre of a sphere,
//! the axis of a capsule), one of the closest is taken, always the same one.

use super::closed_mesh::ClosedMesh;
use crate::placement::Placement;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// A solid in its own frame.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// A half-space: everything below y = 0.
    HalfSpace,
    /// A sphere about the origin.
    Sphere {
        /// Radius, metres.
        radius: f64,
    },
    /// A cuboid about the origin, aligned with the axes.
    Cuboid {
        /// Half of each side length, metres.
        half: DVec3,
    },
    /// A capsule: a segment along y, thickened.
    Capsule {
        /// Half of the segment's length, metres.
        half_length: f64,
        /// Radius, metres.
        radius: f64,
    },
    /// A torus about the y axis.
    Torus {
        /// Radius from the axis to the centre of the tube, metres.
        major: f64,
        /// Radius of the tube, metres.
        minor: f64,
    },
    /// A closed surface of triangles.
    Mesh(Arc<ClosedMesh>),
    /// Several solids that move as one, such as stairs. Where they overlap, the deepest one counts.
    Union(Vec<(Placement, Shape)>),
}

/// Signed distance of a point from a surface, and the outward direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// Signed distance, negative inside, metres.
    pub distance: f64,
    /// Unit vector out of the solid.
    pub normal: DVec3,
}

impl Proximity {
    /// For a point at this offset from the centre of something round with this radius.
    fn round(offset: DVec3, radius: f64, otherwise: DVec3) -> Self {
        let length = offset.length();
        let normal = if length > 0.0 { offset / length } else { otherwise };
        Self { distance: length - radius, normal }
    }
}

impl Shape {
    /// φ and ∇φ at a point in the solid's frame.
    pub fn proximity(&self, p: DVec3) -> Proximity {
        match self {
            Self::HalfSpace => Proximity { distance: p.y, normal: DVec3::Y },
            Self::Sphere { radius } => Proximity::round(p, *radius, DVec3::Y),
            Self::Cuboid { half } => cuboid(p, *half),
            Self::Capsule { half_length, radius } => {
                let middle = DVec3::new(0.0, p.y.clamp(-half_length, *half_length), 0.0);
                Proximity::round(p - middle, *radius, DVec3::X)
            }
            Self::Torus { major, minor } => {
                let ring = DVec2::new(p.x, p.z);
                let direction = ring.try_normalize().unwrap_or(DVec2::X);
                let middle = DVec3::new(direction.x, 0.0, direction.y) * *major;
                Proximity::round(p - middle, *minor, DVec3::Y)
            }
            Self::Mesh(mesh) => mesh.proximity(p),
            Self::Union(parts) => {
                let mut best = Proximity { distance: f64::INFINITY, normal: DVec3::Y };
                for (placement, part) in parts {
                    let near = part.proximity(placement.undo(p));
                    if near.distance < best.distance {
                        best = Proximity { normal: placement.rotation * near.normal, ..near };
                    }
                }
                best
            }
        }
    }

    /// Low and high corners of the bounding box; `None` for a half-space, which is unbounded.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let symmetric = |half: DVec3| Some((-half, half));
        match self {
            Self::HalfSpace => None,
            Self::Sphere { radius } => symmetric(DVec3::splat(*radius)),
            Self::Cuboid { half } => symmetric(*half),
            Self::Capsule { half_length, radius } => {
                symmetric(DVec3::new(*radius, half_length + radius, *radius))
            }
            Self::Torus { major, minor } => symmetric(DVec3::new(major + minor, *minor, major + minor)),
            Self::Mesh(mesh) => Some(mesh.bounds()),
            Self::Union(parts) => {
                let mut all = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                for (placement, part) in parts {
                    let (low, high) = part.bounds()?;
                    for k in 0..8 {
                        let corner =
                            DVec3::select(glam::BVec3::new(k & 1 != 0, k & 2 != 0, k & 4 != 0), high, low);
                        let corner = placement.apply(corner);
                        all = (all.0.min(corner), all.1.max(corner));
                    }
                }
                Some(all)
            }
        }
    }

    /// What is wrong with its parameters, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        let positive = |values: &[f64]| values.iter().all(|v| *v > 0.0 && v.is_finite());
        match self {
            Self::HalfSpace | Self::Mesh(_) => None,
            Self::Union(parts) if parts.is_empty() => Some("it has no parts"),
            Self::Union(parts) if !parts.iter().all(|(placement, _)| placement.is_valid()) => {
                Some("a part's place is not finite")
            }
            Self::Union(parts) => parts.iter().find_map(|(_, part)| part.fault()),
            Self::Sphere { radius } => (!positive(&[*radius])).then_some("its radius must be positive"),
            Self::Cuboid { half } => {
                (!positive(&half.to_array())).then_some("its size must be positive along every axis")
            }
            Self::Capsule { half_length, radius } => {
                (!positive(&[*half_length, *radius])).then_some("its length and radius must be positive")
            }
            Self::Torus { major, minor } if positive(&[*major, *minor]) => {
                (minor >= major).then_some("its tube must be thinner than its ring: minor < major")
            }
            Self::Torus { .. } => Some("its radii must be positive"),
        }
    }
}

fn cuboid(p: DVec3, half: DVec3) -> Proximity {
    let beyond = p.abs() - half;
    let sign = DVec3::select(p.cmplt(DVec3::ZERO), DVec3::NEG_ONE, DVec3::ONE);
    let outside = beyond.max(DVec3::ZERO);
    let length = outside.length();
    if length > 0.0 {
        return Proximity { distance: length, normal: outside * sign / length };
    }
    // Inside: the way out is through the nearest face.
    let distance = beyond.max_element();
    let axis = if beyond.x == distance {
        DVec3::X
    } else if beyond.y == distance {
        DVec3::Y
    } else {
        DVec3::Z
    };
    Proximity { distance, normal: axis * sign }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shapes() -> Vec<Shape> {
        let cube = ClosedMesh::cuboid(DVec3::new(0.5, 0.8, 0.3));
        vec![
            Shape::HalfSpace,
            Shape::Sphere { radius: 0.7 },
            Shape::Cuboid { half: DVec3::new(0.5, 0.8, 0.3) },
            Shape::Capsule { half_length: 0.6, radius: 0.4 },
            Shape::Torus { major: 0.9, minor: 0.3 },
            Shape::Mesh(Arc::new(cube)),
        ]
    }

    proptest! {
        /// Moving along the normal by the distance ends on the surface, from inside and outside.
        #[test]
        fn the_normal_leads_to_the_surface(p in prop::array::uniform3(-1.5f64..1.5)) {
            let p = DVec3::from(p);
            for shape in shapes() {
                let near = shape.proximity(p);
                prop_assert!((near.normal.length() - 1.0).abs() < 1e-12);
                let surface = p - near.normal * near.distance;
                prop_assert!(shape.proximity(surface).distance.abs() < 1e-9, "{shape:?} {p} {near:?}");
            }
        }

        #[test]
        fn a_mesh_of_a_cuboid_is_the_cuboid(p in prop::array::uniform3(-1.5f64..1.5)) {
            let p = DVec3::from(p);
            let shapes = shapes();
            let (exact, mesh) = (shapes[2].proximity(p), shapes[5].proximity(p));
            prop_assert!((exact.distance - mesh.distance).abs() < 1e-12, "{exact:?} {mesh:?}");
        }
    }

    #[test]
    fn middles_have_a_direction() {
        for shape in shapes() {
            let near = shape.proximity(DVec3::ZERO);
            assert!(near.normal.is_normalized() && near.distance.is_finite(), "{shape:?}");
        }
    }

    #[test]
    fn senseless_sizes_have_a_fault() {
        for shape in [
            Shape::Sphere { radius: 0.0 },
            Shape::Cuboid { half: DVec3::new(1.0, -1.0, 1.0) },
            Shape::Capsule { half_length: f64::NAN, radius: 1.0 },
            Shape::Torus { major: 0.2, minor: 0.3 },
            Shape::Torus { major: 0.2, minor: 0.0 },
        ] {
            assert!(shape.fault().is_some(), "{shape:?}");
        }
        assert!(shapes().iter().all(|s| s.fault().is_none()));
    }
}
