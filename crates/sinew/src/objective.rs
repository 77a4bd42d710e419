//! g(x) = ½‖x − y‖²_M + αh² E(βx + z): the common objective of all implicit rules [dinev2018fepr, Eq. 15].
//!
//! The rows of contacts join it as αβh² ψ(x): they are taken at the end of the step for every rule, or its end could penetrate, and their forces have the weight
//! of all others.
//!
//! ∇g = M(x − y) + αβh² (∇E(βx + z) + ∇ψ(x)). The matrix of a quasi-Newton step is M + αβ²h² × (an approximation of ∇²E).

use crate::energy::Pose;
use crate::integrator::Rule;
use crate::model::{Evaluator, Model};
use crate::parallel;
use glam::DVec3;

/// Displacement, as a share of the size of a body, that is none.
const ROUNDING: f64 = 1e-9;

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
    /// Controls and contacts; its positions are not used.
    pub pose: Pose<'a>,
    /// Whether the rule is the discrete-gradient variant of the midpoint rule, which has no objective.
    pub discrete_gradient: bool,
}

/// Why a minimisation could not continue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SolveFailure(pub &'static str);

/// Buffers for evaluating an objective.
#[derive(Debug)]
pub(crate) struct ObjectiveWork {
    pub evaluator: Evaluator,
    /// βx + z.
    pub point: Vec<DVec3>,
    /// Partial sums of the inertia term, by chunk.
    partial: Vec<f64>,
}

impl ObjectiveWork {
    pub fn new(model: &Model) -> Self {
        Self {
            evaluator: Evaluator::new(model),
            point: vec![DVec3::ZERO; model.points()],
            partial: vec![0.0; parallel::chunks(model.points())],
        }
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
        parallel::for_chunks(point, |first, chunk| {
            for ((p, x), start) in chunk.iter_mut().zip(&x[first..]).zip(&self.start[first..]) {
                *p = *x * beta + *start * (1.0 - beta);
            }
        });
    }

    /// βx + z: x itself where β = 1, in `point` otherwise.
    fn pose<'b>(&'b self, x: &'b [DVec3], point: &'b mut [DVec3]) -> Pose<'b> {
        if self.rule.beta == 1.0 {
            return self.pose.at(x);
        }
        self.point(x, point);
        self.pose.at(point)
    }

    /// αβh²: the weight of the rows of contacts.
    pub fn contact_weight(&self) -> f64 {
        self.rule.alpha * self.rule.beta * self.h * self.h
    }

    /// αβ²h².
    pub fn stiffness_factor(&self) -> f64 {
        self.rule.alpha * self.rule.beta * self.rule.beta * self.h * self.h
    }

    /// g(x), kg·m².
    pub fn value(&self, x: &[DVec3], work: &mut ObjectiveWork) -> f64 {
        let energy = work.evaluator.value(self.model, self.pose(x, &mut work.point));
        let pressed = self.rule.beta * self.pose.contacts.value(x);
        let inertia = parallel::sum_tasks(&mut work.partial, |c| {
            let range = parallel::chunk(c, x.len());
            let terms = x[range.clone()].iter().zip(&self.y[range.clone()]).zip(&self.model.masses[range]);
            terms.map(|((x, y), m)| m * x.distance_squared(*y)).sum()
        });
        0.5 * inertia + self.rule.alpha * self.h * self.h * (energy + pressed)
    }

    /// g(x) and ∇g(x), per vertex.
    ///
    /// Plain local/global iterations need ∇g only and get g at no extra cost: the energies come from the same pass, and the inertia adds a
    /// few operations to a loop that waits for memory.
    pub fn gradient(&self, x: &[DVec3], work: &mut ObjectiveWork, gradient: &mut [DVec3]) -> f64 {
        let energy = work.evaluator.gradient(self.model, self.pose(x, &mut work.point), gradient);
        let pressed = self.rule.beta * self.pose.contacts.gradient(x, gradient);
        let scale = self.rule.alpha * self.rule.beta * self.h * self.h;
        let inertia =
            parallel::sum_tasks_into(&mut work.partial, gradient, parallel::CHUNK, |c, gradient| {
                let range = parallel::chunk(c, x.len());
                let (x, y) = (&x[range.clone()], &self.y[range.clone()]);
                let vertices = gradient.iter_mut().zip(x).zip(y).zip(&self.model.masses[range]);
                let mut sum = 0.0;
                for (((g, x), y), m) in vertices {
                    let away = *x - *y;
                    let pull = away * *m;
                    *g = *g * scale + pull;
                    sum += pull.dot(away);
                }
                sum
            });
        0.5 * inertia + self.rule.alpha * self.h * self.h * (energy + pressed)
    }

    /// ‖x − y‖_M: how far forces move the body from where inertia would lead it, kg^½·m. A body at rest does not move at all; there the displacement by gravity alone,
    /// and rounding, are the scale.
    pub fn moved(&self, x: &[DVec3]) -> f64 {
        let (mut squares, mut mass) = (0.0, 0.0);
        for (i, m) in self.model.masses.iter().enumerate() {
            if !self.model.dofs.is_pinned(i) {
                squares += m * x[i].distance_squared(self.y[i]);
                mass += m;
            }
        }
        let fall = self.rule.alpha * self.rule.beta * self.h * self.h * self.model.forces.gravity.length();
        squares.sqrt() + (fall + ROUNDING * self.model.topology.size) * mass.sqrt()
    }

    /// ‖M⁻¹∇g‖_M/‖x − y‖_M, from the residual at x: the unbalanced force as a share of the force that moves the body.
    pub fn unbalanced(&self, residual: f64, x: &[DVec3]) -> f64 {
        let mass: f64 = self.model.masses.iter().sum();
        residual * self.model.topology.size * mass.sqrt() / self.moved(x)
    }

    /// √(∇gᵀM⁻¹∇g / Σm) over the body size: the remaining root-mean-square displacement, as a share of the body size. Dimensionless, so that
    /// one tolerance serves millimetres and kilometres.
    pub fn residual(&self, gradient: &[DVec3]) -> f64 {
        let mut squares = 0.0;
        let mut mass = 0.0;
        for (i, (g, m)) in gradient.iter().zip(&self.model.masses).enumerate() {
            mass += m;
            if !self.model.dofs.is_pinned(i) {
                squares += g.length_squared() / m;
            }
        }
        (squares / mass).sqrt() / self.model.topology.size
    }
}
