//! Several closed surfaces as one division of space: the label of a point is the number of the last surface that contains it, counted from 1, and 0
//! outside all of them.
//!
//! Bones inside flesh or sticking out of it are therefore given after the flesh.

use crate::surface::{Hint, Nearest, Tree, Winding};
use glam::DVec3;

/// Outside all surfaces.
pub(super) const OUTSIDE: u16 = 0;

/// Surfaces that give every point a label.
pub(super) struct Domain {
    surfaces: Vec<Winding>,
}

impl Domain {
    /// Surfaces as points and triangles that face outwards, later ones before earlier ones.
    pub fn new(surfaces: impl Iterator<Item = Tree>) -> Self {
        Self { surfaces: surfaces.map(Winding::new).collect() }
    }

    /// The box around all surfaces.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let boxes = self.surfaces.iter().filter_map(|s| s.tree().bounds());
        boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// The label of a point.
    pub fn label(&self, p: DVec3) -> u16 {
        for (k, surface) in self.surfaces.iter().enumerate().rev() {
            let Some((low, high)) = surface.tree().bounds() else { continue };
            if p.cmpge(low).all() && p.cmple(high).all() && surface.at(p) > 0.5 {
                return k as u16 + 1;
            }
        }
        OUTSIDE
    }

    /// Whether no surface is within a distance of a point, so that everything there has the same label.
    pub fn clear(&self, p: DVec3, distance: f64) -> bool {
        self.surfaces.iter().all(|surface| surface.tree().within(p, distance, &mut Hint::default()).is_none())
    }

    /// Where a segment passes through a surface, as a share of it, if it does so exactly once: whatever the labels of its ends are, they change there.
    pub fn only_crossing(&self, from: DVec3, to: DVec3) -> Option<f64> {
        let (mut found, mut count) = (None, 0);
        for surface in &self.surfaces {
            surface.tree().passes(from, to, |share| {
                found = Some(share);
                count += 1;
            });
        }
        found.filter(|_| count == 1)
    }

    /// The nearest point of any of the surfaces between two labels, if it is within a limit. Between flesh (1) and a bone (2) that is the bone; between
    /// two bones either; between outside and a bone the bone.
    pub fn nearest_between(&self, a: u16, b: u16, p: DVec3, limit: f64) -> Option<Nearest> {
        self.nearest_from(a, b, p, limit, &mut Hints::default())
    }

    /// The same, faster near the place that the hints are from.
    pub fn nearest_from(&self, a: u16, b: u16, p: DVec3, limit: f64, hints: &mut Hints) -> Option<Nearest> {
        let mut of = |label: u16, limit: f64| {
            let k = usize::from(label).checked_sub(1)?;
            self.surfaces.get(k)?.tree().nearest_from(p, limit, hints.of(k))
        };
        // The later surface covers the earlier one. Where they only touch, the earlier one may be nearer, and is the same interface.
        let later = of(a.max(b), limit);
        of(a.min(b), later.map_or(limit, |later| later.distance)).or(later)
    }

    /// A distance below a limit that the surfaces between two labels are no farther away than; `None` if they are not as near as that.
    pub fn within(&self, a: u16, b: u16, p: DVec3, limit: f64, hints: &mut Hints) -> Option<f64> {
        let mut of = |label: u16| {
            let k = usize::from(label).checked_sub(1)?;
            self.surfaces.get(k)?.tree().within(p, limit, hints.of(k))
        };
        of(a.max(b)).or_else(|| of(a.min(b)))
    }

    /// Number of surfaces.
    pub fn len(&self) -> usize {
        self.surfaces.len()
    }

    /// The tree of surface `k`, counted from 0.
    pub fn tree(&self, k: usize) -> &Tree {
        self.surfaces[k].tree()
    }
}

/// Where the two surfaces that were asked last answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Hints {
    last: [(usize, Hint); 2],
    older: usize,
}

impl Hints {
    /// The hint for surface `k`.
    fn of(&mut self, k: usize) -> &mut Hint {
        let known = self.last.iter().position(|(surface, _)| *surface == k);
        let place = known.unwrap_or(self.older);
        if known.is_none() {
            self.last[place] = (k, Hint::default());
        }
        self.older = 1 - place;
        &mut self.last[place].1
    }
}
