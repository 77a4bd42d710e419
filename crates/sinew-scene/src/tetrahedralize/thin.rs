//! What is thinner than the lattice falls between its points and would be lost: a fin, the tip of an ear, a gap between two legs, a thin bone.
//!
//! Where a sample of a surface has no face of the mesh nearby, the lattice point nearest to the middle of what is thin there gets the label of the thin part (that of
//! the outside for a gap), and moves towards that middle. It is not warped onto a cut (`cuts`): its cuts keep their distance from it, so the part
//! becomes as thick as the angles need.

use super::cuts::Given;
use super::distance::{Sample, Stray};
use super::domain::Domain;
use super::lattice::Lattice;
use glam::DVec3;
use std::collections::BTreeMap;

/// A sample is lost if the mesh is farther away than this share of the size.
pub(super) const LOST: f64 = 0.45;
/// How far a point may move, as a share of the size.
pub(super) const REACH: f64 = 0.3;
/// Steps of a size in which thickness is measured, and how many sizes are tried.
const STEPS: usize = 16;
const SIZES: f64 = 2.0;

/// Points that are asked for, each by the place that is nearest to it.
#[derive(Default)]
struct Wanted {
    points: BTreeMap<u32, (f64, u16, DVec3)>,
}

impl Wanted {
    fn ask(&mut self, lattice: &Lattice, given: &Given, label: u16, place: DVec3) {
        let squared = |&p: &u32| lattice.position(p).distance_squared(place);
        let near = lattice.around_position(place);
        let nearest = near.min_by(|a, b| squared(a).total_cmp(&squared(b)).then(a.cmp(b)));
        let Some(point) = nearest.filter(|p| !given.contains_key(p)) else { return };
        let distance = squared(&point);
        let entry = self.points.entry(point).or_insert((distance, label, place));
        if distance < entry.0 {
            *entry = (distance, label, place);
        }
    }

    fn give(self, lattice: &Lattice, given: &mut Given) -> Vec<u32> {
        let points = self.points.keys().copied().collect();
        for (point, (_, label, place)) in self.points {
            let from = lattice.position(point);
            given.insert(point, (label, from + (place - from).clamp_length_max(REACH * lattice.spacing)));
        }
        points
    }
}

/// Adds points for all lost samples, and returns them.
pub(super) fn hold_on(samples: &[Sample], lattice: &Lattice, domain: &Domain, given: &mut Given) -> Vec<u32> {
    let mut wanted = Wanted::default();
    for sample in samples.iter().filter(|s| s.distance > LOST * lattice.spacing) {
        let (label, middle) = thin_part(sample, domain, lattice.spacing);
        wanted.ask(lattice, given, label, middle);
    }
    wanted.give(lattice, given)
}

/// Adds points where faces bridge a hollow: the lattice point there gets the label that the place has.
pub(super) fn hold_off(strays: &[Stray], lattice: &Lattice, domain: &Domain, given: &mut Given) -> Vec<u32> {
    let mut wanted = Wanted::default();
    for stray in strays.iter().filter(|s| s.distance > LOST * lattice.spacing) {
        wanted.ask(lattice, given, domain.label(stray.at), stray.at);
    }
    wanted.give(lattice, given)
}

/// The label of the thinner side of a sample, and the middle of that side.
fn thin_part(sample: &Sample, domain: &Domain, size: f64) -> (u16, DVec3) {
    let thickness = |direction: DVec3, label: u16| {
        let step = SIZES * size / (STEPS as f64 * SIZES);
        let count = (STEPS as f64 * SIZES) as usize;
        let end =
            (1..=count).find(|&k| domain.label(sample.at + (k as f64 - 0.5) * step * direction) != label);
        end.unwrap_or(count) as f64 * step
    };
    let inward = thickness(-sample.normal, sample.inner);
    let outward = thickness(sample.normal, sample.outer);
    // Half a size inside at most: what is thick has no middle that matters.
    if inward <= outward {
        (sample.inner, sample.at - 0.5 * inward.min(size) * sample.normal)
    } else {
        (sample.outer, sample.at + 0.5 * outward.min(size) * sample.normal)
    }
}
