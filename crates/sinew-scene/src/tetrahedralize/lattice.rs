//! The body-centred cubic lattice: the corners of a grid of cubes and their centres, and the tetrahedra between them.
//!
//! Every tetrahedron is alike. It has two corners of the grid and two centres, two long edges (between points of the same kind, as long as a cube is
//! wide) and four short ones (√3/2 of it), and dihedral angles of 60° and 90°: an edge between the centres of two cubes that share a face,
//! with each of the four sides of that face.

use glam::DVec3;

/// A place in half cubes.
pub(super) type Place = [i64; 3];

fn plus(a: Place, b: Place) -> Place {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// A box of the lattice.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    /// Where corner (0, 0, 0) is.
    pub origin: DVec3,
    /// How wide a cube is.
    pub spacing: f64,
    /// Cubes along x, y, z.
    pub cubes: [usize; 3],
}

/// From a point to the other end of each of its edges, in half cubes: eight short ones, then six long ones.
const STEPS: [Place; 14] = [
    [-1, -1, -1],
    [1, -1, -1],
    [-1, 1, -1],
    [1, 1, -1],
    [-1, -1, 1],
    [1, -1, 1],
    [-1, 1, 1],
    [1, 1, 1],
    [-2, 0, 0],
    [2, 0, 0],
    [0, -2, 0],
    [0, 2, 0],
    [0, 0, -2],
    [0, 0, 2],
];

impl Lattice {
    /// A lattice with two cubes to spare around a box. It is shifted against the box by parts of a cube that no shape is likely to have, so that
    /// flat faces do not lie in its planes.
    pub fn around(low: DVec3, high: DVec3, spacing: f64) -> Self {
        let shift = DVec3::new(0.377_123, 0.417_377, 0.443_219) * spacing;
        let origin = low - 2.0 * spacing - shift;
        let cubes = ((high - origin) / spacing).to_array().map(|n| n.ceil() as usize + 2);
        Self { origin, spacing, cubes }
    }

    /// How many points such a lattice has, without making it.
    pub fn points_around(low: DVec3, high: DVec3, spacing: f64) -> f64 {
        let n = ((high - low) / spacing).to_array().map(|n| n.ceil() + 5.0);
        2.0 * n[0] * n[1] * n[2]
    }

    fn corner_count(&self) -> usize {
        self.cubes.iter().map(|n| n + 1).product()
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.corner_count() + self.cubes.iter().product::<usize>()
    }

    /// The place of a point: all even for a corner, all odd for a centre.
    pub fn place(&self, point: u32) -> Place {
        let (corners, point) = (self.corner_count(), point as usize);
        let [nx, ny, _] = self.cubes;
        let decode =
            |k: usize, nx: usize, ny: usize| [k % nx, k / nx % ny, k / (nx * ny)].map(|n| 2 * n as i64);
        if point < corners {
            decode(point, nx + 1, ny + 1)
        } else {
            decode(point - corners, nx, ny).map(|n| n + 1)
        }
    }

    /// The point at a place; `None` outside the box.
    pub fn point(&self, place: Place) -> Option<u32> {
        let odd = place[0].rem_euclid(2);
        let cube = place.map(|n| (n - odd) / 2);
        let sizes = self.cubes.map(|n| n as i64 + 1 - odd);
        if (0..3).any(|k| place[k] < odd || cube[k] >= sizes[k]) {
            return None;
        }
        let index = (cube[2] * sizes[1] + cube[1]) * sizes[0] + cube[0];
        let first = if odd == 1 { self.corner_count() as i64 } else { 0 };
        Some((first + index) as u32)
    }

    /// Where a point is before anything is moved.
    pub fn position(&self, point: u32) -> DVec3 {
        self.origin + 0.5 * self.spacing * DVec3::from_array(self.place(point).map(|n| n as f64))
    }

    /// The points that share an edge with a point.
    pub fn neighbours(&self, point: u32) -> impl Iterator<Item = u32> + '_ {
        let place = self.place(point);
        STEPS.iter().filter_map(move |&step| self.point(plus(place, step)))
    }

    /// The points nearest to a position: the corners and the centre of its cube, and the six centres next to it.
    pub fn around_position(&self, p: DVec3) -> impl Iterator<Item = u32> + '_ {
        let cube = ((p - self.origin) / self.spacing).floor();
        let centre = cube.to_array().map(|n| 2 * n as i64 + 1);
        STEPS.into_iter().chain([[0; 3]]).filter_map(move |step| self.point(plus(centre, step)))
    }

    /// Whether an edge is one of the long ones.
    pub fn long(&self, a: u32, b: u32) -> bool {
        let corners = self.corner_count() as u32;
        (a < corners) == (b < corners)
    }

    /// Faces of cubes with a cube on both sides, each the middle of four tetrahedra.
    pub fn groups(&self) -> usize {
        3 * self.cubes.iter().product::<usize>()
    }

    /// The four tetrahedra of a group, positively oriented; none at the end of the box.
    pub fn tetrahedra(&self, group: usize) -> Option<[[u32; 4]; 4]> {
        let (axis, cube) = (group % 3, group / 3);
        let [nx, ny, _] = self.cubes;
        let here = [cube % nx, cube / nx % ny, cube / (nx * ny)].map(|n| 2 * n as i64 + 1);
        let along = |k: usize, by: i64| {
            let mut step = [0; 3];
            step[k % 3] = by;
            step
        };
        let (first, second) = (self.point(here)?, self.point(plus(here, along(axis, 2)))?);
        let middle = plus(here, along(axis, 1));
        let ring = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
            .map(|(u, v)| plus(middle, plus(along(axis + 1, u), along(axis + 2, v))));
        let mut corner = [0; 4];
        for (k, place) in ring.into_iter().enumerate() {
            corner[k] = self.point(place)?;
        }
        Some([0, 1, 2, 3].map(|k| [first, second, corner[k], corner[(k + 1) % 4]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tet_quality::{dihedral_cosines, signed_volume};

    #[test]
    fn all_tetrahedra_are_alike_and_fill_the_box() {
        let lattice = Lattice { origin: DVec3::ZERO, spacing: 1.0, cubes: [3, 4, 5] };
        let mut count = 0;
        for tet in (0..lattice.groups()).filter_map(|g| lattice.tetrahedra(g)).flatten() {
            let p = tet.map(|v| lattice.position(v));
            assert!((signed_volume(p) - 1.0 / 12.0).abs() < 1e-14);
            let least = dihedral_cosines(p).into_iter().fold(-1.0, f64::max);
            assert!((least - 0.5).abs() < 1e-12);
            count += 1;
        }
        assert_eq!(count, 4 * (2 * 4 * 5 + 3 * 3 * 5 + 3 * 4 * 4));
    }

    #[test]
    fn points_have_places_and_fourteen_neighbours() {
        let lattice = Lattice { origin: DVec3::ZERO, spacing: 1.0, cubes: [4, 5, 6] };
        for point in 0..lattice.len() as u32 {
            assert_eq!(lattice.point(lattice.place(point)), Some(point));
        }
        let middle = lattice.point([4, 4, 4]).unwrap();
        assert_eq!(lattice.neighbours(middle).count(), 14);
    }
}
