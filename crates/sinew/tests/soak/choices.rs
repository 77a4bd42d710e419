//! Random settings.

use crate::random::Random;
use sinew::{
    Acceleration, Blend, Budget, Correction, Damping, Fepr, GlobalMethod, Integrator, Precision, Return,
    Settings, Solver,
};

const INTEGRATORS: [Integrator; 9] = [
    Integrator::ForwardEuler,
    Integrator::SymplecticEuler,
    Integrator::BackwardEuler,
    Integrator::Bdf2,
    Integrator::ImplicitMidpoint,
    Integrator::Newmark,
    Integrator::Sdirk2,
    Integrator::TrBdf2,
    Integrator::DiscreteGradient,
];

/// Settings that a model may refuse.
pub fn random_settings(r: &mut Random) -> Settings {
    let (h, rule) = (r.decades(-4.0, -0.7), r.pick(&INTEGRATORS));
    // One case in ten, without another draw: the numbered cases stay what they were.
    let alpha = Integrator::GeneralizedAlpha { spectral_radius: 0.5 };
    Settings {
        h,
        integrator: if h.to_bits() % 10 == 0 { alpha } else { rule },
        solver: random_solver(r),
        global: r.pick(&[
            GlobalMethod::Auto,
            GlobalMethod::Auto,
            GlobalMethod::Direct,
            GlobalMethod::Multigrid,
        ]),
        correction: random_correction(r),
        damping: Damping {
            ether: if r.chance(0.2) { r.decades(-3.0, 2.0) } else { 0.0 },
            rigid_preserving: r.pick(&[0.0, 0.0, 0.0, 0.05, 1.0]),
        },
    }
}

fn random_solver(r: &mut Random) -> Solver {
    let iterations = r.pick(&[1, 3, 10, 20]);
    let lbfgs = |r: &mut Random| Acceleration::Lbfgs {
        history: r.pick(&[1, 5]),
        preconditioner: r.pick(&[Precision::Double, Precision::Single]),
    };
    match r.index(8) {
        0 => Solver::Newton(Budget::to(iterations, 1e-10)),
        1 => Solver::Linearized,
        2 => {
            Solver::ProjectiveDynamics { budget: Budget::fixed(iterations), acceleration: Acceleration::None }
        }
        3 | 4 => Solver::ProjectiveDynamics { budget: Budget::fixed(iterations), acceleration: lbfgs(r) },
        5 => Solver::ProjectiveDynamics { budget: Budget::FINE, acceleration: lbfgs(r) },
        6 => Solver::adaptive(),
        _ => Solver::Xpbd { iterations },
    }
}

/// Half of the cases have the correction that promises something.
fn random_correction(r: &mut Random) -> Correction {
    let fepr = Fepr {
        smoothing: r.pick(&[1.0, 1.0, 0.0, 0.1]),
        returns: r.pick(&[Return::Exact, Return::Exact, Return::Resolved]),
    };
    match r.index(14) {
        0 | 1 => Correction::None,
        2 => Correction::FeprPaper,
        3 => Correction::FeprSqp,
        4 => Correction::Blend(Blend::default()),
        5 => Correction::VelocityProjection,
        6 => Correction::LagrangeMultiplier,
        _ => Correction::Fepr(fepr),
    }
}
