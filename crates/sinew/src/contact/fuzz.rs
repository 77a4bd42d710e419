//! The filter on random trials: nothing may cross, at the end or on the way, and without the filter much does.

use super::exact::Exact;
use super::filter::{Filter, Floor};
use super::pair::Primitives;
use super::sweep::{Sweep, Times};
use super::testing::{Random, Scene};
use glam::{DQuat, DVec3};

const D: f64 = 0.01;

fn scenes() -> Vec<Scene> {
    let flat = |n, size, y| move |s: Scene| s.cloth(n, size, DVec3::Y * y, DVec3::X, DVec3::Z);
    let cloth = |s: Scene| flat(9, 0.5, 0.0)(s);
    vec![
        cloth(Scene::new(D)).cuboid(DVec3::Y * -0.12, DVec3::new(0.1, 0.08, 0.06)),
        cloth(Scene::new(D))
            .round(&[DVec3::Y * -0.15], 0.12)
            .plane(DVec3::Y * -0.2, DVec3::new(0.0, 0.8, 0.6)),
        flat(6, 0.3, 0.05)(cloth(Scene::new(D)))
            .rope(12, DVec3::new(-0.3, 0.1, 0.0), DVec3::new(0.3, 0.12, 0.1))
            .round(&[DVec3::new(-0.2, -0.1, 0.1), DVec3::new(0.2, -0.12, -0.1)], 0.06)
            .plane(DVec3::Y * -0.3, DVec3::Y),
        cloth(Scene::new(D)).cloth(9, 0.5, DVec3::Y * 0.3, DVec3::X, DVec3::Y),
    ]
}

/// A trial: a crumpled mess, or a smooth fold; colliders move as one.
fn trial(p: &Primitives, x: &[DVec3], amplitude: f64, random: &mut Random) -> Vec<DVec3> {
    let (drift, towards) = (random.vector() * amplitude, random.vector() * 0.1);
    let (noise, pull) = (random.unsigned() * amplitude, random.unsigned() * amplitude.min(0.9));
    let fold = DQuat::from_scaled_axis(random.vector() * amplitude * 3.0);
    let smooth = random.below(2) == 0;
    let mut e: Vec<DVec3> = x
        .iter()
        .map(|x| {
            let folded = towards + fold * (*x - towards);
            let there = if smooth { x.lerp(folded, x.x * 2.0) } else { x.lerp(towards, pull) };
            there + drift + random.vector() * noise
        })
        .collect();
    for unit in 0..p.units {
        let places: Vec<usize> = (0..x.len()).filter(|&i| p.unit[i] as usize == unit).collect();
        let first = x[places[0]];
        let shift = if random.below(2) == 0 { random.vector() * amplitude } else { DVec3::ZERO };
        // Planes do not turn.
        let turn = DQuat::from_scaled_axis(random.vector() * amplitude.min(1.0));
        for i in places {
            e[i] = first + shift + turn * (x[i] - first);
        }
    }
    e
}

/// Does the whole of a way, and 5 places on it, stay free?
fn free(exact: &mut Exact, p: &Primitives, from: &[DVec3], to: &[DVec3]) -> usize {
    (1..=6)
        .map(|k| {
            let at: Vec<DVec3> = if k == 6 {
                to.to_vec()
            } else {
                from.iter().zip(to).map(|(a, b)| a.lerp(*b, f64::from(k) / 6.0)).collect()
            };
            exact.test(p, &at)
        })
        .sum()
}

#[test]
fn random_trials_never_cross() {
    let mut random = Random(2024);
    let (mut steps, mut unfiltered, mut cut, mut arrived, mut crowded) = (0, 0, 0, 0, 0);
    for (kind, scene) in scenes().into_iter().enumerate() {
        let p = &scene.primitives;
        let (mut sweep, mut exact, mut filter) = (Sweep::new(p), Exact::new(p), Filter::default());
        let mut pairs = Vec::new();
        let mut x = scene.x.clone();
        assert_eq!(exact.test(p, &x), 0, "scene {kind}");
        for step in 0..160 {
            // Starts anew now and then, or everything ends up in one heap.
            if step % 32 == 0 {
                x.clone_from(&scene.x);
            }
            let amplitude = 10f64.powf(-3.0 * random.unsigned());
            let mut e = trial(p, &x, amplitude, &mut random);
            let floor = if step % 5 == 4 { Floor::AtRest } else { Floor::Share(0.1) };
            unfiltered += exact.test(p, &e).min(1);
            let common = step % 2 == 0;
            let times = if common { Times::Common } else { Times::Single };
            while sweep.find(p, &x, &e, times, &mut pairs).is_err() {
                crowded += 1;
                e.iter_mut().zip(&x).for_each(|(e, x)| *e = x.lerp(*e, 0.5));
            }
            let before = x.clone();
            let mut missing = filter.together(p, &pairs, floor, &mut x, &e);
            assert_eq!(free(&mut exact, p, &before, &x), 0, "scene {kind}, step {step}, together");
            if missing > 0 {
                while sweep.find(p, &x, &e, Times::Single, &mut pairs).is_err() {
                    crowded += 1;
                    e.iter_mut().zip(&x).for_each(|(e, x)| *e = x.lerp(*e, 0.5));
                }
                let between = x.clone();
                missing = filter.alone(p, &pairs, floor, &mut x, &e);
                assert_eq!(free(&mut exact, p, &between, &x), 0, "scene {kind}, step {step}, alone");
            }
            assert_eq!(missing, x.iter().zip(&e).filter(|(x, e)| x != e).count());
            (steps, cut, arrived) = (steps + 1, cut + missing, arrived + x.len() - missing);
            for unit in 0..p.units {
                let shares = (0..x.len()).filter(|&i| p.unit[i] as usize == unit).map(|i| filter.share()[i]);
                let shares: Vec<f64> = shares.collect();
                assert!(shares.iter().all(|s| *s == shares[0]), "{shares:?}");
            }
        }
    }
    println!(
        "{steps} steps, {unfiltered} would cross; {cut} places cut, {arrived} arrived; {crowded} ways halved"
    );
    assert!(steps >= 600 && unfiltered > 200 && cut > 0 && arrived > 0);
}
