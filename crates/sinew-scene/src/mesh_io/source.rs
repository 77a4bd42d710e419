//! A file in memory, and its lines.
//!
//! Positions are byte offsets throughout; the line number is counted only when an error needs it. Everything works on bytes, since real files
//! contain names and comments in many encodings.

use super::error::{Defect, MeshError, Place};
use super::tokens::Tokens;
use crate::input;
use std::fmt::Display;
use std::path::{Component, Path, PathBuf};

/// A file's name and contents.
pub(super) struct Source {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    /// Whether errors give positions as bytes instead of lines.
    pub binary: bool,
}

impl Source {
    pub fn load(path: &Path) -> Result<Self, MeshError> {
        match input::read(path, input::MAX_DATA) {
            Ok(bytes) => Ok(Self { path: path.to_owned(), bytes, binary: false }),
            Err(source) => Err(MeshError::Io { file: path.to_owned(), source }),
        }
    }

    /// The path of a file that this one names: one beside it or in a folder beside it, so that a file from elsewhere cannot have any other read.
    pub fn beside(&self, name: &str) -> Result<PathBuf, MeshError> {
        let inside = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        if name.is_empty() || !Path::new(name).components().all(inside) {
            return Err(
                self.malformed(0, format!("it names the file `{name}`; only files beside this one are read"))
            );
        }
        Ok(self.path.with_file_name(name))
    }

    fn place(&self, offset: usize) -> Place {
        if self.binary {
            return Place::Byte(offset);
        }
        let before = &self.bytes[..offset.min(self.bytes.len())];
        Place::Line(1 + before.iter().filter(|&&byte| byte == b'\n').count())
    }

    pub fn malformed(&self, offset: usize, what: impl Into<String>) -> MeshError {
        MeshError::Malformed { file: self.path.clone(), place: self.place(offset), what: what.into() }
    }

    /// A defect of the mesh; no offset means the file as a whole.
    pub fn invalid(&self, offset: Option<usize>, defect: Defect) -> MeshError {
        let place = offset.map_or(Place::File, |offset| self.place(offset));
        MeshError::Invalid { file: self.path.clone(), place, defect }
    }

    /// All tokens of the file.
    pub fn tokens(&self) -> Tokens<'_> {
        Tokens { source: self, position: self.start_of_text(), end: self.bytes.len() }
    }

    /// The lines that contain a token.
    pub fn lines(&self) -> Lines<'_> {
        Lines { source: self, start: self.start_of_text() }
    }

    /// Past a byte order mark, which some editors put first.
    fn start_of_text(&self) -> usize {
        if self.bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }
    }
}

/// The lines that contain a token, each as its tokens. A backslash at the end of a line continues it.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    source: &'a Source,
    start: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Tokens<'a>;

    fn next(&mut self) -> Option<Tokens<'a>> {
        while self.start < self.source.bytes.len() {
            let end = end_of_line(&self.source.bytes, self.start);
            let line = Tokens { source: self.source, position: self.start, end };
            self.start = end + 1;
            if line.clone().next().is_some() {
                return Some(line);
            }
        }
        None
    }
}

impl<'a> Lines<'a> {
    /// The next line; `what` names it in the error if there is none.
    pub fn row(&mut self, what: impl Display) -> Result<Tokens<'a>, MeshError> {
        self.next().ok_or_else(|| {
            let end = self.source.bytes.len();
            self.source.malformed(end, format!("expected {what}, but the file ends here"))
        })
    }
}

/// The offset of the newline that ends the line (or of the end of the bytes), past continued ones.
fn end_of_line(bytes: &[u8], start: usize) -> usize {
    let mut from = start;
    loop {
        let Some(length) = bytes[from..].iter().position(|&byte| byte == b'\n') else {
            return bytes.len();
        };
        let end = from + length;
        let line = bytes[from..end].strip_suffix(b"\r").unwrap_or(&bytes[from..end]);
        if !line.ends_with(b"\\") {
            return end;
        }
        from = end + 1;
    }
}
