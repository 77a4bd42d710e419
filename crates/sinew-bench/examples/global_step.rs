//! Where multigrid takes over from the factor: time of a solve and memory of both, on cubes of growing size.
//!
//! `cargo run --release -p sinew-bench --example global_step -- 16 24 36 58` measures cubes of so many cells along an edge, five
//! tetrahedra each. Without arguments a small one. Timings are the shortest of several solves, on `RAYON_NUM_THREADS`
//! threads (1 if it is not set).

use sinew::measure::{GlobalSolve, MultigridSolve};
use sinew::{Body, Constitutive, DVec3, Lame, Model};
use std::time::Instant;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut cells: Vec<usize> = std::env::args().skip(1).map(|a| a.parse()).collect::<Result<_, _>>()?;
    if cells.is_empty() {
        cells.push(12);
    }
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    println!("{:>9} {:>9} | {:>27} | {:>41} | error", "", "", "factor", "multigrid");
    println!(
        "{:>9} {:>9} | {:>9} {:>8} {:>8} | {:>9} {:>8} {:>8} {:>4} {:>8} | (energy)",
        "vertices", "tets", "setup s", "MB", "ms", "setup s", "MB", "ms", "it", "ms to 1e-8"
    );
    for cells in cells {
        pool.install(|| compare(cells))?;
    }
    Ok(())
}

fn compare(cells: usize) -> Result<(), Failure> {
    const H: f64 = 0.033;
    let model = cube(cells)?;
    let (mut tight, _) = timed(|| MultigridSolve::with_tolerance(&model, H, 1e-8))?;
    let (mut multigrid, multigrid_setup) = timed(|| MultigridSolve::new(&model, H))?;
    // A pull at the far end and a little noise, like the gradient of a step.
    let b: Vec<DVec3> = (0..multigrid.vertices())
        .map(|i| {
            let noise = (i * 7919 % 101) as f64 / 101.0 - 0.5;
            let along = i as f64 / multigrid.vertices() as f64;
            DVec3::new(noise, along * along, 0.1 * noise - along)
        })
        .collect();
    let (exact, tight_time) = shortest(&b, |x| tight.solve(x).map_err(Into::into))?;
    let (found, time) = shortest(&b, |x| multigrid.solve(x).map_err(Into::into))?;
    let dot = |a: &[DVec3], c: &[DVec3]| a.iter().zip(c).map(|(a, c)| a.dot(*c)).sum::<f64>();
    // ‖x − x*‖²_A = x*ᵀb − 2xᵀb + xᵀAx, and xᵀAx = xᵀb for conjugate gradients.
    let error = (1.0 - dot(&found, &b) / dot(&exact, &b)).max(0.0).sqrt();

    let (mut factor, factor_setup) = timed(|| GlobalSolve::new(&model, H))?;
    let (_, factor_time) = shortest(&b, |x| {
        factor.ours(x);
        Ok(())
    })?;
    println!(
        "{:>9} {:>9} | {:>9.2} {:>8.1} {:>8.2} | {:>9.2} {:>8.1} {:>8.2} {:>4} {:>8.2} | {:.1e}",
        multigrid.vertices(),
        model.element_count(),
        factor_setup,
        (8 * factor.factor_entries()) as f64 / 1e6,
        1e3 * factor_time,
        multigrid_setup,
        multigrid.bytes() as f64 / 1e6,
        1e3 * time,
        multigrid.iterations(),
        1e3 * tight_time,
        error,
    );
    Ok(())
}

fn timed<T, E>(make: impl FnOnce() -> Result<T, E>) -> Result<(T, f64), E> {
    let begin = Instant::now();
    make().map(|made| (made, begin.elapsed().as_secs_f64()))
}

type Solved = Result<(Vec<DVec3>, f64), Failure>;

fn shortest(b: &[DVec3], mut solve: impl FnMut(&mut [DVec3]) -> Result<(), Failure>) -> Solved {
    let mut x = b.to_vec();
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        x.copy_from_slice(b);
        let begin = Instant::now();
        solve(&mut x)?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok((x, best))
}

/// A cube of 1 m, held at one side; cells are cut into five tetrahedra, mirrored from cell to cell.
fn cube(cells: usize) -> Result<Model, Failure> {
    const FIVE: [[usize; 4]; 5] = [[0, 5, 6, 3], [4, 5, 6, 0], [2, 6, 3, 0], [1, 3, 5, 0], [7, 5, 3, 6]];
    let n = cells + 1;
    let place = |i: usize| [i / (n * n), i / n % n, i % n];
    let points: Vec<_> =
        (0..n * n * n).map(|i| DVec3::from(place(i).map(|c| c as f64 / cells as f64))).collect();
    let mut tetrahedra = Vec::new();
    for i in 0..n * n * n {
        let [x, y, z] = place(i);
        if x == cells || y == cells || z == cells {
            continue;
        }
        let corner = |bits: usize| (i + (bits >> 2 & 1) * n * n + (bits >> 1 & 1) * n + (bits & 1)) as u32;
        for t in FIVE {
            tetrahedra.push(if (x + y + z) % 2 == 0 {
                t.map(corner)
            } else {
                [t[0], t[1], t[3], t[2]].map(|bits| corner(bits ^ 4))
            });
        }
    }
    let mut builder = Model::builder();
    let jelly = Lame::from_young(5e5, 0.4)?;
    builder.body(Body::new("cube", points).tetrahedra(tetrahedra, Constitutive::Corotated, jelly, 1000.0));
    (0..n * n).for_each(|i| {
        builder.pin(i);
    });
    Ok(builder.build()?)
}
