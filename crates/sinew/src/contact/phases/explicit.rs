//! Contact after an explicit rule: what would penetrate is stopped.
//!
//! An explicit rule gives places without asking. They are moved back, by mass, until no row is violated: Gauss–Seidel over the rows, rounds of rows and filter as in a solve. The
//! velocities change by as much as the places did.

use super::Contact;
use crate::contact::relax::Forces;
use crate::next::{Next, Start};
use crate::operator::Systems;
use glam::DVec3;

/// Rounds, and sweeps over the rows in each.
const ROUNDS: usize = 8;
const SWEEPS: usize = 10;

/// Stops what would penetrate on the way to `next`. `make_rigid` does so with the bones; the caller makes their velocities agree afterwards.
pub(crate) fn stop(
    start: Start,
    contact: &mut Contact,
    systems: &mut Systems,
    next: &mut Next,
    mut make_rigid: impl FnMut(&mut [DVec3], &mut [DVec3]),
) {
    contact.report = super::ContactReport::default();
    let Start { model, h, .. } = start;
    if model.contact.law.is_none() || !next.is_usable() {
        return;
    }
    let Contact { rounds, report, .. } = contact;
    let rule = crate::integrator::Rule {
        alpha: 0.0,
        beta: 1.0,
        velocity: crate::integrator::VelocityUpdate::Difference,
    };
    rounds.begin(start, (rule, 1.0), &next.x, systems);
    rounds.keep_inner(false);
    let mut forces = Forces::new();
    let mut round = rounds.go(model, &next.x, false);
    while report.rounds < ROUNDS && !round.is_clean() {
        report.rounds += 1;
        forces.clear();
        for _ in 0..SWEEPS {
            rounds.contacts.relax(model, (h * h, true), &mut forces, &mut next.x, |_, _| {});
        }
        rounds.contacts.take_forces(&forces);
        make_rigid(&mut next.x, &mut next.v);
        round = rounds.go(model, &next.x, false);
    }
    rounds.restore_acting();
    report.cut = round.cut > 0;
    next.x.copy_from_slice(rounds.passage.points());
    for (i, v) in next.v.iter_mut().enumerate() {
        let moved = next.x[i] - next.predicted[i];
        if moved != DVec3::ZERO {
            *v += moved / h;
        }
    }
}
