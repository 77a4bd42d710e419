//! A soft bar with bones in a row: the cantilever of \[li2020, Fig. 9\], and chains of any length.

use super::rigged::{CellBlock, RiggedMesh, ball_joints, flesh_with_blocks, numbered_bones};
use super::{ModelError, Split, check_amount, check_cells, check_length};
use crate::rig::Rig;
use glam::DVec3;

/// Share of a bone's part of the bar that is flesh before it, and again after it.
const END_SHARE: f64 = 2.0 / 17.0;
/// Share of the thickness that is flesh, on each side of the bones.
const SIDE_SHARE: f64 = 1.0 / 6.0;

/// A bar of flesh along x about the origin with `bones` in a row, and a ball joint in the flesh between neighbours.
///
/// `length` and `thickness` are in metres. Each bone has an equal share of the `cells` along x, which must be at least three: flesh, bone, flesh.
/// With two bones in [34, 6, 6] cells there are 1715 vertices, 1015 of them elastic, and 7344 tetrahedra; the cantilever of the paper has 1690,
/// 1010 and 7661.
///
/// # Errors
/// [`ModelError`] if a length is not positive and finite, or there are too few cells.
pub fn bone_row(
    length: f64,
    thickness: f64,
    cells: [usize; 3],
    bones: usize,
) -> Result<RiggedMesh, ModelError> {
    check_length("the length of the bar", length)?;
    check_length("the thickness of the bar", thickness)?;
    check_cells("the number of bones", bones)?;
    check_amount("the bar", &[Split::Six.tets_per_cell(), cells[0], cells[1], cells[2]])?;
    let along = bones.saturating_mul(3);
    for (what, given, least) in [
        ("the number of cells along the bar", cells[0], along),
        ("the number of cells across the bar along y", cells[1], 3),
        ("the number of cells across the bar along z", cells[2], 3),
    ] {
        if given < least {
            return Err(ModelError::FewCells { what, least, given });
        }
    }
    let size = DVec3::new(length, thickness, thickness);
    let share = cells[0] as f64 / bones as f64;
    let end = margin(share, END_SHARE);
    let side = [cells[1], cells[2]].map(|count| margin(count as f64, SIDE_SHARE));
    let border = |k: usize| k * cells[0] / bones;
    let block = |k: usize| CellBlock {
        low: [border(k) + end, side[0], side[1]],
        high: [border(k + 1) - end, cells[1] - side[0], cells[2] - side[1]],
    };
    let blocks: Vec<CellBlock> = (0..bones).map(block).collect();
    let between = blocks.windows(2).enumerate().map(|(k, pair)| {
        let gap = CellBlock { low: [pair[0].high[0], 0, 0], high: [pair[1].low[0], cells[1], cells[2]] };
        ([k, k + 1], gap.centre(size, cells))
    });
    let rig = Rig { bones: numbered_bones("bone", bones), joints: ball_joints(between) };
    Ok(RiggedMesh { mesh: flesh_with_blocks(size, cells, Split::Six, &blocks)?, rig })
}

/// Cells of flesh at one end of `count` cells: at least one, and at least one remains for the bone.
fn margin(count: f64, share: f64) -> usize {
    let most = ((count.floor() - 1.0) / 2.0).floor();
    (count * share).round().clamp(1.0, most.max(1.0)) as usize
}
