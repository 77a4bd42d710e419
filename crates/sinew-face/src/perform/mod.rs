//! Performances with a truth and a flawed capture, made by code: for tests, demonstrations, and the tutorial.
//!
//! [`mouth`] is an expressive mouth without any data; [`capture`] does to it
//! what cameras do to lips.

pub mod capture;
pub mod mouth;
mod noise;

use crate::regions::Regions;
use glam::DVec3;

/// A performance: what really happened, and what was captured. Lengths in centimetres.
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
