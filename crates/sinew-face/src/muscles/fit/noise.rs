//! Weights for scans with noise.
//!
//! Let every coordinate of n points have noise of variance σ², and let activations and S differ from rest and from the anatomy by τ. What is most likely then minimises
//! mean|Mx − t|² + σ²/(n τ²) |a − a_I|² + …, so a weight w of ½|a − a_I|² should not be below 2σ²/(n τ²). The noise is what of a residual differs between a point and its neighbours:
//! errors of a model are as wide as muscles, and noise is not.

use super::{MM, Observation, Stage, Target, Weights, fit_together, stages};
use crate::error::FaceError;
use crate::muscles::blend::Blend;
use crate::muscles::system::System;
use glam::DVec3;

/// τ of activations and of entries of S. Set on the seeds 11 to 13 of the known answers, shown on others.
const SPREAD: [f64; 2] = [0.1, 0.3];
/// What the first stage leaves between neighbours without any noise, at most, as the deviation of a coordinate in mm. Seed 13 leaves 0.043; none of the seeds 1 to 5 leaves more than this.
const MODEL: f64 = 0.06;
/// Neighbours of a point.
const NEAR: usize = 6;

/// Who is next to whom among observed points.
#[derive(Clone, Debug)]
pub struct Neighbours(Vec<[usize; NEAR]>);

impl Neighbours {
    /// Of points of a face at rest; none if there are too few.
    pub fn of(points: &[DVec3]) -> Self {
        if points.len() <= NEAR {
            return Self(Vec::new());
        }
        let mut order: Vec<usize> = (0..points.len()).collect();
        let near = |own: usize| {
            let far = |i: usize| points[i].distance_squared(points[own]);
            // The point itself comes first, also before others at the same place.
            let key = |i: usize| (i != own, far(i), i);
            order.select_nth_unstable_by(NEAR, |&a, &b| {
                let (a, b) = (key(a), key(b));
                a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
            });
            let mut list = [own; NEAR];
            let others = order[..=NEAR].iter().filter(|&&i| i != own);
            list.iter_mut().zip(others).for_each(|(place, &i)| *place = i);
            list
        };
        Self((0..points.len()).map(near).collect())
    }

    /// How much each of the residuals differs from the mean of its neighbours: the variance of a coordinate, if residuals are noise of one variance plus what is the same for neighbours.
    pub fn variance(&self, residuals: &[DVec3]) -> f64 {
        let far = |(own, near): (&DVec3, &[usize; NEAR])| {
            let mean = near.iter().map(|&i| residuals[i]).sum::<DVec3>() / NEAR as f64;
            (*own - mean).length_squared()
        };
        let sum: f64 = residuals.iter().zip(&self.0).map(far).sum();
        // The mean of the neighbours has noise, too.
        sum / (3.0 * (1.0 + 1.0 / NEAR as f64) * self.0.len().max(1) as f64)
    }
}

impl Weights {
    /// None below what noise of this variance of a coordinate, mm², in n points asks for.
    #[must_use]
    pub fn for_noise(&self, variance: f64, n: usize) -> Self {
        let least = SPREAD.map(|spread| 2.0 * variance / (n.max(1) as f64 * spread * spread));
        Self { activation: self.activation.max(least[0]), blend: self.blend.max(least[1]), ..*self }
    }
}

/// The variance of the noise of a coordinate of scans, mm²: the first stage of the schedule, whose weights are too large to follow noise, is fitted to them. 0 for scans whose noise is not larger than what that fit leaves.
///
/// # Errors
/// [`FaceError::Muscles`] if a target does not fit the observation, or no equilibrium is found.
pub fn noise_of(
    system: &System,
    blend: &Blend,
    seen: &Observation,
    targets: &[Target],
) -> Result<f64, FaceError> {
    let first = fit_together(system, blend, blend, seen, targets, &stages()[..1], 0, &mut |_| true)?;
    let neighbours = Neighbours::of(&seen.see(&system.points));
    let of = |x: &[DVec3], target: &Target| {
        let at = seen.see(x);
        let residuals: Vec<DVec3> = at.iter().zip(&target.points).map(|(p, t)| MM * (*p - *t)).collect();
        neighbours.variance(&residuals)
    };
    let sum: f64 = first.poses.iter().zip(targets).map(|(pose, target)| of(&pose.balance.x, target)).sum();
    Ok((sum / targets.len().max(1) as f64 - MODEL * MODEL).max(0.0))
}

/// The schedule whose weights do not fall below what noise of this variance, mm², in n points asks for; [`stages`] without noise.
pub fn stages_for_noise(variance: f64, n: usize) -> Vec<Stage> {
    let with = |stage: Stage| Stage { weights: stage.weights.for_noise(variance, n), ..stage };
    stages().into_iter().map(with).collect()
}
