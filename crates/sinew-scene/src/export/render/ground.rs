//! The ground, or any other plane: a checkerboard that fades into the background, with a cast shadow, and darker where bodies are in contact
//! with it.

use super::{
    Plane, View,
    geometry::Geometry,
    shadow::{DepthMap, Mask},
    sky::Sky,
    visibility::Linear,
};
use crate::export::colour::Colour;
use glam::{DVec2, DVec3};

/// Light that remains in full shadow, and under a body that lies on the ground.
const IN_SHADOW: DVec3 = DVec3::new(0.44, 0.47, 0.53);
const AT_CONTACT: f64 = 0.42;
/// How much darker the ground is where bodies hide all of the sky.
const UNDER_BODIES: f64 = 0.38;
/// It fades between these distances from the point looked at, in units of the camera's distance.
const FADE: (f64, f64) = (0.7, 2.6);

/// A plane of a frame.
#[derive(Debug)]
pub(super) struct Ground {
    plane: Plane,
    /// Height of the eye above it, m.
    eye: f64,
    /// 1/depth over the image.
    inverse_depth: Linear,
    /// Side of a square, m.
    cell: f64,
    /// Where fading starts and ends around `middle`, m.
    fade: (f64, f64),
    middle: DVec2,
    /// Cosine between the plane's normal and the key light, 1 for level ground.
    facing: f64,
    shadow: Option<Mask>,
    contact: Option<Mask>,
    light: DVec3,
    dark: DVec3,
}

impl Ground {
    /// `None` if the eye is not in front of the plane. `sight`: the point looked at and the distance to it; `squares`: the colours of the checkers; `key` is a
    /// unit vector towards the key light.
    pub fn new(
        plane: Plane,
        geometry: &Geometry,
        view: &View,
        sight: (DVec3, f64),
        squares: [Colour; 2],
        (key, seen_by_key_light): (DVec3, Option<&DepthMap>),
    ) -> Option<Self> {
        let Plane { point, normal, along } = plane;
        let eye = normal.dot(view.eye - point);
        let usable = point.is_finite() && normal.is_finite() && along.is_finite() && eye > 0.0;
        usable.then(|| {
            let reach = 0.12 * view.distance;
            // Along a ray of unit depth, the height above the plane falls from the eye's to zero within the depth.
            let up = DVec3::new(normal.dot(view.right), normal.dot(view.up), normal.dot(view.forward));
            let height = normal.dot(point);
            Self {
                plane,
                eye,
                inverse_depth: Linear::along((1.0 - 1e-3) / -eye * up, view),
                cell: round_length(view.distance / 9.0),
                fade: (FADE.0 * view.distance, FADE.1 * view.distance),
                middle: in_plane(&plane, sight.0),
                facing: (normal.dot(key) / key.y).clamp(0.0, 1.0),
                shadow: seen_by_key_light.map(|map| map.mask(3, 0.01, |_| 1.0)),
                contact: DepthMap::of(geometry, -normal, sight, 192, 0.15).map(|map| {
                    map.mask(1, 0.03, |w| (-(-f64::from(w) - height).max(0.0) / reach).exp() as f32)
                }),
                light: squares[0].to_linear(),
                dark: squares[1].to_linear(),
            }
        })
    }

    /// 1/depth of the plane for a sample, 1/m: not positive where the ray misses. Moved back by a thousandth,
    /// so that a sheet lying on the ground is seen.
    pub fn inverse_depth(&self, column: f64, row: f64) -> f64 {
        self.inverse_depth.at(column, row)
    }

    /// Colour and opacity where the ray with world direction `d` meets the plane. `pixel` is the size
    /// at unit depth of the area to average over.
    pub fn look(&self, view: &View, sky: &Sky, d: DVec3, pixel: f64) -> (DVec3, f64) {
        let fall = self.plane.normal.dot(d);
        let depth = -self.eye / fall;
        let p = view.eye + depth * d;
        let place = in_plane(&self.plane, p);
        let opacity = 1.0 - smooth_step(self.fade.0, self.fade.1, place.distance(self.middle));
        if opacity <= 0.0 {
            return (self.light, 0.0);
        }
        // The footprint of a sample on the ground grows with depth, and lengthens as the ray flattens.
        let width = 0.7 * pixel * depth * (1.0 + d.length() / fall.abs()).min(1e6) / self.cell;
        let checker = 0.5 - 0.5 * stripes(place.x / self.cell, width) * stripes(place.y / self.cell, width);
        let shadow = self.shadow.as_ref().map_or(0.0, |mask| mask.at(p)).min(1.0);
        let contact = self.contact.as_ref().map_or(0.0, |mask| mask.at(p));
        // A surface that faces away from the light is as dark as one in shadow.
        let shade = 1.0 - self.facing * (1.0 - shadow);
        let open = sky.share_of_ground(p, self.plane.normal);
        let light = DVec3::ONE.lerp(IN_SHADOW, shade)
            * (1.0 - AT_CONTACT * contact.min(1.0))
            * (1.0 - UNDER_BODIES * (1.0 - open));
        (self.light.lerp(self.dark, checker) * light, opacity)
    }
}

/// Coordinates of a point's projection to a plane, m.
fn in_plane(plane: &Plane, p: DVec3) -> DVec2 {
    let offset = p - plane.point;
    DVec2::new(offset.dot(plane.along), offset.dot(plane.along.cross(plane.normal)))
}

/// ±1 in stripes of width 1, averaged over a window of the given width.
fn stripes(x: f64, width: f64) -> f64 {
    let width = width.max(1e-6);
    // The integral of the stripes is a triangle wave.
    let integral = |x: f64| 1.0 - (2.0 * (0.5 * x - (0.5 * x).floor()) - 1.0).abs();
    (integral(x + 0.5 * width) - integral(x - 0.5 * width)) / width
}

/// The nearest of 1, 2, 5 times a power of ten at or below `length`.
fn round_length(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    let leading = length / power;
    power
        * if leading >= 5.0 {
            5.0
        } else if leading >= 2.0 {
            2.0
        } else {
            1.0
        }
}

/// 0 below `from`, 1 above `to`, smooth between.
pub(super) fn smooth_step(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripes_alternate_and_average_out() {
        assert!((stripes(0.5, 1e-3) - 1.0).abs() < 1e-6);
        assert!((stripes(1.5, 1e-3) + 1.0).abs() < 1e-6);
        assert!((stripes(-0.5, 1e-3) + 1.0).abs() < 1e-6);
        assert!(stripes(0.3, 100.0).abs() < 0.02);
    }

    #[test]
    fn lengths_are_rounded_down_to_one_two_five() {
        for (length, round) in [(0.07, 0.05), (1.0, 1.0), (2.4, 2.0), (9.9, 5.0), (1300.0, 1000.0)] {
            assert!((round_length(length) / round - 1.0).abs() < 1e-12, "{length}");
        }
    }
}
