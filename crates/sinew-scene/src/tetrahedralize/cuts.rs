//! Where surfaces cut the edges of the lattice, and the warp that moves lattice points onto cuts that are too near to them.
//!
//! An edge whose ends have different labels is cut once, where the label changes. If a cut is nearer to an end than α of the edge, the end moves there: it is
//! then *on* the surface, belongs to no side, and the cuts of its other edges are forgotten [labelle2007isosurface, §3]. All cuts that are left are
//! at least α away from both ends, which bounds the angles of everything that is built on them.

use super::domain::Domain;
use super::lattice::Lattice;
use super::parallel;
use glam::DVec3;
use std::collections::HashMap;

/// α of the long and of the short edges. The paper's values are 0.24999 and 0.41189; with these, random labels and cuts give 10.6° at least for one surface and
/// 9.5° for several, where the paper's give 9.3° and 8.7° here, since the division on both sides of a surface is ours (`fill::tests`).
const ALPHA_LONG: f64 = 0.275;
const ALPHA_SHORT: f64 = 0.41189;
/// Halvings of an edge in the search for its cut.
const HALVINGS: usize = 18;

/// The lattice after the surfaces have been put in.
pub(super) struct Cut {
    pub lattice: Lattice,
    /// Where the points are now.
    pub positions: Vec<DVec3>,
    /// The label of each point.
    pub labels: Vec<u16>,
    /// Whether the point is on a surface, so that its label means nothing.
    pub on_surface: Vec<bool>,
    /// Cut edges (smaller number first), and how far from the first end the cut is, as a share of the edge.
    pub shares: HashMap<(u32, u32), f64>,
}

/// Points with a label of their own and a place of their own, so that something thin is not lost.
pub(super) type Given = HashMap<u32, (u16, DVec3)>;

/// α of an edge.
pub(super) fn alpha(lattice: &Lattice, a: u32, b: u32) -> f64 {
    if lattice.long(a, b) { ALPHA_LONG } else { ALPHA_SHORT }
}

/// The labels of all points of a lattice.
pub(super) fn labels(lattice: &Lattice, domain: &Domain) -> Vec<u16> {
    parallel::map(lattice.len(), |k| domain.label(lattice.position(k as u32)))
}

impl Cut {
    /// Cuts the edges of a lattice whose points have these labels, and warps it.
    pub fn new(lattice: Lattice, mut labels: Vec<u16>, given: &Given, domain: &Domain) -> Self {
        let mut positions: Vec<DVec3> = (0..lattice.len() as u32).map(|k| lattice.position(k)).collect();
        for (&point, &(label, at)) in given {
            labels[point as usize] = label;
            positions[point as usize] = at;
        }
        let cut_at = |a: u32| {
            let cut = |&b: &u32| b > a && labels[b as usize] != labels[a as usize];
            let share = |b: u32| {
                let ends = [a, b].map(|p| End {
                    at: positions[p as usize],
                    label: labels[p as usize],
                    given: given.contains_key(&p),
                });
                (b, share(domain, ends))
            };
            lattice.neighbours(a).filter(cut).map(share).collect::<Vec<_>>()
        };
        let found = parallel::map(lattice.len(), |a| cut_at(a as u32));
        let mut shares = HashMap::new();
        for (a, list) in found.into_iter().enumerate() {
            shares.extend(list.into_iter().map(|(b, share)| ((a as u32, b), share)));
        }
        let on_surface = vec![false; lattice.len()];
        let mut cut = Self { lattice, positions, labels, on_surface, shares };
        cut.warp(given);
        cut
    }

    /// Warps a lattice with any cuts.
    #[cfg(test)]
    pub fn from_shares(lattice: Lattice, labels: Vec<u16>, shares: HashMap<(u32, u32), f64>) -> Self {
        let positions = (0..lattice.len() as u32).map(|k| lattice.position(k)).collect();
        let on_surface = vec![false; lattice.len()];
        let mut cut = Self { lattice, positions, labels, on_surface, shares };
        cut.warp(&Given::new());
        cut
    }

    /// The share of the cut of an edge, from `a`.
    pub fn share_from(&self, a: u32, b: u32) -> Option<f64> {
        let share = *self.shares.get(&(a.min(b), a.max(b)))?;
        Some(if a < b { share } else { 1.0 - share })
    }

    fn warp(&mut self, given: &Given) {
        for a in 0..self.lattice.len() as u32 {
            // A point of something thin stays: the cuts next to it move away from it instead.
            if given.contains_key(&a) {
                continue;
            }
            let mut nearest: Option<(f64, DVec3)> = None;
            for b in self.lattice.neighbours(a) {
                let Some(share) = self.share_from(a, b) else { continue };
                if share >= alpha(&self.lattice, a, b) {
                    continue;
                }
                let (from, to) = (self.positions[a as usize], self.positions[b as usize]);
                let distance = share * from.distance(to);
                if nearest.is_none_or(|(best, _)| distance < best) {
                    nearest = Some((distance, from.lerp(to, share)));
                }
            }
            if let Some((_, onto)) = nearest {
                let neighbours: Vec<u32> = self.lattice.neighbours(a).collect();
                for b in neighbours {
                    self.shares.remove(&(a.min(b), a.max(b)));
                }
                self.positions[a as usize] = onto;
                self.on_surface[a as usize] = true;
            }
        }
        for (&(a, b), share) in &mut self.shares {
            let alpha = alpha(&self.lattice, a, b);
            *share = share.clamp(alpha, 1.0 - alpha);
        }
    }
}

/// One end of an edge.
#[derive(Clone, Copy)]
struct End {
    at: DVec3,
    label: u16,
    given: bool,
}

/// Where the label changes between two points, as a share of the edge from the first.
fn share(domain: &Domain, [a, b]: [End; 2]) -> f64 {
    let at = |share: f64| domain.label(a.at.lerp(b.at, share));
    let from_a = || halve(|s| at(s) == a.label);
    let from_b = || 1.0 - halve(|s| at(1.0 - s) == b.label);
    match (a.given, b.given) {
        // From the end whose surface covers the other: between flesh and a bone, the bone is found whatever lies between.
        (false, false) if a.label > b.label => from_a(),
        (false, false) => from_b(),
        // A given label may not be that of the place; the cut is then as near as can be.
        (true, false) => if at(0.0) == a.label { from_a() } else { 0.0 },
        (false, true) => if at(1.0) == b.label { from_b() } else { 1.0 },
        (true, true) => 0.5,
    }
}

/// Where `holds` ends between 0, where it does, and 1, where it does not.
fn halve(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut yes, mut no) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (yes + no);
        if holds(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    0.5 * (yes + no)
}
