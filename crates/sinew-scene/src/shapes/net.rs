//! The surface of a shape as triangles: a surface net.
//!
//! Space is divided into cubes. A cube with corners inside and outside gets a vertex, at the mean of the places where the surface passes its edges; an edge between inside and
//! outside gets two triangles that connect the vertices of the four cubes around it. So the surface is closed and faces outwards by construction. Vertices then move
//! onto the surface along the gradient of the distance, but not out of reach of their cubes.
//!
//! Cubes far from the surface are skipped in blocks: the distance says how far. Distances to ellipsoids are approximate, so twice the block counts as near.

use super::shape::{Shape, Tint};
use glam::DVec3;
use std::collections::HashMap;

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

/// The surface of a shape with cubes of a size; empty for an empty shape.
pub fn surface_net(shape: &Shape, size: f64) -> Net {
    let Some((low, high)) = shape.bounds() else { return Net::default() };
    let low = low - 2.0 * size;
    let count = ((high - low) / size).to_array().map(|n| n.ceil() as i32 + 3);
    let place = |at: Cell| low + size * DVec3::from(at.map(f64::from));
    // Distances at the corners near the surface, by corner; all others are far away.
    let mut corners: HashMap<Cell, f64> = HashMap::new();
    let (mut cubes, mut parts): (Vec<(Cell, u32)>, Vec<Shape>) = Default::default();
    let radius = 0.5 * f64::from(BLOCK + 1) * size * 3.0_f64.sqrt();
    for block in indices([0; 3], count.map(|n| n / BLOCK + 1)) {
        let first = block.map(|n| n * BLOCK);
        let middle = place(first) + 0.5 * f64::from(BLOCK) * size;
        if shape.distance(middle).abs() > 2.0 * radius {
            continue;
        }
        // Most parts are far from most blocks.
        let part = shape.near(middle, radius);
        for at in indices(first, first.map(|n| n + BLOCK + 1)) {
            corners.entry(at).or_insert_with(|| part.distance(place(at)));
        }
        for cube in indices(first, first.map(|n| n + BLOCK)) {
            cubes.push((cube, parts.len() as u32));
        }
        parts.push(part);
    }
    let inside = |at: Cell| corners.get(&at).is_some_and(|d| *d < 0.0);

    let mut net = Net::default();
    let mut vertex_of: HashMap<Cell, u32> = HashMap::new();
    for &(cube, part) in &cubes {
        let (mut sum, mut crossings) = (DVec3::ZERO, 0.0);
        for (a, b) in edges() {
            let (a, b) = (sum_of(cube, a), sum_of(cube, b));
            let (da, db) = (corners[&a], corners[&b]);
            if (da < 0.0) != (db < 0.0) {
                sum += place(a).lerp(place(b), da / (da - db));
                crossings += 1.0;
            }
        }
        if crossings > 0.0 {
            vertex_of.insert(cube, net.points.len() as u32);
            let place = settled(&parts[part as usize], sum / crossings, size);
            net.points.push(place);
            net.tints.extend(shape.tint(place, size));
        }
    }
    for &(cube, _) in &cubes {
        for axis in 0..3 {
            let along = unit(axis, 1);
            let (starts, ends) = (inside(cube), inside(sum_of(cube, along)));
            if starts == ends {
                continue;
            }
            let (u, v) = (unit(axis + 1, -1), unit(axis + 2, -1));
            let around = [sum_of(sum_of(cube, u), v), sum_of(cube, v), cube, sum_of(cube, u)]
                .map(|at| vertex_of.get(&at).copied());
            let [Some(a), Some(b), Some(c), Some(d)] = around else { continue };
            let quad = if starts { [a, b, c, d] } else { [d, c, b, a] };
            net.triangles.extend(halves(quad, &net.points));
        }
    }
    net
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
