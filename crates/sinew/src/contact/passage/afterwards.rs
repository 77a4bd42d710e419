//! What happens to places after the solve: what a broken-off step holds back, and what corrections move.

use super::{FLOOR, Floor, Passage, Times, is_usable};
use glam::DVec3;

/// A point is held back that is farther from its goal than this, in halves of its contact distance.
const HELD: f64 = 0.02;

impl Passage {
    /// Notes which points a step that ends here holds back from their goal.
    pub fn note_held(&mut self) {
        let Self { held, x, goal, primitives, .. } = self;
        for (i, held) in held.iter_mut().enumerate() {
            *held = x[i].distance(goal[i]) > HELD * primitives.half[i];
        }
    }

    /// Whether the step was broken off before all of these had come where they should.
    pub fn holds_back(&self, vertices: &[u32]) -> bool {
        vertices.iter().any(|&i| self.held[i as usize])
    }

    /// The places of pairs that may hold points back: bodies stop together, so also of those that are not near.
    pub fn blocks(&self) -> impl Iterator<Item = &[u32]> {
        let any = self.held.contains(&true);
        let is_held = |&i: &u32| self.held.get(i as usize).is_some_and(|&held| held);
        let places = self.pairs.iter().map(|pair| &pair.places[..usize::from(pair.count)]);
        places.filter(move |places| any && places.iter().any(is_held))
    }

    /// Whether some points may go on from where they are: no pair that is at rest comes closer. If so, they have gone.
    pub fn admits(&mut self, to: &[DVec3], vertices: &[u32]) -> bool {
        self.arrives(to, vertices, Floor::AtRest)
    }

    /// Whether some points may go back to where nothing penetrated before, though pairs at rest come closer by that. If so, they have gone.
    pub fn readmits(&mut self, to: &[DVec3], vertices: &[u32]) -> bool {
        self.arrives(to, vertices, FLOOR)
    }

    fn arrives(&mut self, to: &[DVec3], vertices: &[u32], floor: Floor) -> bool {
        let arrived = self.lead(to, vertices, floor);
        if !arrived {
            self.x.copy_from_slice(&self.from);
        }
        arrived
    }

    /// Lets some points go on from where they are as far as they can, each by itself, without coming closer to what they rest on; `to` receives where they get.
    pub fn approach(&mut self, to: &mut [DVec3], vertices: &[u32]) {
        self.lead(to, vertices, Floor::AtRest);
        vertices.iter().for_each(|&i| to[i as usize] = self.x[i as usize]);
    }

    /// Takes over positions that were changed since, or puts them back where the change would penetrate; returns whether they were taken.
    pub fn keep(&mut self, x: &mut [DVec3]) -> bool {
        if self.primitives.places() == 0 || self.points() == &x[..] {
            return true;
        }
        let mut all = std::mem::take(&mut self.everything);
        all.clear();
        all.extend(0..self.points as u32);
        let taken = self.admits(x, &all);
        if !taken {
            x.copy_from_slice(self.points());
        }
        self.everything = all;
        taken
    }

    /// Puts everything back to where the step started, colliders too.
    pub fn go_back(&mut self, start: &[DVec3]) {
        let Self { x, points, shares, before, places, primitives, .. } = self;
        x[..*points].copy_from_slice(start);
        places.put(before, &mut x[*points..]);
        places.turn(before, &mut primitives.planes);
        shares.fill(0.0);
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        self.x.copy_from_slice(&self.from);
    }

    /// Moves some points towards `to`; returns whether they arrived.
    fn lead(&mut self, to: &[DVec3], vertices: &[u32], floor: Floor) -> bool {
        if self.primitives.places() == 0 {
            return true;
        }
        self.goal.copy_from_slice(&self.x);
        self.from.copy_from_slice(&self.x);
        for &i in vertices {
            self.goal[i as usize] = to[i as usize];
        }
        if self.goal.iter().zip(&self.x).any(|(goal, x)| !is_usable(*goal) && is_usable(*x)) {
            return false;
        }
        self.listed.clear();
        if !self.is_anchored() {
            self.anchor.clear();
            if self.search(Times::Single).is_err() {
                return false;
            }
            self.drop_anchor();
        }
        self.filter.advance(&self.primitives, &self.pairs, floor, &mut self.x, &self.goal) == 0
    }

    /// Whether pairs that the last search left out cannot meet on the way from x to the goal: both are near where it led. NaN is nowhere near.
    fn is_anchored(&self) -> bool {
        let near = 0.5 * self.sweep.margin;
        let close = |(a, b): (&DVec3, &DVec3)| a.distance_squared(*b) <= near * near;
        self.anchor.len() == self.goal.len()
            && self.anchor.iter().zip(&self.goal).all(close)
            && self.anchor.iter().zip(&self.x).all(close)
    }
}
