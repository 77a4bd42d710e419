//! Solvers: different ways to minimise the same g(x).
//!
//! All solvers work on reduced coordinates through the model's [`Dofs`](crate::dofs::Dofs): gradients are pulled back, steps are expanded.
//! `iterations` is a budget; `tolerance` can end the solve before the budget is spent.

mod discrete_gradient;
mod hessian;
mod lbfgs;
mod line_search;
mod newton;
mod projective;
mod thin;
mod xpbd;

pub(crate) use newton::NewtonWork;
pub(crate) use projective::ProjectiveWork;
pub(crate) use xpbd::XpbdWork;

use crate::energy::{CompliantForm, Pose, Projective};
use crate::integrator::Integrator;
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork, SolveFailure};
use crate::operator::{Operator, Operators};
use crate::settings::error::{SettingsError, check_range};
use crate::sparse::{GlobalMethod, Precision};
use glam::DVec3;

/// Iterations between two looks at the contacts.
const INNER: usize = 5;
/// Rounds of a step in contact: as many as the solver's iterations make, but at least and, of solvers that stop by themselves, at most these.
const FEWEST_ROUNDS: usize = 4;
const MOST_ROUNDS: usize = 12;
/// Iterations before [`Budget::relative`] is believed.
const LEARNING: usize = 3;
/// The unbalanced force, as a share of the force that moves the body, above which it is not believed either.
const BALANCED: f64 = 0.5;

/// How g(x) is minimised.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Solver {
    /// Newton's method with line search, to convergence.
    Newton(Budget),
    /// One Newton step from xₙ without line search \[baraff1998\].
    Linearized,
    /// Local/global iterations with a constant, prefactored matrix [bouaziz2014, liu2017].
    ProjectiveDynamics {
        /// When to stop.
        budget: Budget,
        /// Whether to accelerate with L-BFGS, which learns curvature on the way.
        acceleration: Acceleration,
    },
    /// Extended position-based dynamics: Gauss–Seidel over compliant constraints \[macklin2016\].
    Xpbd {
        /// Number of sweeps over all constraints.
        iterations: usize,
    },
}

/// When a solve ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Largest number of iterations of a solve. A rule with two stages has two solves in a step.
    pub iterations: usize,
    /// Stop earlier when the remaining root-mean-square displacement, as a share of the body size, is below this. 0: always use all
    /// iterations (unless rounding leaves nothing to gain).
    pub tolerance: f64,
    /// Stop earlier when what is left to move, √(∇gᵀH₀⁻¹∇g), is below this share of what forces move in the step, ‖x − y‖_M, and the unbalanced force below half of
    /// the force that moves. 0: do not.
    pub relative: f64,
}

/// Acceleration of Projective Dynamics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Acceleration {
    /// Plain local/global steps.
    None,
    /// L-BFGS with the global matrix as initial Hessian and a line search \[liu2017\].
    Lbfgs {
        /// Number of stored pairs, at most 50. 5 is the paper's choice for a fixed number of iterations; a solve that goes on until the motion is solved needs fewer of them
        /// with 20.
        history: usize,
        /// Precision of the global matrix's factor. It affects the path, not the result: gradient and line search stay in double precision.
        preconditioner: Precision,
    },
}

impl Budget {
    /// What Sinew recommends. The share was set on a stiff pendulum, bars, a cloth, a trampoline, a cube and bones at 1/30 s (`sinew paper motion`): 10 % loses motion,
    /// 1 % costs half as much again and shows nothing more.
    pub const ENOUGH: Self = Self { iterations: 300, tolerance: 0.0, relative: 0.02 };

    /// For a correction that does not return everything ([`Return::Resolved`](crate::Return::Resolved)): what a loose solve loses would stay lost.
    pub const FINE: Self = Self { iterations: 300, tolerance: 0.0, relative: 0.004 };

    /// Always uses this many iterations.
    pub const fn fixed(iterations: usize) -> Self {
        Self { iterations, tolerance: 0.0, relative: 0.0 }
    }

    /// Stops at a tolerance, or after this many iterations.
    pub const fn to(iterations: usize, tolerance: f64) -> Self {
        Self { iterations, tolerance, relative: 0.0 }
    }

    /// Whether a solve may end with `left` to move, where forces `moved` the body so far and a share of them is `unbalanced`.
    /// The first iterations do not count: until curvature is learned, a stiff body seems to have arrived where it has not begun to move. Nor does what is left where forces are out
    /// of balance: H₀ resists the turns of slender bodies far more than they do, and underrates how far these have to go.
    pub(crate) fn suffices(&self, iteration: usize, left: f64, moved: f64, unbalanced: f64) -> bool {
        self.relative > 0.0
            && iteration >= LEARNING
            && left <= self.relative * moved
            && unbalanced <= BALANCED
    }
}

impl Solver {
    /// Newton's method to convergence: at most 50 iterations, tolerance 1e-12.
    pub fn newton() -> Self {
        Self::Newton(Budget::to(50, 1e-12))
    }

    /// Projective Dynamics with L-BFGS (history 5) and this many iterations.
    pub fn accelerated(iterations: usize) -> Self {
        let acceleration = Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double };
        Self::ProjectiveDynamics { budget: Budget::fixed(iterations), acceleration }
    }

    /// Projective Dynamics with L-BFGS (history 20) until the motion is solved to 2 %, at most 300 iterations a solve: a stiff body gets more, a soft one less.
    pub fn adaptive() -> Self {
        let acceleration = Acceleration::Lbfgs { history: 20, preconditioner: Precision::Double };
        Self::ProjectiveDynamics { budget: Budget::ENOUGH, acceleration }
    }
}

/// A summary of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SolveReport {
    /// Iterations spent.
    pub iterations: usize,
    /// Unbalanced force where the solve ended, as a share of the force that moves the body: ‖M⁻¹∇g‖_M/‖x − y‖_M. The largest of several solves.
    pub residual: f64,
    /// Whether iterations ran out before a tolerance was met.
    pub at_limit: bool,
    /// Root mean square of the last direction, m: what was left to move.
    pub last: f64,
}

impl SolveReport {
    /// For a solve that ended at `x` with this residual, after `spent` of its iterations.
    fn new(objective: &Objective, x: &[DVec3], residual: f64, (spent, budget): (usize, Budget)) -> Self {
        Self {
            iterations: spent,
            residual: objective.unbalanced(residual, x),
            at_limit: spent == budget.iterations && residual > budget.tolerance,
            last: 0.0,
        }
    }

    /// Adds the report of a solve that goes on where this one ended.
    pub fn continued(self, more: Self) -> Self {
        Self { iterations: self.iterations + more.iterations, ..more }
    }

    /// Adds the report of a subsequent solve.
    pub fn then(self, more: Self) -> Self {
        Self {
            iterations: self.iterations + more.iterations,
            residual: self.residual.max(more.residual),
            at_limit: self.at_limit | more.at_limit,
            last: more.last,
        }
    }
}

/// A direction or slope is not finite.
pub(crate) const NOT_FINITE: SolveFailure = SolveFailure("the gradient is not finite");

impl Solver {
    /// The part of its work that it does in one round of a step in contact, and how many rounds there are at the most.
    pub(crate) fn rounds(&self) -> (Self, usize) {
        let part = |budget: Budget, most: usize| Budget {
            iterations: budget.iterations.min(most),
            relative: 0.0,
            ..budget
        };
        match *self {
            Self::ProjectiveDynamics { budget, acceleration } => {
                // A budget that stops by itself where nothing touches is one of many rounds, no more.
                let most = if budget.relative > 0.0 { MOST_ROUNDS } else { usize::MAX };
                let rounds = budget.iterations.div_ceil(INNER).clamp(FEWEST_ROUNDS, most);
                (Self::ProjectiveDynamics { budget: part(budget, INNER), acceleration }, rounds)
            }
            Self::Newton(budget) => (Self::Newton(part(budget, INNER)), MOST_ROUNDS),
            Self::Linearized => (*self, FEWEST_ROUNDS),
            Self::Xpbd { iterations } => (*self, iterations.clamp(FEWEST_ROUNDS, MOST_ROUNDS)),
        }
    }

    /// Its name in scenes and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Newton(_) => "newton",
            Self::Linearized => "linearized",
            Self::ProjectiveDynamics { .. } => "projective-dynamics",
            Self::Xpbd { .. } => "xpbd",
        }
    }

    /// Checks that the parameters are valid and that every energy has the form that the solver needs.
    pub(crate) fn check(&self, model: &Model, integrator: Integrator) -> Result<(), SettingsError> {
        if integrator == Integrator::DiscreteGradient && !matches!(self, Self::Newton(_)) {
            return Err(SettingsError::Integrator {
                integrator: integrator.name(),
                why: "it is a root-finding problem, not a minimisation; use solver newton",
            });
        }
        let bones = model.bone_count() > 0;
        if bones && matches!(self, Self::Xpbd { .. }) {
            return Err(SettingsError::Bones {
                what: "solver xpbd",
                why: "it moves vertices one by one; use projective-dynamics or newton",
            });
        }
        if bones && integrator == Integrator::DiscreteGradient {
            return Err(SettingsError::Bones {
                what: "integrator discrete-gradient",
                why: "its equation has no minimum to look for on bones; use implicit-midpoint with correction fepr",
            });
        }
        let (iterations, tolerance) = match *self {
            Self::Newton(budget) | Self::ProjectiveDynamics { budget, .. } => {
                (budget.iterations, budget.tolerance)
            }
            Self::Linearized => (1, 0.0),
            Self::Xpbd { iterations } => (iterations, 0.0),
        };
        check_range("solver.iterations", "at least 1", iterations as f64, iterations >= 1)?;
        let fine = tolerance >= 0.0 && tolerance.is_finite();
        check_range("solver.tolerance", "zero or positive and finite", tolerance, fine)?;
        if let Self::Newton(budget) | Self::ProjectiveDynamics { budget, .. } = *self {
            let relative = budget.relative;
            check_range(
                "solver.relative_tolerance",
                "from 0 to below 1",
                relative,
                (0.0..1.0).contains(&relative),
            )?;
        }
        for energy in &model.energies {
            let refuse = |why| {
                Err(SettingsError::Unsupported { solver: self.name(), energy: energy.name().to_owned(), why })
            };
            match (self, energy.projective()) {
                (Self::ProjectiveDynamics { .. }, Projective::None) => {
                    return refuse("it has no constant matrix; use solver newton or linearized");
                }
                (Self::ProjectiveDynamics { acceleration: Acceleration::None, .. }, Projective::BestFit) => {
                    return refuse(
                        "it has no projection for plain local/global steps; \
                         use solver.acceleration = \"lbfgs\", or solver newton",
                    );
                }
                (Self::Xpbd { .. }, _) => match energy.compliant() {
                    None => return refuse("it has no constraints with compliance; use solver newton"),
                    Some(form) if !names_existing_vertices(model, &form) => {
                        return refuse("one of its constraints names a vertex that does not exist");
                    }
                    Some(_) => {}
                },
                _ => {}
            }
        }
        if let Self::ProjectiveDynamics { acceleration: Acceleration::Lbfgs { history, .. }, .. } = *self {
            check_range("solver.history", "between 1 and 50", history as f64, (1..=50).contains(&history))?;
        }
        Ok(())
    }
}

/// Whether the constraints of an energy name only existing vertices; checked once, because the engine later relies on it.
fn names_existing_vertices(model: &Model, form: &CompliantForm) -> bool {
    let pose = Pose::new(&model.initial.positions, &model.initial.controls);
    let exists = |i: u32| (i as usize) < model.points();
    match form {
        CompliantForm::Constraints(list) => {
            (0..list.len()).all(|j| list.constraint(j, pose).gradients().iter().all(|g| exists(g.0)))
        }
        CompliantForm::Elements(list) => {
            (0..list.len()).all(|e| list.element(e, pose).corners.into_iter().all(exists))
        }
        CompliantForm::ConstantForce => true,
    }
}

/// The buffers of the selected solver.
#[derive(Debug)]
pub(crate) enum SolverWork {
    Newton(Box<NewtonWork>),
    Projective(Box<ProjectiveWork>),
    Xpbd(XpbdWork),
    /// Explicit rules need none.
    None,
}

/// What the buffers of a solver depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SolverSetup {
    pub solver: Solver,
    pub integrator: Integrator,
    pub global: GlobalMethod,
    pub h: f64,
}

impl SolverSetup {
    /// Factors the constant matrices; none for solvers that factor in every step.
    pub fn operators(
        &self,
        model: &Model,
        operators: &mut Operators,
    ) -> Result<Vec<Operator>, SettingsError> {
        let Solver::ProjectiveDynamics { acceleration, .. } = self.solver else { return Ok(Vec::new()) };
        if self.integrator.is_explicit() {
            return Ok(Vec::new());
        }
        let factors = self.integrator.stiffness_factors(self.h);
        match acceleration {
            Acceleration::None => operators.make(model, factors, Precision::Double, true),
            Acceleration::Lbfgs { preconditioner, .. } => {
                operators.make(model, factors, preconditioner, true)
            }
        }
    }

    /// Whether buffers that were made for `old` also serve this setup.
    pub fn is_served_by(&self, old: &Self) -> bool {
        if old.global != self.global || old.integrator.is_explicit() != self.integrator.is_explicit() {
            return false;
        }
        match (old.solver, self.solver) {
            _ if self.integrator.is_explicit() => true,
            (Solver::Newton(_) | Solver::Linearized, Solver::Newton(_) | Solver::Linearized) => true,
            (Solver::Xpbd { .. }, Solver::Xpbd { .. }) => true,
            (
                Solver::ProjectiveDynamics { acceleration: before, .. },
                Solver::ProjectiveDynamics { acceleration: after, .. },
            ) => (old.h, old.integrator, before) == (self.h, self.integrator, after),
            _ => false,
        }
    }
}

impl SolverWork {
    pub fn new(model: &Model, setup: &SolverSetup) -> Result<Self, SettingsError> {
        if setup.integrator.is_explicit() {
            return Ok(Self::None);
        }
        Ok(match setup.solver {
            Solver::Newton(_) | Solver::Linearized => Self::Newton(Box::new(NewtonWork::new(model)?)),
            Solver::ProjectiveDynamics { acceleration, .. } => {
                Self::Projective(Box::new(ProjectiveWork::new(model, acceleration)))
            }
            Solver::Xpbd { .. } => Self::Xpbd(XpbdWork::new(model)),
        })
    }

    /// Whether the next solve may go on with the curvature that the last one learned.
    pub fn keep_curvature(&mut self, keep: bool) {
        if let Self::Projective(work) = self {
            work.keeps_pairs = keep;
        }
    }

    /// Minimises g; `x` holds the initial guess, from which Projective Dynamics starts, and then the result.
    pub fn minimise(
        &mut self,
        solver: &Solver,
        objective: &Objective,
        operators: &mut Operators,
        shared: &mut ObjectiveWork,
        x: &mut [DVec3],
    ) -> Result<SolveReport, SolveFailure> {
        match (self, *solver) {
            (Self::Newton(work), Solver::Newton(budget)) if objective.discrete_gradient => {
                work.discrete_gradient(objective, shared, budget, x)
            }
            (Self::Newton(work), Solver::Newton(budget)) => work.minimise(objective, shared, budget, x),
            (Self::Newton(work), Solver::Linearized) => work.linearized(objective, shared, x),
            (Self::Projective(work), Solver::ProjectiveDynamics { budget, acceleration }) => {
                let operator = operators.of(objective.stiffness_factor())?;
                // The constant matrix contains neither grabs nor the rows of contacts.
                let grabbed = objective.pose.controls.grabs().next().is_some();
                let touched = !objective.pose.contacts.is_empty();
                match acceleration {
                    Acceleration::None if !grabbed && !touched => {
                        work.local_global(objective, operator, shared, budget, x)
                    }
                    _ => work.lbfgs(objective, operator, shared, budget, x),
                }
            }
            (Self::Xpbd(work), Solver::Xpbd { iterations }) => {
                Ok(work.minimise(objective, shared, iterations, x))
            }
            _ => Err(SolveFailure("the solver's memory belongs to another solver")),
        }
    }
}

/// Whether an energy is a constant force for XPBD.
pub(crate) fn is_constant_force(form: &CompliantForm) -> bool {
    matches!(form, CompliantForm::ConstantForce)
}
