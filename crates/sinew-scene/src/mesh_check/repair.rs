//! Repairs of a surface that are safe: weld, leave out what has no area or is there twice, fill small holes, orient, leave out isolated vertices.

use super::{bounds, holes, is_flat, orient};
use crate::mesh_data::MeshData;
use crate::surface::Edges;
use crate::tet_quality::signed_volume;
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// Vertices nearer to each other than this share of the mesh's diagonal are one.
const WELD: f64 = 1e-8;
/// Holes longer around than this share of the diagonal are left open.
const LARGE: f64 = 2.5;

/// A repaired mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The mesh.
    pub mesh: MeshData,
    /// Sentences about what was done.
    pub done: Vec<String>,
}

/// Repairs a surface; of a tetrahedral mesh, only turns it if it is inverted as a whole and leaves out isolated vertices.
pub fn repair(mesh: &MeshData) -> Repaired {
    let mut out = Repaired { mesh: mesh.clone(), done: Vec::new() };
    let diagonal = bounds(&mesh.points).map_or(0.0, |(low, high)| low.distance(high));
    if mesh.tets.is_empty() {
        weld(&mut out, WELD * diagonal);
        thin_out(&mut out);
        fill(&mut out, LARGE * diagonal);
        let turned = orient::orient(&out.mesh.points, &mut out.mesh.triangles);
        if turned > 0 {
            out.done.push(format!("turned {turned} triangles so that all face outwards"));
        }
    } else {
        let volume = |tet: &[u32; 4]| signed_volume(tet.map(|v| mesh.points[v as usize]));
        if mesh.tets.iter().all(|tet| volume(tet) < 0.0) {
            out.mesh.tets.iter_mut().for_each(|tet| tet.swap(2, 3));
            out.done.push("turned all tetrahedra, which were inverted".into());
        }
    }
    isolated(&mut out);
    out
}

/// Cells of a grid as wide as the tolerance; vertices of neighbouring cells are compared.
fn weld(out: &mut Repaired, tolerance: f64) {
    let cell = |p: DVec3| (p / tolerance.max(f64::MIN_POSITIVE)).floor().to_array().map(|x| x as i64);
    let mut kept: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
    let mut onto: Vec<u32> = Vec::with_capacity(out.mesh.points.len());
    for (v, &p) in out.mesh.points.iter().enumerate() {
        let at = cell(p);
        let mut found = None;
        for k in 0..27_i64 {
            let near = [0, 1, 2].map(|d| at[d].saturating_add(k / [1, 3, 9][d] % 3 - 1));
            let list = kept.get(&near).map_or(&[][..], Vec::as_slice);
            let twin = list.iter().copied().find(|&w| out.mesh.points[w as usize].distance(p) <= tolerance);
            found = found.into_iter().chain(twin).min();
        }
        if found.is_none() {
            kept.entry(at).or_default().push(v as u32);
        }
        onto.push(found.unwrap_or(v as u32));
    }
    let welded = onto.iter().enumerate().filter(|&(v, &w)| v as u32 != w).count();
    if welded > 0 {
        out.mesh.triangles.iter_mut().flatten().for_each(|v| *v = onto[*v as usize]);
        out.done.push(format!("welded {welded} vertices to others at the same place"));
    }
}

fn thin_out(out: &mut Repaired) {
    let MeshData { points, triangles, .. } = &mut out.mesh;
    let before = triangles.len();
    triangles.retain(|&t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0] && !is_flat(points, t));
    let flat = before - triangles.len();
    let mut seen = BTreeSet::new();
    triangles.retain(|&t| {
        let mut key = t;
        key.sort_unstable();
        seen.insert(key)
    });
    let twice = before - flat - triangles.len();
    if flat > 0 {
        out.done.push(format!("left out {flat} triangles without area"));
    }
    if twice > 0 {
        out.done.push(format!("left out {twice} triangles that were there already"));
    }
}

fn fill(out: &mut Repaired, largest: f64) {
    // Loops need faces that agree; where they do not, orienting first makes more of them.
    orient::orient(&out.mesh.points, &mut out.mesh.triangles);
    let (loops, stray) = Edges::new(&out.mesh.triangles).loops();
    let (mut filled, mut edges) = (0, 0);
    for hole in &loops {
        let (middle, perimeter) = holes::extent(&out.mesh.points, hole);
        if perimeter > largest {
            out.done.push(format!(
                "left a hole of {} edges around ({:.4}, {:.4}, {:.4}) open: it is {perimeter:.4} around, too long for a small hole",
                hole.vertices.len(), middle.x, middle.y, middle.z
            ));
            continue;
        }
        holes::fill(&mut out.mesh.points, &mut out.mesh.triangles, hole);
        filled += 1;
        edges += hole.vertices.len();
    }
    if filled > 0 {
        out.done.push(format!("filled {filled} holes with {edges} open edges"));
    }
    if stray > 0 {
        out.done.push(format!("left {stray} open edges that form no loop"));
    }
}

fn isolated(out: &mut Repaired) {
    let MeshData { points, tets, triangles, springs, .. } = &mut out.mesh;
    let mut used = vec![false; points.len()];
    tets.iter().flatten().chain(triangles.iter().flatten()).for_each(|&v| used[v as usize] = true);
    springs.iter().for_each(|s| (used[s.a as usize], used[s.b as usize]) = (true, true));
    let alone = used.iter().filter(|&&u| !u).count();
    if alone == 0 {
        return;
    }
    let mut number = vec![0; points.len()];
    let mut next = 0;
    for (v, &used) in used.iter().enumerate() {
        number[v] = next;
        next += u32::from(used);
    }
    let mut flags = used.iter();
    points.retain(|_| *flags.next().unwrap_or(&true));
    tets.iter_mut().flatten().chain(triangles.iter_mut().flatten()).for_each(|v| *v = number[*v as usize]);
    for spring in springs {
        (spring.a, spring.b) = (number[spring.a as usize], number[spring.b as usize]);
    }
    out.done.push(format!("left out {alone} vertices that no element uses"));
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::surface::{enclosed_volume, tests_support::sphere};

    #[test]
    fn a_damaged_sphere_is_diagnosed_and_mended() {
        let (points, triangles) = sphere(12);
        let volume = enclosed_volume(&points, &triangles);
        let mut mesh = MeshData { points, triangles, ..MeshData::default() };
        mesh.triangles.swap_remove(100);
        mesh.triangles[30].swap(0, 1);
        mesh.triangles.push(mesh.triangles[7]);
        // One corner of a face gets a vertex of its own at the same place.
        let twin = mesh.points.len() as u32;
        mesh.points.push(mesh.points[mesh.triangles[50][0] as usize]);
        mesh.triangles[50][0] = twin;
        mesh.points.push(DVec3::ZERO);
        let found = check(&mesh, 0);
        assert!(!found.closed);
        let says = |word: &str| found.findings.iter().any(|f| f.what.contains(word));
        assert!(says("place of another vertex") && says("disagree"), "{:?}", found.findings);
        let mended = repair(&mesh);
        let after = check(&mended.mesh, 0);
        assert!(
            after.closed && after.manifold && after.findings.is_empty(),
            "{:?} {:?}",
            after.findings,
            mended.done
        );
        assert!((enclosed_volume(&mended.mesh.points, &mended.mesh.triangles) - volume).abs() < 1e-12);
    }

    #[test]
    fn a_cavity_stays_a_cavity_and_an_inside_out_ball_is_turned() {
        let (mut points, mut triangles) = sphere(8);
        let n = points.len() as u32;
        points.extend(points.clone().into_iter().map(|p| 0.5 * p));
        triangles.extend(triangles.clone().into_iter().map(|[a, b, c]| [a + n, c + n, b + n]));
        let hollow = MeshData { points, triangles, ..MeshData::default() };
        assert_eq!(repair(&hollow).mesh, hollow);
        let mut turned = hollow.clone();
        turned.triangles.truncate(turned.triangles.len() / 2);
        turned.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        let mended = repair(&turned).mesh;
        assert!(enclosed_volume(&mended.points, &mended.triangles) > 0.0);
    }
}
