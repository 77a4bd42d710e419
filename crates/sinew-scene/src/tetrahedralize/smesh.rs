//! TetGen's `.smesh`: the surfaces as facets with markers, and a point inside each region.
//!
//! TetGen needs surfaces that do not cross each other. It is a program of its own under the AGPL; Sinew only writes its input, and runs it if it is installed.

use super::ClosedSurface;
use super::domain::Domain;
use crate::surface::{Tree, area_vector, corners};
use glam::DVec3;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Depths below the surface that are tried for a point inside a region, as shares of the extent.
const DEPTHS: [f64; 6] = [0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4];
/// Triangles that are tried.
const TRIANGLES: usize = 400;

/// Writes surfaces as a TetGen `.smesh` file. Markers and region attributes are the numbers of the surfaces, counted from 1; a region is what is inside its surface and
/// inside no later one.
///
/// # Errors
/// What the system reports.
pub fn write_smesh(path: &Path, surfaces: &[ClosedSurface]) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    let points: usize = surfaces.iter().map(|s| s.points.len()).sum();
    writeln!(out, "# nodes\n{points} 3 0 0")?;
    for (number, p) in (1..).zip(surfaces.iter().flat_map(|s| &s.points)) {
        writeln!(out, "{number} {:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    let facets: usize = surfaces.iter().map(|s| s.triangles.len()).sum();
    writeln!(out, "# facets, with the number of their surface\n{facets} 1")?;
    let mut first = 1;
    for (k, surface) in surfaces.iter().enumerate() {
        for triangle in &surface.triangles {
            let [a, b, c] = triangle.map(|v| u64::from(v) + first);
            writeln!(out, "3 {a} {b} {c} {}", k + 1)?;
        }
        first += surface.points.len() as u64;
    }
    writeln!(out, "# holes\n0")?;
    let seeds = region_points(surfaces);
    writeln!(out, "# regions: a point inside and the number of the surface\n{}", seeds.len())?;
    for (k, (p, label)) in seeds.iter().enumerate() {
        writeln!(out, "{} {:?} {:?} {:?} {label}", k + 1, p.x, p.y, p.z)?;
    }
    out.flush()
}

/// A point well inside every region that has one, and the number of its surface.
fn region_points(surfaces: &[ClosedSurface]) -> Vec<(DVec3, u16)> {
    let domain = Domain::new(surfaces.iter().map(|s| Tree::new(&s.points, &s.triangles)));
    let mut found = Vec::new();
    for (k, surface) in surfaces.iter().enumerate() {
        let label = k as u16 + 1;
        let Some((low, high)) = domain.tree(k).bounds() else { continue };
        let extent = (high - low).max_element();
        let stride = surface.triangles.len().div_ceil(TRIANGLES);
        let seed = DEPTHS.iter().find_map(|depth| {
            surface.triangles.iter().step_by(stride).find_map(|&triangle| {
                let corners = corners(&surface.points, triangle);
                let inward = -area_vector(corners).normalize_or_zero();
                let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                let at = middle + depth * extent * inward;
                // Twice as deep is inside too: the point is not next to the other side.
                let deep = |p: DVec3| domain.label(p) == label;
                (deep(at) && deep(middle + 1.5 * depth * extent * inward)).then_some(at)
            })
        });
        found.extend(seed.map(|at| (at, label)));
    }
    found
}
