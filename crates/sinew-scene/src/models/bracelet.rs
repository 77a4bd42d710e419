//! Rigid beads in a closed ring \[li2020, Fig. 15\].

use super::nunchuck::append;
use super::rigged::{RiggedMesh, ball_joints, numbered_bones};
use super::{ModelError, ball, check_amount, check_length};
use crate::mesh_data::MeshData;
use crate::rig::{JointFreedom, Rig};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// `beads` balls of `layers` shells in a ring of `radius` (m) in the xy plane about the origin, with a joint halfway between neighbours: a
/// ball joint, or with `hinges` one that turns about z. Bead 1 is at the top; the others follow counter-clockwise. There is no flesh.
///
/// # Errors
/// [`ModelError`] if a length is out of range, there are fewer than three beads, or they overlap.
pub fn bracelet(
    radius: f64,
    beads: usize,
    bead_radius: f64,
    layers: usize,
    hinges: bool,
) -> Result<RiggedMesh, ModelError> {
    check_length("the radius of the bracelet", radius)?;
    check_length("the radius of a bead", bead_radius)?;
    if beads < 3 {
        return Err(ModelError::FewCells { what: "the number of beads", least: 3, given: beads });
    }
    check_amount("the bracelet", &[beads, 20, layers, layers, layers])?;
    let room = radius * (PI / beads as f64).sin();
    if bead_radius > room {
        return Err(ModelError::Crowded { beads, bead_radius, room });
    }
    let bead = ball(bead_radius, layers)?;
    let centre = |k: usize| {
        let angle = TAU * k as f64 / beads as f64;
        radius * DVec3::new(-angle.sin(), angle.cos(), 0.0)
    };
    let mut mesh = MeshData::default();
    for k in 0..beads {
        append(&mut mesh, &bead, k as i32 + 1, centre(k));
    }
    let pairs = (0..beads).map(|k| ([k, (k + 1) % beads], centre(k).midpoint(centre((k + 1) % beads))));
    let mut joints = ball_joints(pairs);
    if hinges {
        joints
            .iter_mut()
            .for_each(|joint| joint.freedom = JointFreedom::Hinge { axis: DVec3::Z, range: None });
    }
    Ok(RiggedMesh { mesh, rig: Rig { bones: numbered_bones("bead", beads), joints } })
}
