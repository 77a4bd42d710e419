//! Potentials E(x), in homogeneous batches: one `dyn Energy` per batch, with plain loops inside.
//!
//! Every energy provides its value, gradient and Hessian (exact and positive semi-definite). It may also have the *Projective Dynamics form*
//! E(x) = Σ wᵢ/2 ‖Gᵢx − pᵢ‖², where pᵢ is the projection of Gᵢx onto a manifold \[bouaziz2014\], and the *XPBD form* E(x) = Σ C_j(x)²/(2α_j)
//! \[macklin2016\]. A solver asks for the form that it needs; if it is missing, building the simulator returns an error.
//!
//! Because pᵢ is the closest point, ∂/∂x of the Projective Dynamics form needs no derivative of pᵢ:
//! ∇E = Σ wᵢ Gᵢᵀ(Gᵢx − pᵢ). The local step is therefore the gradient, and the global step
//! (M + αβ²h²L) x⁺ = … of \[bouaziz2014\] is x⁺ = x − (M + αβ²h²L)⁻¹ ∇g(x) with the same
//! L = Σ wᵢ Gᵢᵀ Gᵢ [liu2017, Eq. 13]. An energy contributes its part of L by [`Energy::laplacian`].

mod active;
mod arap;
mod attachment;
mod batch;
mod compliant;
mod corotated;
mod grabs;
mod gravity;
pub(crate) mod hyperelastic;
mod known_forces;
mod neo_hookean;
mod springs;
mod stvk;
mod tetrahedra;

#[cfg(test)]
mod derivatives;

pub use compliant::{Compliant, CompliantElements, CompliantForm, Constraint, ElementStress};

pub(crate) use active::{Active, Shares, grown};
pub(crate) use arap::Arap;
pub(crate) use attachment::{AttachmentSpring, Attachments};
pub(crate) use corotated::Corotated;
pub(crate) use grabs::Grabs;
pub(crate) use gravity::Gravity;
pub(crate) use known_forces::KnownForces;
pub(crate) use neo_hookean::NeoHookean;
pub use springs::SpringLaw;
pub(crate) use springs::Springs;
pub(crate) use stvk::StVenantKirchhoff;
pub(crate) use tetrahedra::Tetrahedra;

use crate::contact::Contacts;
use crate::controls::Controls;
use glam::{DMat3, DVec3};
use std::fmt::Debug;

/// The arguments of a potential: positions and controls; and the contacts that act beside it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pose<'a> {
    /// Vertex positions, #V, metres.
    pub x: &'a [DVec3],
    /// The user's controls.
    pub controls: &'a Controls,
    /// The contacts of the step. They are rows of the objective and no potential: batches leave them alone.
    pub contacts: &'a Contacts,
    /// Forces that count as a potential of components, beside the batches.
    pub(crate) known: Option<KnownForces<'a>>,
}

impl<'a> Pose<'a> {
    /// The same with other controls.
    pub(crate) fn with(self, controls: &'a Controls) -> Self {
        Self { controls, ..self }
    }

    /// The same with known forces.
    pub(crate) fn pushed(self, known: Option<KnownForces<'a>>) -> Self {
        Self { known, ..self }
    }

    /// Positions and controls, without contacts.
    pub fn new(x: &'a [DVec3], controls: &'a Controls) -> Self {
        Self { x, controls, contacts: Contacts::none(), known: None }
    }

    /// The same pose with other positions.
    pub fn at(self, x: &'a [DVec3]) -> Self {
        Self { x, ..self }
    }

    /// The same pose with these contacts.
    pub(crate) fn in_contact(self, contacts: &'a Contacts) -> Self {
        Self { contacts, ..self }
    }
}

/// Reusable buffers for one evaluation; each batch gets its own, sized by [`Energy::work_size`].
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Per-corner results before they are gathered by vertex.
    pub vectors: Vec<DVec3>,
    /// Partial sums.
    pub scalars: Vec<f64>,
}

impl Work {
    /// Allocates `vectors` 3-vectors and `scalars` numbers.
    pub fn new(vectors: usize, scalars: usize) -> Self {
        Self { vectors: vec![DVec3::ZERO; vectors], scalars: vec![0.0; scalars] }
    }
}

/// Which Hessian to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HessianKind {
    /// The exact second derivatives.
    Exact,
    /// Each element's block with its negative eigenvalues set to zero.
    PositiveSemidefinite,
}

/// How well the constant matrix L of [`Energy::laplacian`] approximates the Hessian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projective {
    /// E has the Projective Dynamics form with this L: local/global steps descend without a line search.
    Exact,
    /// L is a best fit (St.VK, Neo-Hookean): suitable for quasi-Newton steps with a line search \[liu2017\].
    BestFit,
    /// There is no L: Projective Dynamics cannot use this energy.
    None,
}

/// A potential. Implement it to add your own physics; see `examples/own_energy.rs`.
///
/// All energies are in joules, gradients in newtons. The engine calls every method only with finite positions, one for each vertex of the
/// model.
pub trait Energy: Debug + Send + Sync {
    /// The name in the ledger, such as `springs` or `gravity`.
    fn name(&self) -> &str;

    /// The energy E.
    fn value(&self, at: Pose, work: &mut Work) -> f64;

    /// Adds ∇E to `gradient` (#V) and returns E.
    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64;

    /// Adds ∂²E/∂xᵢ∂xⱼ by calling `add(i, j, block)` once per unordered pair of each element, the diagonal included. The pairs and their
    /// order must not depend on the positions.
    fn hessian(&self, at: Pose, kind: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3));

    /// Reports the entries of L by calling `add(i, j, weight)` once per unordered pair, N/m.
    fn laplacian(&self, _add: &mut dyn FnMut(u32, u32, f64)) {}

    /// Whether L exists, and whether it is exact.
    fn projective(&self) -> Projective {
        Projective::None
    }

    /// The XPBD form, if the energy has one.
    fn compliant(&self) -> Option<CompliantForm<'_>> {
        None
    }

    /// Whether the forces of this energy are external, so that it can change the total momentum.
    fn external(&self) -> bool;

    /// The buffers that `value` and `gradient` need.
    fn work_size(&self) -> Work {
        Work::default()
    }
}
