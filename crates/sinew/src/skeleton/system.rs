//! The small dense problem of an iteration [li2020, Eqs 13–17]: min ½ sᵀS s − qᵀs with A s = −c for joints that close loops and A s ≤ −c for limits.
//!
//! S is the rotated matrix of the frames. If that matrix is constant and the same for all directions, its tree of joints is closed and its
//! translations are eliminated once and for all (see [`JointedFrames`]), and only a system of the ω is factored. Otherwise, in contact and in
//! Newton's method, S is assembled with respect to (ω, l) of every bone, and joints of the tree are eliminated by a congruence (see
//! [`Articulation`]). The rest is a Schur complement A S⁻¹Aᵀ, solved with pivoting so that joints may be redundant, and a primal–dual active
//! set finds the limits.

use super::articulation::{Articulation, Hold};
use super::bone::Frame;
use super::factor::Factor;
use super::geometric::Geometric;
use super::joint::{Anchor, Row};
use super::jointed::JointedFrames;
use crate::math::{hat, outer, solve_semidefinite, symmetric_eigen};
use glam::{DMat3, DVec3};
use std::sync::Arc;

/// Largest number of active-set iterations.
const ROUNDS: usize = 20;
/// A limit further away than this, rad, has no row: no iteration should go that far.
const REACH: f64 = 1.0;

/// The problem of one articulation, and its buffers.
#[derive(Debug)]
pub(crate) struct SmallSystem {
    /// S with respect to (ω, l) of all bones, rows of 6m.
    full: Vec<f64>,
    bones: usize,
    /// Number of coordinates, three scalars each.
    coordinates: usize,
    factor: Factor,
    /// Rows of joints and limits, and for each the scalars of A.
    pub rows: Vec<Row>,
    a: Vec<f64>,
    /// L⁻¹Aᵀ, row by row.
    z: Vec<f64>,
    /// Which rows are active.
    active: Vec<bool>,
    /// λ of each row; kept from one iteration to the next.
    pub multipliers: Vec<f64>,
    gram: Vec<f64>,
    chosen: Vec<usize>,
    order: Vec<usize>,
    /// Scratch: a vector of the coordinates, a matrix for each bone, and twists.
    scalars: Vec<f64>,
    terms: Vec<DMat3>,
    pub twists: Vec<(DVec3, DVec3)>,
}

impl SmallSystem {
    pub fn new(articulation: &Articulation) -> Self {
        let (bones, coordinates) = (articulation.bones.len(), articulation.coordinates);
        Self {
            full: vec![0.0; 36 * bones * bones],
            bones,
            coordinates,
            factor: Factor::new(articulation),
            rows: Vec::new(),
            a: Vec::new(),
            z: Vec::new(),
            active: Vec::new(),
            multipliers: Vec::new(),
            gram: Vec::new(),
            chosen: Vec::new(),
            order: Vec::new(),
            scalars: vec![0.0; 3 * coordinates],
            terms: vec![DMat3::ZERO; bones],
            twists: vec![(DVec3::ZERO, DVec3::ZERO); bones],
        }
    }

    /// Adds a 3×3 block at (row, column), counted in 3-vectors.
    fn add(&mut self, row: usize, column: usize, block: &DMat3) {
        let width = 6 * self.bones;
        for (c, entries) in block.to_cols_array_2d().iter().enumerate() {
            for (r, value) in entries.iter().enumerate() {
                self.full[(3 * row + r) * width + 3 * column + c] += value;
            }
        }
    }

    /// S from a constant matrix of the frames.
    pub fn rotate(&mut self, articulation: &Articulation, frames: &[Frame], jointed: &Arc<JointedFrames>) {
        self.factor.rotate(articulation, frames, jointed);
    }

    /// Adds the part of S that a matrix Sa contributes along one axis, where each axis has its own matrix: x·q of a column changes by
    /// (R eₐ × q)·ω or by q·l.
    pub fn rotate_along(
        &mut self,
        articulation: &Articulation,
        frames: &[Frame],
        axis: DVec3,
        schur: impl Fn(usize, usize) -> f64,
    ) {
        let lever = |bone: usize| {
            let turn = frames[bone].turn;
            [turn.x_axis.cross(axis), turn.y_axis.cross(axis), turn.z_axis.cross(axis)]
        };
        for (j, &bone) in articulation.bones.iter().enumerate() {
            let left = lever(bone);
            for (k, &other) in articulation.bones.iter().enumerate() {
                let right = lever(other);
                let at = |a: usize, b: usize| schur(4 * j + a, 4 * k + b);
                let mut turning = DMat3::ZERO;
                let (mut down, mut across) = (DVec3::ZERO, DVec3::ZERO);
                for a in 0..3 {
                    down += left[a] * at(a, 3);
                    across += right[a] * at(3, a);
                    for b in 0..3 {
                        turning += outer(left[a] * at(a, b), right[b]);
                    }
                }
                self.add(2 * j, 2 * k, &turning);
                self.add(2 * j, 2 * k + 1, &outer(down, axis));
                self.add(2 * j + 1, 2 * k, &outer(axis, across));
                self.add(2 * j + 1, 2 * k + 1, &outer(axis * at(3, 3), axis));
            }
        }
    }

    /// Adds a block with respect to (ω, l) of two bones: rows and columns in 3-vectors, 0 is ω and 1 is l.
    pub fn add_block(&mut self, (j, r): (usize, usize), (k, c): (usize, usize), block: &DMat3) {
        self.add(2 * j + r, 2 * k + c, block);
    }

    /// Sets S to zero, for [`Self::add_block`] and [`Self::rotate_along`].
    pub fn clear(&mut self) {
        self.factor.take_whole();
        self.full.fill(0.0);
    }

    /// Adds the geometric term. `columns` are the gradient with respect to the four columns of each bone; `twists` must be as
    /// [`Articulation::pull_back`] left them: l holds the forces of the joints.
    pub fn bend(
        &mut self,
        articulation: &Articulation,
        frames: &[Frame],
        columns: &[DVec3],
        geometric: Geometric,
    ) {
        if geometric == Geometric::None {
            return;
        }
        let mut terms = std::mem::take(&mut self.terms);
        for ((term, &bone), columns) in terms.iter_mut().zip(&articulation.bones).zip(columns.chunks_exact(4))
        {
            let turn = frames[bone].turn;
            *term = outer(columns[0], turn.x_axis)
                + outer(columns[1], turn.y_axis)
                + outer(columns[2], turn.z_axis);
        }
        for (k, hold) in articulation.holds.iter().enumerate() {
            let Hold::Joint { parent, at, arm } = hold else { continue };
            let force = self.twists[k].1;
            terms[k] -= outer(force, frames[articulation.bones[k]].turn * *arm);
            if let Some(p) = parent.place() {
                terms[p] += outer(force, parent.frame(frames).turn * *at);
            }
        }
        for (ball, forces) in articulation.loops.iter().zip(self.multipliers.chunks_exact(3)) {
            let force = DVec3::from_slice(forces);
            for (end, sign) in [(0, 1.0), (1, -1.0)] {
                if let Some(k) = ball.ends[end].place() {
                    terms[k] += outer(force * sign, ball.ends[end].frame(frames).turn * ball.arms[end]);
                }
            }
        }
        for (k, term) in terms.iter().enumerate() {
            let trace = term.x_axis.x + term.y_axis.y + term.z_axis.z;
            let mut bend = (*term + term.transpose()) * 0.5 - DMat3::from_diagonal(DVec3::splat(trace));
            if geometric == Geometric::Clamped {
                bend = positive_part(&bend);
            }
            if self.factor.is_turning() {
                self.factor.add_turning(k, &bend);
            } else {
                self.add(2 * k, 2 * k, &bend);
            }
        }
        self.terms = terms;
    }

    /// Eliminates the joints of the tree and factors the remaining matrix. Returns whether it is positive definite.
    pub fn factor(&mut self, articulation: &Articulation, frames: &[Frame]) -> bool {
        if !self.factor.is_turning() {
            self.eliminate_tree(articulation, frames);
        }
        self.factor.factor()
    }

    /// Eliminates the joints of the tree from S with respect to all (ω, l), and leaves the rest in the factor.
    fn eliminate_tree(&mut self, articulation: &Articulation, frames: &[Frame]) {
        let width = 6 * self.bones;
        for (k, hold) in articulation.holds.iter().enumerate().rev() {
            let Hold::Joint { parent, at, arm } = hold else { continue };
            // l_k = l_p + ω_p×a − ω_k×b.
            let own = hat(frames[articulation.bones[k]].turn * *arm);
            let above = parent.place().map(|p| (p, -hat(parent.frame(frames).turn * *at)));
            for r in 0..width {
                let row = &mut self.full[r * width..(r + 1) * width];
                let force = DVec3::from_slice(&row[6 * k + 3..]);
                if force == DVec3::ZERO {
                    continue;
                }
                let mut put = |at: usize, add: DVec3| {
                    for (to, value) in row[at..at + 3].iter_mut().zip(add.to_array()) {
                        *to += value;
                    }
                };
                put(6 * k, own.transpose() * force);
                if let Some((p, turned)) = above {
                    put(6 * p, turned.transpose() * force);
                    put(6 * p + 3, force);
                }
            }
            let (own, above) = (own.transpose(), above.map(|(p, turned)| (p, turned.transpose())));
            for c in 0..width {
                let force = DVec3::new(
                    self.full[(6 * k + 3) * width + c],
                    self.full[(6 * k + 4) * width + c],
                    self.full[(6 * k + 5) * width + c],
                );
                if force == DVec3::ZERO {
                    continue;
                }
                let mut put = |at: usize, add: DVec3| {
                    for (r, value) in add.to_array().into_iter().enumerate() {
                        self.full[(at + r) * width + c] += value;
                    }
                };
                put(6 * k, own * force);
                if let Some((p, turned)) = above {
                    put(6 * p, turned * force);
                    put(6 * p + 3, force);
                }
            }
        }
        // The first scalar of each coordinate: ω of the bones, then l of the free ones.
        self.chosen.clear();
        self.chosen.extend((0..self.bones).map(|k| 6 * k));
        let free = articulation.holds.iter().enumerate().filter(|(_, hold)| matches!(hold, Hold::Free(_)));
        self.chosen.extend(free.map(|(k, _)| 6 * k + 3));
        let n = 3 * self.coordinates;
        let matrix = self.factor.whole.matrix();
        for (j, &column) in self.chosen.iter().enumerate() {
            for c in 0..3 {
                // S is symmetric: a column of it is a row.
                let from = &self.full[(column + c) * width..(column + c + 1) * width];
                let to = &mut matrix[(3 * j + c) * n..(3 * j + c + 1) * n];
                for (to, &row) in to.chunks_exact_mut(3).zip(&self.chosen).skip(j) {
                    to.copy_from_slice(&from[row..row + 3]);
                }
            }
        }
    }

    /// Lists the constraints of joints beyond the tree, and those limits that are within reach.
    pub fn find_rows(&mut self, articulation: &Articulation, frames: &[Frame]) {
        self.rows.clear();
        if articulation.has_rows() {
            let rows = &mut self.rows;
            articulation.rows(frames, |row| {
                if !row.limit || row.value > -REACH {
                    rows.push(row);
                }
            });
        }
        let n = 3 * self.coordinates;
        self.a.clear();
        let mut gradient = std::mem::take(&mut self.scalars);
        for row in &self.rows {
            self.twists.fill((DVec3::ZERO, DVec3::ZERO));
            for (anchor, omega, l) in row.ends {
                if let Some(k) = anchor.place() {
                    self.twists[k].0 += omega;
                    self.twists[k].1 += l;
                }
            }
            let vectors: &mut [DVec3] = bytemuck::cast_slice_mut(&mut gradient);
            articulation.pull_back(frames, &mut self.twists, vectors);
            self.a.extend_from_slice(&gradient);
        }
        self.scalars = gradient;
        self.z.clone_from(&self.a);
        for z in self.z.chunks_exact_mut(n.max(1)) {
            self.factor.forward(z);
        }
    }

    /// Makes the rows of [`Self::find_rows`] constrain velocities: A s = −ċ, where ċ is the rate that kinematic bones cause while nothing
    /// rotates. Limits do not constrain velocities.
    pub fn ask_velocities(&mut self, driven: &[(DVec3, DVec3)], carried: &[(DVec3, DVec3)]) {
        for row in &mut self.rows {
            let of = |anchor: &Anchor| match *anchor {
                Anchor::World => None,
                Anchor::Kinematic(bone) => driven.get(bone),
                Anchor::Bone(place, _) => carried.get(place),
            };
            let rate = |(anchor, w, t): &(Anchor, DVec3, DVec3)| {
                of(anchor).map_or(0.0, |(o, l)| w.dot(*o) + t.dot(*l))
            };
            row.value = if row.limit { f64::NEG_INFINITY } else { row.ends.iter().map(rate).sum() };
        }
    }

    /// s ← argmin ½ sᵀS s − sᵀq subject to the rows of [`Self::find_rows`], given q in s. If `values` is false, rows require A s = 0, and
    /// limits are left out.
    pub fn solve(&mut self, s: &mut [DVec3], values: bool) {
        let n = 3 * self.coordinates;
        let s: &mut [f64] = bytemuck::cast_slice_mut(s);
        self.multipliers.clear();
        self.multipliers.resize(self.rows.len(), 0.0);
        // In y = Lᵀs the problem is min ½|y|² − yᵀ(L⁻¹q), and rows are those of Z.
        self.factor.forward(s);
        if !self.rows.is_empty() {
            self.active.clear();
            self.active.extend(self.rows.iter().map(|row| !row.limit));
            for _ in 0..ROUNDS {
                if self.hold_rows(s, values) {
                    break;
                }
            }
            for (z, lambda) in self.z.chunks_exact(n).zip(&self.multipliers) {
                if *lambda != 0.0 {
                    s.iter_mut().zip(z).for_each(|(s, z)| *s -= lambda * z);
                }
            }
        }
        self.factor.backward(s);
    }

    /// Computes λ of the active rows, with s unchanged; returns whether the active set is right.
    fn hold_rows(&mut self, y: &[f64], values: bool) -> bool {
        let n = 3 * self.coordinates;
        let z = |i: usize| &self.z[i * n..(i + 1) * n];
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        self.chosen.clear();
        self.chosen.extend((0..self.rows.len()).filter(|&i| self.active[i]));
        // A row that the tree already satisfies is rounding alone: scaled to length one, it would impose a random constraint.
        let longest = self.chosen.iter().map(|&i| dot(z(i), z(i))).fold(0.0, f64::max);
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.retain(|&i| dot(z(i), z(i)) > 1e-20 * longest);
        self.chosen = chosen;
        let count = self.chosen.len();
        self.gram.clear();
        self.gram.resize(count * count, 0.0);
        // Scale rows to length one, so that pivots are comparable.
        let length = |i: usize| dot(z(i), z(i)).sqrt().max(f64::MIN_POSITIVE);
        self.scalars.clear();
        for (a, &i) in self.chosen.iter().enumerate() {
            for (b, &j) in self.chosen[..=a].iter().enumerate() {
                let product = dot(z(i), z(j)) / (length(i) * length(j));
                self.gram[a * count + b] = product;
                self.gram[b * count + a] = product;
            }
            let wanted = if values { self.rows[i].value } else { 0.0 };
            self.scalars.push((dot(z(i), y) + wanted) / length(i));
        }
        solve_semidefinite(&mut self.gram, count, &mut self.scalars, &mut self.order);
        self.multipliers.fill(0.0);
        for (&i, lambda) in self.chosen.iter().zip(&self.scalars) {
            self.multipliers[i] = lambda / length(i);
        }
        let mut right = true;
        if values {
            for i in (0..self.rows.len()).filter(|&i| self.rows[i].limit) {
                let held: f64 = self.chosen.iter().map(|&j| self.multipliers[j] * dot(z(i), z(j))).sum();
                let reached = dot(z(i), y) - held + self.rows[i].value;
                let wrong = if self.active[i] { self.multipliers[i] < 0.0 } else { reached > 1e-13 };
                if wrong {
                    self.active[i] = !self.active[i];
                    right = false;
                }
            }
        }
        self.scalars.clear();
        self.scalars.resize(n, 0.0);
        right
    }

    /// Makes the active rows of [`Self::find_rows`] hold by the smallest change of s in the metric S.
    pub fn project(&mut self, s: &mut [DVec3], values: bool) {
        if self.rows.is_empty() {
            return;
        }
        let n = 3 * self.coordinates;
        let scalars: &mut [f64] = bytemuck::cast_slice_mut(s);
        // y = Lᵀs.
        let mut y = std::mem::take(&mut self.scalars);
        self.factor.transposed_product(scalars, &mut y);
        scalars.copy_from_slice(&y[..n]);
        self.scalars = y;
        self.active.clear();
        self.active.extend(self.rows.iter().map(|row| !row.limit));
        self.multipliers.clear();
        self.multipliers.resize(self.rows.len(), 0.0);
        for _ in 0..ROUNDS {
            if self.hold_rows(scalars, values) {
                break;
            }
        }
        for (z, lambda) in self.z.chunks_exact(n).zip(&self.multipliers) {
            scalars.iter_mut().zip(z).for_each(|(s, z)| *s -= lambda * z);
        }
        self.factor.backward(scalars);
    }
}

/// The closest positive semidefinite matrix to a symmetric one.
fn positive_part(a: &DMat3) -> DMat3 {
    // Leading minors tell most definite matrices at a fraction of the cost of eigenvalues.
    let minor = a.x_axis.x * a.y_axis.y - a.x_axis.y * a.x_axis.y;
    let determinant = a.determinant();
    if minor > 0.0 && a.x_axis.x * determinant > 0.0 {
        return if a.x_axis.x > 0.0 { *a } else { DMat3::ZERO };
    }
    let e = symmetric_eigen(a);
    let mut positive = DMat3::ZERO;
    for axis in 0..3 {
        let vector = e.vectors.col(axis);
        positive += outer(vector * e.values[axis].max(0.0), vector);
    }
    positive
}
