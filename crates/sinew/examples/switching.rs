//! Integrator, solver and time step are switched while the simulation runs; the ledger shows what each does.
//!
//! `cargo run -p sinew --example switching`

use sinew::{
    Acceleration, Body, Budget, Cause, Constitutive, DVec3, Damping, Integrator, Lame, Model, Precision,
    Settings, Simulator, Solver, State,
};
use std::error::Error;
use std::sync::Arc;

/// A cube of 1 m, stretched by a fifth along x and spinning freely.
fn spinning_cube() -> Result<Model, Box<dyn Error>> {
    let rest: Vec<_> = (0..8)
        .map(|c| DVec3::new((c >> 2) as f64, (c >> 1 & 1) as f64, (c & 1) as f64) - DVec3::splat(0.5))
        .collect();
    let tets = vec![[0, 4, 2, 1], [6, 2, 4, 7], [5, 1, 7, 4], [3, 7, 1, 2], [1, 4, 2, 7]];
    let stretched: Vec<_> = rest.iter().map(|x| *x * DVec3::new(1.2, 1.0, 1.0)).collect();
    let velocities = stretched.iter().map(|x| DVec3::new(0.0, 3.0, 0.0).cross(*x)).collect();
    let mut builder = Model::builder();
    builder.body(
        Body::new("cube", rest)
            .tetrahedra(tets, Constitutive::NeoHookean, Lame::from_young(100.0, 0.4)?, 1.0)
            .positions(stretched)
            .velocities(velocities),
    );
    Ok(builder.build()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let newton = Solver::Newton(Budget::to(50, 1e-12));
    let lbfgs = Solver::ProjectiveDynamics {
        budget: Budget::to(20, 0.0),
        acceleration: Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double },
    };
    // Each chapter lasts one second of simulated time and goes on where the one before ended.
    let with = |integrator, solver, h| Settings { integrator, solver, h, ..Settings::plain() };
    let drag = Damping { ether: 0.02, ..Damping::default() };
    let chapters = [
        ("midpoint, Newton, h = 10 ms", with(Integrator::ImplicitMidpoint, newton, 0.01)),
        ("symplectic Euler, h = 1 ms", with(Integrator::SymplecticEuler, newton, 0.001)),
        ("Newmark, XPBD, h = 5 ms", with(Integrator::Newmark, Solver::Xpbd { iterations: 20 }, 0.005)),
        (
            "midpoint, L-BFGS, with drag",
            Settings { damping: drag, ..with(Integrator::ImplicitMidpoint, lbfgs, 0.01) },
        ),
        ("BDF2, L-BFGS, h = 10 ms", with(Integrator::Bdf2, lbfgs, 0.01)),
        ("backward Euler, the same", with(Integrator::BackwardEuler, lbfgs, 0.01)),
    ];

    let model = Arc::new(spinning_cube()?);
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model, chapters[0].1)?;
    let mut gaps = vec![0.0]; // energy − what should be there, J, at the end of each chapter
    println!("{:30} {:>6} {:>9} {:>9} {:>9}", "", "time", "kinetic", "energy", "should be");
    for (title, settings) in chapters {
        simulator.set_settings(settings)?;
        for _ in 0..(1.0 / settings.h).round() as usize {
            simulator.step(&mut state)?;
        }
        let ledger = state.ledger();
        let (energy, target) = (ledger.energy(), ledger.target());
        gaps.push(energy - target);
        println!("{title:30} {:6.2} {:9.4} {energy:9.4} {target:9.4}", state.time(), ledger.kinetic);
    }

    // A choice that cannot work is refused with a reason, and the old ones stay in force.
    let plain = Settings { solver: Settings::plain().solver, ..chapters[5].1 };
    match simulator.set_settings(plain) {
        Ok(()) => return Err("plain local/global steps have no projection for a Neo-Hookean body".into()),
        Err(reason) => println!("refused: {reason}"),
    }
    assert_eq!(*simulator.settings(), chapters[5].1);

    let initial = state.ledger().initial;
    let lost: Vec<f64> = gaps.windows(2).map(|g| (g[0] - g[1]) / initial).collect();
    assert!(lost[..4].iter().all(|loss| loss.abs() < 0.05), "four that keep the energy, drag or not");
    assert!(state.ledger().entries[Cause::Ether] > 0.0, "what drag took is on the books");
    assert!(lost[5] > lost[4] && lost[4] > 0.1, "BDF2 damps, backward Euler damps more");
    Ok(())
}
