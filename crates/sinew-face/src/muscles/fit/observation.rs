//! What a scan sees of a face: Mx, and the targets t \[dinev2020, Eq. 4.3\].

use super::MM;
use crate::error::FaceError;
use crate::muscles::model::Face;
use crate::muscles::system::{HELD, System};
use glam::DVec3;
use sinew_scene::surface::Tree;

/// M: each observed point is a weighted sum of up to three vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    rows: Vec<([u32; 3], DVec3)>,
    /// From Mx at rest to the neutral scan, m.
    offsets: Vec<DVec3>,
}

/// A scan, in the order of an [`Observation`].
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// Observed points, m.
    pub points: Vec<DVec3>,
}

impl Observation {
    /// Vertices of the face themselves.
    pub fn vertices(list: &[u32]) -> Self {
        let rows = list.iter().map(|&v| ([v, v, v], DVec3::X)).collect();
        Self { rows, offsets: vec![DVec3::ZERO; list.len()] }
    }

    /// Points of a neutral scan on the nearest places of the skin: which of them are seen, and how. Points farther than `limit` from the skin, or on skin that cannot move, are left out.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if hardly any point is near the skin.
    pub fn nearest(face: &Face, neutral: &[DVec3], limit: f64) -> Result<(Vec<usize>, Self), FaceError> {
        let skin = &face.surface[..face.skin];
        let tree = Tree::new(&face.points, skin);
        let mut seen = vec![false; face.points.len()];
        face.scanned.iter().for_each(|&v| seen[v as usize] = true);
        let (mut kept, mut rows, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
        for (k, p) in neutral.iter().enumerate() {
            let Some(near) = tree.nearest_within(*p, limit) else { continue };
            let corners = skin[near.triangle];
            if corners.iter().all(|&v| seen[v as usize]) {
                let weights = barycentric(near.point, corners.map(|v| face.points[v as usize]));
                kept.push(k);
                rows.push((corners, weights));
                offsets.push(*p - near.point);
            }
        }
        if kept.len() < 30 {
            return Err(FaceError::Muscles(format!(
                "only {} of {} points of the neutral scan are within {} mm of the face: give the scan in the place and unit of the face, or correspondences",
                kept.len(),
                neutral.len(),
                MM * limit
            )));
        }
        Ok((kept, Self { rows, offsets }))
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing is observed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Mx with the offsets of the neutral scan, m.
    pub fn see(&self, x: &[DVec3]) -> Vec<DVec3> {
        self.rows.iter().zip(&self.offsets).map(|((v, w), o)| blend(x, v, *w) + *o).collect()
    }

    /// Mx − t, mm.
    pub(crate) fn residual(&self, x: &[DVec3], target: &Target) -> Vec<f64> {
        self.see(x).iter().zip(&target.points).flat_map(|(p, t)| (MM * (*p - *t)).to_array()).collect()
    }

    /// Distances from the targets, mm.
    pub fn errors(&self, x: &[DVec3], target: &Target) -> Vec<f64> {
        self.see(x).iter().zip(&target.points).map(|(p, t)| MM * p.distance(*t)).collect()
    }

    /// The same by the vertex that has the largest part in each point, for pictures.
    pub fn errors_by_vertex(&self, x: &[DVec3], target: &Target) -> Vec<(u32, f64)> {
        let nearest = |(v, w): &([u32; 3], DVec3)| v[w.max_position()];
        self.rows.iter().map(nearest).zip(self.errors(x, target)).collect()
    }

    /// M of a change of the unknowns, mm.
    pub(crate) fn apply(&self, system: &System, step: &[f64]) -> Vec<f64> {
        let of = |v: u32| match system.unknown[v as usize] {
            HELD => DVec3::ZERO,
            u => DVec3::from_slice(&step[3 * u as usize..3 * u as usize + 3]),
        };
        let row = |(v, w): &([u32; 3], DVec3)| MM * (w.x * of(v[0]) + w.y * of(v[1]) + w.z * of(v[2]));
        self.rows.iter().flat_map(|r| row(r).to_array()).collect()
    }

    /// Mᵀ of a residual in mm.
    pub(crate) fn transpose(&self, system: &System, residual: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; system.unknowns()];
        for ((v, w), r) in self.rows.iter().zip(residual.chunks_exact(3)) {
            for c in 0..3 {
                let u = system.unknown[v[c] as usize];
                if u != HELD && w[c] != 0.0 {
                    (0..3).for_each(|k| out[3 * u as usize + k] += MM * w[c] * r[k]);
                }
            }
        }
        out
    }
}

fn blend(x: &[DVec3], v: &[u32; 3], w: DVec3) -> DVec3 {
    w.x * x[v[0] as usize] + w.y * x[v[1] as usize] + w.z * x[v[2] as usize]
}

pub(crate) fn barycentric(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let n = (b - a).cross(c - a);
    let whole = n.length_squared();
    if whole == 0.0 {
        return DVec3::X;
    }
    let v = (p - a).cross(c - a).dot(n) / whole;
    let w = (b - a).cross(p - a).dot(n) / whole;
    DVec3::new(1.0 - v - w, v, w)
}
