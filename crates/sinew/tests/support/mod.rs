//! Small bodies for the tests.
#![allow(dead_code)] // each test file uses its own share

use sinew::{Body, Constitutive, DVec3, Lame, Model, ModelBuilder, Settings, Simulator, SpringLaw, State};
use std::sync::Arc;

/// A box of n³ vertices with side 1 around the origin, five tetrahedra per cell.
pub fn cube(n: usize) -> (Vec<DVec3>, Vec<[u32; 4]>) {
    let index = |i: usize, j: usize, k: usize| ((i * n + j) * n + k) as u32;
    let at = |i: usize| i as f64 / (n - 1) as f64 - 0.5;
    let mut points = Vec::new();
    let mut tets = Vec::new();
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                points.push(DVec3::new(at(i), at(j), at(k)));
            }
        }
    }
    for i in 0..n - 1 {
        for j in 0..n - 1 {
            for k in 0..n - 1 {
                let c = |b: usize| index(i + (b >> 2), j + (b >> 1 & 1), k + (b & 1));
                let five: [[usize; 4]; 5] = if (i + j + k) % 2 == 0 {
                    [[0, 4, 2, 1], [6, 2, 4, 7], [5, 1, 7, 4], [3, 7, 1, 2], [1, 4, 2, 7]]
                } else {
                    [[4, 0, 5, 6], [2, 6, 3, 0], [1, 3, 5, 0], [7, 5, 3, 6], [0, 5, 3, 6]]
                };
                for t in five {
                    let t = t.map(c);
                    let x = t.map(|v| points[v as usize]);
                    let volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]);
                    tets.push(if volume > 0.0 { t } else { [t[0], t[2], t[1], t[3]] });
                }
            }
        }
    }
    (points, tets)
}

/// A cube of mass 1 kg, stretched and spinning about the y axis.
pub fn spinning_cube(n: usize, law: Constitutive, lame: Lame, stretch: DVec3, omega: f64) -> Body {
    let (rest, tets) = cube(n);
    let x: Vec<_> = rest.iter().map(|p| *p * stretch).collect();
    let v = x.iter().map(|p| (DVec3::Y * omega).cross(*p)).collect();
    Body::new("cube", rest).tetrahedra(tets, law, lame, 1.0).positions(x).velocities(v)
}

/// C27 and C125 of the notes: an unstretched cube (μ = λ = 1e4 Pa) turning at 5 rad/s on an axle of springs.
pub fn cube_on_axle(n: usize) -> Arc<Model> {
    let lame = Lame::new(1e4, 1e4).unwrap();
    let body = spinning_cube(n, Constitutive::Corotated, lame, DVec3::ONE, 5.0);
    let (points, _) = cube(n);
    let mut builder = Model::builder();
    builder.body(body);
    for (i, p) in points.iter().enumerate() {
        if p.x.abs() < 1e-9 && p.z.abs() < 1e-9 {
            builder.attach(i, 1e5, None);
        }
    }
    Arc::new(builder.build().unwrap())
}

/// A free stretched cube: μ = λ = 1e3 Pa, 5 rad/s, stretch (1.2, 0.95, 0.95).
pub fn free_cube(law: Constitutive) -> Arc<Model> {
    let lame = Lame::new(1e3, 1e3).unwrap();
    build(spinning_cube(3, law, lame, DVec3::new(1.2, 0.95, 0.95), 5.0))
}

/// A square net of n² vertices in the xz plane, 1 m wide, 1 kg, held at two corners.
pub fn hanging_cloth(n: usize, law: SpringLaw) -> Arc<Model> {
    let mut builder = Model::builder();
    builder.body(net(n, law));
    builder.pin(0).pin(n - 1).gravity(DVec3::new(0.0, -9.81, 0.0));
    Arc::new(builder.build().unwrap())
}

pub fn net(n: usize, law: SpringLaw) -> Body {
    let mut points = Vec::new();
    let mut ends = Vec::new();
    let index = |i: usize, j: usize| (i * n + j) as u32;
    for i in 0..n {
        for j in 0..n {
            points.push(DVec3::new(i as f64, 0.0, j as f64) / (n - 1) as f64);
            for (di, dj) in [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)] {
                if i + di < n && j + dj < n {
                    ends.push([index(i, j), index(i + di, j + dj)]);
                }
            }
            if i + 1 < n && j > 0 {
                ends.push([index(i, j), index(i + 1, j - 1)]);
            }
        }
    }
    Body::new("net", points).springs(ends, law, 1000.0).total_mass(1.0)
}

pub fn build(body: Body) -> Arc<Model> {
    let mut builder: ModelBuilder = Model::builder();
    builder.body(body);
    Arc::new(builder.build().unwrap())
}

/// Runs `steps` steps and calls `see` after each. A step that fails fails the test.
pub fn run(
    model: &Arc<Model>,
    settings: Settings,
    steps: usize,
    mut see: impl FnMut(usize, &State),
) -> State {
    let mut state = State::new(model);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    for k in 1..=steps {
        simulator.step(&mut state).unwrap_or_else(|error| panic!("step {k} of {steps}: {error}"));
        see(k, &state);
    }
    state
}
