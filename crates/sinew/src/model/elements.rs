//! Elements on their way from a body into batches of energies, one batch per connected component.

use crate::energy::{
    Active, Arap, Corotated, Energy, NeoHookean, Shares, SpringLaw, Springs, StVenantKirchhoff, Tetrahedra,
};
use crate::material::{Constitutive, Lame};
use crate::mesh::RestTetrahedron;
use std::collections::BTreeMap;

/// Elements of one law, with vertex indices of the whole model, not yet split into components.
pub(super) enum Elements {
    Solid {
        law: Constitutive,
        corners: Vec<[u32; 4]>,
        rest: Vec<RestTetrahedron>,
        lame: Vec<Lame>,
        /// The muscles of each, if there are any.
        shares: Option<Vec<Shares>>,
    },
    Net {
        law: SpringLaw,
        ends: Vec<[u32; 2]>,
        parameters: Vec<(f64, f64)>,
    },
}

impl Elements {
    pub fn for_pairs(&self, mut join: impl FnMut(u32, u32)) {
        match self {
            Self::Solid { corners, .. } => {
                for [a, b, c, d] in corners {
                    join(*a, *b);
                    join(*a, *c);
                    join(*a, *d);
                }
            }
            Self::Net { ends, .. } => ends.iter().for_each(|[a, b]| join(*a, *b)),
        }
    }

    /// Leaves out elements that are entirely on one bone, given the bone of every vertex.
    pub fn leave_out(&mut self, bone: &[Option<u32>]) {
        let inside = |corners: &[u32]| {
            let first = bone[corners[0] as usize];
            first.is_some() && corners.iter().all(|&i| bone[i as usize] == first)
        };
        match self {
            Self::Solid { corners, rest, lame, shares, .. } => {
                let kept: Vec<bool> = corners.iter().map(|c| !inside(c)).collect();
                keep(corners, &kept);
                keep(rest, &kept);
                keep(lame, &kept);
                if let Some(shares) = shares {
                    keep(shares, &kept);
                }
            }
            Self::Net { ends, parameters, .. } => {
                let kept: Vec<bool> = ends.iter().map(|e| !inside(e)).collect();
                keep(ends, &kept);
                keep(parameters, &kept);
            }
        }
    }

    /// Adds one batch per component that has some of these elements.
    pub fn split(self, labels: &[u32], batches: &mut Vec<(usize, Box<dyn Energy>)>) {
        match self {
            Self::Solid { law, corners, rest, lame, shares } => {
                let groups = group(corners.iter().map(|c| labels[c[0] as usize]));
                for (label, members) in groups {
                    let pick = |e: &usize| (corners[*e], rest[*e], lame[*e]);
                    let (mut c, mut r, mut l) = (Vec::new(), Vec::new(), Vec::new());
                    for (corner, shape, lame) in members.iter().map(pick) {
                        c.push(corner);
                        r.push(shape);
                        l.push(lame);
                    }
                    let energy: Box<dyn Energy> = match &shares {
                        Some(shares) => {
                            let s: Vec<_> = members.iter().map(|&e| shares[e].clone()).collect();
                            Box::new(Active::new(&c, &r, &l, &s))
                        }
                        None => solid_energy(law, &c, &r, &l),
                    };
                    batches.push((label, energy));
                }
            }
            Self::Net { law, ends, parameters } => {
                for (label, members) in group(ends.iter().map(|e| labels[e[0] as usize])) {
                    let e: Vec<_> = members.iter().map(|&k| ends[k]).collect();
                    let p: Vec<_> = members.iter().map(|&k| parameters[k]).collect();
                    batches.push((label, Box::new(Springs::new(law, &e, &p))));
                }
            }
        }
    }
}

fn keep<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next().copied().unwrap_or(true));
}

/// Element indices by label, labels ascending.
fn group(labels: impl Iterator<Item = u32>) -> BTreeMap<usize, Vec<usize>> {
    let mut groups = BTreeMap::<usize, Vec<usize>>::new();
    for (e, label) in labels.enumerate() {
        groups.entry(label as usize).or_default().push(e);
    }
    groups
}

fn solid_energy(
    law: Constitutive,
    corners: &[[u32; 4]],
    rest: &[RestTetrahedron],
    lame: &[Lame],
) -> Box<dyn Energy> {
    match law {
        Constitutive::Corotated => Box::new(Tetrahedra::new(Corotated, corners, rest, lame)),
        Constitutive::Arap => Box::new(Tetrahedra::new(Arap, corners, rest, lame)),
        Constitutive::StVenantKirchhoff => Box::new(Tetrahedra::new(StVenantKirchhoff, corners, rest, lame)),
        Constitutive::NeoHookean => Box::new(Tetrahedra::new(NeoHookean, corners, rest, lame)),
    }
}
