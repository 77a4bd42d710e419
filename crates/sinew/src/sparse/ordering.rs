//! Fill-reducing orderings: which unknowns to eliminate first so that the factor stays small.
//!
//! Nested dissection \[george1973, karypis1998\] splits the graph by small separators and eliminates those last. In volumes it needs about
//! half of the entries that approximate minimum degree \[amestoy1996\] leaves; on cloth the two are close, and either may win. The size alone
//! does not tell which, so both are tried and the smaller factor is taken: a solve reads the factor twice, thousands of times, and an
//! ordering is made once.

use super::SymmetricPattern;
use super::cholesky::{NotPositiveDefinite, view};
use super::elimination_tree::{Graph, postordered};
use faer::Side;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};

/// Below this many rows minimum degree is within a few percent, and the set-up of many small bodies stays cheap.
const NESTED_DISSECTION_FROM: usize = 500;

/// The supernodal symbolic factor of the better ordering, with the `last` rows of the matrix eliminated after all others that they are
/// connected with. Depends only on the pattern.
pub(super) fn smallest_factor(
    pattern: &SymmetricPattern,
    last: usize,
) -> Result<SymbolicCholesky<usize>, NotPositiveDefinite> {
    let whole = graph(pattern)?;
    let first = pattern.n() - last;
    let leading;
    let free = if last == 0 {
        pattern
    } else {
        leading = pattern.leading(first);
        &leading
    };
    let finish = |mut order: Vec<usize>| {
        order.extend(first..pattern.n());
        symbolic(pattern, &postordered(&whole, &order))
    };
    let by_degree = finish(minimum_degree(free)?)?;
    if first < NESTED_DISSECTION_FROM {
        return Ok(by_degree);
    }
    let Some(order) = nested_dissection(&graph(free)?) else { return Ok(by_degree) };
    let by_dissection = finish(order)?;
    Ok(if by_dissection.len_val() < by_degree.len_val() { by_dissection } else { by_degree })
}

fn symbolic(
    pattern: &SymmetricPattern,
    order: &[usize],
) -> Result<SymbolicCholesky<usize>, NotPositiveDefinite> {
    let mut place = vec![0; order.len()];
    for (k, &i) in order.iter().enumerate() {
        place[i] = k;
    }
    let ordering = SymmetricOrdering::Custom(PermRef::new_checked(order, &place, order.len()));
    let parameters = CholeskySymbolicParams {
        supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
        ..Default::default()
    };
    factorize_symbolic_cholesky(view(pattern), Side::Lower, ordering, parameters)
        .map_err(|_| NotPositiveDefinite)
}

fn minimum_degree(pattern: &SymmetricPattern) -> Result<Vec<usize>, NotPositiveDefinite> {
    let n = pattern.n();
    if n == 0 {
        return Ok(Vec::new());
    }
    let (mut order, mut place) = (vec![0; n], vec![0; n]);
    let scratch = amd::order_maybe_unsorted_scratch::<usize>(n, pattern.rows.len());
    let mut memory = MemBuffer::try_new(scratch).map_err(|_| NotPositiveDefinite)?;
    let control = Default::default();
    amd::order_maybe_unsorted(&mut order, &mut place, view(pattern), control, MemStack::new(&mut memory))
        .map_err(|_| NotPositiveDefinite)?;
    Ok(order)
}

/// `None` if the crate refuses, and in WebAssembly, where the crate needs a clock that does not exist.
fn nested_dissection(graph: &Graph) -> Option<Vec<usize>> {
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    let n = graph.start.len() - 1;
    let pattern = feral_metis::CscPattern::new(n, &graph.start, &graph.neighbours)?;
    let order: Vec<usize> = feral_metis::metis_order(&pattern).ok()?.iter().map(|&i| i as usize).collect();
    let mut seen = vec![false; n];
    let fresh = |&i: &usize| i < n && !std::mem::replace(&mut seen[i], true);
    (order.len() == n && order.iter().all(fresh)).then_some(order)
}

fn graph(pattern: &SymmetricPattern) -> Result<Graph, NotPositiveDefinite> {
    let n = pattern.n();
    let off_diagonal = 2 * (pattern.rows.len() - n);
    if i32::try_from(off_diagonal).is_err() {
        return Err(NotPositiveDefinite);
    }
    let edges = || {
        (0..n).flat_map(|j| {
            let column = &pattern.rows[pattern.column_start[j]..pattern.column_start[j + 1]];
            column.iter().filter(move |&&i| i != j).map(move |&i| (i, j))
        })
    };
    let mut start = vec![0i32; n + 1];
    for (i, j) in edges() {
        start[i + 1] += 1;
        start[j + 1] += 1;
    }
    for i in 0..n {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut neighbours = vec![0; off_diagonal];
    for (i, j) in edges() {
        for (from, to) in [(i, j), (j, i)] {
            neighbours[next[from] as usize] = to as i32;
            next[from] += 1;
        }
    }
    Ok(Graph { start, neighbours })
}
