//! Eqs 8–14: repeated projection onto the linearised constraints from the current iterate.
//!
//! S λ = c with the 7×7 matrix S = ∇cᵀD⁻¹∇c, q ← q − D⁻¹∇c λ, until ‖c‖₁ < 1e-7. A singular S is regularised by
//! 1e-7·I as in [wu2021].

use super::{EPSILON, Problem, Slack, TOLERANCE, vertex_gradients};
use crate::correction::{CorrectionReport, PhasePoint, Situation, Tools};
use crate::model::Model;
use glam::DVec3;

/// Iterations before a step counts as failed.
const ITERATIONS: usize = 50;

/// Buffer: ∇E, #V.
#[derive(Debug)]
pub(crate) struct FastWork {
    gradient: Vec<DVec3>,
}

impl FastWork {
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
        let mut slack = Slack::default();
        let mut report = CorrectionReport { energy_evaluations: 1, ..CorrectionReport::default() };
        loop {
            let c = problem.constraints(s, tools, x, v, slack);
            report.energy_evaluations += 1;
            let norm: f64 = c.iter().map(|c| c.abs()).sum();
            if norm < TOLERANCE {
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
            let schur = self.schur_complement(s, &problem, x, v);
            let lambda = solve(schur, c);
            self.step(s, &problem, lambda, (x, v), &mut slack);
        }
    }

    /// S = ∇cᵀD⁻¹∇c.
    fn schur_complement(&self, s: &Situation, problem: &Problem, x: &[DVec3], v: &[DVec3]) -> [[f64; 7]; 7] {
        let h2 = s.h * s.h;
        let mut matrix = [[0.0; 7]; 7];
        for i in s.vertices().filter(|&i| !s.model.dofs.is_pinned(i)) {
            let m = s.model.masses[i];
            let g = vertex_gradients(m, x[i], v[i], self.gradient[i]);
            for a in 0..7 {
                for b in 0..7 {
                    matrix[a][b] += (g[a].0.dot(g[b].0) + g[a].1.dot(g[b].1) / h2) / m;
                }
            }
        }
        for a in 0..3 {
            for b in 0..3 {
                matrix[1 + a][1 + b] += problem.linear.1[a] * problem.linear.1[b] / EPSILON;
                matrix[4 + a][4 + b] += problem.angular.1[a] * problem.angular.1[b] / EPSILON;
            }
        }
        matrix
    }

    /// q ← q − D⁻¹∇c λ.
    fn step(
        &self,
        s: &Situation,
        problem: &Problem,
        lambda: [f64; 7],
        (x, v): (&mut [DVec3], &mut [DVec3]),
        slack: &mut Slack,
    ) {
        let h2 = s.h * s.h;
        for i in s.vertices().filter(|&i| !s.model.dofs.is_pinned(i)) {
            let m = s.model.masses[i];
            let g = vertex_gradients(m, x[i], v[i], self.gradient[i]);
            for k in 0..7 {
                x[i] -= g[k].0 * (lambda[k] / m);
                v[i] -= g[k].1 * (lambda[k] / (h2 * m));
            }
        }
        slack.s += problem.linear.1.dot(DVec3::new(lambda[1], lambda[2], lambda[3])) / EPSILON;
        slack.t += problem.angular.1.dot(DVec3::new(lambda[4], lambda[5], lambda[6])) / EPSILON;
    }
}

/// S⁻¹c. Where S is singular, 1e-7 on its diagonal as in [wu2021]; where that is lost in its large entries, ten times as much and so on.
fn solve(matrix: [[f64; 7]; 7], c: [f64; 7]) -> [f64; 7] {
    let largest = matrix.iter().flatten().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    let mut shift = 0.0;
    while shift <= largest.max(1e-7) && largest.is_finite() {
        let mut regular = matrix;
        regular.iter_mut().enumerate().for_each(|(d, row)| row[d] += shift);
        if let Some(solution) = eliminate(regular, c) {
            return solution;
        }
        shift = if shift == 0.0 { 1e-7 } else { 10.0 * shift };
    }
    [f64::NAN; 7]
}

/// Elimination with pivoting; `None` if a pivot vanishes.
fn eliminate(mut matrix: [[f64; 7]; 7], mut c: [f64; 7]) -> Option<[f64; 7]> {
    for k in 0..7 {
        let pivot = (k..7).max_by(|&a, &b| matrix[a][k].abs().total_cmp(&matrix[b][k].abs())).unwrap_or(k);
        matrix.swap(k, pivot);
        c.swap(k, pivot);
        if matrix[k][k].abs() < 1e-14 {
            return None;
        }
        for row in k + 1..7 {
            let factor = matrix[row][k] / matrix[k][k];
            for column in k..7 {
                matrix[row][column] -= factor * matrix[k][column];
            }
            c[row] -= factor * c[k];
        }
    }
    for k in (0..7).rev() {
        for column in k + 1..7 {
            c[k] -= matrix[k][column] * c[column];
        }
        c[k] /= matrix[k][k];
    }
    Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_singular_matrix_is_regularised_and_does_not_recurse_for_ever() {
        // Two equal rows among entries in which 1e-7 is lost.
        let mut matrix = [[0.0; 7]; 7];
        (0..7).for_each(|k| matrix[k][k] = 1e12);
        matrix[5] = [0.0, 0.0, 0.0, 0.0, 0.0, 1e12, 1e12];
        matrix[6] = matrix[5];
        assert!(solve(matrix, [1.0; 7]).iter().all(|value| value.is_finite()));
        matrix[0][0] = f64::INFINITY;
        assert!(solve(matrix, [1.0; 7]).iter().all(|value| value.is_nan()));
        assert_eq!(solve([[0.0; 7]; 7], [1.0; 7]), [1e7; 7]);
    }
}
