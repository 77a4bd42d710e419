//! A point of a surface that a pointer holds: a spring from there to a target that moves, E = k/2 |Σ bᵢxᵢ − t|².
//!
//! Unlike attachments, which belong to the model, grabs come and go while a simulation runs. A new grab adds no
//! energy if its target is where the point is; moving the target and releasing it are entries of the ledger.

use glam::DVec3;

/// A grabbed point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grab {
    /// Corners of a triangle of one body, or one vertex three times.
    pub corners: [u32; 3],
    /// Weights of the corners, adding up to 1.
    pub weights: [f64; 3],
    /// N/m, positive.
    pub stiffness: f64,
    /// Where the point is pulled to, m.
    pub target: DVec3,
}

impl Grab {
    /// Holds nothing.
    pub(crate) const NONE: Self =
        Self { corners: [0; 3], weights: [0.0; 3], stiffness: 0.0, target: DVec3::ZERO };

    /// Whether it holds something.
    pub(crate) fn holds(&self) -> bool {
        self.stiffness > 0.0
    }

    /// Whether both hold the same point in the same way, wherever they pull it.
    pub(crate) fn same_hold(&self, other: &Self) -> bool {
        self.holds() && Self { target: other.target, ..*self } == *other
    }

    /// The point that is held.
    pub fn point(&self, x: &[DVec3]) -> DVec3 {
        self.terms().map(|(i, w)| x[i] * w).sum()
    }

    /// Vertices and weights.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (usize, f64)> + use<> {
        let Self { corners, weights, .. } = *self;
        (0..3).map(move |k| (corners[k] as usize, weights[k]))
    }

    /// E, J.
    pub(crate) fn energy(&self, x: &[DVec3]) -> f64 {
        0.5 * self.stiffness * self.point(x).distance_squared(self.target)
    }
}
