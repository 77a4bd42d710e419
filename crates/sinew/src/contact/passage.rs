//! Places that do not penetrate, and how they move.
//!
//! The points of the model and the vertices of the colliders are feasible where a step starts. A way to a goal is looked through for pairs that could meet on it, and
//! filtered: whatever arrives or stops on it is feasible again. Colliders and bodies with bones move as one; on the chord between two poses they are bent, so
//! where they stop short they are put where a rigid pose at that share of the way is, and looked at again.

mod afterwards;

use super::exact::Exact;
use super::filter::{Filter, Floor, LEAST};
use super::pair::{NO_UNIT, Pair, Primitives};
use super::primitives::{ColliderPlaces, primitives};
use super::sweep::{Sweep, Times, TooMany};
use super::tangle::Tangle;
use super::tree::is_usable;
use crate::model::Model;
use crate::placement::Placement;
use crate::skeleton::rig::Rig;
use crate::state::State;
use glam::DVec3;

/// A pair never comes closer than φd.
const FLOOR: Floor = Floor::Share(LEAST);
/// A search finds pairs that are this much farther away than it must, as a share of the smallest contact distance: its list then serves as long as goals change by less than half of that.
const MARGIN: f64 = 0.2;
/// How often in a row pairs are used again although goals have moved on.
const USES: usize = 6;
/// How often a way with too many pairs, or one that what moves as one cannot follow, is halved.
const HALVINGS: usize = 12;

/// Searches and filters; owns its buffers.
#[derive(Debug)]
pub(crate) struct Passage {
    pub(super) primitives: Primitives,
    pub(super) places: ColliderPlaces,
    sweep: Sweep,
    filter: Filter,
    /// The pairs of the last way.
    pub(super) pairs: Vec<Pair>,
    /// Number of points of the model; places from here on belong to colliders.
    pub(super) points: usize,
    /// Places that do not penetrate, where the last way began, and where it was to end.
    pub(super) x: Vec<DVec3>,
    pub(super) from: Vec<DVec3>,
    pub(super) goal: Vec<DVec3>,
    /// How far each collider has come on its way, between its placements at the start and at the end of the step.
    pub(super) shares: Vec<f64>,
    reached: Vec<f64>,
    old_shares: Vec<f64>,
    /// Whether a collider is a half-space that turns in this step.
    pub(super) turning: Vec<bool>,
    /// The numbers of all points.
    everything: Vec<u32>,
    /// A pose that is looked at before it is taken.
    pose: Vec<DVec3>,
    pub(super) before: Vec<Placement>,
    pub(super) after: Vec<Placement>,
    /// The best of the feasible places seen in this step: (how far colliders are from their end, merit).
    best: Option<(f64, f64)>,
    best_x: Vec<DVec3>,
    best_shares: Vec<f64>,
    rig: Rig,
    exact: Option<Exact>,
    /// The goal of the last search; empty where its pairs are not to be used again.
    listed: Vec<DVec3>,
    /// Places around which the pairs at hand are all within reach; empty where they are not.
    anchor: Vec<DVec3>,
    /// How often they were used again.
    uses: usize,
    /// Whether places that are stopped together go on alone: that lets the rest go on where one pair is stuck, and costs much.
    pub thorough: bool,
    /// What was tangled where the step started.
    pub(super) tangle: Tangle,
    /// Per point whether a step that was broken off held it back.
    held: Vec<bool>,
}

impl Passage {
    pub fn new(model: &Model) -> Self {
        let (primitives, places) = primitives(model);
        let count = primitives.places();
        let placements: Vec<Placement> = model.contact.colliders.iter().map(|c| c.placement).collect();
        let zeros = || vec![DVec3::ZERO; count];
        let thinnest =
            primitives.half.iter().filter(|&&half| half > 0.0).fold(f64::INFINITY, |a, &b| a.min(2.0 * b));
        let mut sweep = Sweep::new(&primitives);
        sweep.margin = if thinnest.is_finite() { MARGIN * thinnest } else { 0.0 };
        Self {
            sweep,
            filter: Filter::default(),
            pairs: Vec::new(),
            points: model.points(),
            x: zeros(),
            from: zeros(),
            goal: zeros(),
            shares: vec![1.0; placements.len()],
            reached: vec![1.0; placements.len()],
            old_shares: vec![1.0; placements.len()],
            turning: vec![false; placements.len()],
            everything: Vec::new(),
            pose: zeros(),
            before: placements.clone(),
            after: placements,
            best: None,
            best_x: zeros(),
            best_shares: Vec::new(),
            rig: Rig::new(model),
            exact: None,
            listed: Vec::with_capacity(count),
            anchor: Vec::with_capacity(count),
            uses: 0,
            thorough: true,
            tangle: Tangle::default(),
            held: vec![false; model.points()],
            primitives,
            places,
        }
    }

    /// Begins a step: everything is where it was. `before` and `after` receive the places of the colliders' vertices at its start and at its end.
    pub fn begin(&mut self, state: &State, when: f64, before: &mut [DVec3], after: &mut [DVec3]) {
        self.before.copy_from_slice(state.last_controls.colliders());
        self.after.copy_from_slice(state.controls.colliders());
        if when < 1.0 {
            self.after.iter_mut().zip(&self.before).for_each(|(to, from)| *to = from.interpolate(to, when));
        }
        self.places.put(&self.before, before);
        self.places.put(&self.after, after);
        for k in 0..self.turning.len() {
            let turns = self.before[k].rotation != self.after[k].rotation;
            self.turning[k] = turns && self.places.planes_of(k).next().is_some();
        }
        self.places.turn(&self.before, &mut self.primitives.planes);
        self.x[..self.points].copy_from_slice(&state.x);
        self.x[self.points..].copy_from_slice(before);
        self.shares.fill(0.0);
        self.listed.clear();
        self.anchor.clear();
        self.best = None;
        self.held.fill(false);
    }

    /// The points of the model.
    pub fn points(&self) -> &[DVec3] {
        &self.x[..self.points]
    }

    /// The vertices of the colliders, where they have arrived.
    pub fn colliders(&self) -> &[DVec3] {
        self.x.get(self.points..).unwrap_or_default()
    }

    /// Where the colliders have arrived.
    pub fn placements(&self) -> impl Iterator<Item = Placement> + '_ {
        let ways = self.before.iter().zip(&self.after).zip(&self.shares);
        ways.map(
            |((before, after), &share)| if share >= 1.0 { *after } else { before.interpolate(after, share) },
        )
    }

    /// Whether all colliders have arrived.
    pub fn has_arrived(&self) -> bool {
        self.shares.iter().all(|&share| share >= 1.0)
    }

    /// Moves everything towards a goal as far as it can; returns how many places have not arrived, and whether pairs were searched for.
    ///
    /// A search costs more than all else. Where the caller only wants to know what is in the way (`loose`), nothing moves, and the pairs of the last search are looked at again.
    pub fn go(&mut self, model: &Model, to: &[DVec3], colliders: &[DVec3], loose: bool) -> (usize, bool) {
        if loose && !self.anchor.is_empty() && self.uses < USES {
            self.uses += 1;
            self.from.copy_from_slice(&self.x);
            self.aim(to, colliders);
            return (self.goal.len(), false);
        }
        self.uses = 0;
        let cut = self.go_halving(model, to, colliders);
        if cut < self.goal.len() {
            self.drop_anchor();
        } else {
            self.anchor.clear();
        }
        (cut, true)
    }

    /// The pairs of a way are all that are within reach of where it led.
    fn drop_anchor(&mut self) {
        self.anchor.clear();
        self.anchor.extend_from_slice(&self.x);
    }

    fn go_halving(&mut self, model: &Model, to: &[DVec3], colliders: &[DVec3]) -> usize {
        self.from.copy_from_slice(&self.x);
        let mut halved = 0;
        let lost = self.aim(to, colliders);
        let cut = loop {
            match self.advance(model, 0.5f64.powi(halved as i32)) {
                Some(cut) => break cut,
                None if halved == HALVINGS => break self.goal.len(),
                None => {
                    halved += 1;
                    self.goal.iter_mut().zip(&self.x).for_each(|(goal, x)| *goal = goal.midpoint(*x));
                }
            }
        };
        if halved == 0 {
            return cut.max(lost);
        }
        self.aim(to, colliders);
        cut.max(1)
    }

    /// Finds the pairs on the way from x to the goal, without those that are ignored.
    fn search(&mut self, times: Times) -> Result<(), TooMany> {
        let Self { sweep, primitives, x, goal, pairs, tangle, .. } = self;
        sweep.find(primitives, x, goal, times, pairs)?;
        if tangle.any() {
            pairs.retain(|pair| !tangle.ignores(primitives, pair));
        }
        Ok(())
    }

    /// Finds what is tangled where a step starts; nothing, if the state knows of nothing.
    pub fn look(&mut self, model: &Model, state: &State) -> &Tangle {
        self.tangle.clear();
        if state.tangled && self.primitives.places() > 0 {
            let placements = state.last_controls.colliders();
            self.goal[..self.points].copy_from_slice(&state.x);
            self.places.put(placements, &mut self.goal[self.points..]);
            self.places.turn(placements, &mut self.primitives.planes);
            let exact = self.exact.get_or_insert_with(|| Exact::new(&self.primitives));
            self.tangle.find(model, &self.primitives, exact, &self.goal, placements);
        }
        &self.tangle
    }

    /// Returns how many places have a goal that no search can look at: they stay where they are, or nothing would guard them on their way back.
    fn aim(&mut self, to: &[DVec3], colliders: &[DVec3]) -> usize {
        self.goal[..self.points].copy_from_slice(to);
        self.goal[self.points..].copy_from_slice(colliders);
        let mut lost = 0;
        for (goal, x) in self.goal.iter_mut().zip(&self.x) {
            if !is_usable(*goal) && is_usable(*x) {
                *goal = *x;
                lost += 1;
            }
        }
        // Half-spaces turn between the ways of the others.
        for k in (0..self.turning.len()).filter(|&k| self.turning[k]) {
            for i in self.places.of(k) {
                self.goal[self.points + i] = self.x[self.points + i];
            }
        }
        lost
    }

    /// Moves x towards the goal, which is `part` of the way, first all together, then each place alone; `None` if there are too many pairs, or if what moves as one could not follow.
    fn advance(&mut self, model: &Model, part: f64) -> Option<usize> {
        if !self.is_listed() {
            self.listed.clear();
            self.search(Times::Common).ok()?;
            self.listed.extend_from_slice(&self.goal);
        }
        let mut cut = self.filter.together(&self.primitives, &self.pairs, FLOOR, &mut self.x, &self.goal);
        if cut > 0 && self.thorough {
            self.listed.clear();
            if self.search(Times::Single).is_err() {
                self.x.copy_from_slice(&self.from);
                return None;
            }
            cut = self.filter.alone(&self.primitives, &self.pairs, FLOOR, &mut self.x, &self.goal);
        }
        if cut == 0 && part == 1.0 {
            (0..self.shares.len()).filter(|&k| !self.turning[k]).for_each(|k| self.shares[k] = 1.0);
            return Some(usize::from(!self.turn_planes()));
        }
        self.old_shares.clone_from(&self.shares);
        let mut bent = self.straighten_bones(model, part < 1.0);
        let share = self.filter.share();
        let first = model.topology.components.len() as u32;
        self.reached.fill(1.0);
        for (i, &unit) in self.primitives.unit.iter().enumerate().skip(self.points) {
            if unit != NO_UNIT {
                let reached = &mut self.reached[(unit - first) as usize];
                *reached = reached.min(share[i]);
            }
        }
        for k in (0..self.shares.len()).filter(|&k| !self.turning[k]) {
            let reached = self.reached[k] * part;
            self.shares[k] += (1.0 - self.shares[k]) * reached;
            bent |= reached < 1.0 && self.before[k].rotation != self.after[k].rotation;
        }
        if !bent {
            return Some(cut + usize::from(!self.turn_planes()));
        }
        for k in (0..self.shares.len()).filter(|&k| !self.turning[k]) {
            let there = self.before[k].interpolate(&self.after[k], self.shares[k]);
            self.places.put_one(k, &there, &mut self.x[self.points..]);
        }
        // The way into the rigid pose is a way like any other.
        std::mem::swap(&mut self.goal, &mut self.pose);
        self.goal.copy_from_slice(&self.x);
        self.x.copy_from_slice(&self.from);
        let clear = self.search(Times::Single).is_ok()
            && self.filter.advance(&self.primitives, &self.pairs, FLOOR, &mut self.x, &self.goal) == 0;
        std::mem::swap(&mut self.goal, &mut self.pose);
        self.listed.clear();
        if clear {
            return Some(cut + usize::from(!self.turn_planes()));
        }
        self.x.copy_from_slice(&self.from);
        self.shares.clone_from(&self.old_shares);
        None
    }

    /// Whether the pairs at hand are all that can matter on the way to the goal: those of a way that began where this step's ways began, or further on, and led nearly to the same goal.
    fn is_listed(&self) -> bool {
        let margin = 0.5 * self.sweep.margin;
        let near = |(a, b): (&DVec3, &DVec3)| a.distance_squared(*b) <= margin * margin;
        self.listed.len() == self.goal.len() && self.listed.iter().zip(&self.goal).all(near)
    }

    /// Makes the bones of bodies that were cut on their way rigid; returns whether there are any.
    fn straighten_bones(&mut self, model: &Model, all: bool) -> bool {
        let (share, unit) = (self.filter.share(), &self.primitives.unit);
        let mut any = false;
        for articulation in &model.skeleton.articulations {
            let component = articulation.component;
            let vertices = &model.topology.components[component].vertices;
            if all
                || vertices.iter().any(|&i| unit[i as usize] == component as u32 && share[i as usize] < 1.0)
            {
                self.rig.make_rigid(model, |a| a.component == component, &mut self.x[..self.points]);
                any = true;
            }
        }
        any
    }

    /// As [`Self::crossings`], with the colliders where they have arrived.
    pub fn verify(&mut self, x: &[DVec3]) -> usize {
        let placements: Vec<Placement> = self.placements().collect();
        self.crossings(x, &placements)
    }

    /// How many surfaces cross at `x`, by the exact test, that did not where the step started.
    pub fn crossings(&mut self, x: &[DVec3], placements: &[Placement]) -> usize {
        if self.primitives.places() == 0 {
            return 0;
        }
        self.goal[..self.points].copy_from_slice(x);
        self.places.put(placements, &mut self.goal[self.points..]);
        self.places.turn(placements, &mut self.primitives.planes);
        let exact = self.exact.get_or_insert_with(|| Exact::new(&self.primitives));
        let found = exact.test(&self.primitives, &self.goal);
        if !self.tangle.any() {
            return found;
        }
        let crossings =
            exact.crossings.iter().filter(|crossing| !self.tangle.excuses(&self.primitives, crossing));
        let sunk = exact.inside.iter().filter(|pair| !self.tangle.ignores(&self.primitives, pair));
        crossings.count() + sunk.count()
    }

    /// Notes where everything is, if its merit is less than that of all that was seen in this step; places where colliders have come further come first.
    pub fn note(&mut self, merit: f64) {
        let far = self.shares.iter().map(|share| 1.0 - share).fold(0.0, f64::max);
        if self.best.is_none_or(|(least, best)| far < least || (far == least && merit < best)) {
            self.best = Some((far, merit));
            self.best_x.copy_from_slice(&self.x);
            self.best_shares.clone_from(&self.shares);
        }
    }

    /// Goes back to the best that was noted.
    pub fn recall(&mut self) {
        if self.best.is_some() {
            self.x.copy_from_slice(&self.best_x);
            self.shares.copy_from_slice(&self.best_shares);
            self.anchor.clear();
            self.put_turning();
        }
    }
}
