//! A body with the complexity of a character: flesh with a given number of vertices, bones and joints.
//!
//! It is for measurements, not for display. The flesh is a box about as wide, tall and deep as a person, cut into a grid; the grid is divided
//! into slots, and the first slots along a path that winds through all of them contain a block of bone each. Consecutive bones are
//! neighbours, and joints are spread evenly over these pairs.

use super::rigged::{CellBlock, RiggedMesh, ball_joints, flesh_with_blocks, numbered_bones};
use super::{ModelError, Split, check_amount, check_length};
use crate::rig::Rig;
use glam::DVec3;

/// Allowed deviation from the requested number of vertices.
const TOLERANCE: f64 = 0.03;
/// Default share of elastic vertices.
const ELASTIC_SHARE: f64 = 0.84;

/// The requested properties of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Character {
    /// Extent along x, y, z, m.
    pub size: [f64; 3],
    /// Number of vertices, met within 3 %.
    pub vertices: usize,
    /// Number of bones, met exactly.
    pub bones: usize,
    /// Number of joints, at most one less than bones; `None`: one less.
    pub joints: Option<usize>,
    /// Number of vertices on no bone, met as well as blocks of cells allow; `None`: about 84 %.
    pub elastic: Option<usize>,
}

impl Default for Character {
    fn default() -> Self {
        Self { size: [0.6, 1.6, 0.35], vertices: 5000, bones: 18, joints: None, elastic: None }
    }
}

/// Makes a character.
///
/// # Errors
/// [`ModelError`] if a length is out of range, there are more joints than pairs of bones, or too few vertices for the bones.
pub fn character(wanted: &Character) -> Result<RiggedMesh, ModelError> {
    for (what, length) in [
        "the size of the character along x",
        "the size of the character along y",
        "the size of the character along z",
    ]
    .into_iter()
    .zip(wanted.size)
    {
        check_length(what, length)?;
    }
    let bones = wanted.bones;
    let pairs = bones.saturating_sub(1);
    let joints = wanted.joints.unwrap_or(pairs);
    if joints > pairs {
        return Err(ModelError::ManyJoints { joints, bones });
    }
    check_amount("the character", &[Split::Five.tets_per_cell(), wanted.vertices])?;
    let size = DVec3::from(wanted.size);
    let few = ModelError::FewVertices { vertices: wanted.vertices, bones };
    let cells = grid(size, wanted.vertices).ok_or(few.clone())?;
    let blocks = if bones == 0 { Vec::new() } else { blocks(wanted, size, cells).ok_or(few)? };

    let between = (0..joints).map(|joint| {
        let pair = joint * pairs / joints;
        let middle = blocks[pair].centre(size, cells).midpoint(blocks[pair + 1].centre(size, cells));
        ([pair, pair + 1], middle)
    });
    let rig = Rig { bones: numbered_bones("bone", bones), joints: ball_joints(between) };
    Ok(RiggedMesh { mesh: flesh_with_blocks(size, cells, Split::Five, &blocks)?, rig })
}

/// Cells along the axes such that there are about `vertices` corners and the cells are nearly cubes.
fn grid(size: DVec3, vertices: usize) -> Option<[usize; 3]> {
    let wanted = vertices as f64;
    let per_metre = (wanted / size.element_product()).cbrt();
    // Whatever the proportions, the cost of the search below is proportional to the vertices.
    let ideal = (size * per_metre).to_array().map(|count| count.max(2.0).min(wanted));
    let around = |ideal: f64| (0.7 * ideal).floor().max(2.0) as usize..=(1.4 * ideal).ceil() as usize;
    let mut best: Option<(f64, [usize; 3])> = None;
    for x in around(ideal[0]) {
        for y in around(ideal[1]) {
            let z = (wanted / (x * y) as f64).round().max(2.0) as usize;
            let counts = [x, y, z];
            let deviation = ((x * y * z) as f64 / wanted - 1.0).abs();
            if deviation > TOLERANCE {
                continue;
            }
            let oblong: f64 = (0..3).map(|k| (counts[k] as f64 / ideal[k]).ln().abs()).sum();
            let cost = 3.0 * deviation + oblong;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, counts));
            }
        }
    }
    best.map(|(_, counts)| counts.map(|count| count - 1))
}

/// The bones: equal blocks, each in the middle of its slot.
fn blocks(wanted: &Character, size: DVec3, cells: [usize; 3]) -> Option<Vec<CellBlock>> {
    let slots = slots(size, cells, wanted.bones)?;
    // Slots differ by a cell at most; the smallest holds the block and flesh around it.
    let room: [usize; 3] = std::array::from_fn(|k| cells[k] / slots[k] - 2);
    let vertices: usize = cells.iter().map(|count| count + 1).product();
    let elastic = wanted.elastic.map_or(ELASTIC_SHARE * vertices as f64, |elastic| elastic as f64);
    let block = block_size(room, (vertices as f64 - elastic) / wanted.bones as f64);
    let place = |slot: [usize; 3]| {
        let low: [usize; 3] = std::array::from_fn(|k| {
            let (from, to) = (slot[k] * cells[k] / slots[k], (slot[k] + 1) * cells[k] / slots[k]);
            from + (to - from - block[k]) / 2
        });
        CellBlock { low, high: std::array::from_fn(|k| low[k] + block[k]) }
    };
    Some(winding(slots).take(wanted.bones).map(place).collect())
}

/// Number of slots along each axis: enough of them, nearly cubes, few left over, each at least three cells wide.
fn slots(size: DVec3, cells: [usize; 3], bones: usize) -> Option<[usize; 3]> {
    let most = cells.map(|count| (count / 3).min(bones));
    let mut best: Option<(f64, [usize; 3])> = None;
    for x in 1..=most[0] {
        for y in 1..=most[1] {
            let z = bones.div_ceil(x * y);
            if z > most[2] {
                continue;
            }
            let extent = size / DVec3::new(x as f64, y as f64, z as f64);
            let oblong = (extent.max_element() / extent.min_element()).ln();
            let spare = (x * y * z - bones) as f64 / bones as f64;
            let cost = oblong + spare;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, [x, y, z]));
            }
        }
    }
    best.map(|(_, slots)| slots)
}

/// Cells of a block with about this many corners, and about the proportions of its room.
fn block_size(room: [usize; 3], corners: f64) -> [usize; 3] {
    let mut best = (f64::INFINITY, [1; 3]);
    for x in 1..=room[0] {
        for y in 1..=room[1] {
            for z in 1..=room[2] {
                let block = [x, y, z];
                let count: f64 = block.iter().map(|&cells| (cells + 1) as f64).product();
                let shares: [f64; 3] = std::array::from_fn(|k| block[k] as f64 / room[k] as f64);
                let spread = shares.iter().fold(0.0, |most: f64, s| most.max(*s))
                    - shares.iter().fold(1.0, |least: f64, s| least.min(*s));
                let cost = (count / corners).ln().abs() + 0.1 * spread;
                if cost < best.0 {
                    best = (cost, block);
                }
            }
        }
    }
    best.1
}

/// All slots in an order in which each is next to the one before.
fn winding([nx, ny, nz]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let turned = |turn: bool, index: usize, count: usize| if turn { count - 1 - index } else { index };
    (0..nx * ny * nz).map(move |at| {
        let (row, z) = (at / nz, at % nz);
        let (y, x) = (row / nx, row % nx);
        [turned(y % 2 == 1, x, nx), y, turned(row % 2 == 1, z, nz)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_winds_through_all_slots() {
        for slots in [[3, 4, 5], [1, 1, 7], [2, 3, 1], [4, 1, 4]] {
            let path: Vec<_> = winding(slots).collect();
            let mut sorted = path.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), slots.iter().product::<usize>());
            for pair in path.windows(2) {
                let steps: usize = (0..3).map(|k| pair[0][k].abs_diff(pair[1][k])).sum();
                assert_eq!(steps, 1, "{pair:?}");
            }
        }
    }
}
