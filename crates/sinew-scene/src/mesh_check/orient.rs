//! Orienting faces alike, and each connected part outwards.
//!
//! A part inside another that faced inwards is a cavity and stays one; everything else is turned outwards.

use crate::surface::{Tree, Winding, components, enclosed_volume};
use glam::DVec3;
use std::collections::BTreeMap;

/// Turns faces; returns how many.
pub(super) fn orient(points: &[DVec3], triangles: &mut [[u32; 3]]) -> usize {
    let before = triangles.to_vec();
    agree(triangles);
    outwards(points, triangles, &before);
    let turned = |(a, b): (&[u32; 3], &[u32; 3])| a != b;
    triangles.iter().zip(&before).filter(|&(a, b)| turned((a, b))).count()
}

/// Makes neighbours over edges with two faces agree, starting from the first face of every part.
fn agree(triangles: &mut [[u32; 3]]) {
    let mut at: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            at.entry((from.min(to), from.max(to))).or_default().push(t);
        }
    }
    let mut done = vec![false; triangles.len()];
    for start in 0..triangles.len() {
        if done[start] {
            continue;
        }
        done[start] = true;
        let mut stack = vec![start];
        while let Some(t) = stack.pop() {
            let [a, b, c] = triangles[t];
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let Some(pair) = at.get(&(from.min(to), from.max(to))).filter(|list| list.len() == 2) else {
                    continue;
                };
                let other = if pair[0] == t { pair[1] } else { pair[0] };
                if done[other] {
                    continue;
                }
                done[other] = true;
                let [x, y, z] = triangles[other];
                if [(x, y), (y, z), (z, x)].contains(&(from, to)) {
                    triangles[other].swap(1, 2);
                }
                stack.push(other);
            }
        }
    }
}

fn outwards(points: &[DVec3], triangles: &mut [[u32; 3]], before: &[[u32; 3]]) {
    let (of, count) = components(points.len(), triangles);
    let mut parts = vec![Vec::new(); count];
    of.iter().enumerate().for_each(|(t, &part)| parts[part].push(t));
    let list = |part: &[usize], from: &[[u32; 3]]| part.iter().map(|&t| from[t]).collect::<Vec<_>>();
    let windings: Vec<Winding> =
        parts.iter().map(|part| Winding::new(Tree::new(points, &list(part, triangles)))).collect();
    for (k, part) in parts.iter().enumerate() {
        let own = list(part, triangles);
        let inward = enclosed_volume(points, &own) < 0.0;
        let was_inward = enclosed_volume(points, &list(part, before)) < 0.0;
        let seed = points[own[0][0] as usize];
        let around = windings.iter().enumerate().filter(|&(j, w)| j != k && w.at(seed).abs() > 0.5).count();
        let cavity = was_inward && around % 2 == 1;
        if inward != cavity {
            part.iter().for_each(|&t| triangles[t].swap(1, 2));
        }
    }
}
