//! Labelled meshes with their rigs: region 0 is flesh, region k is bone k.

use super::{ModelError, Split, tet_box};
use crate::mesh_data::MeshData;
use crate::rig::{Rig, RigBone, RigJoint};
use glam::DVec3;

/// A mesh together with its bones and joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RiggedMesh {
    /// Points and elements; labelled if there are bones.
    pub mesh: MeshData,
    /// Which regions are bones, and what connects them.
    pub rig: Rig,
}

impl From<MeshData> for RiggedMesh {
    fn from(mesh: MeshData) -> Self {
        Self { mesh, rig: Rig::default() }
    }
}

impl RiggedMesh {
    /// The bones and joints alone: removes tetrahedra of region 0, and vertices that no other tetrahedron uses.
    #[must_use]
    pub fn without_flesh(self) -> Self {
        let Self { mesh, rig } = self;
        let mut renumbered = vec![u32::MAX; mesh.points.len()];
        let mut bare = MeshData::default();
        for (tet, &region) in mesh.tets.iter().zip(&mesh.regions).filter(|(_, region)| **region != 0) {
            bare.tets.push(tet.map(|vertex| {
                let new = &mut renumbered[vertex as usize];
                if *new == u32::MAX {
                    *new = bare.points.len() as u32;
                    bare.points.push(mesh.points[vertex as usize]);
                }
                *new
            }));
            bare.regions.push(region);
        }
        Self { mesh: bare, rig }
    }
}

/// A block of cells, from `low` up to but not including `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellBlock {
    pub low: [usize; 3],
    pub high: [usize; 3],
}

impl CellBlock {
    /// The middle of the block in a box of `size` (m) about the origin with `cells`.
    pub fn centre(&self, size: DVec3, cells: [usize; 3]) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|k| {
            let middle = 0.5 * (self.low[k] + self.high[k]) as f64;
            (middle / cells[k] as f64 - 0.5) * size[k]
        }))
    }
}

/// A box of flesh with `blocks` of bone in it, labelled 1, 2, …; blocks do not share vertices.
pub(super) fn flesh_with_blocks(
    size: DVec3,
    cells: [usize; 3],
    split: Split,
    blocks: &[CellBlock],
) -> Result<MeshData, ModelError> {
    let mut mesh = tet_box(size, cells, split)?;
    let mut labels = vec![0; cells.iter().product()];
    for (label, CellBlock { low, high }) in (1..).zip(blocks) {
        for i in low[0]..high[0] {
            for j in low[1]..high[1] {
                let row = (i * cells[1] + j) * cells[2];
                labels[row + low[2]..row + high[2]].fill(label);
            }
        }
    }
    mesh.regions =
        labels.into_iter().flat_map(|label| std::iter::repeat_n(label, split.tets_per_cell())).collect();
    Ok(mesh)
}

/// Bones `bone 1`, `bone 2`, …: one for each of the regions 1 to `count`.
pub(super) fn numbered_bones(name: &str, count: usize) -> Vec<RigBone> {
    (1..=count).map(|k| RigBone { name: format!("{name} {k}"), regions: vec![k as i32] }).collect()
}

/// Ball joints `joint 1`, `joint 2`, … between pairs of bones.
pub(super) fn ball_joints(between: impl Iterator<Item = ([usize; 2], DVec3)>) -> Vec<RigJoint> {
    let joint = |(index, (bones, position)): (usize, ([usize; 2], DVec3))| RigJoint {
        name: format!("joint {}", index + 1),
        bones: bones.map(Some),
        position,
        freedom: crate::rig::JointFreedom::Ball { limit: None },
    };
    between.enumerate().map(joint).collect()
}
