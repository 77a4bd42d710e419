//! A binary hierarchy of axis-aligned boxes for nearest-neighbour queries.
//!
//! The hierarchy is built by halving at the median along the longest side, so its depth is ⌈log₂ n⌉ and so is the depth of the recursion.

use glam::DVec3;

/// A box, given by its low and high corners.
type Bounds = (DVec3, DVec3);

/// Number of items per leaf.
const LEAF: usize = 4;

/// The hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct BoundingBoxes {
    nodes: Vec<Node>,
    /// Items in the order of the leaves.
    order: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// The items `order[start..end]` are below this node.
    start: u32,
    end: u32,
    /// Index of its second child; the first child directly follows this node. 0 for a leaf.
    second: u32,
}

impl BoundingBoxes {
    /// Builds the hierarchy over items with these boxes.
    pub fn new(bounds: Vec<Bounds>) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(2 * bounds.len() / LEAF + 1),
            order: (0..bounds.len() as u32).collect(),
        };
        let n = bounds.len();
        if n > 0 {
            tree.build(&bounds, 0, n);
        }
        tree
    }

    fn build(&mut self, bounds: &[Bounds], start: usize, end: usize) {
        let node = self.nodes.len();
        let (low, high) = union(self.order[start..end].iter().map(|&i| bounds[i as usize]));
        self.nodes.push(Node { low, high, start: start as u32, end: end as u32, second: 0 });
        if end - start <= LEAF {
            return;
        }
        let size = high - low;
        let axis = if size.x >= size.y.max(size.z) {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let middle = |i: u32| bounds[i as usize].0[axis] + bounds[i as usize].1[axis];
        let half = (start + end) / 2;
        // Ties are broken by index, so that the tree is the same on every machine.
        self.order[start..end]
            .select_nth_unstable_by(half - start, |&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        self.build(bounds, start, half);
        self.nodes[node].second = self.nodes.len() as u32;
        self.build(bounds, half, end);
    }

    /// Corners of the box around everything.
    pub fn bounds(&self) -> Bounds {
        self.nodes.first().map_or((DVec3::ZERO, DVec3::ZERO), |n| (n.low, n.high))
    }

    /// Calls `visit(item)` for each item that may be nearer to `p` than the squared distance that the last visit returned.
    pub fn nearest(&self, p: DVec3, mut visit: impl FnMut(usize) -> f64) {
        if self.nodes.is_empty() {
            return;
        }
        let mut least = f64::INFINITY;
        // Deep enough for 2³² items: each level leaves at most one node behind.
        let mut stack = [(0u32, 0.0f64); 40];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (index, distance) = stack[depth];
            if distance >= least {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.second == 0 {
                for &i in &self.order[node.start as usize..node.end as usize] {
                    least = visit(i as usize);
                }
                continue;
            }
            let first = (index + 1, self.squared_distance(index + 1, p));
            let second = (node.second, self.squared_distance(node.second, p));
            // Visit the nearer child first.
            let (near, far) = if first.1 <= second.1 { (first, second) } else { (second, first) };
            stack[depth] = far;
            stack[depth + 1] = near;
            depth += 2;
        }
    }

    fn squared_distance(&self, node: u32, p: DVec3) -> f64 {
        let node = &self.nodes[node as usize];
        p.distance_squared(p.clamp(node.low, node.high))
    }
}

fn union(bounds: impl Iterator<Item = Bounds>) -> Bounds {
    let nothing = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    bounds.fold(nothing, |(low, high), (l, h)| (low.min(l), high.max(h)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(seed: &[[f64; 3]]) -> Vec<Bounds> {
        seed.iter().map(|&p| (DVec3::from(p), DVec3::from(p))).collect()
    }

    proptest! {
        #[test]
        fn the_nearest_agrees_with_a_plain_search(
            seed in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 1..60),
            p in prop::array::uniform3(-1.5f64..1.5),
        ) {
            let p = DVec3::from(p);
            let bounds = points(&seed);
            let tree = BoundingBoxes::new(bounds.clone());
            let mut least = f64::INFINITY;
            tree.nearest(p, |i| { least = least.min(p.distance_squared(bounds[i].0)); least });
            let plain = bounds.iter().map(|b| p.distance_squared(b.0)).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(least, plain);
        }
    }
}
