//! A cloth of springs and a solid of tetrahedra in one model, each with momenta of its own.
//!
//! `cargo run -p sinew --example several_bodies`

use sinew::{
    Body, Budget, Constitutive, DVec3, Integrator, Lame, Model, Momenta, Settings, Simulator, Solver,
    SpringLaw, State,
};
use std::error::Error;
use std::sync::Arc;

const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// A square of 1 m and 0.2 kg, 7 × 7 vertices, tumbling through the air.
fn cloth() -> Body {
    let n = 7;
    let points: Vec<_> =
        (0..n * n).map(|i| DVec3::new(f64::from(i / n), 0.0, f64::from(i % n)) / f64::from(n - 1)).collect();
    let along = (0..n * n).filter(|i| i % n + 1 < n).map(|i| [i, i + 1]);
    let across = (0..n * (n - 1)).map(|i| [i, i + n]);
    let diagonal = (0..n * (n - 1)).filter(|i| i % n + 1 < n).flat_map(|i| [[i, i + n + 1], [i + 1, i + n]]);
    let springs = along.chain(across).chain(diagonal).collect();
    let velocities = points.iter().map(|x| DVec3::new(1.0, 5.0, 0.0) + DVec3::X.cross(*x)).collect();
    Body::new("cloth", points)
        .springs(springs, SpringLaw::Hookean, 50.0)
        .total_mass(0.2)
        .velocities(velocities)
}

/// A cube of 0.5 m and 1.25 kg, three metres to the side, spinning about the vertical.
fn cube() -> Result<Body, Box<dyn Error>> {
    let points: Vec<_> = (0..8)
        .map(|c| DVec3::new((c >> 2) as f64, (c >> 1 & 1) as f64, (c & 1) as f64) * 0.5 + DVec3::X * 3.0)
        .collect();
    let middle = points.iter().sum::<DVec3>() / 8.0;
    let velocities = points.iter().map(|x| DVec3::new(0.0, 4.0, 0.0).cross(*x - middle)).collect();
    let tets = vec![[0, 4, 2, 1], [6, 2, 4, 7], [5, 1, 7, 4], [3, 7, 1, 2], [1, 4, 2, 7]];
    let flesh = Lame::from_young(1e4, 0.3)?;
    Ok(Body::new("cube", points)
        .tetrahedra(tets, Constitutive::Corotated, flesh, 10.0)
        .velocities(velocities))
}

/// Momenta of every body, in the order of the model.
fn momenta(model: &Model, state: &State) -> Vec<Momenta> {
    let of = |range: std::ops::Range<usize>| {
        let (masses, x, v) = (model.masses(), state.positions(), state.velocities());
        Momenta::new(&masses[range.clone()], &x[range.clone()], &v[range])
    };
    model.bodies().iter().map(|body| of(body.vertices.clone())).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = Model::builder();
    builder.body(cloth());
    builder.body(cube()?);
    builder.gravity(GRAVITY);
    let model = Arc::new(builder.build()?);

    // Implicit midpoint, solved well, keeps the angular momentum of a free body.
    let settings = Settings {
        h: 0.005,
        integrator: Integrator::ImplicitMidpoint,
        solver: Solver::Newton(Budget::to(50, 1e-14)),
        ..Settings::plain()
    };
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model.clone(), settings)?;
    let before = momenta(&model, &state);
    for _ in 0..100 {
        simulator.step(&mut state)?;
    }

    let fallen = GRAVITY * state.time();
    for ((body, before), after) in model.bodies().iter().zip(before).zip(momenta(&model, &state)) {
        // Gravity changes P by M g t and leaves L about the centre of mass alone.
        let expected = before.linear + fallen * before.mass;
        let linear_error = (after.linear - expected).length() / expected.length();
        let angular_error = (after.angular - before.angular).length() / before.angular.length();
        println!(
            "{}: {} vertices, {} elements, {:.3} kg",
            body.name,
            body.vertices.len(),
            body.elements,
            before.mass
        );
        println!("  P {:.3} → {:.3} kg·m/s, off by {linear_error:.0e}", before.linear, after.linear);
        println!("  L {:.4} → {:.4} kg·m²/s, off by {angular_error:.0e}", before.angular, after.angular);
        assert!(linear_error < 1e-10 && angular_error < 1e-10);
    }
    Ok(())
}
