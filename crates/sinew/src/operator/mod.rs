//! H₀⁻¹: solving with the matrix of a step.
//!
//! The matrix is M + αβ²h²(L + K), L the stiffness of the bodies and K that of the contacts that exert a force. Solvers (as their preconditioner) and
//! corrections (as their metric) compute x ← H₀⁻¹x through an [`Operator`]. It knows whether the matrix is factored or solved by multigrid, whether
//! bones are decided in the middle of the solve, and whether contacts exert a force.

mod contact_matrix;
mod coupled;
mod deflation;
mod loose;
mod systems;

pub(crate) use systems::{Scope, SystemKey, Systems, system_matrix};

use crate::contact::Contacts;
use crate::model::Model;
use crate::objective::SolveFailure;
use crate::settings::error::SettingsError;
use crate::skeleton::solve::{Articulated, Axes, Frame, Geometric, JointedFrames};
use crate::sparse::{GlobalMethod, GlobalStep, NotPositiveDefinite, Precision, SymmetricMatrix};
use contact_matrix::ContactMatrix;
use glam::DVec3;
use std::ops::Range;
use std::sync::Arc;

/// What the result of a solve is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A step of a solver: the matrix has the stiffness of forces that turn with the bones, and joints close their gaps.
    Step,
    /// A direction of a correction: neither.
    Direction,
}

/// The bones that take part in a solve, and where they are.
pub(crate) struct WithBones<'a> {
    pub model: &'a Model,
    pub frames: &'a [Frame],
    pub bones: &'a mut Articulated,
    pub purpose: Purpose,
}

/// One matrix, ready to be solved with.
#[derive(Debug)]
pub(crate) struct Operator {
    /// αβ²h².
    stiffness_factor: f64,
    constant: GlobalStep,
    /// What its factor says about the bones, one for each articulation.
    jointed: Vec<Arc<JointedFrames>>,
    /// The same matrix with contacts in it; `None` where nothing collides, or where contacts are not asked for.
    contact: Option<ContactMatrix>,
    /// Whether contacts press, so that it is the matrix with contacts that counts.
    in_contact: bool,
}

impl Operator {
    /// Of a part of a model: `matrix` is the one that the key describes, `rows` are those of each of the bones' articulations in it.
    pub fn of_part(
        model: &Model,
        systems: &mut Systems,
        key: SystemKey,
        matrix: &SymmetricMatrix,
        (bones, rows): (&Articulated, &[Range<usize>]),
    ) -> Result<Self, NotPositiveDefinite> {
        Ok(Self::new(model, key.stiffness_factor, systems.step(key, matrix, rows)?, bones, None))
    }

    fn new(
        model: &Model,
        stiffness_factor: f64,
        constant: GlobalStep,
        bones: &Articulated,
        contact: Option<ContactMatrix>,
    ) -> Self {
        let corners = constant.corners().map_or(&[][..], |corners| &corners[..]);
        let jointed = bones.jointed(model, corners);
        Self { stiffness_factor, constant, jointed, contact, in_contact: false }
    }

    /// Looks at which rows press at the guess `x` or did before; `weight` is αβh².
    pub fn look_at_contacts(&mut self, model: &Model, contacts: &Contacts, weight: f64, x: &[DVec3]) {
        let Self { contact, constant, .. } = self;
        let system = contact.as_mut().filter(|_| !contacts.is_empty());
        self.in_contact = system.is_some_and(|system| system.prepare(model, contacts, weight, x, constant));
    }

    /// Builds what bones need for the solves that follow; the gradient was reduced where the frames are.
    pub fn prepare_bones(&mut self, with: &mut WithBones) -> Result<(), SolveFailure> {
        let WithBones { model, frames, bones, purpose } = with;
        if bones.is_empty() {
            return Ok(());
        }
        let geometric = match purpose {
            Purpose::Step => Geometric::Clamped,
            Purpose::Direction => Geometric::None,
        };
        let mut contact = self.contact.as_mut().filter(|_| self.in_contact);
        if let Some(system) = contact.as_ref().filter(|system| !system.is_coupled()) {
            return bones.prepare_axes(model, frames, &system.axes(), geometric);
        }
        if self.constant.corners().is_none() {
            return Err(SolveFailure("bones need a factored matrix"));
        }
        bones.prepare(model, frames, &self.jointed, geometric)?;
        if let Some(system) = &mut contact {
            system.prepare_bones(model, frames, bones);
        }
        Ok(())
    }

    /// x ← H₀⁻¹x, x in reduced coordinates: flesh, then the coordinates of bones.
    pub fn solve(&mut self, with: &mut WithBones, x: &mut [DVec3]) -> Result<(), SolveFailure> {
        let WithBones { model, frames, bones, purpose } = with;
        let contact = self.contact.as_mut().filter(|_| self.in_contact);
        let values = *purpose == Purpose::Step;
        match contact {
            Some(system) if bones.is_empty() => system.solve(&mut self.constant, x),
            Some(system) => {
                system.solve_with_bones(model, (frames, bones), &mut self.constant, x, values);
            }
            None if bones.is_empty() => {
                return self.constant.solve_vectors(x).map_err(|breakdown| SolveFailure(breakdown.why()));
            }
            None => bones.solve(model, frames, &mut self.constant, x, values),
        }
        Ok(())
    }
}

/// The operators of a simulator: those of the solver by αβ²h², and the factors that corrections share with them.
#[derive(Debug)]
pub(crate) struct Operators {
    pub systems: Systems,
    /// BDF2 has two, its own and backward Euler's for the first step.
    of_steps: Vec<Operator>,
    /// The one that the step at hand uses.
    current: Option<usize>,
}

impl Operators {
    pub fn new(method: GlobalMethod) -> Self {
        Self { systems: Systems::new(method), of_steps: Vec::new(), current: None }
    }

    /// Makes the operators of a solver without using them yet; factors that somebody holds are found and kept. `contact`: whether contacts go into the
    /// matrix.
    pub fn make(
        &mut self,
        model: &Model,
        factors: impl Iterator<Item = f64>,
        precision: Precision,
        contact: bool,
    ) -> Result<Vec<Operator>, SettingsError> {
        let mut made: Vec<Operator> = Vec::new();
        let bones = Articulated::of_model(model);
        for stiffness_factor in factors {
            if made.iter().any(|known| known.stiffness_factor == stiffness_factor) {
                continue;
            }
            let constant = self
                .systems
                .whole(model, stiffness_factor, precision)
                .map_err(|_| SettingsError::Matrix("projective-dynamics"))?;
            let system = if contact {
                ContactMatrix::new(model, &mut self.systems, stiffness_factor)
            } else {
                Ok(None)
            };
            let contact = system.map_err(|_| SettingsError::Matrix("projective-dynamics in contact"))?;
            made.push(Operator::new(model, stiffness_factor, constant, &bones, contact));
        }
        Ok(made)
    }

    /// Uses these operators from now on.
    pub fn install(&mut self, of_steps: Vec<Operator>) {
        (self.of_steps, self.current) = (of_steps, None);
    }

    /// A step begins: nothing is known of its contacts.
    pub fn begin_step(&mut self) {
        self.current = None;
        self.of_steps.iter_mut().for_each(|operator| operator.in_contact = false);
    }

    /// The operator for αβ²h².
    pub fn of(&mut self, stiffness_factor: f64) -> Result<&mut Operator, SolveFailure> {
        let found = self.of_steps.iter().position(|operator| operator.stiffness_factor == stiffness_factor);
        self.current = found;
        let missing = SolveFailure("no factored matrix fits the integrator");
        found.map(|k| &mut self.of_steps[k]).ok_or(missing)
    }

    /// The operator that the solve of this step used, if contacts press in it.
    pub fn in_contact(&mut self) -> Option<&mut Operator> {
        self.of_steps.get_mut(self.current?).filter(|operator| operator.in_contact)
    }
}
