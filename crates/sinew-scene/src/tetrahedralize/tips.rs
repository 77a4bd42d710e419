//! Tips and edges that the lattice cut off: a vertex of the mesh moves out to where the surface is farthest from it.
//!
//! A sample of the surface that is far from the mesh asks the nearest vertex of the nearest face to come, all the way or a part of it, as long as angles stay good.
//! Vertices come to the farthest samples first, and each only once.

use super::distance::{self, Sample};
use super::domain::Domain;
use super::fill::Labelled;
use super::interfaces::{interfaces, trees};
use super::quick_hash::QuickSet;
use super::smooth::Around;
use crate::parallel;

/// Samples farther from the mesh than this share of the size are worth a move.
const FAR: f64 = distance::ENOUGH;
/// Angles stay above this, in degrees, or are not made worse.
const ANGLE: f64 = 14.0;

/// Moves vertices to samples, whose distances have been measured; the number of moves.
pub(super) fn reach_out(mesh: &mut Labelled, domain: &Domain, samples: &[Sample], size: f64) -> usize {
    let mut far: Vec<&Sample> = samples.iter().filter(|s| s.distance > FAR * size).collect();
    if far.is_empty() {
        return 0;
    }
    // The order of samples decides between equal ones.
    far.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    let faces = interfaces(mesh);
    let of = trees(mesh, &faces, domain.len());
    // A tree knows its triangles by their place in its own list.
    let lists: Vec<Vec<[u32; 3]>> = (1..=domain.len() as u16)
        .map(|label| {
            faces.iter().filter(|f| f.inner == label || f.outer == label).map(|f| f.triangle).collect()
        })
        .collect();
    let nearest = parallel::map(far.len(), |k| {
        let label = usize::from(far[k].inner) - 1;
        let face = of[label].nearest(far[k].at).map(|n| lists[label][n.triangle])?;
        let away = |v: &u32| mesh.points[*v as usize].distance_squared(far[k].at);
        face.into_iter().min_by(|a, b| away(a).total_cmp(&away(b)))
    });
    let around = Around::new(mesh);
    let enough = -ANGLE.to_radians().cos();
    let mut moved = QuickSet::default();
    let mut count = 0;
    for (sample, vertex) in far.iter().zip(nearest) {
        let Some(v) = vertex.filter(|&v| moved.insert(v)) else { continue };
        let own = mesh.points[v as usize];
        let least = around.worst(mesh, v, own).min(enough);
        let place = [1.0, 0.75, 0.5, 0.25].map(|share| own.lerp(sample.at, share));
        if let Some(place) = place.into_iter().find(|&place| around.worst(mesh, v, place) >= least) {
            mesh.points[v as usize] = place;
            count += 1;
        }
    }
    count
}
