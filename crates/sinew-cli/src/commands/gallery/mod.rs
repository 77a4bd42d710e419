//! `sinew gallery`: every built-in scene as a picture, an animation and an energy plot, on one static page.
//!
//! Each scene has a folder of its own. Its `card.json` is written last: a folder with a card that belongs to the scene as it is now is not made again, so a gallery that was
//! interrupted goes on where it stopped.

mod beside;
mod card;
mod page;

use crate::console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::source::Source;
use crate::threads;
use card::Card;
use clap::Args;
use sinew_scene::builtin;
use sinew_scene::run::OutputError;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Draw all built-in scenes into one static page: pictures, animations, energy plots.
///
/// Interrupted, it goes on where it stopped when it is called again.
#[derive(Debug, Args)]
pub struct GalleryArguments {
    /// Scenes: names of built-in ones or files. Default: all built-in scenes.
    scenes: Vec<String>,
    /// The folder to write; open its index.html.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The address of the viewer's page, to which `?scene=NAME` is added. Default: `../` if that folder has an index.html, as `cargo xtask web` writes it; without
    /// one, the page shows the command that opens a scene.
    #[arg(long, value_name = "ADDRESS")]
    live: Option<String>,
    /// Make everything again, even what is there already.
    #[arg(long)]
    again: bool,
    /// Show what Jolt and Rapier make of the scenes that the benchmark shares with them: installs them into the private folder, with npm and cargo, and runs them. Without
    /// it, what is in that folder from before is shown.
    #[arg(long)]
    peers: bool,
    /// The private folder of the other simulators; remove it to remove them.
    #[arg(long, value_name = "DIR", default_value = "target/peers")]
    peers_dir: PathBuf,
    /// Number of threads; by default one per core.
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<usize>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// Makes what is missing, and the page.
pub fn gallery(arguments: &GalleryArguments) -> Result<(), Failure> {
    let named = match &arguments.scenes[..] {
        [] => builtin::SCENES.iter().map(|scene| scene.name.to_owned()).collect(),
        scenes => scenes.to_vec(),
    };
    // All are read before the first is run: a wrong name should not be found after minutes.
    let sources = named.iter().map(|name| Source::load(name)).collect::<Result<Vec<_>, _>>()?;
    let mut folders = BTreeSet::new();
    if let Some(again) =
        sources.iter().map(|source| folder_of(&source.name)).find(|name| !folders.insert(name.clone()))
    {
        return Err(Failure::Input(format!(
            "two scenes would have the same folder `{again}`: give one of them another name"
        )));
    }
    std::fs::create_dir_all(&arguments.out)
        .map_err(|error| Failure::Input(format!("--out {}: {error}", arguments.out.display())))?;
    let (start, interrupt) = (Instant::now(), Interrupt::listen());
    let mut cards: Vec<Card> = Vec::new();
    let mut made = 0;
    for (number, source) in sources.iter().enumerate() {
        let folder = arguments.out.join(folder_of(&source.name));
        let kept = if arguments.again { None } else { Card::kept(source, &folder) };
        let mut card = match kept {
            Some(card) => card,
            None => {
                if !arguments.quiet {
                    console::remark(format_args!("{} of {}: {}", number + 1, sources.len(), source.name));
                }
                made += 1;
                threads::with(arguments.threads, || Card::make(source, &folder, &interrupt, arguments.quiet))?
            }
        };
        if card.beside.is_empty() {
            let peers = (arguments.peers_dir.as_path(), arguments.peers);
            card.beside = beside::draw(source, &folder, peers, arguments.quiet)?;
            if !card.beside.is_empty() {
                card.write(&folder)?;
            }
        }
        cards.push(card);
        // After every scene, so that there is a page at any time.
        write_page(arguments, &cards)?;
    }
    let size = folder_size(&arguments.out) as f64 / 1e6;
    console::say(format!(
        "{}: {} scenes, {made} of them made in {:.0} s, {size:.1} MB",
        arguments.out.join("index.html").display(),
        cards.len(),
        start.elapsed().as_secs_f64(),
    ))
}

fn write_page(arguments: &GalleryArguments, cards: &[Card]) -> Result<(), Failure> {
    let beside = arguments.out.join("..").join("index.html").is_file().then(|| "../".to_owned());
    let live = arguments.live.clone().or(beside);
    write(&arguments.out.join("index.html"), &page::page(cards, live.as_deref()))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|source| OutputError::Io { path: path.to_owned(), source }.into())
}

/// The name of a scene as the name of a folder and of a part of an address.
fn folder_of(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' }).collect()
}

/// Bytes in a folder and those below it.
fn folder_size(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let of = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => folder_size(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.flatten().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_no_slashes_or_dots() {
        assert_eq!(folder_of("paper/../x y.z"), "paper----x-y-z");
        assert_eq!(folder_of("cloth-torus"), "cloth-torus");
    }
}
