//! `cargo xtask docs`: every page and picture that a command makes, made again.
//!
//! A part is a function and the files that it writes. Parts do not depend on each other; one that fails does not stop the others,
//! because the last one takes long.

mod made_from;
mod parts;

use crate::arguments::Arguments;
use crate::sinew;
use crate::steps::{Failure, Steps};
use made_from::MadeFrom;
use std::path::{Path, PathBuf};

/// Something that is made by one command or a few.
struct Part {
    name: &'static str,
    what: &'static str,
    /// What it writes, below the folder of the repository: files, or folders of such files.
    files: &'static [&'static str],
    make: fn(&mut Steps, &Making) -> Result<(), Failure>,
}

const PARTS: &[Part] = &[
    Part {
        name: "pictures",
        what: "pictures and animations of README and docs: sinew run, sinew compare, sinew gallery",
        files: &[
            "docs/images/octopus.gif",
            "docs/images/octopus-energy.svg",
            "docs/images/snail.png",
            "docs/images/cactus.png",
            "docs/images/bunny-swing.png",
            "docs/images/monster-hanging.png",
            "docs/images/stairs.png",
            "docs/images/trampoline-energy.png",
            "docs/images/cloth.gif",
        ],
        make: parts::pictures,
    },
    Part {
        name: "lips",
        what: "the pictures of docs/lips.md: sinew lips, the commands of the tutorial",
        files: &[
            "docs/images/lips-regions.png",
            "docs/images/lips-faces.png",
            "docs/images/lips-map.png",
            "docs/images/lips-training.png",
        ],
        make: parts::lips,
    },
    Part {
        name: "gallery",
        what: "the pictures of the viewer's gallery: sinew gallery",
        files: &["crates/sinew-viewer/web/gallery"],
        make: parts::gallery,
    },
    Part {
        name: "viewer",
        what: "the pictures of the viewer: Node.js and Chromium drive it",
        files: &[
            "docs/images/viewer-trampoline.png",
            "docs/images/viewer-variants.png",
            "docs/images/viewer-cut.png",
            "docs/images/lips-view.png",
        ],
        make: parts::viewer,
    },
    Part {
        name: "papers",
        what: "docs/papers.md: sinew paper all; some minutes",
        files: &["docs/papers.md"],
        make: parts::papers,
    },
    Part {
        name: "performance",
        what: "docs/performance.md and its plot: sinew bench; needs an idle machine for a good while",
        files: &["docs/performance.md", "docs/images/scaling.png", "docs/images/scaling.svg"],
        make: parts::performance,
    },
];

/// Pictures that no part makes, by how their names begin: the examples of `crates/sinew-python` and the commands of `docs/sweeps.md` write them.
#[cfg(test)]
const MADE_BY_HAND: [&str; 2] = ["docs/images/python-", "docs/images/sweep-"];

/// The parts, a line each, for the help.
pub fn list() -> String {
    PARTS.iter().map(|part| format!("            {:<12} {}\n", part.name, part.what)).collect()
}

/// What all parts need to know.
struct Making {
    /// The release build of this tree.
    binary: PathBuf,
    /// The folder that stands for the repository: itself, or `--out`.
    into: PathBuf,
    /// For whatever is made on the way.
    scratch: PathBuf,
    from: MadeFrom,
    quick: bool,
}

impl Making {
    /// The place of a file of the repository; its folder is made.
    fn place(&self, file: &str) -> Result<PathBuf, Failure> {
        let place = self.into.join(file);
        std::fs::create_dir_all(place.parent().unwrap_or(&self.into))?;
        Ok(place)
    }

    fn copy(&self, from: &Path, file: &str) -> Result<(), Failure> {
        let place = self.place(file)?;
        std::fs::copy(from, &place)
            .map_err(|error| Failure::new("docs", format!("{}: {error}", from.display())))?;
        println!("{}", place.display());
        Ok(())
    }
}

/// Makes all parts, or those that `--only` names.
pub fn task(steps: &mut Steps, mut arguments: Arguments) -> Result<(), Failure> {
    let mut chosen: Vec<&Part> = Vec::new();
    while let Some(name) = arguments.value("--only")? {
        let names = || PARTS.iter().map(|part| part.name).collect::<Vec<_>>().join(", ");
        let part = PARTS.iter().find(|part| part.name == name);
        chosen.push(part.ok_or_else(|| {
            Failure::new("docs", format!("there is no part `{name}`; there are: {}", names()))
        })?);
    }
    if chosen.is_empty() {
        chosen = PARTS.iter().collect();
    }
    let (out, quick) = (arguments.value("--out")?, arguments.switch("--quick"));
    arguments.end()?;
    let root = steps.root().to_path_buf();
    let into = match out {
        Some(folder) => std::path::absolute(folder)?,
        None => root.clone(),
    };
    // Before anything is written: what is made must not count as a change.
    let generated: Vec<&str> = PARTS.iter().flat_map(|part| part.files).copied().collect();
    let from = MadeFrom::here(&root, &generated, quick)?;
    let scratch = crate::page::target(&root).join("docs");
    std::fs::create_dir_all(&scratch)?;
    let making = Making { binary: sinew::binary(steps, None)?, into, scratch, from, quick };
    let mut failures = Vec::new();
    for part in chosen {
        println!("\n=== {}: {}", part.name, part.what);
        let begin = std::time::Instant::now();
        let result = (part.make)(steps, &making);
        println!("--- {}: {:.1} s", part.name, begin.elapsed().as_secs_f64());
        if let Err(failure) = result {
            eprintln!("{}: {failure}", part.name);
            failures.push(format!("{}: {failure}", part.name));
        }
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(Failure::new("docs", failures.join("\n"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_of_their_own_and_write_files_that_are_there() {
        let root = crate::root();
        for (i, part) in PARTS.iter().enumerate() {
            assert!(PARTS[..i].iter().all(|other| other.name != part.name), "{}", part.name);
            assert!(list().contains(part.name) && !part.files.is_empty());
            for file in part.files {
                assert!(root.join(file).exists(), "{}: {file}", part.name);
            }
        }
    }

    /// A picture that no part makes would grow old unnoticed.
    #[test]
    fn every_picture_of_the_docs_is_made_by_a_part() {
        let made: Vec<&str> = PARTS.iter().flat_map(|part| part.files).copied().collect();
        for entry in std::fs::read_dir(crate::root().join("docs/images")).unwrap() {
            let name = format!("docs/images/{}", entry.unwrap().file_name().to_string_lossy());
            let by_hand = MADE_BY_HAND.iter().any(|start| name.starts_with(start));
            assert!(by_hand || made.contains(&name.as_str()), "{name}");
        }
    }
}
