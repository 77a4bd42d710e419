//! One mesh of one size: the steps of the method in their order, and again with more lattice points for what came out too far from the surface.

use super::cuts::{Cut, Given};
use super::distance::{self, Distance, Sample};
use super::domain::Domain;
use super::error::TetrahedralizeError;
use super::fill::{self, Labelled};
use super::interfaces::interfaces;
use super::lattice::Lattice;
use super::{ClosedSurface, bridges, coarsen, peel, pieces, smooth, strays, thin, tips};
use crate::surface::components;
use glam::DVec3;

/// Largest number of points of a lattice.
const MOST_POINTS: f64 = 6e7;
/// Passes of smoothing.
const PASSES: usize = 6;
/// Rounds in which what is thin gets points of the lattice.
const ROUNDS: usize = 4;
/// Rounds in which pieces of the same part are joined, each with its nearest.
const BRIDGES: usize = 6;
/// Labels from this one on are bones, and each becomes one piece.
const BONES: u16 = 2;
/// How often the whole is made again because something is too far away.
const REPEATS: usize = 4;
/// Tips that are farther than this share of the size from the mesh are worth a look.
const LATE: f64 = 0.4;
/// Rounds in which faces far from the surface are divided.
const DIVISIONS: usize = 3;
/// Where the distance is larger than the size, a repeat has to make it smaller than this share of the best one, or it is the last.
const WORTH: f64 = 0.97;
/// Surfaces that are farther than this share of the size from the mesh are named, and how many at most.
const FAR: f64 = 0.6;
const NAMED: usize = 5;
/// As near as every place should be, as a share of the size.
const NEAR: f64 = 0.58;

/// What a mesh is made from.
pub(super) struct Making<'a> {
    pub domain: &'a Domain,
    pub surfaces: &'a [ClosedSurface],
    /// Points and triangles of the surfaces.
    pub pairs: &'a [(&'a [DVec3], &'a [[u32; 3]])],
    pub coarser_inside: bool,
}

/// A mesh and what there is to say about it.
pub(super) struct Made {
    pub mesh: Labelled,
    pub distance: Distance,
    pub notes: Vec<String>,
}

impl Making<'_> {
    /// Vertices of a lattice that is cut, and coarser inside if asked for, but not improved.
    pub fn count(&self, size: f64) -> usize {
        let (low, high) = self.domain.bounds().unwrap_or_default();
        let cut = Cut::new(Lattice::around(low, high, size), self.domain).warped(&Given::default());
        let mut mesh = fill::fill(&cut, self.domain);
        if self.coarser_inside {
            coarsen::coarsen(&mut mesh, size);
        }
        mesh.points.len()
    }

    /// Refuses sizes whose lattice does not fit into memory.
    pub fn refuse_too_fine(&self, size: f64) -> Result<(), TetrahedralizeError> {
        let (low, high) = self.domain.bounds().unwrap_or_default();
        let points = Lattice::points_around(low, high, size);
        if points <= MOST_POINTS {
            return Ok(());
        }
        let extent = (high - low).max_element();
        let smallest = size * (points / MOST_POINTS).cbrt();
        Err(TetrahedralizeError::TooFine { size, points, most: MOST_POINTS, extent, smallest })
    }

    /// A mesh of a size, the best of a few.
    pub fn make(&self, size: f64) -> Result<Made, TetrahedralizeError> {
        let (low, high) = self.domain.bounds().unwrap_or_default();
        let lattice = Lattice::around(low, high, size);
        let mut cut = Cut::new(lattice.clone(), self.domain);
        let mut samples = distance::visible(self.domain, self.pairs, size);
        let mut given = Given::default();
        for _ in 0..ROUNDS {
            let mesh = fill::fill(&cut.warped(&given), self.domain);
            distance::from_surfaces(&mesh, &interfaces(&mesh), self.domain, &mut samples, size);
            let more = thin::hold_on(&samples, &lattice, self.domain, &mut given);
            if more.is_empty() {
                break;
            }
            cut.give(&more, &given, self.domain);
        }
        let parts: Vec<Vec<usize>> =
            self.pairs.iter().map(|(points, triangles)| components(points.len(), triangles).0).collect();
        let mut best: Option<Made> = None;
        for repeat in 0..=REPEATS {
            let warped = self.bridged(&mut cut, &mut given, &parts);
            let mut made = Made {
                mesh: fill::fill(&warped, self.domain),
                distance: Distance::default(),
                notes: Vec::new(),
            };
            self.connect(&mut made, size)?;
            peel::peel(&mut made.mesh);
            if self.coarser_inside {
                coarsen::coarsen(&mut made.mesh, size);
            }
            smooth::smooth(&mut made.mesh, self.domain, size, PASSES);
            let (distance, strays) = self.nearer(&mut made.mesh, &mut samples, size);
            made.distance = distance;
            made.notes.extend(self.farthest(&samples, &strays, size));
            if !given.is_empty() {
                let count = given.len();
                made.notes.push(format!(
                    "parts thinner than the size were kept by {count} points of the lattice; they are thicker than they should be, by up to {:.2} × size",
                    distance.to_surface / size
                ));
            }
            let enough = distance.hausdorff() <= NEAR * size;
            // Bones that are nearer to each other than the size stay too far from their surfaces, however often it is tried.
            let last = best.as_ref().map_or(f64::INFINITY, |b| b.distance.hausdorff());
            let idle = last > size && distance.hausdorff() > WORTH * last;
            if distance.hausdorff() < last {
                best = Some(made);
            }
            if enough || idle || repeat == REPEATS {
                break;
            }
            let mut more = thin::hold_on(&samples, &lattice, self.domain, &mut given);
            more.extend(thin::hold_off(&strays, &lattice, self.domain, &mut given));
            if more.is_empty() {
                break;
            }
            cut.give(&more, &given, self.domain);
        }
        best.ok_or(TetrahedralizeError::Size { size })
    }

    /// Brings the mesh nearer to the surfaces where it is far from them, as long as that helps, and measures.
    fn nearer(
        &self,
        mesh: &mut Labelled,
        samples: &mut [Sample],
        size: f64,
    ) -> (Distance, Vec<distance::Stray>) {
        let (domain, far) = (self.domain, thin::LOST * size);
        let mut best = distance::measure(mesh, domain, samples, size, far);
        for step in 0..=DIVISIONS {
            let wanted =
                if step == 0 { best.0.from_surface > LATE * size } else { best.0.to_surface > NEAR * size };
            let mut other = if wanted { mesh.clone() } else { continue };
            let changed = match step {
                0 => tips::reach_out(&mut other, domain, samples, size),
                _ => strays::divide(&mut other, domain, &best.1, size),
            };
            if changed == 0 {
                continue;
            }
            let mut again = samples.to_vec();
            let after = distance::measure(&other, domain, &mut again, size, far);
            if after.0.hausdorff() <= best.0.hausdorff() {
                (*mesh, best) = (other, after);
                samples.copy_from_slice(&again);
            } else if step > 0 {
                break;
            }
        }
        best
    }

    /// Where the mesh is farthest from a surface, for the surfaces where that is far.
    fn farthest(&self, samples: &[Sample], strays: &[distance::Stray], size: f64) -> Option<String> {
        let mut worst = vec![(0.0, DVec3::ZERO); self.surfaces.len()];
        let of_samples = samples.iter().map(|s| (s.inner, s.distance, s.at));
        let of_strays = strays.iter().map(|s| (s.face.inner.max(s.face.outer), s.distance, s.at));
        for (label, distance, at) in of_samples.chain(of_strays) {
            let worst = &mut worst[usize::from(label) - 1];
            if distance > worst.0 {
                *worst = (distance, at);
            }
        }
        let mut far: Vec<usize> = (0..worst.len()).filter(|&k| worst[k].0 > FAR * size).collect();
        far.sort_by(|&a, &b| worst[b].0.total_cmp(&worst[a].0));
        let one = |&k: &usize| {
            let (distance, at) = worst[k];
            let name = &self.surfaces[k].name;
            format!("{name}: {:.2} × size at ({:.4}, {:.4}, {:.4})", distance / size, at.x, at.y, at.z)
        };
        let told: Vec<String> = far.iter().take(NAMED).map(one).collect();
        let others = match far.len().saturating_sub(NAMED) {
            0 => String::new(),
            count => format!(", and {count} others"),
        };
        (!told.is_empty())
            .then(|| format!("farther than {FAR} × size from its surface: {}{others}", told.join(", ")))
    }

    /// Joins what belongs together, and warps.
    fn bridged(&self, cut: &mut Cut, given: &mut Given, parts: &[Vec<usize>]) -> Cut {
        let mut warped = cut.warped(given);
        for _ in 0..BRIDGES {
            let more = bridges::bridge(&warped, self.domain, parts, BONES, given);
            if more.is_empty() {
                break;
            }
            cut.give(&more, given, self.domain);
            warped = cut.warped(given);
        }
        warped
    }

    /// Makes every bone one piece, and checks that nothing is missing.
    fn connect(&self, made: &mut Made, size: f64) -> Result<(), TetrahedralizeError> {
        if self.surfaces.len() > 1 {
            for (label, crumbs) in pieces::connect(&mut made.mesh, BONES) {
                let name = &self.surfaces[usize::from(label) - 1].name;
                made.notes.push(format!(
                    "{name}: loose pieces ({}, {:.2} % of its volume) went to what surrounds them; a smaller size keeps them connected",
                    crumbs.pieces,
                    100.0 * crumbs.share
                ));
            }
        }
        let mut found = vec![false; self.surfaces.len()];
        made.mesh.labels.iter().for_each(|&label| found[usize::from(label) - 1] = true);
        match self.surfaces.iter().zip(found).find(|(_, found)| !found) {
            Some((surface, _)) => Err(TetrahedralizeError::Lost { name: surface.name.clone(), size }),
            None => Ok(()),
        }
    }
}
