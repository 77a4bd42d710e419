//! A hidden blend and hidden activations make scans; the fit must find surfaces that it has not seen.

use super::head;
use sinew_face::muscles::fit::{
    Observation, Pose, Prepared, Stop, Target, Weights, fit_activations, fit_together, stages,
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
