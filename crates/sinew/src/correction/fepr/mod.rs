//! Fast energy projection, the version that cannot explode.
//!
//! [dinev2018fepr, Eqs 8–14] projects (x, v) onto constant H, P and L by repeated 7×7 solves. As printed it takes its target from
//! the last state (an error becomes the next target), interpolates momenta that the base already got wrong, is
//! singular for a body that spins in its rest shape, and depends on units. Here instead:
//!
//! * The target is the ledger's budget, changed only by work and dissipation.
//! * The velocity is split into the rigid motion that carries the right momenta and a deformation w ([`Carrier`]): P and L
//!   hold at every iterate and one scalar equation is left, r = K(w) + K(vᵣ) + E(x) − H_total = 0.
//! * One iteration moves x along p = D_x⁻¹∇(E + K(vᵣ)) in a smoothed metric ([`Metric`]) and scales w in D_v = νh²M:
//!   (dx, dw) = −(r/σ)(p, w/νh²), σ = ∇·p + 2K(w)/νh², the minimal change that meets the linearised equation.
//! * As soon as w needs to be scaled by at most 5 %, it is: v = vᵣ + αw with α = √(need/K(w)) meets H to rounding.
//! * A trust radius bounds every move, and a ladder of attempts ([`LADDER`]) ends in a state that always exists.
//!
//! If (xₙ, vₙ) is finite with Hₙ ≤ H_total, the result is finite with H ≤ H_total + 1e-9 of the energy scale, and P and
//! L of a free component are exact. That H is met and that nothing locks is measured, not proven.

mod afloat;
mod bounce;
pub(super) mod constants;
mod fallback;
mod iterate;
mod lag;
mod projection;
mod resolved;
mod restart;
mod retreat;
mod scale;

use super::carrier::Carrier;
use super::impulse::{Parabola, guided_carrier, supported_carrier};
use super::metric::Metric;
use super::{CorrectionReport, PhasePoint, Rig, Situation, Tools};
use crate::budgets::Support;
use crate::dofs::Slot;
use crate::integrator::Integrator;
use crate::model::Model;
use crate::next::Candidate;
use crate::operator::Systems;
use crate::settings::error::SettingsError;
use constants::{MET, REACH};
use glam::DVec3;
use projection::Projection;
use scale::{energy_rounding, energy_scale};

/// Settings of the projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fepr {
    /// τ of the metric M + τh²L. 0 is the paper's metric; 1, the default, keeps the motion alive.
    pub smoothing: f64,
    /// How much of the missing energy a held body gets back.
    pub returns: Return,
}

/// How much of the energy that a step lost is given back to a held body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Return {
    /// All of it: H is met in every step. What a real body would turn into vibration too fast to see comes back as visible motion.
    #[default]
    Exact,
    /// What the rule can have taken from visible motion. The rest is booked as dissipated by [`Cause::Unresolved`](crate::Cause::Unresolved).
    Resolved,
}

impl Default for Fepr {
    fn default() -> Self {
        Self { smoothing: 1.0, returns: Return::Exact }
    }
}

/// What is tried, in this order, until something may be kept.
const LADDER: [Attempt; 4] =
    [Attempt::ProjectCandidate, Attempt::ProjectBackwardEuler, Attempt::WalkToWitness, Attempt::Hold];

/// The same for rigid bodies that a surface holds: they have one place to be, and a restart, which does not know friction, would let them slide.
const RIGID: [Attempt; 4] =
    [Attempt::ProjectCandidate, Attempt::SlowDown, Attempt::WalkToWitness, Attempt::Hold];

/// The same for flesh that rubs on a surface: a little excess is no reason for a restart without friction, which would lose what friction did in the step.
const ROUGH: [Attempt; 5] = [
    Attempt::ProjectCandidate,
    Attempt::EaseOff,
    Attempt::ProjectBackwardEuler,
    Attempt::WalkToWitness,
    Attempt::Hold,
];

/// One rung of the ladder. Whatever comes after the first counts as a fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    /// Project what the solver left.
    ProjectCandidate,
    /// Project a backward-Euler candidate that starts from xₙ.
    ProjectBackwardEuler,
    /// Stay there, and take what is too much out of all velocities, as seen from the frame of the surface.
    SlowDown,
    /// The same, if that is so little that nobody sees it.
    EaseOff,
    /// Take a point on the way from the candidate to a state that certainly has the right energy and momenta.
    WalkToWitness,
    /// Keep the old energy and momenta. This cannot fail.
    Hold,
}

/// Memory of the projection.
#[derive(Debug)]
pub(crate) struct FeprWork {
    /// D_x.
    metric: Metric,
    /// M + h²L for backward-Euler restarts; `None` where D_x is that already.
    restart: Option<Metric>,
    arrays: Arrays,
    returns: Return,
}

/// Scratch, #V each; only the vertices of the component at hand are used.
#[derive(Debug)]
pub(super) struct Arrays {
    /// Positions and deformation velocity of the iterate.
    pub x: Vec<DVec3>,
    pub w: Vec<DVec3>,
    /// Positions of a trial step.
    pub trial_x: Vec<DVec3>,
    /// A state that certainly has the right energy and momenta.
    pub witness_x: Vec<DVec3>,
    pub witness_v: Vec<DVec3>,
    /// Of what only contacts hold: the direction in which they push it, and its velocity across that, m/s; see [`afloat`].
    pub course: Vec<DVec3>,
    pub drift: Vec<DVec3>,
    pub gradient: Vec<DVec3>,
    pub direction: Vec<DVec3>,
    /// Energy of each batch where it was last measured, and at the iterate, J.
    pub values: Vec<f64>,
    pub kept_values: Vec<f64>,
    pub rig: Rig,
}

/// What the rungs of the ladder hand on.
struct Climb {
    /// Es, J.
    scale: f64,
    parabola: Option<Parabola>,
    /// The momenta that the last projection aimed at.
    carrier: Option<Carrier>,
    /// H_total as the frame of the supports sees it, J.
    budget: f64,
    report: CorrectionReport,
}

impl Climb {
    /// Whether a result, measured as it is, has no more energy than there is. Where numbers are so large that sums lose their digits, an attempt can think so and be wrong.
    fn keeps(&self, s: &Situation, tools: &Tools, at: &PhasePoint) -> bool {
        let frame = s.frame();
        let moving = s.vertices().filter(|&i| !s.model.dofs.is_pinned(i));
        let kinetic: f64 = moving.map(|i| 0.5 * s.model.masses[i] * (at.v[i] - frame).length_squared()).sum();
        let energy = potential_at(s, tools, at);
        let excess = kinetic + energy - (self.budget - self.report.unresolved);
        excess <= 2.0 * MET * self.scale + energy_rounding(s, energy)
    }
}

impl FeprWork {
    pub fn new(model: &Model, systems: &mut Systems, settings: &Fepr, h: f64) -> Result<Self, SettingsError> {
        let zeros = || vec![DVec3::ZERO; model.points()];
        Ok(Self {
            metric: Metric::new(model, systems, settings.smoothing * h * h)?,
            restart: if settings.smoothing == 1.0 { None } else { Some(Metric::new(model, systems, h * h)?) },
            returns: settings.returns,
            arrays: Arrays {
                x: zeros(),
                w: zeros(),
                trial_x: zeros(),
                witness_x: zeros(),
                witness_v: zeros(),
                course: zeros(),
                drift: zeros(),
                gradient: zeros(),
                direction: zeros(),
                values: vec![0.0; model.energies.len()],
                kept_values: vec![0.0; model.energies.len()],
                rig: Rig::new(model),
            },
        })
    }

    /// How much it gives back.
    pub fn returns(&self) -> Return {
        self.returns
    }

    /// Projects the candidate of a group.
    pub fn project(&mut self, s: &Situation, tools: &mut Tools, at: &mut PhasePoint) -> CorrectionReport {
        let (before, after) = (&s.state.last_controls, &s.state.controls);
        self.arrays.rig.drive(s.model, before, after, s.h);
        self.arrays.rig.change_frame(s.model, s.frame());
        let candidate = s.momentum(at.v);
        let scale = energy_scale(s, tools.evaluator, &mut self.arrays.gradient);
        let parabola = (s.support == Support::Free).then(|| Parabola::new(s));
        self.find_witness(s, parabola.as_ref());
        let mut climb = Climb {
            scale,
            parabola,
            carrier: None,
            budget: s.budget_in_frame(candidate),
            report: CorrectionReport::default(),
        };
        if s.frozen {
            climb.report.fallbacks = 1;
            self.project_from(s.integrator, &mut climb, s, tools, at);
        }
        let rigid = s.support == Support::Pushed && is_touched(s) && is_all_bones(s);
        let ladder: &[Attempt] = match s.candidate {
            Candidate::Solved if rigid => &RIGID,
            Candidate::Solved if s.support == Support::Pushed && rubs(s) => &ROUGH,
            _ => &LADDER,
        };
        for &attempt in ladder.iter().filter(|_| !s.frozen) {
            if attempt != Attempt::ProjectCandidate {
                climb.report.fallbacks = 1;
            }
            if self.attempt(attempt, &mut climb, s, tools, at) && climb.keeps(s, tools, at) {
                break;
            }
        }
        if s.carry.is_some() {
            climb.report.driven += s.frame().dot(s.momentum(at.v) - candidate);
        }
        climb.report
    }

    /// Makes one attempt; returns whether its result, now in `at`, is to be kept.
    fn attempt(
        &mut self,
        attempt: Attempt,
        climb: &mut Climb,
        s: &Situation,
        tools: &mut Tools,
        at: &mut PhasePoint,
    ) -> bool {
        match attempt {
            Attempt::ProjectCandidate => {
                let usable = s.candidate == Candidate::Solved && at.is_finite(s);
                usable && self.project_from(s.integrator, climb, s, tools, at)
            }
            Attempt::ProjectBackwardEuler => {
                self.restart(s, tools, at, &mut climb.report)
                    && self.project_from(Integrator::BackwardEuler, climb, s, tools, at)
            }
            Attempt::SlowDown => {
                let allowed = climb.budget - climb.report.unresolved - potential_at(s, tools, at);
                let enough = allowed >= 0.0 && at.is_finite(s);
                if enough {
                    s.slow_to(allowed, at.v);
                }
                enough
            }
            Attempt::EaseOff => s.ease_off(tools, at, &mut climb.report),
            Attempt::WalkToWitness => {
                let Some(carrier) = climb.carrier else { return false };
                // The witness has the whole budget.
                climb.report.unresolved = 0.0;
                let mut p = Projection::new(s, carrier, climb);
                let found = p.walk_to_witness(tools.evaluator, at, &mut self.arrays);
                if let Some(found) = &found {
                    p.finish(found, &self.arrays, at, tools.potentials);
                }
                climb.report = p.report;
                found.is_some()
            }
            Attempt::Hold => {
                climb.report.unresolved = 0.0;
                self.hold(s, climb.budget, tools, at, &mut climb.report);
                true
            }
        }
    }

    /// Projects a candidate of `rule`; returns whether it met its budget, or nearly did.
    fn project_from(
        &mut self,
        rule: Integrator,
        climb: &mut Climb,
        s: &Situation,
        tools: &mut Tools,
        at: &mut PhasePoint,
    ) -> bool {
        let speed = if s.frozen { 0.0 } else { self.pull_back(s, climb.scale, at) };
        let scratch = &mut self.arrays.gradient;
        let carrier = match &climb.parabola {
            Some(parabola) => parabola.carrier(),
            None if s.component.grounded => Carrier::fixed(),
            None if s.support == Support::Pushed => guided_carrier(s, rule, tools.evaluator, at, scratch),
            None => supported_carrier(s, rule, tools.evaluator, at, scratch),
        };
        let mut p = Projection::new(s, carrier.in_frame(s, at.x), climb);
        let a = &mut self.arrays;
        p.load(at, a);
        let mut standing = p.measure_candidate(rule, tools.evaluator, a);
        p.free_the_swing(&mut standing, at, a);
        p.leave_unresolved(rule, &mut standing);
        climb.carrier = Some(p.carrier);

        let touched = is_touched(s);
        let rigid = touched && is_all_bones(s);
        if touched && !p.met(&standing) {
            p.bounce(&mut standing, &mut self.metric, at, a);
            if standing.residual < 0.0 {
                p.set_afloat(&mut standing, a);
            }
        }
        if !touched && !s.frozen {
            p.undo_the_lag(rule, &mut standing, tools.evaluator, a);
        }
        // A rigid body in contact has nowhere else to put energy.
        if !rigid && !s.frozen && !p.met(&standing) {
            let squared = self.metric.squared_length(s, |i| at.x[i] - a.witness_x[i]).max(0.0) + speed;
            p.radius = squared.sqrt().max(1e-3 * s.h * (2.0 * climb.scale).sqrt());
            p.iterate_to_budget(&mut standing, tools, &mut self.metric, a);
        }
        p.take_aboard(&mut standing, a);
        if p.met(&standing) {
            p.round_down(&mut standing, a);
        }
        let kept = p.met(&standing)
            || p.salvage(&mut standing, a)
            || ((rigid || s.frozen) && p.make_do(&mut standing, a));
        if kept {
            p.finish(&standing, a, at, tools.potentials);
        }
        climb.report = p.report;
        kept
    }

    /// A state that certainly has the right energy and momenta: the body turning about its parabola, or the start of the step.
    fn find_witness(&mut self, s: &Situation, parabola: Option<&Parabola>) {
        let a = &mut self.arrays;
        if let Some(parabola) = parabola {
            parabola.witness(s, &mut a.witness_x, &mut a.witness_v);
            return;
        }
        for i in s.vertices() {
            // Kinematic bones are where they are put.
            let carried = s.carry.map_or(s.state.x[i], |carry| carry.apply(s.state.x[i]));
            a.witness_x[i] = if s.model.dofs.is_pinned(i) { s.predicted[i] } else { carried };
            a.witness_v[i] = s.carry.map_or(s.state.v[i], |carry| carry.turn * s.state.v[i]);
        }
    }

    /// Pulls a candidate that is further from the witness than the energy could have carried it back to that radius;
    /// returns the share of the velocities in the squared distance that is left. The radius is measured by mass alone: the smoothed
    /// metric would see the rotation of a spinning body as a stretch.
    fn pull_back(&mut self, s: &Situation, scale: f64, at: &mut PhasePoint) -> f64 {
        let PhasePoint { x, v } = at;
        let a = &self.arrays;
        let (mut place, mut speed) = (0.0, 0.0);
        for i in s.vertices() {
            place += s.model.masses[i] * x[i].distance_squared(a.witness_x[i]);
            speed += s.model.masses[i] * v[i].distance_squared(a.witness_v[i]) * (s.h * s.h);
        }
        let distance = (place + speed).sqrt();
        let limit = REACH * s.h * (2.0 * scale).sqrt();
        if distance.is_nan() || distance > limit {
            let share = if distance.is_finite() { limit / distance } else { 0.0 };
            for i in s.vertices() {
                x[i] = a.witness_x[i] + (x[i] - a.witness_x[i]) * share;
                v[i] = a.witness_v[i] + (v[i] - a.witness_v[i]) * share;
            }
            speed *= share * share;
        }
        if speed.is_finite() { speed } else { 0.0 }
    }
}

/// E of the group where it was measured last, less what known forces have done on the way there, J.
fn potential_at(s: &Situation, tools: &Tools, at: &PhasePoint) -> f64 {
    let potential: f64 = s.component.energies.iter().map(|&k| tools.potentials[k]).sum();
    let work = s.pose.known.map_or(0.0, |known| known.value(&s.component.vertices, at.x));
    potential + work
}

/// Whether any contact presses on the group.
fn is_touched(s: &Situation) -> bool {
    s.pose.contacts.of_group(s.members, &s.model.topology.labels).next().is_some()
}

/// Whether a surface with friction presses on the group.
fn rubs(s: &Situation) -> bool {
    let mut rows = s.pose.contacts.of_group(s.members, &s.model.topology.labels);
    rows.any(|row| s.pose.contacts.meets_collider(row) && row.law.friction.sliding > 0.0)
}

/// Whether nothing in the group can deform.
fn is_all_bones(s: &Situation) -> bool {
    let slots = s.model.dofs.slots();
    s.has_bones() && s.vertices().all(|i| !matches!(slots[i], Slot::Free(_)))
}
