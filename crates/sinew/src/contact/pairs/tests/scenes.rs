//! Boxes and cloths to detect pairs in, and random numbers.

use super::super::*;
use crate::mesh::boundary_triangles;
use crate::topology::BodyInfo;

/// Bodies one after the other.
#[derive(Default)]
pub(super) struct Scene {
    pub bodies: Vec<BodyInfo>,
    pub rest: Vec<DVec3>,
}

impl Scene {
    pub fn add(&mut self, x: Vec<DVec3>, tetrahedra: Vec<[u32; 4]>, triangles: Vec<[u32; 3]>) -> &mut Self {
        let first = self.rest.len() as u32;
        let tetrahedra: Vec<_> = tetrahedra.into_iter().map(|t| t.map(|v| v + first)).collect();
        let triangles: Vec<_> = triangles.into_iter().map(|t| t.map(|v| v + first)).collect();
        self.bodies.push(BodyInfo {
            mass_points: Vec::new(),
            rigid: false,
            name: String::new(),
            vertices: self.rest.len()..self.rest.len() + x.len(),
            elements: tetrahedra.len(),
            surface: if tetrahedra.is_empty() { triangles } else { boundary_triangles(&tetrahedra) },
            tetrahedra,
            springs: Vec::new(),
        });
        self.rest.extend(x);
        self
    }

    /// A box of n × n × n cubes, each of six tetrahedra.
    pub fn cube(&mut self, n: [usize; 3], low: DVec3, size: DVec3) -> &mut Self {
        let index = |i: [usize; 3]| (i[0] + (n[0] + 1) * (i[1] + (n[1] + 1) * i[2])) as u32;
        let mut x = Vec::new();
        let mut tetrahedra = Vec::new();
        for k in 0..=n[2] {
            for j in 0..=n[1] {
                for i in 0..=n[0] {
                    let share =
                        DVec3::new(i as f64 / n[0] as f64, j as f64 / n[1] as f64, k as f64 / n[2] as f64);
                    x.push(low + size * share);
                    if i == n[0] || j == n[1] || k == n[2] {
                        continue;
                    }
                    for (axes, odd) in [
                        ([0, 1, 2], false),
                        ([1, 2, 0], false),
                        ([2, 0, 1], false),
                        ([0, 2, 1], true),
                        ([2, 1, 0], true),
                        ([1, 0, 2], true),
                    ] {
                        let mut corner = [i, j, k];
                        let mut t = [index(corner); 4];
                        for (step, axis) in axes.into_iter().enumerate() {
                            corner[axis] += 1;
                            t[step + 1] = index(corner);
                        }
                        if odd {
                            t.swap(1, 2);
                        }
                        tetrahedra.push(t);
                    }
                }
            }
        }
        self.add(x, tetrahedra, Vec::new())
    }

    /// A cloth of n × m quads, at rest at `place(u, v)` with u, v in 0 to 1.
    pub fn cloth(&mut self, (n, m): (usize, usize), place: impl Fn(f64, f64) -> DVec3) -> &mut Self {
        let index = |i: usize, j: usize| (i + (n + 1) * j) as u32;
        let mut x = Vec::new();
        let mut triangles = Vec::new();
        for j in 0..=m {
            for i in 0..=n {
                x.push(place(i as f64 / n as f64, j as f64 / m as f64));
                if i < n && j < m {
                    let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
                    triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
        self.add(x, Vec::new(), triangles)
    }

    pub fn surfaces(&self, thickness: f64) -> Surfaces {
        Surfaces::new(&self.bodies, &self.rest, Some(thickness))
    }
}

pub(super) fn detect(surfaces: &Surfaces, which: (bool, bool), start: &[DVec3], end: &[DVec3]) -> Vec<Pair> {
    let mut out = Vec::new();
    PairDetector::new(surfaces).detect(surfaces, which, start, end, &mut out);
    assert!(out.is_sorted_by_key(|p| (p.vertex, p.triangle)));
    out
}

pub(super) fn normal(surfaces: &Surfaces, pair: &Pair, x: &[DVec3]) -> DVec3 {
    let [a, b, c] = surfaces.corners(pair.triangle as usize, x);
    (b - a).cross(c - a).normalize() * pair.side
}

/// Distance of the vertex to the plane of the triangle.
pub(super) fn height(surfaces: &Surfaces, pair: &Pair, x: &[DVec3]) -> f64 {
    let a = x[surfaces.triangles[pair.triangle as usize][0] as usize];
    normal(surfaces, pair, x).dot(x[pair.vertex as usize] - a)
}

/// A generator of numbers in 0 to 1.
pub(super) struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn vector(&mut self) -> DVec3 {
        2.0 * DVec3::new(self.next(), self.next(), self.next()) - 1.0
    }
}
