//! The faces between two labels, and between a label and the outside.

use super::domain::OUTSIDE;
use super::fill::Labelled;
use super::quick_hash::QuickMap;
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
    let mut across = vec![[None; 4]; tets.len()];
    let mut open: QuickMap<[u32; 3], (u32, usize)> = QuickMap::default();
    open.reserve(tets.len() / 4);
    for (t, tet) in tets.iter().enumerate() {
        for (f, face) in FACES.iter().enumerate() {
            let mut key = face.map(|k| tet[k]);
            key.sort_unstable();
            match open.remove(&key) {
                Some((other, g)) => {
                    across[t][f] = Some(other);
                    across[other as usize][g] = Some(t as u32);
                }
                None => _ = open.insert(key, (t as u32, f)),
            }
        }
    }
    across
}

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
