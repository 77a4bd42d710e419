//! Which angular momentum of a supported body a correction has to keep, and which it may give back.
//!
//! A damping rule takes energy from the swing of a pendulum as it does from any other motion. A projection that carries the L of the damped candidate can only return
//! that energy as vibration, and the swing dies while H is exact. So what is *missing* may go into the swing: only the part ΠL that no
//! outside force changes is carried. What is *too much* must not be taken from the swing, because rules that gain energy gain it in fast modes: then all of L is
//! carried.
//!
//! What no outside force changes depends on the support and on gravity g:
//!
//! | supports | no gravity | pendulum: it will turn back | rotor: it goes round, or is balanced |
//! |---|---|---|---|
//! | one point | all of L | L along g | all of L |
//! | on an axle û | L along û | nothing (L along û, if û is along g) | L along û |
//! | more | nothing | nothing | nothing |

use super::Situation;
use crate::math::{outer, symmetric_eigen};
use glam::{DMat3, DVec3};

/// Spread of the supports, as a share of the body's size, that is no spread.
const POINT: f64 = 1e-6;
/// Sine of the angle between axle and gravity that is none.
const PARALLEL: f64 = 1e-9;

/// Projector onto the part of L about `center` that nothing outside changes, for a body at `x` whose rigid motion has the kinetic energy `turning`.
pub(super) fn kept_axes(s: &Situation, center: DVec3, x: &[DVec3], turning: f64) -> DMat3 {
    let component = s.component;
    if !component.own_external.is_empty() || component.grounded {
        return DMat3::ZERO;
    }
    let kept = support_axes(s, &s.state.x, s.state.controls.targets());
    if kept == DMat3::ZERO {
        return kept;
    }
    let Some(down) = s.model.forces.gravity.try_normalize() else { return kept };
    if kept == DMat3::IDENTITY {
        return if turns_back(s, center, x, turning, DMat3::IDENTITY) { outer(down, down) } else { kept };
    }
    let along_gravity = (kept * down).length() > 1.0 - PARALLEL;
    let swings = !along_gravity && turns_back(s, center, x, turning, DMat3::IDENTITY - kept);
    if swings { DMat3::ZERO } else { kept }
}

/// The axes about which a body can turn on its supports: all about a point, one on an axle, none where more is held.
fn support_axes(s: &Situation, x: &[DVec3], targets: &[DVec3]) -> DMat3 {
    let component = s.component;
    let count = if component.pins.is_empty() { component.attachments.len() } else { component.pins.len() };
    if count == 0 {
        return DMat3::IDENTITY;
    }
    let point = |k: usize| match component.pins.get(k) {
        Some(&i) => x[i as usize],
        None => targets[component.attachments[k].1 as usize],
    };
    let mean = (0..count).map(point).sum::<DVec3>() / count as f64;
    let mut spread = DMat3::ZERO;
    for k in 0..count {
        let r = point(k) - mean;
        spread += outer(r, r) * (1.0 / count as f64);
    }
    let e = symmetric_eigen(&spread);
    let least = (POINT * component.size).powi(2);
    let mut wide = (0..3).filter(|&k| e.values[k] > least);
    match (wide.next(), wide.next()) {
        (None, _) => DMat3::IDENTITY,
        (Some(k), None) => outer(e.vectors.col(k), e.vectors.col(k)),
        _ => DMat3::ZERO,
    }
}

/// Whether a body swings about its support and will turn back, as a pendulum does: K < mgd(1 + cos θ), θ the angle from where it would hang. `across` projects off
/// the axle.
///
/// The offset of its centre of mass counts no further than in its rest shape: what is balanced there is a rotor, however it wobbles.
fn turns_back(s: &Situation, center: DVec3, x: &[DVec3], turning: f64, across: DMat3) -> bool {
    let (model, component) = (s.model, s.component);
    let rest = &model.topology.rest;
    let (mut moment, mut arm) = (DVec3::ZERO, DVec3::ZERO);
    let (mut mass, mut held, mut count) = (0.0, DVec3::ZERO, 0.0);
    for i in s.vertices().filter(|&i| !model.dofs.is_pinned(i)) {
        moment += (x[i] - center) * model.masses[i];
        arm += rest[i] * model.masses[i];
        mass += model.masses[i];
    }
    let mut hold = |i: u32| {
        held += rest[i as usize];
        count += 1.0;
    };
    match &component.pins[..] {
        [] => component.attachments.iter().for_each(|a| hold(a.0)),
        pins => pins.iter().for_each(|&i| hold(i)),
    }
    if count > 0.0 {
        arm -= held * (mass / count);
        if across != DMat3::IDENTITY {
            arm -= along_rest_axle(s, held / count, arm);
        }
    }
    let (moment, gravity) = (across * moment, across * model.forces.gravity);
    let moment = moment.clamp_length_max(arm.length());
    turning < moment.length() * gravity.length() + moment.dot(gravity)
}

/// The part of `arm` along the axle in the rest shape: the direction from the centre of the supports to the furthest of them.
fn along_rest_axle(s: &Situation, center: DVec3, arm: DVec3) -> DVec3 {
    let (rest, component) = (&s.model.topology.rest, s.component);
    let mut furthest = DVec3::ZERO;
    let mut look = |i: u32| {
        let r = rest[i as usize] - center;
        if r.length_squared() > furthest.length_squared() {
            furthest = r;
        }
    };
    match &component.pins[..] {
        [] => component.attachments.iter().for_each(|a| look(a.0)),
        pins => pins.iter().for_each(|&i| look(i)),
    }
    furthest.try_normalize().map_or(DVec3::ZERO, |axle| axle * axle.dot(arm))
}
