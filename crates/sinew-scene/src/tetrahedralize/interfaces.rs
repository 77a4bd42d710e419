//! The faces between two labels, and between a label and the outside.

use super::domain::OUTSIDE;
use super::fill::Labelled;
use crate::surface::Tree;
use crate::tet_quality::FACES;

/// A face between two different labels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interface {
    /// Its vertices; outward for the first label.
    pub triangle: [u32; 3],
    /// The label of the tetrahedron that has it as a face.
    pub inner: u16,
    /// The label on the other side; smaller than the first one.
    pub outer: u16,
}

/// For every face of every tetrahedron (four each) the tetrahedron on its other side.
pub(super) fn neighbours(tets: &[[u32; 4]]) -> Vec<[Option<u32>; 4]> {
    let count = tets.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    let mut across = vec![[None; 4]; tets.len()];
    // Faces that wait for their other side, in a chain for each smallest vertex: a chain is short, and its faces lie near each other.
    let mut first = vec![NONE; count];
    let mut next: Vec<u32> = vec![NONE; 4 * tets.len()];
    let mut others: Vec<[u32; 2]> = vec![[0; 2]; 4 * tets.len()];
    for (t, tet) in tets.iter().enumerate() {
        for (f, face) in FACES.iter().enumerate() {
            let mut key = face.map(|k| tet[k]);
            key.sort_unstable();
            let own = 4 * t + f;
            let (mut before, mut at) = (NONE, first[key[0] as usize]);
            while at != NONE && others[at as usize] != [key[1], key[2]] {
                (before, at) = (at, next[at as usize]);
            }
            if at == NONE {
                others[own] = [key[1], key[2]];
                next[own] = first[key[0] as usize];
                first[key[0] as usize] = own as u32;
                continue;
            }
            match before {
                NONE => first[key[0] as usize] = next[at as usize],
                before => next[before as usize] = next[at as usize],
            }
            let (other, g) = (at as usize / 4, at as usize % 4);
            across[t][f] = Some(other as u32);
            across[other][g] = Some(t as u32);
        }
    }
    across
}

/// No face.
const NONE: u32 = u32::MAX;

/// All faces between labels, in the order of the tetrahedra.
pub(super) fn interfaces(mesh: &Labelled) -> Vec<Interface> {
    let across = neighbours(&mesh.tets);
    let mut found = Vec::new();
    for (t, tet) in mesh.tets.iter().enumerate() {
        for (f, face) in FACES.iter().enumerate() {
            let inner = mesh.labels[t];
            let outer = across[t][f].map_or(OUTSIDE, |other| mesh.labels[other as usize]);
            if inner > outer {
                found.push(Interface { triangle: face.map(|k| tet[k]), inner, outer });
            }
        }
    }
    found
}

/// A tree over the faces of each label, for labels 1 to `count`.
pub(super) fn trees(mesh: &Labelled, faces: &[Interface], count: usize) -> Vec<Tree> {
    let of = |label: u16| {
        let own: Vec<[u32; 3]> =
            faces.iter().filter(|f| f.inner == label || f.outer == label).map(|f| f.triangle).collect();
        Tree::new(&mesh.points, &own)
    };
    (1..=count).map(|k| of(k as u16)).collect()
}
