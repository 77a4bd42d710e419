//! Better angles by moving vertices: a move is taken only if the worst dihedral angle around the vertex becomes larger, so the worst of the mesh never becomes smaller.
//!
//! Inner vertices move freely. Vertices between two labels move on the surface between them. Where three labels meet, the place is known no better than the lattice
//! is fine, and vertices move within a part of it.

use super::domain::{Domain, OUTSIDE};
use super::fill::Labelled;
use super::interfaces::neighbours;
use crate::tet_quality::{FACES, worst_angle};
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
const PULL: f64 = 15.0;
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

struct Around {
    /// Tetrahedra of each vertex: `tets[start[v]..start[v + 1]]`.
    start: Vec<usize>,
    tets: Vec<u32>,
    freedom: Vec<Freedom>,
}

impl Around {
    fn new(mesh: &Labelled) -> Self {
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

    fn of(&self, v: usize) -> &[u32] {
        &self.tets[self.start[v]..self.start[v + 1]]
    }
}

/// The worst angle of the tetrahedra around a vertex.
fn worst(mesh: &Labelled, tets: &[u32], enough: f64) -> f64 {
    let mut least = 1.0_f64;
    for &t in tets {
        least = least.min(worst_angle(mesh.tets[t as usize].map(|v| mesh.points[v as usize])));
        if least <= enough {
            break;
        }
    }
    least
}

/// Some passes over all vertices, in their order.
pub(super) fn smooth(mesh: &mut Labelled, domain: &Domain, size: f64, passes: usize) {
    let around = Around::new(mesh);
    let good = -GOOD.to_radians().cos();
    for pass in 0..passes {
        let mut moved = pull(mesh, &around, domain, size);
        let step = size / (5.0 + pass as f64);
        for v in 0..mesh.points.len() {
            let tets = around.of(v);
            let before = worst(mesh, tets, -3.0);
            if before >= good {
                continue;
            }
            moved += usize::from(improve(mesh, &around, domain, v, before, [step, size]));
        }
        if moved == 0 {
            break;
        }
    }
}

/// Moves vertices that are off their surface towards it: cuts of thin parts, which are thicker than they should be.
fn pull(mesh: &mut Labelled, around: &Around, domain: &Domain, size: f64) -> usize {
    let enough = -PULL.to_radians().cos();
    let mut moved = 0;
    for v in 0..mesh.points.len() {
        let Freedom::On(a, b) = around.freedom[v] else { continue };
        let own = mesh.points[v];
        let Some(nearest) = domain.nearest_between(a, b, own, f64::INFINITY) else { continue };
        if nearest.distance < OFF * size {
            continue;
        }
        let before = worst(mesh, around.of(v), -3.0);
        let at = [1.0, 0.75, 0.5, 0.25].into_iter().map(|s| own.lerp(nearest.point, s)).find(|&place| {
            mesh.points[v] = place;
            worst(mesh, around.of(v), -3.0) >= enough.min(before)
        });
        mesh.points[v] = at.unwrap_or(own);
        moved += usize::from(at.is_some());
    }
    moved
}

fn improve(
    mesh: &mut Labelled,
    around: &Around,
    domain: &Domain,
    v: usize,
    before: f64,
    [step, size]: [f64; 2],
) -> bool {
    let poor = before < -POOR.to_radians().cos();
    let (tets, own) = (around.of(v), mesh.points[v]);
    let freedom = around.freedom[v];
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
    let trials = middle.into_iter().flat_map(|m| [m, own.lerp(m, 0.5)]);
    let search = DIRECTIONS.iter().flat_map(|&d| [1.0, 0.3].map(|s| own + s * step * DVec3::from(d)));
    for trial in trials.chain(search) {
        let Some(place) = allowed(domain, freedom, trial, own, size, poor) else { continue };
        mesh.points[v] = place;
        let after = worst(mesh, tets, best.0);
        // More than rounding, or vertices would go on for ever.
        if after > best.0 + 1e-6 {
            best = (after, place);
        }
    }
    mesh.points[v] = best.1;
    best.1 != own
}

/// Where a vertex that wants to be at `trial` may be.
fn allowed(
    domain: &Domain,
    freedom: Freedom,
    trial: DVec3,
    own: DVec3,
    size: f64,
    poor: bool,
) -> Option<DVec3> {
    match freedom {
        Freedom::Free => Some(trial),
        Freedom::On(a, b) => {
            let nearest = domain.nearest_between(a, b, trial, 2.0 * size + trial.distance(own))?;
            Some(if poor && nearest.distance <= LEAVE * size { trial } else { nearest.point })
        }
        Freedom::Near(home) => (trial.distance(home) <= JUNCTION * size).then_some(trial),
    }
}

fn average(mesh: &Labelled, tets: &[u32], v: usize, counts: impl Fn(usize) -> bool) -> Option<DVec3> {
    let (mut sum, mut n) = (DVec3::ZERO, 0.0);
    // Neighbours count once for each shared tetrahedron: more where there are more.
    for w in tets.iter().flat_map(|&t| mesh.tets[t as usize]).map(|w| w as usize) {
        if w != v && counts(w) {
            sum += mesh.points[w];
            n += 1.0;
        }
    }
    (n > 0.0).then(|| sum / n)
}
