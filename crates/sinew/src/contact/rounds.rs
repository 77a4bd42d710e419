//! The rounds of a step in contact: two sets of places, and the rows between them.
//!
//! x never penetrates ([`Passage`]). x̂ is what the solver iterates on, and may penetrate for a while. A round moves x towards x̂ as far as the filter lets it and
//! linearises the rows on that way; then the solver goes on with these. When x has arrived at x̂ and no row is violated, the step is done. When
//! the solver's budget is spent before that, the result is an x that never penetrated.
//!
//! Multipliers grow from what is violated at x̂, not at x: the load is found although x is held back.

use super::candidates::Candidates;
use super::closest::Closest;
use super::collider::{ContactLaw, Friction};
use super::compliance::compliance;
use super::features::{Features, Known, StandsFor, thin_out};
use super::lever::Lever;
use super::memory::{RowMemory, find};
use super::pair::{Pair, PairKey, PairKind};
use super::passage::Passage;
use super::rows::{Contacts, Row, RowLaw};
use super::surface_law::SurfaceLaw;
use super::tangle::{MOST, Push, SHARE, is_new_each_step};
use super::ways::first_contact;
use crate::integrator::Rule;
use crate::model::Model;
use crate::next::Start;
use crate::operator::Systems;
use crate::sparse::Precision;
use glam::DVec3;

/// κ of rows and of friction: their stiffness over that of the body where they act.
const STIFFNESS: f64 = 5.0;
const GRIP: f64 = 1.0;
/// They are larger by these factors where there is nothing but rigid bodies that nothing else holds: these are solved as one system, whatever the stiffness, and a row of theirs has to carry a
/// whole stack. A stack of ten stands with anything from 1000 to 10000 and from 1 to 30; at 100 for both it trembles.
const FIRM: f64 = 1000.0;
const FIRM_GRIP: f64 = 10.0;
/// A pair closer than this many contact distances is linearised where it is; one farther away where it would meet, at [`MEETING`] of them.
const NEAR: f64 = 1.5;
const MEETING: f64 = 1.2;
/// A near row is kept where x̂ is closer than this beyond its distance, in contact distances; the same share is a tolerable violation.
const TOLERANCE: f64 = 0.1;
/// What is free in a push has at least this share of one of its sides. Less would have to go many times as far as the push asks for, and what it hangs on holds it.
const ABLE: f64 = 0.25;
/// What may be left to move where a step ends, in contact distances.
const STILL: f64 = 0.01;
/// How far the limits of friction may be from those of the forces that act, as a share.
const OFF: f64 = 0.02;

/// What a round did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    /// Places that have not arrived.
    pub cut: usize,
    /// Worst violation of a row at x̂, in contact distances.
    pub violation: f64,
}

impl Round {
    /// Whether everything has arrived and no row is violated.
    pub fn is_clean(&self) -> bool {
        self.cut == 0 && self.violation <= TOLERANCE
    }

    /// Whether a solver that still had `last` to move, m, has come to rest where the smallest contact distance is `distance`, and the limits of friction were `off`.
    fn is_settled(last: f64, distance: f64, off: f64) -> bool {
        last <= STILL * distance && off <= OFF
    }

    /// Whether nothing is left to do, if the solver still had `last` to move, m, where the smallest contact distance is `distance`, and the limits of friction were `off`.
    pub fn is_done(&self, last: f64, distance: f64, off: f64) -> bool {
        self.is_clean() && Self::is_settled(last, distance, off)
    }
}

/// Filters and linearises; owns its buffers.
#[derive(Debug)]
pub(crate) struct Rounds {
    pub passage: Passage,
    /// The rows of this round.
    pub contacts: Contacts,
    /// Those of the round before.
    known: Vec<Row>,
    /// What the last step remembers, and the forces of the inner stage of this one, by key.
    memory: Vec<RowMemory>,
    inner: Vec<RowMemory>,
    has_inner: bool,
    /// The rows that pressed there.
    inner_rows: Vec<Row>,
    /// How the forces of the next stage compare with them.
    ratios: [f64; 2],
    /// Estimate of the diagonal of A⁻¹ by point, and the αβ²h² that it belongs to.
    compliance: Vec<f64>,
    stiffness_factor: f64,
    /// αβh² of the rule, and how long the stage takes, s.
    weight: f64,
    stage: f64,
    /// The law, and what bodies, then colliders, have of their own.
    law: ContactLaw,
    surfaces: Vec<SurfaceLaw>,
    /// Which rows stand for which pairs: those of this round, and of the round before.
    pub stands_for: StandsFor,
    stood_for: StandsFor,
    features: Features,
    /// The pairs of the last search that may be of interest.
    candidates: Candidates,
    /// Whether the model is nothing but rigid bodies that only contacts hold: their matrix is the true one, and what a solver learned of other rows would only mislead it.
    pub rigid: bool,
}

impl Rounds {
    pub fn new(model: &Model) -> Self {
        let law = model.contact.law.unwrap_or_default();
        let collider = |k: &super::Collider| SurfaceLaw { friction: k.friction, restitution: k.restitution };
        let colliders = model.contact.colliders.iter().map(collider);
        let surfaces = model.contact.surfaces.iter().copied().chain(colliders).collect();
        let passage = Passage::new(model);
        let colliders = vec![DVec3::ZERO; passage.colliders().len()];
        Self {
            contacts: Contacts {
                points: model.points(),
                before: colliders.clone(),
                after: colliders,
                start: vec![DVec3::ZERO; model.points()],
                speed: vec![DVec3::ZERO; model.points()],
                moved: vec![None; model.points()],
                ..Contacts::default()
            },
            passage,
            known: Vec::new(),
            memory: Vec::new(),
            inner: Vec::new(),
            has_inner: false,
            inner_rows: Vec::new(),
            ratios: [1.0; 2],
            compliance: vec![0.0; model.points()],
            stiffness_factor: f64::NAN,
            weight: 1.0,
            stage: 1.0,
            stands_for: StandsFor::default(),
            stood_for: StandsFor::default(),
            features: Features::default(),
            candidates: Candidates::default(),
            rigid: model.is_all_loose(),
            law,
            surfaces,
        }
    }

    /// Begins a stage of a rule, which ends at the time `when`, as a share of h: x is where the step starts. In `hat` all points that the user moves are where they are to be.
    pub fn begin(&mut self, start: Start, (rule, when): (Rule, f64), hat: &[DVec3], systems: &mut Systems) {
        let state = start.state;
        let contacts = &mut self.contacts;
        contacts.rows.clear();
        self.stands_for.clear();
        contacts.unfinished = false;
        contacts.start.copy_from_slice(&state.x);
        contacts.speed.copy_from_slice(&state.v);
        for (i, moved) in contacts.moved.iter_mut().enumerate() {
            *moved = start.model.dofs.is_pinned(i).then(|| hat[i] - state.x[i]);
        }
        self.passage.begin(state, when, &mut contacts.before, &mut contacts.after);
        self.memory.clone_from(&state.contact);
        contacts.shares = start.integrator.contact_shares();
        self.ratios = start.integrator.contact_ratios();
        let h2 = start.h * start.h;
        self.weight = rule.alpha * rule.beta * h2;
        self.stage = when * start.h;
        let factor = rule.alpha * rule.beta * rule.beta * h2;
        if self.stiffness_factor != factor {
            self.stiffness_factor = factor;
            // Where the matrix cannot be factored, the solver says so.
            if let Ok(mut step) = systems.whole(start.model, factor, Precision::Double) {
                let skin = &self.passage.primitives.points;
                let skin = &skin[..skin.partition_point(|&i| (i as usize) < self.contacts.points)];
                compliance(start.model, factor, skin, &mut step, &mut self.compliance);
                // Mass points are no skin. As the ends of levers they yield by inertia alone.
                for &i in self.passage.primitives.bones.iter().flatten().flatten() {
                    let pinned = start.model.dofs.is_pinned(i as usize);
                    self.compliance[i as usize] =
                        if pinned { 0.0 } else { 1.0 / start.model.masses[i as usize] };
                }
            }
        }
    }

    /// Moves x towards x̂ as far as it can, and linearises the rows where it gets to; with `loose` it may do so where x is, with the pairs that it knows.
    pub fn go(&mut self, model: &Model, hat: &[DVec3], loose: bool) -> Round {
        let (cut, searched) = self.passage.go(model, hat, &self.contacts.after, loose);
        if searched {
            let Passage { pairs, x, goal, .. } = &self.passage;
            self.candidates.choose((pairs, pairs.capacity()), x, goal);
        }
        Round { cut, violation: self.linearise(searched) }
    }

    /// Takes over the forces of rows where they acted last: those of this round have not been seen by the solver. Rows that pressed in the inner stage alone join them: they are part of the step.
    pub fn restore_acting(&mut self) {
        std::mem::swap(&mut self.known, &mut self.contacts.rows);
        std::mem::swap(&mut self.stood_for, &mut self.stands_for);
        let rows = &mut self.contacts.rows;
        let own = rows.len();
        for row in &self.inner_rows {
            let key = row.pair.key;
            let is_there = rows[..own].binary_search_by_key(&key, |row| row.pair.key).is_ok();
            if !is_there && self.stands_for.of(&key).is_none() {
                let (began_with, began_drag) = (row.force, row.friction);
                let none = (0.0, DVec3::ZERO);
                let (force, friction) = none;
                let (load, drag) = none;
                rows.push(Row { force, friction, load, drag, began_with, began_drag, limit: 0.0, ..*row });
            }
        }
        if rows.len() > own {
            rows.sort_unstable_by_key(|row| row.pair.key);
        }
    }

    /// Keeps the forces of an inner stage for the last one, or forgets them.
    pub fn keep_inner(&mut self, has_inner: bool) {
        self.has_inner = has_inner;
        if has_inner {
            let mut inner = std::mem::take(&mut self.inner);
            self.write_memory(&mut inner);
            self.inner = inner;
        }
        self.inner_rows.clear();
        if has_inner {
            let rows = &self.contacts.rows;
            self.inner_rows.reserve(rows.capacity());
            self.inner_rows.extend(rows.iter().filter(|row| row.force > 0.0));
        }
    }

    /// Writes what the rows that press remember, by key.
    pub fn write_memory(&self, memory: &mut Vec<RowMemory>) {
        memory.clear();
        memory.reserve(self.contacts.rows.capacity());
        let pressing =
            self.contacts.rows.iter().filter(|row| row.force > 0.0 && !is_new_each_step(&row.pair.key));
        memory.extend(pressing.map(RowMemory::of));
        // The others that a row stands for remember their parts.
        let own = memory.len();
        for &(key, kept) in self.stands_for.iter() {
            if let Some(kept) = find(&memory[..own], &kept) {
                memory.push(RowMemory { key, ..kept });
            }
        }
        memory.retain(RowMemory::is_finite);
        memory.sort_unstable_by_key(|memory| memory.key);
    }

    /// Whether the next round may look at the pairs that are known: the solver is still far from the end, with `last` to move, m, and limits of friction that are `off`.
    pub fn may_be_loose(&self, last: f64, distance: f64, off: f64) -> bool {
        !self.rigid && !Round::is_settled(last, distance, off)
    }

    /// Whether a stage without a filter has come to rest: its worst row is off by `worst`, in contact distances.
    pub fn is_still(&self, worst: f64, last: f64, off: f64) -> bool {
        worst <= TOLERANCE && Round::is_settled(last, self.distance(), off)
    }

    /// The smallest contact distance of a row, m.
    pub fn distance(&self) -> f64 {
        self.contacts.rows.iter().map(|row| row.pair.distance).fold(f64::INFINITY, f64::min)
    }

    /// Makes the rows of this round from the pairs on its way, which were `searched` for or are those of an earlier round; returns the worst violation at x̂.
    fn linearise(&mut self, searched: bool) -> f64 {
        let mut worst: f64 = 0.0;
        std::mem::swap(&mut self.known, &mut self.contacts.rows);
        std::mem::swap(&mut self.stood_for, &mut self.stands_for);
        let mut rows = std::mem::take(&mut self.contacts.rows);
        rows.clear();
        rows.reserve(self.known.capacity());
        let Passage { pairs, x, from, goal, .. } = &self.passage;
        let mut known_rows = Known::new(&self.known, &self.stood_for);
        // x stays where it is between two searches, and so do the closest points there.
        let mut candidates = std::mem::take(&mut self.candidates);
        let (list, ways) = candidates.aim_at(goal);
        for candidate in list {
            let pair = &pairs[candidate.pair as usize];
            if pair.key.kind == PairKind::VertexPlane && self.passage.turns(pair.key.b) {
                continue;
            }
            let known = known_rows.of(&pair.key);
            // What was violated in this step stays: without its row it would come back.
            let acted = known.is_some_and(|row| row.acted);
            if !acted && ways.keep_away(candidate, pair, x, goal, NEAR) {
                continue;
            }
            let known = known.map(|row| row.part_of(pair));
            let near = *candidate.closest.get_or_insert_with(|| pair.closest(x));
            if near.distance - pair.radius < NEAR * pair.distance {
                let Some(mut row) = self.row(pair, &near, known) else { continue };
                let c = row.gap(row.place(|i| goal[i]));
                row.acted |= c < 0.0;
                worst = worst.max(-c / pair.distance);
                if c < TOLERANCE * pair.distance || row.load > 0.0 || acted {
                    rows.push(row);
                }
            } else if let begin = if searched { pair.closest(from) } else { near }
                && let Some((_, there)) = first_contact(begin, pair, from, goal, MEETING * pair.distance)
                && let Some(mut row) = self.row(pair, &there, known)
            {
                row.acted = true;
                worst = worst.max(1.0);
                rows.push(row);
            } else if let Some(mut row) =
                known.filter(|row| row.acted && !searched && row.pair.key == pair.key)
            {
                // While x stays where it is, so does what stopped it.
                row.lever = self.passage.primitives.lever(pair, row.normal, goal);
                rows.push(row);
            }
        }
        self.candidates = candidates;
        // Rows of half-spaces that turn are those of where they will be.
        for pair in self.passage.turning_pairs() {
            let known = self.known_as(&pair.key);
            let near = Closest { distance: 0.0, normal: pair.normal, weights: [1.0, -1.0, 0.0, 0.0] };
            let Some(row) = self.row(&pair, &near, known) else { continue };
            let c = row.gap(self.contacts.relative(&row, &goal[..self.contacts.points]));
            if c < TOLERANCE * pair.distance || row.load > 0.0 {
                worst = worst.max(-c / pair.distance);
                rows.push(row);
            }
        }
        rows.sort_unstable_by_key(|row| row.pair.key);
        thin_out(&mut rows, &mut self.features, &mut self.stands_for);
        for push in &self.passage.tangle.pushes {
            let known = self.known_as(&push.pair.key);
            let Some(row) = self.push(push, known) else { continue };
            if push.firm {
                worst = worst.max(-row.gap(row.place(|i| goal[i])) / push.pair.distance);
            }
            rows.push(row);
        }
        self.contacts.rows = rows;
        worst
    }

    /// What the round before knows of a pair: its part of the row that stands for it.
    fn known_as(&self, key: &PairKey) -> Option<Row> {
        let find = |key: &PairKey| self.known.binary_search_by_key(key, |row| row.pair.key).ok();
        let row = find(key).or_else(|| find(self.stood_for.of(key)?))?;
        Some(self.known[row].part())
    }

    /// The row of a push: from where the step starts it goes as far as it should, without a bounce. Where cloth crosses cloth there is no surface to rub on.
    fn push(&self, push: &Push, known: Option<Row>) -> Option<Row> {
        let free = |i: usize| i < self.contacts.points && self.compliance[i] > 0.0;
        let places = push.pair.places.iter().zip(&push.weights);
        let able: f64 = places.filter(|&(&i, _)| free(i as usize)).map(|(_, w)| w.abs()).sum();
        if able < ABLE {
            return None;
        }
        let fresh = || {
            let row = self.remembered(&push.pair);
            let friction = if push.firm { row.law.friction } else { Friction::default() };
            Row { law: RowLaw { friction, ..RowLaw::default() }, ..row }
        };
        let mut row = known.unwrap_or_else(fresh);
        (row.weights, row.normal) = (push.weights, push.normal);
        let give = self.give(&row)?;
        (row.stiffness, row.grip) = (STIFFNESS / give, GRIP / give);
        row.target = push.normal.dot(self.contacts.relative_before(&row)) + push.by;
        Some(row)
    }

    /// How far a row yields to a unit of force, m/N; `None` if nothing in it can move.
    fn give(&self, row: &Row) -> Option<f64> {
        let free = row.ends().filter(|&(i, _)| i < self.contacts.points);
        let give: f64 = self.weight * free.map(|(i, w)| w * w * self.compliance[i]).sum::<f64>();
        (give > 0.0).then_some(give)
    }

    /// A row of a pair, linearised at its closest points; `None` if nothing in it can move.
    fn row(&self, pair: &Pair, near: &Closest, known: Option<Row>) -> Option<Row> {
        let Closest { normal, weights, .. } = *near;
        let is_known = known.is_some();
        let mut row = known.unwrap_or_else(|| self.remembered(pair));
        (row.pair, row.normal, row.weights) = (*pair, normal, weights);
        row.lever = self.passage.primitives.lever(pair, normal, &self.passage.goal);
        // What lands while it slides never stuck.
        row.law.slides |= !is_known && row.began && self.contacts.meets_sliding(&row, self.stage);
        let give = self.give(&row)?;
        let arms: f64 = row.lever.ends().map(|(i, c)| c * c * self.compliance[i]).sum();
        let loose = &self.passage.primitives.loose;
        let held = |&(i, _): &(usize, f64)| i < self.contacts.points && !loose[i] && self.compliance[i] > 0.0;
        let firm = self.rigid && !row.ends().any(|end| held(&end));
        let (firm, grip) = if firm { (FIRM, FIRM_GRIP) } else { (1.0, 1.0) };
        (row.stiffness, row.grip) = (firm * STIFFNESS / give, grip * GRIP / (give + self.weight * arms));
        row.drag = row.along(row.drag);
        // Whatever starts closer than it should comes out step by step, instead of being thrown out.
        let whole = pair.distance + pair.radius;
        let began = normal.dot(self.contacts.relative_before(&row));
        row.target =
            if began < whole { began + (SHARE * (whole - began)).min(MOST * pair.distance) } else { whole };
        Some(row)
    }

    /// A row as the last step left it.
    fn remembered(&self, pair: &Pair) -> Row {
        let memory = find(&self.memory, &pair.key);
        let sides = [pair.places[0], pair.places[usize::from(pair.count) - 1]];
        let [a, b] = sides.map(|i| self.surfaces[self.passage.primitives.owner[i as usize] as usize]);
        let (friction, restitution) = a.agree(&b, &self.law);
        let memory = memory.unwrap_or(RowMemory { key: pair.key, ..RowMemory::NEW });
        let forces = if self.has_inner { find(&self.inner, &pair.key) } else { Some(memory) };
        let (load, drag) = forces.map_or((0.0, DVec3::ZERO), |forces| (forces.load, forces.drag));
        let law = RowLaw { friction, restitution, slides: memory.slides };
        let ratio = self.ratios[usize::from(self.has_inner)];
        Row {
            pair: *pair,
            weights: [0.0; 4],
            normal: DVec3::Y,
            lever: Lever::NONE,
            target: 0.0,
            stiffness: 0.0,
            grip: 0.0,
            load: load * ratio,
            drag: drag * ratio,
            limit: law.coefficient() * load * ratio,
            force: 0.0,
            friction: DVec3::ZERO,
            law,
            approach: memory.approach,
            began: memory.load <= 0.0,
            began_with: load,
            began_drag: drag,
            sliding: false,
            acted: false,
            pairs: 1,
        }
    }
}
