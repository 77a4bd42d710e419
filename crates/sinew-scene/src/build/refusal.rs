//! Errors of the engine, reported at the key that caused them.

use super::site::Site;
use super::skeleton::Skeleton;
use crate::format::{MeshSource, Scene, SceneError};
use sinew::{ModelError, SettingsError};

/// The name of a body in errors, reports and files.
pub(super) fn body_name(scene: &Scene, index: usize) -> String {
    let own = scene.bodies.get(index).and_then(|body| body.name.clone());
    own.unwrap_or_else(|| format!("body {index}"))
}

pub(super) fn of_model(
    error: &ModelError,
    scene: &Scene,
    skeleton: &Skeleton,
    root: &Site<'_>,
) -> SceneError {
    let message = error.to_string();
    let body = |name: &str| {
        let index = (0..scene.bodies.len()).find(|&i| body_name(scene, i) == *name).unwrap_or(0);
        (root.key("body").index(index), scene.bodies.get(index).and_then(|body| body.mesh.as_ref()))
    };
    let inline = |mesh: Option<&MeshSource>| matches!(mesh, Some(MeshSource::Inline(_)));
    match error {
        ModelError::BadTetrahedron { body: name, element, .. } => {
            let (at, mesh) = body(name);
            let at = at.key("mesh");
            if inline(mesh) {
                at.key("inline.tets").index(*element).error(message)
            } else {
                at.error(message)
            }
        }
        ModelError::NoVertices { body: name }
        | ModelError::Index { body: name, .. }
        | ModelError::Repeated { body: name, .. }
        | ModelError::Length { body: name, .. } => body(name).0.key("mesh").error(message),
        ModelError::NotFinite { body: name, .. } => body(name).0.key("initial").error(message),
        ModelError::Mass { body: name, vertex, .. } => {
            let (at, mesh) = body(name);
            let at =
                if inline(mesh) { at.key("mesh.inline.points").index(*vertex) } else { at.key("material") };
            at.error(message)
        }
        ModelError::Parameter { body: name, .. } => body(name).0.key("material").error(message),
        ModelError::MassProperties { body: name, .. } => body(name).0.key("rigid").error(message),
        ModelError::Bone { bone, .. } | ModelError::PinnedBone { bone, .. } => {
            root.key(skeleton.key_of_bone(bone)).error(message)
        }
        ModelError::Joint { joint, .. } => root.key(skeleton.key_of_joint(joint)).error(message),
        ModelError::Gravity(_) => root.key("gravity").error(message),
        _ => root.key("body").error(message),
    }
}

pub(super) fn of_settings(error: &SettingsError, root: &Site<'_>) -> SceneError {
    let key = match error {
        SettingsError::TimeStep(_) => "h",
        // The engine names its parameters as scenes do.
        SettingsError::Parameter { name, .. } => name,
        SettingsError::Integrator { .. } => "integrator.kind",
        SettingsError::Correction { .. } => "correction.kind",
        _ => "solver.kind",
    };
    root.key(key).error(error.to_string())
}
