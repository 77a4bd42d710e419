//! Simple solids and the distance to their surfaces: negative inside, positive outside.
//!
//! The distance to a capsule, a box and a ring is exact. That to an ellipsoid is k₀ (k₀ − 1) / k₁ with k₀ = |p/r| and k₁ = |p/r²|, which is exact on the surface and to first
//! order near it. A capsule with two radii is taken as a segment whose radius varies linearly along it, which is a little thinner than the hull of its two balls.

use glam::{DQuat, DVec3};

/// A solid in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// An ellipsoid about `centre` with half axes `radii`, turned by `turn`.
    Egg {
        /// Its middle.
        centre: DVec3,
        /// Half axes along x, y, z, before the turn.
        radii: DVec3,
        /// Its rotation.
        turn: DQuat,
    },
    /// Everything within `from.1` of the point `from.0`, `to.1` of `to.0`, and in between of points between.
    Drop {
        /// One end and the radius there.
        from: (DVec3, f64),
        /// The other end.
        to: (DVec3, f64),
    },
    /// A box about `centre` with edges rounded by `rounding`, which is part of its half extents `half`.
    Cuboid {
        /// Its middle.
        centre: DVec3,
        /// Half extents along x, y, z, before the turn.
        half: DVec3,
        /// Radius of its edges.
        rounding: f64,
        /// Its rotation.
        turn: DQuat,
    },
    /// A ring about `centre`; its axis is y before the turn.
    Ring {
        /// Its middle.
        centre: DVec3,
        /// From the axis to the middle of the tube.
        major: f64,
        /// Of the tube.
        minor: f64,
        /// Its rotation.
        turn: DQuat,
    },
}

/// An ellipsoid with half axes along x, y, z.
pub fn egg(centre: [f64; 3], radii: [f64; 3]) -> Solid {
    Solid::Egg { centre: centre.into(), radii: radii.into(), turn: DQuat::IDENTITY }
}

/// A ball.
pub fn ball(centre: [f64; 3], radius: f64) -> Solid {
    egg(centre, [radius; 3])
}

/// A capsule whose ends may have different radii.
pub fn drop(from: [f64; 3], radius: f64, to: [f64; 3], end_radius: f64) -> Solid {
    Solid::Drop { from: (from.into(), radius), to: (to.into(), end_radius) }
}

/// A box with half extents along x, y, z and rounded edges.
pub fn cuboid(centre: [f64; 3], half: [f64; 3], rounding: f64) -> Solid {
    Solid::Cuboid { centre: centre.into(), half: half.into(), rounding, turn: DQuat::IDENTITY }
}

/// A ring whose axis is y.
pub fn ring(centre: [f64; 3], major: f64, minor: f64) -> Solid {
    Solid::Ring { centre: centre.into(), major, minor, turn: DQuat::IDENTITY }
}

/// The solid turned about its own middle; a capsule stays as it is.
pub fn turned(mut solid: Solid, axis: [f64; 3], degrees: f64) -> Solid {
    let by = DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::Y), degrees.to_radians());
    match &mut solid {
        Solid::Egg { turn, .. } | Solid::Cuboid { turn, .. } | Solid::Ring { turn, .. } => *turn = by * *turn,
        Solid::Drop { .. } => {}
    }
    solid
}

impl Solid {
    /// Signed distance of a point.
    pub fn distance(&self, p: DVec3) -> f64 {
        match *self {
            Self::Egg { centre, radii, turn } => {
                let q = turn.inverse() * (p - centre);
                let (near, steep) = ((q / radii).length(), (q / (radii * radii)).length());
                if steep > 1e-12 { near * (near - 1.0) / steep } else { -radii.min_element() }
            }
            Self::Drop { from: (a, ra), to: (b, rb) } => {
                let way = b - a;
                let t = ((p - a).dot(way) / way.length_squared().max(1e-300)).clamp(0.0, 1.0);
                p.distance(a + way * t) - (ra + (rb - ra) * t)
            }
            Self::Cuboid { centre, half, rounding, turn } => {
                let q = (turn.inverse() * (p - centre)).abs() - half + rounding;
                q.max(DVec3::ZERO).length() + q.max_element().min(0.0) - rounding
            }
            Self::Ring { centre, major, minor, turn } => {
                let q = turn.inverse() * (p - centre);
                (q.x.hypot(q.z) - major).hypot(q.y) - minor
            }
        }
    }

    /// A box that contains the solid.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        match *self {
            Self::Drop { from: (a, ra), to: (b, rb) } => ((a - ra).min(b - rb), (a + ra).max(b + rb)),
            Self::Egg { centre, radii: reach, .. } | Self::Cuboid { centre, half: reach, .. } => {
                (centre - reach.length(), centre + reach.length())
            }
            Self::Ring { centre, major, minor, .. } => (centre - (major + minor), centre + (major + minor)),
        }
    }

    /// Its mirror image; `sign` has −1 for the axis along which it is mirrored, and 1 for the others.
    pub(super) fn mirrored(&self, sign: DVec3) -> Self {
        // A rotation keeps its part along the axis of mirroring and turns the other way about the other two.
        let flip = |turn: DQuat| {
            let v = DVec3::new(turn.x, turn.y, turn.z) * -sign;
            DQuat::from_xyzw(v.x, v.y, v.z, turn.w)
        };
        match *self {
            Self::Egg { centre, radii, turn } => Self::Egg { centre: centre * sign, radii, turn: flip(turn) },
            Self::Drop { from: (a, ra), to: (b, rb) } => {
                Self::Drop { from: (a * sign, ra), to: (b * sign, rb) }
            }
            Self::Cuboid { centre, half, rounding, turn } => {
                Self::Cuboid { centre: centre * sign, half, rounding, turn: flip(turn) }
            }
            Self::Ring { centre, major, minor, turn } => {
                Self::Ring { centre: centre * sign, major, minor, turn: flip(turn) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points spread without a pattern in a cube of side 2.
    fn points() -> impl Iterator<Item = DVec3> {
        let part = |i: u32, k: u32| {
            f64::from(i.wrapping_mul(2654435761).rotate_left(k) >> 8) / f64::from(1 << 24) * 2.0 - 1.0
        };
        (1..300).map(move |i| DVec3::new(part(i, 0), part(i, 7), part(i, 15)))
    }

    #[test]
    fn a_mirror_image_is_as_far_from_a_mirrored_point() {
        let solids = [
            turned(egg([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]), [1.0, 2.0, 3.0], 40.0),
            drop([0.1, 0.2, 0.3], 0.1, [-0.3, 0.5, 0.2], 0.2),
            turned(cuboid([0.1, -0.2, 0.3], [0.3, 0.2, 0.1], 0.05), [0.0, 1.0, 1.0], 70.0),
            turned(ring([0.1, 0.2, 0.3], 0.3, 0.1), [1.0, 0.0, 1.0], 20.0),
        ];
        for sign in [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(1.0, 1.0, -1.0)] {
            for solid in solids {
                for p in points() {
                    let other = solid.mirrored(sign).distance(p * sign);
                    assert!((solid.distance(p) - other).abs() < 1e-12, "{solid:?} at {p}");
                }
            }
        }
    }

    #[test]
    fn whatever_is_inside_is_inside_the_bounds() {
        let solid = turned(egg([0.1, 0.2, 0.3], [0.5, 0.2, 0.1]), [1.0, 2.0, 3.0], 40.0);
        let (low, high) = solid.bounds();
        for p in points().filter(|p| solid.distance(*p) < 0.0) {
            assert!(p.cmpge(low).all() && p.cmple(high).all());
        }
    }
}
