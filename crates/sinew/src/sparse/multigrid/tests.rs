//! Comparison with the factor, on difficult matrices.

use super::*;
use crate::sparse::{Analysis, Cholesky};
use rayon::ThreadPoolBuilder;

/// Reproducible numbers in −1…1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vectors(&mut self, n: usize) -> Vec<DVec3> {
        (0..n).map(|_| DVec3::new(self.next(), 10.0 * self.next(), self.next().powi(9))).collect()
    }
}

/// Mass and weighted edges: a graph Laplacian shifted by `mass`.
fn laplacian(n: usize, mass: f64, edges: impl IntoIterator<Item = (usize, usize, f64)>) -> SymmetricMatrix {
    let mut entries: Vec<_> = (0..n as u32).map(|i| (i, i, mass)).collect();
    for (i, j, w) in edges {
        entries.extend([(i as u32, i as u32, w), (j as u32, j as u32, w), (i as u32, j as u32, -w)]);
    }
    SymmetricMatrix::from_entries(n, &entries)
}

/// A cube of m³ vertices, edges to the 13 neighbours on one side, weights from `weight(position)`.
fn lattice(m: usize, mass: f64, weight: impl Fn([usize; 3]) -> f64) -> SymmetricMatrix {
    let at = |p: [usize; 3]| (p[0] * m + p[1]) * m + p[2];
    let mut edges = Vec::new();
    for p in (0..m * m * m).map(|i| [i / (m * m), i / m % m, i % m]) {
        for q in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]] {
            let other = [p[0] + q[0], p[1] + q[1], p[2] + q[2]];
            if other.iter().all(|&c| c < m) {
                edges.push((at(p), at(other), weight(p)));
            }
        }
    }
    laplacian(m * m * m, mass, edges)
}

/// Error in the energy norm, relative.
fn energy_error(matrix: &SymmetricMatrix, found: &[DVec3], truth: &[DVec3]) -> f64 {
    let difference: Vec<_> = found.iter().zip(truth).map(|(a, b)| *a - *b).collect();
    (matrix.quadratic_form(&difference) / matrix.quadratic_form(truth)).sqrt()
}

fn direct(matrix: &SymmetricMatrix, b: &[DVec3]) -> Vec<DVec3> {
    let mut factor = Cholesky::analyse(&matrix.pattern).unwrap();
    factor.factor(matrix).unwrap();
    let mut x = b.to_vec();
    factor.solve_vectors(&mut x);
    x
}

/// Solves to `tolerance`, compares the error with the factor's solution, returns the number of iterations. The estimate that ends a solve is
/// not a bound: `optimism` is the factor by which it may be off.
fn check(matrix: &SymmetricMatrix, smallest_eigenvalue: f64, tolerance: f64, optimism: f64) -> usize {
    let b = Noise(7).vectors(matrix.pattern.n());
    let mut multigrid = Multigrid::new(matrix, tolerance).unwrap();
    let mut x = b.clone();
    multigrid.solve_vectors(&mut x).unwrap();
    let error = energy_error(matrix, &x, &direct(matrix, &b));
    // Neither solution is more accurate than rounding allows.
    let diagonal = |i| matrix.diagonal(i);
    let largest = (0..b.len()).map(diagonal).fold(0.0, f64::max);
    let rounding = f64::EPSILON * largest / smallest_eigenvalue;
    assert!(error <= optimism * tolerance + rounding, "error {error} at tolerance {tolerance}");
    multigrid.iterations()
}

#[test]
fn lattices_of_any_stiffness() {
    for mass in [1e-8, 1e-3, 1.0, 100.0] {
        for tolerance in [1e-2, 1e-6, 1e-10] {
            let iterations = check(&lattice(12, mass, |_| 1.0), mass, tolerance, 3.0);
            assert!(iterations <= 16, "mass {mass}, tolerance {tolerance}: {iterations} iterations");
        }
    }
}

#[test]
fn contrast_of_a_million() {
    // Layers, and a checkerboard of blocks.
    let layers = lattice(12, 1e-2, |p| if p[0] / 3 % 2 == 0 { 1e6 } else { 1.0 });
    let blocks = lattice(12, 1e-2, |p| if (p[0] / 4 + p[1] / 4 + p[2] / 4) % 2 == 0 { 1e6 } else { 1.0 });
    for matrix in [layers, blocks] {
        // Steps of very different modes alternate, so the last ones predict less about the next.
        let iterations = check(&matrix, 1e-2, 1e-6, 10.0);
        assert!(iterations <= 40, "{iterations} iterations");
    }
}

#[test]
fn irregular_graphs_with_positive_couplings() {
    let mut noise = Noise(3);
    let n = 2000;
    let mut edges = Vec::new();
    for i in 1..n {
        // Connect to a close vertex and, now and then, to any.
        let reach = if i % 50 == 0 { i } else { i.min(40) };
        for _ in 0..6 {
            let j = i - 1 - ((noise.next() * 0.5 + 0.5) * reach as f64).min(reach as f64 - 1.0) as usize;
            edges.push((i, j, 10f64.powf(noise.next())));
        }
    }
    // A few negative weights, as obtuse tetrahedra have; the mass keeps the matrix definite.
    for i in (10..n).step_by(17) {
        edges.push((i, i - 9, -0.02));
    }
    check(&laplacian(n, 0.1, edges), 0.05, 1e-8, 3.0);
}

#[test]
fn parts_that_are_not_connected() {
    // 60 chains of 30, single vertices between them, each part with its own stiffness.
    let n = 60 * 31;
    let edges = (0..60usize)
        .flat_map(|c| (0..29).map(move |k| (31 * c + k, 31 * c + k + 1, 10f64.powi(c as i32 % 7 - 3))));
    check(&laplacian(n, 1e-3, edges), 1e-3, 1e-9, 3.0);
}

#[test]
fn one_vertex_and_none_to_solve_for() {
    let mut one = Multigrid::new(&SymmetricMatrix::from_entries(1, &[(0, 0, 4.0)]), 1e-2).unwrap();
    let mut x = [DVec3::new(8.0, 0.0, -4.0)];
    one.solve_vectors(&mut x).unwrap();
    assert_eq!(x, [DVec3::new(2.0, 0.0, -1.0)]);
    let mut zero = [DVec3::ZERO];
    one.solve_vectors(&mut zero).unwrap();
    assert_eq!(zero, [DVec3::ZERO]);
}

#[test]
fn iterations_do_not_depend_on_the_size() {
    let iterations = |m| {
        let matrix = lattice(m, 1e-6, |_| 1.0);
        let mut multigrid = Multigrid::new(&matrix, 1e-8).unwrap();
        let mut x = Noise(1).vectors(m * m * m);
        multigrid.solve_vectors(&mut x).unwrap();
        multigrid.iterations()
    };
    let (small, large) = (iterations(10), iterations(31));
    assert!(2 * large <= 3 * small, "{small} iterations for 1000 vertices, {large} for 30000");
}

#[test]
fn large_solids_are_left_to_multigrid_and_cloth_is_not() {
    let solid = |m| {
        let matrix = lattice(m, 1.0, |_| 1.0);
        Analysis::new(&matrix.pattern).unwrap().pays(&matrix.pattern)
    };
    assert!(solid(12) && !solid(34));
    let m = 200;
    let edges = (0..m * m).flat_map(|i| {
        let right = (i % m + 1 < m).then_some((i, i + 1, 1.0));
        let down = (i + m < m * m).then_some((i, i + m, 1.0));
        right.into_iter().chain(down)
    });
    let cloth = laplacian(m * m, 1.0, edges);
    assert!(Analysis::new(&cloth.pattern).unwrap().pays(&cloth.pattern));
}

#[test]
fn total_momentum_is_exact_at_any_tolerance() {
    let matrix = lattice(12, 0.5, |_| 300.0);
    let b = Noise(5).vectors(12 * 12 * 12);
    let mut x = b.clone();
    Multigrid::new(&matrix, 0.3).unwrap().solve_vectors(&mut x).unwrap();
    let given: DVec3 = b.iter().sum();
    let moved: DVec3 = x.iter().map(|x| *x * 0.5).sum();
    let scale: f64 = b.iter().map(|b| b.length()).sum();
    assert!((given - moved).length() <= 1e-12 * scale);
}

#[test]
fn gives_the_product_that_a_metric_needs() {
    // bᵀx = xᵀAx holds for every iterate of conjugate gradients, not only for the last: corrections rely on it.
    let matrix = lattice(12, 0.5, |_| 300.0);
    let b = Noise(5).vectors(12 * 12 * 12);
    let mut x = b.clone();
    Multigrid::new(&matrix, 0.1).unwrap().solve_vectors(&mut x).unwrap();
    let product: f64 = b.iter().zip(&x).map(|(b, x)| b.dot(*x)).sum();
    let form = matrix.quadratic_form(&x);
    assert!((product - form).abs() <= 1e-4 * form, "{product} and {form}");
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let matrix = lattice(16, 1e-2, |p| 1.0 + p[0] as f64);
    let solve = || {
        let mut x = Noise(9).vectors(16 * 16 * 16);
        Multigrid::new(&matrix, 1e-6).unwrap().solve_vectors(&mut x).unwrap();
        x
    };
    let alone = solve();
    for threads in [1, 2, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(solve) == alone, "{threads} threads");
    }
}

#[test]
fn what_cannot_be_solved_is_an_error() {
    let mut matrix = lattice(9, 1e-3, |_| 1.0);
    let mut multigrid = Multigrid::new(&matrix, 1e-6).unwrap();
    let mut x = vec![DVec3::ONE; 729];
    x[700].y = f64::NAN;
    assert_eq!(multigrid.solve_vectors(&mut x), Err(Breakdown::NotFinite));
    assert_eq!(x[0], DVec3::ONE, "the right-hand side is left alone");
    x[700].y = f64::INFINITY;
    assert_eq!(multigrid.solve_vectors(&mut x), Err(Breakdown::NotFinite));

    // L − 0.05 I has a positive diagonal and a negative eigenvalue: found while building or while solving.
    matrix.add_to_diagonal(-0.05);
    if let Ok(mut multigrid) = Multigrid::new(&matrix, 1e-6) {
        let mut x = Noise(2).vectors(729);
        assert_eq!(multigrid.solve_vectors(&mut x), Err(Breakdown::Indefinite));
    }
    matrix.values[0] = -1.0;
    assert!(Multigrid::new(&matrix, 1e-6).is_err());
    matrix.values[0] = f64::NAN;
    assert!(Multigrid::new(&matrix, 1e-6).is_err());
}
