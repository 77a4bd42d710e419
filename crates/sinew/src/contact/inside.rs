//! Vertices inside solids: which vertices are, and through which triangle each of them is to leave.
//!
//! As in [teschner2003] the vertices are in the table, and each tetrahedron queries the cells that it covers: most tetrahedra are far from
//! all vertices in question and find empty cells.

use super::crossing::{in_tetrahedron, leaving};
use super::meeting::{Meeting, Meetings, Motion};
use super::penetration::{Exit, Hit, Penetration};
use super::spatial_hash::{Bounds, Grid, NOTHING, SpatialHash, overlap};
use super::surface::Surfaces;
use super::table::Table;
use super::triangle::closest_point;
use crate::parallel;
use glam::DVec3;
use std::sync::atomic::{AtomicU8, Ordering};

/// A vertex and a body whose triangles it may collide with, with the triangle and the side once they are found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub vertex: u32,
    pub partner: u32,
    pub answer: Option<(u32, f64)>,
}

/// A vertex that may be in a solid.
#[derive(Debug)]
struct Point {
    vertex: u32,
    /// Bit 0: inside at the start; bit 1: at the end. Several tetrahedra may set it concurrently, in any order.
    inside: AtomicU8,
}

/// Finds vertices that are inside solids; reuses its buffers.
#[derive(Debug)]
pub(crate) struct Inside {
    tetrahedra: Vec<Bounds>,
    points: Vec<Point>,
    places: Vec<Bounds>,
    hash: SpatialHash,
    members: Vec<u32>,
    penetration: Penetration,
}

impl Inside {
    /// Allocates the buffers for these surfaces.
    pub fn new(surfaces: &Surfaces) -> Self {
        let solid = surfaces.bodies.iter().any(|b| b.solid);
        Self {
            tetrahedra: vec![NOTHING; surfaces.tetrahedra.len()],
            points: Vec::new(),
            places: Vec::new(),
            hash: SpatialHash::new(if solid { surfaces.vertex_body.len() } else { 0 }),
            members: Vec::new(),
            penetration: Penetration::new(if solid { surfaces.vertex_body.len() } else { 0 }),
        }
    }

    /// Answers the open questions of one meeting with a solid, for vertices that are inside it.
    pub fn resolve(
        &mut self,
        surfaces: &Surfaces,
        (meetings, meeting): (&Meetings, Meeting),
        motion: Motion,
        triangles: &Table,
        questions: &mut [Question],
    ) {
        let (partner, body) = (meeting.partner as usize, meeting.body as usize);
        let shift = meetings.wholes[partner].shift;
        self.points.clear();
        let open = questions.iter().filter(|q| q.answer.is_none());
        self.points.extend(open.map(|q| Point { vertex: q.vertex, inside: AtomicU8::new(0) }));
        let region = meetings.wholes[partner].bounds(shift);
        let theirs = meetings.wholes[body].bounds(shift);
        let region = (region.0.max(theirs.0), region.1.min(theirs.1));
        if self.points.is_empty() || !overlap(&region, &region) {
            return;
        }
        let grid = self.place_tetrahedra(surfaces, partner, region, motion, shift);
        if !self.classify(surfaces, meeting, &grid, motion, shift) {
            return;
        }
        // The other vertices only guide these: inner vertices, and those that need no answer themselves.
        self.points.clear();
        let all = surfaces.bodies[body].vertices.clone().map(|v| v as u32);
        let near = all.filter(|&v| overlap(&motion.bounds(&[v], shift), &region));
        self.points.extend(near.map(|vertex| Point { vertex, inside: AtomicU8::new(0) }));
        self.classify(surfaces, meeting, &grid, motion, shift);
        for (time, x) in [motion.start, motion.end].into_iter().enumerate() {
            let is_inside = |p: &&Point| p.inside.load(Ordering::Relaxed) >> time & 1 == 1;
            self.members.clear();
            self.members.extend(self.points.iter().filter(is_inside).map(|p| p.vertex));
            let members = &self.members;
            let search = ExitSearch { surfaces, triangles, meeting, x, shift: shift * time as f64 };
            if !questions.iter().any(|q| q.answer.is_none() && members.binary_search(&q.vertex).is_ok()) {
                continue;
            }
            let leave = |v, w| search.leave(v, w);
            self.penetration.estimate(surfaces, members, x, leave, |p| search.closest(p));
            for question in questions.iter_mut().filter(|q| q.answer.is_none()) {
                if let Some(exit) = self.penetration.exit(question.vertex) {
                    question.answer = search.triangle(question.vertex, exit).map(|t| (t, 1.0));
                }
            }
            self.penetration.forget(members);
        }
    }

    /// Collects the boxes of the tetrahedra of a solid that overlap a region, and the grid for points among them.
    fn place_tetrahedra(
        &mut self,
        surfaces: &Surfaces,
        solid: usize,
        region: Bounds,
        motion: Motion,
        shift: DVec3,
    ) -> Grid {
        let range = surfaces.bodies[solid].tetrahedra.clone();
        let corners = &surfaces.tetrahedra[range.clone()];
        let boxes = &mut self.tetrahedra[range];
        parallel::for_chunks(boxes, |first, boxes| {
            for (bounds, corners) in boxes.iter_mut().zip(&corners[first..]) {
                let all = motion.bounds(corners, shift);
                *bounds = if overlap(&all, &region) { all } else { NOTHING };
            }
        });
        // Most cells are empty, so few cells per tetrahedron matter more than few points per cell.
        Grid::fit(solid as u32, boxes).coarser(2.0)
    }

    /// Finds which points are in a tetrahedron of the partner; returns whether any is.
    fn classify(
        &mut self,
        surfaces: &Surfaces,
        meeting: Meeting,
        grid: &Grid,
        motion: Motion,
        shift: DVec3,
    ) -> bool {
        self.places.clear();
        self.places.extend(self.points.iter().map(|p| motion.bounds(&[p.vertex], shift)));
        self.hash.clear();
        self.hash.add(grid, 0, &self.places);
        self.hash.build();
        let own = meeting.partner == meeting.body;
        let range = surfaces.bodies[meeting.partner as usize].tetrahedra.clone();
        let corners = &surfaces.tetrahedra[range.clone()];
        let (hash, points, places) = (&self.hash, &self.points, &self.places);
        parallel::for_chunks(&mut self.tetrahedra[range], |first, boxes| {
            for (bounds, corners) in boxes.iter().zip(&corners[first..]).filter(|(b, _)| b.0.x <= b.1.x) {
                hash.within(grid, 0..points.len(), *bounds, |k| {
                    let vertex = points[k].vertex;
                    if overlap(bounds, &places[k]) && !(own && surfaces.adjacent(vertex, corners)) {
                        points[k].inside.fetch_or(times_inside(vertex, corners, motion), Ordering::Relaxed);
                    }
                });
            }
        });
        self.points.iter().any(|p| p.inside.load(Ordering::Relaxed) != 0)
    }

    #[cfg(test)]
    pub fn capacity(&self) -> usize {
        self.hash.capacity() + self.points.capacity() + self.places.capacity() + self.members.capacity()
    }
}

/// Bit 0: in the tetrahedron at the start; bit 1: at the end.
fn times_inside(vertex: u32, corners: &[u32; 4], motion: Motion) -> u8 {
    let at = |x: &[DVec3]| u8::from(in_tetrahedron(x[vertex as usize], corners.map(|v| x[v as usize])));
    at(motion.start) | at(motion.end) << 1
}

/// The surface of a solid at one of the two times.
struct ExitSearch<'a> {
    surfaces: &'a Surfaces,
    triangles: &'a Table,
    meeting: Meeting,
    x: &'a [DVec3],
    /// Offset by which positions are shifted in the table.
    shift: DVec3,
}

impl ExitSearch<'_> {
    /// Where the segment from p to q leaves the solid: of several points, the one with the least `rank(fraction of the segment)`.
    fn way_out(
        &self,
        (p, q): (DVec3, DVec3),
        allowed: impl Fn(&[u32; 3]) -> bool,
        rank: impl Fn(f64) -> f64,
    ) -> Option<Hit> {
        let partner = self.meeting.partner as usize;
        let range = self.surfaces.bodies[partner].triangles.clone();
        let mut best: Option<(f64, u32, f64)> = None;
        self.triangles.along((partner, range), (p - self.shift, q - self.shift), 0.0, |t| {
            if let Some(share) = leaving(p, q, self.surfaces.corners(t, self.x)) {
                let found = (rank(share), t as u32, share);
                if best.is_none_or(|b| (found.0, found.1) < (b.0, b.1))
                    && allowed(&self.surfaces.triangles[t])
                {
                    best = Some(found);
                }
            }
        });
        let (_, triangle, share) = best?;
        Some(Hit { point: p + (q - p) * share, normal: self.normal(triangle)?, triangle })
    }

    /// Where the edge from v inside to w outside leaves the solid.
    fn leave(&self, v: u32, w: u32) -> Option<Hit> {
        let (p, q) = (self.x[v as usize], self.x[w as usize]);
        let allowed = |corners: &[u32; 3]| !corners.contains(&v) && !corners.contains(&w);
        if q.is_finite() { self.way_out((p, q), allowed, |share| share) } else { None }
    }

    /// The triangle through which a vertex leaves: one near its exit, else one that its neighbours have found.
    fn triangle(&self, vertex: u32, exit: Exit) -> Option<u32> {
        let p = self.x[vertex as usize];
        let (partner, body) = (self.meeting.partner as usize, self.meeting.body as usize);
        let own = partner == body;
        let allowed = |corners: &[u32; 3]| !(own && self.surfaces.adjacent(vertex, corners));
        // The estimates are rough, so search up to twice as far.
        let length = 2.0 * exit.depth + self.surfaces.body_distance(partner, body);
        let q = p + length * exit.direction;
        let hit = self.way_out((p, q), allowed, |share| (share * length - exit.depth).abs());
        let triangle = hit.map_or(exit.triangle, |hit| hit.triangle);
        (allowed(&self.surfaces.triangles[triangle as usize])).then_some(triangle)
    }

    /// The surface point closest to p, for whole bodies inside others; a body is never entirely inside itself.
    fn closest(&self, p: DVec3) -> Option<Hit> {
        if self.meeting.partner == self.meeting.body {
            return None;
        }
        let mut best: Option<(f64, Hit)> = None;
        for t in self.surfaces.bodies[self.meeting.partner as usize].triangles.clone() {
            let point = closest_point(p, self.surfaces.corners(t, self.x)).point;
            let squared = p.distance_squared(point);
            if squared < best.map_or(f64::INFINITY, |b| b.0)
                && let Some(normal) = self.normal(t as u32)
            {
                best = Some((squared, Hit { point, normal, triangle: t as u32 }));
            }
        }
        best.map(|b| b.1)
    }

    fn normal(&self, triangle: u32) -> Option<DVec3> {
        let [a, b, c] = self.surfaces.corners(triangle as usize, self.x);
        (b - a).cross(c - a).try_normalize()
    }
}
