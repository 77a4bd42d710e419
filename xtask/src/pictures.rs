//! The pictures of the viewer's gallery: what `sinew gallery` draws of each built-in scene, small, for light and dark pages.

use crate::page::PAGE;
use crate::sinew;
use crate::steps::{Failure, Steps};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes `web/gallery/NAME.png` and `NAME-dark.png` of every scene; they are committed, as they take minutes. Which moment a picture shows, and from
/// where, the scene says (`render.picture`, `camera`).
pub fn make(steps: &mut Steps) -> Result<(), Failure> {
    let binary = sinew::binary(steps, None)?;
    let folder = steps.root().join(PAGE).join("gallery");
    let scratch = crate::page::target(steps.root()).join("gallery");
    gallery(&binary, &folder, &scratch)
}

/// Draws all scenes that a binary has; what `scratch` has already is not drawn again.
pub fn gallery(binary: &Path, folder: &Path, scratch: &Path) -> Result<(), Failure> {
    let fail = |why: String| Failure::new("pictures", why);
    let listed = Command::new(binary).args(["scenes", "--json"]).output()?;
    let listed: Value = serde_json::from_slice(&listed.stdout)
        .map_err(|error| fail(format!("`sinew scenes --json` cannot be read: {error}")))?;
    let names: Vec<&str> =
        listed.as_array().into_iter().flatten().filter_map(|scene| scene["name"].as_str()).collect();
    if names.is_empty() {
        return Err(fail("`sinew scenes --json` lists no scene".into()));
    }
    let drawn =
        Command::new(binary).args(["gallery", "--out"]).arg(scratch).stdout(Stdio::null()).status()?;
    if !drawn.success() {
        return Err(fail(format!("`sinew gallery` ended with {drawn}")));
    }
    std::fs::create_dir_all(folder)?;
    for name in names {
        for ending in ["", "-dark"] {
            let small = scratch.join(name).join(format!("small{ending}.png"));
            std::fs::copy(small, folder.join(format!("{name}{ending}.png")))?;
        }
    }
    Ok(())
}
