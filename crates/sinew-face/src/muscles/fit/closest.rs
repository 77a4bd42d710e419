//! Scans of another topology: activations and jaw by turns with the places of the scan that are closest \[besl1992\].
//!
//! Skin slides freely along the scan, so that what moves along the surface is seen less well than with correspondences by index.

use super::{Cost, Observation, Pose, Prepared, Stop, Target, Weights};
use crate::error::FaceError;
use crate::muscles::model::Face;
use crate::muscles::scan::{Scan, Surface};
use crate::muscles::study::normals;
use glam::DVec3;

/// Turns at most.
const TURNS: usize = 8;
/// Relative decrease of the mean distance below which another turn is not worth it.
const DECREASE: f64 = 0.01;

/// A fit to a scan without correspondences.
#[derive(Clone, Debug)]
pub struct Closest {
    /// The fit.
    pub pose: Pose,
    /// The places of the scan that it was fitted to; points without one are where the fit has them.
    pub target: Target,
    /// Which points found a place on the scan.
    pub found: Vec<bool>,
}

/// Fits a scan; `seen` must be that of `prepared` and observe the scanned vertices of the face themselves. Places farther than `reach` are no partners, m.
///
/// # Errors
/// [`FaceError::Muscles`] if hardly anything of the scan is near the face.
pub fn fit_closest(
    face: &Face,
    prepared: &Prepared<'_>,
    seen: &Observation,
    (name, scan): (&str, &Scan),
    reach: f64,
    (weights, stop): (&Weights, &Stop),
) -> Result<Closest, FaceError> {
    if seen.len() != face.scanned.len() {
        return Err(FaceError::Muscles("closest places need the scanned vertices of the face".into()));
    }
    let surface = Surface::new(scan);
    let corresponding = |x: &[DVec3]| -> (Target, Vec<bool>) {
        let (normals, places) = (normals(face, x), seen.see(x));
        let partners: Vec<Option<DVec3>> = (places.iter().zip(&face.scanned))
            .map(|(p, v)| surface.partner(*p, normals[*v as usize], reach))
            .collect();
        let points = partners.iter().zip(&places).map(|(partner, own)| partner.unwrap_or(*own)).collect();
        (Target { name: name.to_owned(), points }, partners.iter().map(Option::is_some).collect())
    };
    let distance = |x: &[DVec3], target: &Target, found: &[bool]| {
        let count = found.iter().filter(|found| **found).count();
        seen.errors(x, target).iter().sum::<f64>() / count.max(1) as f64
    };
    let mut pose = prepared.rest().clone();
    let (mut target, mut found) = corresponding(&pose.balance.x);
    let near = found.iter().filter(|found| **found).count();
    if 2 * near < seen.len() {
        return Err(FaceError::Muscles(format!(
            "{name}: only {} of {} points of the face at rest have a place on the scan within {} mm that faces the same way: the scan must be in the place and unit of the face",
            near,
            seen.len(),
            super::MM * reach
        )));
    }
    let mut cost = Cost::default();
    for _ in 0..TURNS {
        let next = prepared.fit_from(&pose, &target, weights, stop)?;
        cost.add(&next.cost);
        let before = distance(&pose.balance.x, &target, &found);
        (target, found) = corresponding(&next.balance.x);
        let after = distance(&next.balance.x, &target, &found);
        pose = next;
        if after > (1.0 - DECREASE) * before {
            break;
        }
    }
    pose.cost = cost;
    Ok(Closest { pose, target, found })
}
