//! Pairs of a vertex and a triangle that come into contact during a step: between bodies and within one.
//!
//! From coarse to fine: boxes of whole bodies ([`Meetings`]), triangles in a table of cells ([`Table`]), then for each vertex and partner the
//! one triangle that it crosses or is near to ([`Search`]). A vertex that is inside a solid without a detected crossing is led out along the
//! way that its neighbours indicate ([`Inside`]).

use super::inside::{Inside, Question};
use super::meeting::{MARGIN, Meeting, Meetings, Motion};
use super::narrow::Search;
use super::spatial_hash::{grown, overlap};
use super::surface::Surfaces;
use super::table::Table;
use crate::parallel;
use glam::DVec3;

/// A vertex and the triangle whose plane it must not cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    /// Index of the vertex in the model.
    pub vertex: u32,
    /// Index of the triangle in [`Surfaces::triangles`].
    pub triangle: u32,
    /// +1: the vertex belongs on the side that the triangle's normal points to; −1: on the other, for cloth only.
    pub side: f64,
}

/// Finds pairs; reuses its buffers.
#[derive(Debug)]
pub(crate) struct PairDetector {
    meetings: Meetings,
    /// Triangles in the frame of their body, grown by its reach: most vertices then query a single cell.
    triangles: Table,
    questions: Vec<Question>,
    inside: Inside,
}

impl PairDetector {
    /// Allocates the buffers for these surfaces.
    pub fn new(surfaces: &Surfaces) -> Self {
        Self {
            meetings: Meetings::default(),
            triangles: Table::new(surfaces.triangles.len(), surfaces.bodies.len()),
            questions: Vec::new(),
            inside: Inside::new(surfaces),
        }
    }

    /// Finds the pairs of a step in which all vertices move linearly from `start` to `end`, #V; at most one for each vertex and body.
    /// `bodies`: between different bodies; `own`: within one body. `out` is overwritten, sorted by vertex, then triangle.
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
        self.lead_out(surfaces, motion);
        let answered = self.questions.iter().filter_map(|q| q.answer.map(|a| (q.vertex, a)));
        out.extend(answered.map(|(vertex, (triangle, side))| Pair { vertex, triangle, side }));
        out.sort_unstable_by_key(|p| (p.vertex, p.triangle));
    }

    /// Puts the triangles of all partners into the table.
    fn place_triangles(&mut self, surfaces: &Surfaces, motion: Motion) {
        self.triangles.clear();
        for same in self.meetings.found.chunk_by(|a, b| a.partner == b.partner) {
            let partner = same[0].partner as usize;
            let shift = self.meetings.wholes[partner].shift;
            let reach = reach(surfaces, partner, partner);
            self.triangles.place(partner, surfaces.bodies[partner].triangles.clone(), |t| {
                grown(motion.bounds(&surfaces.triangles[t], shift), reach)
            });
        }
        self.triangles.build();
    }

    /// Finds the vertices to test: those that come near the box of the partner.
    fn ask(&mut self, surfaces: &Surfaces, motion: Motion) {
        self.questions.clear();
        for meeting in &self.meetings.found {
            let (partner, body) = (meeting.partner as usize, meeting.body as usize);
            let whole = &self.meetings.wholes[partner];
            let region = grown(whole.bounds(whole.shift), reach(surfaces, partner, body));
            let vertices = &surfaces.vertices[surfaces.bodies[body].outer.clone()];
            let near = vertices.iter().filter(|&&v| overlap(&motion.bounds(&[v], whole.shift), &region));
            let question = |&vertex: &u32| Question { vertex, partner: meeting.partner, answer: None };
            self.questions.extend(near.map(question));
        }
    }

    /// Tests the triangles around each vertex.
    fn answer(&mut self, surfaces: &Surfaces, motion: Motion) {
        let Self { questions, triangles, meetings, .. } = self;
        parallel::for_chunks(questions, |_, questions| {
            for question in questions {
                let Some(way) = motion.way(question.vertex) else { continue };
                let partner = question.partner as usize;
                let own = surfaces.vertex_body[question.vertex as usize] as usize;
                let reach = reach(surfaces, partner, own);
                let more = (reach - self::reach(surfaces, partner, partner)).max(0.0);
                let body = &surfaces.bodies[partner];
                let flags = (body.solid, own == partner);
                let mut search = Search::new(surfaces, question.vertex, way, reach, flags);
                let straight = (way[0], way[1] - meetings.wholes[partner].shift);
                triangles.along((partner, body.triangles.clone()), straight, more, |t| {
                    search.consider(t as u32, motion);
                });
                question.answer = search.found();
            }
        });
    }

    /// Tests the tetrahedra of solids around the vertices that have found no triangle.
    fn lead_out(&mut self, surfaces: &Surfaces, motion: Motion) {
        let body = |q: &Question| surfaces.vertex_body[q.vertex as usize];
        let same = |a: &Question, b: &Question| a.partner == b.partner && body(a) == body(b);
        for questions in self.questions.chunk_by_mut(same) {
            let meeting = Meeting { partner: questions[0].partner, body: body(&questions[0]) };
            if surfaces.bodies[meeting.partner as usize].solid {
                let whom = (&self.meetings, meeting);
                self.inside.resolve(surfaces, whom, motion, &self.triangles, questions);
            }
        }
    }

    #[cfg(test)]
    fn capacity(&self) -> usize {
        let detector = self.questions.capacity() + self.meetings.found.capacity();
        self.triangles.capacity() + self.inside.capacity() + detector
    }
}

/// Distance within which a vertex of one body searches for triangles of the other, m.
fn reach(surfaces: &Surfaces, partner: usize, body: usize) -> f64 {
    (1.0 + MARGIN) * surfaces.body_distance(partner, body)
}

#[cfg(test)]
mod tests;
