//! Returning only what the rule took from motion that is seen (`fepr.return = "resolved"`).
//!
//! A real body turns part of its swing into vibration too small and fast to see. A damping rule takes that vibration away, and a correction that restores all of H gives it back as
//! visible motion: a cloth or a soft bar then moves up to three times as much as it truly would. Here at most κ ℓ(a) K̂ comes back in a step: ℓ is the
//! share of its energy that the rule takes from a motion with hω = a, a that of the visible motion, K̂ its largest kinetic energy of late. The rest is booked as
//! unresolved.

use super::constants::{RETURN, RETURN_TWO_STAGES};
use crate::integrator::{D, Integrator};
use crate::slow_motion::SlowMotion;

/// Energy that is missing and is not returned, J, where `missing` is.
pub(super) fn unresolved(rule: Integrator, seen: &SlowMotion, missing: f64) -> f64 {
    (missing - generosity(rule) * loss(rule, seen.squared_step()) * seen.lively()).max(0.0)
}

/// κ. The two-stage rules take little from visible motion, so that what a solve left open weighs more.
fn generosity(rule: Integrator) -> f64 {
    match rule {
        Integrator::Sdirk2 | Integrator::TrBdf2 => RETURN_TWO_STAGES,
        _ => RETURN,
    }
}

/// ℓ: the share of its energy that a rule takes in one step from a motion with (hω)² = `a2`. A rule that loses nothing returns everything.
fn loss(rule: Integrator, a2: f64) -> f64 {
    match rule {
        Integrator::BackwardEuler => a2 / (1.0 + a2),
        Integrator::Bdf2 => {
            // 1 − |z|², z = (2 + √(1 + 2ia))/(3 − 2ia).
            let size = (1.0 + 4.0 * a2).sqrt();
            let (re, im) = ((0.5 * (size + 1.0)).sqrt(), (0.5 * (size - 1.0)).sqrt());
            1.0 - ((2.0 + re).powi(2) + im * im) / (9.0 + 4.0 * a2)
        }
        Integrator::Sdirk2 | Integrator::TrBdf2 => {
            // 1 − |z|², z = (1 + (1 − 2d)ia)/(1 − dia)².
            1.0 - (1.0 + (1.0 - 2.0 * D).powi(2) * a2) / (1.0 + D * D * a2).powi(2)
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_is_that_of_the_rule() {
        // One step of an oscillator with ω = 1 from (x, v) = (cos φ, sin φ), averaged over φ, by each rule written out.
        let a: f64 = 0.3;
        let euler = |x: f64, v: f64, h: f64| ((x + h * v) / (1.0 + h * h), (v - h * x) / (1.0 + h * h));
        let sdirk = |x: f64, v: f64, h: f64| {
            let (_, v1) = euler(x, v, D * h);
            let a1 = (v1 - v) / (D * h);
            let (xk, vk) = (x + (1.0 - D) * h * v1, v + (1.0 - D) * h * a1);
            let end = (xk + D * h * vk) / (1.0 + D * D * h * h);
            (end, (end - xk) / (D * h))
        };
        let lost = |step: &dyn Fn(f64, f64, f64) -> (f64, f64)| {
            let (x, v) = step(1.0, 0.0, a);
            1.0 - x * x - v * v
        };
        assert!((lost(&euler) - loss(Integrator::BackwardEuler, a * a)).abs() < 1e-12);
        assert!((lost(&sdirk) - loss(Integrator::Sdirk2, a * a)).abs() < 1e-12);
        // BDF2's root: a motion zⁿ has the derivative (3 − 4/z + 1/z²)/(2a) z = iz.
        let kept = 1.0 - loss(Integrator::Bdf2, a * a);
        assert!(kept < 1.0 && kept > 1.0 - 0.6 * a.powi(4));
    }
}
