//! How a tetrahedron of the warped lattice is divided where surfaces cut it.
//!
//! What happens on a face depends only on the face, so that neighbours agree:
//! - points on a surface take part in no cut; an edge between two labels has one cut;
//! - labels a, a, b: a triangle at b, and a quadrilateral at a that one of its diagonals divides ([`Divide::diagonal`]);
//! - labels a, b, c: the three cuts meet in a point of the face, and everything is a fan around it.
//!
//! Inside, a tetrahedron with a point on a surface is the cone from that point. One with labels a, a, a, b is a tip and a prism, one with a, a, b, b are two
//! prisms: the stencils of isosurface stuffing [labelle2007isosurface], here on both sides. Where diagonals do not allow three tetrahedra in a prism, and
//! where three or four labels meet, it is the cone from a point inside, as in lattice cleaving [bronson2012cleaving].
//! All points are well away from edges and faces because the cuts are, so angles are bounded also there; a cone from the inside of a
//! convex shape cannot be inverted.

use super::cuts::Cut;
use super::domain::OUTSIDE;
use crate::tet_quality::{signed_volume, worst_angle};
use glam::DVec3;

/// A vertex of the result, by what it comes from; vertices of lattice points in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A point of the lattice.
    Point(u32),
    /// The cut of an edge.
    Edge(u32, u32),
    /// Where three cuts meet on a face.
    Face(u32, u32, u32),
    /// A point inside a tetrahedron; a number tells several apart.
    Inside([u32; 4], u8),
}

/// A vertex and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub origin: Origin,
    pub at: DVec3,
}

/// Four vertices, positively oriented, and their label.
pub(super) type Piece = ([Vertex; 4], u16);

/// The division of one tetrahedron.
pub(super) struct Divide<'a> {
    cut: &'a Cut,
    corners: [u32; 4],
    pieces: Vec<Piece>,
}

impl<'a> Divide<'a> {
    /// Appends the pieces of a tetrahedron of the lattice; those outside are left out.
    pub fn pieces(cut: &'a Cut, corners: [u32; 4], label_at: impl Fn(DVec3) -> u16, pieces: &mut Vec<Piece>) {
        let mut divide = Self { cut, corners, pieces: Vec::new() };
        // Most tetrahedra are not cut.
        let label = divide.label(corners[0]);
        if corners.iter().all(|&p| divide.free(p) && divide.label(p) == label) {
            if label != OUTSIDE {
                pieces.push((oriented(corners.map(|p| divide.point(p))), label));
            }
            return;
        }
        divide.run(label_at);
        pieces.extend(divide.pieces.into_iter().filter(|(_, label)| *label != OUTSIDE));
    }

    fn free(&self, p: u32) -> bool {
        !self.cut.on_surface[p as usize]
    }

    fn label(&self, p: u32) -> u16 {
        self.cut.labels[p as usize]
    }

    fn run(&mut self, label_at: impl Fn(DVec3) -> u16) {
        let corners = self.corners;
        let mut labels: Vec<u16> =
            corners.iter().filter(|&&p| self.free(p)).map(|&p| self.label(p)).collect();
        labels.sort_unstable();
        let count = labels.len();
        let same_pairs = labels.windows(2).filter(|pair| pair[0] == pair[1]).count();
        labels.dedup();
        if labels.len() <= 1 {
            let points = corners.map(|p| self.point(p));
            let middle = || points.iter().map(|v| v.at).sum::<DVec3>() / 4.0;
            let label = labels.first().copied().unwrap_or_else(|| label_at(middle()));
            self.add(points, label);
            return;
        }
        if count < 4 {
            self.cone_from_surface();
            return;
        }
        match (labels.len(), same_pairs) {
            (2, _) => {
                let of = |label: u16| {
                    corners.iter().copied().filter(|&p| self.label(p) == label).collect::<Vec<_>>()
                };
                let (mut a, mut b) = (of(labels[0]), of(labels[1]));
                if a.len() < b.len() {
                    std::mem::swap(&mut a, &mut b);
                }
                match (&a[..], &b[..]) {
                    (&[p, q, s], &[tip]) => self.tip_and_prism([p, q, s], tip),
                    _ => self.two_prisms([a[0], a[1]], [b[0], b[1]]),
                }
            }
            _ => self.cone_from_inside(),
        }
    }

    fn point(&self, p: u32) -> Vertex {
        Vertex { origin: Origin::Point(p), at: self.cut.positions[p as usize] }
    }

    /// The cut of an edge between two labels.
    fn edge(&self, a: u32, b: u32) -> Vertex {
        let (a, b) = (a.min(b), a.max(b));
        let share = self.cut.shares.get(&(a, b)).copied().unwrap_or(0.5);
        let at = self.cut.positions[a as usize].lerp(self.cut.positions[b as usize], share);
        Vertex { origin: Origin::Edge(a, b), at }
    }

    /// Where the three cuts of a face meet: in the middle of them.
    fn face(&self, mut p: [u32; 3]) -> Vertex {
        p.sort_unstable();
        let [a, b, c] = p;
        let at = (self.edge(a, b).at + self.edge(b, c).at + self.edge(a, c).at) / 3.0;
        Vertex { origin: Origin::Face(a, b, c), at }
    }

    fn inside(&self, which: u8, at: DVec3) -> Vertex {
        let mut corners = self.corners;
        corners.sort_unstable();
        Vertex { origin: Origin::Inside(corners, which), at }
    }

    fn add(&mut self, vertices: [Vertex; 4], label: u16) {
        self.pieces.push((oriented(vertices), label));
    }

    /// Whether the diagonal of the quadrilateral at p and q (one label), between their edges to r (another), ends at p; otherwise it ends at q.
    fn diagonal(&self, p: u32, q: u32, r: u32) -> bool {
        let lattice = &self.cut.lattice;
        if lattice.long(p, q) {
            // Parity rule: the end of which an even number of coordinates is greater.
            let (a, b) = (lattice.place(p), lattice.place(q));
            (0..3).filter(|&k| a[k] > b[k]).count() % 2 == 0
        } else {
            // The diagonal ends at the cut of the long edge.
            lattice.long(q, r)
        }
    }

    /// The triangles of a face and their labels, cut as its neighbour cuts it.
    fn triangles(&self, face: [u32; 3]) -> Vec<([Vertex; 3], u16)> {
        let free: Vec<u32> = face.iter().copied().filter(|&p| self.free(p)).collect();
        let fixed: Vec<u32> = face.iter().copied().filter(|&p| !self.free(p)).collect();
        match (&free[..], &fixed[..]) {
            (&[a, b], &[w]) if self.label(a) != self.label(b) => {
                let (w, middle) = (self.point(w), self.edge(a, b));
                vec![([w, self.point(a), middle], self.label(a)), ([w, middle, self.point(b)], self.label(b))]
            }
            (&[a, b, c], _)
                if self.label(a) != self.label(b)
                    && self.label(b) != self.label(c)
                    && self.label(a) != self.label(c) =>
            {
                let middle = self.face([a, b, c]);
                let mut out = Vec::with_capacity(6);
                for (p, q) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)] {
                    out.push(([self.point(p), self.edge(p, q), middle], self.label(p)));
                }
                out
            }
            (&[a, b, c], _) if self.label(a) != self.label(b) || self.label(b) != self.label(c) => {
                let (p, q, r) = if self.label(a) == self.label(b) {
                    (a, b, c)
                } else if self.label(b) == self.label(c) {
                    (b, c, a)
                } else {
                    (a, c, b)
                };
                let (pr, qr) = (self.edge(p, r), self.edge(q, r));
                let (pv, qv) = (self.point(p), self.point(q));
                let mut out = vec![([self.point(r), pr, qr], self.label(r))];
                if self.diagonal(p, q, r) {
                    out.push(([pv, qv, qr], self.label(p)));
                    out.push(([pv, qr, pr], self.label(p)));
                } else {
                    out.push(([pv, qv, pr], self.label(p)));
                    out.push(([qv, qr, pr], self.label(p)));
                }
                out
            }
            _ => {
                let label = free.first().map_or(OUTSIDE, |&p| self.label(p));
                vec![(face.map(|p| self.point(p)), label)]
            }
        }
    }

    fn cone_from_surface(&mut self) {
        let Some(k) = self.corners.iter().position(|&p| !self.free(p)) else { return };
        let apex = self.point(self.corners[k]);
        let [a, b, c] = crate::tet_quality::FACES[k].map(|i| self.corners[i]);
        for (triangle, label) in self.triangles([a, b, c]) {
            self.add([apex, triangle[0], triangle[1], triangle[2]], label);
        }
    }

    fn cone_from_inside(&mut self) {
        let corners = self.corners;
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for (i, &p) in corners.iter().enumerate() {
            for &q in &corners[..i] {
                if self.label(p) != self.label(q) {
                    sum += self.edge(p, q).at;
                    count += 1.0;
                }
            }
        }
        let apex = self.inside(0, sum / count);
        for face in crate::tet_quality::FACES {
            for (triangle, label) in self.triangles(face.map(|i| corners[i])) {
                self.add([apex, triangle[0], triangle[1], triangle[2]], label);
            }
        }
    }

    fn tip_and_prism(&mut self, base: [u32; 3], tip: u32) {
        let bottom = base.map(|p| self.point(p));
        let top = base.map(|p| self.edge(p, tip));
        self.add([self.point(tip), top[0], top[1], top[2]], self.label(tip));
        let [p, q, s] = base;
        let beats = [self.diagonal(p, q, tip), self.diagonal(q, s, tip), self.diagonal(p, s, tip)];
        let pieces = self.prism(bottom, top, beats, 1);
        let label = self.label(p);
        pieces.into_iter().for_each(|piece| self.pieces.push((piece, label)));
    }

    fn two_prisms(&mut self, [a, b]: [u32; 2], [c, d]: [u32; 2]) {
        let (ac, ad, bc, bd) = (self.edge(a, c), self.edge(a, d), self.edge(b, c), self.edge(b, d));
        let (pa, pb, pc, pd) = (self.point(a), self.point(b), self.point(c), self.point(d));
        let (near, far) = (self.label(a), self.label(c));
        let mut best: Option<(f64, Vec<Piece>)> = None;
        // The diagonal between the two prisms is free: the one with better angles in what is kept.
        for across in [true, false] {
            let first = [self.diagonal(a, b, c), across, self.diagonal(a, b, d)];
            let second = [self.diagonal(c, d, a), across, self.diagonal(c, d, b)];
            let mut pieces: Vec<Piece> = Vec::new();
            pieces.extend(self.prism([pa, ac, ad], [pb, bc, bd], first, 1).into_iter().map(|p| (p, near)));
            pieces.extend(self.prism([pc, ac, bc], [pd, ad, bd], second, 2).into_iter().map(|p| (p, far)));
            let kept = pieces.iter().filter(|(_, label)| *label != OUTSIDE);
            let worst = kept.map(|(p, _)| worst_angle(p.map(|v| v.at))).fold(1.0, f64::min);
            if best.as_ref().is_none_or(|(least, _)| worst > *least) {
                best = Some((worst, pieces));
            }
        }
        if let Some((_, pieces)) = best {
            self.pieces.extend(pieces);
        }
    }

    /// A prism between two triangles. `beats` says for the sides (0, 1), (1, 2), (0, 2) whether the diagonal runs from the first corner of the bottom to the second of
    /// the top. If one corner wins both its sides and another loses both there are three tetrahedra; if they win in a circle, eight around a point inside.
    fn prism(&self, bottom: [Vertex; 3], top: [Vertex; 3], beats: [bool; 3], which: u8) -> Vec<[Vertex; 4]> {
        let [b01, b12, b02] = beats;
        let wins = [
            usize::from(b01) + usize::from(b02),
            usize::from(!b01) + usize::from(b12),
            usize::from(!b12) + usize::from(!b02),
        ];
        let by_wins = |n: usize| wins.iter().position(|&w| w == n);
        if let (Some(x), Some(y), Some(z)) = (by_wins(2), by_wins(1), by_wins(0)) {
            return vec![
                oriented([bottom[x], bottom[y], bottom[z], top[z]]),
                oriented([bottom[x], bottom[y], top[y], top[z]]),
                oriented([bottom[x], top[x], top[y], top[z]]),
            ];
        }
        let middle = bottom.iter().chain(&top).map(|v| v.at).sum::<DVec3>() / 6.0;
        let apex = self.inside(which, middle);
        let mut out =
            vec![oriented([apex, bottom[0], bottom[1], bottom[2]]), oriented([apex, top[0], top[1], top[2]])];
        for (i, j, from_first) in [(0, 1, b01), (1, 2, b12), (0, 2, b02)] {
            let (i, j) = if from_first { (i, j) } else { (j, i) };
            out.push(oriented([apex, bottom[i], bottom[j], top[j]]));
            out.push(oriented([apex, bottom[i], top[j], top[i]]));
        }
        out
    }
}

fn oriented(mut v: [Vertex; 4]) -> [Vertex; 4] {
    if signed_volume(v.map(|v| v.at)) < 0.0 {
        v.swap(2, 3);
    }
    v
}
