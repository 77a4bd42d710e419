//! The pictures of the gallery: each built-in scene after a second and a half, small.

use crate::page::PAGE;
use crate::steps::{Failure, Steps};
use std::process::Command;

const FRAMES: &str = "45";
const SIZE: [&str; 4] = ["--set", "render.width=320", "--set", "render.height=200"];

/// Makes `web/gallery/NAME.png` of every scene; they are committed, as they take minutes.
pub fn make(steps: &mut Steps) -> Result<(), Failure> {
    steps.cargo("sinew", &["build", "--release", "--package", "sinew-cli"], &[])?;
    let binary = crate::page::target(steps.root()).join("release/sinew");
    let listed = Command::new(&binary).args(["scenes", "--json"]).output()?;
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    // One key a line, as the command prints it.
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("\"name\": \"")?.strip_suffix("\","));
    let folder = steps.root().join(PAGE).join("gallery");
    std::fs::create_dir_all(&folder)?;
    for name in names {
        let out = crate::page::target(steps.root()).join("gallery").join(name);
        let ran = Command::new(&binary)
            .args(["run", name, "--quiet", "--frames", FRAMES, "--out"])
            .arg(&out)
            .args(SIZE)
            .stdout(std::process::Stdio::null())
            .status()?;
        if !ran.success() {
            return Err(Failure::new("pictures", format!("`sinew run {name}` ended with {ran}")));
        }
        std::fs::copy(out.join("picture.png"), folder.join(format!("{name}.png")))?;
    }
    Ok(())
}
