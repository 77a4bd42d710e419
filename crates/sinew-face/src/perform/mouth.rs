//! A mouth made by code: it opens, purses, smiles and presses its lips, on a head that moves.
//!
//! The surface is a grid of angles around the mouth and rings from the cheeks over the lips into the mouth. The jaw rotates about its hinge, so
//! positions are no linear function of the expression; purse and open, and smile and press, influence each other; and the lips do not pass
//! through each other.

use super::capture::Capture;
use super::{Face, Performance, Performer, RATE, Take, head, noise};
use crate::regions::Regions;
use glam::{DMat3, DVec3};
use std::f64::consts::TAU;

/// Size and length of a performance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouthOptions {
    /// Vertices of a ring; even.
    pub columns: usize,
    /// Rings.
    pub rings: usize,
    /// Frames, 30 a second.
    pub frames: usize,
    /// Which performance.
    pub seed: u64,
}

impl Default for MouthOptions {
    fn default() -> Self {
        Self { columns: 64, rings: 28, frames: 120, seed: 1 }
    }
}

/// What the mouth does, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expression {
    /// The jaw opens, up to 16°.
    pub open: f64,
    /// The lips round and come forward.
    pub purse: f64,
    /// The corners go out, up and back.
    pub smile: f64,
    /// The lips roll in.
    pub press: f64,
}

impl Expression {
    /// The expression at a time, s.
    pub fn at(seed: u64, time: f64) -> Self {
        let on = |channel| noise::activation(seed, channel, time);
        Self { open: on(1), purse: on(2), smile: on(3), press: on(4) * (1.0 - on(1)) }
    }
}

/// A ring of the surface: its share of the ring number, half width, heights above and below the line between the lips, and depths of both, cm.
struct Ring {
    at: f64,
    width: f64,
    heights: [f64; 2],
    depths: [f64; 2],
}

const fn ring(at: f64, width: f64, heights: [f64; 2], depths: [f64; 2]) -> Ring {
    Ring { at, width, heights, depths }
}

/// From the cheeks over the skin around the lips, their red and the line where they meet into the mouth.
const PROFILE: [Ring; 8] = [
    ring(0.0, 5.6, [4.2, 4.8], [-1.9, -2.2]),
    ring(0.30, 4.2, [2.5, 2.9], [-0.35, 0.15]),
    ring(0.48, 3.1, [1.45, 1.75], [0.15, -0.05]),
    ring(0.58, 2.62, [0.88, 1.08], [0.42, 0.35]),
    ring(0.70, 2.48, [0.50, 0.62], [0.78, 0.80]),
    ring(0.80, 2.40, [0.16, 0.20], [0.72, 0.70]),
    ring(0.87, 2.36, [0.0, 0.0], [0.45, 0.45]),
    ring(1.0, 2.25, [0.35, 0.35], [-0.5, -0.5]),
];

/// Half width, height and depth of a ring, above (`upper` 1) or below (0) or in between.
fn profile(s: f64, upper: f64) -> DVec3 {
    let k = (1..PROFILE.len() - 1).find(|&k| s < PROFILE[k].at).unwrap_or(PROFILE.len() - 1);
    let of = |ring: &Ring| {
        let mix = |[above, below]: [f64; 2]| below + upper * (above - below);
        DVec3::new(ring.width, mix(ring.heights), mix(ring.depths))
    };
    let (a, b) = (&PROFILE[k - 1], &PROFILE[k]);
    let t = ((s - a.at) / (b.at - a.at)).clamp(0.0, 1.0);
    of(a).lerp(of(b), t * t * (3.0 - 2.0 * t) * 0.5 + t * 0.5)
}

fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn bump(x: f64, width: f64) -> f64 {
    (-(x / width).powi(2)).exp()
}

/// The place of a point of the surface: angle, ring from 0 (cheeks) to 1 (inside).
fn place(angle: f64, s: f64, e: &Expression) -> DVec3 {
    let (sin, cos) = angle.sin_cos();
    let shape = profile(s, smooth(0.5 + 0.8 * sin));
    let lips = smooth((s - 0.25) / 0.35);
    let inside = smooth((s - 0.65) / 0.3);
    let red = smooth((s - 0.44) / 0.14) * (1.0 - smooth((s - 0.66) / 0.16));
    let x = shape.x * cos;
    let mut p = DVec3::new(x, shape.y * sin, shape.z - 0.06 * x * x);
    // The bow of the upper lip, and the groove above it.
    if sin > 0.0 {
        p.y += sin * red * (0.13 * (bump(x - 0.5, 0.4) + bump(x + 0.5, 0.4)) - 0.12 * bump(x, 0.28));
        p.z -= 0.10 * sin * bump(x, 0.35) * (1.0 - smooth((s - 0.45) / 0.15)) * smooth(4.0 * s);
    } else {
        // The dent below the lower lip, and the chin.
        p.z += sin * 0.16 * bump(x, 1.5) * bump(s - 0.44, 0.10)
            - sin * 0.55 * bump(x, 1.6) * bump(s - 0.16, 0.13);
    }
    let corner = cos * cos * cos * cos;
    // Purse: narrower, forward; with an open mouth rounder.
    let purse = e.purse * lips;
    p.x *= 1.0 - 0.38 * purse;
    p.z += (0.75 + 0.25 * inside) * purse * (1.0 - 0.35 * corner);
    p.y += 0.30 * sin * purse * (0.4 + e.open) * (1.0 - inside);
    p.y += 0.25 * sin * purse * e.open * inside;
    // Smile: corners out, up and back; lips thinner.
    let smile = e.smile * lips * corner;
    p += DVec3::new(0.55 * cos.signum(), 0.45, -0.40) * smile;
    p.z -= 0.18 * e.smile * inside * (1.0 - corner) * (1.0 - 0.5 * e.press);
    p.y *= 1.0 - 0.15 * e.smile * red;
    // Press: lips roll in, the skin around follows.
    let press = e.press * (0.4 * lips + 0.6 * inside);
    p.z -= 0.35 * press * (1.0 - corner) * (1.0 + 0.4 * e.smile);
    p.y -= 0.22 * sin * press * inside * (1.0 - smooth((s - 0.8) / 0.07));
    // The jaw: a rotation about the hinge, by a share of the angle; corners come in a little.
    p.x *= 1.0 - 0.10 * e.open * lips;
    let lower = (0.5 - 0.5 * sin) * (0.45 + 0.55 * lips);
    let hinge = DVec3::new(0.0, 3.0, -8.0);
    p = hinge + DMat3::from_rotation_x(16_f64.to_radians() * e.open * lower) * (p - hinge);
    // Inner flesh bulges where the mouth is nearly closed.
    let closed = (1.0 - 4.0 * e.open).max(0.0);
    p.z += 0.08 * inside * closed * closed * (1.0 - corner);
    p
}

/// The surface of an expression, #V = columns × rings.
pub fn surface(options: &MouthOptions, expression: &Expression) -> Vec<DVec3> {
    let (columns, rings) = (options.columns.max(8), options.rings.max(10));
    let at = |k: usize| {
        let (column, ring) = (k % columns, k / columns);
        let angle = TAU * (column as f64 + 0.5) / columns as f64;
        place(angle, ring as f64 / (rings - 1) as f64, expression)
    };
    let mut points: Vec<DVec3> = (0..columns * rings).map(at).collect();
    // Lips meet: what would pass the opposite vertex stays in the middle.
    for k in 0..columns * rings {
        let (column, ring) = (k % columns, k / columns);
        let opposite = columns - 1 - column;
        if column < opposite && column < columns / 2 && ring as f64 / (rings - 1) as f64 > 0.7 {
            let other = ring * columns + opposite;
            let overlap = points[other].y + 0.002 - points[k].y;
            if overlap > 0.0 {
                points[k].y += 0.5 * overlap;
                points[other].y -= 0.5 * overlap;
            }
        }
    }
    points
}

/// The triangles of the grid.
pub fn triangles(options: &MouthOptions) -> Vec<[u32; 3]> {
    let (columns, rings) = (options.columns.max(8) as u32, options.rings.max(10) as u32);
    let mut all = Vec::new();
    for ring in 0..rings - 1 {
        for column in 0..columns {
            let next = (column + 1) % columns;
            let (a, b) = (ring * columns + column, ring * columns + next);
            let (c, d) = (a + columns, b + columns);
            all.extend([[a, b, c], [b, d, c]]);
        }
    }
    all
}

/// Mouth and inner lips: rings up to the middle of the red of the lips, and those behind.
pub fn regions(options: &MouthOptions) -> Regions {
    let (columns, rings) = (options.columns.max(8), options.rings.max(10));
    let first = (0.70 * (rings - 1) as f64).ceil() as usize;
    let mouth: Vec<u32> = (0..(first * columns) as u32).collect();
    let inner: Vec<u32> = ((first * columns) as u32..(columns * rings) as u32).collect();
    Regions::from_lists(columns * rings, &mouth, &inner)
}

/// The mouth, ready to perform.
#[derive(Debug)]
pub struct MouthPerformer {
    options: MouthOptions,
    face: Face,
    capture: Capture,
}

impl MouthPerformer {
    /// Makes the mesh.
    pub fn new(options: &MouthOptions) -> Self {
        let neutral = surface(options, &Expression::default());
        let (triangles, regions) = (triangles(options), regions(options));
        let columns = options.columns.max(8) as u32;
        let first = regions.inner.first().map_or(0, |v| v / columns);
        let rings = (options.rings.max(10) as u32).max(first + 2);
        let side = |v: u32| {
            // Full at the line between the lips, none at the border.
            let inside = smooth(2.0 * f64::from(v / columns - first) / f64::from(rings - first));
            let angle = TAU * (f64::from(v % columns) + 0.5) / f64::from(columns);
            inside * angle.sin().signum() * angle.sin().abs().sqrt()
        };
        let capture = Capture::new(&triangles, &regions, side, options.seed);
        Self { options: *options, face: Face { neutral, triangles, regions }, capture }
    }
}

impl Performer for MouthPerformer {
    fn face(&self) -> &Face {
        &self.face
    }

    fn frames(&self) -> usize {
        self.options.frames
    }

    fn take(&self, frame: usize) -> Take {
        let time = frame as f64 / RATE;
        let (rotation, translation) = head(self.options.seed, time);
        let mut truth = surface(&self.options, &Expression::at(self.options.seed, time));
        truth.iter_mut().for_each(|p| *p = rotation * *p + translation);
        let badness = self.capture.badness(time);
        let captured = self.capture.degrade(&truth, rotation * DVec3::Y, frame, badness);
        Take { truth, captured, good: badness == 0.0 }
    }
}

/// The whole performance.
pub fn perform(options: &MouthOptions) -> Performance {
    Performance::of(&MouthPerformer::new(options))
}
