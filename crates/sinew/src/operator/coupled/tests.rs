//! H₀⁻¹ against the matrix with rows, entry by entry.

use super::*;
use crate::operator::systems::{Systems, system_matrix};
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
