//! Integration rules as data [dinev2018fepr, appendix].
//!
//! Every implicit rule minimises g(x) = ½‖x − y‖²_M + αh² E(βx + z) and then updates the velocity:
//!
//! | rule | α | β | y | z | velocity |
//! |---|---|---|---|---|---|
//! | backward Euler | 1 | 1 | xₙ + h vₙ | 0 | (x − xₙ)/h |
//! | BDF2 | 4/9 | 1 | (4xₙ − xₙ₋₁)/3 + h(8vₙ − 2vₙ₋₁)/9 | 0 | 3/(2h)·(x − (4xₙ − xₙ₋₁)/3) |
//! | implicit midpoint | 1 | ½ | xₙ + h vₙ | xₙ/2 | 2(x − xₙ)/h − vₙ |
//! | Newmark (γ=½, β=¼) | ¼ | 1 | xₙ + h vₙ + h²/4 M⁻¹f(xₙ) | 0 | 2(x − xₙ)/h − vₙ |
//!
//! In all four, z = (1 − β)xₙ, which is how it is stored.

use glam::DVec3;

/// The rule that defines the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Integrator {
    /// x += h v, v += h M⁻¹f(xₙ). Gains energy for any time step.
    ForwardEuler,
    /// v += h M⁻¹f(xₙ), x += h v. Conserves energy on average while h is below 2/ω of the stiffest mode.
    SymplecticEuler,
    /// Stable and strongly damped; first order.
    BackwardEuler,
    /// Stable and damped; second order. The first step, and the step after a jump, is backward Euler.
    Bdf2,
    /// Conserves momenta; can explode at large steps; second order.
    ImplicitMidpoint,
    /// The trapezoidal rule (γ = ½, β = ¼); can explode at large steps; second order.
    Newmark,
    /// The midpoint discrete gradient: implicit midpoint with a term that makes it conserve energy, as far as the solver converges; second
    /// order. Needs the Newton solver.
    DiscreteGradient,
}

/// The coefficients of an implicit rule for one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    pub alpha: f64,
    pub beta: f64,
    pub velocity: VelocityUpdate,
}

/// How the new velocity follows from the new position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VelocityUpdate {
    /// (x − xₙ)/h.
    Difference,
    /// 3/(2h)·(x − (4xₙ − xₙ₋₁)/3).
    Backward2,
    /// 2(x − xₙ)/h − vₙ.
    Reflection,
}

/// The past states that a rule may use.
#[derive(Clone, Copy)]
pub(crate) struct Past<'a> {
    pub x: &'a [DVec3],
    pub v: &'a [DVec3],
    /// xₙ₋₁ and vₙ₋₁, if there is a usable history with the same time step.
    pub before: Option<(&'a [DVec3], &'a [DVec3])>,
    /// ∇E(xₙ), filled if [`Integrator::needs_force`] is true.
    pub gradient: &'a [DVec3],
    pub masses: &'a [f64],
    pub h: f64,
}

impl Integrator {
    /// Its name in scenes and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ForwardEuler => "forward-euler",
            Self::SymplecticEuler => "symplectic-euler",
            Self::BackwardEuler => "backward-euler",
            Self::Bdf2 => "bdf2",
            Self::ImplicitMidpoint => "implicit-midpoint",
            Self::Newmark => "newmark",
            Self::DiscreteGradient => "discrete-gradient",
        }
    }

    /// Whether the rule gives the next state directly, without a solver.
    pub fn is_explicit(&self) -> bool {
        matches!(self, Self::ForwardEuler | Self::SymplecticEuler)
    }

    /// Whether the rule needs ∇E(xₙ) before the solve.
    pub(crate) fn needs_force(&self) -> bool {
        self.is_explicit() || *self == Self::Newmark
    }

    /// α, β and the velocity update. BDF2 without history is backward Euler; explicit rules return `None`.
    pub(crate) fn rule(&self, has_past: bool) -> Option<Rule> {
        let rule = |alpha, beta, velocity| Some(Rule { alpha, beta, velocity });
        match self {
            Self::ForwardEuler | Self::SymplecticEuler => None,
            Self::Bdf2 if has_past => rule(4.0 / 9.0, 1.0, VelocityUpdate::Backward2),
            Self::BackwardEuler | Self::Bdf2 => rule(1.0, 1.0, VelocityUpdate::Difference),
            Self::ImplicitMidpoint | Self::DiscreteGradient => rule(1.0, 0.5, VelocityUpdate::Reflection),
            Self::Newmark => rule(0.25, 1.0, VelocityUpdate::Reflection),
        }
    }

    /// αβ²h², the factor of L in the matrix of the global step, for the rule with history and without.
    pub(crate) fn stiffness_factors(&self, h: f64) -> impl Iterator<Item = f64> {
        let rules = [self.rule(true), self.rule(false)];
        rules.into_iter().flatten().map(move |r| r.alpha * r.beta * r.beta * h * h)
    }

    /// Computes y of the objective.
    pub(crate) fn predict(&self, past: Past, y: &mut [DVec3]) {
        let h = past.h;
        match (self, past.before) {
            (Self::Bdf2, Some((x0, v0))) => {
                for i in 0..y.len() {
                    y[i] = (past.x[i] * 4.0 - x0[i]) / 3.0 + (past.v[i] * 8.0 - v0[i] * 2.0) * (h / 9.0);
                }
            }
            (Self::Newmark, _) => {
                for i in 0..y.len() {
                    let acceleration = -past.gradient[i] / past.masses[i];
                    y[i] = past.x[i] + past.v[i] * h + acceleration * (0.25 * h * h);
                }
            }
            _ => {
                for i in 0..y.len() {
                    y[i] = past.x[i] + past.v[i] * h;
                }
            }
        }
    }

    /// Computes the next state with an explicit rule.
    pub(crate) fn advance(&self, past: Past, x: &mut [DVec3], v: &mut [DVec3]) {
        let h = past.h;
        for i in 0..x.len() {
            v[i] = past.v[i] - past.gradient[i] * (h / past.masses[i]);
            let carrier = if *self == Self::SymplecticEuler { v[i] } else { past.v[i] };
            x[i] = past.x[i] + carrier * h;
        }
    }
}

impl VelocityUpdate {
    /// vₙ₊₁ from the solved positions.
    pub fn apply(&self, past: Past, x: &[DVec3], v: &mut [DVec3]) {
        let h = past.h;
        match (self, past.before) {
            (Self::Backward2, Some((x0, _))) => {
                for i in 0..v.len() {
                    v[i] = (x[i] - (past.x[i] * 4.0 - x0[i]) / 3.0) * (1.5 / h);
                }
            }
            (Self::Reflection, _) => {
                for i in 0..v.len() {
                    v[i] = (x[i] - past.x[i]) * (2.0 / h) - past.v[i];
                }
            }
            _ => {
                for i in 0..v.len() {
                    v[i] = (x[i] - past.x[i]) / h;
                }
            }
        }
    }
}
