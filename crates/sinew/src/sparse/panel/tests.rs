//! The panel factor compared with faer's own solve, for matrices of many shapes.

use super::{DoublePanels, PanelSolver};
use crate::sparse::{Analysis, DirectFactor, GlobalStep, Precision, SymmetricMatrix};
use glam::DVec3;
use std::sync::Arc;

/// A cheap source of numbers in [0, 1), the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> u32 {
        (self.next() * n as f64) as u32
    }
}

/// The Laplacian of a graph with random weights, plus masses on the diagonal.
fn system(n: usize, edges: impl Iterator<Item = (u32, u32)>) -> SymmetricMatrix {
    let mut random = Random(7);
    let mut entries: Vec<_> = (0..n as u32).map(|i| (i, i, 0.01 + random.next())).collect();
    for (i, j) in edges {
        let weight = 0.1 + 10.0 * random.next();
        entries.extend([(i, i, weight), (j, j, weight), (i, j, -weight)]);
    }
    SymmetricMatrix::from_entries(n, &entries)
}

/// A grid of n³ points with edges along the axes and one diagonal.
fn grid(n: u32) -> SymmetricMatrix {
    let index = move |i: u32, j: u32, k: u32| (i * n + j) * n + k;
    let points = (0..n).flat_map(move |i| (0..n).flat_map(move |j| (0..n).map(move |k| (i, j, k))));
    let edges = points.flat_map(move |(i, j, k)| {
        let others = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)];
        others.into_iter().filter_map(move |(a, b, c)| {
            let inside = i + a < n && j + b < n && k + c < n;
            inside.then(|| (index(i, j, k), index(i + a, j + b, k + c)))
        })
    });
    system((n * n * n) as usize, edges)
}

fn matrices() -> Vec<(&'static str, SymmetricMatrix)> {
    let mut random = Random(3);
    let pairs: Vec<_> = (0..900).map(|_| (random.below(300), random.below(300))).collect();
    let forest = (0..1999u32).filter(|i| i % 7 != 6).map(|i| (i, i + 1));
    vec![
        ("nothing", system(0, std::iter::empty())),
        ("one", system(1, std::iter::empty())),
        ("unconnected", system(50, std::iter::empty())),
        ("path", system(700, (0..699).map(|i| (i, i + 1)))),
        ("forest", system(2000, forest)),
        ("star", system(600, (1..600).map(|i| (0, i)))),
        ("dense", system(150, (0..150).flat_map(|i| (0..i).map(move |j| (i, j))))),
        ("random", system(300, pairs.into_iter().filter(|(i, j)| i != j))),
        ("grid", grid(7)),
        ("large grid", grid(15)),
    ]
}

fn double(matrix: &SymmetricMatrix) -> Arc<DoublePanels> {
    let analysis = Analysis::new(&matrix.pattern).unwrap();
    let cholesky = analysis.cholesky(matrix).unwrap();
    match analysis.panels(&cholesky, Precision::Double).unwrap() {
        DirectFactor::Double(panels) => panels,
        DirectFactor::Single(_) => unreachable!("double was asked for"),
    }
}

fn right_hand_side(n: usize) -> Vec<DVec3> {
    let mut random = Random(11);
    (0..n).map(|_| DVec3::new(random.next(), random.next() - 0.5, 1e3 * random.next())).collect()
}

fn largest(x: &[DVec3]) -> f64 {
    x.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max)
}

fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f64::max)
}

/// ‖Ax − b‖∞.
fn residual(a: &SymmetricMatrix, x: &[DVec3], b: &[DVec3]) -> f64 {
    let mut product = vec![DVec3::ZERO; b.len()];
    for j in 0..a.pattern.n() {
        for k in a.pattern.column_start[j]..a.pattern.column_start[j + 1] {
            let i = a.pattern.rows[k];
            product[i] += x[j] * a.values[k];
            if i != j {
                product[j] += x[i] * a.values[k];
            }
        }
    }
    distance(&product, b)
}

#[test]
fn errors_are_those_of_the_triangular_solve() {
    for (name, matrix) in matrices() {
        let analysis = Analysis::new(&matrix.pattern).unwrap();
        let mut cholesky = analysis.cholesky(&matrix).unwrap();
        let b = right_hand_side(matrix.pattern.n());
        let (mut ours, mut faer, mut single) = (b.clone(), b.clone(), b.clone());
        let factor = |precision| analysis.panels(&cholesky, precision).unwrap();
        GlobalStep::direct(factor(Precision::Double)).solve_vectors(&mut ours).unwrap();
        GlobalStep::direct(factor(Precision::Single)).solve_vectors(&mut single).unwrap();
        cholesky.solve_vectors(&mut faer);
        let (ours_left, faer_left) = (residual(&matrix, &ours, &b), residual(&matrix, &faer, &b));
        let rounding = 1e-15 * largest(&b);
        assert!(
            ours_left <= 4.0 * faer_left + rounding,
            "{name}: residual {ours_left:e}, faer's {faer_left:e}"
        );
        // Condition numbers reach 10⁴ here.
        assert!(distance(&ours, &faer) <= 1e-12 * largest(&faer), "{name}: {:e}", distance(&ours, &faer));
        assert!(distance(&single, &faer) <= 1e-3 * largest(&faer), "{name}: {:e}", distance(&single, &faer));
    }
}

#[test]
fn the_portable_kernel_agrees() {
    for (name, matrix) in matrices() {
        let b = right_hand_side(matrix.pattern.n());
        let (mut best, mut portable) = (b.clone(), b);
        let mut solver = PanelSolver::new(double(&matrix));
        solver.solve(&mut best);
        solver.solve_portably(&mut portable);
        assert!(distance(&best, &portable) <= 1e-12 * largest(&best), "{name}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for matrix in [grid(15), grid(7), system(5000, (0..4999).map(|i| (i, i + 1)))] {
        let analysis = Analysis::new(&matrix.pattern).unwrap();
        let cholesky = analysis.cholesky(&matrix).unwrap();
        for precision in [Precision::Double, Precision::Single] {
            let mut step = GlobalStep::direct(analysis.panels(&cholesky, precision).unwrap());
            let b = right_hand_side(matrix.pattern.n());
            let mut alone = b.clone();
            step.solve_vectors(&mut alone).unwrap();
            for threads in 1..=3 {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut x = b.clone();
                pool.install(|| step.solve_vectors(&mut x)).unwrap();
                assert!(x == alone, "{threads} threads");
            }
        }
    }
}

#[test]
fn a_large_factor_is_cut_and_a_small_one_is_not() {
    let branches = |matrix: SymmetricMatrix| double(&matrix).schedule.branches.len();
    assert_eq!(branches(grid(7)), 0);
    assert!(branches(grid(15)) >= 8);
}

#[test]
fn a_matrix_that_single_precision_cannot_hold_is_refused() {
    let matrix = SymmetricMatrix::from_entries(2, &[(0, 0, 1e-90), (1, 1, 1.0)]);
    let analysis = Analysis::new(&matrix.pattern).unwrap();
    let cholesky = analysis.cholesky(&matrix).unwrap();
    assert!(analysis.panels(&cholesky, Precision::Double).is_ok());
    assert!(analysis.panels(&cholesky, Precision::Single).is_err());
}

#[test]
fn single_precision_takes_right_hand_sides_of_any_size() {
    let matrix = grid(5);
    let analysis = Analysis::new(&matrix.pattern).unwrap();
    let mut cholesky = analysis.cholesky(&matrix).unwrap();
    let mut step = GlobalStep::direct(analysis.panels(&cholesky, Precision::Single).unwrap());
    for scale in [1e-200, 1e-60, 1.0, 1e60, 1e200] {
        let mut x: Vec<_> = right_hand_side(matrix.pattern.n()).iter().map(|b| *b * scale).collect();
        let mut truth = x.clone();
        step.solve_vectors(&mut x).unwrap();
        cholesky.solve_vectors(&mut truth);
        assert!(distance(&x, &truth) <= 1e-3 * largest(&truth), "{scale:e}");
    }
}
