//! Boxes, cloths and floors that the tests share.

use crate::support::{cube, net};
use sinew::contact::{Collider, ContactLaw, Friction, Shape};
use sinew::*;
use std::sync::Arc;

/// Side of the boxes, m.
pub const SIDE: f64 = 0.2;
pub const GRAVITY: f64 = 9.81;
pub const FEPR: Correction = Correction::Fepr(Fepr { smoothing: 1.0, returns: Return::Exact });

/// Backward Euler with 20 accelerated iterations at 30 steps a second.
pub fn settings(correction: Correction) -> Settings {
    Settings { solver: Solver::accelerated(20), correction, ..Settings::plain() }
}

/// A soft box of 8 kg with n³ vertices and its middle at `middle`, moving at `velocity`.
pub fn soft_box(n: usize, young: f64, middle: DVec3, velocity: DVec3) -> Body {
    let (points, tets) = cube(n);
    let points: Vec<_> = points.iter().map(|p| *p * SIDE + middle).collect();
    let velocities = vec![velocity; points.len()];
    let lame = Lame::from_young(young, 0.3).unwrap();
    Body::new("box", points).tetrahedra(tets, Constitutive::Corotated, lame, 1000.0).velocities(velocities)
}

/// A net of n² vertices, 1 m wide and 1 kg, at the height `y`, with triangles.
pub fn cloth(n: usize, y: f64, velocity: DVec3) -> Body {
    let index = |i: usize, j: usize| (i * n + j) as u32;
    let mut triangles = Vec::new();
    let mut places = Vec::new();
    for i in 0..n {
        for j in 0..n {
            places.push(DVec3::new(i as f64 / (n - 1) as f64 - 0.5, y, j as f64 / (n - 1) as f64 - 0.5));
            if i + 1 < n && j + 1 < n {
                let [a, b, c, d] = [index(i, j), index(i, j + 1), index(i + 1, j), index(i + 1, j + 1)];
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
    }
    let velocities = vec![velocity; places.len()];
    // By area, so that air bends nothing.
    let mut masses = vec![0.0; places.len()];
    let area = 0.5 / ((n - 1) * (n - 1)) as f64;
    triangles.iter().flatten().for_each(|&i: &u32| masses[i as usize] += area / 3.0);
    net(n, SpringLaw::Hookean).masses(masses).surface(triangles).positions(places).velocities(velocities)
}

/// The half-space below y = 0.
pub fn floor() -> Collider {
    Collider::new("floor", Shape::HalfSpace)
}

/// A floor that falls off towards +x by this angle.
pub fn slope(angle: f64) -> Collider {
    floor().at(Placement { rotation: DQuat::from_rotation_z(-angle), translation: DVec3::ZERO })
}

pub fn model(bodies: Vec<Body>, colliders: Vec<Collider>, law: ContactLaw, gravity: f64) -> Arc<Model> {
    let mut builder = Model::builder();
    for body in bodies {
        builder.body(body);
    }
    for collider in colliders {
        builder.collider(collider);
    }
    builder.contact(law).gravity(DVec3::Y * -gravity);
    Arc::new(builder.build().unwrap())
}

pub fn law(restitution: f64, sticking: f64, sliding: f64) -> ContactLaw {
    ContactLaw { restitution, friction: Friction { sticking, sliding }, ..ContactLaw::default() }
}

/// Middle of mass of body `body`.
pub fn middle(model: &Model, state: &State, body: usize) -> DVec3 {
    let range = model.bodies()[body].vertices.clone();
    let masses = &model.masses()[range.clone()];
    let sum: DVec3 = masses.iter().zip(&state.positions()[range]).map(|(m, x)| *x * *m).sum();
    sum / masses.iter().sum::<f64>()
}

/// Velocity of that middle.
pub fn drift(model: &Model, state: &State, body: usize) -> DVec3 {
    state.momenta(model, sinew::BodyId(body)).unwrap().drift()
}

pub fn lowest(state: &State) -> f64 {
    state.positions().iter().map(|p| p.y).fold(f64::INFINITY, f64::min)
}

/// Lowest vertex of the surface of the first body, m.
pub fn lowest_of_surface(model: &Model, state: &State) -> f64 {
    let corners = model.bodies()[0].surface.iter().flatten();
    corners.map(|&i| state.positions()[i as usize].y).fold(f64::INFINITY, f64::min)
}

/// Fastest vertex, m/s.
pub fn fastest(state: &State) -> f64 {
    state.velocities().iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// |H − H_total| as a share of the energies involved.
pub fn imbalance(state: &State) -> f64 {
    let ledger = state.ledger();
    let scale = ledger.kinetic
        + ledger.potentials.iter().map(|e| e.abs()).sum::<f64>()
        + ledger.initial.abs()
        + ledger.entries.added().abs()
        + ledger.entries.dissipated();
    (ledger.energy() - ledger.target()).abs() / scale
}
