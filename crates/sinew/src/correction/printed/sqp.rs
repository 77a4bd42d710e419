//! Eqs 3–6: the exact solution of Eq. 2 by Newton's method on the full KKT system. Dense, for small systems.
//!
//! [D + Σλᵢ∇²cᵢ, ∇c; ∇cᵀ, 0] [Δq; λ] = −[D(q − q_{n+1}); c]. It allocates and is slow: it is the reference for the fast projection, not a way
//! to simulate.

use super::{EPSILON, Problem, Slack, TOLERANCE, vertex_gradients};
use crate::correction::{CorrectionReport, PhasePoint, Situation, Tools};
use crate::energy::HessianKind;
use crate::math::hat;
use crate::model::Model;
use faer::linalg::solvers::Solve;
use faer::{Col, Mat};
use glam::DVec3;

/// Largest model that the dense solve accepts.
pub(crate) const MOST_VERTICES: usize = 300;
const ITERATIONS: usize = 40;

/// Buffer: ∇E, #V.
#[derive(Debug)]
pub(crate) struct SqpWork {
    gradient: Vec<DVec3>,
}

/// An iterate of Newton's method, and what it is compared with.
struct Iterate<'a> {
    problem: &'a Problem,
    /// Vertices that can move.
    free: &'a [usize],
    /// Places and velocities of the candidate at those vertices.
    candidate: &'a [(DVec3, DVec3)],
    x: &'a [DVec3],
    v: &'a [DVec3],
    slack: Slack,
    /// Multipliers and constraints.
    lambda: [f64; 7],
    c: [f64; 7],
}

impl SqpWork {
    pub fn new(model: &Model) -> Self {
        Self { gradient: vec![DVec3::ZERO; model.points()] }
    }

    pub fn project(
        &mut self,
        s: &Situation,
        tools: &mut Tools,
        PhasePoint { x, v }: &mut PhasePoint,
    ) -> CorrectionReport {
        let problem = Problem::new(s, tools, x, v);
        let free: Vec<usize> = s.vertices().filter(|&i| !s.model.dofs.is_pinned(i)).collect();
        let candidate: Vec<(DVec3, DVec3)> = free.iter().map(|&i| (x[i], v[i])).collect();
        let mut slack = Slack::default();
        let mut lambda = [0.0; 7];
        let mut report = CorrectionReport { energy_evaluations: 1, ..CorrectionReport::default() };
        let mut last_step = f64::INFINITY;
        loop {
            let c = problem.constraints(s, tools, x, v, slack);
            report.energy_evaluations += 1;
            let norm: f64 = c.iter().map(|c| c.abs()).sum();
            // Converged when the constraints hold and the last step was of their order of magnitude.
            if norm < TOLERANCE && last_step < 1e-6 {
                return report;
            }
            if report.iterations == ITERATIONS || !norm.is_finite() {
                report.fallbacks = 1;
                return report;
            }
            report.iterations += 1;
            report.gradient_evaluations += 1;
            let pose = s.pose.at(x);
            tools.evaluator.component_gradient(s.model, s.component, pose, &mut self.gradient);
            let at =
                Iterate { problem: &problem, free: &free, candidate: &candidate, x, v, slack, lambda, c };
            let (matrix, rhs) = self.kkt(s, &at);
            let solution: Col<f64> = matrix.partial_piv_lu().solve(&rhs);
            last_step = 0.0;
            let n = free.len();
            for (k, &i) in free.iter().enumerate() {
                let pick =
                    |first: usize| DVec3::new(solution[first], solution[first + 1], solution[first + 2]);
                let (dx, dv) = (pick(3 * k), pick(3 * (n + k)));
                x[i] += dx;
                v[i] += dv;
                last_step += s.model.masses[i] * (dx.length_squared() + s.h * s.h * dv.length_squared());
            }
            last_step = last_step.sqrt();
            slack.s += solution[6 * n];
            slack.t += solution[6 * n + 1];
            for (k, l) in lambda.iter_mut().enumerate() {
                *l = solution[6 * n + 2 + k];
            }
        }
    }

    /// The KKT matrix and right-hand side of Eq. 6.
    fn kkt(&self, s: &Situation, at: &Iterate) -> (Mat<f64>, Col<f64>) {
        let Iterate { problem, free, candidate, x, v, slack, lambda, c } = *at;
        let n = free.len();
        let size = 6 * n + 9;
        let h2 = s.h * s.h;
        let mut matrix = Mat::<f64>::zeros(size, size);
        let mut rhs = Col::<f64>::zeros(size);
        let spin = hat(DVec3::new(lambda[4], lambda[5], lambda[6]));
        for (k, &i) in free.iter().enumerate() {
            let m = s.model.masses[i];
            let g = vertex_gradients(m, x[i], v[i], self.gradient[i]);
            let (ax, av) = ((x[i] - candidate[k].0) * m, (v[i] - candidate[k].1) * (h2 * m));
            for d in 0..3 {
                let (px, pv) = (3 * k + d, 3 * (n + k) + d);
                matrix[(px, px)] += m;
                matrix[(pv, pv)] += h2 * m + lambda[0] * m;
                // ∂²(λ·(x×v))/∂x∂v = −hat(λ).
                for e in 0..3 {
                    let cross = -m * spin.col(e)[d];
                    matrix[(px, 3 * (n + k) + e)] += cross;
                    matrix[(3 * (n + k) + e, px)] += cross;
                }
                for a in 0..7 {
                    let row = 6 * n + 2 + a;
                    (matrix[(px, row)], matrix[(row, px)]) = (g[a].0[d], g[a].0[d]);
                    (matrix[(pv, row)], matrix[(row, pv)]) = (g[a].1[d], g[a].1[d]);
                }
                rhs[px] = -ax[d];
                rhs[pv] = -av[d];
            }
        }
        self.add_hessian(s, free, x, lambda[0], &mut matrix);
        for (row, value) in [(6 * n, slack.s), (6 * n + 1, slack.t)] {
            matrix[(row, row)] = EPSILON;
            rhs[row] = -EPSILON * value;
        }
        for d in 0..3 {
            for (row, column, value) in [
                (6 * n, 6 * n + 3 + d, -problem.linear.1[d]),
                (6 * n + 1, 6 * n + 6 + d, -problem.angular.1[d]),
            ] {
                matrix[(row, column)] = value;
                matrix[(column, row)] = value;
            }
        }
        for (a, c) in c.iter().enumerate() {
            rhs[6 * n + 2 + a] = -c;
        }
        (matrix, rhs)
    }

    /// λ_H ∇²E in the block of the positions.
    fn add_hessian(&self, s: &Situation, free: &[usize], x: &[DVec3], lambda: f64, matrix: &mut Mat<f64>) {
        let mut local = vec![usize::MAX; s.model.points()];
        for (k, &i) in free.iter().enumerate() {
            local[i] = k;
        }
        let pose = s.pose.at(x);
        for &batch in &s.component.energies {
            s.model.energies[batch].hessian(pose, HessianKind::Exact, &mut |i, j, block| {
                let (p, q) = (local[i as usize], local[j as usize]);
                if p == usize::MAX || q == usize::MAX {
                    return;
                }
                for (column, values) in block.to_cols_array_2d().iter().enumerate() {
                    for (row, value) in values.iter().enumerate() {
                        matrix[(3 * p + row, 3 * q + column)] += lambda * value;
                        if i != j {
                            matrix[(3 * q + column, 3 * p + row)] += lambda * value;
                        }
                    }
                }
            });
        }
    }
}
