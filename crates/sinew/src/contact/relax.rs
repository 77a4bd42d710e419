//! Gauss–Seidel over rows: for solvers that move vertices one by one, and for explicit rules.

use super::rows::Contacts;
use crate::model::Model;
use glam::DVec3;

/// The forces of rows that a sweep has found so far: f and τ of each, N.
pub(crate) type Forces = Vec<(f64, DVec3)>;

impl Contacts {
    /// Moves vertices until each row in turn is content: f = max(0, λ − kC), or C ≥ 0 where rows are `hard`, and friction within its disk. `weight` is αβh²; calls `moved(i, Δx)`.
    pub(crate) fn relax(
        &self,
        model: &Model,
        (weight, hard): (f64, bool),
        forces: &mut Forces,
        x: &mut [DVec3],
        mut moved: impl FnMut(usize, DVec3),
    ) {
        forces.resize(self.rows.len(), (0.0, DVec3::ZERO));
        for (row, (force, friction)) in self.rows.iter().zip(forces) {
            let free = |&(i, _): &(usize, f64)| i < self.points && !model.dofs.is_pinned(i);
            let give: f64 =
                weight * row.ends().filter(free).map(|(i, w)| w * w / model.masses[i]).sum::<f64>();
            if give <= 0.0 {
                continue;
            }
            let z = self.relative(row, x);
            let (soft, load) = if hard { (0.0, 0.0) } else { (1.0 / row.stiffness, row.load) };
            let wanted = *force + (soft * (load - *force) - row.gap(z)) / (give + soft);
            let change = wanted.max(0.0) - *force;
            *force += change;
            let mut push = row.normal * change;
            let limit = row.law.coefficient() * *force;
            if limit > 0.0 || *friction != DVec3::ZERO {
                let arms = row.lever.ends().filter(free).map(|(i, c)| c * c / model.masses[i]);
                let pull = *friction + self.slip(row, x, z) / (give + weight * arms.sum::<f64>());
                let length = pull.length();
                let held = if length > limit { pull * (limit / length) } else { pull };
                let change = held - *friction;
                push -= change;
                *friction = held;
                for (i, c) in row.lever.ends().filter(free) {
                    let step = change * (-c * weight / model.masses[i]);
                    x[i] += step;
                    moved(i, step);
                }
            }
            for (i, w) in row.ends().filter(free) {
                let step = push * (w * weight / model.masses[i]);
                x[i] += step;
                moved(i, step);
            }
        }
    }

    /// Takes over forces that a sweep found.
    pub(crate) fn take_forces(&mut self, forces: &Forces) {
        for (row, &(force, friction)) in self.rows.iter_mut().zip(forces) {
            (row.force, row.friction, row.load, row.drag) = (force, friction, force, friction);
        }
    }
}
