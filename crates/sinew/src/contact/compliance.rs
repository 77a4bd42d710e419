//! How far a point yields to a force: the diagonal of BA⁻¹Bᵀ, A = Bᵀ(M + αβ²h²L)B the matrix of a step.
//!
//! It is what the body itself answers there, by inertia and stiffness, and the stiffness of rows is measured by it: k = κ/(αβh² Σw²c). One solve answers for three points, one in
//! each coordinate. On a large surface only some points are asked, as many as a second or so allows; the others take the ratio cᵢAᵢᵢ of the one that is nearest in the order of the mesh. A factor of a few
//! would only change how fast multipliers are found, but a stiff body that is free yields thousands of times more than 1/Aᵢᵢ.

use crate::model::Model;
use crate::sparse::GlobalStep;
use glam::DVec3;

/// Solves that may be spent, over the number of coordinates: each costs about as much as there are coordinates.
const SOLVES: usize = 1_000_000;
/// Least and most number of solves.
const LEAST: usize = 30;
const MOST: usize = 600;

/// Fills in the answer for every point of `skin`, kg⁻¹, and 0 elsewhere and for what is held.
pub(super) fn compliance(
    model: &Model,
    stiffness_factor: f64,
    skin: &[u32],
    step: &mut GlobalStep,
    into: &mut [f64],
) {
    into.fill(0.0);
    let free: Vec<usize> = skin.iter().map(|&i| i as usize).filter(|&i| !model.dofs.is_pinned(i)).collect();
    let solves = (SOLVES / model.dofs.len().max(1)).clamp(LEAST, MOST);
    let stride = free.len().div_ceil(3 * solves).max(1);
    let own = |i: usize| model.masses[i] + stiffness_factor * model.laplacian.diagonal(i);
    let mut x = vec![DVec3::ZERO; model.dofs.len()];
    let asked: Vec<usize> = free.iter().copied().step_by(stride).collect();
    for three in asked.chunks(3) {
        x.fill(DVec3::ZERO);
        for (k, &i) in three.iter().enumerate() {
            model.dofs.row(i, |index, coefficient| x[index as usize][k] += coefficient);
        }
        let solved = step.solve_vectors(&mut x).is_ok();
        for (k, &i) in three.iter().enumerate() {
            let mut sum = 0.0;
            model.dofs.row(i, |index, coefficient| sum += x[index as usize][k] * coefficient);
            into[i] = if solved && sum > 0.0 && sum.is_finite() { sum } else { 1.0 / own(i) };
        }
    }
    for near in free.chunks(stride) {
        let ratio = into[near[0]] * own(near[0]);
        near[1..].iter().for_each(|&i| into[i] = ratio / own(i));
    }
}
