//! The edges of a triangle surface: which are open, which have more than two faces, how open edges form loops, what hangs together.

use std::collections::BTreeMap;

/// An edge as its two vertices, smaller number first.
type Edge = (u32, u32);

/// Counts of the faces at every edge.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// Faces that run along the edge from the smaller number to the larger, and the other way.
    ways: BTreeMap<Edge, (u32, u32)>,
}

/// A closed chain of open edges, in the direction in which a face that fills it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its vertices in order.
    pub vertices: Vec<u32>,
}

impl Edges {
    /// The edges of some triangles.
    pub fn new(triangles: &[[u32; 3]]) -> Self {
        let mut ways: BTreeMap<Edge, (u32, u32)> = BTreeMap::new();
        for &[a, b, c] in triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let way = ways.entry((from.min(to), from.max(to))).or_default();
                if from < to {
                    way.0 += 1;
                } else {
                    way.1 += 1;
                }
            }
        }
        Self { ways }
    }

    /// Edges with one face.
    pub fn open(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ways.iter().filter(|(_, way)| way.0 + way.1 == 1).map(|(&edge, _)| edge)
    }

    /// Edges with more than two faces.
    pub fn crowded(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ways.iter().filter(|(_, way)| way.0 + way.1 > 2).map(|(&edge, _)| edge)
    }

    /// Edges with two faces that run along it in the same direction: one of them faces the wrong way.
    pub fn twisted(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ways.iter().filter(|(_, way)| **way == (2, 0) || **way == (0, 2)).map(|(&edge, _)| edge)
    }

    /// Edges that as many faces run along one way as the other do not bound anything. A surface without any others is closed, however many
    /// faces meet at an edge.
    pub fn unbalanced(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ways.iter().filter(|(_, way)| way.0 != way.1).map(|(&edge, _)| edge)
    }

    /// The loops of the open edges, each in the direction of a face that would close it, and the number of open edges that form none.
    pub fn loops(&self) -> (Vec<Loop>, usize) {
        // A face runs from → to; the face that fills the hole runs back.
        let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (&(a, b), &way) in &self.ways {
            match way {
                (1, 0) => next.entry(b).or_default().push(a),
                (0, 1) => next.entry(a).or_default().push(b),
                _ => {}
            }
        }
        let (mut loops, mut left) = (Vec::new(), 0);
        while let Some(&start) = next.keys().next() {
            let mut chain: Vec<u32> = vec![start];
            let mut place: BTreeMap<u32, usize> = BTreeMap::from([(start, 0)]);
            loop {
                let at = chain[chain.len() - 1];
                let Some(to) = take(&mut next, at) else {
                    left += chain.len() - 1;
                    break;
                };
                match place.get(&to) {
                    // Where the chain meets itself, a loop comes off; the rest goes on.
                    Some(&first) => {
                        let vertices = chain.split_off(first);
                        vertices.iter().for_each(|v| _ = place.remove(v));
                        loops.push(Loop { vertices });
                        chain.push(to);
                        place.insert(to, first);
                        if first == 0 {
                            break;
                        }
                    }
                    None => {
                        place.insert(to, chain.len());
                        chain.push(to);
                    }
                }
            }
        }
        (loops, left)
    }
}

fn take(next: &mut BTreeMap<u32, Vec<u32>>, at: u32) -> Option<u32> {
    let list = next.get_mut(&at)?;
    let to = list.pop();
    if list.is_empty() {
        next.remove(&at);
    }
    to
}

/// The connected component of every triangle, by shared vertices, and how many there are. Components are numbered in the order of their first triangle.
pub fn components(vertices: usize, triangles: &[[u32; 3]]) -> (Vec<usize>, usize) {
    let mut parent: Vec<u32> = (0..vertices as u32).collect();
    for &[a, b, c] in triangles {
        let (ra, rb) = (root(&mut parent, a), root(&mut parent, b));
        parent[rb as usize] = ra;
        let rc = root(&mut parent, c);
        parent[rc as usize] = ra;
    }
    let mut number = vec![usize::MAX; vertices];
    let mut count = 0;
    let of = triangles.iter().map(|t| {
        let r = root(&mut parent, t[0]) as usize;
        if number[r] == usize::MAX {
            number[r] = count;
            count += 1;
        }
        number[r]
    });
    let of = of.collect();
    (of, count)
}

fn root(parent: &mut [u32], mut v: u32) -> u32 {
    while parent[v as usize] != v {
        parent[v as usize] = parent[parent[v as usize] as usize];
        v = parent[v as usize];
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_face_is_a_loop_of_three() {
        let tetrahedron = [[0, 2, 1], [0, 1, 3], [1, 2, 3]];
        let edges = Edges::new(&tetrahedron);
        assert_eq!(edges.open().count(), 3);
        let (loops, left) = edges.loops();
        assert_eq!(left, 0);
        assert_eq!(loops.len(), 1);
        let [a, b, c] = loops[0].vertices[..] else { panic!() };
        let mut closed = tetrahedron.to_vec();
        closed.push([a, b, c]);
        assert_eq!(Edges::new(&closed).unbalanced().count(), 0);
    }

    #[test]
    fn two_holes_that_share_a_vertex_are_two_loops() {
        // A fan of open edges around vertex 0: two triangles that touch in one point.
        let (loops, left) = Edges::new(&[[0, 1, 2], [0, 3, 4]]).loops();
        assert_eq!((loops.len(), left), (2, 0));
        assert!(loops.iter().all(|l| l.vertices.len() == 3));
    }

    #[test]
    fn what_shares_a_vertex_hangs_together() {
        let (of, count) = components(9, &[[0, 1, 2], [3, 4, 5], [2, 6, 7], [5, 8, 3]]);
        assert_eq!((of, count), (vec![0, 1, 0, 1], 2));
    }
}
