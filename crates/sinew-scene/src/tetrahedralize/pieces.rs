//! Every label is one connected piece: tetrahedra of a label that hang together by faces.
//!
//! Crumbs of a label that are not connected with its largest piece go to the label that they share most faces with; with nothing else around, they
//! are left out.

use super::domain::OUTSIDE;
use super::fill::Labelled;
use super::interfaces::neighbours;
use crate::tet_quality::signed_volume;
use std::collections::BTreeMap;

/// What happened to one label.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Crumbs {
    /// Pieces that were given away.
    pub pieces: usize,
    /// Their volume as a share of the label's.
    pub share: f64,
}

/// The connected piece of every tetrahedron, and the number of pieces.
pub(super) fn pieces(mesh: &Labelled, across: &[[Option<u32>; 4]]) -> (Vec<u32>, usize) {
    let mut of = vec![u32::MAX; mesh.tets.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for start in 0..mesh.tets.len() {
        if of[start] != u32::MAX {
            continue;
        }
        of[start] = count;
        stack.push(start);
        while let Some(t) = stack.pop() {
            for other in across[t].iter().flatten().map(|&o| o as usize) {
                if of[other] == u32::MAX && mesh.labels[other] == mesh.labels[t] {
                    of[other] = count;
                    stack.push(other);
                }
            }
        }
        count += 1;
    }
    (of, count as usize)
}

/// Gives away all but the largest piece of every label from `first` on.
pub(super) fn connect(mesh: &mut Labelled, first: u16) -> BTreeMap<u16, Crumbs> {
    let mut told: BTreeMap<u16, Crumbs> = BTreeMap::new();
    // Giving away can join what was apart, and never parts anything; a second round sees that nothing is left.
    for _ in 0..3 {
        let across = neighbours(&mesh.tets);
        let (of, count) = pieces(mesh, &across);
        let mut volume = vec![0.0; count];
        let mut label = vec![OUTSIDE; count];
        for (t, tet) in mesh.tets.iter().enumerate() {
            volume[of[t] as usize] += signed_volume(tet.map(|v| mesh.points[v as usize]));
            label[of[t] as usize] = mesh.labels[t];
        }
        let mut largest: BTreeMap<u16, usize> = BTreeMap::new();
        let mut whole: BTreeMap<u16, f64> = BTreeMap::new();
        for piece in 0..count {
            let best = largest.entry(label[piece]).or_insert(piece);
            if volume[piece] > volume[*best] {
                *best = piece;
            }
            *whole.entry(label[piece]).or_default() += volume[piece];
        }
        let crumb = |piece: usize| label[piece] >= first && largest[&label[piece]] != piece;
        if !(0..count).any(crumb) {
            break;
        }
        let mut votes: BTreeMap<(u32, u16), usize> = BTreeMap::new();
        for t in 0..mesh.tets.len() {
            if crumb(of[t] as usize) {
                for side in across[t] {
                    let other = side.map_or(OUTSIDE, |o| mesh.labels[o as usize]);
                    if other != mesh.labels[t] {
                        // Anything is better than to be left out.
                        *votes.entry((of[t], other)).or_default() += if other == OUTSIDE { 0 } else { 1 };
                    }
                }
            }
        }
        let mut winner: BTreeMap<u32, (usize, u16)> = BTreeMap::new();
        for (&(piece, other), &count) in &votes {
            let best = winner.entry(piece).or_insert((count, other));
            if count > best.0 {
                *best = (count, other);
            }
        }
        for piece in (0..count).filter(|&p| crumb(p)) {
            let entry = told.entry(label[piece]).or_default();
            entry.pieces += 1;
            entry.share += volume[piece] / whole[&label[piece]];
        }
        for t in 0..mesh.tets.len() {
            if crumb(of[t] as usize) {
                mesh.labels[t] = winner.get(&of[t]).map_or(OUTSIDE, |w| w.1);
            }
        }
        drop_outside(mesh);
    }
    told
}

/// Leaves out tetrahedra without a label, and points that nothing uses.
pub(super) fn drop_outside(mesh: &mut Labelled) {
    let keep: Vec<bool> = mesh.labels.iter().map(|&label| label != OUTSIDE).collect();
    let mut flags = keep.iter();
    mesh.tets.retain(|_| *flags.next().unwrap_or(&true));
    mesh.labels.retain(|&label| label != OUTSIDE);
    let mut number = vec![u32::MAX; mesh.points.len()];
    let mut points = Vec::new();
    for v in mesh.tets.iter_mut().flatten() {
        let place = &mut number[*v as usize];
        if *place == u32::MAX {
            *place = points.len() as u32;
            points.push(mesh.points[*v as usize]);
        }
        *v = *place;
    }
    mesh.points = points;
}
