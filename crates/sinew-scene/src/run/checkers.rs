//! Squares on a cloth: on one colour a picture hardly shows how a cloth is bent.

use crate::export::render::Bounds;
use glam::DVec3;
use sinew::BodyInfo;

/// Squares along the longest side, the one to begin with first.
const SQUARES: [u32; 6] = [10, 9, 11, 8, 12, 7];

/// For each triangle of a cloth's surface whether it lies on a light square. Solids have no squares: their edges show enough.
///
/// Of the numbers of squares the one that cuts the fewest triangles is taken, so that squares have straight sides where the cells allow it.
pub(super) fn checkers(body: &BodyInfo, rest: &[DVec3]) -> Option<Vec<bool>> {
    if body.surface.is_empty() || !body.tetrahedra.is_empty() || body.rigid {
        return None;
    }
    let bounds = Bounds::of(rest.get(body.vertices.clone())?)?;
    let corners = |t: &[u32; 3]| t.map(|i| rest.get(i as usize).copied().unwrap_or(bounds.min));
    let triangles: Vec<[DVec3; 3]> = body.surface.iter().map(corners).collect();
    let grids = SQUARES.map(|squares| Grid::new(&bounds, squares));
    let best = grids.iter().min_by_key(|grid| triangles.iter().filter(|t| grid.cuts(t)).count())?;
    Some(triangles.iter().map(|triangle| best.is_light(triangle)).collect())
}

/// Boxes of which every other one is light.
struct Grid {
    start: DVec3,
    /// Boxes per metre along each axis; 0 where the cloth is flat, because rounding would decide there.
    per_metre: DVec3,
}

impl Grid {
    fn new(bounds: &Bounds, squares: u32) -> Self {
        let sides = bounds.max - bounds.min;
        let square = sides.max_element() / f64::from(squares);
        let count = (sides / square).round();
        let along = |i: usize| if sides[i] > 0.5 * square { count[i] / sides[i] } else { 0.0 };
        Self { start: bounds.min, per_metre: DVec3::new(along(0), along(1), along(2)) }
    }

    fn is_light(&self, triangle: &[DVec3; 3]) -> bool {
        let centre = triangle.iter().sum::<DVec3>() / 3.0;
        let place = ((centre - self.start) * self.per_metre).floor();
        (place.x as i64 + place.y as i64 + place.z as i64) % 2 != 0
    }

    /// Whether the border between two boxes runs through the triangle.
    fn cuts(&self, triangle: &[DVec3; 3]) -> bool {
        const ROUNDING: f64 = 1e-6;
        let places = triangle.map(|corner| (corner - self.start) * self.per_metre);
        let low = places[0].min(places[1]).min(places[2]) + ROUNDING;
        let high = places[0].max(places[1]).max(places[2]) - ROUNDING;
        (0..3).any(|i| self.per_metre[i] > 0.0 && low[i].floor() < high[i].floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle in the xz plane at a cell of so many in a metre.
    fn cell(cells: f64, i: f64, k: f64) -> [DVec3; 3] {
        [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)].map(|(a, b)| DVec3::new(i + a, 0.0, k + b) / cells)
    }

    #[test]
    fn squares_alternate_and_a_flat_axis_does_not_count() {
        let sheet = Bounds { min: DVec3::ZERO, max: DVec3::new(1.0, 1e-17, 1.0) };
        let grid = Grid::new(&sheet, 10);
        assert!(!grid.is_light(&cell(10.0, 0.0, 0.0)) && grid.is_light(&cell(10.0, 1.0, 0.0)));
        assert!(grid.is_light(&cell(10.0, 0.0, 1.0)) && !grid.is_light(&cell(10.0, 1.0, 1.0)));
    }

    #[test]
    fn squares_fit_to_the_cells_where_they_can() {
        let sheet = Bounds { min: DVec3::ZERO, max: DVec3::new(1.0, 0.0, 0.5) };
        let cut = |squares: u32| {
            let cells = (0..24).map(|i| cell(24.0, f64::from(i), 3.0));
            cells.filter(|triangle| Grid::new(&sheet, squares).cuts(triangle)).count()
        };
        assert_eq!((cut(12), cut(8)), (0, 0));
        assert!(cut(10) > 0);
    }
}
