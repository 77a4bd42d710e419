//! What a push brings in is not kept as vibration.
//!
//! Pushing apart what is tangled bends and stretches it, and the solver makes motion of that. With v = rigid motion + u for each body of a group, K = K_rigid + K_u: as much of K_u as the push brought in
//! is taken out at once, u ← u √(1 − min(1, excess/K_u)). Momenta stay, and what is left of the excess is deformation, and the motion that parts the bodies.

use crate::budgets::GroupView;
use crate::damping::Damping;
use crate::model::Model;
use crate::next::Next;

/// Takes up to `excess` out of the motion of a group that is not rigid; returns what is left of the excess, J.
pub(super) fn calm(model: &Model, group: &GroupView, excess: f64, next: &mut Next) -> f64 {
    let Next { x, v, .. } = next;
    let mut remove = |share: f64| {
        let damping = Damping { rigid_preserving: share, ..Damping::default() };
        group.members.iter().for_each(|&c| damping.towards_rigid(model, &model.topology.components[c], x, v));
        group.component.kinetic(&model.masses, v)
    };
    // Halving u shows how much it is.
    let whole = remove(0.0);
    let unsteady = (whole - remove(0.5)) / 0.75;
    let kept = if unsteady > 0.0 { (1.0 - excess / unsteady).max(0.0).sqrt() } else { 0.0 };
    (excess - (whole - remove(1.0 - 2.0 * kept))).max(0.0)
}
