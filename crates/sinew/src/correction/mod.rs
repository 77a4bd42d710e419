//! What happens to (x, v) after the solve.
//!
//! A correction takes the candidate that integrator and solver left and moves it to where the energy account of its
//! connected component, the *budget*, is met. It is independent of who made the candidate.

mod backward_euler;
mod carrier;
mod fallback;
mod fepr;
mod impulse;
mod metric;

pub use fepr::Fepr;

use crate::integrator::Integrator;
use crate::model::{Component, Evaluator, Model};
use crate::settings::{SettingsError, check_range};
use crate::state::State;
use fepr::FeprWork;
use glam::DVec3;

/// The correction applied to every step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Correction {
    /// The integrator's own result, with its damping or its explosion.
    #[default]
    None,
    /// Fast energy projection: energy and momenta exact, the correction in slow modes.
    Fepr(Fepr),
}

/// What a correction did in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CorrectionReport {
    /// Linearisations, the most of any component.
    pub iterations: usize,
    /// Evaluations of E, the most of any component. The one that the ledger needs anyway is among them.
    pub energy_evaluations: usize,
    /// Evaluations of ∇E, the most of any component.
    pub gradient_evaluations: usize,
    /// Components whose energy was not met in the regular way.
    pub fallbacks: usize,
    /// Components that were kept at their old energy and momenta because nothing else was possible.
    pub holds: usize,
}

/// Everything a correction may look at: the step from (xₙ, vₙ) of one component.
pub(crate) struct Situation<'a> {
    pub model: &'a Model,
    pub component: &'a Component,
    pub integrator: Integrator,
    pub h: f64,
    pub state: &'a State,
    /// Whether the state has a past that BDF2 used.
    pub has_past: bool,
    /// Its number.
    pub index: usize,
    /// H_total of the component, J.
    pub budget: f64,
}

impl Situation<'_> {
    /// The component's vertices.
    pub fn vertices(&self) -> impl Iterator<Item = usize> + '_ {
        self.component.vertices.iter().map(|&i| i as usize)
    }
}

impl Correction {
    /// Its name in scenes and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Fepr(_) => "fepr",
        }
    }

    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        match *self {
            Self::None => Ok(()),
            Self::Fepr(Fepr { smoothing }) => {
                let good = smoothing >= 0.0 && smoothing.is_finite();
                check_range("fepr.smoothing", "zero or positive and finite", smoothing, good)
            }
        }
    }
}

/// The memory of the correction in use.
#[derive(Debug)]
pub(crate) enum CorrectionWork {
    None,
    Fepr(Box<FeprWork>),
}

impl CorrectionWork {
    pub fn new(model: &Model, correction: &Correction, h: f64) -> Result<Self, SettingsError> {
        Ok(match correction {
            Correction::None => Self::None,
            Correction::Fepr(settings) => Self::Fepr(Box::new(FeprWork::new(model, settings, h)?)),
        })
    }

    /// Corrects every component of the candidate (x, v). `potentials` receives the value of each batch at the result.
    pub fn apply(
        &mut self,
        step: StepView,
        evaluator: &mut Evaluator,
        (x, v): (&mut [DVec3], &mut [DVec3]),
        potentials: &mut [f64],
    ) -> CorrectionReport {
        let mut report = CorrectionReport::default();
        for (c, component) in step.model.components.iter().enumerate() {
            let situation = Situation {
                model: step.model,
                component,
                index: c,
                integrator: step.integrator,
                h: step.h,
                state: step.state,
                has_past: step.has_past,
                budget: step.budgets[c],
            };
            match self {
                Self::None => {}
                Self::Fepr(work) => {
                    let one = work.project(c, &situation, evaluator, (x, v), potentials);
                    report.iterations = report.iterations.max(one.iterations);
                    report.energy_evaluations = report.energy_evaluations.max(one.energy_evaluations);
                    report.gradient_evaluations = report.gradient_evaluations.max(one.gradient_evaluations);
                    report.fallbacks += one.fallbacks;
                    report.holds += one.holds;
                }
            }
        }
        report
    }
}

/// The step that is to be corrected.
#[derive(Clone, Copy)]
pub(crate) struct StepView<'a> {
    pub model: &'a Model,
    pub integrator: Integrator,
    pub h: f64,
    pub state: &'a State,
    pub has_past: bool,
    /// H_total of each component, J.
    pub budgets: &'a [f64],
}
