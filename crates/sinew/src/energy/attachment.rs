//! Attachment springs of length zero from a vertex to a target that the user moves: E = k/2 |x − t|².
//!
//! The targets are the user-controlled vertices of [dinev2018stab, §4.3]: not degrees of freedom, but part of the
//! state; moving one between two steps adds ΔE to the ledger.

use super::compliant::{Compliant, CompliantForm, Constraint};
use super::{Energy, HessianKind, Pose, Projective, Work};
use glam::{DMat3, DVec3};

/// All attachments of a model; number i pulls to `targets[i]`.
#[derive(Clone, Debug)]
pub(crate) struct Attachments {
    /// (vertex, stiffness N/m).
    springs: Vec<(u32, f64)>,
}

impl Attachments {
    pub fn new(springs: Vec<(u32, f64)>) -> Self {
        Self { springs }
    }
}

impl Energy for Attachments {
    fn name(&self) -> &str {
        "attachment"
    }

    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        let springs = self.springs.iter().zip(at.targets);
        springs.map(|(&(i, k), t)| 0.5 * k * at.x[i as usize].distance_squared(*t)).sum()
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        for (&(i, k), t) in self.springs.iter().zip(at.targets) {
            gradient[i as usize] += (at.x[i as usize] - *t) * k;
        }
        self.value(at, work)
    }

    fn hessian(&self, _: Pose, _: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for &(i, k) in &self.springs {
            add(i, i, DMat3::from_diagonal(DVec3::splat(k)));
        }
    }

    fn laplacian(&self, add: &mut dyn FnMut(u32, u32, f64)) {
        for &(i, k) in &self.springs {
            add(i, i, k);
        }
    }

    fn projective(&self) -> Projective {
        Projective::Exact
    }

    fn compliant(&self) -> Option<CompliantForm<'_>> {
        Some(CompliantForm::Constraints(self))
    }

    fn external(&self) -> bool {
        true
    }
}

/// C = |x − t| with compliance 1/k.
impl Compliant for Attachments {
    fn len(&self) -> usize {
        self.springs.len()
    }

    fn constraint(&self, j: usize, at: Pose) -> Constraint {
        let (i, k) = self.springs[j];
        let d = at.x[i as usize] - at.targets[j];
        Constraint::new(d.length(), 1.0 / k, &[(i, d.normalize_or_zero())])
    }
}
