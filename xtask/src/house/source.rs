//! The engine's files with the modules that they are and the paths that they import.

use super::{files_below, read, relative};
use std::path::{Path, PathBuf};

/// One file of the engine.
pub struct Source {
    pub file: PathBuf,
    /// `contact::phases`; empty for `lib.rs`.
    pub module: String,
    /// (line, path without `crate::`) of everything that it names by its path in the crate, except in tests.
    pub imports: Vec<(usize, String)>,
}

/// Every file of the engine that is not a test.
pub fn sources(root: &Path) -> std::io::Result<Vec<Source>> {
    let folder = root.join("crates/sinew/src");
    let mut sources = Vec::new();
    for file in files_below(&folder, "rs")? {
        let text = read(&file)?;
        let module = module_of(&relative(&file, &folder));
        if module.split("::").any(|part| part == "tests") || is_test(&module, root) {
            continue;
        }
        sources.push(Source { file: relative(&file, root), module, imports: imports(&text) });
    }
    Ok(sources)
}

/// `contact/phases/mod.rs` → `contact::phases`.
fn module_of(file: &Path) -> String {
    let path = file.with_extension("");
    let mut parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib") {
        parts.pop();
    }
    parts.join("::")
}

/// Whether the file is a module that its parent declares for tests only.
fn is_test(module: &str, root: &Path) -> bool {
    let Some((parent, name)) = module.rsplit_once("::") else { return false };
    let parent = parent.replace("::", "/");
    let candidates = [format!("crates/sinew/src/{parent}.rs"), format!("crates/sinew/src/{parent}/mod.rs")];
    let declared = format!("#[cfg(test)]\nmod {name};");
    candidates.iter().filter_map(|file| read(&root.join(file)).ok()).any(|text| text.contains(&declared))
}

/// Paths behind `crate::`, with groups in braces taken apart; what follows `#[cfg(test)]` is left out, as tests stand at the end of a file.
fn imports(text: &str) -> Vec<(usize, String)> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let mut found = Vec::new();
    let mut offset = 0;
    let stripped: String = code
        .lines()
        .map(|line| {
            let kept = line.find("//").map_or(line, |at| &line[..at]);
            format!("{kept}\n")
        })
        .collect();
    while let Some(at) = stripped[offset..].find("crate::") {
        let start = offset + at;
        let inside_word = stripped[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
        offset = start + "crate::".len();
        if inside_word {
            continue;
        }
        let line = stripped[..start].lines().count().max(1);
        let rest = &stripped[offset..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
        let path = rest[..end].trim_end_matches(':');
        match rest[end..].strip_prefix('{').and_then(|group| group.split_once('}')) {
            Some((group, _)) if rest[..end].ends_with("::") => {
                for name in group.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    found.push((line, format!("{path}::{name}")));
                }
            }
            _ => found.push((line, path.to_owned())),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_and_groups_taken_apart() {
        let text = "//! crate::not\nuse crate::a::{B, c::D};\nfn f() -> crate::e::F {}\n#[cfg(test)]\nmod tests { use crate::g; }\n";
        let expected = [(2, "a::B"), (2, "a::c::D"), (3, "e::F")].map(|(line, path)| (line, path.to_owned()));
        assert_eq!(imports(text), expected);
    }

    #[test]
    fn files_are_modules() {
        assert_eq!(module_of(Path::new("contact/phases/mod.rs")), "contact::phases");
        assert_eq!(module_of(Path::new("step.rs")), "step");
        assert_eq!(module_of(Path::new("lib.rs")), "");
    }
}
