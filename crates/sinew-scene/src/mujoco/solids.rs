//! Tetrahedra of the primitive solids: a fan from the centre to a round surface that was pushed onto theirs.

use crate::mesh_data::MeshData;
use glam::{DQuat, DVec3};

/// A primitive about the origin; capsules and cylinders are along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solid {
    /// Semi-axes.
    Ellipsoid(DVec3),
    /// Half of each side.
    Box(DVec3),
    /// Radius and half of the length of the straight part.
    Capsule(f64, f64),
    /// Radius and half of the length.
    Cylinder(f64, f64),
}

/// Adds the solid at a place, with a label.
pub(super) fn add(mesh: &mut MeshData, solid: Solid, (turn, centre): (DQuat, DVec3), label: i32) {
    let (directions, triangles) = sphere();
    let middle = mesh.points.len() as u32;
    mesh.points.push(centre);
    mesh.points.extend(directions.iter().map(|&d| centre + turn * surface(solid, d)));
    for [a, b, c] in triangles {
        mesh.tets.push([middle, middle + 1 + a, middle + 1 + b, middle + 1 + c]);
        mesh.regions.push(label);
    }
}

/// The point of the surface that belongs to a direction.
fn surface(solid: Solid, d: DVec3) -> DVec3 {
    match solid {
        Solid::Ellipsoid(axes) => axes * d,
        Solid::Box(half) => half * (d / d.abs().max_element()),
        Solid::Capsule(radius, half) => {
            let shift = if d.z.abs() < 1e-9 { 0.0 } else { half * d.z.signum() };
            radius * d + DVec3::new(0.0, 0.0, shift)
        }
        Solid::Cylinder(radius, half) => {
            let across = d.truncate().length();
            let scale = 1.0 / across.max(d.z.abs());
            DVec3::new(radius * d.x * scale, radius * d.y * scale, half * d.z * scale)
        }
    }
}

/// An octahedron whose faces were divided into 16: directions, and triangles that are counter-clockwise from outside.
fn sphere() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut points: Vec<DVec3> =
        [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]).collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for octant in 0..8_u32 {
        let [x, y, z] = [octant & 1, 2 + ((octant >> 1) & 1), 4 + (octant >> 2)];
        // Each reflection turns the triangle around.
        let turned = (octant.count_ones() & 1) == 1;
        triangles.push(if turned { [x, z, y] } else { [x, y, z] });
    }
    for _ in 0..2 {
        let mut halves: std::collections::BTreeMap<(u32, u32), u32> = std::collections::BTreeMap::new();
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(p, q)| {
                *halves.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    points.push((points[p as usize] + points[q as usize]).normalize());
                    points.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (points, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(solid: Solid) -> f64 {
        let mut mesh = MeshData::default();
        add(&mut mesh, solid, (DQuat::from_rotation_x(0.3), DVec3::ONE), 1);
        let six = |t: &[u32; 4]| {
            let [a, b, c, d] = t.map(|v| mesh.points[v as usize]);
            (b - a).cross(c - a).dot(d - a)
        };
        assert!(mesh.tets.iter().all(|t| six(t) > 0.0));
        mesh.tets.iter().map(six).sum::<f64>() / 6.0
    }

    #[test]
    fn volumes_are_those_of_the_solids() {
        use std::f64::consts::PI;
        let ball = 4.0 / 3.0 * PI;
        for (solid, exact) in [
            (Solid::Ellipsoid(DVec3::new(1.0, 2.0, 0.5)), ball),
            (Solid::Box(DVec3::new(1.0, 2.0, 0.5)), 8.0),
            (Solid::Capsule(1.0, 0.7), ball + PI * 1.4),
            (Solid::Cylinder(1.0, 0.7), PI * 1.4),
        ] {
            let ours = volume(solid);
            // Facets are inside round surfaces.
            assert!(ours < exact * (1.0 + 1e-9) && ours > 0.78 * exact, "{solid:?}: {ours}, {exact}");
        }
    }
}
