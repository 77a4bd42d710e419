//! The momenta that a step should end with: those of the start plus the impulse of the external forces.
//!
//! [dinev2018fepr, Eq. 1] interpolates between the momenta of the start and those of the candidate; with backward Euler or BDF2 the latter
//! are already wrong. Internal forces cancel, so only external forces count:
//!
//! * A free body follows its parabola. P* = Pₙ + hMg, and L about the centre of mass is constant.
//! * For a supported body the impulse of the support is read off the candidate, J = m(v₁ − vₙ), and acts where the
//!   rule evaluates forces: L* = Lₙ + x×J at x = x₁ (backward Euler), (xₙ + x₁)/2 (midpoint), xₙ (explicit rules); Newmark halves
//!   its impulse between both ends, and that of contacts acts in the middle; generalised α gives the force of this step at βx₁ + (1 − β)xₙ and what the carried acceleration still gives at xₙ; BDF2 has L* = (4Lₙ − Lₙ₋₁)/3 + x₁×m(v₁ − (4vₙ − vₙ₋₁)/3).

use super::carrier::{Carrier, Motion, Sums};
use super::fepr::constants::WITHOUT_NORMALS;
use super::{PhasePoint, Situation};
use crate::integrator::{D, HAT, Integrator};
use crate::math::{outer, symmetric_eigen};
use crate::model::Evaluator;
use glam::{DMat3, DVec3};

/// The motion of a free body's centre of mass over one step, exact for uniform gravity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parabola {
    /// Centre of mass and its velocity at the start.
    pub start: (DVec3, DVec3),
    /// The same at the end.
    pub end: (DVec3, DVec3),
    /// L about the centre of mass.
    pub angular: DVec3,
    /// Angular velocity of the rigid motion at the start.
    pub omega: DVec3,
}

impl Parabola {
    pub fn new(s: &Situation) -> Self {
        let sums = Sums::new(s.model, s.component, DVec3::ZERO, &s.state.x, &s.state.v);
        let center = sums.moment / sums.mass;
        let drift = sums.linear / sums.mass;
        let about = Sums::new(s.model, s.component, center, &s.state.x, &s.state.v);
        let angular = about.angular - about.moment.cross(drift);
        let end_drift = drift + s.model.forces.gravity * s.h;
        let end = center + (drift + end_drift) * (0.5 * s.h);
        let omega = about.inverted_inertia().angular_velocity(angular);
        Self { start: (center, drift), end: (end, end_drift), angular, omega }
    }

    pub fn carrier(&self) -> Carrier {
        Carrier { center: self.end.0, motion: Motion::Free(self.end.1), angular: self.angular }
    }

    /// The state that the body would have if it only rotated along its parabola: H, P and L are exact, and it moves.
    pub fn witness(&self, s: &Situation, x: &mut [DVec3], v: &mut [DVec3]) {
        // Rotate about L itself, which then stays constant: a rotation about ω would turn it.
        let axis = self.angular.try_normalize();
        let turn = axis.map_or(DMat3::IDENTITY, |l| DMat3::from_axis_angle(l, self.omega.dot(l) * s.h));
        for &i in &s.component.vertices {
            let i = i as usize;
            x[i] = self.end.0 + turn * (s.state.x[i] - self.start.0);
            v[i] = self.end.1 + turn * (s.state.v[i] - self.start.1);
        }
    }
}

/// What a moment is taken about.
#[derive(Clone, Copy)]
enum About {
    /// A point that stays where it is.
    Point(DVec3),
    /// The body's centre of mass, wherever the arms put it.
    CenterOfMass,
}

/// Σ m (arm − center)×v over moving vertices.
fn angular(s: &Situation, about: About, arm: impl Fn(usize) -> DVec3, v: impl Fn(usize) -> DVec3) -> DVec3 {
    let moving = || s.vertices().filter(|&i| !s.model.dofs.is_pinned(i));
    let center = match about {
        About::Point(center) => center,
        About::CenterOfMass => moving().map(|i| arm(i) * s.model.masses[i]).sum::<DVec3>() / s.component.mass,
    };
    moving().map(|i| (arm(i) - center).cross(v(i)) * s.model.masses[i]).sum()
}

/// The carrier of a body that is in contact with colliders or is pushed by known forces, from the candidate (x₁, v₁) of `rule`.
///
/// The correction may change the normal forces, so that a bounce can give back what it took: P is free along them, and they have no moment
/// about their centre of pressure. Every other change of L is taken from the candidate, as for a support. Without friction P along the
/// surfaces is known: weight and wind change it. With friction it is taken from the candidate.
pub(super) fn guided_carrier(
    s: &Situation,
    rule: Integrator,
    evaluator: &mut Evaluator,
    at: &PhasePoint,
    scratch: &mut [DVec3],
) -> Carrier {
    let state = s.state;
    let pressed = s.pose.contacts.pressure(s.members, &s.model.topology.labels, at.x);
    let pressed = Some(pressed).filter(|p| p.weight > 0.0);
    let sums = Sums::new(s.model, s.component, DVec3::ZERO, &state.x, &state.v);
    let known = |i: usize| s.model.forces.gravity * s.model.masses[i] + s.pushes.force(s.model, i);
    let known = s.vertices().map(known).sum::<DVec3>() * s.h;
    let Some(pressed) = pressed else {
        // Nothing but known forces: the body is on its parabola, and turns as their moment makes it.
        let (start, drift) = (sums.moment / sums.mass, sums.linear / sums.mass);
        let end_drift = drift + known / sums.mass;
        let center = start + (drift + end_drift) * (0.5 * s.h);
        let frame = Frame::at_rest(s);
        let angular = impulse_about((About::CenterOfMass, frame), s, rule, evaluator, at, scratch);
        return Carrier { center, motion: Motion::Free(end_drift), angular };
    };
    let center = pressed.moment / pressed.weight;
    let along = normals_free(pressed.normals * (1.0 / pressed.weight));
    let frame = Frame::of(s);
    let angular = impulse_about((About::Point(center), frame), s, rule, evaluator, at, scratch);
    let linear = if pressed.rough {
        s.vertices().map(|i| at.v[i] * s.model.masses[i]).sum()
    } else {
        sums.linear + known
    };
    Carrier { center, motion: Motion::Guided { along, linear: along * linear }, angular }
}

/// Projector onto the directions in which nothing presses, given Σλnnᵀ/Σλ.
pub(crate) fn normals_free(normals: DMat3) -> DMat3 {
    let mut along = DMat3::IDENTITY;
    let e = symmetric_eigen(&normals);
    for k in (0..3).filter(|&k| e.values[k] > WITHOUT_NORMALS) {
        along -= outer(e.vectors.col(k), e.vectors.col(k));
    }
    along
}

/// What the moments of a step are measured in: a frame that moves at a constant velocity V, and is where the laboratory is when the step ends.
#[derive(Clone, Copy)]
struct Frame {
    velocity: DVec3,
    h: f64,
}

impl Frame {
    fn of(s: &Situation) -> Self {
        Self { velocity: s.frame(), h: s.h }
    }

    /// The laboratory.
    fn at_rest(s: &Situation) -> Self {
        Self { velocity: DVec3::ZERO, h: s.h }
    }

    /// Where a place that was at `x` so many steps before the end is seen.
    fn place(&self, x: DVec3, steps: f64) -> DVec3 {
        x + self.velocity * (steps * self.h)
    }

    fn velocity(&self, v: DVec3) -> DVec3 {
        v - self.velocity
    }
}

/// The moment of the impulse of a trapezoidal rule that ends at (x₁, v₁) and weighs the forces at both ends with `weight`, s.
///
/// The rule knows the forces of contacts at the end alone, and there with twice the weight. They act on the whole way, which is h(vₙ + v₁)/2: in the middle of it their moment is that of a
/// body that keeps its attitude, and at the end they would tip over whatever slides. Between bodies they have no moment, wherever they are.
fn trapezoid(
    (about, frame): (About, Frame),
    s: &Situation,
    evaluator: &mut Evaluator,
    Span { weight, left, end: (x, v) }: Span,
    scratch: &mut [DVec3],
) -> DVec3 {
    let (start, model) = (s.state, s.model);
    let impulse = |i: usize| v[i] - start.v[i];
    let (begins, ends) = (|i: usize| frame.place(start.x[i], 1.0), |i: usize| frame.place(x[i], left));
    evaluator.component_gradient(model, s.component, s.pose.at(&start.x), scratch);
    let force = |i: usize| scratch[i] * (-weight / model.masses[i]);
    let first = angular(s, about, begins, force);
    let rest = |i: usize| impulse(i) - force(i);
    let pressed = s.pose.contacts.of_group(s.members, &model.topology.labels).next().is_some();
    if s.members.len() > 1 || !pressed {
        return first + angular(s, about, ends, rest);
    }
    let middle = |i: usize| (begins(i) + ends(i)) * 0.5;
    let rest = angular(s, about, middle, rest);
    evaluator.component_gradient(model, s.component, s.pose.at(x), scratch);
    let force = |i: usize| scratch[i] * (-weight / model.masses[i]);
    first + rest + angular(s, about, ends, force) - angular(s, about, middle, force)
}

/// What a trapezoidal rule spans.
struct Span<'a> {
    /// How it weighs the forces at both ends, s.
    weight: f64,
    /// How much of the step is left at its end.
    left: f64,
    /// x and v there.
    end: (&'a [DVec3], &'a [DVec3]),
}

/// L* of a supported body from the candidate (x₁, v₁) of `rule`.
pub(super) fn supported_carrier(
    s: &Situation,
    rule: Integrator,
    evaluator: &mut Evaluator,
    at: &PhasePoint,
    scratch: &mut [DVec3],
) -> Carrier {
    let state = s.state;
    let targets = state.controls.targets();
    let center = s.component.support_center(&state.x, targets).unwrap_or_else(|| {
        Sums::new(s.model, s.component, DVec3::ZERO, &state.x, &state.v).moment / s.component.mass
    });
    let frame = Frame::at_rest(s);
    let angular = impulse_about((About::Point(center), frame), s, rule, evaluator, at, scratch);
    Carrier::held(center, DMat3::IDENTITY, angular)
}

/// L* about a point or the centre of mass from the candidate (x₁, v₁) of `rule`, seen from a frame.
fn impulse_about(
    (about, frame): (About, Frame),
    s: &Situation,
    rule: Integrator,
    evaluator: &mut Evaluator,
    PhasePoint { x, v }: &PhasePoint,
    scratch: &mut [DVec3],
) -> DVec3 {
    let state = s.state;
    let start = |i: usize| frame.place(state.x[i], 1.0);
    let before = angular(s, about, start, |i| frame.velocity(state.v[i]));
    let impulse = |i: usize| v[i] - state.v[i];
    let middle = |i: usize| (start(i) + x[i]) * 0.5;
    match rule {
        Integrator::ForwardEuler | Integrator::SymplecticEuler => before + angular(s, about, start, impulse),
        Integrator::ImplicitMidpoint | Integrator::DiscreteGradient => {
            before + angular(s, about, middle, impulse)
        }
        Integrator::GeneralizedAlpha { spectral_radius: rho } if s.has_past => {
            // m(v₁ − vₙ) = h γ/(1−αₘ) f + h (1 − γ/(1−αₘ)) m aₙ, 1 − αₘ = (2−ρ)/(1+ρ).
            let beta = 1.0 / (1.0 + rho);
            let carried = s.h * (1.0 - 0.5 * (3.0 - rho) / (2.0 - rho));
            let last = |i: usize| state.history.a[i] * carried;
            before
                + angular(s, about, start, last)
                + angular(s, about, |i| x[i] * beta + start(i) * (1.0 - beta), |i| impulse(i) - last(i))
        }
        Integrator::GeneralizedAlpha { .. } => before + angular(s, about, middle, impulse),
        Integrator::Newmark => {
            let whole = Span { weight: 0.5 * s.h, left: 0.0, end: (x, v) };
            before + trapezoid((about, frame), s, evaluator, whole, scratch)
        }
        Integrator::Sdirk2 => {
            let (x1, v1) = s.stage;
            let first = |i: usize| (v1[i] - state.v[i]) * ((1.0 - D) / D);
            before
                + angular(s, about, |i| frame.place(x1[i], 1.0 - D), first)
                + angular(s, about, |i| x[i], |i| impulse(i) - first(i))
        }
        Integrator::TrBdf2 => {
            let first = Span { weight: D * s.h, left: 1.0 - 2.0 * D, end: s.stage };
            let (_, v1) = s.stage;
            let inner = before + trapezoid((about, frame), s, evaluator, first, scratch);
            let gained = |i: usize| {
                frame.velocity(v[i]) - frame.velocity(v1[i]) * HAT.0 + frame.velocity(state.v[i]) * HAT.1
            };
            inner * HAT.0 - before * HAT.1 + angular(s, about, |i| x[i], gained)
        }
        Integrator::Bdf2 if s.has_past => {
            let (x0, v0) = (&state.history.x, &state.history.v);
            let earlier = angular(s, about, |i| frame.place(x0[i], 2.0), |i| frame.velocity(v0[i]));
            let rest = angular(s, about, |i| x[i], |i| v[i] - (state.v[i] * 4.0 - v0[i]) / 3.0);
            (before * 4.0 - earlier) / 3.0 + rest
        }
        Integrator::BackwardEuler | Integrator::Bdf2 => before + angular(s, about, |i| x[i], impulse),
    }
}
