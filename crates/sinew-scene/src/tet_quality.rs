//! Shape of tetrahedra: volume and dihedral angles.
//!
//! The dihedral angle at an edge is π minus the angle between the outward normals of its two faces: cos θ = −n₁ · n₂.

use glam::DVec3;
use serde::Serialize;

/// The four faces of a positively oriented tetrahedron, counter-clockwise seen from outside; face k is opposite to corner k.
pub(crate) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Volume, positive if the corners are positively oriented: det[b−a, c−a, d−a]/6.
#[inline]
pub fn signed_volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a)) / 6.0
}

/// The longest edge.
pub fn longest_edge(corners: [DVec3; 4]) -> f64 {
    let mut longest = 0.0_f64;
    for (k, &a) in corners.iter().enumerate() {
        for &b in &corners[..k] {
            longest = longest.max(a.distance(b));
        }
    }
    longest
}

/// The unit normal of face `f`; zero for a face without area.
#[inline]
pub(crate) fn normal(p: [DVec3; 4], f: usize) -> DVec3 {
    let [a, b, c] = FACES[f];
    let n = (p[b] - p[a]).cross(p[c] - p[a]);
    let length = n.length();
    if length > 0.0 { n / length } else { DVec3::ZERO }
}

/// Cosines of the six dihedral angles of a positively oriented tetrahedron; faces without area have the cosine 1.
pub fn dihedral_cosines(p: [DVec3; 4]) -> [f64; 6] {
    cosines([normal(p, 0), normal(p, 1), normal(p, 2), normal(p, 3)])
}

/// The same from the normals of the four faces.
#[inline]
fn cosines(n: [DVec3; 4]) -> [f64; 6] {
    let cosine = |i: usize, j: usize| {
        if n[i] == DVec3::ZERO || n[j] == DVec3::ZERO { 1.0 } else { (-n[i].dot(n[j])).clamp(-1.0, 1.0) }
    };
    [cosine(0, 1), cosine(0, 2), cosine(0, 3), cosine(1, 2), cosine(1, 3), cosine(2, 3)]
}

/// The smallest dihedral angle as its cosine negated, so that more is better; below −1 for a tetrahedron that is flat or inverted.
#[inline]
pub(crate) fn worst_angle(p: [DVec3; 4]) -> f64 {
    worst_angle_with(p, 0, normal(p, 0))
}

/// The same with the normal of face `known`, for trials that move the corner opposite to it.
#[inline]
pub(crate) fn worst_angle_with(p: [DVec3; 4], known: usize, of_known: DVec3) -> f64 {
    let volume = signed_volume(p);
    // Written so that a volume that is no number is refused too.
    if volume.is_nan() || volume <= 0.0 {
        return -2.0;
    }
    let n = [0, 1, 2, 3].map(|f| if f == known { of_known } else { normal(p, f) });
    -cosines(n).into_iter().fold(-1.0, f64::max)
}

/// The angle in degrees that [`worst_angle`] stands for; 0 for flat and inverted ones.
pub(crate) fn degrees(worst: f64) -> f64 {
    (-worst).clamp(-1.0, 1.0).acos().to_degrees()
}

/// Volumes and dihedral angles of a tetrahedral mesh.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Quality {
    /// Tetrahedra with negative volume.
    pub inverted: usize,
    /// Tetrahedra that are flat to the precision of their coordinates.
    pub degenerate: usize,
    /// Smallest dihedral angle, degrees.
    pub min_dihedral_deg: f64,
    /// Largest dihedral angle, degrees.
    pub max_dihedral_deg: f64,
    /// Mean over tetrahedra of their smallest dihedral angle, degrees.
    pub mean_min_dihedral_deg: f64,
    /// Sum of the volumes, cubed units of the file.
    pub volume: f64,
    /// Smallest volume.
    pub min_volume: f64,
    /// Largest volume.
    pub max_volume: f64,
    /// The first tetrahedron with the smallest angle.
    pub worst: usize,
}

/// A tetrahedron is flat if |volume| ≤ this × (longest edge)³.
pub(crate) const FLAT: f64 = 1e-14;

/// Measures a mesh; inverted tetrahedra count as they would be the right way round.
pub fn quality(points: &[DVec3], tets: &[[u32; 4]]) -> Quality {
    let mut q = Quality { min_dihedral_deg: 180.0, min_volume: f64::INFINITY, ..Quality::default() };
    q.max_volume = f64::NEG_INFINITY;
    for (k, tet) in tets.iter().enumerate() {
        let mut p = tet.map(|v| points[v as usize]);
        let volume = signed_volume(p);
        q.volume += volume;
        q.min_volume = q.min_volume.min(volume);
        q.max_volume = q.max_volume.max(volume);
        let flat = volume.is_nan() || volume.abs() <= FLAT * longest_edge(p).powi(3);
        if flat {
            q.degenerate += 1;
        } else if volume < 0.0 {
            q.inverted += 1;
            p.swap(2, 3);
        }
        let angles = dihedral_cosines(p).map(|c| c.acos().to_degrees());
        let least = angles.into_iter().fold(180.0, f64::min);
        if least < q.min_dihedral_deg {
            q.min_dihedral_deg = least;
            q.worst = k;
        }
        q.max_dihedral_deg = q.max_dihedral_deg.max(angles.into_iter().fold(0.0, f64::max));
        q.mean_min_dihedral_deg += least / tets.len() as f64;
    }
    if tets.is_empty() {
        q = Quality::default();
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_tetrahedron_has_70_5_degrees() {
        let points =
            [(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)].map(DVec3::from);
        let tet = if signed_volume(points) > 0.0 { [0, 1, 2, 3] } else { [0, 1, 3, 2] };
        let q = quality(&points, &[tet]);
        let angle = (1.0_f64 / 3.0).acos().to_degrees();
        assert!((q.min_dihedral_deg - angle).abs() < 1e-12 && (q.max_dihedral_deg - angle).abs() < 1e-12);
        assert!((q.volume - 8.0 / 3.0).abs() < 1e-12 && q.inverted + q.degenerate == 0);
        assert_eq!(quality(&points, &[[tet[0], tet[1], tet[3], tet[2]]]).inverted, 1);
    }
}
