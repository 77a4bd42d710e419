//! scratch
use sinew::{Body, Constitutive, DVec3, Lame, Model, measure::MultigridSolve};
use std::time::Instant;

fn cube(cells: usize, young: f64, pin: bool) -> Model {
    let n = cells + 1;
    let at = |i: usize, j: usize, k: usize| ((i * n + j) * n + k) as u32;
    let mut points = Vec::new();
    for i in 0..n { for j in 0..n { for k in 0..n { points.push(DVec3::new(i as f64, j as f64, k as f64) / cells as f64); } } }
    const FIVE: [[usize; 4]; 5] = [[0, 5, 6, 3], [4, 5, 6, 0], [2, 6, 3, 0], [1, 3, 5, 0], [7, 5, 3, 6]];
    let mut tets = Vec::new();
    for i in 0..cells { for j in 0..cells { for k in 0..cells {
        let c = |b: usize| at(i + (b >> 2 & 1), j + (b >> 1 & 1), k + (b & 1));
        for t in FIVE { if (i+j+k)%2==0 { tets.push(t.map(c)); } else { let [a,b,cc,d]=t; tets.push([a,b,d,cc].map(|x| c(x^4))); } }
    } } }
    let mut builder = Model::builder();
    builder.body(Body::new("cube", points).tetrahedra(tets, Constitutive::Corotated, Lame::from_young(young, 0.4).unwrap(), 1000.0));
    if pin { for j in 0..n { for k in 0..n { builder.pin(at(0, j, k) as usize); } } }
    builder.build().unwrap()
}

fn main() {
    if let Ok(c) = std::env::var("STUDY") {
        let cells: usize = c.parse().unwrap();
        for young in [5e5, 5e7] { for lbfgs in [false, true] {
            unsafe { std::env::remove_var("MGTOL"); }
            let (truth, _) = study(cells, young, 400, true);
            let counts = [5usize, 10, 20, 40];
            for tol in ["direct", "0.5", "0.3", "1e-1", "3e-2", "1e-2", "1e-3", "1e-6"] {
                if tol == "direct" { unsafe { std::env::remove_var("MGTOL"); } } else { unsafe { std::env::set_var("MGTOL", tol); } }
                print!("E={young:e} lbfgs={lbfgs} {tol:>7}:");
                for n in counts {
                    let (x, t) = study(cells, young, n, lbfgs);
                    let e = x.iter().zip(&truth).map(|(a, b)| a.distance_squared(*b)).sum::<f64>().sqrt() / (x.len() as f64).sqrt();
                    print!("  {n}: {e:.3e} ({:.0} ms)", t * 1e3);
                }
                println!();
            }
        } }
        return;
    }
    let cells: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    for &c in &cells {
        for (young, pin) in [(5e5, true), (5e5,false), (1e4, true), (1e8, true)] {
            let t = Instant::now();
            let model = cube(c, young, pin);
            let built = t.elapsed().as_secs_f64();
            let t = Instant::now();
            let mut m = MultigridSolve::with_tolerance(&model, 0.033, 1e-2).unwrap();
            let setup = t.elapsed().as_secs_f64();
            let n = model.dofs().len();
            println!("{n} vertices E={young:e} pin={pin}: model {built:.2} s, setup {setup:.3} s, {} MB, levels {:?}", m.bytes() / 1_000_000, m.sizes());
            for tol in [1e-1, 1e-2, 1e-3, 1e-6, 1e-10] {
                let mut m = MultigridSolve::with_tolerance(&model, 0.033, tol).unwrap();
                let mut best = f64::INFINITY;
                let mut ok = true;
                let b: Vec<DVec3> = (0..n).map(|i| { let x=model.rest()[i]; DVec3::new((x.x*7.0).sin()+((i*7919)%101) as f64/101.0-0.5, 1.0+x.y, ((i*31)%17) as f64-8.0)}).collect();
                for _ in 0..3 {
                    let mut x = b.clone();
                    let t = Instant::now();
                    ok &= m.solve(&mut x);
                    best = best.min(t.elapsed().as_secs_f64());
                }
                print!("  {tol:e}: {} it {:.2} ms {ok}", m.iterations(), best * 1e3);
            }
            println!();
        }
    }
}
pub fn study(cells: usize, young: f64, iterations: usize, lbfgs: bool) -> (Vec<DVec3>, f64) {
    use sinew::*;
    let model = std::sync::Arc::new(cube(cells, young, true));
    let mut state = State::new(&model);
    let v: Vec<DVec3> = model.rest().iter().map(|x| if x.x == 0.0 { DVec3::ZERO } else { DVec3::new(2.0 * x.y, -3.0 * x.x, 1.0 + x.x * x.y) }).collect();
    state.edit(&model, |_x, w| w.copy_from_slice(&v)).unwrap();
    let acceleration = if lbfgs { Acceleration::Lbfgs { history: 5 } } else { Acceleration::None };
    let settings = Settings { solver: Solver::ProjectiveDynamics { budget: Budget::fixed(iterations), acceleration }, ..Settings::default() };
    let mut sim = Simulator::new(model, settings).unwrap();
    let t = Instant::now();
    sim.step(&mut state).unwrap();
    (state.positions().to_vec(), t.elapsed().as_secs_f64())
}
