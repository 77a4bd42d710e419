//! How far a point yields to a force: the diagonal of BA⁻¹Bᵀ, A = Bᵀ(M + αβ²h²L)B the matrix of a step.
//!
//! It is what the body itself answers there, by inertia and stiffness, and the stiffness of rows is measured by it: k = κ/(αβh² Σw²c). One solve answers for three points, one in
//! each coordinate. On a large surface only some points are asked, as many as a second or so allows; the others take the ratio cᵢAᵢᵢ of the one that is nearest in the order of the mesh. A factor of a few
//! would only change how fast multipliers are found, but a stiff body that is free yields thousands of times more than 1/Aᵢᵢ.
//! Points on bones say nothing of each other, nor of the flesh beside them: a claw is a thousand times lighter than the skeleton. Each bone is asked how it turns and moves under its joints,
//! which answers for all of its points: the mean over three directions, where it is at rest. A bone may yield less than its four columns do, which are free to bend.

use crate::dofs::Slot;
use crate::model::Model;
use crate::skeleton::solve::{ask_jointed_bones, of_jointed_bones};
use crate::sparse::GlobalStep;
use glam::{DMat4, DVec3};

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
    let jointed: Vec<bool> = of_jointed_bones(model);
    let asked = |&i: &usize| !model.dofs.is_pinned(i) && !jointed[i];
    let free: Vec<usize> = skin.iter().map(|&i| i as usize).filter(asked).collect();
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
    if stride > 1 {
        ask_loose_bones(model, &free, step, &mut x, into);
    }
    ask_jointed_bones(model, step, into);
}

/// The answers of points on bones that nothing holds, (r, 1)ᵀ(A⁻¹)ₖₖ(r, 1) with the block of the bone's four columns.
fn ask_loose_bones(model: &Model, free: &[usize], step: &mut GlobalStep, x: &mut [DVec3], into: &mut [f64]) {
    let mut asked = (u32::MAX, DMat4::ZERO);
    for &i in free {
        let Slot::Bone { first, local } = model.dofs.slots()[i] else { continue };
        if asked.0 != first {
            asked = (first, block(first, step, x));
        }
        let r = local.extend(1.0);
        let sum = r.dot(asked.1 * r);
        if sum > 0.0 && sum.is_finite() {
            into[i] = sum;
        }
    }
}

/// The block of A⁻¹ of a bone with this first column; no number if it cannot be had.
fn block(first: u32, step: &mut GlobalStep, x: &mut [DVec3]) -> DMat4 {
    let rows = first as usize..first as usize + 4;
    let mut block = DMat4::ZERO;
    for c in 0..4 {
        x.fill(DVec3::ZERO);
        x[rows.start + c].x = 1.0;
        if step.solve_vectors(x).is_err() {
            return DMat4::NAN;
        }
        for (r, x) in x[rows.clone()].iter().enumerate() {
            block.col_mut(c)[r] = x.x;
        }
    }
    block
}
