//! Pairs of a vertex and a triangle that touch during a step: between bodies and within one.
//!
//! From coarse to fine: boxes of whole bodies ([`Meetings`]), triangles in a table of cells ([`SpatialHash`]), then for each
//! vertex and partner the one triangle that it passes or is near to ([`Search`]). Whoever is inside a solid without having
//! been seen entering is led out by the way that its neighbours show (`penetration`).

use super::meeting::{MARGIN, Meetings, Motion};
use super::narrow::Search;
use super::spatial_hash::{Bounds, Grid, NOTHING, SpatialHash, grown, touch};
use super::surface::Surfaces;
use crate::parallel;
use glam::DVec3;

/// A vertex and the triangle whose plane it shall not pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    /// Of the model.
    pub vertex: u32,
    /// Of [`Surfaces::triangles`].
    pub triangle: u32,
    /// +1: the vertex belongs to the side that the triangle's normal points to; −1: to the other one, of a cloth only.
    pub side: f64,
}

/// A vertex and a body whose triangles it may touch.
#[derive(Clone, Copy, Debug)]
struct Question {
    vertex: u32,
    partner: u32,
    answer: Option<(u32, f64)>,
}

/// Finds pairs; memory that is used again.
#[derive(Clone, Debug)]
pub(crate) struct PairDetector {
    meetings: Meetings,
    /// Of the triangles, in the frame of their body, grown by its own reach: most vertices are in one cell then.
    boxes: Vec<Bounds>,
    grids: Vec<Grid>,
    hash: SpatialHash,
    questions: Vec<Question>,
}

impl PairDetector {
    /// For these surfaces.
    pub fn new(surfaces: &Surfaces) -> Self {
        Self {
            meetings: Meetings::default(),
            boxes: vec![NOTHING; surfaces.triangles.len()],
            grids: vec![Grid::default(); surfaces.bodies.len()],
            hash: SpatialHash::new(surfaces.triangles.len()),
            questions: Vec::new(),
        }
    }

    /// Pairs of a step in which all vertices go straight from `start` to `end`, #V; at most one for each vertex and body.
    /// `bodies`: between different ones; `own`: within one. `out` is overwritten, sorted by vertex, then triangle.
    pub fn detect(
        &mut self,
        surfaces: &Surfaces,
        (bodies, own): (bool, bool),
        start: &[DVec3],
        end: &[DVec3],
        out: &mut Vec<Pair>,
    ) {
        out.clear();
        let motion = Motion { start, end };
        self.meetings.find(surfaces, (bodies, own), motion);
        if self.meetings.found.is_empty() {
            return;
        }
        self.place_triangles(surfaces, motion);
        self.ask(surfaces, motion);
        self.answer(surfaces, motion);
        let answered = self.questions.iter().filter_map(|q| q.answer.map(|a| (q.vertex, a)));
        out.extend(answered.map(|(vertex, (triangle, side))| Pair { vertex, triangle, side }));
        out.sort_unstable_by_key(|p| (p.vertex, p.triangle));
    }

    /// The triangles of all partners into the table.
    fn place_triangles(&mut self, surfaces: &Surfaces, motion: Motion) {
        self.hash.clear();
        for same in self.meetings.found.chunk_by(|a, b| a.partner == b.partner) {
            let partner = same[0].partner as usize;
            let body = &surfaces.bodies[partner];
            let shift = self.meetings.wholes[partner].shift;
            let boxes = &mut self.boxes[body.triangles.clone()];
            let triangles = &surfaces.triangles[body.triangles.clone()];
            parallel::for_chunks(boxes, |first, boxes| {
                for (bounds, corners) in boxes.iter_mut().zip(&triangles[first..]) {
                    *bounds = grown(motion.bounds(corners, shift), reach(surfaces, partner, partner));
                }
            });
            self.grids[partner] = Grid::fit(partner as u32, boxes);
            self.hash.add(&self.grids[partner], body.triangles.start, boxes);
        }
        self.hash.build();
    }

    /// Which vertices have to be looked at: those that come near the box of the partner.
    fn ask(&mut self, surfaces: &Surfaces, motion: Motion) {
        self.questions.clear();
        for meeting in &self.meetings.found {
            let (partner, body) = (meeting.partner as usize, meeting.body as usize);
            let whole = &self.meetings.wholes[partner];
            let region = grown(whole.bounds(whole.shift), reach(surfaces, partner, body));
            let vertices = &surfaces.vertices[surfaces.bodies[body].outer.clone()];
            let near = vertices.iter().filter(|&&v| touch(&motion.bounds(&[v], whole.shift), &region));
            self.questions.extend(near.map(|&vertex| Question {
                vertex,
                partner: meeting.partner,
                answer: None,
            }));
        }
    }

    /// Asks the triangles around each vertex.
    fn answer(&mut self, surfaces: &Surfaces, motion: Motion) {
        let Self { questions, hash, grids, boxes, meetings } = self;
        parallel::for_chunks(questions, |_, questions| {
            for question in questions {
                let Some(way) = motion.way(question.vertex) else { continue };
                let partner = question.partner as usize;
                let own = surfaces.vertex_body[question.vertex as usize] as usize;
                let reach = reach(surfaces, partner, own);
                let shift = meetings.wholes[partner].shift;
                let body = &surfaces.bodies[partner];
                let mut search =
                    Search::new(surfaces, question.vertex, way, reach, (body.solid, own == partner));
                let more = (reach - self::reach(surfaces, partner, partner)).max(0.0);
                let mine = grown(motion.bounds(&[question.vertex], shift), more);
                let straight = (way[0], way[1] - shift);
                hash.along(&grids[partner], body.triangles.clone(), straight, more, |t| {
                    if touch(&boxes[t], &mine) {
                        search.consider(t as u32, motion);
                    }
                });
                question.answer = search.found();
            }
        });
    }

    #[cfg(test)]
    fn capacity(&self) -> usize {
        self.hash.capacity() + self.questions.capacity() + self.meetings.found.capacity()
    }
}

/// How far a vertex of one body looks for triangles of the other, m.
fn reach(surfaces: &Surfaces, partner: usize, body: usize) -> f64 {
    (1.0 + MARGIN) * surfaces.body_distance(partner, body)
}

#[cfg(test)]
mod tests;
