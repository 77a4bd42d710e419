//! A few linear equations whose rows may depend on each other.

/// Pivots below this share of the largest are none: the rows before determine that one already.
const DEPENDENT: f64 = 1e-10;

/// Solves S λ = c for a symmetric, positive semi-definite S, after scaling its diagonal to ones. Rows that depend on others get λ = 0.
pub(super) fn solve<const N: usize>(mut s: [[f64; N]; N], mut c: [f64; N]) -> [f64; N] {
    let scale: [f64; N] = std::array::from_fn(|i| if s[i][i] > 0.0 { 1.0 / s[i][i].sqrt() } else { 0.0 });
    for i in 0..N {
        c[i] *= scale[i];
        for j in 0..N {
            s[i][j] *= scale[i] * scale[j];
        }
    }
    // Elimination with the largest diagonal entry first; the eliminated columns stay for the way back.
    let mut order = Vec::new();
    loop {
        let rest = (0..N).filter(|i| !order.contains(i));
        let Some(p) = rest.max_by(|&a, &b| s[a][a].total_cmp(&s[b][b])) else { break };
        if s[p][p] <= DEPENDENT {
            break;
        }
        order.push(p);
        for i in (0..N).filter(|i| !order.contains(i)) {
            let factor = s[i][p] / s[p][p];
            c[i] -= factor * c[p];
            for j in (0..N).filter(|j| !order.contains(j)) {
                s[i][j] -= factor * s[p][j];
            }
        }
    }
    let mut lambda = [0.0; N];
    for (k, &p) in order.iter().enumerate().rev() {
        let later: f64 = order[k + 1..].iter().map(|&j| s[p][j] * lambda[j]).sum();
        lambda[p] = (c[p] - later) / s[p][p];
    }
    std::array::from_fn(|i| lambda[i] * scale[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_rows_are_solved() {
        let s = [[4.0, 1.0, 0.5], [1.0, 9e6, 3.0], [0.5, 3.0, 2e-4 + 0.07]];
        let expected = [0.3, -2.0, 11.0];
        let c = std::array::from_fn(|i| (0..3).map(|j| s[i][j] * expected[j]).sum());
        for (found, expected) in solve(s, c).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn a_row_twice_counts_once() {
        let found = solve([[2.0, 2.0], [2.0, 2.0]], [3.0, 3.0]);
        assert!((found[0] + found[1] - 1.5).abs() < 1e-12 && found.contains(&0.0), "{found:?}");
        assert_eq!(solve([[0.0]], [1.0]), [0.0], "a row of zeros");
    }
}
