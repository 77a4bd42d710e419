//! Groups of vertices: each group becomes one unknown of the next coarser level \[vanek1996\].
//!
//! The error that smoothing leaves varies slowly along *strong* connections, so only these may join a group. A connection is strong if
//! −âᵢⱼ ≥ θ √(mᵢ mⱼ), where mᵢ is the strongest connection of row i. This is relative to the row, since the connections of a tetrahedral mesh with
//! twenty neighbours are all weak next to the diagonal; between stiff and soft, the geometric mean lets the soft side decide. A row whose
//! connections are small compared with its diagonal, Σ|âᵢⱼ| ≤ ½, needs no coarser level: Jacobi alone contracts its error. It belongs to no
//! group, and where mass outweighs stiffness there are no groups at all.

use super::rows::UnitRows;

/// θ.
const STRONG: f64 = 0.25;
/// Largest Σ|âᵢⱼ| of a row that is left to the smoother.
const DOMINATED: f64 = 0.5;
/// Marks a row without a group.
pub(super) const NONE: u32 = u32::MAX;

/// The group of each row, or [`NONE`], and the number of groups.
#[derive(Clone, Debug)]
pub(super) struct Aggregates {
    pub group: Vec<u32>,
    pub count: usize,
}

impl Aggregates {
    /// Forms groups of a centre and its neighbours; a remaining row joins the group that it is connected to most strongly.
    pub fn new(matrix: &UnitRows) -> Self {
        let n = matrix.pattern.n();
        let strongest: Vec<f64> =
            (0..n).map(|i| matrix.row(i).map(|(_, a)| -a).fold(0.0, f64::max)).collect();
        let needed: Vec<bool> =
            (0..n).map(|i| matrix.row(i).map(|(_, a)| a.abs()).sum::<f64>() > DOMINATED).collect();
        let strong = |i: usize| {
            let (strongest, needed) = (&strongest, &needed);
            matrix.row(i).filter(move |&(j, a)| {
                a < 0.0 && needed[j] && a * a >= STRONG * STRONG * strongest[i] * strongest[j]
            })
        };
        let mut group = vec![NONE; n];
        let mut count = 0;
        for i in 0..n {
            let free = needed[i] && group[i] == NONE && strong(i).next().is_some();
            if free && strong(i).all(|(j, _)| group[j] == NONE) {
                group[i] = count;
                strong(i).for_each(|(j, _)| group[j] = count);
                count += 1;
            }
        }
        // Only groups of the first pass are joined, or they would grow into chains.
        let first = group.clone();
        for i in (0..n).filter(|&i| needed[i] && first[i] == NONE) {
            let neighbours = strong(i).filter(|&(j, _)| first[j] != NONE);
            if let Some((j, _)) = neighbours.min_by(|a, b| a.1.total_cmp(&b.1)) {
                group[i] = first[j];
            }
        }
        for i in 0..n {
            if needed[i] && group[i] == NONE {
                group[i] = count;
                for (j, _) in strong(i) {
                    if group[j] == NONE {
                        group[j] = count;
                    }
                }
                count += 1;
            }
        }
        Self { group, count: count as usize }
    }
}
