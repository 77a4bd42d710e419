//! The way out for vertices inside a solid: consistent penetration depth [heidelberger2007].
//!
//! The closest surface point is a bad guide for a vertex that is deep inside: it may lie on the far side. Instead, the edges of the vertex's
//! own mesh that leave the solid indicate the way. A vertex p with such edges, through surface points xᵢ with normals nᵢ, gets
//!
//!   depth d(p) = Σ ωᵢ (xᵢ − p)·nᵢ / Σ ωᵢ,   direction r(p) = Σ ωᵢ nᵢ normalised,   ωᵢ = 1/‖xᵢ − p‖²,
//!
//! and passes it on inward, ring by ring, to neighbours p whose neighbours pⱼ have theirs:
//!
//!   d(p) = Σ μⱼ ((pⱼ − p)·r(pⱼ) + d(pⱼ)) / Σ μⱼ,   r(p) = Σ μⱼ r(pⱼ) normalised,   μⱼ = 1/‖pⱼ − p‖².

use super::surface::Surfaces;
use glam::DVec3;

/// Where a vertex leaves a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Exit {
    /// Distance to the surface, m.
    pub depth: f64,
    /// Direction to the surface, of length 1.
    pub direction: DVec3,
    /// A triangle of the solid there: that of the nearest edge that was tested.
    pub triangle: u32,
}

/// Where an edge leaves a solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub point: DVec3,
    /// Of length 1.
    pub normal: DVec3,
    pub triangle: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knowledge {
    Outside,
    Lost,
    Known,
}

/// Finds exits; reuses its buffers.
#[derive(Clone, Debug)]
pub(crate) struct Penetration {
    /// For all vertices of the model.
    knowledge: Vec<Knowledge>,
    exits: Vec<Exit>,
    /// The ring that has just received its exits, and the next one.
    ring: Vec<u32>,
    next: Vec<(u32, Exit)>,
}

/// Σ weight · exit.
#[derive(Default)]
struct Mean {
    weight: f64,
    depth: f64,
    direction: DVec3,
    heaviest: (f64, u32),
}

impl Mean {
    fn add(&mut self, offset: DVec3, depth: f64, direction: DVec3, triangle: u32) {
        // A vertex on the surface itself outweighs all others.
        let weight = offset.length_squared().max(1e-200).recip();
        self.weight += weight;
        self.depth += weight * depth;
        self.direction += weight * direction;
        if weight > self.heaviest.0 {
            self.heaviest = (weight, triangle);
        }
    }

    fn exit(&self) -> Option<Exit> {
        let direction = self.direction.try_normalize()?;
        let depth = self.depth / self.weight;
        depth.is_finite().then_some(Exit { depth: depth.max(0.0), direction, triangle: self.heaviest.1 })
    }
}

impl Penetration {
    /// Allocates the buffers for a model with this many vertices.
    pub fn new(vertices: usize) -> Self {
        Self {
            knowledge: vec![Knowledge::Outside; vertices],
            exits: vec![Exit::default(); vertices],
            ring: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Estimates the exits of vertices `inside` one solid, at `x`, #V. `leave(v, w)` gives the point where the edge from v inside to w
    /// outside leaves the solid; `closest(p)` is for parts without such edges.
    pub fn estimate(
        &mut self,
        surfaces: &Surfaces,
        inside: &[u32],
        x: &[DVec3],
        leave: impl Fn(u32, u32) -> Option<Hit>,
        closest: impl Fn(DVec3) -> Option<Hit>,
    ) {
        for &v in inside {
            self.knowledge[v as usize] = Knowledge::Lost;
        }
        self.border(surfaces, inside, x, leave);
        while !self.ring.is_empty() {
            self.propagate(surfaces, x);
        }
        for &v in inside {
            if self.knowledge[v as usize] == Knowledge::Lost {
                self.as_a_whole(surfaces, v, x, &closest);
            }
        }
    }

    /// The exit of a vertex, if there is one.
    pub fn exit(&self, vertex: u32) -> Option<Exit> {
        (self.knowledge[vertex as usize] == Knowledge::Known).then(|| self.exits[vertex as usize])
    }

    /// Clears the estimates. Must be called after [`Self::estimate`], before the next one.
    pub fn forget(&mut self, inside: &[u32]) {
        for &v in inside {
            self.knowledge[v as usize] = Knowledge::Outside;
        }
    }

    fn border(
        &mut self,
        surfaces: &Surfaces,
        inside: &[u32],
        x: &[DVec3],
        leave: impl Fn(u32, u32) -> Option<Hit>,
    ) {
        self.ring.clear();
        for &v in inside {
            let mut mean = Mean::default();
            for &w in surfaces.neighbours(v) {
                if self.knowledge[w as usize] != Knowledge::Outside {
                    continue;
                }
                if let Some(hit) = leave(v, w) {
                    let offset = hit.point - x[v as usize];
                    mean.add(offset, offset.dot(hit.normal), hit.normal, hit.triangle);
                }
            }
            if let Some(exit) = mean.exit() {
                self.exits[v as usize] = exit;
                self.ring.push(v);
            }
        }
        // Only now, or the first vertices would count as outside the solid for the others.
        for &v in &self.ring {
            self.knowledge[v as usize] = Knowledge::Known;
        }
    }

    fn propagate(&mut self, surfaces: &Surfaces, x: &[DVec3]) {
        self.next.clear();
        for &known in &self.ring {
            for &v in surfaces.neighbours(known) {
                if self.knowledge[v as usize] == Knowledge::Lost {
                    self.next.push((v, Exit::default()));
                }
            }
        }
        self.next.sort_unstable_by_key(|n| n.0);
        self.next.dedup_by_key(|n| n.0);
        for (v, found) in &mut self.next {
            let mut mean = Mean::default();
            for &w in surfaces.neighbours(*v) {
                if self.knowledge[w as usize] == Knowledge::Known {
                    let (offset, exit) = (x[w as usize] - x[*v as usize], self.exits[w as usize]);
                    let depth = offset.dot(exit.direction) + exit.depth;
                    mean.add(offset, depth, exit.direction, exit.triangle);
                }
            }
            // The neighbours contradict each other: take one of them.
            *found =
                mean.exit().unwrap_or(Exit { depth: 0.0, direction: DVec3::Y, triangle: mean.heaviest.1 });
        }
        self.ring.clear();
        for &(v, exit) in &self.next {
            self.knowledge[v as usize] = Knowledge::Known;
            self.exits[v as usize] = exit;
            self.ring.push(v);
        }
    }

    /// A connected part that is entirely inside leaves through one triangle, the closest to its middle.
    fn as_a_whole(
        &mut self,
        surfaces: &Surfaces,
        vertex: u32,
        x: &[DVec3],
        closest: &impl Fn(DVec3) -> Option<Hit>,
    ) {
        self.ring.clear();
        self.ring.push(vertex);
        self.knowledge[vertex as usize] = Knowledge::Known;
        let (mut k, mut sum) = (0, DVec3::ZERO);
        while let Some(&v) = self.ring.get(k) {
            sum += x[v as usize];
            k += 1;
            for &w in surfaces.neighbours(v) {
                if self.knowledge[w as usize] == Knowledge::Lost {
                    self.knowledge[w as usize] = Knowledge::Known;
                    self.ring.push(w);
                }
            }
        }
        let hit = closest(sum / k as f64);
        for &v in &self.ring {
            match hit {
                Some(hit) => {
                    let depth = (hit.point - x[v as usize]).dot(hit.normal).max(0.0);
                    self.exits[v as usize] = Exit { depth, direction: hit.normal, triangle: hit.triangle };
                }
                None => self.knowledge[v as usize] = Knowledge::Outside,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::BodyInfo;

    /// A rope of n vertices that hangs straight down into a half-space.
    fn rope(n: usize) -> (Surfaces, Vec<DVec3>) {
        let x: Vec<_> = (0..n).map(|k| DVec3::new(0.0, 0.5 - k as f64, 0.0)).collect();
        let body = BodyInfo {
            mass_points: Vec::new(),
            rigid: false,
            name: String::new(),
            vertices: 0..n,
            elements: n - 1,
            surface: Vec::new(),
            tetrahedra: Vec::new(),
            springs: (1..n as u32).map(|k| [k - 1, k]).collect(),
        };
        (Surfaces::new(&[body], &x, None), x)
    }

    #[test]
    fn depth_grows_along_a_rope_and_its_direction_stays() {
        let (surfaces, x) = rope(6);
        let inside: Vec<u32> = (1..6).collect();
        let mut penetration = Penetration::new(6);
        let leave = |_: u32, _: u32| Some(Hit { point: DVec3::ZERO, normal: DVec3::Y, triangle: 4 });
        penetration.estimate(&surfaces, &inside, &x, leave, |_| None);
        for &v in &inside {
            let exit = penetration.exit(v).unwrap();
            assert_eq!(exit, Exit { depth: -x[v as usize].y, direction: DVec3::Y, triangle: 4 });
        }
        assert_eq!(penetration.exit(0), None);
        penetration.forget(&inside);
        assert_eq!(penetration.exit(3), None);
    }

    #[test]
    fn a_part_without_a_border_leaves_as_one() {
        let (surfaces, x) = rope(4);
        let mut penetration = Penetration::new(4);
        let closest = |p: DVec3| {
            assert_eq!(p.y, -1.0);
            Some(Hit { point: DVec3::ZERO, normal: DVec3::X, triangle: 9 })
        };
        penetration.estimate(&surfaces, &[0, 1, 2, 3], &x, |_, _| None, closest);
        let exits: Vec<_> = (0..4).map(|v| penetration.exit(v)).collect();
        assert!(exits.iter().all(|e| e.is_some_and(|e| e.direction == DVec3::X && e.triangle == 9)));
    }
}
