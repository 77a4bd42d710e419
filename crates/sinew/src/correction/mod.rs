//! What happens to (x, v) after the solve.
//!
//! A correction takes the candidate that integrator and solver left and moves it to where the energy account of its
//! connected component, the *budget*, is met. It is independent of who made the candidate.

mod backward_euler;
mod blend;
mod bounce;
mod carrier;
mod fallback;
mod fepr;
mod impulse;
mod lagrange;
mod metric;
mod printed;
mod trial;
mod velocity_projection;

pub use blend::Blend;
pub use fepr::Fepr;

use crate::contact::{Groups, Support};
use crate::energy::Pose;
use crate::integrator::Integrator;
use crate::model::{Component, Evaluator, Model};
use crate::pushes::Pushes;
use crate::settings::{SettingsError, check_range};
use crate::skeleton::Rig;
use crate::solver::Systems;
use crate::state::State;
use blend::BlendWork;
use fepr::FeprWork;
use glam::DVec3;
use lagrange::LagrangeWork;
use metric::Touching;
use printed::{FastWork, SqpWork};
use velocity_projection::VelocityProjection;

/// The correction applied to every step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Correction {
    /// The integrator's own result, with its damping or its explosion.
    #[default]
    None,
    /// Fast energy projection: energy and momenta exact, the correction in slow modes.
    Fepr(Fepr),
    /// Fast energy projection exactly as the paper prints it. It can explode or lock; it is here to be compared with.
    FeprPaper,
    /// The paper's projection solved exactly, by Newton's method on a dense system; up to 300 vertices.
    FeprSqp,
    /// Blending with forward or backward Euler: energy within ε, angular momentum not kept.
    Blend(Blend),
    /// Velocities scaled about the rigid motion; fails where the potential alone exceeds the budget.
    VelocityProjection,
    /// The energy as a constraint of the implicit solve; angular momentum not kept.
    LagrangeMultiplier,
}

/// What a correction did in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CorrectionReport {
    /// Linearisations, the most of any component.
    pub iterations: usize,
    /// Evaluations of E alone, the most of any component. The one that the ledger needs anyway is among them.
    pub energy_evaluations: usize,
    /// Evaluations of ∇E, the most of any component; E may come with them in the same pass.
    pub gradient_evaluations: usize,
    /// Components whose energy was not met in the regular way.
    pub fallbacks: usize,
    /// Components that were kept at their old energy and momenta because nothing else was possible.
    pub holds: usize,
}

impl CorrectionReport {
    fn add(&mut self, one: &Self) {
        self.iterations = self.iterations.max(one.iterations);
        self.energy_evaluations = self.energy_evaluations.max(one.energy_evaluations);
        self.gradient_evaluations = self.gradient_evaluations.max(one.gradient_evaluations);
        self.fallbacks += one.fallbacks;
        self.holds += one.holds;
    }
}

/// Everything a correction may look at: the step from (xₙ, vₙ) of one group of components that touch.
pub(crate) struct Situation<'a> {
    pub model: &'a Model,
    /// The group at hand as one component.
    pub component: &'a Component,
    pub integrator: Integrator,
    pub h: f64,
    pub state: &'a State,
    /// Whether the state has a past that BDF2 used.
    pub has_past: bool,
    /// The components that make it up.
    pub members: &'a [usize],
    /// Where everything would go by inertia.
    pub predicted: &'a [DVec3],
    /// What takes or gives momentum.
    pub support: Support,
    /// Known forces that are no potential.
    pub pushes: &'a Pushes,
    /// What acts from outside.
    pub pose: Pose<'a>,
    /// H_total of the component, J.
    pub budget: f64,
}

impl Situation<'_> {
    /// The component's vertices.
    pub fn vertices(&self) -> impl Iterator<Item = usize> + '_ {
        self.component.vertices.iter().map(|&i| i as usize)
    }

    /// Whether it has bones that forces move.
    pub fn has_bones(&self) -> bool {
        self.model.skeleton.articulations.iter().any(|a| self.members.contains(&a.component))
    }

    /// Makes the group's bones rigid and closes their joints, in place and speed.
    pub fn make_rigid(&self, rig: &mut Rig, x: &mut [DVec3], v: Option<&mut [DVec3]>) {
        rig.make_rigid(self.model, |a| self.members.contains(&a.component), x);
        if let Some(v) = v {
            self.make_still(rig, x, v);
        }
    }

    /// Makes a direction to go one that the group's bones and joints can follow.
    pub fn make_followable(&self, rig: &mut Rig, x: &[DVec3], direction: &mut [DVec3]) {
        rig.make_followable(self.model, |a| self.members.contains(&a.component), x, direction);
    }

    /// Makes a velocity one that the group's bones and joints can have.
    pub fn make_still(&self, rig: &mut Rig, x: &[DVec3], v: &mut [DVec3]) {
        rig.make_still(self.model, |a| self.members.contains(&a.component), x, v);
    }

    /// H − H_total at (x, v), J, with the value of each batch left in `potentials`; NaN counts as infinitely much.
    pub fn excess(
        &self,
        evaluator: &mut Evaluator,
        x: &[DVec3],
        v: &[DVec3],
        potentials: &mut [f64],
        report: &mut CorrectionReport,
    ) -> f64 {
        report.energy_evaluations += 1;
        let pose = self.pose.at(x);
        let energy = evaluator.component_value(self.model, self.component, pose, potentials);
        let excess = energy + self.component.kinetic(&self.model.masses, v) - self.budget;
        if excess.is_nan() { f64::INFINITY } else { excess }
    }
}

impl Correction {
    /// Its name in scenes and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Fepr(_) | Self::FeprPaper => "fepr",
            Self::FeprSqp => "fepr-sqp",
            Self::Blend(_) => "blend",
            Self::VelocityProjection => "velocity-projection",
            Self::LagrangeMultiplier => "lagrange-multiplier",
        }
    }

    /// Whether the numbers make sense and the correction can follow the integrator on this model.
    pub(crate) fn check(&self, model: &Model, integrator: Integrator) -> Result<(), SettingsError> {
        let positive = |name, value: f64| {
            let good = value >= 0.0 && value.is_finite();
            check_range(name, "zero or positive and finite", value, good)
        };
        let refuse = |why| Err(SettingsError::Correction { correction: self.name(), why });
        if model.bones() > 0 && !matches!(self, Self::None | Self::Fepr(_)) {
            return refuse("it moves vertices one by one and would pull bones and joints apart; use fepr");
        }
        match *self {
            Self::Fepr(Fepr { smoothing }) => positive("fepr.smoothing", smoothing),
            Self::Blend(Blend { epsilon }) => positive("correction.epsilon", epsilon),
            Self::FeprSqp if model.points() > printed::MOST_VERTICES => {
                refuse("it solves a dense system and takes at most 300 vertices; use fepr")
            }
            Self::LagrangeMultiplier if integrator.rule(true).is_none() => refuse(
                "it constrains the minimisation of an implicit rule, and this integrator has none; use fepr",
            ),
            _ => Ok(()),
        }
    }
}

/// The memory of the correction in use.
#[derive(Debug)]
pub(crate) enum CorrectionWork {
    None,
    Fepr(Box<FeprWork>),
    FeprPaper(FastWork),
    FeprSqp(SqpWork),
    Blend(Blend, Box<BlendWork>),
    VelocityProjection(VelocityProjection),
    LagrangeMultiplier(Box<LagrangeWork>),
}

impl CorrectionWork {
    pub fn new(
        model: &Model,
        systems: &mut Systems,
        correction: &Correction,
        integrator: Integrator,
        h: f64,
    ) -> Result<Self, SettingsError> {
        Ok(match correction {
            Correction::None => Self::None,
            Correction::Fepr(settings) => Self::Fepr(Box::new(FeprWork::new(model, systems, settings, h)?)),
            Correction::FeprPaper => Self::FeprPaper(FastWork::new(model)),
            Correction::FeprSqp => Self::FeprSqp(SqpWork::new(model)),
            Correction::Blend(settings) => {
                Self::Blend(*settings, Box::new(BlendWork::new(model, systems, h)?))
            }
            Correction::VelocityProjection => Self::VelocityProjection(VelocityProjection::new(model)),
            Correction::LagrangeMultiplier => {
                Self::LagrangeMultiplier(Box::new(LagrangeWork::new(model, systems, integrator, h)?))
            }
        })
    }

    /// Corrects every group of the candidate (x, v). `potentials` receives the value of each batch at the result.
    pub fn apply(
        &mut self,
        step: StepView,
        evaluator: &mut Evaluator,
        mut touching: Touching,
        (x, v): (&mut [DVec3], &mut [DVec3]),
        potentials: &mut [f64],
    ) -> CorrectionReport {
        let mut report = CorrectionReport::default();
        for group in step.groups.iter(step.model) {
            let situation = Situation {
                model: step.model,
                component: group.component,
                members: group.members,
                predicted: step.predicted,
                support: group.support,
                pushes: step.pushes,
                integrator: step.integrator,
                h: step.h,
                state: step.state,
                has_past: step.has_past,
                pose: step.pose,
                budget: group.members.iter().map(|&c| step.budgets[c]).sum(),
            };
            let candidate = (&mut *x, &mut *v);
            let one = match self {
                Self::None => return report,
                Self::Fepr(work) => work.project(&situation, evaluator, &mut touching, candidate, potentials),
                Self::FeprPaper(work) => work.project(&situation, evaluator, candidate, potentials),
                Self::FeprSqp(work) => work.project(&situation, evaluator, candidate, potentials),
                Self::Blend(settings, work) => {
                    work.project(settings, &situation, evaluator, candidate, potentials)
                }
                Self::VelocityProjection(work) => work.project(&situation, evaluator, candidate, potentials),
                Self::LagrangeMultiplier(work) => work.project(&situation, evaluator, candidate, potentials),
            };
            report.add(&one);
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
    /// What acts from outside.
    pub pose: Pose<'a>,
    /// Where everything would go by inertia.
    pub predicted: &'a [DVec3],
    /// Known forces that are no potential.
    pub pushes: &'a Pushes,
    /// Components that touch.
    pub groups: &'a Groups,
    /// H_total of each component, J.
    pub budgets: &'a [f64],
}
