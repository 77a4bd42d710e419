//! Fitting a face to scans \[dinev2020, Eq. 4.4, 4.8\]: activations and jaw for a given blend (`activations`; `quick` for many scans), the blend for several poses (`blending`), both in turns (`together`), weights for noisy scans (`noise`), and the baseline with six numbers for every tetrahedron (`baseline`).

mod activations;
mod baseline;
mod blending;
mod closest;
mod dense;
mod noise;
mod observation;
mod quick;
mod together;

pub use activations::{Pose, fit_activations};
pub use baseline::{FreePose, fit_freely};
pub use closest::{Closest, fit_closest};
pub use noise::{Neighbours, noise_of, stages_for_noise};
pub(crate) use observation::barycentric;
pub use observation::{Observation, Target};
pub use quick::Prepared;
pub use together::{Progress, Stage, fit_together, stages};

/// Weights of the terms beside mean|Mx − t|², which is in mm².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// w_a of ½|a − a_I|².
    pub activation: f64,
    /// w_s of ½|S − S₀|².
    pub blend: f64,
    /// w_v of ½Σ(det S(a) − 1)².
    pub volume: f64,
    /// Of ½|b|², b in mm.
    pub jaw: f64,
}

impl Default for Weights {
    /// For new expressions with a known blend.
    fn default() -> Self {
        Self { activation: 1e-4, blend: 1e-5, volume: 1e-3, jaw: 1e-6 }
    }
}

/// When a fit ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Iterations at most.
    pub iterations: usize,
    /// Relative decrease of the objective below which the next iteration is not worth it.
    pub decrease: f64,
}

impl Default for Stop {
    fn default() -> Self {
        Self { iterations: 8, decrease: 0.01 }
    }
}

/// What a fit cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Outer iterations.
    pub iterations: usize,
    /// Factorisations.
    pub factorisations: usize,
    /// Right-hand sides that were solved.
    pub solves: usize,
}

/// Millimetres of a metre.
pub(crate) const MM: f64 = 1e3;
