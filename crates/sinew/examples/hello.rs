//! Hello, jelly: a cube of eight corners and five tetrahedra falls, held by one corner.
//!
//! `cargo run -p sinew --example hello`

use sinew::{Body, Constitutive, DVec3, Lame, Model, Settings, Simulator, State};
use std::error::Error;
use std::sync::Arc;

/// Corners of a cube of 10 cm: corner number 4i + 2j + k is at (i, j, k).
fn corners() -> Vec<DVec3> {
    (0..8).map(|c| DVec3::new((c >> 2) as f64, (c >> 1 & 1) as f64, (c & 1) as f64) * 0.1).collect()
}

/// Four tetrahedra at the corners 0, 3, 5 and 6 and one in the middle, all with positive volume.
const TETRAHEDRA: [[u32; 4]; 5] = [[0, 4, 2, 1], [6, 2, 4, 7], [5, 1, 7, 4], [3, 7, 1, 2], [1, 4, 2, 7]];

fn main() -> Result<(), Box<dyn Error>> {
    // What there is: a body, its material, a pin and gravity.
    let jelly = Lame::from_young(2e4, 0.3)?; // Pa, no unit
    let cube = Body::new("jelly", corners()).tetrahedra(
        TETRAHEDRA.to_vec(),
        Constitutive::Corotated,
        jelly,
        1000.0, // kg/m³
    );
    let gravity = DVec3::new(0.0, -9.81, 0.0);
    let model = Arc::new(Model::builder().body(cube).pin(2).gravity(gravity).build()?); // corner 2 is at (0, 1, 0): an upper one

    // Where it is, and what moves it: the recommended settings, 30 steps a second.
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model, Settings::default())?;

    println!("  time   height   kinetic  potential   energy   should be");
    println!("     s        m         J          J        J           J");
    let mut lowest = f64::INFINITY;
    for frame in 0..=60 {
        let height = state.positions().iter().map(|x| x.y).sum::<f64>() / 8.0;
        lowest = lowest.min(height);
        if frame % 6 == 0 {
            let ledger = state.ledger();
            println!(
                "{:6.2} {height:8.4} {:9.4} {:10.4} {:8.4} {:11.4}",
                state.time(),
                ledger.kinetic,
                ledger.potential(),
                ledger.energy(),
                ledger.target()
            );
        }
        simulator.step(&mut state)?;
    }

    // It fell and it hangs: the middle is below the pin, which has not moved.
    assert!(lowest < 0.05 && state.positions()[2] == DVec3::new(0.0, 0.1, 0.0));
    // Nobody took energy out, so the ledger expects all of it, and all of it is there.
    assert_eq!(state.ledger().target(), state.ledger().initial);
    assert!((state.ledger().energy() - state.ledger().target()).abs() < 1e-9);
    Ok(())
}
