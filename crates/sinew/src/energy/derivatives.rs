//! Tests of every potential against finite differences: random, strongly deformed and inverted elements.

use super::hyperelastic::Lame;
use super::*;
use crate::ids::MuscleId;
use crate::mesh::RestTetrahedron;
use crate::muscle::{Activation, fibre, symmetric};
use proptest::prelude::*;

/// Relative error allowed between a derivative and its central difference.
const TOLERANCE: f64 = 1e-6;

fn lame() -> Lame {
    Lame { mu: 1.3e3, lambda: 2.1e3 }
}

fn rest() -> [DVec3; 4] {
    [DVec3::ZERO, DVec3::new(1.1, 0.1, 0.0), DVec3::new(0.2, 0.9, -0.1), DVec3::new(0.1, 0.2, 1.2)]
}

fn tetrahedron<M: hyperelastic::Hyperelastic>(material: M) -> Tetrahedra<M> {
    let shape = RestTetrahedron::new(rest()).unwrap();
    Tetrahedra::new(material, &[[0, 1, 2, 3]], &[shape], &[lame()])
}

/// Of the two muscles of [`muscled`].
fn activations() -> [Activation; 2] {
    [fibre(DVec3::new(0.6, -0.64, 0.48), 0.7), [1.2, 0.2, -0.1, 0.8, 0.15, 1.1]]
}

/// Tissue with two muscles, grown a little.
fn muscled() -> Active {
    let shape = grown(RestTetrahedron::new(rest()).unwrap(), 1.1);
    Active::new(&[[0, 1, 2, 3]], &[shape], &[lame()], &[vec![(1, 0.3), (0, 0.5)]])
}

fn controls(targets: &[DVec3]) -> Controls {
    let mut controls = Controls::new(targets.to_vec(), Vec::new(), Vec::new()).with_muscles(2);
    for (muscle, activation) in activations().into_iter().enumerate() {
        controls.activate(MuscleId(muscle), activation).unwrap();
    }
    controls
}

fn value(energy: &dyn Energy, x: &[DVec3], targets: &[DVec3]) -> f64 {
    energy.value(Pose::new(x, &controls(targets)), &mut energy.work_size())
}

fn gradient(energy: &dyn Energy, x: &[DVec3], targets: &[DVec3]) -> Vec<DVec3> {
    let mut g = vec![DVec3::ZERO; x.len()];
    let e = energy.gradient(Pose::new(x, &controls(targets)), &mut energy.work_size(), &mut g);
    let direct = value(energy, x, targets);
    assert!((e - direct).abs() <= 1e-12 * (1.0 + direct.abs()), "value {direct} and value with gradient {e}");
    g
}

fn hessian(energy: &dyn Energy, x: &[DVec3], targets: &[DVec3], kind: HessianKind) -> Vec<Vec<f64>> {
    let n = 3 * x.len();
    let mut h = vec![vec![0.0; n]; n];
    energy.hessian(Pose::new(x, &controls(targets)), kind, &mut |i, j, block| {
        for (c, column) in block.to_cols_array_2d().iter().enumerate() {
            for (r, value) in column.iter().enumerate() {
                h[3 * i as usize + r][3 * j as usize + c] += value;
                if i != j {
                    h[3 * j as usize + c][3 * i as usize + r] += value;
                }
            }
        }
    });
    h
}

/// ∇E and ∇²E against central differences with step `d`.
fn check(energy: &dyn Energy, x: &[DVec3], targets: &[DVec3]) {
    let d = 1e-5;
    let g = gradient(energy, x, targets);
    let h = hessian(energy, x, targets, HessianKind::Exact);
    let force = g.iter().fold(1e-6f64, |s, g| s.max(g.abs().max_element()));
    let stiffness = h.iter().flatten().fold(1e-6f64, |s, h| s.max(h.abs()));
    // Differences of E lose digits to E itself: below that level they say nothing.
    let energy_noise = 1e-15 * value(energy, x, targets).abs() / d;
    let force_noise = 1e-15 * force / d;
    for i in 0..3 * x.len() {
        let moved = |amount: f64| {
            let mut y = x.to_vec();
            y[i / 3][i % 3] += amount;
            y
        };
        let (ahead, behind) = (moved(d), moved(-d));
        let slope = (value(energy, &ahead, targets) - value(energy, &behind, targets)) / (2.0 * d);
        let error = (slope - g[i / 3][i % 3]).abs();
        assert!(
            error <= TOLERANCE * force + 10.0 * energy_noise,
            "{}: ∂E/∂x{i} = {} but differences give {slope}",
            energy.name(),
            g[i / 3][i % 3]
        );
        let (ga, gb) = (gradient(energy, &ahead, targets), gradient(energy, &behind, targets));
        for j in 0..3 * x.len() {
            let bend = (ga[j / 3][j % 3] - gb[j / 3][j % 3]) / (2.0 * d);
            assert!(
                (bend - h[j][i]).abs() <= TOLERANCE * stiffness + 10.0 * force_noise,
                "{}: ∂²E/∂x{j}∂x{i} = {} but differences give {bend}",
                energy.name(),
                h[j][i]
            );
        }
    }
    semidefinite(energy, x, targets);
}

/// The projected Hessian has no negative direction, and is the exact one where that is semi-definite already.
fn semidefinite(energy: &dyn Energy, x: &[DVec3], targets: &[DVec3]) {
    let h = hessian(energy, x, targets, HessianKind::PositiveSemidefinite);
    let scale = h.iter().flatten().fold(1e-12f64, |s, v| s.max(v.abs()));
    let n = h.len();
    // Cholesky of H + ε: fails if any eigenvalue is below −ε.
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let mut sum = h[i][j] + if i == j { 1e-9 * scale } else { 0.0 };
            for k in 0..j {
                sum -= l[i][k] * l[j][k];
            }
            if i == j {
                assert!(sum > 0.0, "{}: projected Hessian is indefinite", energy.name());
                l[i][i] = sum.sqrt();
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
}

fn deformed(noise: [f64; 12], mirror: bool) -> Vec<DVec3> {
    let flip = if mirror { DVec3::new(1.0, 1.0, -1.0) } else { DVec3::ONE };
    rest().iter().enumerate().map(|(i, p)| *p * flip + DVec3::from_slice(&noise[3 * i..])).collect()
}

/// Where the closest rotation is not unique (σ₂ + σ₃ = 0) corotated energies have a kink: stay away from it.
fn smooth(x: &[DVec3]) -> bool {
    let shape = RestTetrahedron::new(rest()).unwrap();
    let f = (1..4).map(|a| crate::math::outer(x[a] - x[0], shape.b[a])).sum();
    let far = |f: &DMat3| {
        let sigma = crate::math::svd(f).sigma;
        sigma.y + sigma.z > 0.05
    };
    let [first, second] = activations().map(|a| symmetric(&a));
    far(&f) && far(&(f * (0.5 * first + 0.3 * second + 0.2 * DMat3::IDENTITY)))
}

fn tetrahedra() -> Vec<Box<dyn Energy>> {
    vec![
        Box::new(tetrahedron(Corotated)),
        Box::new(tetrahedron(Arap)),
        Box::new(tetrahedron(StVenantKirchhoff)),
        Box::new(tetrahedron(NeoHookean)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tetrahedra_random_and_inverted(
        noise in prop::array::uniform12(-0.6f64..0.6), mirror in any::<bool>()
    ) {
        let x = deformed(noise, mirror);
        prop_assume!(smooth(&x));
        for energy in tetrahedra() {
            check(&*energy, &x, &[]);
        }
        check(&muscled(), &x, &[]);
    }

    #[test]
    fn tetrahedra_strongly_stretched(noise in prop::array::uniform12(-3.0f64..3.0)) {
        let x = deformed(noise, false);
        prop_assume!(smooth(&x));
        for energy in tetrahedra() {
            check(&*energy, &x, &[]);
        }
        check(&muscled(), &x, &[]);
    }

    #[test]
    fn springs_of_both_laws(ends in prop::array::uniform6(-2.0f64..2.0)) {
        let x = [DVec3::from_slice(&ends), DVec3::from_slice(&ends[3..])];
        prop_assume!(x[0].distance(x[1]) > 0.1);
        for law in [SpringLaw::Hookean, SpringLaw::Squared] {
            check(&Springs::new(law, &[[0, 1]], &[(700.0, 1.2)]), &x, &[]);
        }
    }

    #[test]
    fn gravity_and_attachments(ends in prop::array::uniform6(-2.0f64..2.0)) {
        let x = [DVec3::from_slice(&ends), DVec3::from_slice(&ends[3..])];
        check(&Gravity::new(DVec3::new(0.1, -9.81, 0.4), &[2.0, 0.3], &[0, 1]), &x, &[]);
        let spring = |vertex, target, stiffness| AttachmentSpring { vertex, target, stiffness };
        check(&Attachments::new(vec![spring(1, 0, 300.0), spring(0, 1, 7.0)]), &x, &[DVec3::ONE, DVec3::X]);
    }

    #[test]
    fn elastic_energies_ignore_rigid_motion(
        noise in prop::array::uniform12(-0.5f64..0.5), axis in prop::array::uniform3(-1.0f64..1.0), angle in -3.0f64..3.0
    ) {
        let axis = DVec3::from(axis);
        prop_assume!(axis.length() > 0.1);
        let turn = DMat3::from_axis_angle(axis.normalize(), angle);
        let x = deformed(noise, false);
        let moved: Vec<_> = x.iter().map(|p| turn * *p + DVec3::new(3.0, -7.0, 2.0)).collect();
        let mut energies = tetrahedra();
        energies.push(Box::new(muscled()));
        energies.push(Box::new(Springs::new(SpringLaw::Hookean, &[[0, 1], [2, 3]], &[(700.0, 1.2); 2])));
        energies.push(Box::new(Springs::new(SpringLaw::Squared, &[[0, 1], [2, 3]], &[(700.0, 1.2); 2])));
        for energy in energies {
            let (a, b) = (value(&*energy, &x, &[]), value(&*energy, &moved, &[]));
            prop_assert!((a - b).abs() <= 1e-11 * (1.0 + a.abs()), "{}: {a} and {b}", energy.name());
            let (g, turned) = (gradient(&*energy, &x, &[]), gradient(&*energy, &moved, &[]));
            let scale = g.iter().fold(1.0f64, |s, g| s.max(g.length()));
            prop_assert!(g.iter().zip(&turned).all(|(g, t)| (turn * *g - *t).length() < 1e-10 * scale));
        }
    }

    /// E = Σ w/2‖Gx − p‖²: L bounds the Hessian from above, so E(x + d) ≤ E + ∇E·d + ½ dᵀLd.
    #[test]
    fn projective_matrix_majorises(
        noise in prop::array::uniform12(-0.8f64..0.8), d in prop::array::uniform12(-0.8f64..0.8)
    ) {
        let x = deformed(noise, false);
        let step: Vec<_> = (0..4).map(|i| DVec3::from_slice(&d[3 * i..])).collect();
        let energies: Vec<Box<dyn Energy>> = vec![
            Box::new(tetrahedron(Corotated)),
            Box::new(tetrahedron(Arap)),
            Box::new(muscled()),
            Box::new(Springs::new(SpringLaw::Hookean, &[[0, 1], [2, 3]], &[(700.0, 1.2); 2])),
        ];
        for energy in energies {
            prop_assert_eq!(energy.projective(), Projective::Exact);
            let moved: Vec<_> = x.iter().zip(&step).map(|(x, d)| *x + *d).collect();
            let g = gradient(&*energy, &x, &[]);
            let mut bound = value(&*energy, &x, &[]);
            bound += g.iter().zip(&step).map(|(g, d)| g.dot(*d)).sum::<f64>();
            energy.laplacian(&mut |i, j, w| {
                let both = if i == j { 0.5 } else { 1.0 };
                bound += both * w * step[i as usize].dot(step[j as usize]);
            });
            let there = value(&*energy, &moved, &[]);
            prop_assert!(there <= bound + 1e-9 * (1.0 + bound.abs()), "{}: {there} > {bound}", energy.name());
        }
    }
}

#[test]
fn small_strain_agrees_with_linear_elasticity() {
    // A small symmetric strain ε: every law is V(μ‖ε‖² + λ/2 tr²ε) to second order; ARAP lacks λ.
    let strain = DMat3::from_cols_array(&[1.0, 0.2, -0.4, 0.2, -0.7, 0.3, -0.4, 0.3, 0.5]) * 1e-4;
    let x = rest().map(|p| (DMat3::IDENTITY + strain) * p);
    let volume = RestTetrahedron::new(rest()).unwrap().volume;
    let trace = strain.x_axis.x + strain.y_axis.y + strain.z_axis.z;
    for energy in tetrahedra() {
        let lambda = if energy.name() == "arap" { 0.0 } else { lame().lambda };
        let linear =
            volume * (lame().mu * crate::math::inner(&strain, &strain) + 0.5 * lambda * trace * trace);
        let e = value(&*energy, &x, &[]);
        assert!((e / linear - 1.0).abs() < 1e-3, "{}: {e} but linear theory says {linear}", energy.name());
    }
}

#[test]
fn compliant_forms_have_the_forces_of_the_potential() {
    let x = deformed([0.1, -0.2, 0.05, 0.3, 0.0, -0.1, 0.2, 0.15, -0.3, 0.05, 0.1, 0.2], false);
    let controls = controls(&[]);
    let pose = Pose::new(&x, &controls);
    let mut all = tetrahedra();
    all.push(Box::new(muscled()));
    all.push(Box::new(Springs::new(SpringLaw::Hookean, &[[0, 1], [1, 3]], &[(700.0, 1.2), (30.0, 0.4)])));
    all.push(Box::new(Springs::new(SpringLaw::Squared, &[[0, 1], [1, 3]], &[(700.0, 1.2), (30.0, 0.4)])));
    for energy in all {
        let mut forces = vec![DVec3::ZERO; 4];
        match energy.compliant() {
            Some(CompliantForm::Constraints(list)) => {
                for c in (0..list.len()).map(|j| list.constraint(j, pose)) {
                    for &(i, gradient) in c.gradients() {
                        forces[i as usize] += gradient * (c.value / c.compliance);
                    }
                }
            }
            Some(CompliantForm::Elements(list)) => {
                for e in (0..list.len()).map(|e| list.element(e, pose)) {
                    for (i, b) in e.corners.iter().zip(e.b) {
                        forces[*i as usize] += e.stress * b;
                    }
                }
            }
            _ => panic!("{} has no XPBD form", energy.name()),
        }
        let g = gradient(&*energy, &x, &[]);
        let scale = g.iter().fold(1.0f64, |s, g| s.max(g.length()));
        for (a, b) in g.iter().zip(&forces) {
            assert!((*a - *b).length() < 1e-10 * scale, "{}: {a} and {b}", energy.name());
        }
    }
}

#[test]
fn a_spring_of_no_length_is_finite() {
    let spring = Springs::new(SpringLaw::Hookean, &[[0, 1]], &[(700.0, 1.2)]);
    let x = [DVec3::ONE; 2];
    assert!(gradient(&spring, &x, &[]).iter().all(|g| *g == DVec3::ZERO));
    semidefinite(&spring, &x, &[]);
}

/// Tissue whose muscles are at rest is tissue of the corotated law; several elements in a batch, some of them without a muscle, are each what they are alone.
#[test]
fn muscles_at_rest_do_nothing_and_elements_of_a_batch_do_not_mix() {
    let x: Vec<DVec3> = (0..6).flat_map(|k| deformed([0.05 * f64::from(k); 12], false)).collect();
    let corners: Vec<[u32; 4]> = (0..6).map(|k| [4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3]).collect();
    let shape = RestTetrahedron::new(rest()).unwrap();
    let shares = [vec![], vec![(0, 1.0)], vec![(1, 0.4)], vec![], vec![(1, 0.5), (0, 0.5)], vec![(0, 0.1)]];
    let all = Active::new(&corners, &[shape; 6], &[lame(); 6], &shares);
    let plain = Tetrahedra::new(Corotated, &corners, &[shape; 6], &[lame(); 6]);
    let at_rest = Controls::none();
    let of = |energy: &dyn Energy, controls: &Controls| {
        energy.value(Pose::new(&x, controls), &mut energy.work_size())
    };
    assert!((of(&all, at_rest) - of(&plain, at_rest)).abs() < 1e-12 * of(&plain, at_rest));
    let active = controls(&[]);
    let one = |k: usize| Active::new(&corners[k..=k], &[shape], &[lame()], &shares[k..=k]);
    let sum: f64 = (0..6).map(|k| of(&one(k), &active)).sum();
    assert!((of(&all, &active) - sum).abs() < 1e-12 * sum);
    assert!((of(&all, &active) - of(&plain, at_rest)).abs() > 0.1 * sum, "muscles do something");
}
