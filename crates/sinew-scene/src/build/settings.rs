//! Converts the scene's choices to the engine's settings.

use super::site::Site;
use crate::format::{
    self, Acceleration, CorrectionKind, FeprReturn, FeprVariant, GlobalKind, IntegratorKind, Precision,
    Scene, SceneError, SolverKind,
};
use sinew::{Blend, Budget, Correction, Damping, Fepr, GlobalMethod, Integrator, Return, Settings, Solver};

/// Defaults of `solver.iterations`, `solver.tolerance` and `solver.history` where the engine recommends nothing.
const NEWTON: Budget = Budget::to(50, 1e-12);
const PLAIN: Budget = Budget::fixed(20);
const XPBD_ITERATIONS: usize = 20;
const LBFGS_HISTORY: usize = 5;

/// The same for a solve that goes on until the motion is solved.
const LONG_HISTORY: usize = 20;

/// Default of `integrator.spectral_radius`.
const SPECTRAL_RADIUS: f64 = 0.5;

/// Iterations in contact of rules that take the forces at the start of a step as they are: what a solve leaves open there drives the next step, and a block that slides with 20 iterations does not
/// follow Coulomb's law.
const LOOKING_AT_FORCES: usize = 60;

/// What the engine recommends for projective dynamics.
fn recommended(scene: &Scene) -> (Budget, sinew::Acceleration) {
    let settings = if scene.has_contact() { Settings::in_contact() } else { Settings::default() };
    match settings.solver {
        Solver::ProjectiveDynamics { budget, acceleration }
            if scene.has_contact()
                && matches!(scene.rule(), IntegratorKind::Newmark | IntegratorKind::TrBdf2) =>
        {
            (Budget { iterations: LOOKING_AT_FORCES, ..budget }, acceleration)
        }
        Solver::ProjectiveDynamics { budget, acceleration } => (budget, acceleration),
        _ => (PLAIN, sinew::Acceleration::None),
    }
}

pub(super) fn settings(scene: &Scene, root: &Site<'_>) -> Result<Settings, SceneError> {
    Ok(Settings {
        h: scene.h,
        integrator: integrator(scene, root)?,
        solver: solver(scene, root)?,
        global: match scene.solver.global {
            GlobalKind::Auto => GlobalMethod::Auto,
            GlobalKind::Direct => GlobalMethod::Direct,
            GlobalKind::Multigrid => GlobalMethod::Multigrid,
        },
        correction: correction(scene, root)?,
        damping: Damping { ether: scene.damping.ether, rigid_preserving: scene.damping.rigid_preserving },
    })
}

/// The rule. The setting of another rule is refused, because it would have no effect; if an override chose that rule, the file's is left out.
fn integrator(scene: &Scene, root: &Site<'_>) -> Result<Integrator, SceneError> {
    let kind = scene.rule();
    let at = root.key("integrator");
    let ignored = at.key("kind").is_overridden() && !at.key("spectral_radius").is_overridden();
    if scene.integrator.spectral_radius.is_some() && kind != IntegratorKind::GeneralizedAlpha && !ignored {
        let message = format!("has no meaning for integrator `{kind}`; only generalized-alpha has it");
        return Err(at.key("spectral_radius").error(message));
    }
    Ok(match kind {
        IntegratorKind::ForwardEuler => Integrator::ForwardEuler,
        IntegratorKind::SymplecticEuler => Integrator::SymplecticEuler,
        IntegratorKind::BackwardEuler => Integrator::BackwardEuler,
        IntegratorKind::Bdf2 => Integrator::Bdf2,
        IntegratorKind::ImplicitMidpoint => Integrator::ImplicitMidpoint,
        IntegratorKind::Newmark => Integrator::Newmark,
        IntegratorKind::Sdirk2 => Integrator::Sdirk2,
        IntegratorKind::TrBdf2 => Integrator::TrBdf2,
        IntegratorKind::DiscreteGradient => Integrator::DiscreteGradient,
        IntegratorKind::GeneralizedAlpha => Integrator::GeneralizedAlpha {
            spectral_radius: scene.integrator.spectral_radius.unwrap_or(SPECTRAL_RADIUS),
        },
    })
}

/// The correction that restores energy and momentum after the solve. Settings of another correction are refused, because they would have no effect.
fn correction(scene: &Scene, root: &Site<'_>) -> Result<Correction, SceneError> {
    let kind = scene.correction.kind;
    let refuse = |key: &str| {
        let message = format!("has no meaning for correction `{kind}`");
        Err(root.key(key).error(message))
    };
    if scene.correction.epsilon.is_some() && kind != CorrectionKind::Blend {
        return refuse("correction.epsilon");
    }
    if scene.fepr.smoothing.is_some() && scene.fepr.variant == FeprVariant::Paper {
        let message = "has no meaning for the `paper` variant, whose metric is the mass alone";
        return Err(root.key("fepr.smoothing").error(message));
    }
    if scene.fepr.returns != FeprReturn::Exact && scene.fepr.variant == FeprVariant::Paper {
        let message = "has no meaning for the `paper` variant, which returns everything";
        return Err(root.key("fepr.return").error(message));
    }
    Ok(match kind {
        CorrectionKind::None => Correction::None,
        CorrectionKind::Fepr if scene.fepr.variant == FeprVariant::Paper => Correction::FeprPaper,
        CorrectionKind::Fepr => {
            let default = Fepr::default();
            Correction::Fepr(Fepr {
                smoothing: scene.fepr.smoothing.unwrap_or(default.smoothing),
                returns: match scene.fepr.returns {
                    FeprReturn::Exact => Return::Exact,
                    FeprReturn::Resolved => Return::Resolved,
                },
            })
        }
        CorrectionKind::FeprSqp => Correction::FeprSqp,
        CorrectionKind::Blend => {
            let default = Blend::default();
            Correction::Blend(Blend { epsilon: scene.correction.epsilon.unwrap_or(default.epsilon) })
        }
        CorrectionKind::VelocityProjection => Correction::VelocityProjection,
        CorrectionKind::LagrangeMultiplier => Correction::LagrangeMultiplier,
    })
}

/// The scene's settings of its solver. If an override chose another solver than the file was written for, the file's settings of the old one
/// are left out instead of refused.
fn for_another_solver(given: &format::Solver, at: &Site<'_>) -> format::Solver {
    let mut given = given.clone();
    if !at.key("kind").is_overridden() {
        return given;
    }
    let from_file = |key: &str| !at.key(key).is_overridden();
    if given.kind != SolverKind::ProjectiveDynamics && from_file("acceleration") {
        given.acceleration = None;
        given.history = given.history.filter(|_| !from_file("history"));
        given.preconditioner = given.preconditioner.filter(|_| !from_file("preconditioner"));
    }
    if given.kind == SolverKind::Linearized && from_file("iterations") {
        given.iterations = None;
    }
    if matches!(given.kind, SolverKind::Linearized | SolverKind::Xpbd) && from_file("tolerance") {
        given.tolerance = None;
    }
    given
}

fn solver(scene: &Scene, root: &Site<'_>) -> Result<Solver, SceneError> {
    let at = root.key("solver");
    let given = &for_another_solver(&scene.solver, &at);
    let kind = given.kind;
    let refuse = |key: &str, why: String| Err(at.key(key).error(why));
    if given.acceleration == Some(Acceleration::Lbfgs) && kind != SolverKind::ProjectiveDynamics {
        let why = format!("`lbfgs` accelerates projective-dynamics only; the solver is `{kind}`");
        return refuse("acceleration", why);
    }
    let default = match recommended(scene).1 {
        sinew::Acceleration::Lbfgs { .. } if kind == SolverKind::ProjectiveDynamics => Acceleration::Lbfgs,
        _ => Acceleration::None,
    };
    let acceleration = given.acceleration.unwrap_or(default);
    if given.history.is_some() && acceleration != Acceleration::Lbfgs {
        return refuse("history", "has no meaning without solver.acceleration = \"lbfgs\"".into());
    }
    if given.preconditioner.is_some() && acceleration != Acceleration::Lbfgs {
        return refuse("preconditioner", "has no meaning without solver.acceleration = \"lbfgs\"".into());
    }
    if given.iterations.is_some_and(|n| n != 1) && kind == SolverKind::Linearized {
        return refuse("iterations", "`linearized` is one Newton step; use `newton` for more".into());
    }
    if given.tolerance.is_some_and(|t| t > 0.0) && matches!(kind, SolverKind::Linearized | SolverKind::Xpbd) {
        return refuse(
            "tolerance",
            format!("`{kind}` measures no residual: it spends its iterations always"),
        );
    }
    if given.relative_tolerance.is_some() && acceleration != Acceleration::Lbfgs {
        let why = "needs solver.acceleration = \"lbfgs\", which learns how far there is to go";
        return refuse("relative_tolerance", why.into());
    }
    // A file that says how many iterations it wants gets them all, unless it also says when to stop.
    let chosen = given.iterations.is_some() || given.tolerance.is_some();
    let budget = |default: Budget| Budget {
        iterations: given.iterations.unwrap_or(default.iterations),
        tolerance: given.tolerance.unwrap_or(default.tolerance),
        relative: given.relative_tolerance.unwrap_or(if chosen { 0.0 } else { default.relative }),
    };
    let projective = match acceleration {
        // What a loose solve loses would not come back.
        Acceleration::Lbfgs if scene.fepr.returns == FeprReturn::Resolved => Budget::FINE,
        Acceleration::Lbfgs => recommended(scene).0,
        Acceleration::None => PLAIN,
    };
    let long = if budget(projective).relative > 0.0 { LONG_HISTORY } else { LBFGS_HISTORY };
    let history = given.history.unwrap_or(long);
    Ok(match kind {
        SolverKind::Newton => Solver::Newton(budget(NEWTON)),
        SolverKind::Linearized => Solver::Linearized,
        SolverKind::ProjectiveDynamics => Solver::ProjectiveDynamics {
            budget: budget(projective),
            acceleration: match acceleration {
                Acceleration::None => sinew::Acceleration::None,
                Acceleration::Lbfgs => sinew::Acceleration::Lbfgs {
                    history,
                    preconditioner: match given.preconditioner.unwrap_or_default() {
                        Precision::Double => sinew::Precision::Double,
                        Precision::Single => sinew::Precision::Single,
                    },
                },
            },
        },
        SolverKind::Xpbd => Solver::Xpbd { iterations: given.iterations.unwrap_or(XPBD_ITERATIONS) },
    })
}
