//! The surface of a shape as triangles: a surface net.
//!
//! Space is divided into cubes. A cube with corners inside and outside gets a vertex, at the mean of the places where the surface passes its edges; an edge between inside and
//! outside gets two triangles that connect the vertices of the four cubes around it. So the surface is closed and faces outwards by construction. Vertices then move
//! onto the surface along the gradient of the distance, but not out of reach of their cubes.
//!
//! Cubes far from the surface are skipped in blocks: the distance says how far. Distances to ellipsoids are approximate, so twice the block counts as near.
//! Blocks are made in parallel and put together in their order.

use super::shape::{Shape, Tint};
use crate::parallel;
use glam::DVec3;

/// A closed triangle surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Net {
    /// Vertex positions, #V.
    pub points: Vec<DVec3>,
    /// Triangles, #F by 3, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Colours of the vertices, #V, or none.
    pub tints: Vec<Tint>,
}

/// Indices of a cube, or of its corner with the smallest coordinates.
type Cell = [i32; 3];

/// Cubes along a block.
const BLOCK: i32 = 8;
/// Steps towards the surface.
const STEPS: usize = 4;
/// No vertex.
const NONE: u32 = u32::MAX;

/// A block of cubes near the surface: its first cube, and the parts of the shape that matter there.
struct Block {
    first: Cell,
    part: Shape,
}

/// A vertex of the net in its cube.
struct Vertex {
    cube: Cell,
    place: DVec3,
    tint: Option<Tint>,
}

/// The surface of a shape with cubes of a size; empty for an empty shape.
pub fn surface_net(shape: &Shape, size: f64) -> Net {
    let Some((low, high)) = shape.bounds() else { return Net::default() };
    let low = low - 2.0 * size;
    let blocks = ((high - low) / size).to_array().map(|n| (n.ceil() as i32 + 3) / BLOCK + 1);
    let place = |at: Cell| low + size * DVec3::from(at.map(f64::from));
    let near = blocks_near(shape, blocks, size, place);
    let corners = distances(&near, blocks, place);

    let vertices = parallel::map(near.len(), |k| {
        let cubes = indices(near[k].first, near[k].first.map(|n| n + BLOCK));
        let of = |cube: Cell| {
            let start = crossing(cube, &corners, place)?;
            let place = settled(&near[k].part, start, size);
            Some(Vertex { cube, place, tint: shape.tint(place, size) })
        };
        cubes.filter_map(of).collect::<Vec<_>>()
    });
    let mut net = Net::default();
    let mut vertex_of = Grid::new(blocks.map(|n| n * BLOCK), NONE);
    for vertex in vertices.into_iter().flatten() {
        vertex_of.set(vertex.cube, net.points.len() as u32);
        net.points.push(vertex.place);
        net.tints.extend(vertex.tint);
    }
    let inside = |at: Cell| corners.get(at) < 0.0;
    let around = |cube: Cell, axis: usize| {
        let (starts, ends) = (inside(cube), inside(sum_of(cube, unit(axis, 1))));
        if starts == ends {
            return None;
        }
        let (u, v) = (unit(axis + 1, -1), unit(axis + 2, -1));
        let [a, b, c, d] =
            [sum_of(sum_of(cube, u), v), sum_of(cube, v), cube, sum_of(cube, u)].map(|at| vertex_of.get(at));
        let all = ![a, b, c, d].contains(&NONE);
        all.then_some(if starts { [a, b, c, d] } else { [d, c, b, a] })
    };
    for block in &near {
        for cube in indices(block.first, block.first.map(|n| n + BLOCK)) {
            let quads = (0..3).filter_map(|axis| around(cube, axis));
            quads.for_each(|quad| net.triangles.extend(halves(quad, &net.points)));
        }
    }
    net
}

/// The blocks that the surface may pass through.
fn blocks_near(shape: &Shape, blocks: Cell, size: f64, place: impl Fn(Cell) -> DVec3) -> Vec<Block> {
    let radius = 0.5 * f64::from(BLOCK + 1) * size * 3.0_f64.sqrt();
    let of = |block: Cell| {
        let first = block.map(|n| n * BLOCK);
        let middle = place(first) + 0.5 * f64::from(BLOCK) * size;
        if shape.distance(middle).abs() > 2.0 * radius {
            return None;
        }
        // Most parts are far from most blocks.
        Some(Block { first, part: shape.near(middle, radius) })
    };
    indices([0; 3], blocks).filter_map(of).collect()
}

/// Distances at the corners of the blocks near the surface; all others are far away and no numbers.
fn distances(near: &[Block], blocks: Cell, place: impl Fn(Cell) -> DVec3 + Sync) -> Grid<f64> {
    // A corner between blocks belongs to the first of them.
    let mut known = Grid::new(blocks, false);
    near.iter().for_each(|block| known.set(block.first.map(|n| n / BLOCK), true));
    let owner = |at: Cell| {
        let from = at.map(|n| if n % BLOCK == 0 { (n / BLOCK - 1).max(0) } else { n / BLOCK });
        let to = std::array::from_fn(|k| (at[k] / BLOCK + 1).min(blocks[k]));
        indices(from, to).find(|&block| known.get(block))
    };
    let own = |block: &Block| {
        let number = Some(block.first.map(|n| n / BLOCK));
        let corners = indices(block.first, block.first.map(|n| n + BLOCK + 1));
        corners.filter(|&at| owner(at) == number).map(|at| (at, block.part.distance(place(at)))).collect()
    };
    let mut corners = Grid::new(blocks.map(|n| n * BLOCK + 1), f64::NAN);
    let all: Vec<Vec<(Cell, f64)>> = parallel::map(near.len(), |k| own(&near[k]));
    all.into_iter().flatten().for_each(|(at, distance)| corners.set(at, distance));
    corners
}

/// The mean of the places where the surface passes the edges of a cube.
fn crossing(cube: Cell, corners: &Grid<f64>, place: impl Fn(Cell) -> DVec3) -> Option<DVec3> {
    let one = corners.get(cube) < 0.0;
    if indices(cube, cube.map(|n| n + 2)).all(|at| (corners.get(at) < 0.0) == one) {
        return None;
    }
    let (mut sum, mut crossings) = (DVec3::ZERO, 0.0);
    for (a, b) in edges() {
        let (a, b) = (sum_of(cube, a), sum_of(cube, b));
        let (da, db) = (corners.get(a), corners.get(b));
        if (da < 0.0) != (db < 0.0) {
            sum += place(a).lerp(place(b), da / (da - db));
            crossings += 1.0;
        }
    }
    Some(sum / crossings)
}

/// A value for every cell of a box that begins at the origin.
struct Grid<T> {
    count: Cell,
    values: Vec<T>,
    elsewhere: T,
}

impl<T: Copy> Grid<T> {
    fn new(count: Cell, value: T) -> Self {
        let cells = count.iter().map(|&n| n as usize).product();
        Self { count, values: vec![value; cells], elsewhere: value }
    }

    fn index(&self, at: Cell) -> Option<usize> {
        let inside = (0..3).all(|k| (0..self.count[k]).contains(&at[k]));
        let [x, y, z] = at.map(|n| n as usize);
        inside.then(|| (x * self.count[1] as usize + y) * self.count[2] as usize + z)
    }

    fn get(&self, at: Cell) -> T {
        self.index(at).map_or(self.elsewhere, |index| self.values[index])
    }

    fn set(&mut self, at: Cell, value: T) {
        if let Some(index) = self.index(at) {
            self.values[index] = value;
        }
    }
}

/// Two triangles, divided along the shorter diagonal.
fn halves([a, b, c, d]: [u32; 4], points: &[DVec3]) -> [[u32; 3]; 2] {
    let length = |i: u32, j: u32| points[i as usize].distance(points[j as usize]);
    if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}

/// A point moved onto the surface, at most one size away.
fn settled(shape: &Shape, start: DVec3, size: f64) -> DVec3 {
    let mut p = start;
    for _ in 0..STEPS {
        p -= shape.distance(p) * shape.normal(p, 0.05 * size);
    }
    start + (p - start).clamp_length_max(0.7 * size)
}

/// All triples from `low` up to but not including `high`, the last fastest.
fn indices(low: Cell, high: Cell) -> impl Iterator<Item = Cell> {
    (low[0]..high[0])
        .flat_map(move |x| (low[1]..high[1]).flat_map(move |y| (low[2]..high[2]).map(move |z| [x, y, z])))
}

/// The twelve edges of a cube.
fn edges() -> impl Iterator<Item = (Cell, Cell)> {
    (0..3).flat_map(|axis| {
        let (u, v) = (unit(axis + 1, 1), unit(axis + 2, 1));
        [[0; 3], u, v, sum_of(u, v)].map(|from| (from, sum_of(from, unit(axis, 1))))
    })
}

fn unit(axis: usize, length: i32) -> Cell {
    std::array::from_fn(|k| if k == axis % 3 { length } else { 0 })
}

fn sum_of(a: Cell, b: Cell) -> Cell {
    std::array::from_fn(|k| a[k] + b[k])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{ball, ring};
    use crate::surface::{Edges, enclosed_volume};
    use std::f64::consts::PI;

    #[test]
    fn a_ball_has_the_volume_of_a_ball() {
        let net = surface_net(&Shape::new().join(0.0, ball([0.1, 0.2, 0.3], 0.5)), 0.05);
        let exact = 4.0 / 3.0 * PI * 0.125;
        assert!((enclosed_volume(&net.points, &net.triangles) / exact - 1.0).abs() < 0.01);
        assert_eq!(Edges::new(&net.triangles).open().count(), 0);
        let euler = net.points.len() as i64 - net.triangles.len() as i64 / 2;
        assert_eq!(euler, 2, "V − E + F of a sphere, with E = 3/2 F");
    }

    #[test]
    fn a_ring_has_a_hole_and_the_volume_of_a_ring() {
        let net = surface_net(&Shape::new().join(0.0, ring([0.0; 3], 0.5, 0.15)), 0.03);
        let exact = 2.0 * PI * PI * 0.5 * 0.15 * 0.15;
        assert!((enclosed_volume(&net.points, &net.triangles) / exact - 1.0).abs() < 0.02);
        assert_eq!(net.points.len() as i64 - net.triangles.len() as i64 / 2, 0);
    }

    #[test]
    fn what_is_cut_out_is_missing() {
        let whole = Shape::new().join(0.0, ball([0.0; 3], 0.5));
        let hollow = whole.cut(0.0, ball([0.0; 3], 0.3));
        let net = surface_net(&hollow, 0.04);
        let exact = 4.0 / 3.0 * PI * (0.125 - 0.027);
        assert!((enclosed_volume(&net.points, &net.triangles) / exact - 1.0).abs() < 0.02);
    }
}
