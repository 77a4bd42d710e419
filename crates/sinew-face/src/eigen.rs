//! Eigenvalues of small symmetric matrices by cyclic Jacobi rotations, A = V Λ Vᵀ; accurate to the last digits also for small eigenvalues.

/// Eigenvalues, and eigenvectors as rows of a matrix n × n, in no particular order.
pub(crate) struct Eigen {
    pub values: Vec<f64>,
    pub vectors: Vec<f64>,
}

/// Decomposes a symmetric matrix n × n, given row by row.
pub(crate) fn symmetric(mut a: Vec<f64>, n: usize) -> Eigen {
    let mut v = vec![0.0; n * n];
    (0..n).for_each(|i| v[i * n + i] = 1.0);
    for _ in 0..60 {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j].powi(2)).sum();
        let diagonal: f64 = (0..n).map(|i| a[i * n + i].powi(2)).sum();
        if off <= 1e-36 * diagonal || off == 0.0 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut v, n, p, q);
            }
        }
    }
    Eigen { values: (0..n).map(|i| a[i * n + i]).collect(), vectors: v }
}

/// The rotation in the plane (p, q) that makes a_pq zero.
fn rotate(a: &mut [f64], v: &mut [f64], n: usize, p: usize, q: usize) {
    let apq = a[p * n + q];
    if apq == 0.0 {
        return;
    }
    let tau = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = tau.signum() / (tau.abs() + tau.hypot(1.0));
    let t = if tau == 0.0 { 1.0 } else { t };
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
        let (x, y) = (v[p * n + k], v[q * n + k]);
        v[p * n + k] = c * x - s * y;
        v[q * n + k] = s * x + c * y;
    }
    a[p * n + q] = 0.0;
    a[q * n + p] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_and_values_make_the_matrix_again() {
        let n = 6;
        let a: Vec<f64> =
            (0..n * n).map(|k| ((k / n + 1) * (k % n + 1)) as f64 + ((k / n + k % n) as f64).sin()).collect();
        let e = symmetric(a.clone(), n);
        for i in 0..n {
            for j in 0..n {
                let sum: f64 =
                    (0..n).map(|k| e.values[k] * e.vectors[k * n + i] * e.vectors[k * n + j]).sum();
                assert!((sum - a[i * n + j]).abs() < 1e-12, "{i} {j}");
            }
        }
    }
}
