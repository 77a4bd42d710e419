//! Performances with a truth and a flawed capture, made by code: for tests, demonstrations, and the tutorial.
//!
//! [`mouth`] is an expressive mouth without any data; [`ict`] moves the face of the ICT FaceKit, where its data is there. [`capture`] does to both
//! what cameras do to lips. Frames are made one at a time, in any order.

pub mod capture;
mod contact;
pub mod ict;
mod jaw;
pub mod keys;
pub mod mouth;
mod noise;

use crate::regions::Regions;
use glam::{DMat3, DVec3};

/// Frames a second.
pub const RATE: f64 = 30.0;

/// One frame of a performance. Lengths in centimetres.
#[derive(Clone, Debug)]
pub struct Take {
    /// What really happened, #V.
    pub truth: Vec<DVec3>,
    /// What was captured: as the truth but for the inner lips.
    pub captured: Vec<DVec3>,
    /// Whether it was captured without fault.
    pub good: bool,
}

/// The face that performs.
#[derive(Clone, Debug)]
pub struct Face {
    /// The neutral mesh, #V, cm.
    pub neutral: Vec<DVec3>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Mouth and inner lips.
    pub regions: Regions,
}

/// Something that performs.
pub trait Performer: Sync {
    /// The face.
    fn face(&self) -> &Face;
    /// Number of frames.
    fn frames(&self) -> usize;
    /// A frame.
    fn take(&self, frame: usize) -> Take;
}

/// A whole performance in memory. Lengths in centimetres.
#[derive(Clone, Debug)]
pub struct Performance {
    /// The neutral mesh, #V.
    pub neutral: Vec<DVec3>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Mouth and inner lips.
    pub regions: Regions,
    /// The true frames.
    pub truth: Vec<Vec<DVec3>>,
    /// The captured frames: as the truth but for the inner lips.
    pub captured: Vec<Vec<DVec3>>,
    /// Frames that were captured without fault.
    pub good: Vec<bool>,
}

impl Performance {
    /// All frames.
    pub fn of(performer: &dyn Performer) -> Self {
        let Face { neutral, triangles, regions } = performer.face().clone();
        let mut all =
            Self { neutral, triangles, regions, truth: Vec::new(), captured: Vec::new(), good: Vec::new() };
        for frame in 0..performer.frames() {
            let take = performer.take(frame);
            all.truth.push(take.truth);
            all.captured.push(take.captured);
            all.good.push(take.good);
        }
        all
    }
}

/// The rigid motion of the head at a time, s: turns of up to about 15° and some centimetres.
fn head(seed: u64, time: f64) -> (DMat3, DVec3) {
    let w = |channel| noise::wander(seed, channel, 0.4 * time) - noise::wander(seed, channel, 0.0);
    let rotation = DMat3::from_rotation_y(0.2 * w(11))
        * DMat3::from_rotation_x(0.12 * w(12))
        * DMat3::from_rotation_z(0.08 * w(13));
    (rotation, DVec3::new(2.0 * w(14), 1.5 * w(15), 2.0 * w(16)))
}
