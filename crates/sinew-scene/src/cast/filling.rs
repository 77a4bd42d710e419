//! Tetrahedra for a number of vertices.
//!
//! A mesh of size s has about N(s) = 2V/s³ + cA/s² vertices: two points of the lattice for each cube of the volume V, and c points more for each square of the
//! surface A, where the lattice is cut. What is thin has more. So a mesh is made with a usual c; if its number is not near enough, it tells the c of this shape, and the
//! next one is made with that.

use crate::surface::{area_vector, corners, enclosed_volume};
use crate::tetrahedralize::{
    ClosedSurface, Fineness, Options, Tetrahedra, TetrahedralizeError, tetrahedralize,
};

/// Points for each square of the surface, on bodies without thin parts.
const USUAL: f64 = 1.35;
/// How far from the asked number of vertices is near enough, as a share; the promise is 15 %. With bones a trial takes long.
const NEAR: f64 = 0.09;
const NEAR_WITH_BONES: f64 = 0.135;
/// Meshes that are made until the number is near enough.
const TRIALS: usize = 4;
/// Fewest vertices that can be asked for, as `tetrahedralize` has it.
const LEAST: usize = 20;

/// Volume and area of a surface, in its own unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measures {
    volume: f64,
    area: f64,
}

impl Measures {
    pub fn of(surface: &ClosedSurface) -> Self {
        let area = |&t: &[u32; 3]| 0.5 * area_vector(corners(&surface.points, t)).length();
        Self {
            volume: enclosed_volume(&surface.points, &surface.triangles),
            area: surface.triangles.iter().map(area).sum(),
        }
    }

    /// Sums of both.
    pub fn and(self, other: Self) -> Self {
        Self { volume: self.volume, area: self.area + other.area }
    }

    /// The size at which a mesh has about so many vertices.
    pub fn size(&self, vertices: usize) -> f64 {
        self.size_with(vertices as f64, USUAL)
    }

    /// The root of N(s) = n, by halving.
    fn size_with(&self, n: f64, c: f64) -> f64 {
        let (mut low, mut high) = (0.0, (2.0 * self.volume / n).cbrt() + (c * self.area / n).sqrt());
        for _ in 0..60 {
            let s = 0.5 * (low + high);
            if 2.0 * self.volume / s.powi(3) + c * self.area / s.powi(2) > n {
                low = s;
            } else {
                high = s;
            }
        }
        high
    }

    /// The c of a mesh of this size; at least a little, so that a root remains.
    fn surplus(&self, n: f64, s: f64) -> f64 {
        ((n - 2.0 * self.volume / s.powi(3)) * s.powi(2) / self.area).max(0.05)
    }
}

/// Fills surfaces of which `measures` tells volume and area with about so many vertices; the best of a few trials.
pub(super) fn filled(
    surfaces: &[ClosedSurface],
    measures: Measures,
    vertices: usize,
) -> Result<Tetrahedra, TetrahedralizeError> {
    let mut best: Option<(f64, Tetrahedra)> = None;
    let mut fineness = match vertices {
        0..LEAST => Fineness::Vertices(vertices),
        _ => Fineness::Size(measures.size(vertices)),
    };
    for _ in 0..TRIALS {
        let made = tetrahedralize(surfaces, &Options { fineness, coarser_inside: false })?;
        let (n, size) = (made.points.len() as f64, made.size);
        let miss = (n / vertices as f64).ln().abs();
        if best.as_ref().is_none_or(|(least, _)| miss < *least) {
            best = Some((miss, made));
        }
        if miss < if surfaces.len() > 1 { NEAR_WITH_BONES } else { NEAR } {
            break;
        }
        fineness = Fineness::Size(measures.size_with(vertices as f64, measures.surplus(n, size)));
    }
    best.map(|(_, made)| made).ok_or(TetrahedralizeError::Vertices { wanted: vertices, most: 0 })
}
