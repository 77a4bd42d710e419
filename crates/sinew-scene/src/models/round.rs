//! What is drawn of spheres and capsules, and bowls: surfaces of revolution about the y axis.

use super::{ModelError, check_amount, check_length};
use crate::mesh_data::MeshData;
use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Least number of segments of a circle.
const LEAST: usize = 3;

/// A capsule about the y axis, everything within `radius` of a segment of this `length` (metres) about the origin, with `segments` around; a sphere if the length is zero.
///
/// Its first two points, one for a sphere, are the ends of the segment; no triangle uses them. The others are on the surface.
///
/// # Errors
/// [`ModelError`] if a length is not positive and finite (that of a sphere is zero), or there are fewer than three segments or far too many.
pub fn capsule(radius: f64, length: f64, segments: usize) -> Result<MeshData, ModelError> {
    check_length("the radius", radius)?;
    if length != 0.0 {
        check_length("the length of the capsule", length)?;
    }
    check_segments(segments)?;
    let half = DVec3::Y * (0.5 * length);
    let axis = if length == 0.0 { vec![DVec3::ZERO] } else { vec![-half, half] };
    // From the south pole to the north; the circles at both ends of a cylinder are two.
    let rings = segments.div_ceil(4);
    let mut profile = Vec::new();
    for k in 0..=2 * rings {
        let angle = PI * k as f64 / (2 * rings) as f64 - FRAC_PI_2;
        let (out, up) = (radius * angle.cos(), radius * angle.sin());
        if k <= rings {
            profile.push((out, up - half.y));
        }
        if k > rings || (k == rings && length != 0.0) {
            profile.push((out, up + half.y));
        }
    }
    let mut mesh = MeshData { points: axis, ..MeshData::default() };
    revolve(&mut mesh, &profile, segments);
    Ok(mesh)
}

/// A bowl, the lower half of a hollow ball about the origin: `radius` inside, `wall` thick (metres), with `segments` around.
///
/// # Errors
/// [`ModelError`] if a length is not positive and finite, or there are fewer than three segments or far too many.
pub fn bowl(radius: f64, wall: f64, segments: usize) -> Result<MeshData, ModelError> {
    check_length("the radius of the bowl", radius)?;
    check_length("the wall of the bowl", wall)?;
    check_segments(segments)?;
    let rings = segments.div_ceil(4);
    let at = |radius: f64, k: usize| {
        let angle = FRAC_PI_2 * k as f64 / rings as f64;
        (radius * angle.sin(), -radius * angle.cos())
    };
    // Up along the outside, then down along the inside.
    let outside = (0..=rings).map(|k| at(radius + wall, k));
    let profile: Vec<_> = outside.chain((0..=rings).rev().map(|k| at(radius, k))).collect();
    let mut mesh = MeshData::default();
    revolve(&mut mesh, &profile, segments);
    Ok(mesh)
}

fn check_segments(segments: usize) -> Result<(), ModelError> {
    if segments < LEAST {
        return Err(ModelError::FewCells {
            what: "the number of segments of a circle",
            least: LEAST,
            given: segments,
        });
    }
    check_amount("a round surface", &[4, segments, segments])
}

/// Turns a profile of (distance from the y axis, height), which begins and ends on the axis, about that axis; triangles face to the right of the way along it.
fn revolve(mesh: &mut MeshData, profile: &[(f64, f64)], segments: usize) {
    let first = mesh.points.len() as u32;
    let count = segments as u32;
    let (bottom, top) = (profile[0].1, profile[profile.len() - 1].1);
    mesh.points.push(DVec3::Y * bottom);
    let circles = &profile[1..profile.len() - 1];
    for &(out, up) in circles {
        let corner = |k: u32| {
            let angle = TAU * f64::from(k) / f64::from(count);
            DVec3::new(out * angle.cos(), up, out * angle.sin())
        };
        mesh.points.extend((0..count).map(corner));
    }
    mesh.points.push(DVec3::Y * top);
    let last = mesh.points.len() as u32 - 1;
    let at = |circle: u32, k: u32| first + 1 + circle * count + k % count;
    let circles = circles.len() as u32;
    for k in 0..count {
        mesh.triangles.push([first, at(0, k), at(0, k + 1)]);
        for circle in 1..circles {
            let [a, b] = [at(circle - 1, k), at(circle - 1, k + 1)];
            let [c, d] = [at(circle, k), at(circle, k + 1)];
            mesh.triangles.extend([[a, c, b], [b, c, d]]);
        }
        mesh.triangles.push([last, at(circles - 1, k + 1), at(circles - 1, k)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::contact::ClosedMesh;

    fn volume(mesh: &MeshData) -> f64 {
        let part = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| mesh.points[i as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        mesh.triangles.iter().map(part).sum()
    }

    #[test]
    fn surfaces_are_closed_and_face_outward() {
        let sphere = capsule(0.5, 0.0, 64).unwrap();
        assert!((volume(&sphere) / (4.0 / 3.0 * PI * 0.125) - 1.0).abs() < 0.01);
        assert!(sphere.points[1..].iter().all(|p| (p.length() - 0.5).abs() < 1e-12));
        let rod = capsule(0.5, 2.0, 64).unwrap();
        assert!((volume(&rod) / (PI * 0.25 * 2.0 + 4.0 / 3.0 * PI * 0.125) - 1.0).abs() < 0.01);
        let bowl = bowl(1.0, 0.1, 64).unwrap();
        assert!((volume(&bowl) / (2.0 / 3.0 * PI * (1.331 - 1.0)) - 1.0).abs() < 0.01);
        for mesh in [sphere, rod, bowl] {
            let used = mesh.triangles[0][0];
            let points = mesh.points[used as usize..].to_vec();
            let triangles = mesh.triangles.iter().map(|t| t.map(|i| i - used)).collect();
            ClosedMesh::new(points, triangles).unwrap();
        }
    }

    #[test]
    fn bad_sizes_are_refused() {
        assert!(capsule(0.0, 0.0, 16).is_err() && capsule(1.0, -1.0, 16).is_err());
        assert!(capsule(1.0, 1.0, 2).is_err() && capsule(1.0, 1.0, 1_000_000).is_err());
        assert!(bowl(1.0, 0.0, 16).is_err() && bowl(f64::NAN, 0.1, 16).is_err());
    }
}
