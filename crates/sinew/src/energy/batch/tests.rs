//! Batches compared with their elements one by one: for any number of elements and of threads.

use super::super::{Corotated, Energy, Pose, SpringLaw, Springs, Tetrahedra};
use super::*;
use crate::controls::Controls;
use crate::energy::hyperelastic::Lame;
use crate::mesh::RestTetrahedron;

/// A strip of `n` tetrahedra, each sharing a face with the next, and a deformation of it.
fn strip(n: usize) -> (Vec<DVec3>, Vec<[u32; 4]>, Vec<RestTetrahedron>) {
    let spiral = |i: usize| {
        let angle = 2.3 * i as f64;
        DVec3::new(angle.cos(), angle.sin(), 0.35 * i as f64)
    };
    let mut corners = Vec::new();
    let mut rest = Vec::new();
    for i in 0..n {
        let mut c = [0, 1, 2, 3].map(|k| (i + k) as u32);
        let shape = RestTetrahedron::new(c.map(|v| spiral(v as usize)));
        rest.push(shape.unwrap_or_else(|| {
            c.swap(0, 1);
            RestTetrahedron::new(c.map(|v| spiral(v as usize))).unwrap()
        }));
        corners.push(c);
    }
    let x = (0..n + 3).map(|i| spiral(i) * 1.1 + DVec3::new(0.1 * (i % 7) as f64, 0.0, 0.0)).collect();
    (x, corners, rest)
}

fn energies(n: usize) -> (Vec<DVec3>, Vec<Box<dyn Energy>>) {
    let (x, corners, rest) = strip(n);
    let lame: Vec<_> = (0..n).map(|i| Lame { mu: 1.0 + i as f64, lambda: 2.0 }).collect();
    let ends: Vec<_> = corners.iter().map(|c| [c[0], c[3]]).collect();
    let parameters: Vec<_> = (0..n).map(|i| (10.0 + i as f64, 0.7)).collect();
    let all: Vec<Box<dyn Energy>> = vec![
        Box::new(Tetrahedra::new(Corotated, &corners, &rest, &lame)),
        Box::new(Springs::new(SpringLaw::Hookean, &ends, &parameters)),
        Box::new(Springs::new(SpringLaw::Squared, &ends, &parameters)),
    ];
    (x, all)
}

fn evaluate(energy: &dyn Energy, x: &[DVec3]) -> (f64, f64, Vec<DVec3>) {
    let (pose, mut work) = (Pose::new(x, Controls::none()), energy.work_size());
    let mut gradient = vec![DVec3::ZERO; x.len()];
    (energy.value(pose, &mut work), energy.gradient(pose, &mut work, &mut gradient), gradient)
}

/// Gradients of the elements one by one, through the forms that XPBD uses.
fn one_by_one(energy: &dyn Energy, x: &[DVec3]) -> Vec<DVec3> {
    use super::super::CompliantForm;
    let pose = Pose::new(x, Controls::none());
    let mut gradient = vec![DVec3::ZERO; x.len()];
    match energy.compliant().unwrap() {
        CompliantForm::Constraints(list) => {
            for c in (0..list.len()).map(|j| list.constraint(j, pose)) {
                for &(i, g) in c.gradients() {
                    gradient[i as usize] += g * (c.value / c.compliance);
                }
            }
        }
        CompliantForm::Elements(list) => {
            for e in (0..list.len()).map(|e| list.element(e, pose)) {
                for (i, b) in e.corners.iter().zip(e.b) {
                    gradient[*i as usize] += e.stress * b;
                }
            }
        }
        CompliantForm::ConstantForce => {}
    }
    gradient
}

#[test]
fn any_number_of_elements() {
    for n in [1, 2, 3, 4, 5, 6, 7, 8, 9, 511, 512, 513, 514, 1030] {
        let (x, all) = energies(n);
        for energy in all {
            let (value, with_gradient, gradient) = evaluate(&*energy, &x);
            assert!((value - with_gradient).abs() <= 1e-13 * value, "{} × {n}", energy.name());
            let reference = one_by_one(&*energy, &x);
            let scale = reference.iter().fold(1.0f64, |s, g| s.max(g.length()));
            for (a, b) in gradient.iter().zip(&reference) {
                assert!((*a - *b).length() < 1e-12 * scale, "{} × {n}: {a} and {b}", energy.name());
            }
        }
    }
}

#[test]
fn every_element_is_in_its_block() {
    for n in [1, 5, 8, 513, 1030, 2000] {
        let corners: Vec<[u32; 2]> = (0..n).map(|i| [i, i + 1]).collect();
        let batch = Batch::new(&corners);
        for (e, corners) in corners.iter().enumerate() {
            let (block, lane) = batch.locate(e);
            assert_eq!(batch.elements(block)[lane], Some(e));
            assert_eq!(batch.corners(e), *corners);
        }
        let listed: usize = (0..batch.blocks.len()).map(|b| batch.elements(b).iter().flatten().count()).sum();
        assert_eq!(listed, corners.len());
    }
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let (x, all) = energies(3001);
    for energy in all {
        let alone = evaluate(&*energy, &x);
        for threads in 1..=3 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| evaluate(&*energy, &x)), alone, "{threads} threads");
        }
    }
}
