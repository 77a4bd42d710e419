//! The elimination tree of a permuted matrix and its postorder \[liu1990\].
//!
//! Column k of L depends only on its descendants in the tree: parent(k) = min { i > k : Lᵢₖ ≠ 0 }. A postorder of the tree gives the same
//! fill, and makes every subtree a range of columns and every supernode a run of consecutive ones.

/// Both triangles of a symmetric pattern, without the diagonal.
#[derive(Debug)]
pub(super) struct Graph {
    /// Neighbours of i are `start[i]..start[i + 1]`.
    pub start: Vec<i32>,
    pub neighbours: Vec<i32>,
}

const NONE: usize = usize::MAX;

impl Graph {
    fn neighbours(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.start[i] as usize..self.start[i + 1] as usize;
        self.neighbours[range].iter().map(|&j| j as usize)
    }
}

/// parent(k) for the matrix whose row k is row `order[k]` of the graph, `NONE` for roots. Paths to the root are
/// compressed on the way, so the cost is nearly linear.
fn parents(graph: &Graph, order: &[usize]) -> Vec<usize> {
    let n = order.len();
    let mut place = vec![0; n];
    for (k, &i) in order.iter().enumerate() {
        place[i] = k;
    }
    let mut parent = vec![NONE; n];
    let mut ancestor = vec![NONE; n];
    for (k, &row) in order.iter().enumerate() {
        for neighbour in graph.neighbours(row) {
            let mut i = place[neighbour];
            while i < k {
                let next = std::mem::replace(&mut ancestor[i], k);
                if next == NONE {
                    parent[i] = k;
                }
                // NONE and k itself end the walk.
                i = next;
            }
        }
    }
    parent
}

/// The same elimination order with children before parents and subtree after subtree.
pub(super) fn postordered(graph: &Graph, order: &[usize]) -> Vec<usize> {
    let parent = parents(graph, order);
    let n = order.len();
    let mut first_child = vec![NONE; n];
    let mut sibling = vec![NONE; n];
    for i in (0..n).rev() {
        if parent[i] != NONE {
            sibling[i] = std::mem::replace(&mut first_child[parent[i]], i);
        }
    }
    let mut result = Vec::with_capacity(n);
    let mut path = Vec::new();
    for root in (0..n).filter(|&i| parent[i] == NONE) {
        path.push(root);
        while let Some(&i) = path.last() {
            match first_child[i] {
                NONE => {
                    path.pop();
                    result.push(order[i]);
                }
                child => {
                    first_child[i] = sibling[child];
                    path.push(child);
                }
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_postorder_visits_subtree_after_subtree() {
        // Arrow: two chains 0–2–4 and 1–3–4, eliminated in turns.
        let graph = Graph { start: vec![0, 1, 2, 4, 6, 8], neighbours: vec![2, 3, 0, 4, 1, 4, 2, 3] };
        let order = [0, 1, 2, 3, 4];
        assert_eq!(parents(&graph, &order), [2, 3, 4, 4, NONE]);
        assert_eq!(postordered(&graph, &order), [0, 2, 1, 3, 4]);
    }

    #[test]
    fn a_forest_keeps_all_its_trees() {
        let graph = Graph { start: vec![0, 0, 1, 2, 2], neighbours: vec![2, 1] };
        assert_eq!(postordered(&graph, &[3, 2, 1, 0]), [3, 2, 1, 0]);
    }
}
