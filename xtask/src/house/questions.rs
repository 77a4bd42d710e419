//! Rooms that the rest of the engine asks little about: imports of contact and of bones from outside are counted.

use super::Finding;
use super::source::sources;
use std::collections::BTreeSet;
use std::path::Path;

/// Import statements from outside that a room may have.
const MOST: usize = 15;
const ROOMS: [&str; 2] = ["contact", "skeleton"];

/// Rooms that are asked about in too many places.
pub fn questions(root: &Path) -> std::io::Result<Vec<Finding>> {
    let sources = sources(root)?;
    let mut findings = Vec::new();
    for room in ROOMS {
        let inside = |path: &str| path.split("::").next() == Some(room);
        let mut places = BTreeSet::new();
        for source in sources.iter().filter(|source| !inside(&source.module) && !source.module.is_empty()) {
            for (line, _) in source.imports.iter().filter(|(_, import)| inside(import)) {
                places.insert((source.file.clone(), *line));
            }
        }
        println!("{room}: {} imports from outside, at most {MOST}", places.len());
        if places.len() > MOST {
            let what = format!(
                "`{room}` is imported in {} places outside, at most {MOST} are allowed",
                places.len()
            );
            findings.extend(places.into_iter().map(|(file, line)| Finding {
                file,
                line,
                what: what.clone(),
            }));
        }
    }
    Ok(findings)
}
