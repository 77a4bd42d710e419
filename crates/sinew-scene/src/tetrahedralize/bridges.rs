//! What is one piece of a surface stays one piece of the mesh: where a part is so thin that its lattice points do not touch each other, the points between them join it.
//!
//! Points of a label that are neighbours in the lattice and not on a surface form a piece: everything around them hangs together by faces. Between two pieces that belong to the
//! same connected part of the given surface, the cheapest way through the lattice is looked for (Dijkstra), where points farther from that surface cost more and
//! points of later surfaces, which win, are closed. The points of the way get the label, as those of other thin parts do (`thin`).
//!
//! A bone is one piece of the mesh, also where its surface has several closed parts, as a jaw with its teeth. Once every part is one piece, the parts of a bone are joined in the same way.

use super::cuts::{Cut, Given};
use super::domain::{Domain, OUTSIDE};
use super::lattice::Lattice;
use super::quick_hash::{QuickMap, QuickSet};
use super::thin::REACH;
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A way stays within this distance of its surface, as a share of the size.
const ASIDE: f64 = 1.2;
/// The most points that a way may need.
const LONGEST: u32 = 10;
/// Costs of a point of the way: for itself, for a distance of one size, and for being taken from another bone. In thousandths, so that sums are exact.
const POINT: u64 = 1000;
const DISTANCE: f64 = 4000.0;
const TAKEN: u64 = 20_000;

/// Connected points of one label.
struct Pieces {
    /// The piece of every point; [`NONE`] for points outside and on surfaces.
    of: Vec<u32>,
    /// The label, the connected part of its surface, and the points of each piece.
    list: Vec<(u16, usize, Vec<u32>)>,
}

const NONE: u32 = u32::MAX;

impl Pieces {
    fn new(cut: &Cut, domain: &Domain, parts: &[Vec<usize>]) -> Self {
        let free = |p: u32| cut.labels[p as usize] != OUTSIDE && !cut.on_surface[p as usize];
        let mut of = vec![NONE; cut.labels.len()];
        let mut list = Vec::new();
        for start in 0..cut.labels.len() as u32 {
            if of[start as usize] != NONE || !free(start) {
                continue;
            }
            let label = cut.labels[start as usize];
            let mut points = vec![start];
            of[start as usize] = list.len() as u32;
            let mut next = 0;
            while let Some(&p) = points.get(next) {
                next += 1;
                for q in cut.lattice.neighbours(p) {
                    if of[q as usize] == NONE && free(q) && cut.labels[q as usize] == label {
                        of[q as usize] = list.len() as u32;
                        points.push(q);
                    }
                }
            }
            let surface = usize::from(label) - 1;
            let nearest = domain.tree(surface).nearest(cut.positions[start as usize]);
            let part = nearest.and_then(|n| parts[surface].get(n.triangle).copied()).unwrap_or(0);
            list.push((label, part, points));
        }
        Self { of, list }
    }
}

/// Adds the points of all ways that are needed, and returns them. `cut` is warped; `parts` has the connected part of every triangle of every surface. Labels from `whole` on are to be one
/// piece, whatever their parts.
pub(super) fn bridge(
    cut: &Cut,
    domain: &Domain,
    parts: &[Vec<usize>],
    whole: u16,
    given: &mut Given,
) -> Vec<u32> {
    let mut pieces = Pieces::new(cut, domain, parts);
    let more = join(cut, domain, &pieces, given);
    if !more.is_empty() {
        return more;
    }
    pieces.list.iter_mut().filter(|(label, ..)| *label >= whole).for_each(|(_, part, _)| *part = 0);
    join(cut, domain, &pieces, given)
}

/// Adds the points of ways between pieces of the same label and part, and returns them.
fn join(cut: &Cut, domain: &Domain, pieces: &Pieces, given: &mut Given) -> Vec<u32> {
    let mut together: BTreeMap<(u16, usize), Vec<u32>> = BTreeMap::new();
    for (k, (label, part, _)) in pieces.list.iter().enumerate() {
        together.entry((*label, *part)).or_default().push(k as u32);
    }
    let mut more = Vec::new();
    for ((label, _), mut group) in together {
        // Every piece but the largest looks for the nearest other one; the smallest first.
        group.sort_by_key(|&k| (pieces.list[k as usize].2.len(), k));
        group.pop();
        for piece in group {
            for (point, place) in way(cut, domain, pieces, piece, given) {
                if given.insert(point, (label, place)).is_none() {
                    more.push(point);
                }
            }
        }
    }
    more.sort_unstable();
    more.dedup();
    more
}

/// Points from a piece to another of the same label and part, with places for them; none if there is no way.
fn way(cut: &Cut, domain: &Domain, pieces: &Pieces, piece: u32, given: &Given) -> Vec<(u32, DVec3)> {
    let (label, part, start) = &pieces.list[piece as usize];
    let tree = domain.tree(usize::from(*label) - 1);
    let size = cut.lattice.spacing;
    let arrived = |p: u32| {
        let other = pieces.of[p as usize];
        other != NONE && other != piece && {
            let (of, on, _) = &pieces.list[other as usize];
            of == label && on == part
        }
    };
    let mut before: QuickMap<u32, (u64, u32, u32)> = QuickMap::default();
    let mut done: QuickSet<u32> = QuickSet::default();
    let mut queue = BinaryHeap::new();
    for &p in start {
        before.insert(p, (0, p, 0));
        queue.push(Reverse((0, p)));
    }
    while let Some(Reverse((cost, p))) = queue.pop() {
        if !done.insert(p) {
            continue;
        }
        if arrived(p) {
            return trace(cut, domain, *label, &before, p);
        }
        let steps = before[&p].2;
        if steps == LONGEST {
            continue;
        }
        for q in cut.lattice.neighbours(p) {
            let own = pieces.of[q as usize] == piece;
            let enter = if own || done.contains(&q) {
                continue;
            } else if arrived(q) {
                0
            } else {
                let free = !cut.on_surface[q as usize];
                let name = cut.labels[q as usize];
                let taken = given.get(&q).map_or(OUTSIDE, |&(label, _)| label);
                if (free && name > *label) || taken > *label {
                    continue;
                }
                let Some(near) = tree.nearest_within(cut.lattice.position(q), ASIDE * size) else { continue };
                let far = if name == *label { 0.0 } else { near.distance / size };
                let robbed = taken != OUTSIDE || (free && name > 1);
                POINT + (DISTANCE * far * far) as u64 + if robbed { TAKEN } else { 0 }
            };
            let total = cost + enter;
            if before.get(&q).is_none_or(|&(known, ..)| total < known) {
                before.insert(q, (total, p, steps + 1));
                queue.push(Reverse((total, q)));
            }
        }
    }
    Vec::new()
}

/// The inner points of a way that ends at `end`.
fn trace(
    cut: &Cut,
    domain: &Domain,
    label: u16,
    before: &QuickMap<u32, (u64, u32, u32)>,
    end: u32,
) -> Vec<(u32, DVec3)> {
    let mut points = Vec::new();
    let mut at = before[&end].1;
    while before[&at].1 != at {
        points.push((at, place(&cut.lattice, domain, label, at)));
        at = before[&at].1;
    }
    points
}

/// Where a point of a way should be: as near to its surface as it may go, if it is not inside anyway.
fn place(lattice: &Lattice, domain: &Domain, label: u16, point: u32) -> DVec3 {
    let at = lattice.position(point);
    if domain.label(at) == label {
        return at;
    }
    let nearest = domain.tree(usize::from(label) - 1).nearest(at);
    nearest.map_or(at, |n| at + (n.point - at).clamp_length_max(REACH * lattice.spacing))
}
