//! Bodies that benchmarks share.

use crate::error::BenchError;
use glam::DVec3;
use sinew::{Body, Bone, BoneId, Constitutive, Joint, Lame, Model};
use sinew_scene::models::{Character, RiggedMesh, Split, character as rigged_character, tet_box};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Gravity, m/s².
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// A cube of jelly of 1 m with `cells` to a side, five tetrahedra each: (cells + 1)³ vertices. If `held`, its lowest layer is pinned;
/// otherwise it falls freely.
pub fn cube(cells: usize, held: bool) -> Result<Arc<Model>, BenchError> {
    let refuse = |error: &dyn std::fmt::Display| BenchError::CannotRun(error.to_string());
    let mesh = tet_box(DVec3::ONE, [cells; 3], Split::Five).map_err(|e| refuse(&e))?;
    let moduli = Lame::from_young(1e5, 0.3).map_err(|e| refuse(&e))?;
    let pinned: Vec<usize> = (0..mesh.points.len()).filter(|&i| held && mesh.points[i].y < -0.499).collect();
    let body = Body::new("cube", mesh.points).tetrahedra(mesh.tets, Constitutive::Corotated, moduli, 1000.0);
    let mut builder = Model::builder();
    builder.body(body);
    builder.gravity(GRAVITY);
    for vertex in pinned {
        builder.pin(vertex);
    }
    Ok(Arc::new(builder.build().map_err(|e| refuse(&e))?))
}

/// Whether a character has rigid bones, or is all flesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boned {
    /// It has rigid bones and joints.
    Yes,
    /// All of it is flesh, and there are no joints.
    No,
}

/// A box of flesh with blocks of bone and a joint between consecutive ones, pinned at its uppermost layer of flesh.
pub fn character(vertices: usize, bones: usize, boned: Boned) -> Result<Arc<Model>, BenchError> {
    let refuse = |error: &dyn std::fmt::Display| BenchError::CannotRun(error.to_string());
    let wanted = Character { vertices, bones, ..Character::default() };
    let RiggedMesh { mesh, rig } = rigged_character(&wanted).map_err(|e| refuse(&e))?;
    let moduli = Lame::from_young(1e5, 0.3).map_err(|e| refuse(&e))?;
    let mut builder = Model::builder();
    let top = mesh.points.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
    (0..mesh.points.len()).filter(|&i| mesh.points[i].y > top - 1e-6).for_each(|i| _ = builder.pin(i));
    if boned == Boned::Yes {
        for bone in &rig.bones {
            let inside =
                mesh.tets.iter().zip(&mesh.regions).filter(|(_, region)| bone.regions.contains(region));
            let vertices: BTreeSet<usize> = inside.flat_map(|(tet, _)| tet.map(|i| i as usize)).collect();
            builder.bone(Bone::new(bone.name.clone(), vertices.into_iter().collect()));
        }
        for joint in &rig.joints {
            builder.joint(Joint::ball(
                joint.name.clone(),
                joint.bones.map(|bone| bone.map(BoneId)),
                joint.position,
            ));
        }
    }
    builder.body(Body::new("character", mesh.points).tetrahedra(
        mesh.tets,
        Constitutive::Corotated,
        moduli,
        1000.0,
    ));
    builder.gravity(GRAVITY);
    Ok(Arc::new(builder.build().map_err(|e| refuse(&e))?))
}

/// Reproducible pseudorandom numbers in [−1, 1).
#[derive(Clone, Debug)]
pub struct Noise(u64);

impl Noise {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub fn next(&mut self) -> f64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        bits as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A vector of such numbers.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_have_the_size_that_their_benchmarks_are_named_after() {
        let model = cube(16, true).unwrap();
        assert_eq!((model.vertex_count(), model.element_count()), (4913, 20_480));
    }

    #[test]
    fn noise_fills_its_range() {
        let mut noise = Noise::new(1);
        let values: Vec<f64> = (0..10_000).map(|_| noise.next()).collect();
        let mean = values.iter().sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.03 && values.iter().all(|v| (-1.0..1.0).contains(v)), "{mean}");
    }
}
