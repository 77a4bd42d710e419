//! How far the faces between labels are from the surfaces that were given, both ways (Hausdorff), at samples a quarter of the size apart.

use super::domain::{Domain, Hints, OUTSIDE};
use super::fill::Labelled;
use super::interfaces::{Interface, interfaces, trees};
use super::quick_hash::QuickSet;
use crate::parallel;
use crate::surface::{Hint, area_vector, corners};
use glam::DVec3;
use serde::Serialize;

/// Samples per size along an edge.
const PER_SIZE: f64 = 4.0;
/// Largest number of samples along the edge of one triangle.
const MOST: f64 = 64.0;

/// Distances of samples up to this share of the size make no difference to anything, only whether they are as near as that.
pub(super) const ENOUGH: f64 = 0.4;
/// Samples and faces that one task looks at.
const CHUNK: usize = 256;

/// Largest distances, in units of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distance {
    /// From the faces of the mesh to the surface.
    pub to_surface: f64,
    /// From the surface to the faces of the mesh.
    pub from_surface: f64,
    /// Mean from the faces of the mesh to the surface, over samples.
    pub mean_to_surface: f64,
}

impl Distance {
    /// The larger of both ways.
    pub fn hausdorff(&self) -> f64 {
        self.to_surface.max(self.from_surface)
    }
}

/// A place of a given surface that the mesh should have a face near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub at: DVec3,
    /// Outwards.
    pub normal: DVec3,
    /// The label on the inner and on the outer side.
    pub inner: u16,
    pub outer: u16,
    /// How far the nearest face is; where that is no more than [`ENOUGH`], how far it is at most.
    pub distance: f64,
}

/// Points of a triangle in rows at most `step` apart, its corners among them.
fn samples([a, b, c]: [DVec3; 3], step: f64) -> impl Iterator<Item = DVec3> {
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let n = (longest / step).ceil().clamp(1.0, MOST) as usize;
    (0..=n).flat_map(move |i| {
        (0..=n - i).map(move |j| {
            let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
            a + u * (b - a) + v * (c - a)
        })
    })
}

/// The visible samples of the given surfaces: where the labels on the two sides differ. Of samples nearer to each other than a part of the size, one is enough.
pub(super) fn visible(domain: &Domain, surfaces: &[(&[DVec3], &[[u32; 3]])], size: f64) -> Vec<Sample> {
    let alone = domain.len() == 1;
    let cell = size / (2.5 * PER_SIZE);
    let mut all = Vec::new();
    for (k, (points, triangles)) in surfaces.iter().enumerate() {
        let own = k as u16 + 1;
        let mut taken = QuickSet::default();
        let mut places = Vec::new();
        for &t in *triangles {
            let triangle = corners(points, t);
            let normal = area_vector(triangle).normalize_or_zero();
            for at in samples(triangle, size / PER_SIZE) {
                if taken.insert((at / cell).floor().to_array().map(|x| x as i64)) {
                    places.push((at, normal));
                }
            }
        }
        let of = |p: usize| {
            let (at, normal) = places[p];
            let off = 1e-3 * size * normal;
            let (inner, outer) =
                if alone { (own, OUTSIDE) } else { (domain.label(at - off), domain.label(at + off)) };
            let seen = inner == own && outer != own;
            seen.then_some(Sample { at, normal, inner, outer, distance: f64::INFINITY })
        };
        all.extend(parallel::map(places.len(), of).into_iter().flatten());
    }
    all
}

/// Sets the distance of every sample to the faces of its label, and returns the largest one.
pub(super) fn from_surfaces(
    mesh: &Labelled,
    faces: &[Interface],
    domain: &Domain,
    samples: &mut [Sample],
    size: f64,
) -> f64 {
    let trees = trees(mesh, faces, domain.len());
    let of = |chunk: usize| {
        let (mut most, mut hint) = (0.0_f64, Hint::default());
        let part = chunk * CHUNK..((chunk + 1) * CHUNK).min(samples.len());
        let one = |sample: &Sample| {
            let tree = &trees[usize::from(sample.inner) - 1];
            // Neighbours are near the same face.
            tree.within(sample.at, most.min(ENOUGH * size), &mut hint).unwrap_or_else(|| {
                let nearest = tree.nearest_from(sample.at, f64::INFINITY, &mut hint);
                let distance = nearest.map_or(f64::INFINITY, |n| n.distance);
                most = most.max(distance);
                distance
            })
        };
        samples[part].iter().map(one).collect::<Vec<f64>>()
    };
    let distances = parallel::map(samples.len().div_ceil(CHUNK), of);
    samples.iter_mut().zip(distances.into_iter().flatten()).for_each(|(sample, d)| sample.distance = d);
    samples.iter().map(|s| s.distance).fold(0.0, f64::max)
}

/// A place on a face of the mesh, and how far the surface is from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stray {
    pub at: DVec3,
    pub distance: f64,
    pub face: Interface,
}

/// The largest distance both ways, and the places of faces that are farther away than `stray`; sets the distances of the samples.
pub(super) fn measure(
    mesh: &Labelled,
    domain: &Domain,
    samples_of_surfaces: &mut [Sample],
    size: f64,
    stray: f64,
) -> (Distance, Vec<Stray>) {
    let faces = interfaces(mesh);
    let of = |chunk: usize| {
        let (mut most, mut strays, mut hints) = (0.0_f64, Vec::new(), Hints::default());
        for face in &faces[chunk * CHUNK..((chunk + 1) * CHUNK).min(faces.len())] {
            let (a, b) = (face.inner, face.outer);
            for at in samples(corners(&mesh.points, face.triangle), size / PER_SIZE) {
                if domain.within(a, b, at, most.min(stray), &mut hints).is_some() {
                    continue;
                }
                let nearest = domain.nearest_from(a, b, at, f64::INFINITY, &mut hints);
                let distance = nearest.map_or(0.0, |n| n.distance);
                most = most.max(distance);
                if distance > stray {
                    strays.push(Stray { at, distance, face: *face });
                }
            }
        }
        (most, strays)
    };
    let (mut to_surface, mut strays) = (0.0_f64, Vec::new());
    for (most, far) in parallel::map(faces.len().div_ceil(CHUNK), of) {
        to_surface = to_surface.max(most);
        strays.extend(far);
    }
    let from_surface = from_surfaces(mesh, &faces, domain, samples_of_surfaces, size);
    (Distance { to_surface, from_surface, mean_to_surface: 0.0 }, strays)
}

/// The mean distance from the faces of the mesh to the surface, over samples.
pub(super) fn mean_to_surface(mesh: &Labelled, domain: &Domain, size: f64) -> f64 {
    let faces = interfaces(mesh);
    let of = |f: usize| {
        let face = &faces[f];
        let (mut sum, mut count, mut hints) = (0.0, 0.0, Hints::default());
        for at in samples(corners(&mesh.points, face.triangle), size / PER_SIZE) {
            let nearest = domain.nearest_from(face.inner, face.outer, at, f64::INFINITY, &mut hints);
            sum += nearest.map_or(0.0, |n| n.distance);
            count += 1.0;
        }
        (sum, count)
    };
    let add = |(sum, count): (f64, f64), (s, c): (f64, f64)| (sum + s, count + c);
    let (sum, count) = parallel::map(faces.len(), of).into_iter().fold((0.0, 0.0), add);
    if count > 0.0 { sum / count } else { 0.0 }
}
