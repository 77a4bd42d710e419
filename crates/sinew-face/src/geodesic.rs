//! Distances and shortest paths along the edges of a mesh (Dijkstra).

use glam::DVec3;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Neighbours of each vertex, and the lengths of the edges to them.
pub(crate) type Adjacency = HashMap<u32, Vec<(u32, f64)>>;

pub(crate) fn adjacency(points: &[DVec3], triangles: &[[u32; 3]]) -> Adjacency {
    let mut edges: Adjacency = HashMap::new();
    for t in triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            let length = (points[a as usize] - points[b as usize]).length();
            edges.entry(a).or_default().push((b, length));
            edges.entry(b).or_default().push((a, length));
        }
    }
    edges
}

/// Distance of every vertex from the sources, infinite beyond `limit`.
pub(crate) fn distances(edges: &Adjacency, n: usize, sources: &[u32], limit: f64) -> Vec<f64> {
    let mut distance = vec![f64::INFINITY; n];
    // Non-negative floats have the order of their bits.
    let mut queue = BinaryHeap::new();
    for &s in sources {
        distance[s as usize] = 0.0;
        queue.push(Reverse((0_u64, s)));
    }
    while let Some(Reverse((bits, v))) = queue.pop() {
        let d = f64::from_bits(bits);
        if d > distance[v as usize] {
            continue;
        }
        for &(w, length) in edges.get(&v).map_or(&[][..], Vec::as_slice) {
            let there = d + length;
            if there < distance[w as usize] && there <= limit {
                distance[w as usize] = there;
                queue.push(Reverse((there.to_bits(), w)));
            }
        }
    }
    distance
}

/// The vertices of a shortest path; both ends alone if they are not connected.
pub(crate) fn shortest_path(edges: &Adjacency, n: usize, a: u32, b: u32) -> Vec<u32> {
    let distance = distances(edges, n, &[a], f64::INFINITY);
    let mut path = vec![b];
    let mut at = b;
    while at != a && distance[at as usize].is_finite() {
        let back = edges.get(&at).into_iter().flatten().min_by(|p, q| {
            (distance[p.0 as usize] + p.1).total_cmp(&(distance[q.0 as usize] + q.1)).then(p.0.cmp(&q.0))
        });
        let Some(&(next, _)) = back else { break };
        if distance[next as usize] >= distance[at as usize] {
            break;
        }
        path.push(next);
        at = next;
    }
    path.push(a);
    path
}
