//! The iteration: minimal changes of (x, w) that meet the linearised energy equation.

use super::Arrays;
use super::constants::{EASE, ITERATIONS, PROGRESS, STIFFNESS_SHARE, TRIALS};
use super::projection::{Projection, Standing};
use crate::correction::Tools;
use crate::correction::metric::Metric;
use crate::correction::trial::{first_root, next_trial};
use glam::DVec3;

impl Projection<'_> {
    /// Iterates until the closed form can finish or nothing is gained any more.
    pub(super) fn iterate_to_budget(
        &mut self,
        standing: &mut Standing,
        tools: &mut Tools,
        metric: &mut Metric,
        a: &mut Arrays,
    ) {
        let mut smooth = true;
        for _ in 0..ITERATIONS {
            if self.met(standing) {
                return;
            }
            if !self.iterate(standing, smooth, tools, metric, a) {
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
        tools: &mut Tools,
        metric: &mut Metric,
        a: &mut Arrays,
    ) -> bool {
        let s = self.s;
        self.report.iterations += 1;
        if !std::mem::take(&mut self.gradient_is_fresh) {
            self.report.gradient_evaluations += 1;
            let pose = s.pose.at(&a.x);
            tools.evaluator.component_gradient(s.model, s.component, pose, &mut a.gradient);
        }
        // What contacts hold is held: a move along them changes E by the forces that are left.
        let labels = &s.model.topology.labels;
        s.pose.contacts.subtract_forces(s.members, labels, &mut a.gradient);
        self.add_rigid_gradient(standing, a);
        let curvature = if smooth {
            s.read_bones(&mut a.rig, &a.x);
            metric.solve_in_contact(s, tools.operators, &a.rig.frames, &a.gradient, &mut a.direction)
        } else {
            self.divide_by_mass(a)
        };
        let curvature = self.along_contacts(curvature, a);
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
            let found = self.measure_trial(step, 1.0 - step / h2, tools.evaluator, a);
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
        *standing = Standing::new(self.budget, found.energy, split);
        least <= 0.75 * r.abs()
    }

    /// Takes out of p what would open or close contacts; returns gᵀp.
    fn along_contacts(&self, curvature: f64, a: &mut Arrays) -> f64 {
        let s = self.s;
        let tangential = s.pose.contacts.make_tangential(s.model, s.members, &mut a.direction);
        if !(self.keep_on_course(a) | tangential) {
            return curvature;
        }
        s.vertices().map(|i| a.gradient[i].dot(a.direction[i])).sum()
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
            self.s.make_direction_rigid(&mut a.rig, &a.x, &mut a.direction);
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
}
