//! The lights: a key light, a weak fill from the other side, and ambient light.

use super::View;
use glam::DVec3;

/// Directions of the lights, as unit vectors towards them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lights {
    pub key: DVec3,
    fill: DVec3,
}

const KEY: DVec3 = DVec3::new(1.02, 0.98, 0.92);
const FILL: DVec3 = DVec3::new(0.10, 0.12, 0.15);
/// Ambient light from above and from below.
const SKY: DVec3 = DVec3::new(0.30, 0.33, 0.38);
const FLOOR: DVec3 = DVec3::new(0.14, 0.135, 0.13);
/// The share of the ambient light in a place that sees nothing of the sky.
const HOLLOW: f64 = 0.25;
/// Strength and sharpness of highlights.
const SPECULAR: f64 = 0.10;
const SHININESS: i32 = 32;
/// Brightening of surfaces seen edge-on, which sets them off from the background.
const RIM: f64 = 0.10;

impl Lights {
    /// The lights are placed relative to the camera (key over its left shoulder), so no view is against the light.
    pub fn of(view: &View) -> Self {
        let level = |d: DVec3| DVec3::new(d.x, 0.0, d.z).try_normalize();
        // When the camera looks straight down, the top of the image serves as “away”.
        let away = level(view.forward).or_else(|| level(view.up)).unwrap_or(DVec3::NEG_Z);
        let right = away.cross(DVec3::Y);
        Self {
            key: (1.2 * DVec3::Y - 0.85 * right - 0.35 * away).normalize(),
            fill: (0.25 * DVec3::Y + right - 0.6 * away).normalize(),
        }
    }

    /// Light that a surface reflects to the eye. `normal` faces the eye, `to_eye` is a unit vector, `lit` and `open` are the shares of the key light and of the
    /// ambient light that arrive (0–1).
    pub fn shade(&self, albedo: DVec3, normal: DVec3, to_eye: DVec3, (lit, open): (f64, f64)) -> DVec3 {
        // What blocks the sky is lit itself and gives some of it back.
        let open = HOLLOW + (1.0 - HOLLOW) * open;
        let around = open * FLOOR.lerp(SKY, 0.5 + 0.5 * normal.y);
        // Wrapped a little past the edge of the light: skin and cloth have no hard terminator.
        let key = lit * ((normal.dot(self.key) + 0.1) / 1.1).max(0.0);
        let fill = open * (0.5 + 0.5 * normal.dot(self.fill)).max(0.0);
        let halfway = (self.key + to_eye).normalize_or_zero();
        let glance = 1.0 - normal.dot(to_eye).clamp(0.0, 1.0);
        let highlight =
            lit * SPECULAR * normal.dot(halfway).max(0.0).powi(SHININESS) + open * RIM * glance.powi(4);
        albedo * (around + key * KEY + fill * FILL) + DVec3::splat(highlight)
    }
}
