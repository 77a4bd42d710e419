//! A real person: the built-in head transferred to a neutral scan, its blend fitted to five expressions, and unseen ones fitted by activations and jaw alone \[dinev2020, Fig. 4.2, 4.3\].

use super::fit::{self, Observation, Prepared, Stop, Target, Weights};
use super::ict::IctScans;
use super::model::Face;
use super::system::System;
use super::transfer::{TransferOptions, Transferred, transfer};
use crate::error::FaceError;
use glam::DVec3;
use rayon::prelude::*;

/// Expressions that the blend is fitted to. They were chosen by what moves in them, before anything was fitted.
pub const TRAINED: [&str; 5] = ["jawOpen", "mouthPucker", "mouthSmile_L", "mouthSmile_R", "noseSneer_L"];
/// A correction of an open jaw, no expression of its own.
const NO_EXPRESSION: &str = "mouthClose";
/// Points of the neutral scan farther from the skin are not compared, m.
const NEAR: f64 = 0.015;

/// How one expression fits.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Whether the blend was fitted to it.
    pub trained: bool,
    /// Mean distance of the scan from the neutral one, mm.
    pub displacement: f64,
    /// Mean error with the blend of the anatomy, activations and jaw alone, mm.
    pub initial: f64,
    /// Mean error with the fitted blend, mm.
    pub fitted: f64,
    /// Its largest error, mm.
    pub worst: f64,
    /// Inverted tetrahedra of the fit.
    pub inverted: usize,
    /// Positions of the fit.
    pub x: Vec<DVec3>,
    /// The scan.
    pub target: Target,
}

/// All fits of a person.
#[derive(Clone, Debug)]
pub struct Person {
    /// The transfer; its face has the fitted blend.
    pub transferred: Transferred,
    /// What is compared.
    pub seen: Observation,
    /// Points that are compared, of those given.
    pub compared: [usize; 2],
    /// Mean error of the trained expressions in the fit of all of them together, mm.
    pub together: f64,
    /// Expressions, trained ones first.
    pub rows: Vec<Row>,
}

/// Transfers a face to the neutral scan, fits its blend, and fits every expression.
///
/// # Errors
/// [`FaceError`] if landmarks or scans do not fit.
pub fn person(
    face: &Face,
    scans: &IctScans,
    see: &mut dyn FnMut(&fit::Progress) -> bool,
) -> Result<Person, FaceError> {
    let mut transferred = transfer(face, &scans.pairs(face)?, &scans.neutral, &TransferOptions::default())?;
    let subject = &transferred.face;
    let system = System::new(subject, 1.0)?;
    let (kept, seen) = Observation::nearest(subject, scans.compared(), NEAR)?;
    let target = |name: &str| -> Result<Target, FaceError> {
        let whole = scans.expression(name)?;
        Ok(Target { points: kept.iter().map(|&k| whole.points[k]).collect(), ..whole })
    };
    let training: Vec<Target> = TRAINED.iter().map(|name| target(name)).collect::<Result<_, _>>()?;
    let unseen: Vec<Target> = (scans.names().iter())
        .filter(|name| !TRAINED.contains(&name.as_str()) && *name != NO_EXPRESSION)
        .map(|name| target(name))
        .collect::<Result<_, _>>()?;
    let schedule = fit::stages();
    let joint =
        fit::fit_together(&system, &subject.blend, &subject.blend, &seen, &training, &schedule, 0, see)?;
    let (blend, together) = (joint.blend, mean(&joint.errors));
    let ready = |blend| Prepared::new(&system, blend, &seen, subject.muscles.len());
    let (first, own) = (ready(&subject.blend)?, ready(&blend)?);
    let (weights, stop) = (Weights::default(), Stop { decrease: 2e-3, ..Stop::default() });
    let all: Vec<&Target> = training.iter().chain(&unseen).collect();
    let rows = (all.par_iter().enumerate())
        .map(|(k, target)| {
            let before = first.fit_thoroughly(target, &weights, &stop)?;
            let after = own.fit_thoroughly(target, &weights, &stop)?;
            let errors = seen.errors(&after.balance.x, target);
            Ok(Row {
                name: target.name.clone(),
                trained: k < TRAINED.len(),
                displacement: mean(&seen.errors(&subject.points, target)),
                initial: mean(&seen.errors(&before.balance.x, target)),
                fitted: mean(&errors),
                worst: errors.iter().copied().fold(0.0, f64::max),
                inverted: after.balance.inverted,
                x: after.balance.x,
                target: (*target).clone(),
            })
        })
        .collect::<Result<Vec<Row>, FaceError>>()?;
    let compared = [kept.len(), scans.compared().len()];
    transferred.face.blend = blend;
    Ok(Person { transferred, seen, compared, together, rows })
}

fn mean(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len().max(1) as f64
}
