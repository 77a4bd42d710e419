//! The skin onto the scan: every vertex goes to the nearest place of the scan that faces the same way, in a few rounds, and what is below settles as passive flesh does, bones included. Where a tetrahedron would lose too much volume, the skin around it is held back.

use super::{TransferOptions, volume};
use crate::error::FaceError;
use crate::muscles::activation::{PASSIVE, symmetric};
use crate::muscles::blend::Blend;
use crate::muscles::equilibrium::{Drive, Precision};
use crate::muscles::jaw::Jaw;
use crate::muscles::model::{Face, Hold};
use crate::muscles::scan::{Scan, Surface};
use crate::muscles::study::normals;
use crate::muscles::system::System;
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Share of the way that is gone in each round, and how often the way is averaged over neighbours of the skin before.
const ROUNDS: [(f64, usize); 6] = [(0.3, 8), (0.5, 4), (0.7, 2), (1.0, 1), (1.0, 0), (1.0, 0)];
/// How often the skin around a bad tetrahedron is held back in a round.
const HELD_BACK: usize = 12;
/// What is left of a step of Newton here is far below what a scan resolves.
const PRECISION: Precision = Precision { step: 1e-5, iterations: 100 };

pub(super) struct Settled {
    pub points: Vec<DVec3>,
    pub skin: [usize; 2],
    pub distances: Vec<f64>,
    pub least_volume: f64,
}

pub(super) fn settle(warped: &Face, scan: &Scan, options: &TransferOptions) -> Result<Settled, FaceError> {
    let surface = Surface::new(scan);
    let on_skin: BTreeSet<u32> = warped.surface[..warped.skin].iter().flatten().copied().collect();
    let mut x = warped.points.clone();
    let aim = |x: &[DVec3]| -> BTreeMap<u32, DVec3> {
        let normals = normals(warped, x);
        let partner = |&v: &u32| {
            let p = surface.partner(x[v as usize], normals[v as usize], options.reach)?;
            Some((v, p - x[v as usize]))
        };
        on_skin.iter().filter_map(partner).collect()
    };
    let mut ways = aim(&x);
    let brought: Vec<u32> = ways.keys().copied().collect();
    let seen = warped.scanned.iter().filter(|v| ways.contains_key(v)).count();
    if 2 * seen < warped.scanned.len() {
        return Err(FaceError::Muscles(format!(
            "after the warp only {seen} of {} vertices of the face are within {} mm of skin of the scan that faces the same way: look at the landmarks, at which vertices of the scan are skin, and whether its triangles face outwards",
            warped.scanned.len(),
            1e3 * options.reach
        )));
    }
    let neighbours = neighbours(warped, &brought);
    let mut system = flesh_below(warped, &brought)?;
    let drive = Drive {
        activations: vec![symmetric(&PASSIVE); system.elements()],
        jaw: Jaw::default(),
        forces: Vec::new(),
    };
    let mut settled = x.clone();
    for (share, sweeps) in ROUNDS {
        let now = aim(&x);
        ways = brought.iter().map(|v| (*v, now.get(v).copied().unwrap_or(DVec3::ZERO))).collect();
        together(warped, &mut ways);
        (0..sweeps).for_each(|_| ways = averaged(&ways, &neighbours));
        let mut pace: BTreeMap<u32, f64> = brought.iter().map(|v| (*v, share)).collect();
        for _ in 0..HELD_BACK {
            for v in &brought {
                system.points[*v as usize] = x[*v as usize] + pace[v] * ways[v];
            }
            let bad: Vec<u32> = match system.equilibrium(&drive, &x, &PRECISION) {
                Ok(balance) => {
                    settled = balance.x;
                    let small = |tet: &&[u32; 4]| {
                        volume(tet, &settled) < options.least_volume * volume(tet, &warped.points)
                    };
                    warped.tets.iter().filter(small).flatten().copied().collect()
                }
                Err(_) => brought.clone(),
            };
            if bad.is_empty() {
                x.clone_from(&settled);
                break;
            }
            let near: BTreeSet<u32> = bad
                .iter()
                .flat_map(|v| neighbours.get(v).into_iter().flatten().chain([v]))
                .copied()
                .collect();
            pace.iter_mut().filter(|(v, _)| near.contains(v)).for_each(|(_, pace)| *pace *= 0.5);
        }
    }
    let ratio = |tet: &[u32; 4]| volume(tet, &x) / volume(tet, &warped.points);
    let least_volume = warped.tets.iter().map(ratio).fold(f64::INFINITY, f64::min);
    let distance = |v: &u32| surface.distance(x[*v as usize]);
    Ok(Settled {
        skin: [brought.len(), on_skin.len() - brought.len()],
        distances: brought.iter().map(distance).collect(),
        least_volume,
        points: x,
    })
}

/// All flesh, with the given vertices of the skin held.
fn flesh_below(warped: &Face, brought: &[u32]) -> Result<System, FaceError> {
    let mut face = warped.clone();
    face.holds.iter_mut().for_each(|hold| *hold = Hold::Free);
    brought.iter().for_each(|v| face.holds[*v as usize] = Hold::Skull);
    // Flesh between the bones that no skin holds stays where the warp has it.
    face.hold_loose_pieces();
    let (elements, rest): (Vec<_>, Vec<_>) =
        face.tets.iter().partition(|tet| tet.iter().any(|v| face.holds[*v as usize] == Hold::Free));
    face.elements = elements.len();
    face.blend = Blend::from_rows(elements.iter().map(|_| vec![(0, 1.0)]));
    face.tets = elements.into_iter().chain(rest).collect();
    System::new(&face, 1.0)
}

/// Neighbours along edges of the skin.
fn neighbours(face: &Face, among: &[u32]) -> BTreeMap<u32, BTreeSet<u32>> {
    let among: HashSet<u32> = among.iter().copied().collect();
    let mut all: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for t in &face.surface[..face.skin] {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            if among.contains(&a) && among.contains(&b) {
                all.entry(a).or_default().insert(b);
                all.entry(b).or_default().insert(a);
            }
        }
    }
    all
}

fn averaged(ways: &BTreeMap<u32, DVec3>, neighbours: &BTreeMap<u32, BTreeSet<u32>>) -> BTreeMap<u32, DVec3> {
    let mean = |(v, way): (&u32, &DVec3)| {
        let around = neighbours.get(v).filter(|list| !list.is_empty());
        let mean =
            around.map_or(*way, |list| list.iter().map(|w| ways[w]).sum::<DVec3>() / list.len() as f64);
        (*v, 0.5 * (*way + mean))
    };
    ways.iter().map(mean).collect()
}

/// Lips that touch stay together: vertices in one place go the same way.
fn together(face: &Face, ways: &mut BTreeMap<u32, DVec3>) {
    let mut places: BTreeMap<[u64; 3], Vec<u32>> = BTreeMap::new();
    for v in ways.keys() {
        places.entry(face.points[*v as usize].to_array().map(f64::to_bits)).or_default().push(*v);
    }
    for list in places.values().filter(|list| list.len() > 1) {
        let mean = list.iter().map(|v| ways[v]).sum::<DVec3>() / list.len() as f64;
        list.iter().for_each(|v| {
            ways.insert(*v, mean);
        });
    }
}
