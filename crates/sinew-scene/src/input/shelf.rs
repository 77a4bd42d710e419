//! Files in memory, for a page that was given them: what is put on a shelf is read by its path as if it were on the disk.
//!
//! Each shelf has a folder of its own, with a name that no disk has, so that shelves do not see each other. Everything that reads files
//! through [`super::read`] reads shelves, too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// How the folders of shelves begin.
const PREFIX: &str = "\u{1}shelf-";
/// Most files on a shelf, and most bytes of all of them.
pub const MAX_FILES: usize = 64;
/// Most bytes of all files on a shelf.
pub const MAX_BYTES: usize = 256 << 20;
/// Most bytes of a name.
const MAX_NAME: usize = 200;

/// All files in memory.
static FILES: RwLock<BTreeMap<PathBuf, Arc<[u8]>>> = RwLock::new(BTreeMap::new());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A folder in memory. Its files are gone when it is dropped.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    sizes: BTreeMap<String, usize>,
}

impl Shelf {
    /// An empty shelf.
    pub fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { folder: PathBuf::from(format!("{PREFIX}{number}")), sizes: BTreeMap::new() }
    }

    /// The folder of its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether there is a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.sizes.contains_key(name)
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Puts a file on the shelf, in place of one of the same name.
    ///
    /// # Errors
    /// A sentence: the name is not that of a file, or there is no room.
    pub fn put(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        let plain = !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "." && name != "..";
        if !plain || name.len() > MAX_NAME {
            return Err("a file that is given to the page needs a plain name, without folders".to_owned());
        }
        let others: usize = self.sizes.iter().filter(|(other, _)| *other != name).map(|(_, size)| size).sum();
        if others + bytes.len() > MAX_BYTES {
            return Err(format!("{name}: more than {} MiB of files are too many", MAX_BYTES >> 20));
        }
        if !self.has(name) && self.sizes.len() >= MAX_FILES {
            return Err(format!("{name}: more than {MAX_FILES} files are too many"));
        }
        self.sizes.insert(name.to_owned(), bytes.len());
        let mut files = FILES.write().unwrap_or_else(PoisonError::into_inner);
        files.insert(self.folder.join(name), bytes.into());
        Ok(())
    }
}

impl Default for Shelf {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        let mut files = FILES.write().unwrap_or_else(PoisonError::into_inner);
        files.retain(|path, _| !path.starts_with(&self.folder));
    }
}

/// The bytes of a file in memory.
/// Whether a path is below the folder of a shelf, whatever is there.
pub(super) fn owns(path: &Path) -> bool {
    path.components().next().is_some_and(|first| first.as_os_str().to_string_lossy().starts_with(PREFIX))
}

pub(super) fn get(path: &Path) -> Option<Arc<[u8]>> {
    FILES.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{MAX_TEXT, read, read_text};

    #[test]
    fn what_is_on_a_shelf_is_read_and_gone_with_it() {
        let mut shelf = Shelf::new();
        let other = Shelf::new();
        shelf.put("a.txt", b"one".to_vec()).unwrap();
        shelf.put("a.txt", b"two".to_vec()).unwrap();
        let path = shelf.folder().join("a.txt");
        assert_eq!(read_text(&path).unwrap(), "two");
        assert_eq!(read(&path, 2).unwrap_err().kind(), std::io::ErrorKind::FileTooLarge);
        assert!(read(&other.folder().join("a.txt"), MAX_TEXT).is_err());
        drop(shelf);
        assert!(read(&path, MAX_TEXT).is_err());
    }

    #[test]
    fn only_plain_names_have_a_place() {
        let mut shelf = Shelf::new();
        for name in ["", ".", "..", "a/b", "../a", "a\\b", "a\0", &"a".repeat(300)] {
            assert!(shelf.put(name, Vec::new()).unwrap_err().contains("plain name"), "{name}");
        }
        for number in 0..MAX_FILES {
            shelf.put(&number.to_string(), Vec::new()).unwrap();
        }
        assert!(shelf.put("more", Vec::new()).unwrap_err().contains("too many"));
        shelf.put("0", b"in place of another".to_vec()).unwrap();
    }
}
