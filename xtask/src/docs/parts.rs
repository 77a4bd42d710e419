//! How each part is made.

use super::Making;
use crate::steps::{Failure, Steps};
use crate::{browser, page, pictures};
use std::ffi::OsStr;
use std::path::Path;

/// `sinew` with arguments, some of them paths.
fn sinew(steps: &mut Steps, making: &Making, arguments: &[&OsStr]) -> Result<(), Failure> {
    let words: Option<Vec<&str>> = arguments.iter().map(|argument| argument.to_str()).collect();
    let words = words.ok_or_else(|| Failure::new("docs", "a path is not Unicode"))?;
    let root = steps.root().to_path_buf();
    steps.command("sinew", ("sinew", making.binary.as_os_str()), &words, &[], &root)
}

/// Words and a folder behind them.
fn with<'a>(line: &'a str, folder: &'a Path) -> Vec<&'a OsStr> {
    line.split(' ').map(OsStr::new).chain([folder.as_os_str()]).collect()
}

pub fn pictures(steps: &mut Steps, making: &Making) -> Result<(), Failure> {
    // The variants of energy.md.
    const ENERGY: &str = "--variant none:correction.kind=none --variant fepr:correction.kind=fepr \
                          --variant blend:correction.kind=blend,integrator.kind=implicit-midpoint";
    // A cloth that falls into its corners, seen from near: without a correction it rests after a second and a half.
    const CLOTH: &str = "--variant backward-Euler:correction.kind=none --variant backward-Euler+fepr --frames 75 \
                         --set camera.look_at=[0,-0.12,0] --set camera.fov=26 --set render.width=380 --set render.height=230";
    // The animation of the README, and the best four.
    const GALLERY: &str = "octopus snail cactus bunny-swing monster-hanging";
    let [drawn, stairs, energy, cloth] =
        ["drawn", "stairs", "energy", "cloth"].map(|name| making.scratch.join(name));
    let commands = [
        (format!("gallery {GALLERY} --quiet --again --out"), &drawn),
        ("run stairs --frames 90 --quiet --out".to_owned(), &stairs),
        (format!("compare trampoline {ENERGY} --quiet --out"), &energy),
        (format!("compare peers-cloth {CLOTH} --gif --quiet --out"), &cloth),
    ];
    for (line, folder) in &commands {
        sinew(steps, making, &with(line, folder))?;
    }
    making.copy(&drawn.join("octopus/animation.gif"), "docs/images/octopus.gif")?;
    making.copy(&drawn.join("octopus/energy.svg"), "docs/images/octopus-energy.svg")?;
    for name in GALLERY.split(' ').skip(1) {
        making.copy(&drawn.join(name).join("picture.png"), &format!("docs/images/{name}.png"))?;
    }
    making.copy(&stairs.join("picture.png"), "docs/images/stairs.png")?;
    making.copy(&energy.join("compare.png"), "docs/images/trampoline-energy.png")?;
    making.copy(&cloth.join("compare.gif"), "docs/images/cloth.gif")
}

/// The commands of the tutorial, docs/lips.md.
pub fn lips(steps: &mut Steps, making: &Making) -> Result<(), Failure> {
    let folder = making.scratch.join("lips");
    std::fs::create_dir_all(&folder)?;
    // Paths may have spaces: words are split first, and those that begin with @ are files of the folder.
    let commands = [
        "lips perform --quiet --out @take",
        "lips regions --neutral @take/neutral.obj --mouth @mouth.txt --inner @inner.txt --out @regions.txt --preview @regions.png",
        "lips suggest --neutral @take/neutral.obj --regions @regions.txt --sequence @take/captured --count 10 --copy @corrected --from @take/truth",
        "lips train --neutral @take/neutral.obj --regions @regions.txt --corrected @corrected --out @mouth.lips",
        "lips apply --quiet --model @mouth.lips --sequence @take/captured --out @result",
        "lips evaluate --model @mouth.lips --truth @take/truth --captured @take/captured --counts 1,2,4,6,8,10,12,15,20 --out @study",
    ];
    for (k, line) in commands.iter().enumerate() {
        let words: Vec<std::ffi::OsString> = (line.split(' '))
            .map(|word| match word.strip_prefix('@') {
                Some(file) => folder.join(file).into_os_string(),
                None => word.into(),
            })
            .collect();
        let words: Vec<&OsStr> = words.iter().map(std::ffi::OsString::as_os_str).collect();
        sinew(steps, making, &words)?;
        if k == 0 {
            // The regions that the performance comes with, as lists.
            let text = read(&folder.join("take/regions.txt"))?;
            for name in ["mouth", "inner"] {
                let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
                std::fs::write(folder.join(format!("{name}.txt")), line)?;
            }
        }
    }
    making.copy(&folder.join("regions.png"), "docs/images/lips-regions.png")?;
    making.copy(&folder.join("study/faces.png"), "docs/images/lips-faces.png")?;
    making.copy(&folder.join("study/map.png"), "docs/images/lips-map.png")?;
    making.copy(&folder.join("study/training.png"), "docs/images/lips-training.png")
}

pub fn gallery(_: &mut Steps, making: &Making) -> Result<(), Failure> {
    let folder = making.into.join(page::PAGE).join("gallery");
    pictures::gallery(&making.binary, &folder, &making.scratch.join("gallery"))
}

pub fn viewer(steps: &mut Steps, making: &Making) -> Result<(), Failure> {
    // The binary embeds the page, so the page comes first and the binary again.
    page::build(steps)?;
    let binary = crate::sinew::binary(steps, None)?;
    let images = making.place("docs/images/viewer-trampoline.png")?;
    browser::document(steps, &binary, images.parent().unwrap_or(&making.into))
}

pub fn papers(steps: &mut Steps, making: &Making) -> Result<(), Failure> {
    let folder = making.scratch.join("papers");
    sinew(steps, making, &with("paper all --quiet --out", &folder))?;
    let text = read(&folder.join("summary.md"))?;
    let place = making.place("docs/papers.md")?;
    Ok(std::fs::write(place, making.from.stamp(&text, "papers"))?)
}

/// A benchmark that fails is told at the end; the page says so too.
pub fn performance(steps: &mut Steps, making: &Making) -> Result<(), Failure> {
    let place = making.place("docs/performance.md")?;
    // What is written by hand and included lies beside the page.
    for name in ["docs/performance-story.md", "docs/performance-scale.md"] {
        let (from, to) = (steps.root().join(name), making.into.join(name));
        if from != to {
            std::fs::copy(from, to)?;
        }
    }
    let report = making.scratch.join("bench.json");
    let mut arguments = with("bench --report", &report);
    arguments.extend(with("--page", &place));
    if making.quick {
        arguments.push(OsStr::new("--quick"));
    }
    let before = std::fs::read_to_string(&place).ok();
    let measured = sinew(steps, making, &arguments);
    let text = read(&place)?;
    // A run that could not even begin leaves the old page.
    if before.as_deref() != Some(text.as_str()) {
        std::fs::write(&place, making.from.stamp(&text, "performance"))?;
    }
    measured
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file)
        .map_err(|error| Failure::new("docs", format!("{}: {error}", file.display())))
}
