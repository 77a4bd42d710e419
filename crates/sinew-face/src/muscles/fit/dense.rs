//! Small dense systems of the fits.

/// Solves A x = b in place for a symmetric positive definite A, n × n by rows; `false` if it is not.
pub(super) fn solve(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for j in 0..n {
        for k in 0..j {
            let f = a[j * n + k];
            if f != 0.0 {
                for i in j..n {
                    a[i * n + j] -= f * a[i * n + k];
                }
            }
        }
        let pivot = a[j * n + j];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let root = pivot.sqrt();
        (j..n).for_each(|i| a[i * n + j] /= root);
    }
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| a[i * n + k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    true
}

/// Σ aᵢbᵢ.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    #[test]
    fn solves() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let truth = [1.0, -2.0, 0.5];
        let mut b: Vec<f64> = (0..3).map(|i| super::dot(&a[3 * i..3 * i + 3], &truth)).collect();
        assert!(super::solve(&mut a.clone(), &mut b));
        assert!(b.iter().zip(truth).all(|(x, t)| (x - t).abs() < 1e-14));
        assert!(!super::solve(&mut [1.0, 2.0, 2.0, 1.0], &mut [1.0, 1.0]));
    }
}
