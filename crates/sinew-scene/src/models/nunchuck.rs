//! Two rigid sticks with a ball joint between them \[li2020, Fig. 14\].

use super::rigged::{RiggedMesh, ball_joints, numbered_bones};
use super::{ModelError, Split, check_amount, check_length, tet_box};
use crate::mesh_data::MeshData;
use crate::rig::Rig;
use glam::DVec3;

/// Two sticks along x, each of `length` and `thickness` (m) with its own `cells`, `gap` apart; the joint is at the origin. There is no flesh.
///
/// # Errors
/// [`ModelError`] if a length is out of range, there are no cells, or far too many.
pub fn nunchuck(length: f64, thickness: f64, gap: f64, cells: [usize; 3]) -> Result<RiggedMesh, ModelError> {
    check_length("the length of a stick", length)?;
    check_length("the thickness of a stick", thickness)?;
    if !(gap >= 0.0 && gap.is_finite()) {
        return Err(ModelError::BadGap { value: gap });
    }
    check_amount("the nunchuck", &[2, Split::Five.tets_per_cell(), cells[0], cells[1], cells[2]])?;
    let stick = tet_box(DVec3::new(length, thickness, thickness), cells, Split::Five)?;
    let offset = DVec3::X * (0.5 * (gap + length));
    let mut mesh = MeshData::default();
    for (label, offset) in [(1, -offset), (2, offset)] {
        append(&mut mesh, &stick, label, offset);
    }
    let joints = ball_joints(std::iter::once(([0, 1], DVec3::ZERO)));
    Ok(RiggedMesh { mesh, rig: Rig { bones: numbered_bones("stick", 2), joints } })
}

/// Adds a moved copy of `part` with this label.
pub(super) fn append(mesh: &mut MeshData, part: &MeshData, label: i32, offset: DVec3) {
    let first = mesh.points.len() as u32;
    mesh.points.extend(part.points.iter().map(|p| *p + offset));
    mesh.tets.extend(part.tets.iter().map(|tet| tet.map(|vertex| vertex + first)));
    mesh.regions.resize(mesh.tets.len(), label);
}
