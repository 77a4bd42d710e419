//! S, activations and jaw for several targets in turns, with falling regularisation \[dinev2020, Eq. 4.8, §4.2.8\].

use super::activations::{Pose, fit_activations};
use super::blending::improve;
use super::{Cost, Observation, Stop, Target, Weights};
use crate::error::FaceError;
use crate::muscles::blend::Blend;
use crate::muscles::system::System;
use rayon::prelude::*;

/// One pair of weights, and how often both take turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// The weights.
    pub weights: Weights,
    /// Alternations.
    pub turns: usize,
}

/// The schedule: weights fall, two turns each.
pub fn stages() -> Vec<Stage> {
    [(1e-2, 1e-2), (1e-3, 1e-3), (3e-4, 1e-4), (1e-4, 1e-5)]
        .map(|(activation, blend)| Stage {
            weights: Weights { activation, blend, ..Weights::default() },
            turns: 2,
        })
        .to_vec()
}

/// What has been reached.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Turns done.
    pub turn: usize,
    /// Turns of the whole schedule.
    pub turns: usize,
    /// The blend.
    pub blend: Blend,
    /// Poses of the targets.
    pub poses: Vec<Pose>,
    /// Mean errors of the targets, mm.
    pub errors: Vec<f64>,
    /// What it cost.
    pub cost: Cost,
}

/// Iterations of activations in a turn.
const ITERATIONS: usize = 4;

/// Fits blend and poses to targets. `from` is the number of turns that were done before, with `blend` as they left it; `first` is the blend of the anatomy. `see` is called after every turn, and says whether to go on.
///
/// # Errors
/// [`FaceError::Muscles`] if a target does not fit the observation, or no equilibrium is found.
#[expect(clippy::too_many_arguments, reason = "each is a different thing")]
pub fn fit_together(
    system: &System,
    first: &Blend,
    blend: &Blend,
    seen: &Observation,
    targets: &[Target],
    stages: &[Stage],
    from: usize,
    see: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Progress, FaceError> {
    let muscles = first.columns.iter().copied().max().unwrap_or(0) as usize;
    let rest = Pose::rest(system, blend, muscles)?;
    let turns = stages.iter().map(|stage| stage.turns).sum();
    let mut progress = Progress {
        turn: 0,
        turns,
        blend: blend.clone(),
        poses: vec![rest; targets.len()],
        errors: Vec::new(),
        cost: Cost::default(),
    };
    let stop = Stop { iterations: ITERATIONS, decrease: 1e-3 };
    for stage in stages {
        for _ in 0..stage.turns {
            progress.turn += 1;
            if progress.turn <= from {
                continue;
            }
            let w = &stage.weights;
            progress.poses = progress
                .poses
                .par_iter()
                .zip(targets)
                .map(|(pose, target)| fit_activations(system, &progress.blend, seen, target, pose, w, &stop))
                .collect::<Result<_, _>>()?;
            for pose in &progress.poses {
                progress.cost.add(&pose.cost);
            }
            let (better, cost) = improve(system, &progress.blend, first, seen, targets, &progress.poses, w)?;
            progress.cost.add(&cost);
            if let Some((blend, poses)) = better {
                (progress.blend, progress.poses) = (blend, poses);
            }
            progress.errors = progress
                .poses
                .iter()
                .zip(targets)
                .map(|(pose, target)| {
                    let errors = seen.errors(&pose.balance.x, target);
                    errors.iter().sum::<f64>() / errors.len().max(1) as f64
                })
                .collect();
            if !see(&progress) {
                return Ok(progress);
            }
        }
    }
    Ok(progress)
}

impl Cost {
    /// Adds what another part cost.
    pub fn add(&mut self, other: &Self) {
        self.iterations += other.iterations;
        self.factorisations += other.factorisations;
        self.solves += other.solves;
    }
}
