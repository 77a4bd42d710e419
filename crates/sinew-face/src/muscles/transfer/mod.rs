//! A face for a subject: the face of a template, warped to the subject's neutral scan, in place of the anatomy transfer of the dissertation \[alihamadi2013; dinev2020, §4.2.1\].
//!
//! Landmark pairs give a smooth map of space (`warp`) for flesh, bones, muscles and hinge. Then the skin is brought onto the scan (`skin`), and everything below follows as flesh would. Tetrahedra and S stay; no tetrahedron is inverted.

mod skin;
mod warp;

pub use warp::Warp;

use super::landmarks::{Landmark, Pair};
use super::model::{Face, Hold};
use super::scan::Scan;
use crate::error::FaceError;
use glam::{DMat3, DVec3};

/// How a face is transferred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransferOptions {
    /// Skin farther from the scan after the warp is not brought onto it, m.
    pub reach: f64,
    /// No tetrahedron may have less than this share of the volume that the warp gives it.
    pub least_volume: f64,
}

impl Default for TransferOptions {
    fn default() -> Self {
        Self { reach: 0.02, least_volume: 0.1 }
    }
}

/// A transferred face, and how well it fits.
#[derive(Clone, Debug)]
pub struct Transferred {
    /// The face.
    pub face: Face,
    /// Smoothing that the warp needed so that nothing was inverted, m; 0 for none.
    pub smoothing: f64,
    /// Distances of the warped landmarks from their partners, m.
    pub landmarks: Vec<(String, f64)>,
    /// Vertices of the skin that were brought to the scan, and those that were not.
    pub skin: [usize; 2],
    /// Distances from the scan of those that were, m.
    pub distances: Vec<f64>,
    /// Least volume of a tetrahedron over that after the warp.
    pub least_volume: f64,
}

/// Smoothing of the warp that is tried, m.
const SMOOTHING: [f64; 7] = [0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3];
/// How many times as large as the face a scan may be.
const SCALE: [f64; 2] = [0.5, 2.0];

/// Warps a face to a neutral scan.
///
/// # Errors
/// [`FaceError::Muscles`] says what is wrong with landmarks or scan.
pub fn transfer(
    face: &Face,
    pairs: &[Pair],
    scan: &Scan,
    options: &TransferOptions,
) -> Result<Transferred, FaceError> {
    if scan.triangles.is_empty() {
        return Err(FaceError::Muscles("the neutral scan has no triangles of skin".into()));
    }
    let (warp, smoothing) = upright(face, pairs)?;
    let mut warped = face.clone();
    warped.points.iter_mut().for_each(|p| *p = warp.at(*p));
    warped.hinge = warp.at(face.hinge);
    let landmarks =
        pairs.iter().map(|pair| (pair.name.clone(), warp.at(pair.from).distance(pair.to))).collect();
    let settled = skin::settle(&warped, scan, options)?;
    // The hinge follows the jaw around it.
    let (mut sum, mut whole) = (DVec3::ZERO, 0.0);
    for (v, _) in face.holds.iter().enumerate().filter(|(_, hold)| **hold == Hold::Jaw) {
        let share = 1.0 / warped.points[v].distance_squared(warped.hinge).max(1e-6);
        sum += share * (settled.points[v] - warped.points[v]);
        whole += share;
    }
    let mut out = Face { points: settled.points, built_in: false, ..warped };
    if whole > 0.0 {
        out.hinge += sum / whole;
    }
    turn_muscles(face, &mut out);
    let skin = sinew_scene::surface::Tree::new(&out.points, &out.surface[..out.skin]);
    let place = |p: DVec3| skin.nearest(warp.at(p)).map_or(warp.at(p), |near| near.point);
    out.landmarks = (face.landmarks.iter())
        .map(|mark| Landmark { name: mark.name.clone(), point: place(mark.point) })
        .collect();
    Ok(Transferred {
        face: out,
        smoothing,
        landmarks,
        skin: settled.skin,
        distances: settled.distances,
        least_volume: settled.least_volume,
    })
}

/// The warp with the least smoothing that inverts nothing.
fn upright(face: &Face, pairs: &[Pair]) -> Result<(Warp, f64), FaceError> {
    let refuse = |what: String| Err(FaceError::Muscles(what));
    let rough = Warp::new(pairs, SMOOTHING[SMOOTHING.len() - 1])?.linear.determinant();
    if rough <= 0.0 {
        return refuse(
            "the landmark pairs turn the head inside out: are left and right exchanged somewhere?".into(),
        );
    }
    let scale = rough.cbrt();
    if !(SCALE[0]..=SCALE[1]).contains(&scale) {
        return refuse(format!(
            "the landmark pairs make the head {scale:.3} times as large: is the unit of the scan right?"
        ));
    }
    let mut least = 0;
    for smoothing in SMOOTHING {
        let warp = Warp::new(pairs, smoothing)?;
        let points: Vec<DVec3> = face.points.iter().map(|p| warp.at(*p)).collect();
        least = (face.tets.iter())
            .filter(|tet| volume(tet, &points) <= 0.05 * volume(tet, &face.points) * scale.powi(3))
            .count();
        if least == 0 {
            return Ok((warp, smoothing));
        }
    }
    refuse(format!(
        "the landmark pairs fold the head: {least} tetrahedra would be inverted however smooth the warp is; look for a landmark in the wrong place"
    ))
}

pub(super) fn volume(tet: &[u32; 4], x: &[DVec3]) -> f64 {
    let [a, b, c, d] = tet.map(|v| x[v as usize]);
    (b - a).cross(c - a).dot(d - a) / 6.0
}

/// Fibres turn with their flesh: the mean of F over the tetrahedra of a muscle, by volume and share. The axis of a ring is a normal and turns with F⁻ᵀ.
fn turn_muscles(before: &Face, after: &mut Face) {
    let edges = |x: &[DVec3], tet: &[u32; 4]| {
        let [a, b, c, d] = tet.map(|v| x[v as usize]);
        DMat3::from_cols(b - a, c - a, d - a)
    };
    let mut mean = vec![DMat3::ZERO; before.muscles.len()];
    for i in 0..before.elements {
        let (rest, now) = (edges(&before.points, &before.tets[i]), edges(&after.points, &before.tets[i]));
        for (column, share) in before.blend.row(i).filter(|(column, share)| *column > 0 && *share > 0.0) {
            mean[column as usize - 1] += now * rest.inverse() * (share * rest.determinant());
        }
    }
    for (muscle, f) in after.muscles.iter_mut().zip(&mean) {
        let f = if muscle.ring && f.determinant() != 0.0 { f.inverse().transpose() } else { *f };
        muscle.axis = (f * muscle.axis).normalize_or(muscle.axis);
    }
}
