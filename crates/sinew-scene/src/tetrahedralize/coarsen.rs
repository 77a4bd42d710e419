//! Larger tetrahedra away from the surfaces, by collapsing edges of inner vertices.
//!
//! The allowed edge grows with the number of layers between a vertex and the nearest surface: L = size · (1 + ½ layers). A vertex with the same label all around disappears into
//! a neighbour if the tetrahedra that take the place of its own are positively oriented with angles above [`ANGLE`] and edges within L: they fill the same space, so the mesh stays
//! conforming, and surfaces are not touched. In the paper the inside becomes coarser by an octree instead [labelle2007isosurface]; collapsing needs the fine mesh first, but keeps
//! one rule for the angles.

use super::fill::Labelled;
use super::interfaces::interfaces;
use super::pieces::drop_outside;
use crate::tet_quality::worst_angle;

/// Angles of the new tetrahedra are at least this, in degrees.
const ANGLE: f64 = 22.0;
/// How the allowed edge grows with each layer, as a share of the size.
const GROWTH: f64 = 0.5;
/// Passes, each over vertices that do not touch each other.
const PASSES: usize = 12;

/// Collapses what can be.
pub(super) fn coarsen(mesh: &mut Labelled, size: f64) {
    let layers = layers(mesh);
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); mesh.points.len()];
    for (t, tet) in mesh.tets.iter().enumerate() {
        tet.iter().for_each(|&v| around[v as usize].push(t as u32));
    }
    let mut alive = vec![true; mesh.tets.len()];
    for _ in 0..PASSES {
        let mut touched = vec![false; mesh.points.len()];
        let mut gone = 0;
        for v in 0..mesh.points.len() {
            if layers[v] < 2 || touched[v] || around[v].is_empty() {
                continue;
            }
            let longest = size * (1.0 + GROWTH * f64::from(layers[v]));
            if let Some(onto) = target(mesh, &around[v], v as u32, longest) {
                for &t in &around[v] {
                    mesh.tets[t as usize].iter().for_each(|&w| touched[w as usize] = true);
                }
                collapse(mesh, &mut around, &mut alive, v as u32, onto);
                gone += 1;
            }
        }
        if gone == 0 {
            break;
        }
    }
    let mut flags = alive.iter();
    mesh.tets.retain(|_| *flags.next().unwrap_or(&true));
    let mut flags = alive.iter();
    mesh.labels.retain(|_| *flags.next().unwrap_or(&true));
    drop_outside(mesh);
}

/// How many edges each vertex is away from a face between labels.
fn layers(mesh: &Labelled) -> Vec<u32> {
    let mut layer = vec![u32::MAX; mesh.points.len()];
    let mut front: Vec<u32> = interfaces(mesh).iter().flat_map(|face| face.triangle).collect();
    front.sort_unstable();
    front.dedup();
    let mut at: Vec<Vec<u32>> = vec![Vec::new(); mesh.points.len()];
    for (t, tet) in mesh.tets.iter().enumerate() {
        tet.iter().for_each(|&v| at[v as usize].push(t as u32));
    }
    let mut depth = 0;
    while !front.is_empty() {
        front.iter().for_each(|&v| layer[v as usize] = depth);
        let mut next: Vec<u32> = front
            .iter()
            .flat_map(|&v| &at[v as usize])
            .flat_map(|&t| mesh.tets[t as usize])
            .filter(|&w| layer[w as usize] == u32::MAX)
            .collect();
        next.sort_unstable();
        next.dedup();
        front = next;
        depth += 1;
    }
    layer
}

/// The neighbour that a vertex can disappear into: the nearest one that leaves good tetrahedra.
fn target(mesh: &Labelled, tets: &[u32], v: u32, longest: f64) -> Option<u32> {
    let own = mesh.points[v as usize];
    let mut near: Vec<u32> = tets.iter().flat_map(|&t| mesh.tets[t as usize]).filter(|&w| w != v).collect();
    near.sort_unstable();
    near.dedup();
    let distance = |w: u32| mesh.points[w as usize].distance_squared(own);
    near.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
    let enough = -ANGLE.to_radians().cos();
    near.iter().copied().find(|&onto| {
        let place = mesh.points[onto as usize];
        let short = near.iter().all(|&w| mesh.points[w as usize].distance(place) <= longest);
        short
            && tets.iter().map(|&t| mesh.tets[t as usize]).filter(|tet| !tet.contains(&onto)).all(|tet| {
                let corners = tet.map(|w| if w == v { place } else { mesh.points[w as usize] });
                worst_angle(corners) >= enough
            })
    })
}

fn collapse(mesh: &mut Labelled, around: &mut [Vec<u32>], alive: &mut [bool], v: u32, onto: u32) {
    for t in std::mem::take(&mut around[v as usize]) {
        let tet = &mut mesh.tets[t as usize];
        if tet.contains(&onto) {
            alive[t as usize] = false;
            for &w in tet.iter().filter(|&&w| w != v) {
                around[w as usize].retain(|&other| other != t);
            }
        } else {
            tet.iter_mut().filter(|w| **w == v).for_each(|w| *w = onto);
            around[onto as usize].push(t);
        }
    }
}
