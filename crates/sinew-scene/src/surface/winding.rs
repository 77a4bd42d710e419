//! The generalised winding number of a triangle surface [jacobson2013winding], evaluated hierarchically [barill2018fastwinding].
//!
//! w(p) = 1/4π Σ Ω(triangle seen from p). It is 1 inside a closed surface and 0 outside; where the surface has gaps it changes smoothly, and
//! where it overlaps itself or has a face twice it is off by whole numbers or by little. Inside is w > ½: small faults do not flip it.
//!
//! Far triangles are taken together, as a dipole: w ≈ Σ Aₖnₖ · (c − p) / 4π|c − p|³, where |c − p| is at least [`FAR`] radii of the node.

use super::area_vector;
use super::tree::{Node, Tree};
use glam::DVec3;
use std::f64::consts::PI;

/// A node is far if its centre is this many radii away; the dipole is then right to a few hundredths.
const FAR: f64 = 2.2;

/// The triangles of a node from afar.
#[derive(Clone, Debug)]
struct Dipole {
    centre: DVec3,
    moment: DVec3,
    /// ([`FAR`] × radius)².
    far_squared: f64,
}

/// Winding numbers of a surface.
#[derive(Clone, Debug)]
pub struct Winding {
    tree: Tree,
    dipoles: Vec<Dipole>,
}

impl Winding {
    /// Prepares the surface of a tree.
    pub fn new(tree: Tree) -> Self {
        let dipoles = tree.nodes.iter().map(|node| dipole(node, &tree)).collect();
        Self { tree, dipoles }
    }

    /// The tree of the surface.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// w(p).
    pub fn at(&self, p: DVec3) -> f64 {
        let mut sum = 0.0;
        let mut near = Turn::default();
        let mut at = 0;
        // Left children follow their parents, so the next node is either the next one or the one after the subtree.
        let mut stack = [0_u32; 64];
        let mut depth = 0;
        while let Some(node) = self.tree.nodes.get(at) {
            let dipole = &self.dipoles[at];
            let to = dipole.centre - p;
            let squared = to.length_squared();
            if squared > dipole.far_squared {
                sum += dipole.moment.dot(to) / (squared * squared.sqrt());
            } else if node.right == 0 || depth == stack.len() {
                near.add(p, &self.tree.triangles[node.first as usize..node.end as usize]);
            } else {
                stack[depth] = node.right;
                depth += 1;
                at += 1;
                continue;
            }
            if depth == 0 {
                break;
            }
            depth -= 1;
            at = stack[depth] as usize;
        }
        (sum + near.solid_angle()) / (4.0 * PI)
    }
}

fn dipole(node: &Node, tree: &Tree) -> Dipole {
    let triangles = &tree.triangles[node.first as usize..node.end as usize];
    let (mut centre, mut moment, mut area) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for &[a, b, c] in triangles {
        let vector = area_vector([a, b, c]);
        let size = vector.length();
        centre += (a + b + c) / 3.0 * size;
        moment += vector;
        area += size;
    }
    let centre = if area > 0.0 { centre / area } else { 0.5 * (node.low + node.high) };
    let radius = triangles.iter().flatten().map(|p| p.distance_squared(centre)).fold(0.0, f64::max);
    Dipole { centre, moment, far_squared: FAR * FAR * radius }
}

/// A sum of solid angles Ω of triangles seen from a point, positive from behind, as a product of complex numbers: each has the angle Ω/2 (Van Oosterom and Strackee), and one
/// arctangent at the end is much cheaper than one for each.
struct Turn {
    real: f64,
    imaginary: f64,
    /// Full turns that the product has made.
    turns: f64,
}

impl Default for Turn {
    fn default() -> Self {
        Self { real: 1.0, imaginary: 0.0, turns: 0.0 }
    }
}

impl Turn {
    fn add(&mut self, p: DVec3, triangles: &[[DVec3; 3]]) {
        for &[a, b, c] in triangles {
            let (a, b, c) = (a - p, b - p, c - p);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let real = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            let imaginary = a.dot(b.cross(c));
            let size = real.abs() + imaginary.abs();
            // A point on an edge or a corner of the triangle sees no angle that could be told.
            if size > 0.0 {
                self.multiply(real / size, imaginary / size);
            }
        }
    }

    fn multiply(&mut self, real: f64, imaginary: f64) {
        let product =
            (self.real * real - self.imaginary * imaginary, self.real * imaginary + self.imaginary * real);
        let (first, second, result) = (self.imaginary >= 0.0, imaginary >= 0.0, product.1 >= 0.0);
        // Two angles of the same sign whose sum has the other one went past π.
        if first && second && !result {
            self.turns += 1.0;
        } else if !first && !second && result {
            self.turns -= 1.0;
        }
        let size = product.0.abs() + product.1.abs();
        (self.real, self.imaginary) = (product.0 / size, product.1 / size);
    }

    fn solid_angle(&self) -> f64 {
        2.0 * (self.imaginary.atan2(self.real) + 2.0 * PI * self.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::tests_support::sphere;

    fn solid_angle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
        let (a, b, c) = (a - p, b - p, c - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(denominator)
    }

    fn exact(p: DVec3, points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
        let of = |&t: &[u32; 3]| solid_angle(p, super::super::corners(points, t));
        triangles.iter().map(of).sum::<f64>() / (4.0 * PI)
    }

    #[test]
    fn a_sphere_has_an_inside_also_with_faces_missing_and_doubled() {
        let (points, mut triangles) = sphere(24);
        let whole = Winding::new(Tree::new(&points, &triangles));
        for (p, w) in [(DVec3::ZERO, 1.0), (DVec3::new(0.3, 0.8, 0.1), 1.0), (DVec3::new(0.9, 0.9, 0.0), 0.0)]
        {
            assert!((whole.at(p) - w).abs() < 0.05, "{p}: {}", whole.at(p));
        }
        triangles.remove(40);
        triangles.push(triangles[100]);
        let faulty = Winding::new(Tree::new(&points, &triangles));
        assert!(faulty.at(DVec3::new(0.0, 0.9, 0.0)) > 0.5);
        assert!(faulty.at(DVec3::new(0.0, -1.2, 0.0)) < 0.5);
    }

    #[test]
    fn taking_far_triangles_together_changes_little() {
        let (points, triangles) = sphere(24);
        let fast = Winding::new(Tree::new(&points, &triangles));
        for k in 0..100 {
            let angle = f64::from(k);
            let p = DVec3::new(angle.cos(), (2.1 * angle).sin(), (0.7 * angle).cos()) * (0.02 * angle);
            assert!((fast.at(p) - exact(p, &points, &triangles)).abs() < 0.05);
        }
    }
}
