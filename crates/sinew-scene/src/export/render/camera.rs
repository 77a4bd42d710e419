//! A pinhole camera and its view: world ↔ view space ↔ samples.
//!
//! View space has its origin at the eye, x to the right, y up, z forward. The sample in column i and row j sees
//! along d = ((i + ½ − w/2)·s, (h/2 − j − ½)·s, 1) with s = 2·tan(fov/2)/h, so z along the ray is depth.

use super::{Bounds, ExportError};
use glam::DVec3;

/// A pinhole camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the eye, m.
    pub eye: DVec3,
    /// The point in the middle of the image, m.
    pub look_at: DVec3,
    /// Which way is up in the image. Need not be perpendicular to the line of sight.
    pub up: DVec3,
    /// Vertical field of view, degrees, between 0 and 180.
    pub fov_degrees: f64,
}

/// Nothing nearer than this fraction of the distance to `look_at` is drawn.
const NEAR: f64 = 0.01;

impl Camera {
    /// Places the camera so that a box fills the image, with a margin.
    ///
    /// `direction` points from the box to the eye; `aspect` is width over height. Invalid input (a zero direction, a non-finite box) is
    /// replaced by something that can be drawn: the box of side 1 m, a view from the front.
    pub fn fit(bounds: &Bounds, direction: DVec3, aspect: f64) -> Self {
        const FOV_DEGREES: f64 = 32.0;
        const MARGIN: f64 = 1.12;
        let sound = (bounds.max - bounds.min).is_finite() && bounds.centre().is_finite();
        let unit = Bounds { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) };
        let bounds = if sound { *bounds } else { unit };
        let backward = direction.try_normalize().unwrap_or(DVec3::Z);
        let aspect = if aspect > 0.0 && aspect.is_finite() { aspect } else { 1.0 };
        let centre = bounds.centre();
        let (right, up) = upright(-backward, DVec3::Y);
        let tan_v = (FOV_DEGREES.to_radians() / 2.0).tan() / MARGIN;
        let tan_h = tan_v * aspect;
        // A corner p is inside if |p·up| ≤ (distance − p·backward)·tan, and the same sideways.
        let distance = bounds.corners().iter().map(|corner| corner - centre).fold(0.0, |far: f64, p| {
            let needed = (p.dot(up).abs() / tan_v).max(p.dot(right).abs() / tan_h);
            far.max(needed + p.dot(backward))
        });
        // A single point has no size: place the camera a metre away, or far enough that the numbers still differ.
        let distance = if distance > 0.0 { distance } else { 1.0f64.max(1e-6 * centre.length()) };
        Self { eye: centre + distance * backward, look_at: centre, up: DVec3::Y, fov_degrees: FOV_DEGREES }
    }
}

/// Unit vectors to the right and up for a unit `forward`; if `up` cannot be used, the best axis replaces it.
fn upright(forward: DVec3, up: DVec3) -> (DVec3, DVec3) {
    let candidates = [up.normalize_or_zero(), DVec3::Y, -DVec3::Z, DVec3::X];
    let right = candidates.iter().map(|up| forward.cross(*up)).find(|right| right.length() > 1e-6);
    let right = right.unwrap_or(DVec3::X).normalize_or_zero();
    (right, right.cross(forward))
}

/// A camera together with the size of the image in samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub eye: DVec3,
    pub right: DVec3,
    pub up: DVec3,
    pub forward: DVec3,
    /// Samples per row, and rows.
    pub width: usize,
    pub height: usize,
    /// Size of a sample at depth 1.
    pub sample: f64,
    /// Depth of the near plane, m.
    pub near: f64,
    /// Distance from the eye to the point looked at, m.
    pub distance: f64,
}

impl View {
    pub fn new(camera: &Camera, width: u32, height: u32) -> Result<Self, ExportError> {
        let refuse = |reason| Err(ExportError::Camera(reason));
        let sight = camera.look_at - camera.eye;
        if !(camera.eye.is_finite() && sight.length().is_finite()) {
            return refuse("its position or the point it looks at is not finite");
        }
        let Some(forward) = sight.try_normalize() else {
            return refuse("it stands at the point that it looks at");
        };
        if !(camera.fov_degrees > 0.0 && camera.fov_degrees < 180.0) {
            return refuse("its field of view does not lie between 0 and 180 degrees");
        }
        let (right, up) = upright(forward, camera.up);
        let sample = 2.0 * (camera.fov_degrees.to_radians() / 2.0).tan() / f64::from(height);
        Ok(Self {
            eye: camera.eye,
            right,
            up,
            forward,
            width: width as usize,
            height: height as usize,
            sample,
            near: NEAR * sight.length(),
            distance: sight.length(),
        })
    }

    /// A world point in view space.
    pub fn in_view(&self, p: DVec3) -> DVec3 {
        let p = p - self.eye;
        DVec3::new(p.dot(self.right), p.dot(self.up), p.dot(self.forward))
    }

    /// The ray through a sample, in view space; fractions allowed.
    pub fn ray(&self, column: f64, row: f64) -> DVec3 {
        DVec3::new(
            (column + 0.5 - 0.5 * self.width as f64) * self.sample,
            (0.5 * self.height as f64 - row - 0.5) * self.sample,
            1.0,
        )
    }

    /// A direction of view space in the world.
    pub fn in_world(&self, d: DVec3) -> DVec3 {
        d.x * self.right + d.y * self.up + d.z * self.forward
    }

    /// Column and row (fractions) where a point of view space with z > 0 is seen.
    pub fn project(&self, p: DVec3) -> (f64, f64) {
        (
            p.x / (p.z * self.sample) + 0.5 * self.width as f64 - 0.5,
            0.5 * self.height as f64 - 0.5 - p.y / (p.z * self.sample),
        )
    }

    /// Size of one sample at the depth of a world point, m; at the near plane for points before it.
    pub fn sample_size_at(&self, p: DVec3) -> f64 {
        self.sample * (p - self.eye).dot(self.forward).max(self.near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_shows_every_corner_and_wastes_little() {
        let boxes = [
            Bounds { min: DVec3::new(-1.0, 0.0, -1.0), max: DVec3::new(1.0, 0.5, 1.0) },
            Bounds { min: DVec3::new(10.0, 0.0, 0.0), max: DVec3::new(10.1, 9.0, 0.3) },
            Bounds { min: DVec3::splat(-1e-4), max: DVec3::splat(1e-4) },
        ];
        for (bounds, (w, h)) in boxes.iter().zip([(640, 480), (300, 300), (200, 500)]) {
            for direction in [DVec3::Z, DVec3::new(1.0, 0.7, 1.0), DVec3::Y, DVec3::NEG_Y] {
                let camera = Camera::fit(bounds, direction, f64::from(w) / f64::from(h));
                let view = View::new(&camera, w, h).unwrap();
                let mut reach = 0.0f64;
                for corner in bounds.corners() {
                    let p = view.in_view(corner);
                    assert!(p.z > view.near);
                    let (x, y) = view.project(p);
                    reach = reach.max((2.0 * (x + 0.5) / f64::from(w) - 1.0).abs());
                    reach = reach.max((2.0 * (y + 0.5) / f64::from(h) - 1.0).abs());
                }
                assert!((0.85..0.95).contains(&reach), "{reach} from {direction}");
            }
        }
    }

    #[test]
    fn projecting_undoes_the_ray() {
        let camera = Camera {
            eye: DVec3::new(1.0, 2.0, 3.0),
            look_at: DVec3::new(-1.0, 0.5, 0.0),
            up: DVec3::Y,
            fov_degrees: 50.0,
        };
        let view = View::new(&camera, 64, 48).unwrap();
        let (x, y) = view.project(7.0 * view.ray(13.0, 40.0));
        assert!((x - 13.0).abs() < 1e-9 && (y - 40.0).abs() < 1e-9);
    }

    #[test]
    fn looking_straight_along_up_still_has_an_upright_image() {
        let camera = Camera { eye: 5.0 * DVec3::Y, look_at: DVec3::ZERO, up: DVec3::Y, fov_degrees: 40.0 };
        let view = View::new(&camera, 64, 48).unwrap();
        assert!(
            (view.right.length() - 1.0).abs() < 1e-12
                && view.right.cross(view.forward).dot(view.up).abs() > 0.99
        );
    }
}
