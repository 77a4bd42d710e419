//! g(x) = ½‖x − y‖²_M + αh² E(βx + z): the one objective of every implicit rule [dinev2018fepr, Eq. 15].
//!
//! ∇g = M(x − y) + αβh² ∇E(βx + z). The matrix of a quasi-Newton step is M + αβ²h² × (an approximation of ∇²E).

use crate::energy::Pose;
use crate::integrator::Rule;
use crate::model::{Evaluator, Model};
use glam::DVec3;

/// The objective of one step. All slices #V.
#[derive(Clone, Copy)]
pub(crate) struct Objective<'a> {
    pub model: &'a Model,
    pub rule: Rule,
    pub h: f64,
    /// Positions at the start of the step; z = (1 − β)xₙ.
    pub start: &'a [DVec3],
    /// The predictor.
    pub y: &'a [DVec3],
    pub targets: &'a [DVec3],
    /// Whether the rule is the discrete gradient's variant of the midpoint rule, which has no objective.
    pub discrete_gradient: bool,
}

/// Memory for evaluating an objective.
#[derive(Debug)]
pub(crate) struct ObjectiveWork {
    pub evaluator: Evaluator,
    /// βx + z.
    pub point: Vec<DVec3>,
}

impl ObjectiveWork {
    pub fn new(model: &Model) -> Self {
        Self { evaluator: Evaluator::new(model), point: vec![DVec3::ZERO; model.vertices()] }
    }
}

impl Objective<'_> {
    /// Writes βx + z.
    pub fn point(&self, x: &[DVec3], point: &mut [DVec3]) {
        let beta = self.rule.beta;
        if beta == 1.0 {
            point.copy_from_slice(x);
            return;
        }
        for ((p, x), start) in point.iter_mut().zip(x).zip(self.start) {
            *p = *x * beta + *start * (1.0 - beta);
        }
    }

    /// αβ²h².
    pub fn stiffness_factor(&self) -> f64 {
        self.rule.alpha * self.rule.beta * self.rule.beta * self.h * self.h
    }

    fn inertia(&self, x: &[DVec3]) -> f64 {
        let terms = x.iter().zip(self.y).zip(&self.model.masses);
        0.5 * terms.map(|((x, y), m)| m * x.distance_squared(*y)).sum::<f64>()
    }

    /// g(x), kg·m².
    pub fn value(&self, x: &[DVec3], work: &mut ObjectiveWork) -> f64 {
        self.point(x, &mut work.point);
        let pose = Pose { x: &work.point, targets: self.targets };
        let energy = work.evaluator.value(self.model, pose);
        self.inertia(x) + self.rule.alpha * self.h * self.h * energy
    }

    /// g(x) and ∇g(x), per vertex.
    pub fn gradient(&self, x: &[DVec3], work: &mut ObjectiveWork, gradient: &mut [DVec3]) -> f64 {
        self.point(x, &mut work.point);
        let pose = Pose { x: &work.point, targets: self.targets };
        let energy = work.evaluator.gradient(self.model, pose, gradient);
        let scale = self.rule.alpha * self.rule.beta * self.h * self.h;
        for i in 0..x.len() {
            gradient[i] = gradient[i] * scale + (x[i] - self.y[i]) * self.model.masses[i];
        }
        self.inertia(x) + self.rule.alpha * self.h * self.h * energy
    }

    /// √(∇gᵀM⁻¹∇g / Σm) over the body size: the root-mean-square displacement that is still to be made, as a
    /// share of the body. Dimensionless, so that one tolerance serves millimetres and kilometres.
    pub fn residual(&self, gradient: &[DVec3]) -> f64 {
        let mut squares = 0.0;
        let mut mass = 0.0;
        for (i, (g, m)) in gradient.iter().zip(&self.model.masses).enumerate() {
            mass += m;
            if !self.model.dofs.is_pinned(i) {
                squares += g.length_squared() / m;
            }
        }
        (squares / mass).sqrt() / self.model.size
    }
}
