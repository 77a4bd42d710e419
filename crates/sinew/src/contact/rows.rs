//! Rows: linearised conditions of non-penetration with multipliers, an augmented Lagrangian.
//!
//! A row belongs to a pair of primitives. With weights w (+ on side A, − on side B, each side sums to ±1) its relative place is z(x) = Σ w x, and with the
//! unit normal n from B to A its condition is C(x) = n·z(x) − d − r ≥ 0. n and w are those of the closest points where the row was linearised and stay
//! as they are until it is linearised again: the solver sees a smooth convex function,
//!
//! * ψ = (max(0, λ − kC)² − λ²)/2k, whose force along n is f = max(0, λ − kC);
//! * friction, with the slip u = the tangential part of z(x) − z(xₙ) and q = λₜ + kₜu: |q|²/2kₜ while |q| ≤ μλ, then (μλ|q| − (μλ)²/2)/kₜ; its
//!   force is −τ, τ = q cut to the length μλ. This is the Coulomb disk: while it sticks, λₜ carries the load at no slip at all. Where a side is round, z(x) of friction is that of
//!   the surfaces, see [`Lever`].
//!
//! The multipliers become the forces, λ ← f and λₜ ← τ, when the solver has found what the old ones lead to. Forces are equal and opposite by construction, so
//! rows between bodies keep both momenta. A row stores no energy: when C = 0 and u = 0 are met, ψ has done its work.

use super::collider::Friction;
use super::features::NO_WEIGHT;
use super::lever::Lever;
use super::pair::{Pair, PairKind};
use glam::{DMat3, DVec3};

/// A slip below this share of the contact distance is none: friction gives way for a moment while multipliers are found.
const SLIPPED: f64 = 0.02;

/// One row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub pair: Pair,
    /// w: + on side A, − on side B.
    pub weights: [f64; 4],
    /// n: unit, from side B to side A.
    pub normal: DVec3,
    /// Where friction takes hold of a side that is round.
    pub lever: Lever,
    /// What n·z is kept above, d + r, m; less where a pair starts closer than that.
    pub target: f64,
    /// Stiffnesses k and kₜ, N/m.
    pub stiffness: f64,
    pub grip: f64,
    /// Multipliers λ, N, and λₜ, N.
    pub load: f64,
    pub drag: DVec3,
    /// Coulomb limit μλ, N.
    pub limit: f64,
    /// The forces f and τ that acted where the solver ended, N.
    pub force: f64,
    pub friction: DVec3,
    pub law: RowLaw,
    /// Speed of approach when the contact began, m/s.
    pub approach: f64,
    /// Whether it did not press in the last step.
    pub began: bool,
    /// Its forces in the last step, or in the inner stage of this one, N.
    pub began_with: f64,
    pub began_drag: DVec3,
    /// Whether friction gave way where the solver ended.
    pub sliding: bool,
    /// Whether it pressed or was violated in any round of this step.
    pub acted: bool,
    /// Of how many pairs it is the one that is kept, itself included; see [`features`](super::features).
    pub pairs: u32,
}

/// What the two sides of a row have agreed on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RowLaw {
    pub friction: Friction,
    pub restitution: f64,
    /// Whether it slid in the last step, or slides where it begins: then sliding friction counts.
    pub slides: bool,
}

impl RowLaw {
    /// μ in effect.
    pub fn coefficient(&self) -> f64 {
        if self.slides { self.friction.sliding } else { self.friction.sticking }
    }
}

impl Row {
    /// What falls to each of the pairs that it stands for.
    pub fn part(&self) -> Self {
        let share = 1.0 / f64::from(self.pairs.max(1));
        Self {
            load: self.load * share,
            drag: self.drag * share,
            limit: self.limit * share,
            began_with: self.began_with * share,
            began_drag: self.began_drag * share,
            pairs: 1,
            ..*self
        }
    }

    /// The part of one of these pairs, with the places and sides of that pair. It stays that of its own pair if it acts on places that the other one does not have.
    ///
    /// Friction is not turned around with the sides. It should be, but then the loads of pairs that part and join again carry it along, and ten soft boxes on each other tremble by 0.5 mm a step instead of 0.03.
    pub fn part_of(&self, pair: &Pair) -> Self {
        let part = self.part();
        if pair.key == self.pair.key {
            return part;
        }
        let mut weights = [0.0; 4];
        let mut left: f64 = 0.0;
        for (i, w) in self.ends() {
            match pair.places[..usize::from(pair.count)].iter().position(|&place| place as usize == i) {
                Some(k) => weights[k] += w,
                None => left += w.abs(),
            }
        }
        if left > NO_WEIGHT {
            return part;
        }
        // The sides of two edges may be the other way round than those of a vertex and a triangle.
        let side = weights[..usize::from(pair.split)].iter().sum::<f64>().signum();
        weights.iter_mut().for_each(|w| *w *= side);
        Self { pair: *pair, weights, normal: part.normal * side, ..part }
    }

    /// The places that it connects, with their weights.
    pub fn ends(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let count = usize::from(self.pair.count);
        self.pair.places[..count].iter().map(|&i| i as usize).zip(self.weights)
    }

    /// z = Σ w x.
    pub fn place(&self, at: impl Fn(usize) -> DVec3) -> DVec3 {
        self.ends().map(|(i, w)| at(i) * w).sum()
    }

    /// z where friction takes hold.
    pub fn touch(&self, at: impl Fn(usize) -> DVec3) -> DVec3 {
        let z = self.place(&at);
        if self.lever.is_none() { z } else { z + self.lever.sum(at) }
    }

    /// C at the relative place z.
    pub fn gap(&self, z: DVec3) -> f64 {
        self.normal.dot(z) - self.target
    }

    /// What is left of a vector along the surface.
    pub fn along(&self, u: DVec3) -> DVec3 {
        u - self.normal * self.normal.dot(u)
    }

    /// ψ and f at the relative place z.
    pub fn press(&self, z: DVec3) -> (f64, f64) {
        let force = (self.load - self.stiffness * self.gap(z)).max(0.0);
        (0.5 * (force * force - self.load * self.load) / self.stiffness, force)
    }

    /// The potential of friction and τ, for a slip u along the surface.
    pub fn hold(&self, slip: DVec3) -> (f64, DVec3) {
        if self.limit <= 0.0 {
            return (0.0, DVec3::ZERO);
        }
        let pull = self.drag + slip * self.grip;
        let length = pull.length();
        if length <= self.limit {
            (0.5 * length * length / self.grip, pull)
        } else {
            (self.limit * (length - 0.5 * self.limit) / self.grip, pull * (self.limit / length))
        }
    }

    /// Whether friction gives way to a slip u along the surface.
    fn slides(&self, slip: DVec3) -> bool {
        let gives_way = self.limit > 0.0 && (self.drag + slip * self.grip).length() > self.limit;
        gives_way && slip.length() > SLIPPED * self.pair.distance
    }

    /// kₜ as the matrix should have it for this slip: less where it slides.
    pub fn hold_stiffness(&self, slip: DVec3) -> f64 {
        if self.limit <= 0.0 {
            return 0.0;
        }
        let length = (self.drag + slip * self.grip).length();
        self.grip * (self.limit / length.max(f64::MIN_POSITIVE)).min(1.0)
    }
}

/// The rows of a step, and where its colliders are.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// Sorted by key.
    pub(crate) rows: Vec<Row>,
    /// Number of points of the model; places from here on belong to colliders.
    pub(super) points: usize,
    /// Places of the colliders' vertices where the step starts and where they are to be at its end, m.
    pub(super) before: Vec<DVec3>,
    pub(super) after: Vec<DVec3>,
    /// xₙ, m: slip is measured from here; and vₙ, m/s.
    pub(super) start: Vec<DVec3>,
    pub(super) speed: Vec<DVec3>,
    /// How far the user moves each point of the model in the step, m; `None` for those that move by themselves.
    pub(super) moved: Vec<Option<DVec3>>,
    /// Whether the rounds ended before the solver had found the forces: a row that acted may have none where it was left.
    pub(crate) unfinished: bool,
    /// What the forces at the end of a step, and those of its inner stage, count in its impulse over h.
    pub(super) shares: [f64; 2],
}

static NONE: Contacts = Contacts {
    rows: Vec::new(),
    points: 0,
    before: Vec::new(),
    after: Vec::new(),
    start: Vec::new(),
    speed: Vec::new(),
    moved: Vec::new(),
    unfinished: false,
    shares: [1.0, 0.0],
};

impl Contacts {
    /// No contacts.
    pub fn none() -> &'static Self {
        &NONE
    }

    /// Whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A place when the points of the model are at x and the colliders at the end of the step.
    #[inline]
    pub(super) fn end(&self, x: &[DVec3], i: usize) -> DVec3 {
        if i < self.points { x[i] } else { self.after[i - self.points] }
    }

    /// A place where the step starts.
    #[inline]
    pub(super) fn begin(&self, i: usize) -> DVec3 {
        if i < self.points { self.start[i] } else { self.before[i - self.points] }
    }

    /// z of a row at x.
    pub(super) fn relative(&self, row: &Row, x: &[DVec3]) -> DVec3 {
        row.place(|i| self.end(x, i))
    }

    /// z of a row where the step starts.
    pub(super) fn relative_before(&self, row: &Row) -> DVec3 {
        row.place(|i| self.begin(i))
    }

    /// Slip of a row since the start of the step, at x and z = z(x).
    pub(super) fn slip(&self, row: &Row, x: &[DVec3], z: DVec3) -> DVec3 {
        let moved = z - self.relative_before(row);
        if row.lever.is_none() {
            return row.along(moved);
        }
        row.along(moved + row.lever.sum(|i| x[i] - self.start[i]))
    }

    /// Whether the two sides of a row slide along each other as they are where the step starts, for a stage that takes `h`.
    pub(super) fn meets_sliding(&self, row: &Row, h: f64) -> bool {
        let speed = |i: usize| self.speed[i];
        let slip = self.relative_velocity(row, h, speed) + row.lever.sum(speed);
        row.along(slip).length() * h > SLIPPED * row.pair.distance
    }

    /// Σψ at x, J.
    pub(crate) fn value(&self, x: &[DVec3]) -> f64 {
        let mut sum = 0.0;
        for row in &self.rows {
            let z = self.relative(row, x);
            sum += row.press(z).0;
            if row.limit > 0.0 {
                sum += row.hold(self.slip(row, x, z)).0;
            }
        }
        sum
    }

    /// The mean forces of a row over the step, N: along its normal and along the surface.
    pub(super) fn mean(&self, row: &Row) -> (f64, DVec3) {
        let [end, inner] = self.shares;
        (row.force * end + row.began_with * inner, row.friction * end + row.began_drag * inner)
    }

    /// Whether a row pressed in the step, where it ended or in its inner stage.
    pub(super) fn presses(&self, row: &Row) -> bool {
        row.force > 0.0 || (self.shares[1] > 0.0 && row.began_with > 0.0)
    }

    /// τ of a row at x, with the limit of the force that acts, and whether it slides there.
    pub(super) fn friction_at_limit(&self, row: &Row, x: &[DVec3]) -> (DVec3, bool) {
        let row = Row { limit: row.law.coefficient() * row.force, ..*row };
        let slip = self.slip(&row, x, self.relative(&row, x));
        (row.hold(slip).1, row.slides(slip))
    }

    /// Adds ∇Σψ at x to `gradient`; returns Σψ.
    pub(crate) fn gradient(&self, x: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        let mut sum = 0.0;
        for row in &self.rows {
            let z = self.relative(row, x);
            let (energy, force) = row.press(z);
            sum += energy;
            let mut friction = DVec3::ZERO;
            if row.limit > 0.0 {
                let (energy, held) = row.hold(self.slip(row, x, z));
                sum += energy;
                friction = held;
            }
            self.subtract(row, row.normal * force, friction, gradient);
        }
        sum
    }

    /// Subtracts the force of a row, a push along n and −τ, from the entries of its places that belong to the model.
    pub(super) fn subtract(&self, row: &Row, push: DVec3, friction: DVec3, from: &mut [DVec3]) {
        let force = push - friction;
        if force == DVec3::ZERO {
            return;
        }
        for (i, w) in row.ends().filter(|&(i, _)| i < self.points) {
            from[i] -= force * w;
        }
        row.lever.ends().for_each(|(i, c)| from[i] += friction * c);
    }

    /// Subtracts the forces that acted where the solver ended from what there is at the points of the model. Those of pushes are none of the supports' doing: where what is tangled cannot
    /// come apart they grow without bound, and what they bring in is booked as that of contacts.
    pub(crate) fn subtract_all_but_pushes(&self, from: &mut [DVec3]) {
        let forces = self.rows.iter().filter(|row| row.pair.key.kind != PairKind::Push);
        forces.for_each(|row| self.subtract(row, row.normal * row.force, row.friction, from));
    }

    /// Notes which forces act at x; returns the worst |C| of the rows that press, over their contact distances, and how far the limits of friction are from those of these forces, as a
    /// share of them.
    pub(crate) fn act(&mut self, x: &[DVec3]) -> (f64, f64) {
        let mut worst: f64 = 0.0;
        let (mut limits, mut off) = (0.0, 0.0);
        for k in 0..self.rows.len() {
            let row = &self.rows[k];
            let z = self.relative(row, x);
            let force = row.press(z).1;
            let slip = self.slip(row, x, z);
            let friction = row.hold(slip).1;
            let sliding = row.slides(slip);
            if force > 0.0 {
                worst = worst.max(row.gap(z).abs() / row.pair.distance);
            }
            let limit = row.law.coefficient() * force;
            limits += limit;
            off += (limit - row.limit).abs();
            let row = &mut self.rows[k];
            (row.force, row.friction, row.sliding) = (force, friction, sliding);
            row.acted |= force > 0.0;
        }
        (worst, if limits > 0.0 { off / limits } else { 0.0 })
    }

    /// The multipliers become the forces that acted; Coulomb's limits follow.
    pub(crate) fn update_multipliers(&mut self) {
        for row in &mut self.rows {
            row.load = row.force;
            row.limit = row.law.coefficient() * row.load;
            let length = row.friction.length();
            row.drag = if length > row.limit { row.friction * (row.limit / length) } else { row.friction };
        }
    }

    /// Visits the rows that press at x or pressed before, with their stiffness along the normal and along the surface.
    pub(crate) fn for_pressing(&self, x: &[DVec3], mut visit: impl FnMut(&Row, f64, f64)) {
        for row in &self.rows {
            let z = self.relative(row, x);
            let presses = row.load > 0.0 || row.press(z).1 > 0.0;
            let hold = row.hold_stiffness(self.slip(row, x, z));
            if presses || hold > 0.0 {
                visit(row, if presses { row.stiffness } else { 0.0 }, hold);
            }
        }
    }

    /// Stiffness that the rows that press at x, or that pressed before, add to the matrix of the solver: calls `add(vertex, normal part, normal, tangential part)`.
    /// The coupling of the places of a row, (Σ wᵢyᵢ)² ≤ Σ|wᵢ| Σ|wᵢ|yᵢ², is spread over the diagonal.
    pub(crate) fn stiffness(&self, x: &[DVec3], mut add: impl FnMut(u32, f64, &DMat3, f64)) {
        self.for_pressing(x, |row, normal, hold| {
            let sum: f64 = row.ends().filter(|&(i, _)| i < self.points).map(|(_, w)| w.abs()).sum();
            let plane = crate::math::outer(row.normal, row.normal);
            let levers: f64 = row.lever.ends().map(|(_, c)| c.abs()).sum();
            for (i, w) in row.ends().filter(|&(i, _)| i < self.points) {
                add(i as u32, normal * (w.abs() * sum), &plane, hold * (w.abs() * (sum + levers)));
            }
            for (i, c) in row.lever.ends() {
                add(i as u32, 0.0, &plane, hold * (c.abs() * (sum + levers)));
            }
        });
    }

    /// The rows that pressed on some components in the step.
    pub(crate) fn of_group<'a>(
        &'a self,
        members: &'a [usize],
        labels: &'a [u32],
    ) -> impl Iterator<Item = &'a Row> {
        self.that_act_on(members, labels).filter(|row| self.presses(row))
    }

    /// The rows of a group, whether they press or not.
    pub(super) fn that_act_on<'a>(
        &'a self,
        members: &'a [usize],
        labels: &'a [u32],
    ) -> impl Iterator<Item = &'a Row> {
        let own = move |row: &&Row| {
            let first = row.ends().find(|&(i, _)| i < self.points);
            first.is_some_and(|(i, _)| members.contains(&(labels[i] as usize)))
        };
        self.rows.iter().filter(own)
    }

    /// Whether one side of a row is a collider.
    pub(crate) fn meets_collider(&self, row: &Row) -> bool {
        row.ends().any(|(i, _)| i >= self.points)
    }

    /// Whether every contact is elastic.
    pub(crate) fn are_elastic(&self) -> bool {
        self.rows.iter().all(|row| row.law.restitution >= 1.0)
    }
}
