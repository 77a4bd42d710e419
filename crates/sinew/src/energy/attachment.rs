//! Attachments: springs of rest length zero from a vertex to a target that the user moves, E = k/2 |x − t|².
//!
//! The targets are the user-controlled vertices of [dinev2018stab, §4.3]: they are not degrees of freedom, but part of the state; moving one
//! between two steps adds ΔE to the ledger.

use super::compliant::{Compliant, CompliantForm, Constraint};
use super::{Energy, HessianKind, Pose, Projective, Work};
use glam::{DMat3, DVec3};

/// One attachment spring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttachmentSpring {
    /// The vertex that it holds.
    pub vertex: u32,
    /// Index of the target that it pulls to.
    pub target: u32,
    /// Stiffness, N/m.
    pub stiffness: f64,
}

/// The attachments of one connected component.
#[derive(Clone, Debug)]
pub(crate) struct Attachments {
    springs: Vec<AttachmentSpring>,
}

impl Attachments {
    pub fn new(springs: Vec<AttachmentSpring>) -> Self {
        Self { springs }
    }

    /// x − t and stiffness of each spring.
    fn extensions<'a>(&'a self, at: Pose<'a>) -> impl Iterator<Item = (u32, DVec3, f64)> + 'a {
        self.springs.iter().map(move |s| {
            (s.vertex, at.x[s.vertex as usize] - at.controls.targets()[s.target as usize], s.stiffness)
        })
    }
}

impl Energy for Attachments {
    fn name(&self) -> &str {
        "attachment"
    }

    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        self.extensions(at).map(|(_, d, k)| 0.5 * k * d.length_squared()).sum()
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        for (i, d, k) in self.extensions(at) {
            gradient[i as usize] += d * k;
        }
        self.value(at, work)
    }

    fn hessian(&self, _: Pose, _: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for s in &self.springs {
            add(s.vertex, s.vertex, DMat3::from_diagonal(DVec3::splat(s.stiffness)));
        }
    }

    fn laplacian(&self, add: &mut dyn FnMut(u32, u32, f64)) {
        for s in &self.springs {
            add(s.vertex, s.vertex, s.stiffness);
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

/// Three constraints per spring, one per axis: C = (x − t)·e with compliance 1/k. Unlike |x − t| they have a direction at x = t, where
/// attachments spend most of their time.
impl Compliant for Attachments {
    fn len(&self) -> usize {
        3 * self.springs.len()
    }

    fn constraint(&self, j: usize, at: Pose) -> Constraint {
        let AttachmentSpring { vertex, target, stiffness } = self.springs[j / 3];
        let axis = DVec3::AXES[j % 3];
        let d = at.x[vertex as usize] - at.controls.targets()[target as usize];
        Constraint::new(d.dot(axis), 1.0 / stiffness, &[(vertex, axis)])
    }
}
