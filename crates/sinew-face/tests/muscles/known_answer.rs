//! A hidden blend and hidden activations make scans; the fit must find surfaces that it has not seen.

use super::head;
use glam::DVec3;
use sinew_face::muscles::Noise;
use sinew_face::muscles::fit::{
    Neighbours, Observation, Pose, Prepared, Stop, Target, Weights, fit_activations, fit_together, stages,
    stages_for_noise,
};
use sinew_face::muscles::study::{Hidden, hidden};

fn mean(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len() as f64
}

#[test]
fn unseen_expressions_fit_better_with_the_fitted_blend() {
    let (face, system) = head();
    let seen = Observation::vertices(&face.scanned);
    let Hidden { blend: truth, poses } = hidden(face, system, 1, 11).unwrap();
    let scans: Vec<Target> = (poses.iter().enumerate())
        .map(|(k, pose)| Target { name: format!("pose {k}"), points: seen.see(&pose.balance.x) })
        .collect();
    let (training, unseen) = scans.split_at(5);
    // Half of the schedule: enough to see it; `sinew bench face-known` measures all of it.
    let schedule = &stages()[1..3];
    let fitted = fit_together(system, &face.blend, &face.blend, &seen, training, schedule, 0, &mut |p| {
        println!("turn {} of {}: {:?}", p.turn, p.turns, p.errors);
        true
    })
    .unwrap();
    let (sum, least) = fitted.blend.faults();
    assert!(sum < 1e-12 && least >= 0.0);
    let error = |blend: &sinew_face::muscles::Blend, target: &Target| {
        let rest = Pose::rest(system, blend, face.muscles.len()).unwrap();
        let pose =
            fit_activations(system, blend, &seen, target, &rest, &Weights::default(), &Stop::default())
                .unwrap();
        mean(&seen.errors(&pose.balance.x, target))
    };
    let before: Vec<f64> = unseen[..2].iter().map(|t| error(&face.blend, t)).collect();
    let after: Vec<f64> = unseen[..2].iter().map(|t| error(&fitted.blend, t)).collect();
    println!(
        "unseen: {before:?} → {after:?} mm; |S − S*| {} → {}",
        face.blend.distance(&truth),
        fitted.blend.distance(&truth)
    );
    assert!(mean(&after) < 0.7 * mean(&before));
    assert!(fitted.blend.distance(&truth) < face.blend.distance(&truth));
}

#[test]
fn the_fast_path_ends_where_levenberg_and_marquardt_do() {
    let (face, system) = head();
    let seen = Observation::vertices(&face.scanned);
    let Hidden { poses, .. } = hidden(face, system, 2, 2).unwrap();
    let prepared = Prepared::new(system, &face.blend, &seen, face.muscles.len()).unwrap();
    let rest = Pose::rest(system, &face.blend, face.muscles.len()).unwrap();
    for pose in &poses {
        let target = Target { name: "pose".into(), points: seen.see(&pose.balance.x) };
        let (w, stop) = (Weights::default(), Stop::default());
        let slow = fit_activations(system, &face.blend, &seen, &target, &rest, &w, &stop).unwrap();
        let quick = prepared.fit(&target, &w, &stop).unwrap();
        println!("{:.5} {:?}; {:.5} {:?}", slow.objective, slow.cost, quick.objective, quick.cost);
        assert!(quick.objective < 1.1 * slow.objective && quick.cost.iterations <= 8);
        assert!(5 * quick.cost.solves < slow.cost.solves);
    }
}

#[test]
fn noise_is_what_differs_between_neighbours() {
    let (face, _) = head();
    let points: Vec<DVec3> = face.scanned.iter().map(|&v| face.points[v as usize]).collect();
    let neighbours = Neighbours::of(&points);
    let mut random = Noise::new(5);
    // Errors of a model: 8 cm long, 0.3 mm high, in all directions.
    let wave = |p: &DVec3| 0.3 * (*p * (std::f64::consts::TAU / 0.08)).map(f64::sin) + DVec3::splat(0.2);
    let smooth: Vec<DVec3> = points.iter().map(wave).collect();
    let left = neighbours.variance(&smooth).sqrt();
    println!("0.3 mm of waves: {left:.4} mm");
    assert!(left < 0.06);
    assert!(neighbours.variance(&vec![DVec3::ONE; points.len()]) < 1e-20);
    for deviation in [0.1, 0.17, 0.5] {
        // The mean of eight draws: one of these numbers alone scatters by 3 % or so.
        let draws: Vec<f64> = (0..8)
            .map(|_| {
                let mut noisy = |p: &DVec3| {
                    *p + deviation * DVec3::new(random.normal(), random.normal(), random.normal())
                };
                neighbours.variance(&smooth.iter().map(&mut noisy).collect::<Vec<_>>())
            })
            .collect();
        let found = (mean(&draws) - left * left).sqrt();
        println!("{deviation} mm of noise: {found:.4} mm");
        assert!((found / deviation - 1.0).abs() < 0.03);
    }
    // As few points as neighbours have no neighbours.
    assert_eq!(Neighbours::of(&points[..6]).variance(&smooth[..6]), 0.0);
}

#[test]
fn weights_rise_with_noise_alone() {
    assert_eq!(stages_for_noise(0.0, 700), stages());
    let (quiet, loud) = (stages_for_noise(0.03, 700), stages_for_noise(0.12, 700));
    let last = |stages: &[sinew_face::muscles::fit::Stage]| stages[stages.len() - 1].weights;
    assert!((last(&loud).activation / last(&quiet).activation - 4.0).abs() < 1e-12);
    assert!(last(&quiet).activation > 50.0 * last(&stages()).activation);
    assert_eq!(last(&quiet).volume, last(&stages()).volume);
    // Twice as many points say twice as much.
    let many = Weights::default().for_noise(0.12, 1400);
    assert!((last(&loud).blend / many.blend - 2.0).abs() < 1e-12);
}
