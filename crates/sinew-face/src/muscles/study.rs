//! Known answers: faces with a hidden blend and hidden activations.

use super::blend::Blend;
use super::fit::{self, Observation, Pose, Stop, Target, Weights};
use super::jaw::Jaw;
use super::model::Face;
use super::noise::Noise;
use super::system::System;
use crate::error::FaceError;
use glam::DVec3;
use rayon::prelude::*;

/// The truth behind synthetic scans.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// S*.
    pub blend: Blend,
    /// The poses that were scanned.
    pub poses: Vec<Pose>,
}

/// A blend that differs from the face's as a person differs from a template, and poses of it.
///
/// Muscles gain weight in some of their neighbourhood and lose it elsewhere, smoothly in space. In every pose about half of the muscles contract, down to 0.6 of their length, and the jaw moves.
///
/// # Errors
/// [`FaceError::Muscles`] if a pose has no equilibrium.
pub fn hidden(face: &Face, system: &System, seed: u64, poses: usize) -> Result<Hidden, FaceError> {
    let blend = shifted(face, seed);
    let mut noise = Noise::new(1000 + seed);
    let mut all = Vec::with_capacity(poses);
    for _ in 0..poses {
        let mut a = face.passive();
        for (a, muscle) in a.iter_mut().zip(&face.muscles) {
            let (chance, length) = (noise.uniform(), noise.uniform());
            if chance < 0.5 {
                *a = muscle.contracted(1.0 - 0.4 * length);
            }
        }
        let mut within = |low: f64, high: f64| low + (high - low) * noise.uniform();
        let jaw = Jaw {
            open: within(0.0, 0.12),
            turn: within(-0.02, 0.02),
            shift: DVec3::new(within(-0.001, 0.001), within(-0.0005, 0.0005), within(-0.001, 0.001)),
        };
        all.push(Pose::at(system, &blend, a, jaw, &face.points)?);
    }
    Ok(Hidden { blend, poses: all })
}

/// Weights times smooth random fields, one for each muscle, then put back on the simplex.
fn shifted(face: &Face, seed: u64) -> Blend {
    let mut noise = Noise::new(seed);
    // Waves about 4 cm long, with a direction and a phase.
    let waves: Vec<[(DVec3, f64); 2]> = (0..=face.muscles.len())
        .map(|_| {
            std::array::from_fn(|_| {
                let direction =
                    DVec3::new(noise.normal(), noise.normal(), noise.normal()).normalize_or(DVec3::X);
                (direction * (std::f64::consts::TAU / 0.04), std::f64::consts::TAU * noise.uniform())
            })
        })
        .collect();
    let mut blend = face.blend.clone();
    for i in 0..blend.len() {
        let middle = face.tets[i].iter().map(|&v| face.points[v as usize]).sum::<DVec3>() / 4.0;
        for at in blend.range(i) {
            let field: f64 =
                waves[blend.columns[at] as usize].iter().map(|(k, p)| 0.5 * (k.dot(middle) + p).sin()).sum();
            if blend.columns[at] > 0 {
                blend.weights[at] =
                    (blend.weights[at] * (1.0 + 0.8 * field) + 0.35 * field.max(0.0)).max(0.0);
            }
        }
    }
    blend.rescale();
    blend
}

/// Errors of one known answer, mm.
#[derive(Clone, Debug)]
pub struct KnownAnswer {
    /// Estimated deviation of the noise, as the root of the mean squared distance.
    pub noise: f64,
    /// Mean distance by which the observed points of all poses move.
    pub displacement: f64,
    /// Mean error of the training poses after the fit, against the clean scans.
    pub trained: f64,
    /// Mean error of unseen poses with the initial blend, the fitted one and the true one, against the clean scans.
    pub unseen: [f64; 3],
    /// ‖S − S*‖ before and after.
    pub distance: [f64; 2],
    /// Largest distance of a row of the fitted blend from the simplex.
    pub off_simplex: f64,
    /// The fitted blend.
    pub blend: Blend,
    /// Clean scans, training poses first.
    pub targets: Vec<Target>,
    /// Positions of the fits, in the same order; for unseen poses with the fitted blend.
    pub fits: Vec<Vec<DVec3>>,
    /// Positions of unseen poses with the initial blend.
    pub initial: Vec<Vec<DVec3>>,
}

/// Training and unseen poses of a known answer.
pub const POSES: [usize; 2] = [5, 6];

/// Hides a blend and poses, fits the first five scans with `noise` mm of noise (the root of the mean squared distance), and then unseen ones, by activations and jaw alone.
///
/// # Errors
/// [`FaceError::Muscles`] if a pose has no equilibrium.
pub fn known_answer(
    face: &Face,
    system: &System,
    seed: u64,
    noise: f64,
    see: &mut dyn FnMut(&fit::Progress) -> bool,
) -> Result<KnownAnswer, FaceError> {
    let seen = Observation::vertices(&face.scanned);
    let truth = hidden(face, system, seed, POSES[0] + POSES[1])?;
    let clean: Vec<Target> = (truth.poses.iter().enumerate())
        .map(|(k, pose)| Target { name: format!("pose {}", k + 1), points: seen.see(&pose.balance.x) })
        .collect();
    let mut random = Noise::new(77 + seed);
    // A vector of this length in the mean square.
    let noise = noise / 3.0_f64.sqrt();
    let mut shake =
        |p: &DVec3| *p + 1e-3 * noise * DVec3::new(random.normal(), random.normal(), random.normal());
    let scans: Vec<Target> = (clean.iter())
        .map(|t| Target { name: t.name.clone(), points: t.points.iter().map(&mut shake).collect() })
        .collect();
    // How noisy the scanner is, the training scans tell; unseen scans are from the same one, and have the same weights with every blend.
    let variance = fit::noise_of(system, &face.blend, &seen, &scans[..POSES[0]])?;
    let schedule = fit::stages_for_noise(variance, seen.len());
    let fitted =
        fit::fit_together(system, &face.blend, &face.blend, &seen, &scans[..POSES[0]], &schedule, 0, see)?;
    let error = |x: &[DVec3], target: &Target| mean(&seen.errors(x, target));
    let unseen = |blend: &Blend| -> Result<Vec<Vec<DVec3>>, FaceError> {
        let rest = Pose::rest(system, blend, face.muscles.len())?;
        let fit = |target: &Target| {
            let w = Weights::default().for_noise(variance, seen.len());
            let stop = Stop { decrease: 2e-3, ..Stop::default() };
            Ok(fit::fit_activations(system, blend, &seen, target, &rest, &w, &stop)?.balance.x)
        };
        scans[POSES[0]..].par_iter().map(fit).collect()
    };
    let rest = seen.see(&face.points);
    let moved =
        |t: &Target| mean(&t.points.iter().zip(&rest).map(|(a, b)| 1e3 * a.distance(*b)).collect::<Vec<_>>());
    let all = [unseen(&face.blend)?, unseen(&fitted.blend)?, unseen(&truth.blend)?];
    let of = |list: &[Vec<DVec3>], targets: &[Target]| {
        mean(&list.iter().zip(targets).map(|(x, t)| error(x, t)).collect::<Vec<_>>())
    };
    let training: Vec<Vec<DVec3>> = fitted.poses.iter().map(|pose| pose.balance.x.clone()).collect();
    let (sum, least) = fitted.blend.faults();
    let [initial, own, _] = &all;
    Ok(KnownAnswer {
        noise: (3.0 * variance).sqrt(),
        displacement: mean(&clean.iter().map(moved).collect::<Vec<_>>()),
        trained: of(&training, &clean[..POSES[0]]),
        unseen: [0, 1, 2].map(|k| of(&all[k], &clean[POSES[0]..])),
        distance: [face.blend.distance(&truth.blend), fitted.blend.distance(&truth.blend)],
        off_simplex: sum.max(-least),
        initial: initial.clone(),
        fits: training.into_iter().chain(own.iter().cloned()).collect(),
        blend: fitted.blend,
        targets: clean,
    })
}

/// How two models follow a bump that no muscle makes.
#[derive(Clone, Debug)]
pub struct Bump {
    /// Its width, the deviation of a Gaussian, mm.
    pub width: f64,
    /// Share of it that muscles follow, and that activations of every tetrahedron follow: ⟨fit − scan, bump⟩ / ⟨bump, bump⟩.
    pub captured: [f64; 2],
    /// Root of the mean squared distance from the scan with the bump within two widths, mm.
    pub residual: [f64; 2],
    /// Observed points: the scan with the bump, and both fits.
    pub shapes: [Vec<DVec3>; 3],
    /// What the fits cost.
    pub cost: [fit::Cost; 2],
}

/// Adds a bump 8 mm high to the left cheek of a scan of a pose, and fits it with both models \[dinev2020, Fig. 4.8\].
///
/// # Errors
/// [`FaceError::Muscles`] if a pose has no equilibrium.
pub fn bump(face: &Face, system: &System, width: f64) -> Result<Bump, FaceError> {
    let seen = Observation::vertices(&face.scanned);
    let mut a = face.passive();
    for (a, m) in a.iter_mut().zip(&face.muscles).filter(|(_, m)| m.name.contains("zygomaticus")) {
        *a = m.contracted(0.75);
    }
    let pose = Pose::at(system, &face.blend, a, Jaw { open: 0.03, ..Jaw::default() }, &face.points)?;
    let scan = seen.see(&pose.balance.x);
    let rest = seen.see(&face.points);
    let normals = normals(face, &pose.balance.x);
    // The cheek: halfway between the hinge and the front, at the height between nose and mouth.
    let (low, high) = super::anatomy::bounds(&rest);
    let cheek = DVec3::new(0.6 * high.x, low.y + 0.42 * (high.y - low.y), high.z);
    let far = |p: &DVec3| (p.x - cheek.x).hypot(p.y - cheek.y);
    let peak = (0..rest.len()).min_by(|i, j| far(&rest[*i]).total_cmp(&far(&rest[*j]))).unwrap_or(0);
    let out = normals[face.scanned[peak] as usize];
    let height = |k: usize| {
        let d = 1e3 * rest[k].distance(rest[peak]);
        8e-3 * (-0.5 * (d / width).powi(2)).exp()
    };
    let added: Vec<DVec3> = (0..rest.len()).map(|k| height(k) * out).collect();
    let target =
        Target { name: "bump".into(), points: scan.iter().zip(&added).map(|(p, d)| *p + *d).collect() };
    let (w, stop) = (Weights::default(), Stop::default());
    let start = Pose::rest(system, &face.blend, face.muscles.len())?;
    let ours = fit::fit_activations(system, &face.blend, &seen, &target, &start, &w, &stop)?;
    let free = fit::fit_freely(
        system,
        &seen,
        &target,
        &fit::FreePose::rest(system)?,
        &w,
        &stop,
        face.muscles.len(),
    )?;
    let shapes = [seen.see(&ours.balance.x), seen.see(&free.balance.x)];
    let whole: f64 = added.iter().map(|d| d.length_squared()).sum();
    let captured =
        [0, 1].map(|m| (0..scan.len()).map(|k| (shapes[m][k] - scan[k]).dot(added[k])).sum::<f64>() / whole);
    let near: Vec<usize> =
        (0..rest.len()).filter(|&k| 1e3 * rest[k].distance(rest[peak]) < 2.0 * width).collect();
    let residual = [0, 1].map(|m| {
        let sum: f64 = near.iter().map(|&k| shapes[m][k].distance_squared(target.points[k])).sum();
        1e3 * (sum / near.len().max(1) as f64).sqrt()
    });
    let [ours_shape, free_shape] = shapes;
    Ok(Bump {
        width,
        captured,
        residual,
        shapes: [target.points, ours_shape, free_shape],
        cost: [ours.cost, free.cost],
    })
}

/// Normals of the skin at vertices.
pub(crate) fn normals(face: &Face, x: &[DVec3]) -> Vec<DVec3> {
    let mut out = vec![DVec3::ZERO; x.len()];
    for t in &face.surface[..face.skin] {
        let [a, b, c] = t.map(|v| x[v as usize]);
        let n = (b - a).cross(c - a);
        t.iter().for_each(|&v| out[v as usize] += n);
    }
    out.iter().map(|n| n.normalize_or_zero()).collect()
}

fn mean(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len().max(1) as f64
}
