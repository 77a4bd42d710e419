//! Where surfaces cut the edges of the lattice, and the warp that moves lattice points onto cuts that are too near to them.
//!
//! An edge whose ends have different labels is cut once, where the label changes. If a cut is nearer to an end than α of the edge, the end moves there: it is
//! then *on* the surface, belongs to no side, and the cuts of its other edges are forgotten [labelle2007isosurface]. All cuts that are left are
//! at least α away from both ends, which bounds the angles of everything that is built on them.

use super::domain::Domain;
use super::lattice::Lattice;
use super::quick_hash::QuickMap;
use crate::parallel;
use glam::DVec3;

/// α of the long and of the short edges. The paper's values are 0.24999 and 0.41189; with these, random labels and cuts give 10.6° at least for one surface and
/// 9.5° for several, where the paper's give 9.3° and 8.7° here, since the division on both sides of a surface is ours (`fill::tests`).
const ALPHA_LONG: f64 = 0.275;
const ALPHA_SHORT: f64 = 0.41189;
/// Halvings of an edge in the search for its cut.
const HALVINGS: usize = 14;

/// Cubes along the side of a block that may be labelled at once.
const BLOCK: usize = 4;

/// The lattice after the surfaces have been put in.
#[derive(Clone)]
pub(super) struct Cut {
    pub lattice: Lattice,
    /// Where the points are now.
    pub positions: Vec<DVec3>,
    /// The label of each point.
    pub labels: Vec<u16>,
    /// Whether the point is on a surface, so that its label means nothing.
    pub on_surface: Vec<bool>,
    /// Cut edges (smaller number first), and how far from the first end the cut is, as a share of the edge.
    pub shares: Shares,
}

/// Points with a label of their own and a place of their own, so that something thin is not lost.
pub(super) type Given = QuickMap<u32, (u16, DVec3)>;

/// How far along each cut edge its cut is; the smaller number of the edge comes first.
pub(super) type Shares = QuickMap<(u32, u32), f64>;

/// α of an edge.
pub(super) fn alpha(lattice: &Lattice, a: u32, b: u32) -> f64 {
    if lattice.long(a, b) { ALPHA_LONG } else { ALPHA_SHORT }
}

/// The labels of all points of a lattice. Where no surface comes near a block of cubes, one question answers for all its points.
fn labels(lattice: &Lattice, domain: &Domain) -> Vec<u16> {
    let blocks = lattice.cubes.map(|n| (n + 1).div_ceil(BLOCK));
    let of_block = |b: usize| {
        let at = [b % blocks[0], b / blocks[0] % blocks[1], b / (blocks[0] * blocks[1])];
        let first = at.map(|k| (k * BLOCK) as f64);
        let middle = lattice.origin + lattice.spacing * (DVec3::from_array(first) + 0.5 * BLOCK as f64);
        let radius = 0.5 * (BLOCK as f64 + 1.0) * 3.0_f64.sqrt() * lattice.spacing;
        domain.clear(middle, radius).then(|| domain.label(middle))
    };
    let known = parallel::map(blocks.iter().product(), of_block);
    parallel::map(lattice.len(), |k| {
        let place = lattice.place(k as u32).map(|n| n as usize / (2 * BLOCK));
        let block = (place[2] * blocks[1] + place[1]) * blocks[0] + place[0];
        known[block].unwrap_or_else(|| domain.label(lattice.position(k as u32)))
    })
}

/// The cuts of all edges whose ends have different labels.
fn shares(lattice: &Lattice, labels: &[u16], domain: &Domain) -> Shares {
    let end = |p: u32| End { at: lattice.position(p), label: labels[p as usize], given: false };
    let cut_at = |a: u32| {
        let cut = |&b: &u32| b > a && labels[b as usize] != labels[a as usize];
        let found = lattice.neighbours(a).filter(cut).map(|b| (b, share(domain, [end(a), end(b)])));
        found.collect::<Vec<_>>()
    };
    let mut shares = QuickMap::default();
    for (a, list) in parallel::map(lattice.len(), |a| cut_at(a as u32)).into_iter().enumerate() {
        shares.extend(list.into_iter().map(|(b, share)| ((a as u32, b), share)));
    }
    shares
}

impl Cut {
    /// Cuts the edges of a lattice whose points have these labels.
    pub fn new(lattice: Lattice, domain: &Domain) -> Self {
        let labels = labels(&lattice, domain);
        let shares = shares(&lattice, &labels, domain);
        let positions = (0..lattice.len() as u32).map(|k| lattice.position(k)).collect();
        let on_surface = vec![false; lattice.len()];
        Self { lattice, positions, labels, on_surface, shares }
    }

    /// Gives points labels and places, before the warp. `given` holds them and all earlier ones.
    pub fn give(&mut self, points: &[u32], given: &Given, domain: &Domain) {
        for point in points {
            if let Some(&(label, at)) = given.get(point) {
                self.labels[*point as usize] = label;
                self.positions[*point as usize] = at;
            }
        }
        let end = |p: u32| End {
            at: self.positions[p as usize],
            label: self.labels[p as usize],
            given: given.contains_key(&p),
        };
        let again = parallel::map(points.len(), |k| {
            let of = |b: u32| {
                let (a, b) = (points[k].min(b), points[k].max(b));
                let (first, second) = (end(a), end(b));
                ((a, b), (first.label != second.label).then(|| share(domain, [first, second])))
            };
            self.lattice.neighbours(points[k]).map(of).collect::<Vec<_>>()
        });
        for (edge, share) in again.into_iter().flatten() {
            match share {
                Some(share) => _ = self.shares.insert(edge, share),
                None => _ = self.shares.remove(&edge),
            }
        }
    }

    /// The same, warped.
    pub fn warped(&self, given: &Given) -> Self {
        let mut cut = self.clone();
        cut.warp(given);
        cut
    }

    /// Warps a lattice with any cuts.
    #[cfg(test)]
    pub fn from_shares(lattice: Lattice, labels: Vec<u16>, shares: Shares) -> Self {
        let positions = (0..lattice.len() as u32).map(|k| lattice.position(k)).collect();
        let on_surface = vec![false; lattice.len()];
        let mut cut = Self { lattice, positions, labels, on_surface, shares };
        cut.warp(&Given::default());
        cut
    }

    /// The share of the cut of an edge, from `a`.
    pub fn share_from(&self, a: u32, b: u32) -> Option<f64> {
        let share = *self.shares.get(&(a.min(b), a.max(b)))?;
        Some(if a < b { share } else { 1.0 - share })
    }

    fn warp(&mut self, given: &Given) {
        let mut cut: Vec<u32> = self.shares.keys().flat_map(|&(a, b)| [a, b]).collect();
        cut.sort_unstable();
        cut.dedup();
        for a in cut {
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
    if let (false, false, Some(only)) = (a.given, b.given, domain.only_crossing(a.at, b.at)) {
        return only;
    }
    let at = |share: f64| domain.label(a.at.lerp(b.at, share));
    let from_a = || halve(|s| at(s) == a.label);
    let from_b = || 1.0 - halve(|s| at(1.0 - s) == b.label);
    match (a.given, b.given) {
        // From the end whose surface covers the other: between flesh and a bone, the bone is found whatever lies between.
        (false, false) if a.label > b.label => from_a(),
        (false, false) => from_b(),
        // A given label may not be that of the place; the cut is then as near as can be.
        (true, false) => {
            if at(0.0) == a.label {
                from_a()
            } else {
                0.0
            }
        }
        (false, true) => {
            if at(1.0) == b.label {
                from_b()
            } else {
                1.0
            }
        }
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
