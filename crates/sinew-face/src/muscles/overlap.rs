//! The first blending matrix: how much of each tetrahedron lies inside each muscle, and which muscles are near enough to get there \[dinev2020, §4.2.1\].

use super::blend::Blend;
use super::model::Face;
use crate::error::FaceError;
use glam::DVec3;
use rayon::prelude::*;
use sinew_scene::surface::{Tree, Winding};
use sinew_scene::tetrahedralize::ClosedSurface;

/// Divisions of the edges of a tetrahedron; points of that lattice are tried, 35 of them.
const DIVISIONS: usize = 4;

/// Winding numbers of a surface.
pub(crate) fn winding(surface: &ClosedSurface) -> Winding {
    Winding::new(Tree::new(&surface.points, &surface.triangles))
}

/// Barycentric coordinates of the points that are tried, shrunk towards the middle so that each stands for about the same volume.
fn lattice() -> Vec<[f64; 4]> {
    let n = DIVISIONS;
    let mut all = Vec::new();
    for i in 0..=n {
        for j in 0..=n - i {
            for k in 0..=n - i - j {
                let corner = [i, j, k, n - i - j - k];
                all.push(corner.map(|c| (c as f64 + 0.5) / (n as f64 + 2.0)));
            }
        }
    }
    all
}

/// S from overlap. Points inside several muscles count for each of them in equal parts.
pub(crate) fn blend(face: &Face, muscles: &[ClosedSurface], near: f64) -> Result<Blend, FaceError> {
    let windings: Vec<Winding> = muscles.iter().map(winding).collect();
    let lattice = lattice();
    let rows: Vec<Vec<(u32, f64)>> = (0..face.elements)
        .into_par_iter()
        .with_min_len(64)
        .map(|element| {
            let corners = face.tets[element].map(|v| face.points[v as usize]);
            row(&corners, &windings, &lattice, near)
        })
        .collect();
    let mut share = vec![0.0; muscles.len()];
    rows.iter().flatten().filter(|(c, _)| *c > 0).for_each(|(c, w)| share[*c as usize - 1] += w);
    if let Some(outside) = share.iter().position(|s| *s == 0.0) {
        let name = &muscles[outside].name;
        return Err(FaceError::Anatomy(format!(
            "the muscle `{name}` is outside the flesh that can move: no tetrahedron overlaps it (is it in the same unit and place as the skin, and is the mesh fine enough?)"
        )));
    }
    Ok(Blend::from_rows(rows))
}

fn row(corners: &[DVec3; 4], muscles: &[Winding], lattice: &[[f64; 4]], near: f64) -> Vec<(u32, f64)> {
    let at = |b: &[f64; 4]| (0..4).map(|k| b[k] * corners[k]).sum::<DVec3>();
    let (mut low, mut high) = (corners[0], corners[0]);
    for p in corners {
        (low, high) = (low.min(*p), high.max(*p));
    }
    // Muscles whose box is near.
    let around: Vec<usize> = (0..muscles.len())
        .filter(|&m| {
            muscles[m]
                .tree()
                .bounds()
                .is_some_and(|(l, h)| (l - near).cmple(high).all() && (h + near).cmpge(low).all())
        })
        .collect();
    let mut weights = vec![0.0; around.len()];
    let mut passive = 0.0;
    let part = 1.0 / lattice.len() as f64;
    for b in lattice {
        let p = at(b);
        let inside: Vec<usize> = (0..around.len()).filter(|&k| muscles[around[k]].at(p) > 0.5).collect();
        if inside.is_empty() {
            passive += part;
        }
        inside.iter().for_each(|&k| weights[k] += part / inside.len() as f64);
    }
    let reach = |m: usize| {
        let near_point = |p: DVec3| muscles[m].tree().nearest_within(p, near).is_some();
        corners.iter().any(|p| near_point(*p)) || lattice.iter().step_by(4).any(|b| near_point(at(b)))
    };
    let mut row = vec![(0, passive)];
    for (k, &m) in around.iter().enumerate() {
        if weights[k] > 0.0 || reach(m) {
            row.push((m as u32 + 1, weights[k]));
        }
    }
    row
}
