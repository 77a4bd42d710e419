//! The reduced regression against a direct implementation of what the dissertation writes: the unreduced normal equations, and gradients solved for positions.

use crate::{patch, train_with, worst};
use glam::{DMat3, DVec3};
use sinew_face::Rigid;
use sinew_face::perform::mouth;

/// Θ Y Yᵀ = X Yᵀ [dinev2020, Eq. 2.3], solved for Θᵀ by conjugate gradients from zero in the full space 9m, which gives the solution of least norm.
#[test]
fn the_unreduced_normal_equations_give_the_same_prediction() {
    let options = mouth::MouthOptions { columns: 8, rings: 10, frames: 40, seed: 5 };
    let p = mouth::perform(&options);
    let patch = patch(&p);
    let chosen = [2, 15, 30];
    let model = train_with(&p, &patch, &chosen, 1);
    let gradients = |k: usize| {
        let rigid = patch.alignment(&p.truth[k]);
        (patch.mouth_gradients(&p.truth[k], &rigid), patch.inner_gradients(&p.truth[k], &rigid))
    };
    let examples: Vec<_> = chosen.iter().map(|&k| gradients(k)).collect();
    let n = examples[0].0.len();
    let mut a = vec![0.0; n * n];
    for (y, _) in &examples {
        (0..n * n).for_each(|ij| a[ij] += y[ij / n] * y[ij % n]);
    }
    let times = |v: &[f64]| -> Vec<f64> {
        (0..n).map(|i| a[i * n..(i + 1) * n].iter().zip(v).map(|(a, v)| a * v).sum()).collect()
    };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let (y, _) = gradients(22);
    let predicted = model.predict(0, &y);
    for row in (0..predicted.len()).step_by(7) {
        let mut r: Vec<f64> = (0..n).map(|i| examples.iter().map(|(y, x)| x[row] * y[i]).sum()).collect();
        let (mut theta, mut d) = (vec![0.0; n], r.clone());
        for _ in 0..30 {
            let (old, ad) = (dot(&r, &r), times(&d));
            let along = dot(&d, &ad);
            if old < 1e-28 || along <= 0.0 {
                break;
            }
            let step = old / along;
            for i in 0..n {
                theta[i] += step * d[i];
                r[i] -= step * ad[i];
            }
            let new = dot(&r, &r);
            (0..n).for_each(|i| d[i] = r[i] + new / old * d[i]);
        }
        let direct = dot(&theta, &y);
        assert!((direct - predicted[row]).abs() <= 1e-8, "row {row}: {direct} and {}", predicted[row]);
    }
}

/// With one window, positions are those of the Poisson equation Lv = ∇ᵀ(I + Σ wᵢ xᵢ) with the border of the frame.
#[test]
fn positions_are_those_of_the_predicted_gradients() {
    let p = mouth::perform(&mouth::MouthOptions { columns: 16, rings: 12, frames: 40, seed: 5 });
    let patch = patch(&p);
    let chosen = [2, 15, 30, 36];
    let model = train_with(&p, &patch, &chosen, 1);
    for k in [7, 22, 33] {
        let mut applied = p.captured[k].clone();
        model.apply("frame", &mut applied).unwrap();
        let rigid = patch.alignment(&p.captured[k]);
        let x = model.predict(0, &patch.mouth_gradients(&p.captured[k], &rigid));
        // What the border alone makes, and what the gradients add.
        let border = patch.base(&p.captured[k], &rigid, false);
        let added = patch.solve_gradients(&x);
        let mut direct = p.captured[k].clone();
        for ((&v, b), a) in p.regions.inner.iter().zip(&border).zip(&added) {
            direct[v as usize] = rigid.apply_inverse(*b + *a);
        }
        assert!(worst(&applied, &direct) <= 1e-8, "frame {k}: {:e}", worst(&applied, &direct));
    }
}

/// Continued gradients are exact for rotations: flesh that turns as a whole takes its lips along, without any example.
#[test]
fn a_rotation_of_the_mouth_is_continued() {
    let p = mouth::perform(&mouth::MouthOptions { columns: 24, rings: 14, frames: 1, seed: 5 });
    let patch = patch(&p);
    let turn = DMat3::from_axis_angle(DVec3::new(1.0, 0.2, -0.3).normalize(), 0.5);
    let turned: Vec<DVec3> = p.neutral.iter().map(|&v| turn * v).collect();
    let still = Rigid { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };
    let far = |continued: bool| {
        let base = patch.base(&turned, &still, continued);
        let error = |(&v, &b): (&u32, &DVec3)| (turned[v as usize] - b).length();
        p.regions.inner.iter().zip(&base).map(error).fold(0.0, f64::max)
    };
    assert!(far(true) < 1e-6 && far(false) > 0.05, "{:e} and {:e} cm", far(true), far(false));
}
