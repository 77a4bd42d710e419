//! Better angles by moving vertices: a move is taken only if the worst dihedral angle around the vertex becomes larger, so the worst of the mesh never becomes smaller.
//!
//! Inner vertices move freely. Vertices between two labels move on the surface between them. Where three labels meet, the place is known no better than the lattice
//! is fine, and vertices move within a part of it.

use super::domain::{Domain, Hints, OUTSIDE};
use super::fill::Labelled;
use super::interfaces::neighbours;
use crate::parallel;
use crate::tet_quality::{FACES, normal, worst_angle, worst_angle_with};
use glam::DVec3;

/// Tetrahedra with an angle below this are worth a search, in degrees.
const GOOD: f64 = 35.0;
/// Below this angle vertices may leave the surface a little, in degrees.
const POOR: f64 = 12.0;
/// How far they may leave it, as a share of the size.
const LEAVE: f64 = 0.12;
/// Vertices that are farther from the surface than this share of the size are pulled back to it. Nearer ones stay: on their way to the nearest point they would shorten tips.
const OFF: f64 = 0.25;
/// Vertices that are away from the surface are pulled onto it as far as angles stay above this, in degrees.
const PULL: f64 = 10.0;
/// How far a vertex where three labels meet may move from where it was, as a share of the size.
const JUNCTION: f64 = 0.2;
/// Directions of the search.
const DIRECTIONS: [[f64; 3]; 14] = [
    [1.0, 0.0, 0.0],
    [-1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, -1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, -1.0],
    [0.58, 0.58, 0.58],
    [-0.58, 0.58, 0.58],
    [0.58, -0.58, 0.58],
    [0.58, 0.58, -0.58],
    [-0.58, -0.58, 0.58],
    [-0.58, 0.58, -0.58],
    [0.58, -0.58, -0.58],
    [-0.58, -0.58, -0.58],
];

/// What a vertex may do.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Freedom {
    Free,
    On(u16, u16),
    Near(DVec3),
}

/// What is around each vertex.
pub(super) struct Around {
    /// Tetrahedra of each vertex: `tets[start[v]..start[v + 1]]`.
    start: Vec<usize>,
    tets: Vec<u32>,
    freedom: Vec<Freedom>,
}

impl Around {
    pub fn new(mesh: &Labelled) -> Self {
        let n = mesh.points.len();
        let mut start = vec![0; n + 1];
        mesh.tets.iter().flatten().for_each(|&v| start[v as usize + 1] += 1);
        (0..n).for_each(|v| start[v + 1] += start[v]);
        let mut next = start.clone();
        let mut tets = vec![0; 4 * mesh.tets.len()];
        for (t, tet) in mesh.tets.iter().enumerate() {
            for &v in tet {
                tets[next[v as usize]] = t as u32;
                next[v as usize] += 1;
            }
        }
        let mut outside = vec![false; n];
        for (t, sides) in neighbours(&mesh.tets).into_iter().enumerate() {
            for (f, _) in sides.iter().enumerate().filter(|(_, side)| side.is_none()) {
                FACES[f].iter().for_each(|&k| outside[mesh.tets[t][k] as usize] = true);
            }
        }
        let freedom = (0..n).map(|v| {
            let mut labels: Vec<u16> =
                tets[start[v]..start[v + 1]].iter().map(|&t| mesh.labels[t as usize]).collect();
            if outside[v] {
                labels.push(OUTSIDE);
            }
            labels.sort_unstable();
            labels.dedup();
            match labels[..] {
                [_] => Freedom::Free,
                [a, b] => Freedom::On(a, b),
                _ => Freedom::Near(mesh.points[v]),
            }
        });
        let freedom = freedom.collect();
        Self { start, tets, freedom }
    }

    /// The worst angle of the tetrahedra around a vertex if it were at a place.
    pub fn worst(&self, mesh: &Labelled, v: u32, place: DVec3) -> f64 {
        worst(mesh, self.of(v as usize), v, place)
    }

    /// The tetrahedra that have all of these corners; `tets` are those that this was made of.
    pub fn sharing(&self, tets: &[[u32; 4]], corners: &[u32]) -> Vec<u32> {
        let Some(&first) = corners.first() else { return Vec::new() };
        let all = |t: &&u32| corners.iter().all(|v| tets[**t as usize].contains(v));
        self.of(first as usize).iter().filter(all).copied().collect()
    }

    fn of(&self, v: usize) -> &[u32] {
        &self.tets[self.start[v]..self.start[v + 1]]
    }
}

/// Vertices in groups of which no two share a tetrahedron: those of a group can move at once, and the result is that of moving one after the other.
fn groups(mesh: &Labelled, around: &Around) -> Vec<Vec<u32>> {
    let mut group = vec![u32::MAX; mesh.points.len()];
    let mut groups: Vec<Vec<u32>> = Vec::new();
    // The last vertex that found a group taken by a neighbour.
    let mut taken: Vec<u32> = Vec::new();
    for v in 0..mesh.points.len() as u32 {
        for w in around.of(v as usize).iter().flat_map(|&t| mesh.tets[t as usize]) {
            if let Some(last) = taken.get_mut(group[w as usize] as usize) {
                *last = v;
            }
        }
        let own = taken.iter().position(|&last| last != v).unwrap_or(taken.len());
        if own == taken.len() {
            taken.push(u32::MAX);
            groups.push(Vec::new());
        }
        group[v as usize] = own as u32;
        groups[own].push(v);
    }
    groups
}

/// The tetrahedra around a vertex that is tried at many places.
struct Star {
    /// Corners, which of them is the vertex, and the normal of the face opposite to it, which stays.
    tets: Vec<([DVec3; 4], usize, DVec3)>,
}

impl Star {
    fn new(mesh: &Labelled, tets: &[u32], v: u32) -> Self {
        let of = |&t: &u32| {
            let tet = mesh.tets[t as usize];
            let corners = tet.map(|w| mesh.points[w as usize]);
            let own = tet.iter().position(|&w| w == v).unwrap_or(0);
            (corners, own, normal(corners, own))
        };
        Self { tets: tets.iter().map(of).collect() }
    }

    /// The worst angle if the vertex were at a place, or one that is no more than `enough`.
    fn worst(&self, place: DVec3, enough: f64) -> f64 {
        let mut least = 1.0_f64;
        for &(mut corners, own, opposite) in &self.tets {
            corners[own] = place;
            least = least.min(worst_angle_with(corners, own, opposite));
            if least <= enough {
                break;
            }
        }
        least
    }
}

/// The worst angle of the tetrahedra around a vertex if it were at a place.
fn worst(mesh: &Labelled, tets: &[u32], v: u32, place: DVec3) -> f64 {
    let mut least = 1.0_f64;
    for &t in tets {
        let at = |w: u32| if w == v { place } else { mesh.points[w as usize] };
        least = least.min(worst_angle(mesh.tets[t as usize].map(at)));
    }
    least
}

/// Some passes over all vertices.
pub(super) fn smooth(mesh: &mut Labelled, domain: &Domain, size: f64, passes: usize) {
    let around = Around::new(mesh);
    let groups = groups(mesh, &around);
    let mut all = |step: &(dyn Fn(&Labelled, u32) -> Option<DVec3> + Sync)| {
        let mut moved = 0;
        for group in &groups {
            let places = parallel::map(group.len(), |k| step(mesh, group[k]));
            for (&v, place) in group.iter().zip(places) {
                if let Some(place) = place {
                    mesh.points[v as usize] = place;
                    moved += 1;
                }
            }
        }
        moved
    };
    for pass in 0..passes {
        let reach = size / (5.0 + pass as f64);
        let pulled = all(&|mesh, v| pull(mesh, &around, domain, v, size));
        let improved = all(&|mesh, v| improve(mesh, &around, domain, v, [reach, size]));
        if pulled + improved == 0 {
            break;
        }
    }
}

/// Where a vertex that is off its surface moves towards it: cuts of thin parts, which are thicker than they should be.
fn pull(mesh: &Labelled, around: &Around, domain: &Domain, v: u32, size: f64) -> Option<DVec3> {
    let Freedom::On(a, b) = around.freedom[v as usize] else { return None };
    let own = mesh.points[v as usize];
    if domain.within(a, b, own, OFF * size, &mut Hints::default()).is_some() {
        return None;
    }
    let nearest = domain.nearest_between(a, b, own, f64::INFINITY)?;
    let tets = around.of(v as usize);
    let enough = worst(mesh, tets, v, own).min(-PULL.to_radians().cos());
    let trials = [1.0, 0.75, 0.5, 0.25].into_iter().map(|share| own.lerp(nearest.point, share));
    trials.into_iter().find(|&place| worst(mesh, tets, v, place) >= enough)
}

/// A better place for a vertex with a poor angle around it.
fn improve(
    mesh: &Labelled,
    around: &Around,
    domain: &Domain,
    v: u32,
    [step, size]: [f64; 2],
) -> Option<DVec3> {
    let (tets, own) = (around.of(v as usize), mesh.points[v as usize]);
    let before = worst(mesh, tets, v, own);
    if before >= -GOOD.to_radians().cos() {
        return None;
    }
    let star = Star::new(mesh, tets, v);
    let poor = before < -POOR.to_radians().cos();
    let freedom = around.freedom[v as usize];
    let mut best = (before, own);
    let middle = match freedom {
        Freedom::Free => average(mesh, tets, v, |_| true),
        Freedom::On(a, b) => {
            let same = Freedom::On(a, b);
            average(mesh, tets, v, |w| {
                around.freedom[w] == same || matches!(around.freedom[w], Freedom::Near(_))
            })
        }
        Freedom::Near(_) => None,
    };
    let mut hints = Hints::default();
    let mut attempt = |trial: DVec3| {
        let Some(place) = allowed(domain, freedom, trial, own, size, poor, &mut hints) else { return };
        let after = star.worst(place, best.0);
        // More than rounding, or vertices would go on for ever.
        if after > best.0 + 1e-6 {
            best = (after, place);
        }
    };
    middle.into_iter().flat_map(|m| [m, own.lerp(m, 0.5)]).for_each(&mut attempt);
    for direction in DIRECTIONS.map(DVec3::from) {
        [1.0, 0.3].into_iter().for_each(|share| attempt(own + share * step * direction));
    }
    (best.1 != own).then_some(best.1)
}

/// Where a vertex that wants to be at `trial` may be.
fn allowed(
    domain: &Domain,
    freedom: Freedom,
    trial: DVec3,
    own: DVec3,
    size: f64,
    poor: bool,
    hints: &mut Hints,
) -> Option<DVec3> {
    match freedom {
        Freedom::Free => Some(trial),
        Freedom::On(a, b) => {
            if poor && domain.within(a, b, trial, LEAVE * size, hints).is_some() {
                return Some(trial);
            }
            Some(domain.nearest_from(a, b, trial, 2.0 * size + trial.distance(own), hints)?.point)
        }
        Freedom::Near(home) => (trial.distance(home) <= JUNCTION * size).then_some(trial),
    }
}

fn average(mesh: &Labelled, tets: &[u32], v: u32, counts: impl Fn(usize) -> bool) -> Option<DVec3> {
    let (mut sum, mut n) = (DVec3::ZERO, 0.0);
    // Neighbours count once for each shared tetrahedron: more where there are more.
    for w in tets.iter().flat_map(|&t| mesh.tets[t as usize]) {
        if w != v && counts(w as usize) {
            sum += mesh.points[w as usize];
            n += 1.0;
        }
    }
    (n > 0.0).then(|| sum / n)
}
