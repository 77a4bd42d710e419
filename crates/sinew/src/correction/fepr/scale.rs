//! The energy scale of a step: what a small energy is small to.

use super::constants::ROUNDING;
use crate::budgets::Support;
use crate::correction::Situation;
use crate::model::Evaluator;
use glam::DVec3;

/// Es = K (about the centre of mass if free) + Σ|E| + |F|R at the start of the step, F the weight and every external force of
/// the user's own: what a small energy is small to.
pub(super) fn energy_scale(s: &Situation, evaluator: &mut Evaluator, force: &mut [DVec3]) -> f64 {
    let mut mass = 0.0;
    let (mut momentum, mut twice) = (DVec3::ZERO, 0.0);
    for i in s.vertices() {
        let (m, v) = (s.model.masses[i], s.state.v[i]);
        mass += m;
        momentum += v * m;
        twice += m * v.length_squared();
    }
    let mut kinetic = 0.5 * twice;
    if s.support == Support::Free {
        kinetic = (kinetic - 0.5 * momentum.length_squared() / mass).max(0.0);
    }
    let mut pull = mass * s.model.forces.gravity.length();
    if !s.component.own_external.is_empty() {
        s.vertices().for_each(|i| force[i] = DVec3::ZERO);
        let pose = s.pose.at(&s.state.x);
        for &k in &s.component.own_external {
            evaluator.add_gradient_of(s.model, k, pose, force);
        }
        pull += s.vertices().map(|i| force[i].length()).sum::<f64>();
    }
    let weight = pull * s.component.size;
    let elastic = s.component.energies.iter().filter(|&&k| !s.component.gravity.contains(&k));
    // The ledger's values belong to the old targets; moved targets changed the budget by as much as their energy.
    let before: f64 = s.members.iter().map(|&c| s.state.ledger.component_targets[c]).sum();
    let added = (s.budget - before).abs();
    let scale = kinetic + elastic.map(|&k| s.state.ledger.potentials[k].abs()).sum::<f64>() + weight + added;
    // A body at rest has no energy to compare with: the rounding of its positions is then the scale.
    let extent = extent(s);
    scale.max(ROUNDING * s.component.stiffness * extent * extent).max(f64::MIN_POSITIVE)
}

/// What rounding makes of an energy E, J. Positions are off by δ = ε·extent, and E = ½kd² has forces of about kd = √(2kE). Sums of large terms, such as the weight of a body high
/// above the origin, are rounded themselves.
pub(super) fn energy_rounding(s: &Situation, energy: f64) -> f64 {
    let (stiffness, blur) = (s.component.stiffness, f64::EPSILON * extent(s));
    let terms: f64 = s.component.energies.iter().map(|&k| s.state.ledger.potentials[k].abs()).sum();
    (2.0 * stiffness * energy.abs()).sqrt() * blur + stiffness * blur * blur + f64::EPSILON * terms
}

/// Largest coordinate that a position may have, roughly: size of the body and distance from the origin.
fn extent(s: &Situation) -> f64 {
    s.component.size + s.vertices().next().map_or(0.0, |i| s.state.x[i].length())
}
