//! The normal forces of the colliders on a group of components, as a whole.

use super::rows::{Contacts, Row};
use crate::dofs::Slot;
use crate::math::outer;
use crate::model::Model;
use glam::{DMat3, DVec3};

/// Sweeps over the rows that make a direction tangential.
const SWEEPS: usize = 5;

/// Sums over the normal forces of colliders on a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressure {
    /// Σ λx.
    pub moment: DVec3,
    /// Σ λ.
    pub weight: f64,
    /// Σ λ n nᵀ.
    pub normals: DMat3,
    /// Whether any contact has friction.
    pub rough: bool,
}

impl Contacts {
    /// Sums of the normal forces of colliders on some components, which are at `x`. Where the solver was broken off with none, whatever acted counts alike.
    pub(crate) fn pressure(&self, members: &[usize], labels: &[u32], x: &[DVec3]) -> Pressure {
        let known = self.pressure_of(self.of_group(members, labels).map(|row| (row, self.mean(row).0)), x);
        if known.weight > 0.0 || !self.unfinished {
            return known;
        }
        let acted = self.that_act_on(members, labels).filter(|row| row.acted);
        self.pressure_of(acted.map(|row| (row, 1.0)), x)
    }

    fn pressure_of<'a>(&self, rows: impl Iterator<Item = (&'a Row, f64)>, x: &[DVec3]) -> Pressure {
        let mut sum = Pressure { moment: DVec3::ZERO, weight: 0.0, normals: DMat3::ZERO, rough: false };
        for (row, force) in rows.filter(|(row, _)| self.meets_collider(row)) {
            let own = row.ends().filter(|&(i, _)| i < self.points);
            let (place, share) =
                own.fold((DVec3::ZERO, 0.0), |(p, s), (i, w)| (p + x[i] * w.abs(), s + w.abs()));
            // The surface, where the body is round; its side decides on the sign of the lever.
            let side = row.ends().find(|&(i, _)| i < self.points).map_or(1.0, |(_, w)| w.signum());
            let place = place / share + row.lever.sum(|i| x[i]) * side;
            sum.moment += place * force;
            sum.weight += force;
            sum.rough |= row.law.friction.sticking > 0.0;
            sum.normals += outer(row.normal * force, row.normal);
        }
        sum
    }

    /// Adds the normal forces on some components to `forces`, one for each point; returns whether there are any.
    pub(crate) fn add_normal_forces(&self, members: &[usize], labels: &[u32], forces: &mut [DVec3]) -> bool {
        let mut pressing = false;
        for row in self.of_group(members, labels) {
            pressing = true;
            for (i, w) in row.ends().filter(|&(i, _)| i < self.points) {
                forces[i] += row.normal * (self.mean(row).0 * w);
            }
        }
        pressing
    }

    /// Subtracts all forces on some components from a gradient, one for each point.
    pub(crate) fn subtract_forces(&self, members: &[usize], labels: &[u32], gradient: &mut [DVec3]) {
        for row in self.of_group(members, labels) {
            self.subtract(row, row.normal * row.force, row.friction, gradient);
        }
    }

    /// Energy that impacts took from some components, J, and their mean restitution: −½ J n·(żₙ + ż) over the rows. `None` without an impact: where the mean speed of approach is below
    /// `least`, a contact lasts.
    pub(crate) fn impact(
        &self,
        (members, labels): (&[usize], &[u32]),
        (h, least): (f64, f64),
        before: &[DVec3],
        after: &[DVec3],
    ) -> Option<(f64, f64)> {
        let (mut taken, mut restitution, mut weight, mut approached) = (0.0, 0.0, 0.0, 0.0);
        for row in self.of_group(members, labels) {
            let approach = row.normal.dot(self.relative_velocity(row, h, |i| before[i]));
            let parting = row.normal.dot(self.relative_velocity(row, h, |i| after[i]));
            let force = self.mean(row).0;
            taken -= 0.5 * h * force * (approach + parting);
            approached -= force * approach;
            restitution += row.law.restitution * force;
            weight += force;
        }
        (approached > least * weight && taken > 0.0).then(|| (taken, restitution / weight))
    }

    /// Whether a body meets one that is held at a speed that carries it further than half of the size of the smaller one in a step. In a pile of free bodies more rounds gain nothing: it is broken off anyway.
    pub(crate) fn is_violent(&self, model: &Model, v: &[DVec3], h: f64) -> bool {
        let component = |i: usize| &model.topology.components[model.topology.labels[i] as usize];
        self.rows.iter().filter(|row| !self.meets_collider(row)).any(|row| {
            let parts = || row.ends().map(|(i, _)| component(i));
            let size = parts().map(|part| part.size).fold(f64::INFINITY, f64::min);
            let approach = -row.normal.dot(self.relative_velocity(row, h, |i| v[i]));
            parts().any(|part| part.supported) && h * approach > 0.5 * size
        })
    }

    /// Takes the motion along the normals of the rows that press on some components, and all motion of those that stick, out of a direction, as far as flesh can follow; returns whether
    /// there are any.
    pub(crate) fn make_tangential(&self, model: &Model, members: &[usize], direction: &mut [DVec3]) -> bool {
        let mut any = false;
        let flesh =
            |&(i, _): &(usize, f64)| i < self.points && matches!(model.dofs.slots()[i], Slot::Free(_));
        for _ in 0..SWEEPS {
            for row in self.of_group(members, &model.topology.labels) {
                let give: f64 = row.ends().filter(flesh).map(|(i, w)| w * w / model.masses[i]).sum();
                if give <= 0.0 {
                    continue;
                }
                let own = row.ends().filter(|&(i, _)| i < self.points);
                let moved: DVec3 = own.map(|(i, w)| direction[i] * w).sum();
                let rolled = row.along(row.lever.sum(|i| direction[i]));
                // What sticks does not slide either.
                let sticks = row.law.friction.sticking > 0.0 && !row.sliding;
                let change = if sticks { moved + rolled } else { row.normal * row.normal.dot(moved) } / give;
                row.ends().filter(flesh).for_each(|(i, w)| direction[i] -= change * (w / model.masses[i]));
                any = true;
            }
        }
        any
    }
}
