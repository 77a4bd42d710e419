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
//! * A trust radius bounds every move, and a chain of fallbacks ([`super::fallback`]) ends in a state that always exists.
//!
//! If (xₙ, vₙ) is finite with Hₙ ≤ H_total, the result is finite with H ≤ H_total + 1e-9 of the energy scale, and P and
//! L of a free component are exact. That H is met and that nothing locks is measured, not proven.

use super::backward_euler;
use super::carrier::{Carrier, Split, Sums};
use super::impulse::{Parabola, guided_carrier, supported_carrier};
use super::metric::{Metric, Touching};
use super::trial::{first_root, next_trial};
use super::{CorrectionReport, Situation};
use crate::contact::Support;
use crate::integrator::Integrator;
use crate::model::{Evaluator, Model};
use crate::settings::SettingsError;
use crate::skeleton::Rig;
use crate::solver::Systems;
use glam::DVec3;

/// Settings of the projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fepr {
    /// τ of the metric M + τh²L. 0 is the paper's metric; 1, the default, keeps the motion alive.
    pub smoothing: f64,
}

impl Default for Fepr {
    fn default() -> Self {
        Self { smoothing: 1.0 }
    }
}

/// Scaling of w that ends the iteration. Chosen among 0.05 to 0.1 by the evaluations it costs on the free cube; its effect on
/// how much motion a trampoline keeps is within the scatter described at [`EASE`].
const NARROW: f64 = 0.075;
/// Residual, as a share of the energy scale, that counts as met.
pub(super) const MET: f64 = 5e-10;
/// Iterations before the fallbacks; a trampoline with 20 iterations of Projective Dynamics needs 2 in the mean.
const ITERATIONS: usize = 10;
/// Energy evaluations of one line search.
const TRIALS: usize = 3;
/// Share of the residual that may be left for the next linearisation: above it another trial along the same direction is
/// cheaper than a gradient and a solve.
const PROGRESS: f64 = 0.05;
/// Trust radius in units of h√(2Es): the distance that the whole energy could move the body.
const REACH: f64 = 8.0;
/// ν of the velocity metric D_v = νh²M where energy is missing: what damping took is rather given back as motion than
/// as strain. Chosen on the 61 × 61 trampoline among 1, 0.5, 0.25 and 0.1, which kept 0.81, 0.79, 0.90 and 1.00 of the kinetic
/// energy over 10 s but 0.92, 0.82, 0.91 and 0.72 over 20 s: scatter, not a trend. Means over 2 s wander between 0.3 and 0.5 J at
/// 20 iterations of Projective Dynamics, whatever the constant. What 0.1 did save is evaluations, 5.7 to 4.7 a step.
const EASE: f64 = 0.1;
/// Energy scale of a body at rest, as a share of stiffness × size²: what rounding stores, over [`MET`].
const ROUNDING: f64 = 1e-21;
/// How much of L the true Hessian is, for the first guess of a step length.
const STIFFNESS_SHARE: f64 = 0.5;
/// A deformation velocity with less than this share of the energy scale is rounding and is not amplified.
const NOISE: f64 = 1e-18;

/// Memory of the projection.
#[derive(Debug)]
pub(crate) struct FeprWork {
    /// D_x.
    metric: Metric,
    /// M + h²L for backward-Euler restarts; `None` where D_x is that already.
    restart: Option<Metric>,
    pub(super) arrays: Arrays,
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
    pub gradient: Vec<DVec3>,
    pub direction: Vec<DVec3>,
    /// Energy of each batch where it was last measured, and at the iterate, J.
    pub values: Vec<f64>,
    pub kept_values: Vec<f64>,
    pub rig: Rig,
}

/// Where an iterate stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub split: Split,
    /// E, J.
    energy: f64,
    /// H_total − E − K(vᵣ): what K(w) should be.
    pub need: f64,
    /// K(w) − need.
    pub residual: f64,
}

impl Standing {
    fn new(budget: f64, energy: f64, split: Split) -> Self {
        let need = budget - energy - split.rigid_energy;
        Self { split, energy, need, residual: split.deformation_energy - need }
    }

    /// √(need/K(w)): what w has to be multiplied by.
    pub fn alpha(&self) -> f64 {
        (self.need / self.split.deformation_energy).sqrt()
    }

    /// Whether scaling w by at most `width` does it.
    pub fn within(&self, width: f64) -> bool {
        self.need > 0.0 && (self.alpha() - 1.0).abs() <= width
    }
}

/// One projection in progress.
pub(super) struct Projection<'a> {
    pub s: &'a Situation<'a>,
    pub carrier: Carrier,
    /// Es, J.
    pub scale: f64,
    /// Longest move of one iteration, in the metric.
    radius: f64,
    /// Whether `gradient` holds ∇E at the iterate already.
    gradient_is_fresh: bool,
    pub report: CorrectionReport,
}

impl FeprWork {
    pub fn new(model: &Model, systems: &mut Systems, settings: &Fepr, h: f64) -> Result<Self, SettingsError> {
        let zeros = || vec![DVec3::ZERO; model.points()];
        Ok(Self {
            metric: Metric::new(model, systems, settings.smoothing * h * h)?,
            restart: if settings.smoothing == 1.0 { None } else { Some(Metric::new(model, systems, h * h)?) },
            arrays: Arrays {
                x: zeros(),
                w: zeros(),
                trial_x: zeros(),
                witness_x: zeros(),
                witness_v: zeros(),
                gradient: zeros(),
                direction: zeros(),
                values: vec![0.0; model.energies.len()],
                kept_values: vec![0.0; model.energies.len()],
                rig: Rig::new(model),
            },
        })
    }

    /// Projects the candidate (x, v) of a group.
    pub fn project(
        &mut self,
        s: &Situation,
        evaluator: &mut Evaluator,
        touching: &mut Touching,
        (x, v): (&mut [DVec3], &mut [DVec3]),
        potentials: &mut [f64],
    ) -> CorrectionReport {
        self.arrays.rig.drive(s.model, s.state, s.h);
        let scale = energy_scale(s, evaluator, &mut self.arrays.gradient);
        let parabola = (s.support == Support::Free).then(|| Parabola::new(s));
        let a = &mut self.arrays;
        match &parabola {
            Some(parabola) => parabola.witness(s, &mut a.witness_x, &mut a.witness_v),
            None => {
                for i in s.vertices() {
                    // Bones that are moved by hand are where they are put.
                    let pinned = s.model.dofs.is_pinned(i);
                    a.witness_x[i] = if pinned { s.predicted[i] } else { s.state.x[i] };
                    a.witness_v[i] = s.state.v[i];
                }
            }
        }
        let mut report = CorrectionReport::default();
        let mut rule = s.integrator;
        let mut restarted = false;
        if !s.vertices().all(|i| x[i].is_finite() && v[i].is_finite()) {
            restarted = true;
            rule = Integrator::BackwardEuler;
            report.fallbacks = 1;
            if !self.restart(s, evaluator, touching, (x, v), &mut report) {
                return self.hold(s, evaluator, report, (x, v), potentials);
            }
        }
        loop {
            let speed = self.pull_back(s, scale, (x, v));
            let carrier = match &parabola {
                Some(parabola) => parabola.carrier(),
                None if s.component.grounded => Carrier::fixed(),
                None if s.support == Support::Touched => {
                    guided_carrier(s, rule, evaluator, (x, v), &mut self.arrays.gradient)
                }
                None => supported_carrier(s, rule, evaluator, (x, v), &mut self.arrays.gradient),
            };
            let mut p = Projection { s, carrier, scale, radius: 0.0, gradient_is_fresh: false, report };
            let a = &mut self.arrays;
            p.load(x, v, a);
            let mut standing = p.measure_candidate(rule, evaluator, a);
            let bounced = !p.met(&standing)
                && s.support == Support::Touched
                && p.is_all_bones()
                && p.bounce(&mut standing, a);
            if !bounced && !p.met(&standing) {
                let metric = &mut self.metric;
                let squared = metric.squared_length(s, |i| x[i] - a.witness_x[i]).max(0.0) + speed;
                p.radius = squared.sqrt().max(1e-3 * s.h * (2.0 * scale).sqrt());
                p.iterate_to_budget(&mut standing, evaluator, (metric, touching), a);
            }
            if p.met(&standing) || p.salvage(&mut standing, a) {
                p.finish(&standing, a, (x, v), potentials);
                return p.report;
            }
            report = p.report;
            report.fallbacks = 1;
            if !restarted {
                restarted = true;
                rule = Integrator::BackwardEuler;
                if self.restart(s, evaluator, touching, (x, v), &mut report) {
                    continue;
                }
            }
            let mut p = Projection { s, carrier, scale, radius: 0.0, gradient_is_fresh: false, report };
            let a = &mut self.arrays;
            if let Some(found) = p.walk_to_witness(evaluator, (x, v), a) {
                p.finish(&found, a, (x, v), potentials);
                return p.report;
            }
            let report = p.report;
            return self.hold(s, evaluator, report, (x, v), potentials);
        }
    }

    /// Replaces the candidate by a backward-Euler one.
    fn restart(
        &mut self,
        s: &Situation,
        evaluator: &mut Evaluator,
        touching: &mut Touching,
        candidate: (&mut [DVec3], &mut [DVec3]),
        report: &mut CorrectionReport,
    ) -> bool {
        let metric = self.restart.as_mut().unwrap_or(&mut self.metric);
        let a = &mut self.arrays;
        let scratch = [&mut a.gradient[..], &mut a.direction[..], &mut a.trial_x[..]];
        let found = backward_euler::candidate(
            s,
            evaluator,
            (metric, touching),
            candidate,
            scratch,
            &mut a.rig,
            &mut a.values,
        );
        if let Some((energies, gradients)) = found {
            report.energy_evaluations += energies;
            report.gradient_evaluations += gradients;
        }
        found.is_some()
    }

    /// Pulls a candidate that is further from the witness than the energy could have carried it back to that radius;
    /// returns the share of the velocities in the squared distance that is left. The radius is measured by mass alone: the smoothed
    /// metric would see the rotation of a spinning body as a stretch.
    fn pull_back(&mut self, s: &Situation, scale: f64, (x, v): (&mut [DVec3], &mut [DVec3])) -> f64 {
        let a = &self.arrays;
        let (mut place, mut speed) = (0.0, 0.0);
        for i in s.vertices() {
            place += s.model.masses[i] * x[i].distance_squared(a.witness_x[i]);
            speed += s.model.masses[i] * v[i].distance_squared(a.witness_v[i]) * (s.h * s.h);
        }
        let distance = (place + speed).sqrt();
        // Contacts that push something out of where it should not be carry it, too.
        let contacts = s.pose.contacts;
        let pressed: f64 = s.members.iter().map(|&c| contacts.value(c, &s.state.x)).sum();
        let limit = REACH * s.h * (2.0 * (scale + pressed)).sqrt();
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

/// Es = K (about the centre of mass if free) + Σ|E| + |F|R at the start of the step, F the weight and every external force of
/// the user's own: what a small energy is small to.
fn energy_scale(s: &Situation, evaluator: &mut Evaluator, force: &mut [DVec3]) -> f64 {
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
    let mut pull = mass * s.model.gravity.length();
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
    let rounding = s.component.size + s.vertices().next().map_or(0.0, |i| s.state.x[i].length());
    scale.max(ROUNDING * s.component.stiffness * rounding * rounding).max(f64::MIN_POSITIVE)
}

impl Projection<'_> {
    /// Takes over a candidate; a free body is shifted so that its centre of mass is on the parabola.
    fn load(&self, x: &[DVec3], v: &[DVec3], a: &mut Arrays) {
        let mut shift = DVec3::ZERO;
        if self.carrier.is_free() {
            let moment: DVec3 =
                self.s.vertices().map(|i| (x[i] - self.carrier.center) * self.s.model.masses[i]).sum();
            shift = -moment / self.s.component.mass;
        }
        for i in self.s.vertices() {
            a.x[i] = x[i] + shift;
            a.w[i] = v[i];
        }
        self.s.make_rigid(&mut a.rig, &mut a.x, Some(&mut a.w));
    }

    /// E at `x`, with the value of each batch left in `values`.
    fn weigh(&mut self, evaluator: &mut Evaluator, x: &[DVec3], values: &mut [f64]) -> f64 {
        let pose = self.s.pose.at(x);
        self.report.energy_evaluations += 1;
        evaluator.component_value(self.s.model, self.s.component, pose, values)
    }

    /// As [`Self::measure_iterate`] for a new candidate. Rules that damp nearly always leave something to restore: then ∇E,
    /// which the first iteration needs, comes with E in one pass.
    fn measure_candidate(&mut self, rule: Integrator, evaluator: &mut Evaluator, a: &mut Arrays) -> Standing {
        if !matches!(rule, Integrator::BackwardEuler | Integrator::Bdf2) {
            return self.measure_iterate(evaluator, a);
        }
        let s = self.s;
        let split = self.carrier.split(s.model, s.component, &a.x, &mut a.w);
        let pose = s.pose.at(&a.x);
        let (values, gradient) = (&mut a.values, &mut a.gradient);
        let energy = evaluator.component_value_and_gradient(s.model, s.component, pose, values, gradient);
        self.report.gradient_evaluations += 1;
        self.gradient_is_fresh = true;
        self.keep_values(a);
        Standing::new(s.budget, energy, split)
    }

    /// Splits w at the iterate and weighs the energy there.
    pub fn measure_iterate(&mut self, evaluator: &mut Evaluator, a: &mut Arrays) -> Standing {
        let Arrays { x, w, values, .. } = &mut *a;
        let split = self.carrier.split(self.s.model, self.s.component, x, w);
        let energy = self.weigh(evaluator, x, values);
        self.keep_values(a);
        Standing::new(self.s.budget, energy, split)
    }

    /// Where the iterate would stand if x moved by −`step`·p and w were scaled.
    fn measure_trial(
        &mut self,
        step: f64,
        scale: f64,
        evaluator: &mut Evaluator,
        a: &mut Arrays,
    ) -> Standing {
        let Arrays { x, w, trial_x, direction, values, rig, .. } = a;
        let model = self.s.model;
        let sums = if !self.s.has_bones() {
            Sums::over(model, self.s.component, self.carrier.center, |i| {
                trial_x[i] = x[i] - direction[i] * step;
                (trial_x[i], w[i])
            })
        } else {
            self.s.vertices().for_each(|i| trial_x[i] = x[i] - direction[i] * step);
            self.s.make_rigid(rig, trial_x, None);
            Sums::new(model, self.s.component, self.carrier.center, trial_x, w)
        };
        let energy = self.weigh(evaluator, trial_x, values);
        Standing::new(self.s.budget, energy, self.carrier.foresee(&sums, scale))
    }

    /// Remembers the energies of the last measurement as those of the iterate.
    fn keep_values(&self, a: &mut Arrays) {
        for &k in &self.s.component.energies {
            a.kept_values[k] = a.values[k];
        }
    }

    /// Whether the closed form may finish: w needs little scaling, or r is small, or r is what rounding makes of E.
    fn met(&self, standing: &Standing) -> bool {
        let component = self.s.component;
        let rounding = f64::EPSILON * component.stiffness * component.size * component.size;
        standing.within(NARROW) || standing.residual.abs() <= MET * self.scale + rounding
    }

    /// Iterates until the closed form can finish or nothing is gained any more.
    fn iterate_to_budget(
        &mut self,
        standing: &mut Standing,
        evaluator: &mut Evaluator,
        (metric, touching): (&mut Metric, &mut Touching),
        a: &mut Arrays,
    ) {
        let mut smooth = true;
        for _ in 0..ITERATIONS {
            if self.met(standing) {
                return;
            }
            if !self.iterate(standing, smooth, evaluator, (metric, touching), a) {
                // Too much strain that slow modes cannot relieve sits in fast ones: the plain metric reaches those.
                if !smooth || standing.residual < 0.0 {
                    return;
                }
                smooth = false;
            }
        }
    }

    /// One linearised step with a line search, in the smoothed or the plain metric. Returns whether it paid: the residual fell by a quarter.
    fn iterate(
        &mut self,
        standing: &mut Standing,
        smooth: bool,
        evaluator: &mut Evaluator,
        (metric, touching): (&mut Metric, &mut Touching),
        a: &mut Arrays,
    ) -> bool {
        let s = self.s;
        self.report.iterations += 1;
        if !std::mem::take(&mut self.gradient_is_fresh) {
            self.report.gradient_evaluations += 1;
            let pose = s.pose.at(&a.x);
            evaluator.component_gradient(s.model, s.component, pose, &mut a.gradient);
        }
        self.add_rigid_gradient(standing, a);
        let curvature = if smooth {
            metric.solve_touching(s, touching, (&mut a.rig, &a.x), &a.gradient, &mut a.direction)
        } else {
            self.divide_by_mass(a)
        };
        let r = standing.residual;
        // D_v = νh²M.
        let h2 = s.h * s.h * if r < 0.0 { EASE } else { 1.0 };
        let slowing = 2.0 * standing.split.deformation_energy / h2;
        let sigma = curvature + slowing;
        if !(sigma > 0.0 && sigma.is_finite()) {
            return false;
        }
        // Length of the full step in the metric: (r/σ)²(pᵀD_x p + h²|w/h²|²_M) = r²/σ.
        let length = r.abs() / sigma.sqrt();
        let longest = self.radius / length;
        // Second order: K(w) is known exactly, E as if L were its Hessian.
        let bend = if smooth { self.elastic_bend(metric, curvature, a) } else { 0.0 }
            + standing.split.deformation_energy / (h2 * h2);
        let mut best: Option<(f64, Standing)> = None;
        let mut least = r.abs();
        let mut t = first_root(r, bend * (r / sigma).powi(2)).min(longest);
        for _ in 0..TRIALS {
            let step = t * r / sigma;
            let found = self.measure_trial(step, 1.0 - step / h2, evaluator, a);
            // NaN is never less.
            if found.residual.abs() < least {
                least = found.residual.abs();
                best = Some((t, found));
                self.keep_values(a);
                if self.met(&found) || found.residual.abs() <= PROGRESS * r.abs() {
                    break;
                }
            }
            t = next_trial(t, r, found.residual, longest);
        }
        let Some((t, found)) = best else { return false };
        let step = t * r / sigma;
        for i in s.vertices() {
            a.x[i] -= a.direction[i] * step;
            a.w[i] *= 1.0 - step / h2;
        }
        s.make_rigid(&mut a.rig, &mut a.x, Some(&mut a.w));
        let split = self.carrier.split(s.model, s.component, &a.x, &mut a.w);
        *standing = Standing::new(s.budget, found.energy, split);
        least <= 0.75 * r.abs()
    }

    /// p ← M⁻¹g, the plain metric; returns gᵀp.
    fn divide_by_mass(&self, a: &mut Arrays) -> f64 {
        let mut product = 0.0;
        for i in self.s.vertices() {
            a.direction[i] = a.gradient[i] / self.s.model.masses[i];
            product += a.direction[i].dot(a.gradient[i]);
        }
        if self.s.has_bones() {
            // Bones follow what they can.
            self.s.make_followable(&mut a.rig, &a.x, &mut a.direction);
            product = self.s.vertices().map(|i| a.gradient[i].dot(a.direction[i])).sum();
        }
        product
    }

    /// ½pᵀLp for p = D_x⁻¹g: half of (pᵀD_x p − pᵀMp)/(τh²).
    fn elastic_bend(&self, metric: &Metric, curvature: f64, a: &Arrays) -> f64 {
        let stiffness = metric.stiffness_factor();
        if stiffness == 0.0 {
            return 0.0;
        }
        let inertia: f64 =
            self.s.vertices().map(|i| self.s.model.masses[i] * a.direction[i].length_squared()).sum();
        0.5 * STIFFNESS_SHARE * (curvature - inertia).max(0.0) / stiffness
    }

    /// ∇K(vᵣ) at fixed momenta: with K = ½bᵀA⁻¹b, b the momenta, ∂K/∂xᵢ = mᵢ ω×vᵣ. A free body's drift has no part in it, and its
    /// centre of mass stays: the mean is taken out.
    fn add_rigid_gradient(&self, standing: &Standing, a: &mut Arrays) {
        let s = self.s;
        let omega = standing.split.omega;
        let mut sum = DVec3::ZERO;
        for i in s.vertices() {
            if s.model.dofs.is_pinned(i) {
                a.gradient[i] = DVec3::ZERO;
                continue;
            }
            let turning = standing.split.drift + omega.cross(a.x[i] - self.carrier.center);
            a.gradient[i] += omega.cross(turning) * s.model.masses[i];
            sum += a.gradient[i];
        }
        if self.carrier.is_free() {
            for i in s.vertices() {
                a.gradient[i] -= sum * (s.model.masses[i] / s.component.mass);
            }
        }
    }

    /// v = vᵣ + αw at the iterate: the energy is met to rounding.
    pub fn finish(
        &self,
        standing: &Standing,
        a: &Arrays,
        (x, v): (&mut [DVec3], &mut [DVec3]),
        potentials: &mut [f64],
    ) {
        let alpha = self.final_scaling(standing);
        for i in self.s.vertices() {
            x[i] = a.x[i];
            v[i] = if self.s.model.dofs.is_pinned(i) {
                DVec3::ZERO
            } else {
                self.carrier.rigid_velocity(&standing.split, a.x[i]) + a.w[i] * alpha
            };
        }
        for &k in &self.s.component.energies {
            potentials[k] = a.kept_values[k];
        }
    }

    /// α, where there is something to scale; at most 1.5, so that noise is not blown up.
    fn final_scaling(&self, standing: &Standing) -> f64 {
        if standing.split.deformation_energy <= NOISE * self.scale {
            return if standing.need > 0.0 { 1.0 } else { 0.0 };
        }
        if standing.need > 0.0 { standing.alpha().min(super::fallback::WIDE_ABOVE) } else { 0.0 }
    }
}
