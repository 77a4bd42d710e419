//! Links, fleshy bars and what is measured on them.

use crate::support::cube;
use sinew::*;
use sinew_reference::RigidBody;
use std::ops::Range;

pub const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);
pub const FEPR: Correction = Correction::Fepr(Fepr { smoothing: 1.0, returns: Return::Exact });
const DENSITY: f64 = 100.0;

/// Backward Euler, plain iterations of Projective Dynamics, no correction.
pub fn settings(h: f64, iterations: usize) -> Settings {
    let budget = Budget::fixed(iterations);
    let solver = Solver::ProjectiveDynamics { budget, acceleration: Acceleration::None };
    Settings { h, solver, ..Settings::plain() }
}

/// Where a rigid body takes its inertia from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inertia {
    /// Given by numbers; its vertices are only looked at.
    Given,
    /// That of its tetrahedra.
    Volume,
}

/// A box for the engine, and the same for the reference.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub center: DVec3,
    pub size: DVec3,
    pub velocity: DVec3,
    pub spin: DVec3,
}

impl Link {
    /// At rest.
    pub fn new(center: DVec3, size: DVec3) -> Self {
        Self { center, size, velocity: DVec3::ZERO, spin: DVec3::ZERO }
    }

    /// Turning about the origin, and moving along.
    pub fn thrown(self, velocity: DVec3, spin: DVec3) -> Self {
        Self { velocity: velocity + spin.cross(self.center), spin, ..self }
    }

    pub fn corners(&self) -> Vec<DVec3> {
        cube(2).0.iter().map(|p| *p * self.size + self.center).collect()
    }

    pub fn reference(&self) -> RigidBody {
        let mass = DENSITY * self.size.x * self.size.y * self.size.z;
        let Self { velocity, spin, .. } = *self;
        RigidBody { velocity, spin, ..RigidBody::cuboid(mass, self.center, self.size) }
    }

    pub fn body(&self, name: &str, inertia: Inertia) -> Body {
        let body = Body::new(name, self.corners()).rigid_velocity(self.velocity, self.spin);
        match inertia {
            Inertia::Given => {
                let RigidBody { mass, center, inertia, .. } = self.reference();
                body.mass_properties(MassProperties { mass, center, inertia })
            }
            Inertia::Volume => {
                body.tetrahedra(cube(2).1, Constitutive::Corotated, stiffness(1e6), DENSITY).rigid()
            }
        }
    }
}

pub fn stiffness(young: f64) -> Lame {
    Lame::from_young(young, 0.3).unwrap()
}

/// A bar of jelly along x, 1 m long and 0.4 m thick, of 5³ vertices, and the vertices of a bone in each of its halves.
pub fn fleshy_bar(young: f64) -> (Body, [Vec<usize>; 2]) {
    let (points, tets) = cube(5);
    let core = |side: f64| {
        let inside = |p: &DVec3| p.x * side > 0.2 && p.y.abs() < 0.3 && p.z.abs() < 0.3;
        (0..points.len()).filter(|&i| inside(&points[i])).collect()
    };
    let bones = [core(-1.0), core(1.0)];
    let points = points.iter().map(|p| *p * DVec3::new(1.0, 0.4, 0.4)).collect();
    (Body::new("bar", points).tetrahedra(tets, Constitutive::Corotated, stiffness(young), 1000.0), bones)
}

/// Rotation and translation of a bone by where its vertices are: x = R X + t.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    pub turn: DMat3,
    pub shift: DVec3,
}

impl Fit {
    pub fn of(model: &Model, state: &State, vertices: &[usize]) -> Self {
        let rest = |i: usize| model.rest()[vertices[i]];
        // Four corners as far from a common plane as they come.
        let farthest = |measure: &dyn Fn(DVec3) -> f64| {
            (0..vertices.len()).max_by(|&i, &j| measure(rest(i)).total_cmp(&measure(rest(j)))).unwrap()
        };
        let a = rest(0);
        let b = farthest(&|p| p.distance_squared(a));
        let c = farthest(&|p| (rest(b) - a).cross(p - a).length_squared());
        let d = farthest(&|p| (rest(b) - a).cross(rest(c) - a).dot(p - a).abs());
        let edges =
            |at: &dyn Fn(usize) -> DVec3| DMat3::from_cols(at(b) - at(0), at(c) - at(0), at(d) - at(0));
        let now = |i: usize| state.positions()[vertices[i]];
        let turn = edges(&now) * edges(&rest).inverse();
        Self { turn, shift: now(0) - turn * a }
    }

    pub fn point(&self, rest: DVec3) -> DVec3 {
        self.turn * rest + self.shift
    }

    pub fn rotation(&self) -> DQuat {
        DQuat::from_mat3(&self.turn).normalize()
    }
}

/// How much the distances between the vertices of a bone have changed, over the size of the bone.
pub fn bending(model: &Model, state: &State, vertices: &[usize]) -> f64 {
    let (mut worst, mut size) = (0.0f64, 0.0f64);
    for (k, &i) in vertices.iter().enumerate() {
        for &j in &vertices[..k] {
            let rest = model.rest()[i].distance(model.rest()[j]);
            worst = worst.max((state.positions()[i].distance(state.positions()[j]) - rest).abs());
            size = size.max(rest);
        }
    }
    worst / size
}

/// Vertices of a body as a list.
pub fn all(model: &Model, body: usize) -> Vec<usize> {
    let range: Range<usize> = model.bodies()[body].vertices.clone();
    range.collect()
}

/// |H − H_total| over the energies that take part.
pub fn imbalance(state: &State) -> f64 {
    let ledger = state.ledger();
    let scale = ledger.kinetic
        + ledger.potentials.iter().map(|e| e.abs()).sum::<f64>()
        + ledger.initial.abs()
        + ledger.entries.added().abs()
        + ledger.entries.dissipated();
    (ledger.energy() - ledger.target()).abs() / scale
}
