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
//! | generalised α | 1/(2−ρ) | 1/(1+ρ) | xₙ + h vₙ + c h² aₙ | (1−β)xₙ | vₙ + s (x − xₙ − h vₙ)/h + ¼(1−ρ)² h aₙ |
//!
//! In all of them, z = (1 − β)xₙ, which is how it is stored.
//!
//! Generalised α [chung1993] carries an acceleration from step to step: c = ρ(1−ρ)/(2(1+ρ)(2−ρ)), s = ½(3−ρ)(1+ρ), and with γ = (3−ρ)/(2(1+ρ))
//!
//! aₙ₊₁ = ((vₙ₊₁ − vₙ)/h − (1−γ)aₙ)/γ.
//!
//! ρ, the spectral radius at infinity, is what is left of the fastest modes in a step: ρ = 1 is the implicit midpoint rule, ρ = 0 takes them at once. aₙ₊₁ is that of the solution, not of
//! what a correction makes of it: a correction moves x and v at an instant, and no force did that. Without an acceleration, in the first step and after a jump,
//! the rule is implicit midpoint, and aₙ₊₁ = (vₙ₊₁ − vₙ)/h.
//!
//! Two rules have an inner stage (x₁, v₁) at time c·h, which is one more minimisation with the same α, d = 1 − 1/√2 [alexander1977, bank1985]:
//!
//! | rule, stage | c | α | y | velocity |
//! |---|---|---|---|---|
//! | SDIRK2, inner | d | d² | xₙ + dh vₙ | (x₁ − xₙ)/(dh) |
//! | SDIRK2, last | 1 | d² | x̂ + dh (vₙ + (1−d)/d·(v₁ − vₙ)), x̂ = xₙ + (1−d)h v₁ | (x − x̂)/(dh) |
//! | TR-BDF2, inner | γ = 2d | d² | xₙ + γh vₙ + d²h² M⁻¹f(xₙ) | 2(x₁ − xₙ)/(γh) − vₙ |
//! | TR-BDF2, last | 1 | d² | x̂ + dh v̂, x̂ = (x₁ − (1−γ)²xₙ)/(γ(2−γ)), v̂ likewise | (x − x̂)/(dh) |
//!
//! On linear forces both are the same rule, of second order and stable for any h: with a = hω a mode loses a⁴/19 of its energy in a step where BDF2 loses a⁴/2 and
//! backward Euler a², and all of it where a is large. TR-BDF2 asks for ∇E(xₙ); what an unfinished solve or a correction left in the stiff modes at xₙ then
//! enters the next step. SDIRK2 evaluates forces only where it has solved for them.

use glam::DVec3;

/// The rule that defines the next state.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Two stages of backward Euler type (Alexander's method): stable, little damped where motion is resolved; second order.
    Sdirk2,
    /// The trapezoidal rule followed by BDF2, within one step: stable, little damped where motion is resolved; second order.
    TrBdf2,
    /// Generalised α: damps fast motion as much as is asked for, slow motion little; second order. The first step, and the step after a jump, is implicit midpoint.
    GeneralizedAlpha {
        /// ρ∞, 0 to 1: what is left of the fastest motion after a step.
        spectral_radius: f64,
    },
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum VelocityUpdate {
    /// (x − xₙ)/h.
    Difference,
    /// 3/(2h)·(x − (4xₙ − xₙ₋₁)/3).
    Backward2,
    /// 2(x − xₙ)/h − vₙ.
    Reflection,
    /// vₙ + s (x − xₙ − h vₙ)/h + ¼(1−ρ)² h aₙ, for this ρ.
    Accelerated(f64),
    /// (x − x̂)/(dh), the last stage of SDIRK2.
    Sdirk2,
    /// (x₁ − xₙ)/(dh), the inner stage of SDIRK2.
    Sdirk2Inner,
    /// (x − x̂)/(dh), the last stage of TR-BDF2.
    TrBdf2,
    /// 2(x₁ − xₙ)/(γh) − vₙ, the inner stage of TR-BDF2.
    TrBdf2Inner,
}

/// d of the two-stage rules, 1 − 1/√2.
pub(crate) const D: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
/// γ of TR-BDF2: where its inner stage is.
const GAMMA: f64 = 2.0 * D;
/// The weights of x₁ and −xₙ in x̂ of TR-BDF2.
pub(crate) const HAT: (f64, f64) =
    (1.0 / (GAMMA * (2.0 - GAMMA)), (1.0 - GAMMA) * (1.0 - GAMMA) / (GAMMA * (2.0 - GAMMA)));

/// The past states that a rule may use.
#[derive(Clone, Copy)]
pub(crate) struct Past<'a> {
    pub x: &'a [DVec3],
    pub v: &'a [DVec3],
    /// xₙ₋₁ and vₙ₋₁, if there is a usable history with the same time step.
    pub before: Option<(&'a [DVec3], &'a [DVec3])>,
    /// aₙ, if the last step left one and had the same length.
    pub acceleration: Option<&'a [DVec3]>,
    /// (x₁, v₁) of the inner stage, for the last stage of a rule that has one.
    pub stage: Option<(&'a [DVec3], &'a [DVec3])>,
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
            Self::Sdirk2 => "sdirk2",
            Self::TrBdf2 => "tr-bdf2",
            Self::GeneralizedAlpha { .. } => "generalized-alpha",
            Self::DiscreteGradient => "discrete-gradient",
        }
    }

    /// Whether the rule gives the next state directly, without a solver.
    pub fn is_explicit(&self) -> bool {
        matches!(self, Self::ForwardEuler | Self::SymplecticEuler)
    }

    /// Whether the rule loses energy, so that there is nearly always something to restore.
    pub(crate) fn damps(&self) -> bool {
        match self {
            Self::GeneralizedAlpha { spectral_radius } => *spectral_radius < 1.0,
            _ => matches!(self, Self::BackwardEuler | Self::Bdf2 | Self::Sdirk2 | Self::TrBdf2),
        }
    }

    /// Whether the rule needs ∇E(xₙ) before the solve.
    pub(crate) fn needs_force(&self) -> bool {
        self.is_explicit() || matches!(self, Self::Newmark | Self::TrBdf2)
    }

    /// γ, if the rule carries an acceleration.
    pub(crate) fn gamma(&self) -> Option<f64> {
        match self {
            Self::GeneralizedAlpha { spectral_radius: rho } => Some((3.0 - rho) / (2.0 * (1.0 + rho))),
            _ => None,
        }
    }

    /// α, β and the velocity update. BDF2 without history is backward Euler, generalised α implicit midpoint; explicit rules return `None`.
    pub(crate) fn rule(&self, has_past: bool) -> Option<Rule> {
        let rule = |alpha, beta, velocity| Some(Rule { alpha, beta, velocity });
        match self {
            Self::ForwardEuler | Self::SymplecticEuler => None,
            Self::Bdf2 if has_past => rule(4.0 / 9.0, 1.0, VelocityUpdate::Backward2),
            Self::BackwardEuler | Self::Bdf2 => rule(1.0, 1.0, VelocityUpdate::Difference),
            Self::GeneralizedAlpha { spectral_radius: rho } if has_past => {
                rule(1.0 / (2.0 - rho), 1.0 / (1.0 + rho), VelocityUpdate::Accelerated(*rho))
            }
            Self::ImplicitMidpoint | Self::DiscreteGradient | Self::GeneralizedAlpha { .. } => {
                rule(1.0, 0.5, VelocityUpdate::Reflection)
            }
            Self::Newmark => rule(0.25, 1.0, VelocityUpdate::Reflection),
            Self::Sdirk2 => rule(D * D, 1.0, VelocityUpdate::Sdirk2),
            Self::TrBdf2 => rule(D * D, 1.0, VelocityUpdate::TrBdf2),
        }
    }

    /// The inner stage of a rule that has one, and when it is, as a share of h.
    pub(crate) fn inner(&self) -> Option<(Rule, f64)> {
        let rule = |velocity, when| Some((Rule { alpha: D * D, beta: 1.0, velocity }, when));
        match self {
            Self::Sdirk2 => rule(VelocityUpdate::Sdirk2Inner, D),
            Self::TrBdf2 => rule(VelocityUpdate::TrBdf2Inner, GAMMA),
            _ => None,
        }
    }

    /// What the forces of contacts at the end of a step, and those of its inner stage, count in the impulse of the step over h.
    pub(crate) fn contact_shares(&self) -> [f64; 2] {
        match self {
            // Its forces at the start are those of the potentials alone.
            Self::Newmark => [0.5, 0.0],
            Self::Sdirk2 => [D, 1.0 - D],
            // As Newmark's in the inner stage.
            Self::TrBdf2 => [D, D * HAT.0],
            _ => [1.0, 0.0],
        }
    }

    /// How many times as large the forces of a contact that lasts are in the inner stage as in the step before, and in the last stage as in the inner one.
    pub(crate) fn contact_ratios(&self) -> [f64; 2] {
        // The forces at the start of its inner stage are those of the potentials alone: contacts press for both ends.
        if *self == Self::TrBdf2 { [2.0, 0.5] } else { [1.0; 2] }
    }

    /// αβ²h², the factor of L in the matrix of the global step, for the rule with history and without.
    pub(crate) fn stiffness_factors(&self, h: f64) -> impl Iterator<Item = f64> {
        let rules = [self.rule(true), self.rule(false)];
        rules.into_iter().flatten().map(move |r| r.alpha * r.beta * r.beta * h * h)
    }

    /// Computes y of the objective of the inner stage.
    pub(crate) fn predict_inner(&self, past: Past, y: &mut [DVec3]) {
        let Past { x, v, gradient, masses, h, .. } = past;
        if self.needs_force() {
            let drift = |i: usize| v[i] * (GAMMA * h) - gradient[i] * (D * D * h * h / masses[i]);
            fill(y, |i| x[i] + drift(i));
        } else {
            fill(y, |i| x[i] + v[i] * (D * h));
        }
    }

    /// Computes y of the objective.
    pub(crate) fn predict(&self, past: Past, y: &mut [DVec3]) {
        let Past { x, v, gradient, masses, h, .. } = past;
        if let (Self::GeneralizedAlpha { spectral_radius: rho }, Some(a)) = (self, past.acceleration) {
            let c = rho * (1.0 - rho) / (2.0 * (1.0 + rho) * (2.0 - rho));
            return fill(y, |i| x[i] + v[i] * h + a[i] * (c * h * h));
        }
        match (self, past.before, past.stage) {
            (Self::Bdf2, Some((x0, v0)), _) => {
                fill(y, |i| (x[i] * 4.0 - x0[i]) / 3.0 + (v[i] * 8.0 - v0[i] * 2.0) * (h / 9.0));
            }
            (Self::Newmark, ..) => {
                fill(y, |i| x[i] + v[i] * h - gradient[i] * (0.25 * h * h / masses[i]));
            }
            (Self::Sdirk2, _, Some((_, v1))) => {
                let known = |i: usize| v[i] + (v1[i] - v[i]) * ((1.0 - D) / D);
                fill(y, |i| x[i] + v1[i] * ((1.0 - D) * h) + known(i) * (D * h));
            }
            (Self::TrBdf2, _, Some((x1, v1))) => {
                fill(y, |i| hat(x1[i], x[i]) + hat(v1[i], v[i]) * (D * h));
            }
            _ => fill(y, |i| x[i] + v[i] * h),
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

impl Rule {
    /// The impulse of a unit of force over a step of length h, s, as the velocity at its end shows it: αβh² dv/dx.
    pub fn impulse(&self, h: f64) -> f64 {
        self.alpha * self.beta * self.velocity.slope() * h
    }
}

impl VelocityUpdate {
    /// h ∂v/∂x.
    pub fn slope(&self) -> f64 {
        match self {
            Self::Difference => 1.0,
            Self::Backward2 => 1.5,
            Self::Reflection => 2.0,
            Self::Accelerated(rho) => 0.5 * (3.0 - rho) * (1.0 + rho),
            Self::Sdirk2 | Self::Sdirk2Inner | Self::TrBdf2 => 1.0 / D,
            Self::TrBdf2Inner => 2.0 / GAMMA,
        }
    }

    /// vₙ₊₁ from the solved positions, or v₁ from those of an inner stage.
    pub fn apply(&self, past: Past, end: &[DVec3], v: &mut [DVec3]) {
        let Past { x, v: v0, h, .. } = past;
        if let (Self::Accelerated(rho), Some(a)) = (self, past.acceleration) {
            let (s, q) = (0.5 * (3.0 - rho) * (1.0 + rho), 0.25 * (1.0 - rho) * (1.0 - rho));
            return fill(v, |i| v0[i] + (end[i] - x[i] - v0[i] * h) * (s / h) + a[i] * (q * h));
        }
        match (self, past.before, past.stage) {
            (Self::Backward2, Some((before, _)), _) => {
                fill(v, |i| (end[i] - (x[i] * 4.0 - before[i]) / 3.0) * (1.5 / h));
            }
            (Self::Reflection, ..) => fill(v, |i| (end[i] - x[i]) * (2.0 / h) - v0[i]),
            (Self::Sdirk2Inner, ..) => fill(v, |i| (end[i] - x[i]) / (D * h)),
            (Self::Sdirk2, _, Some((_, v1))) => {
                fill(v, |i| (end[i] - x[i] - v1[i] * ((1.0 - D) * h)) / (D * h));
            }
            (Self::TrBdf2Inner, ..) => fill(v, |i| (end[i] - x[i]) * (2.0 / (GAMMA * h)) - v0[i]),
            (Self::TrBdf2, _, Some((x1, _))) => fill(v, |i| (end[i] - hat(x1[i], x[i])) / (D * h)),
            _ => fill(v, |i| (end[i] - x[i]) / h),
        }
    }
}

/// x̂ of TR-BDF2 from x₁ and xₙ, or v̂ from v₁ and vₙ.
fn hat(inner: DVec3, start: DVec3) -> DVec3 {
    inner * HAT.0 - start * HAT.1
}

fn fill(out: &mut [DVec3], value: impl Fn(usize) -> DVec3) {
    out.iter_mut().enumerate().for_each(|(i, out)| *out = value(i));
}
