//! Corrections: what happens to (x, v) after the solve.
//!
//! A correction takes the candidate that integrator and solver produced and moves it to a state that meets the energy account of its
//! connected component, the *budget*. It does not depend on how the candidate was made.

mod blend;
mod blocked;
mod carrier;
mod fepr;
mod impulse;
mod lagrange;
mod metric;
mod printed;
mod swing;
mod trial;
mod velocity_projection;

pub use blend::Blend;
pub use fepr::{Fepr, Return};
pub(crate) use impulse::normals_free;

use crate::budgets::{Budgets, Support};
use crate::carry::Carry;
use crate::contact::Passage;
use crate::energy::Pose;
use crate::integrator::Integrator;
use crate::model::{Evaluator, Model};
use crate::next::{Candidate, Start};
use crate::operator::{Operators, Systems};
use crate::pushes::Pushes;
use crate::settings::error::{SettingsError, check_range};
use crate::skeleton::rig::Rig;
use crate::slow_motion::SlowMotion;
use crate::state::State;
use crate::topology::Component;
use blend::BlendWork;
use fepr::FeprWork;
use glam::DVec3;
use lagrange::LagrangeWork;
use printed::{FastWork, SqpWork};
use velocity_projection::VelocityProjection;

/// The correction applied to every step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Correction {
    /// No correction: the integrator's own result, with its numerical damping or instability.
    None,
    /// Fast energy projection (FEPR): restores energy and momenta exactly and puts the correction into slow modes.
    Fepr(Fepr),
    /// Fast energy projection exactly as the paper prints it. It can explode or lock; it serves for comparison.
    FeprPaper,
    /// The paper's projection solved exactly, by Newton's method on a dense system; up to 300 vertices.
    FeprSqp,
    /// Blending with forward or backward Euler: energy within ε, angular momentum not conserved.
    Blend(Blend),
    /// Scales velocities relative to the rigid motion; fails where the potential alone exceeds the budget.
    VelocityProjection,
    /// The energy as a constraint of the implicit solve; angular momentum is not conserved.
    LagrangeMultiplier,
}

/// What a correction did in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CorrectionReport {
    /// Number of linearisations, the maximum over the components.
    pub iterations: usize,
    /// Evaluations of E alone, the maximum over the components. They include the one that the ledger needs anyway.
    pub energy_evaluations: usize,
    /// Evaluations of ∇E, the maximum over the components; the same pass may also yield E.
    pub gradient_evaluations: usize,
    /// Components whose energy was restored only by a fallback, or not at all.
    pub fallbacks: usize,
    /// Components that were kept at their old energy and momenta because nothing else was possible.
    pub holds: usize,
    /// Energy that was missing and was not returned (`Return::Resolved`), J.
    pub unresolved: f64,
    /// Work that moving supports did because the correction changed momenta, J.
    pub driven: f64,
    /// Energy that impacts did not get back, because their restitution is below 1, J.
    pub inelastic: f64,
}

impl CorrectionReport {
    fn add(&mut self, one: &Self) {
        self.iterations = self.iterations.max(one.iterations);
        self.energy_evaluations = self.energy_evaluations.max(one.energy_evaluations);
        self.gradient_evaluations = self.gradient_evaluations.max(one.gradient_evaluations);
        self.fallbacks += one.fallbacks;
        self.holds += one.holds;
        self.unresolved += one.unresolved;
        self.driven += one.driven;
        self.inelastic += one.inelastic;
    }
}

/// Positions and velocities, #V each.
pub(crate) struct PhasePoint<'a> {
    pub x: &'a mut [DVec3],
    pub v: &'a mut [DVec3],
}

impl PhasePoint<'_> {
    /// Whether all vertices of a group are finite.
    fn is_finite(&self, s: &Situation) -> bool {
        s.vertices().all(|i| self.x[i].is_finite() && self.v[i].is_finite())
    }
}

/// The tools that a correction works with.
pub(crate) struct Tools<'a> {
    pub evaluator: &'a mut Evaluator,
    pub operators: &'a mut Operators,
    /// Where nothing penetrates.
    pub passage: &'a mut Passage,
    /// Receives the value of each batch at the result, J.
    pub potentials: &'a mut [f64],
}

/// The input of a correction: the step from (xₙ, vₙ) of one group of components that are in contact.
pub(crate) struct Situation<'a> {
    pub model: &'a Model,
    /// The current group, as one component.
    pub component: &'a Component,
    pub integrator: Integrator,
    pub h: f64,
    pub state: &'a State,
    /// Whether the state has a history that BDF2 used.
    pub has_past: bool,
    /// (x₁, v₁) of the integrator's inner stage; meaningless for rules that have none.
    pub stage: (&'a [DVec3], &'a [DVec3]),
    /// The components of the group.
    pub members: &'a [usize],
    /// The solver's result.
    pub candidate: Candidate,
    /// Positions that inertia and known forces lead to.
    pub predicted: &'a [DVec3],
    /// What can absorb or supply momentum.
    pub support: Support,
    /// Known forces that are not potentials.
    pub pushes: &'a Pushes,
    /// Controls and contacts.
    pub pose: Pose<'a>,
    /// H_total of the group, J.
    pub budget: f64,
    /// How moving supports carry it along.
    pub carry: Option<Carry>,
    /// Its visible motion, where it is watched.
    pub seen: Option<&'a SlowMotion>,
    /// Whether positions must stay where the solver left them.
    pub frozen: bool,
}

impl Situation<'_> {
    /// The group's vertices.
    pub fn vertices(&self) -> impl Iterator<Item = usize> + '_ {
        self.component.vertices.iter().map(|&i| i as usize)
    }

    /// Velocity of the frame in which energy is restored: that of supports that move.
    pub fn frame(&self) -> DVec3 {
        self.carry.map_or(DVec3::ZERO, |carry| carry.velocity)
    }

    /// P of what moves freely, kg·m/s.
    pub fn momentum(&self, v: &[DVec3]) -> DVec3 {
        let moving = self.vertices().filter(|&i| !self.model.dofs.is_pinned(i));
        moving.map(|i| v[i] * self.model.masses[i]).sum()
    }

    /// H_total as the frame of the supports sees it, J, if the candidate has the momentum P: K(v) − V·P + ½MV² = K(v − V), and V·δP is what the supports add.
    pub fn budget_in_frame(&self, momentum: DVec3) -> f64 {
        let frame = self.frame();
        let moving = self.vertices().filter(|&i| !self.model.dofs.is_pinned(i));
        let mass: f64 = moving.map(|i| self.model.masses[i]).sum();
        self.budget - frame.dot(momentum) + 0.5 * mass * frame.length_squared()
    }

    /// Slows velocities down, seen from the frame of the supports, until their energy there is at most `allowed`; returns what is missing even at rest.
    pub fn slow_to(&self, allowed: f64, v: &mut [DVec3]) -> f64 {
        let (frame, dofs) = (self.frame(), &self.model.dofs);
        let moving = || self.vertices().filter(|&i| !dofs.is_pinned(i));
        let kinetic: f64 =
            moving().map(|i| 0.5 * self.model.masses[i] * (v[i] - frame).length_squared()).sum();
        if kinetic > allowed.max(0.0) {
            let factor = (allowed.max(0.0) / kinetic).sqrt();
            moving().for_each(|i| v[i] = frame + (v[i] - frame) * factor);
        }
        (-allowed).max(0.0)
    }

    /// Whether it has bones that forces move.
    pub fn has_bones(&self) -> bool {
        self.model.skeleton.articulations.iter().any(|a| self.members.contains(&a.component))
    }

    /// Reads the frames of the group's bones.
    pub fn read_bones(&self, rig: &mut Rig, x: &[DVec3]) {
        rig.read_some(self.model, |a| self.members.contains(&a.component), x);
    }

    /// Makes the group's bones rigid and closes their joints, in position and velocity.
    pub fn make_rigid(&self, rig: &mut Rig, x: &mut [DVec3], v: Option<&mut [DVec3]>) {
        rig.make_rigid(self.model, |a| self.members.contains(&a.component), x);
        if let Some(v) = v {
            self.make_velocities_rigid(rig, x, v);
        }
    }

    /// Changes a search direction to one that the group's bones and joints can follow.
    pub fn make_direction_rigid(&self, rig: &mut Rig, x: &[DVec3], direction: &mut [DVec3]) {
        rig.make_direction_rigid(self.model, |a| self.members.contains(&a.component), x, direction);
    }

    /// Changes velocities to ones that the group's bones and joints can have.
    pub fn make_velocities_rigid(&self, rig: &mut Rig, x: &[DVec3], v: &mut [DVec3]) {
        rig.make_velocities_rigid(self.model, |a| self.members.contains(&a.component), x, v);
    }

    /// H − H_total at (x, v), J; stores the value of each batch in the potentials. NaN counts as infinite.
    pub fn excess(&self, tools: &mut Tools, x: &[DVec3], v: &[DVec3], report: &mut CorrectionReport) -> f64 {
        report.energy_evaluations += 1;
        let pose = self.pose.at(x);
        let energy = tools.evaluator.component_value(self.model, self.component, pose, tools.potentials);
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

    /// Checks that the parameters are valid and that the correction can follow the integrator on this model.
    pub(crate) fn check(&self, model: &Model, integrator: Integrator) -> Result<(), SettingsError> {
        let positive = |name, value: f64| {
            let good = value >= 0.0 && value.is_finite();
            check_range(name, "zero or positive and finite", value, good)
        };
        let refuse = |why| Err(SettingsError::Correction { correction: self.name(), why });
        let moves_bones =
            matches!(self, Self::None | Self::Fepr(_) | Self::Blend(_) | Self::VelocityProjection);
        if model.bone_count() > 0 && !moves_bones {
            return refuse(
                "it moves vertices one by one and would pull bones and joints apart; use fepr, blend or velocity-projection",
            );
        }
        match *self {
            Self::Fepr(Fepr { smoothing, .. }) => positive("fepr.smoothing", smoothing),
            Self::Blend(Blend { epsilon }) => positive("correction.epsilon", epsilon),
            Self::FeprSqp if model.points() > printed::MOST_VERTICES => {
                refuse("it solves a dense system and takes at most 300 vertices; use fepr")
            }
            Self::LagrangeMultiplier if integrator.rule(true).is_none() => refuse(
                "it constrains the minimisation of an implicit rule, and this integrator has none; use fepr",
            ),
            Self::LagrangeMultiplier if integrator.inner().is_some() => refuse(
                "it constrains one minimisation, and this integrator has two in a step; use bdf2, or fepr",
            ),
            _ => Ok(()),
        }
    }
}

/// The buffers of the selected correction.
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

    /// Whether it asks for the visible motion of held bodies.
    fn watches(&self) -> bool {
        matches!(self, Self::Fepr(work) if work.returns() == Return::Resolved)
    }

    /// Corrects every group of the candidate.
    ///
    /// `memory` receives the visible motion of each component, and what was not returned to each group.
    pub fn apply(
        &mut self,
        step: &StepView,
        tools: &mut Tools,
        at: &mut PhasePoint,
        memory: Memory,
    ) -> CorrectionReport {
        let Memory { slow, unresolved, driven, inelastic, blocked, candidate } = memory;
        slow.copy_from_slice(&step.start.state.slow);
        unresolved.fill(0.0);
        driven.fill(0.0);
        inelastic.fill(0.0);
        blocked.fill(false);
        let mut report = CorrectionReport::default();
        for number in step.budgets.groups() {
            let group = step.budgets.group(step.start.model, number);
            // Groups that form and part have no visible motion of their own, and free bodies need none: nothing takes their drift and spin.
            let watched = self.watches() && group.support == Support::Held && group.members.len() == 1;
            if watched {
                let Start { model, state, h, .. } = step.start;
                slow[group.members[0]].observe(group.component, &model.masses, &state.x, &state.v, h);
            }
            let situation = Situation {
                model: step.start.model,
                component: group.component,
                members: group.members,
                candidate: step.candidate,
                predicted: step.predicted,
                support: group.support,
                pushes: step.pushes,
                integrator: step.start.integrator,
                h: step.start.h,
                state: step.start.state,
                has_past: step.start.has_past(),
                stage: step.stage,
                pose: step.pose,
                budget: step.budgets.of(number),
                carry: step.carried[group.members[0]].filter(|_| {
                    group.support == Support::Pushed
                        || (group.support == Support::Held && group.members.len() == 1)
                }),
                seen: watched.then(|| &slow[group.members[0]]),
                frozen: false,
            };
            if matches!(self, Self::None) {
                return report;
            }
            let one;
            (one, blocked[number]) = self.correct(situation, tools, at, candidate);
            unresolved[number] = one.unresolved;
            driven[number] = one.driven;
            inelastic[number] = one.inelastic;
            report.add(&one);
        }
        report
    }
}

/// What a correction writes besides positions and velocities, one for each component or group.
pub(crate) struct Memory<'a> {
    pub slow: &'a mut [SlowMotion],
    /// Energy that was not returned to each group, J.
    pub unresolved: &'a mut [f64],
    /// Work that moving supports did on each group because of the correction, J.
    pub driven: &'a mut [f64],
    /// Energy that impacts of each group did not get back, J.
    pub inelastic: &'a mut [f64],
    /// Whether contacts kept each group from going where it should.
    pub blocked: &'a mut [bool],
    /// Scratch: where the solver left everything.
    pub candidate: &'a mut (Vec<DVec3>, Vec<DVec3>),
}

/// The step to be corrected.
pub(crate) struct StepView<'a> {
    pub start: Start<'a>,
    /// Controls and contacts.
    pub pose: Pose<'a>,
    /// The solver's result.
    pub candidate: Candidate,
    /// Positions that inertia and known forces lead to.
    pub predicted: &'a [DVec3],
    /// How supports carry each component along.
    pub carried: &'a [Option<Carry>],
    /// (x₁, v₁) of the integrator's inner stage.
    pub stage: (&'a [DVec3], &'a [DVec3]),
    /// Known forces that are not potentials.
    pub pushes: &'a Pushes,
    /// The groups of components, and H_total of each.
    pub budgets: &'a Budgets,
}
