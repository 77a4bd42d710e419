//! The pictures of the gallery: what `sinew run` draws of each built-in scene, small.

use crate::page::PAGE;
use crate::sinew;
use crate::steps::{Failure, Steps};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

const SIZE: [&str; 4] = ["--set", "render.width=320", "--set", "render.height=200"];

/// Makes `web/gallery/NAME.png` of every scene; they are committed, as they take minutes. Which moment a picture shows, and from
/// where, the scene says (`render.picture`, `camera`).
pub fn make(steps: &mut Steps) -> Result<(), Failure> {
    let binary = sinew::binary(steps, None)?;
    let folder = steps.root().join(PAGE).join("gallery");
    let scratch = crate::page::target(steps.root()).join("gallery");
    gallery(&binary, &folder, &scratch)
}

/// Draws all scenes that a binary has.
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
    std::fs::create_dir_all(folder)?;
    for name in names {
        println!("{name}");
        let out = scratch.join(name);
        let ran = Command::new(binary)
            .args(["run", name, "--quiet", "--out"])
            .arg(&out)
            .args(SIZE)
            .stdout(Stdio::null())
            .status()?;
        if !ran.success() {
            return Err(fail(format!("`sinew run {name}` ended with {ran}")));
        }
        std::fs::copy(out.join("picture.png"), folder.join(format!("{name}.png")))?;
    }
    Ok(())
}
