//! A tree of bounding boxes over triangles: the nearest point of a surface, and the triangles that a box touches.
//!
//! Built by splitting at the median of the longest side, ties by number: the same tree for the same triangles, whatever runs beside it.

use super::corners;
use glam::DVec3;

/// Largest number of triangles in a leaf.
const LEAF: usize = 4;

/// A box of the tree. Its left child comes next; a leaf has triangles `first..end` of the tree's order and no right child.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub low: DVec3,
    pub high: DVec3,
    pub first: u32,
    pub end: u32,
    /// 0 for a leaf.
    pub right: u32,
}

/// The point of a surface that is nearest to another point.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    /// The triangle that it is on.
    pub triangle: usize,
    /// Where it is.
    pub point: DVec3,
    /// How far away it is.
    pub distance: f64,
}

/// Where the last question of a tree was answered, to begin the next one there. It changes the time, never the answer.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// The triangle, in the order of the leaves.
    slot: u32,
}

impl Default for Hint {
    fn default() -> Self {
        Self { slot: u32::MAX }
    }
}

/// More than rounding, as a share.
const ROUNDING: f64 = 1e-10;

/// Triangles in boxes.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Corners of the triangles, in the order of the leaves.
    pub(super) triangles: Vec<[DVec3; 3]>,
    /// The number of each of them in the list that the tree was made from.
    numbers: Vec<u32>,
}

impl Tree {
    /// A tree over the triangles of a surface.
    pub fn new(points: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let all: Vec<[DVec3; 3]> = triangles.iter().map(|&t| corners(points, t)).collect();
        let middles: Vec<DVec3> = all.iter().map(|[a, b, c]| (*a + *b + *c) / 3.0).collect();
        let mut numbers: Vec<u32> = (0..all.len() as u32).collect();
        let mut nodes = Vec::with_capacity(all.len().max(1));
        if !all.is_empty() {
            split(&mut nodes, &mut numbers, 0, &all, &middles);
        }
        let triangles = numbers.iter().map(|&n| all[n as usize]).collect();
        Self { nodes, triangles, numbers }
    }

    /// The box around everything; `None` without triangles.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        self.nodes.first().map(|root| (root.low, root.high))
    }

    /// The nearest point of the surface; `None` without triangles.
    pub fn nearest(&self, p: DVec3) -> Option<Nearest> {
        self.nearest_within(p, f64::INFINITY)
    }

    /// The nearest point of the surface if it is nearer than `limit`.
    pub fn nearest_within(&self, p: DVec3, limit: f64) -> Option<Nearest> {
        self.nearest_from(p, limit, &mut Hint::default())
    }

    /// The same; where the point is near the one that the hint is from, it takes less time.
    pub fn nearest_from(&self, p: DVec3, limit: f64, hint: &mut Hint) -> Option<Nearest> {
        let mut best = limit * limit;
        if let (Some(&triangle), Some(root)) = (self.triangles.get(hint.slot as usize), self.nodes.first()) {
            // More than that by more than rounding, so that all triangles as near as this are looked at: which of them is taken must not depend on hints.
            let scale = p.length_squared() + root.low.length_squared() + root.high.length_squared();
            let squared = p.distance_squared(closest_on_triangle(p, triangle));
            best = best.min(squared * (1.0 + ROUNDING) + ROUNDING * ROUNDING * scale);
        }
        let mut found = None;
        self.descend(p, &mut best, |best, k, squared, point| {
            *best = squared;
            found = Some((k, point));
            false
        });
        found.map(|(k, point)| {
            hint.slot = k as u32;
            Nearest { triangle: self.numbers[k] as usize, point, distance: best.sqrt() }
        })
    }

    /// How far some triangle is that is nearer than `limit`, the one of the hint if it is: much faster than the nearest one. The hint keeps which.
    pub fn within(&self, p: DVec3, limit: f64, hint: &mut Hint) -> Option<f64> {
        let mut best = limit * limit;
        if let Some(&triangle) = self.triangles.get(hint.slot as usize) {
            let squared = p.distance_squared(closest_on_triangle(p, triangle));
            if squared < best {
                return Some(squared.sqrt());
            }
        }
        let mut found = None;
        self.descend(p, &mut best, |_, k, squared, _| {
            hint.slot = k as u32;
            found = Some(squared.sqrt());
            true
        });
        found
    }

    /// Goes through the triangles that may be nearer than √`best`, nearer boxes first; `f` is told of those that are, may lower `best`, and ends it by `true`.
    fn descend(&self, p: DVec3, best: &mut f64, mut f: impl FnMut(&mut f64, usize, f64, DVec3) -> bool) {
        let Some(root) = self.nodes.first() else { return };
        // Halves of halves: a path is at most as long as an index has bits, and leaves one box behind at every turn.
        let mut stack = [(0_u32, 0.0); 64];
        stack[0].1 = squared_distance_to_box(p, root);
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (at, distance) = stack[depth];
            if distance >= *best {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.right == 0 {
                for k in node.first as usize..node.end as usize {
                    let point = closest_on_triangle(p, self.triangles[k]);
                    let squared = p.distance_squared(point);
                    if squared < *best && f(best, k, squared, point) {
                        return;
                    }
                }
                continue;
            }
            let (left, right) = (at + 1, node.right);
            let to_left = squared_distance_to_box(p, &self.nodes[left as usize]);
            let to_right = squared_distance_to_box(p, &self.nodes[right as usize]);
            // The nearer one is looked at first, so that it prunes the other.
            (stack[depth], stack[depth + 1]) = if to_left <= to_right {
                ((right, to_right), (left, to_left))
            } else {
                ((left, to_left), (right, to_right))
            };
            depth += 2;
        }
    }

    /// Calls `f` with the shares of a segment at which it passes through triangles. A segment that touches an edge of a triangle may count there twice or not at all.
    pub fn passes(&self, from: DVec3, to: DVec3, mut f: impl FnMut(f64)) {
        let (low, high) = (from.min(to), from.max(to));
        let mut stack = [0_u32; 64];
        let (mut depth, mut at) = (0, 0_u32);
        while let Some(node) = self.nodes.get(at as usize) {
            if !(node.low.cmpgt(high).any() || node.high.cmplt(low).any()) {
                if node.right == 0 || depth == stack.len() {
                    let triangles = &self.triangles[node.first as usize..node.end as usize];
                    triangles.iter().filter_map(|&triangle| passage(from, to, triangle)).for_each(&mut f);
                } else {
                    stack[depth] = node.right;
                    depth += 1;
                    at += 1;
                    continue;
                }
            }
            if depth == 0 {
                break;
            }
            depth -= 1;
            at = stack[depth];
        }
    }

    /// Calls `f` with the number of every triangle whose leaf touches a box.
    pub fn touching(&self, low: DVec3, high: DVec3, mut f: impl FnMut(usize)) {
        let mut stack = vec![0_u32];
        while let Some(at) = stack.pop() {
            let Some(node) = self.nodes.get(at as usize) else { continue };
            if node.low.cmpgt(high).any() || node.high.cmplt(low).any() {
                continue;
            }
            if node.right == 0 {
                self.numbers[node.first as usize..node.end as usize].iter().for_each(|&n| f(n as usize));
            } else {
                stack.push(node.right);
                stack.push(at + 1);
            }
        }
    }
}

fn split(
    nodes: &mut Vec<Node>,
    numbers: &mut [u32],
    offset: usize,
    all: &[[DVec3; 3]],
    middles: &[DVec3],
) -> u32 {
    let here = nodes.len();
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    for &n in numbers.iter() {
        for corner in all[n as usize] {
            low = low.min(corner);
            high = high.max(corner);
        }
    }
    let (first, end) = (offset as u32, (offset + numbers.len()) as u32);
    nodes.push(Node { low, high, first, end, right: 0 });
    if numbers.len() > LEAF {
        let size = high - low;
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let half = numbers.len() / 2;
        numbers.select_nth_unstable_by(half, |&a, &b| {
            middles[a as usize][axis].total_cmp(&middles[b as usize][axis]).then(a.cmp(&b))
        });
        let (left, right) = numbers.split_at_mut(half);
        // Which triangles go left is certain, their order within is not part of the contract: sorted, it is.
        left.sort_unstable();
        right.sort_unstable();
        split(nodes, left, offset, all, middles);
        let other = split(nodes, right, offset + half, all, middles);
        nodes[here].right = other;
    }
    here as u32
}

#[inline]
fn squared_distance_to_box(p: DVec3, node: &Node) -> f64 {
    (node.low - p).max(p - node.high).max(DVec3::ZERO).length_squared()
}

/// The share of a segment at which it passes through a triangle.
fn passage(from: DVec3, to: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let along = to - from;
    let (ab, ac) = (b - a, c - a);
    let across = along.cross(ac);
    let turn = ab.dot(across);
    if turn == 0.0 {
        return None;
    }
    let off = from - a;
    let u = off.dot(across) / turn;
    let normal = off.cross(ab);
    let (v, share) = (along.dot(normal) / turn, ac.dot(normal) / turn);
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&share)).then_some(share)
}

/// The nearest point of a triangle, by the region of the plane that the point is over.
#[inline]
pub(crate) fn closest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * ratio(d1, d1 - d3);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * ratio(d2, d2 - d6);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ratio(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let sum = va + vb + vc;
    if sum == 0.0 { a } else { a + ab * (vb / sum) + ac * (vc / sum) }
}

/// A share of an edge; 0 on an edge without length.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::tests_support::sphere;

    #[test]
    fn a_segment_passes_through_a_sphere_where_it_should() {
        let (points, triangles) = sphere(24);
        let tree = Tree::new(&points, &triangles);
        let shares = |from: DVec3, to: DVec3| {
            let mut found = Vec::new();
            tree.passes(from, to, |share| found.push(share));
            found.sort_by(f64::total_cmp);
            found
        };
        let (inside, outside) = (DVec3::new(0.11, -0.07, 0.03), DVec3::new(1.7, 0.9, 0.4));
        let once = shares(inside, outside);
        assert_eq!(once.len(), 1);
        assert!((inside.lerp(outside, once[0]).length() - 1.0).abs() < 0.01);
        assert_eq!(shares(-outside, outside).len(), 2);
        assert!(shares(outside, 2.0 * outside).is_empty());
    }

    #[test]
    fn the_nearest_point_is_that_of_a_search_over_all_triangles() {
        let mut state = 12345_u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let points: Vec<DVec3> = (0..300).map(|_| DVec3::new(random(), random(), random())).collect();
        let triangles: Vec<[u32; 3]> = (0..100).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let tree = Tree::new(&points, &triangles);
        let (mut hint, mut other) = (Hint::default(), Hint::default());
        for _ in 0..200 {
            let p = 2.0 * DVec3::new(random(), random(), random()) - 0.5;
            let all = triangles.iter().map(|&t| p.distance(closest_on_triangle(p, corners(&points, t))));
            let expected = all.fold(f64::INFINITY, f64::min);
            let found = tree.nearest(p).unwrap();
            assert!((found.distance - expected).abs() < 1e-14);
            assert!((found.point.distance(p) - expected).abs() < 1e-14);
            let from_hint = tree.nearest_from(p, f64::INFINITY, &mut hint).unwrap();
            assert_eq!((from_hint.triangle, from_hint.point), (found.triangle, found.point));
            for limit in [0.9 * expected, 1.1 * expected] {
                let near = tree.within(p, limit, &mut other);
                assert_eq!(near.is_some(), limit > expected);
                assert!(near.is_none_or(|d| expected <= d + 1e-14 && d < limit));
            }
        }
    }
}
