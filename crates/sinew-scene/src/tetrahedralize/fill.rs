//! From the cut lattice to a mesh: every tetrahedron divided, vertices numbered in the order in which they come.

use super::cuts::Cut;
use super::domain::Domain;
use super::quick_hash::QuickMap;
use super::stencil::{Divide, Origin, Piece};
use crate::parallel;
use glam::DVec3;

/// Groups of tetrahedra that one task divides.
const CHUNK: usize = 1024;
/// The number of a vertex that has none yet.
const NONE: u32 = u32::MAX;

/// Tetrahedra with labels, while they are being improved.
#[derive(Clone, Debug, Default)]
pub(super) struct Labelled {
    pub points: Vec<DVec3>,
    pub tets: Vec<[u32; 4]>,
    pub labels: Vec<u16>,
}

/// Divides all tetrahedra.
pub(super) fn fill(cut: &Cut, domain: &Domain) -> Labelled {
    fill_with(cut, &|p| domain.label(p))
}

/// The same with labels of one's own for tetrahedra whose corners are all on surfaces.
pub(super) fn fill_with(cut: &Cut, label_at: &(dyn Fn(DVec3) -> u16 + Sync)) -> Labelled {
    let groups = cut.lattice.groups();
    let of_chunk = |chunk: usize| {
        let mut pieces: Vec<Piece> = Vec::new();
        for group in chunk * CHUNK..((chunk + 1) * CHUNK).min(groups) {
            for tet in cut.lattice.tetrahedra(group).into_iter().flatten() {
                Divide::pieces(cut, tet, label_at, &mut pieces);
            }
        }
        pieces
    };
    let mut mesh = Labelled::default();
    // Most vertices are points of the lattice, which have numbers already.
    let mut of_points = vec![NONE; cut.lattice.len()];
    let mut of_others: QuickMap<Origin, u32> = QuickMap::default();
    for (vertices, label) in parallel::map(groups.div_ceil(CHUNK), of_chunk).into_iter().flatten() {
        let tet = vertices.map(|vertex| {
            let number = match vertex.origin {
                Origin::Point(p) => &mut of_points[p as usize],
                other => of_others.entry(other).or_insert(NONE),
            };
            if *number == NONE {
                *number = mesh.points.len() as u32;
                mesh.points.push(vertex.at);
            }
            *number
        });
        mesh.tets.push(tet);
        mesh.labels.push(label);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::super::lattice::Lattice;
    use super::*;
    use crate::tet_quality::quality;
    use std::collections::BTreeMap;

    /// Random labels and random cuts, worse than any surface: angles are bounded, nothing is inverted, faces match, the volume is that of the box.
    fn worst_of_random(labels: u16, outside: bool, seeds: std::ops::Range<u64>) -> f64 {
        let mut least: f64 = 180.0;
        for seed in seeds {
            let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
            let mut random = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 11) as f64 / (1_u64 << 53) as f64
            };
            let lattice = Lattice { origin: DVec3::ZERO, spacing: 1.0, cubes: [8, 8, 8] };
            let first = u16::from(!outside);
            let named: Vec<u16> =
                (0..lattice.len()).map(|_| first + (random() * f64::from(labels)) as u16).collect();
            let mut shares = QuickMap::default();
            for a in 0..lattice.len() as u32 {
                for b in lattice.neighbours(a).filter(|&b| b > a) {
                    if named[a as usize] != named[b as usize] {
                        // Often at the limits, where angles are worst.
                        let share = match (random() * 3.0) as u32 {
                            0 => random(),
                            1 => super::super::cuts::alpha(&lattice, a, b),
                            _ => 1.0 - super::super::cuts::alpha(&lattice, a, b),
                        };
                        shares.insert((a, b), share);
                    }
                }
            }
            let cut = Cut::from_shares(lattice, named, shares);
            let mesh = fill_with(&cut, &|_| u16::from(!outside));
            let q = quality(&mesh.points, &mesh.tets);
            assert_eq!((q.inverted, q.degenerate), (0, 0));
            least = least.min(q.min_dihedral_deg);
            let mut faces: BTreeMap<[u32; 3], usize> = BTreeMap::new();
            for tet in &mesh.tets {
                for face in crate::tet_quality::FACES {
                    let mut key = face.map(|k| tet[k]);
                    key.sort_unstable();
                    *faces.entry(key).or_default() += 1;
                }
            }
            assert!(faces.values().all(|&n| n <= 2));
            if !outside {
                // Without an outside, faces that belong to one tetrahedron only are those at the end of the box.
                let whole: f64 = (0..cut.lattice.groups())
                    .filter_map(|g| cut.lattice.tetrahedra(g))
                    .flatten()
                    .map(|tet| crate::tet_quality::signed_volume(tet.map(|p| cut.positions[p as usize])))
                    .sum();
                assert!((q.volume - whole).abs() < 1e-9 * whole, "{} {whole}", q.volume);
                let rim: std::collections::HashSet<u64> = (0..cut.lattice.groups())
                    .filter_map(|g| cut.lattice.tetrahedra(g))
                    .flatten()
                    .flatten()
                    .filter(|&p| {
                        let place = cut.lattice.place(p);
                        (0..3).any(|k| place[k] <= 1 || place[k] >= 2 * cut.lattice.cubes[k] as i64 - 1)
                    })
                    .map(u64::from)
                    .collect();
                assert!(!rim.is_empty());
            }
        }
        least
    }

    fn seeds(usual: u64) -> u64 {
        if std::env::var_os("SINEW_SOAK").is_some() { 3_000 } else { usual }
    }

    #[test]
    fn angles_of_one_surface_are_bounded_whatever_it_is() {
        let least = worst_of_random(2, true, 1..seeds(20));
        println!("least of one surface: {least}°");
        assert!(least > 10.0, "{least}°");
    }

    #[test]
    fn angles_of_several_surfaces_are_bounded() {
        let two = worst_of_random(2, false, 1..seeds(10));
        let many = worst_of_random(6, false, 1..seeds(10));
        println!("least of two labels: {two}°, of six: {many}°");
        assert!(two > 8.5 && many > 8.5, "{two}° {many}°");
    }
}
