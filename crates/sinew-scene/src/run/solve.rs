//! How well the steps of a run were solved, and what to change if they were not.

use super::Row;
use super::totals::Totals;
use serde::Serialize;
use sinew::{Acceleration, Settings, Solver};

/// A step whose iterations ran out and left more than this many times the force that moves the bodies is not solved.
///
/// Measured on a hinged bar, a clamped bar and a hung cloth against the true motion: where half of the steps are above it, visible motion or frequency are
/// off by 10 % to 85 %. Solves that are as good as exact have at most two fifths of their steps above it.
const LOOSE: f64 = 4.0;
/// Share of such steps above which a run means nothing.
const MOST_LOOSE: f64 = 0.5;

/// Work and outcome of the solver over all steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SolveReport {
    /// Mean number of iterations per step.
    pub iterations_mean: f64,
    /// Unbalanced force where a solve ended, as a share of the force that moves the bodies; mean over the steps. 0 where nothing is measured.
    pub residual: f64,
    /// The largest of a step.
    pub residual_max: f64,
    /// Share of the steps in which the iterations ran out before a tolerance was met.
    pub at_limit: f64,
    /// What to change, in a few sentences, if the steps were solved too loosely to mean anything.
    pub advice: Option<String>,
}

impl SolveReport {
    pub(super) fn of(totals: &Totals, steps: f64, settings: &Settings) -> Self {
        let mean = |sum: f64| if steps > 0.0 { sum / steps } else { 0.0 };
        let residual = mean(totals.residual);
        Self {
            iterations_mean: mean(totals.solver_iterations),
            residual,
            residual_max: totals.most_residual,
            at_limit: mean(totals.at_limit),
            advice: (mean(totals.loose) > MOST_LOOSE).then(|| advice(residual, settings)),
        }
    }
}

/// Whether a step was not solved.
pub(super) fn is_loose(row: &Row) -> bool {
    row.at_limit > 0 && row.residual > LOOSE
}

fn advice(residual: f64, settings: &Settings) -> String {
    let what = format!(
        "steps ended with unbalanced forces {residual:.0} times those that move the bodies: the motion is not solved."
    );
    let (raise, finer) = (more_iterations(settings), finer(settings));
    let change = match (settings.solver, raise) {
        (Solver::ProjectiveDynamics { acceleration: Acceleration::None, .. }, Some(raise)) => {
            format!("Set solver.acceleration = \"lbfgs\", {raise}, or {finer}.")
        }
        (_, Some(raise)) => format!("{}{}, or {finer}.", raise[..1].to_uppercase(), &raise[1..]),
        (_, None) => format!("Set solver.kind = \"newton\", or {finer}."),
    };
    format!("{what} {change}")
}

/// How to give the solver more time, if that helps.
pub(super) fn more_iterations(settings: &Settings) -> Option<String> {
    match settings.solver {
        Solver::ProjectiveDynamics { budget, .. } | Solver::Newton(budget) => {
            Some(format!("raise solver.iterations (now {})", budget.iterations))
        }
        _ => None,
    }
}

/// How to make the solver's task easier.
pub(super) fn finer(settings: &Settings) -> String {
    format!("take a smaller h (now {} s)", settings.h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Budget;

    fn solved(residuals: &[f64], at_limit: u64, acceleration: Acceleration) -> SolveReport {
        let first = Row::default();
        let mut totals = Totals::new(&first);
        for &residual in residuals {
            totals.add(&Row { residual, at_limit, iterations: 20, ..Row::default() }, &first);
        }
        let solver = Solver::ProjectiveDynamics { budget: Budget::fixed(20), acceleration };
        let settings = Settings { solver, h: 0.02, ..Settings::default() };
        SolveReport::of(&totals, residuals.len() as f64, &settings)
    }

    #[test]
    fn a_run_that_is_not_solved_gets_advice() {
        let report = solved(&[1.0, 5.0, 30.0], 1, Acceleration::None);
        assert_eq!((report.residual, report.residual_max), (12.0, 30.0));
        assert_eq!((report.iterations_mean, report.at_limit), (20.0, 1.0));
        let expected = "steps ended with unbalanced forces 12 times those that move the bodies: the motion is not solved. \
                        Set solver.acceleration = \"lbfgs\", raise solver.iterations (now 20), or take a smaller h (now 0.02 s).";
        assert_eq!(report.advice.as_deref(), Some(expected));
    }

    /// One bad step says little, and neither does a solve that met its own tolerance.
    #[test]
    fn a_run_that_is_solved_gets_none() {
        assert_eq!(solved(&[1.0, 1.0, 500.0], 1, Acceleration::None).advice, None);
        assert_eq!(solved(&[50.0, 50.0, 50.0], 0, Acceleration::None).advice, None);
        assert_eq!(solved(&[], 1, Acceleration::None), SolveReport::default());
    }
}
