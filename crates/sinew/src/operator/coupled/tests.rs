//! H₀⁻¹ against the matrix with rows, entry by entry.

use super::*;
use crate::dofs::Slot;
use crate::operator::systems::{Systems, system_matrix};
use crate::skeleton::Geometric;
use crate::skeleton::rig::Rig;
use crate::skeleton::solve::two_bones;
use crate::sparse::{GlobalMethod, Precision};
use crate::{Body, SpringLaw};

const FACTOR: f64 = 1e-3;

/// Two chains of springs.
fn model() -> Model {
    let mut builder = Model::builder();
    for side in 0..2 {
        let points: Vec<DVec3> = (0..20).map(|k| DVec3::new(f64::from(k), f64::from(side), 0.0)).collect();
        let springs = (0..19).map(|k| [k, k + 1]).collect();
        let body = Body::new(format!("chain {side}"), points);
        builder.body(body.springs(springs, SpringLaw::Hookean, 1000.0).total_mass(1.0));
    }
    builder.build().unwrap()
}

/// Rows between the two chains, and the solve with them.
fn coupled(model: &Model, step: &mut GlobalStep, rows: &[[(usize, f64); 4]]) -> Coupled {
    let mut coupled = Coupled::new(model);
    for row in rows {
        let footprint = coupled.footprints.add(model, row.iter().copied()).unwrap();
        let (t, b) = DVec3::Y.any_orthonormal_pair();
        for (direction, stiffness) in [(DVec3::Y, 3.0), (t, 0.5), (b, 0.5)] {
            coupled.lines.push(Line { footprint, direction, stiffness });
        }
    }
    assert!(coupled.fetch(step));
    coupled.comply();
    assert!(coupled.factor());
    coupled
}

#[test]
fn it_is_the_inverse_of_the_matrix_with_rows() {
    let model = model();
    let mut systems = Systems::new(GlobalMethod::Direct);
    let mut step = systems.whole(&model, FACTOR, Precision::Double).unwrap();
    let rows = [3, 4, 11].map(|k| [(k, 0.4), (k + 1, 0.6), (20 + k, -0.7), (21 + k, -0.3)]);
    let mut coupled = coupled(&model, &mut step, &rows);
    let wanted: Vec<DVec3> =
        (0..40).map(|k| DVec3::new((0.7 * f64::from(k)).sin(), (1.3 * f64::from(k)).cos(), 0.2)).collect();
    let mut x = wanted.clone();
    coupled.solve(&mut x, |x| step.solve_vectors(x).unwrap());
    // Hx, entry by entry.
    let a = system_matrix(&model, FACTOR);
    let mut product = vec![DVec3::ZERO; 40];
    for j in 0..40 {
        for k in a.pattern.column_start[j]..a.pattern.column_start[j + 1] {
            let i = a.pattern.rows[k];
            product[i] += x[j] * a.values[k];
            if i != j {
                product[j] += x[i] * a.values[k];
            }
        }
    }
    for line in &coupled.lines {
        let ends = coupled.footprints.of(line.footprint as usize);
        let moved: f64 = ends.iter().map(|&(i, w)| w * x[i as usize].dot(line.direction)).sum();
        ends.iter().for_each(|&(i, w)| product[i as usize] += line.direction * (w * line.stiffness * moved));
    }
    let off = product.iter().zip(&wanted).map(|(p, w)| p.distance(*w)).fold(0.0, f64::max);
    assert!(off < 1e-4, "{off}");
    // Rows push both sides alike, to rounding: the sum of M x is that of the right-hand side.
    let momentum: DVec3 = x.iter().zip(&model.masses).map(|(x, m)| *x * *m).sum();
    assert!(momentum.distance(wanted.iter().sum()) < 1e-12 * 40.0);
}

/// How far each vertex goes along reduced coordinates.
fn expanded(model: &Model, frames: &[Frame], bones: &mut Articulated, x: &[DVec3]) -> Vec<DVec3> {
    let mut far = vec![DVec3::ZERO; model.points()];
    model.dofs.add_free(1.0, x, &mut far);
    bones.expand(model, frames, x, |i, step| far[i as usize] = step);
    far
}

/// With S the stiffness of rows, x = H₀⁻¹q is where x = A⁻¹(q − U S Uᵀx): the solve without rows, given their forces.
#[test]
fn with_bones_rows_bear_what_they_yield() {
    for closed in [false, true] {
        let model = two_bones(closed);
        let mut systems = Systems::new(GlobalMethod::Direct);
        let mut step = systems.whole(&model, FACTOR, Precision::Double).unwrap();
        let mut frames = Rig::new(&model).frames;
        let turn = glam::DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 0.8);
        frames.iter_mut().for_each(|frame| frame.turn = turn);
        let mut bones = Articulated::of_model(&model);
        let jointed = bones.jointed(&model, step.corners().unwrap());
        bones.prepare(&model, &frames, &jointed, Geometric::None).unwrap();
        // Flesh on flesh, bone on flesh, and the two bones on each other.
        let slots = model.dofs.slots();
        let flesh =
            |k: usize| (0..slots.len()).filter(|&i| matches!(slots[i], Slot::Free(_))).nth(k).unwrap();
        let bone = |b: usize, k: usize| model.skeleton.bones[b].points[k] as usize;
        let rows: [[(usize, f64); 4]; 3] = [
            [(flesh(3), 1.0), (flesh(50), -0.2), (flesh(51), -0.3), (flesh(60), -0.5)],
            [(bone(0, 1), 0.6), (flesh(20), 0.4), (flesh(80), -0.7), (bone(1, 2), -0.3)],
            [(bone(0, 0), 1.0), (bone(1, 0), -0.4), (bone(1, 1), -0.35), (bone(1, 3), -0.25)],
        ];
        let mut coupled = Coupled::new(&model);
        for (row, direction) in rows.iter().zip([DVec3::Y, DVec3::new(0.6, 0.0, 0.8), DVec3::X]) {
            let footprint = coupled.footprints.add(&model, row.iter().copied()).unwrap();
            coupled.lines.push(Line { footprint, direction, stiffness: 40.0 });
        }
        assert!(coupled.fetch(&mut step));
        coupled.comply();
        coupled.boned.as_mut().unwrap().gather(&coupled.footprints, &coupled.columns);
        coupled.prepare_bones(&model, &frames, &mut bones);
        assert!(coupled.factored);

        let count = model.skeleton.articulations[0].coordinates;
        let start = model.dofs.len() - 8;
        let q: Vec<DVec3> = (0..model.dofs.len())
            .map(|k| {
                if k < start + count {
                    DVec3::new((k as f64).sin(), (1.7 * k as f64).cos(), 0.3)
                } else {
                    DVec3::ZERO
                }
            })
            .collect();
        let mut x = q.clone();
        coupled.solve_with_bones(&model, (&frames, &mut bones), &mut step, &mut x, false);

        let far = expanded(&model, &frames, &mut bones, &x);
        let mut forces = vec![DVec3::ZERO; model.points()];
        for (row, line) in rows.iter().zip(&coupled.lines) {
            let moved: f64 = row.iter().map(|&(i, w)| w * far[i].dot(line.direction)).sum();
            row.iter().for_each(|&(i, w)| forces[i] += line.direction * (w * line.stiffness * moved));
        }
        let mut pressed = vec![DVec3::ZERO; model.dofs.len()];
        model.dofs.pull_back(&forces, &mut pressed);
        bones.reduce(&model, &frames, &mut pressed);
        let mut again: Vec<DVec3> = q.iter().zip(&pressed).map(|(q, f)| *q - *f).collect();
        let mut without = q.clone();
        bones.solve(&model, &frames, &mut step, &mut again, false);
        bones.solve(&model, &frames, &mut step, &mut without, false);
        let off = x.iter().zip(&again).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        let pressed = x.iter().zip(&without).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(pressed > 0.1 && off < 1e-5 * pressed, "{off} of {pressed}");
    }
}
