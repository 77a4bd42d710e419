//! The scenes and files that a page may open: the built-in scenes, the files below one folder, and what was dropped on the page.

use crate::around::scene_around;
use sinew_scene::builtin;
use sinew_scene::format::Scene;
use sinew_scene::input::{self, Shelf};
use std::path::{Component, Path, PathBuf};

/// Largest size of a scene text, bytes.
pub(crate) const MAX_TEXT: usize = 1 << 20;
/// Largest number of vertices of a scene.
pub(crate) const MAX_VERTICES: usize = 200_000;
/// Largest number of listed files, and the depth of folders that are searched.
const MAX_FILES: usize = 200;
const MAX_DEPTH: usize = 3;

/// The built-in scenes, the files below one folder, and the files that the page was given.
#[derive(Debug, Default)]
pub struct Library {
    /// Nothing outside this folder is read; `None`: no files at all.
    folder: Option<PathBuf>,
    /// What was dropped on the page.
    dropped: Shelf,
}

/// The origin of a scene's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Builtin,
    File,
    Page,
}

/// The text of a scene.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub name: String,
    pub text: String,
    pub origin: Origin,
    /// The file below the served folder that it is, or whose folder it uses.
    pub file: Option<String>,
    /// The folder at which the paths in it start.
    pub folder: PathBuf,
}

impl Library {
    /// Only the built-in scenes.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// The built-in scenes and the files below a folder.
    pub fn with_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..Self::default() }
    }

    /// A built-in scene.
    pub(crate) fn scene(&self, name: &str) -> Result<Source, String> {
        let found = builtin::find(name).ok_or_else(|| match builtin::closest(name) {
            Some(close) => format!("there is no scene `{name}`; did you mean `{close}`?"),
            None => format!("there is no scene `{name}`"),
        })?;
        Ok(Source {
            name: found.name.to_owned(),
            text: found.text.to_owned(),
            origin: Origin::Builtin,
            file: None,
            folder: self.root(),
        })
    }

    /// A scene that was written on the page; its paths start in the folder of the file `beside`.
    pub(crate) fn text(&self, name: &str, text: String, beside: Option<&str>) -> Result<Source, String> {
        let folder = match beside {
            Some(path) => self.below(&self.root(), path)?.parent().map(Path::to_owned).unwrap_or_default(),
            None => self.root(),
        };
        let file = beside.map(str::to_owned);
        Ok(Source { name: name.to_owned(), text, origin: Origin::Page, file, folder })
    }

    /// Keeps a file that was dropped on the page.
    pub(crate) fn take(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.dropped.put(name, bytes)
    }

    /// A scene that was written on the page; its paths name files that were dropped on it.
    pub(crate) fn dropped_text(&self, name: &str, text: String) -> Source {
        let folder = self.dropped.folder().to_owned();
        Source { name: name.to_owned(), text, origin: Origin::Page, file: None, folder }
    }

    /// A scene around a mesh that was dropped on the page.
    pub(crate) fn mesh(&self, file: &str) -> Result<Source, String> {
        if !self.dropped.has(file) {
            return Err(self.missing(file));
        }
        let text = scene_around(&self.dropped.folder().join(file), file)?;
        let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
        Ok(self.dropped_text(&stem, text))
    }

    /// Whether the paths of a scene name files that were dropped on the page.
    pub(crate) fn is_dropped(&self, source: &Source) -> bool {
        source.folder == self.dropped.folder()
    }

    fn missing(&self, file: &str) -> String {
        format!("{file} is not here; drop it on the page together with the scene")
    }

    /// A sentence as the page reads it: files that were dropped are in no folder.
    pub(crate) fn plainly(&self, sentence: &str) -> String {
        let folder = self.dropped.folder().display();
        sentence.replace(&format!("{folder}/"), "").replace(&format!("{folder}\\"), "")
    }

    /// A scene file below the folder.
    pub(crate) fn file(&self, path: &str) -> Result<Source, String> {
        let whole = self.below(&self.root(), path)?;
        let failed = |error: std::io::Error| format!("{path}: {error}");
        let size = std::fs::metadata(&whole).map_err(failed)?.len();
        if size > MAX_TEXT as u64 {
            return Err(format!(
                "{path}: {size} bytes are too many for a scene; at most {MAX_TEXT} are read"
            ));
        }
        let text = input::read_text(&whole).map_err(failed)?;
        let stem = whole.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Ok(Source {
            name: stem.unwrap_or_else(|| path.to_owned()),
            text,
            origin: Origin::File,
            file: Some(path.to_owned()),
            folder: whole.parent().map(Path::to_owned).unwrap_or_default(),
        })
    }

    /// Checks whether the viewer would open a scene of this folder: it is not too large, and every file that it names may be read.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub fn admits(&self, scene: &Scene, folder: &Path) -> Result<(), String> {
        let count = scene.vertices();
        if count > MAX_VERTICES as f64 {
            return Err(format!(
                "{count} vertices are too many for the viewer; it shows up to {MAX_VERTICES}"
            ));
        }
        scene.files().try_for_each(|path| match folder == self.dropped.folder() {
            true if self.dropped.has(path) => Ok(()),
            true => Err(self.missing(path)),
            false => self.below(folder, path).map(drop),
        })
    }

    /// Scene files below the folder, as `file` accepts them.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(folder) = &self.folder {
            collect(folder, Path::new(""), MAX_DEPTH, &mut found);
        }
        found.sort();
        found
    }

    fn root(&self) -> PathBuf {
        self.folder.clone().unwrap_or_default()
    }

    /// The real path of a file, if it is below the folder, whatever links there are on the way.
    fn below(&self, start: &Path, path: &str) -> Result<PathBuf, String> {
        let Some(folder) = &self.folder else {
            return Err(self.missing(path));
        };
        let outside = || format!("{path}: files outside of the served folder are not read");
        let failed = |error: std::io::Error| format!("{path}: {error}");
        let folder = folder.canonicalize().map_err(failed)?;
        let start =
            if start == Path::new("") { folder.clone() } else { start.canonicalize().map_err(failed)? };
        // Do not query the file system about paths outside, not even whether they exist.
        if !plain(&start.join(path)).is_some_and(|plain| plain.starts_with(&folder)) {
            return Err(outside());
        }
        let whole = start.join(path).canonicalize().map_err(failed)?;
        if whole.starts_with(&folder) { Ok(whole) } else { Err(outside()) }
    }
}

/// A path without `.` and `..`; `None` if it climbs above its root.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// Whether a path tries to leave the folder in which it starts.
pub(crate) fn is_hostile(path: &str) -> bool {
    Path::new(path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}

fn collect(root: &Path, below: &Path, depth: usize, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(root.join(below)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with('.') || found.len() >= MAX_FILES {
            continue;
        }
        let path = below.join(&name);
        // Links are not followed: they may lead anywhere, or in circles.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 && name != "target" && name != "node_modules" => {
                collect(root, &path, depth - 1, found);
            }
            Ok(kind) if kind.is_file() && is_scene(&root.join(&path)) => {
                found.push(path.to_string_lossy().into_owned());
            }
            _ => {}
        }
    }
}

/// Whether a file looks like a scene: other programs also have TOML files.
fn is_scene(path: &Path) -> bool {
    if path.extension().is_none_or(|extension| extension != "toml") {
        return false;
    }
    let small = std::fs::metadata(path).is_ok_and(|data| data.len() <= MAX_TEXT as u64);
    small && input::read_text(path).is_ok_and(|text| text.contains("[[body]]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_read() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("scenes");
        std::fs::create_dir_all(folder.join("inner")).unwrap();
        std::fs::write(folder.join("inner/a.toml"), "[[body]]\n").unwrap();
        std::fs::write(folder.join("cargo.toml"), "[package]\n").unwrap();
        std::fs::write(place.path().join("secret.toml"), "[[body]]\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path().join("secret.toml"), folder.join("link.toml")).unwrap();
        let library = Library::with_folder(&folder);
        assert_eq!(library.files(), ["inner/a.toml"]);
        assert_eq!(library.file("inner/a.toml").unwrap().name, "a");
        let hostile = [
            "../secret.toml",
            "inner/../../secret.toml",
            "../no-such.toml",
            "/etc/passwd",
            "/no/such",
            "link.toml",
        ];
        for path in hostile {
            let said = library.file(path).unwrap_err();
            assert!(said.contains("outside of the served folder"), "{path}: {said}");
        }
        assert!(library.file("none.toml").unwrap_err().contains("none.toml"));
        let beside = library.text("a", String::new(), Some("inner/a.toml")).unwrap();
        assert!(beside.folder.ends_with("inner"));
        assert!(library.text("a", String::new(), Some("../secret.toml")).is_err());
        assert!(Library::builtin().file("a.toml").is_err());
    }
}
