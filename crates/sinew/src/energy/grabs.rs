//! Grabs: springs of rest length zero from grabbed points of a surface to their targets, E = Σ k/2 |Σ bᵢxᵢ − t|². See [`Grab`].

use super::compliant::{Compliant, CompliantForm, Constraint};
use super::{Energy, HessianKind, Pose, Projective, Work};
use crate::controls::{Controls, Grab};
use glam::{DMat3, DVec3};

/// The potential of the grabs of one component.
#[derive(Clone, Debug)]
pub(crate) struct Grabs {
    /// Its vertices, ascending.
    vertices: Vec<u32>,
}

impl Grabs {
    pub const NAME: &'static str = "grab";

    pub fn new(vertices: Vec<u32>) -> Self {
        Self { vertices }
    }

    /// The grabs that hold a point of this component.
    fn own<'a>(&'a self, at: Pose<'a>) -> impl Iterator<Item = &'a Grab> + 'a {
        let grabs = at.controls.grabs().map(|(_, grab)| grab);
        grabs.filter(|grab| self.vertices.binary_search(&grab.corners[0]).is_ok())
    }
}

impl Energy for Grabs {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        self.own(at).map(|g| g.energy(at.x)).sum()
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        for grab in self.own(at) {
            let pull = (grab.point(at.x) - grab.target) * grab.stiffness;
            for (i, weight) in grab.terms() {
                gradient[i] += pull * weight;
            }
        }
        self.value(at, work)
    }

    /// The coupling of the corners is spread over the diagonal: Σ bᵢ = 1, so (Σ bᵢyᵢ)² ≤ Σ bᵢyᵢ² for a point inside.
    fn hessian(&self, at: Pose, _: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for &i in &self.vertices {
            let held = self.own(at).flat_map(|g| g.terms().map(|(j, w)| (j, w.abs() * g.stiffness)));
            let stiffness: f64 = held.filter(|&(j, _)| j == i as usize).map(|(_, k)| k).sum();
            add(i, i, DMat3::from_diagonal(DVec3::splat(stiffness)));
        }
    }

    /// A model that merely allows grabs can use plain local/global steps. No constant matrix contains the springs of grabs: while a grab is
    /// active, Projective Dynamics uses L-BFGS, which learns them.
    fn projective(&self) -> Projective {
        Projective::Exact
    }

    fn compliant(&self) -> Option<CompliantForm<'_>> {
        Some(CompliantForm::Constraints(self))
    }

    /// Each step decides whether something external pulls.
    fn external(&self) -> bool {
        false
    }
}

/// C = |Σ bᵢxᵢ − t|, α = 1/k, for each grab; a grab of another component constrains nothing here.
impl Compliant for Grabs {
    fn len(&self) -> usize {
        Controls::most_grabs()
    }

    fn constraint(&self, j: usize, at: Pose) -> Constraint {
        let Some(grab) = self.own(at).nth(j) else { return Constraint::new(0.0, 1.0, &[]) };
        let pull = grab.point(at.x) - grab.target;
        let direction = pull.normalize_or_zero();
        let mut gradients = [(0, DVec3::ZERO); 3];
        for (gradient, (i, weight)) in gradients.iter_mut().zip(grab.terms()) {
            *gradient = (i as u32, direction * weight);
        }
        Constraint::new(pull.length(), 1.0 / grab.stiffness, &gradients)
    }
}
