//! An energy of one's own: a soft ball that pushes out what enters it, and a cloth that falls onto it.
//!
//! E = Σ k/2 (r − |xᵢ|)² over the vertices inside the ball of radius r around the origin.
//!
//! `cargo run -p sinew --example own_energy`

use sinew::energy::Projective;
use sinew::*;
use std::{error::Error, sync::Arc};

#[derive(Debug)]
struct SoftBall {
    radius: f64,
    stiffness: f64,
    vertices: u32,
}

impl Energy for SoftBall {
    fn name(&self) -> &str {
        "soft-ball" // the ledger lists it under this name
    }

    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        at.x.iter().map(|x| 0.5 * self.stiffness * (self.radius - x.length()).max(0.0).powi(2)).sum()
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        for (x, g) in at.x.iter().zip(gradient) {
            let depth = (self.radius - x.length()).max(0.0);
            *g -= x.normalize_or_zero() * (self.stiffness * depth);
        }
        self.value(at, work)
    }

    /// k nnᵀ + k(1 − r/|x|)(I − nnᵀ) inside. The second part is negative: the semi-definite version drops it.
    /// Vertices outside report a zero block, because the reported pairs must not depend on the positions.
    fn hessian(&self, at: Pose, kind: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        for (i, x) in (0..).zip(at.x) {
            let (distance, n) = (x.length(), x.normalize_or_zero());
            let inside = distance > 0.0 && distance < self.radius;
            let along = if inside { self.stiffness } else { 0.0 };
            let exact = inside && kind == HessianKind::Exact;
            let across = if exact { self.stiffness * (1.0 - self.radius / distance) } else { 0.0 };
            let normal = DMat3::from_cols(n * n.x, n * n.y, n * n.z);
            add(i, i, normal * along + (DMat3::IDENTITY - normal) * across);
        }
    }

    /// E is k/2 times the squared distance to the closest point outside, so it has the Projective Dynamics form, with
    /// weight k at every vertex.
    fn laplacian(&self, add: &mut dyn FnMut(u32, u32, f64)) {
        (0..self.vertices).for_each(|i| add(i, i, self.stiffness));
    }

    fn projective(&self) -> Projective {
        Projective::Exact
    }

    fn external(&self) -> bool {
        true // the ball is held by nobody in the model, so momentum is not conserved
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let n = 13; // a square of 1 m with n² vertices, just above the ball
    let at = |i: u32| f64::from(i) / f64::from(n - 1) - 0.5;
    let points = (0..n * n).map(|i| DVec3::new(at(i / n), 0.32, at(i % n))).collect();
    let along = (0..n * n).filter(|i| i % n + 1 < n).map(|i| [i, i + 1]);
    let across = (0..n * (n - 1)).map(|i| [i, i + n]);
    let springs = along.chain(across).collect();
    let cloth = Body::new("cloth", points).springs(springs, SpringLaw::Hookean, 200.0).total_mass(0.3);
    let ball = SoftBall { radius: 0.3, stiffness: 500.0, vertices: n * n };
    let mut builder = Model::builder();
    builder.body(cloth);
    builder.gravity(DVec3::new(0.0, -9.81, 0.0)).energy(ball);
    let model = Arc::new(builder.build()?);

    let newton = Solver::Newton(Budget::to(50, 1e-12));
    let budget = Budget::to(200, 1e-12);
    let lbfgs = Solver::ProjectiveDynamics {
        budget,
        acceleration: Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double },
    };
    let mut ends = Vec::new();
    for solver in [newton, lbfgs] {
        let settings = Settings { solver, h: 1.0 / 60.0, ..Settings::plain() };
        let mut state = State::new(&model);
        let mut simulator = Simulator::new(model.clone(), settings)?;
        for _ in 0..24 {
            simulator.step(&mut state)?;
        }
        for (name, energy) in model.potential_names().zip(&state.ledger().potentials) {
            println!("{:20} {name:10} {energy:9.5} J", solver.name());
        }
        ends.push(state.positions().to_vec());
    }
    let gap = ends[0].iter().zip(&ends[1]).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    println!("largest distance between the two: {gap:.1e} m");
    assert!(gap < 1e-6, "both solvers find the same minimum");
    assert!(ends[0].iter().all(|x| x.length() > 0.27) && ends[0][0].y < 0.0, "it hangs over the ball");
    Ok(())
}
