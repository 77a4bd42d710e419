//! Which bodies may collide during a step: the boxes of whole bodies, sorted along x.
//!
//! Contact is the same in every frame that moves uniformly. The boxes of moving items are smallest in the frame of the body whose triangles
//! are queried; in that frame, a cloth in free fall does not collide with all of itself. End positions are therefore reduced by that body's
//! mean displacement, its *shift*.

use super::spatial_hash::{Bounds, NOTHING, around, grown, overlap};
use super::surface::Surfaces;
use glam::DVec3;
use std::ops::Range;

/// Positions beyond this, m, count as lost: up to here, their squares are finite.
const LOST: f64 = 1e100;

/// Share of the contact distance that is added to it when searching for pairs.
pub(crate) const MARGIN: f64 = 0.1;

/// Whether a position is usable. NaN and infinity are not.
#[inline]
pub(crate) fn is_place(p: DVec3) -> bool {
    p.abs().cmplt(DVec3::splat(LOST)).all()
}

/// Positions at the start and at the end of a step, #V.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a> {
    pub start: &'a [DVec3],
    pub end: &'a [DVec3],
}

impl Motion<'_> {
    /// Start and end of a vertex; `None` if one of them is not usable.
    #[inline]
    pub fn way(&self, vertex: u32) -> Option<[DVec3; 2]> {
        let way = [self.start[vertex as usize], self.end[vertex as usize]];
        (is_place(way[0]) && is_place(way[1])).then_some(way)
    }

    /// Box around some vertices during the step, in a shifted frame; [`NOTHING`] if a position is not usable.
    #[inline]
    pub fn bounds(&self, vertices: &[u32], shift: DVec3) -> Bounds {
        let (mut first, mut last, mut sum) = (NOTHING, NOTHING, DVec3::ZERO);
        for &v in vertices {
            let (start, end) = (self.start[v as usize], self.end[v as usize]);
            first = around(first, (start, start));
            last = around(last, (end, end));
            // NaN if any term is NaN, and out of bounds if any term is.
            sum += start.abs() + end.abs();
        }
        if is_place(sum) { around(first, (last.0 - shift, last.1 - shift)) } else { NOTHING }
    }
}

/// A whole body as one box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole {
    start: Bounds,
    end: Bounds,
    /// Mean displacement.
    pub shift: DVec3,
}

impl Whole {
    fn of(vertices: Range<usize>, motion: Motion) -> Self {
        let (mut start, mut end, mut sum, mut count) = (NOTHING, NOTHING, DVec3::ZERO, 0.0);
        for [p, q] in vertices.filter_map(|v| motion.way(v as u32)) {
            start = around(start, (p, p));
            end = around(end, (q, q));
            sum += q - p;
            count += 1.0;
        }
        let shift = if count > 0.0 { sum / count } else { sum };
        Self { start, end, shift }
    }

    /// Box during the step, in a shifted frame.
    pub fn bounds(&self, shift: DVec3) -> Bounds {
        around(self.start, (self.end.0 - shift, self.end.1 - shift))
    }
}

/// The vertices of one body against the triangles of another body, or of the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Meeting {
    /// The body whose triangles take part.
    pub partner: u32,
    /// The body whose vertices take part.
    pub body: u32,
}

/// Finds meetings; reuses its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    pub wholes: Vec<Whole>,
    /// Sorted by partner.
    pub found: Vec<Meeting>,
    order: Vec<(f64, u32)>,
}

impl Meetings {
    /// `bodies`: between different bodies; `own`: of a body with itself.
    pub fn find(&mut self, surfaces: &Surfaces, (bodies, own): (bool, bool), motion: Motion) {
        self.wholes.clear();
        self.wholes.extend(surfaces.bodies.iter().map(|b| Whole::of(b.vertices.clone(), motion)));
        self.found.clear();
        if bodies {
            self.find_pairs(surfaces);
        }
        let touches_itself = |b: usize| own && !surfaces.bodies[b].triangles.is_empty();
        let own = (0..self.wholes.len()).filter(|&b| touches_itself(b)).map(|b| b as u32);
        self.found.extend(own.map(|b| Meeting { partner: b, body: b }));
        self.found.sort_unstable();
    }

    fn find_pairs(&mut self, surfaces: &Surfaces) {
        let Self { wholes, found, order } = self;
        let reach = |b: usize| (0.5 + MARGIN) * surfaces.bodies[b].distance;
        let bounds = |b: usize| grown(wholes[b].bounds(DVec3::ZERO), reach(b));
        order.clear();
        let seen = (0..wholes.len()).filter(|&b| wholes[b].start.0.x.is_finite());
        order.extend(seen.map(|b| (bounds(b).0.x, b as u32)));
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (k, &(_, a)) in order.iter().enumerate() {
            let mine = bounds(a as usize);
            for &(_, b) in order[k + 1..].iter().take_while(|(low, _)| *low <= mine.1.x) {
                if overlap(&mine, &bounds(b as usize)) {
                    let both = [Meeting { partner: a, body: b }, Meeting { partner: b, body: a }];
                    found.extend(both.into_iter().filter(|m| is_close(surfaces, wholes, *m)));
                }
            }
        }
    }
}

/// Whether the boxes also overlap in the frame of the partner, where they are smallest.
fn is_close(surfaces: &Surfaces, wholes: &[Whole], meeting: Meeting) -> bool {
    let (partner, body) = (meeting.partner as usize, meeting.body as usize);
    let shift = wholes[partner].shift;
    let reach = (1.0 + MARGIN) * surfaces.body_distance(partner, body);
    let theirs = grown(wholes[partner].bounds(shift), reach);
    !surfaces.bodies[partner].triangles.is_empty() && overlap(&theirs, &wholes[body].bounds(shift))
}
