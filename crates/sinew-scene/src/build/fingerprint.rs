//! A number that identifies what a scene simulates.

use crate::format::{Expectations, Render, Scene};
use sinew::Model;
use sinew::contact::Shape;

/// FNV-1a, 64 bits.
pub(crate) fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Equal for scenes that simulate the same: comments, titles, pictures, expectations and the number of frames do not count, but meshes and
/// bones read from files do.
pub(super) fn of(scene: &Scene, model: &Model, rigs: &str) -> u64 {
    let bare = Scene {
        title: String::new(),
        description: String::new(),
        frames: 1,
        checkpoint_every: None,
        expect: Expectations::default(),
        camera: None,
        render: Render::default(),
        ..scene.clone()
    };
    let text = serde_json::to_vec(&bare).unwrap_or_default();
    let rest = model.rest().iter().flat_map(|p| p.to_array());
    let numbers = rest.chain(model.masses().iter().copied()).flat_map(f64::to_le_bytes);
    let counts = [model.vertex_count(), model.element_count()].into_iter().flat_map(usize::to_le_bytes);
    let solids = model.colliders().iter().filter_map(|collider| match &collider.shape {
        Shape::Mesh(mesh) => Some(mesh),
        _ => None,
    });
    let solids = solids.flat_map(|mesh| {
        let corners = mesh.triangles().iter().flatten().map(|&i| mesh.vertices()[i as usize]);
        corners.flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes)
    });
    fnv(text.into_iter().chain(numbers).chain(counts).chain(solids).chain(rigs.bytes()))
}
