//! Springs of length zero from points of a surface to hands: E = Σ k/2 |Σ bᵢxᵢ − t|². See [`Grab`](crate::Grab).

use super::compliant::{Compliant, CompliantForm, Constraint};
use super::{Energy, HessianKind, Pose, Projective, Work};
use crate::state::GRABS;
use glam::{DMat3, DVec3};

/// The grabs of one component.
#[derive(Clone, Debug)]
pub(crate) struct Hands {
    /// Its vertices, ascending.
    vertices: Vec<u32>,
}

impl Hands {
    pub const NAME: &'static str = "grab";

    pub fn new(vertices: Vec<u32>) -> Self {
        Self { vertices }
    }

    fn holds<'a>(&'a self, at: Pose<'a>) -> impl Iterator<Item = &'a crate::Grab> + 'a {
        let mine = |g: &&crate::Grab| g.stiffness > 0.0 && self.vertices.binary_search(&g.corners[0]).is_ok();
        at.grabs.iter().filter(mine)
    }
}

impl Energy for Hands {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        self.holds(at).map(|g| g.energy(at.x)).sum()
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        for grab in self.holds(at) {
            let pull = (grab.point(at.x) - grab.target) * grab.stiffness;
            for (i, weight) in grab.terms() {
                gradient[i] += pull * weight;
            }
        }
        self.value(at, work)
    }

    /// The coupling of the corners is spread on the diagonal: Σ bᵢ = 1, so (Σ bᵢyᵢ)² ≤ Σ bᵢyᵢ² for a point inside.
    fn hessian(&self, at: Pose, _: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for &i in &self.vertices {
            let held = self.holds(at).flat_map(|g| g.terms().map(|(j, w)| (j, w.abs() * g.stiffness)));
            let stiffness: f64 = held.filter(|&(j, _)| j == i as usize).map(|(_, k)| k).sum();
            add(i, i, DMat3::from_diagonal(DVec3::splat(stiffness)));
        }
    }

    /// Empty hands are no obstacle to plain local/global steps. No constant matrix has those that hold: in such a step
    /// Projective Dynamics uses L-BFGS, which learns them.
    fn projective(&self) -> Projective {
        Projective::Exact
    }

    fn compliant(&self) -> Option<CompliantForm<'_>> {
        Some(CompliantForm::Constraints(self))
    }

    /// Whether something outside pulls is for each step to say.
    fn external(&self) -> bool {
        false
    }
}

/// C = |Σ bᵢxᵢ − t|, α = 1/k, for each hand; one that holds nothing of the component asks for nothing.
impl Compliant for Hands {
    fn len(&self) -> usize {
        GRABS
    }

    fn constraint(&self, j: usize, at: Pose) -> Constraint {
        let Some(grab) = self.holds(at).nth(j) else { return Constraint::new(0.0, 1.0, &[]) };
        let pull = grab.point(at.x) - grab.target;
        let direction = pull.normalize_or_zero();
        let mut gradients = [(0, DVec3::ZERO); 3];
        for (gradient, (i, weight)) in gradients.iter_mut().zip(grab.terms()) {
            *gradient = (i as u32, direction * weight);
        }
        Constraint::new(pull.length(), 1.0 / grab.stiffness, &gradients)
    }
}
