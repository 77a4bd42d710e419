//! Total derivatives of the equilibrium against differences of equilibria solved to 1e-11 mm.

use super::head;
use glam::DVec3;
use sinew_face::muscles::{Balance, Drive, Jaw, Noise, Precision};

const TIGHT: Precision = Precision { step: 1e-14, iterations: 300 };

/// A pose with some of everything.
fn driven() -> (Vec<[f64; 6]>, Jaw) {
    let (face, _) = head();
    let mut noise = Noise::new(7);
    let a = face.muscles.iter().map(|m| m.contracted(0.75 + 0.25 * noise.uniform())).collect();
    (a, Jaw { open: 0.05, turn: 0.02, shift: DVec3::new(0.0005, -0.0003, 0.001) })
}

fn solve(a: &[[f64; 6]], jaw: Jaw, start: &[DVec3]) -> (Balance, Drive) {
    let (face, system) = head();
    let drive = Drive { activations: system.blended(&face.blend, a), jaw, forces: Vec::new() };
    (system.equilibrium(&drive, start, &TIGHT).unwrap(), drive)
}

/// ‖difference‖ / ‖exact‖ over free vertices; five points.
fn mismatch(column: &[f64], h: f64, at: &dyn Fn(f64) -> Vec<DVec3>) -> f64 {
    let (_, system) = head();
    let [a, b, c, d] = [h, -h, 2.0 * h, -2.0 * h].map(at);
    let (mut off, mut whole) = (0.0, 0.0);
    for (u, v) in system.free_vertices().iter().enumerate() {
        let v = *v as usize;
        let slope = (8.0 * (a[v] - b[v]) - (c[v] - d[v])) / (12.0 * h);
        let exact = DVec3::from_slice(&column[3 * u..3 * u + 3]);
        off += (slope - exact).length_squared();
        whole += exact.length_squared();
    }
    (off / whole).sqrt()
}

#[test]
fn equilibria_move_with_activations_and_jaw_as_their_sensitivities_say() {
    let (face, system) = head();
    let (a, jaw) = driven();
    let (balance, drive) = solve(&a, jaw, &system.placed(&jaw));
    let n = system.unknowns();
    let columns = system.sensitivities(&balance, &drive, &face.blend, face.muscles.len());
    let mut worst: f64 = 0.0;
    for (j, k) in [(0, 0), (5, 1), (10, 3), (14, 4), (24, 5)] {
        let column = &columns[(6 * j + k) * n..(6 * j + k + 1) * n];
        let off = mismatch(column, 2e-4, &|h| {
            let mut a = a.clone();
            a[j][k] += h;
            solve(&a, jaw, &balance.x).0.x
        });
        worst = worst.max(off);
    }
    println!("dx/da: {worst:.1e}");
    assert!(worst < 1e-5, "{worst}");
    let mut worst: f64 = 0.0;
    for k in 0..5 {
        let at = (6 * face.muscles.len() + k) * n;
        let off = mismatch(&columns[at..at + n], 5e-6, &|h| {
            let mut b = jaw.lengths();
            b[k] += h;
            solve(&a, Jaw::from_lengths(b), &balance.x).0.x
        });
        worst = worst.max(off);
    }
    println!("dx/djaw: {worst:.1e}");
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn equilibria_move_with_the_blend_as_their_sensitivities_say() {
    let (face, system) = head();
    let (a, jaw) = driven();
    let (balance, drive) = solve(&a, jaw, &system.placed(&jaw));
    // Rows of several muscles exchange some of their weights.
    let mut noise = Noise::new(3);
    let ds: Vec<f64> = (0..face.blend.entries()).map(|_| noise.uniform() - 0.5).collect();
    let column = system.moved_by_blend(&balance, &drive, &face.blend, &a, &ds);
    let off = mismatch(&column, 2e-4, &|h| {
        let blend = face.blend.moved(&ds, h);
        let drive = Drive { activations: system.blended(&blend, &a), jaw, forces: Vec::new() };
        system.equilibrium(&drive, &balance.x, &TIGHT).unwrap().x
    });
    println!("dx/dS: {off:.1e}");
    assert!(off < 1e-4, "{off}");
}
