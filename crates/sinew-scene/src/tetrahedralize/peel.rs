//! Slivers on the outside are peeled off: four vertices on the surface, nearly in one plane, with nothing behind them that would be missed.

use super::domain::OUTSIDE;
use super::fill::Labelled;
use super::interfaces::neighbours;
use super::pieces::drop_outside;
use crate::tet_quality::{FACES, degrees, worst_angle};

/// Below this angle a tetrahedron on the outside is a sliver, in degrees.
const SLIVER: f64 = 15.0;
/// Below this one it goes also if only one of its faces is outside.
const FLAT: f64 = 8.0;

/// Peels until nothing comes off.
pub(super) fn peel(mesh: &mut Labelled) {
    loop {
        let across = neighbours(&mesh.tets);
        let mut outside = vec![false; mesh.points.len()];
        for (tet, sides) in mesh.tets.iter().zip(&across) {
            for (f, _) in sides.iter().enumerate().filter(|(_, side)| side.is_none()) {
                FACES[f].iter().for_each(|&k| outside[tet[k] as usize] = true);
            }
        }
        let mut peeled = false;
        for t in 0..mesh.tets.len() {
            let open = across[t].iter().filter(|side| side.is_none()).count();
            if open == 0 || !mesh.tets[t].iter().all(|&v| outside[v as usize]) {
                continue;
            }
            let angle = degrees(worst_angle(mesh.tets[t].map(|v| mesh.points[v as usize])));
            if angle < if open > 1 { SLIVER } else { FLAT } {
                mesh.labels[t] = OUTSIDE;
                peeled = true;
            }
        }
        if !peeled {
            return;
        }
        drop_outside(mesh);
    }
}
