//! Reading a file that the user names: regular files only, and no more of them than fits.
//!
//! A named pipe without a writer would wait for ever, and a device such as `/dev/zero` never ends. What the shell opened for the program
//! (`/dev/stdin`, `/dev/fd/63` of `<(…)`) is read to its end, within the same limit. Files may also be in memory ([`Shelf`]).

mod shelf;

pub use shelf::Shelf;

use std::fs::{File, FileType, Metadata};
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// Largest text, bytes: scenes, `.joint` files, reports.
pub const MAX_TEXT: u64 = 256 << 20;
/// Largest mesh or checkpoint, bytes.
pub const MAX_DATA: u64 = 8 << 30;

/// The bytes of a file with at most `limit` of them.
///
/// # Errors
/// What the system reports, or a sentence about a folder, a device, a pipe, or a file that is too large.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    if let Some(bytes) = shelf::get(path) {
        return if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes.to_vec()) };
    }
    if shelf::owns(path) {
        return Err(Error::new(
            std::io::ErrorKind::NotFound,
            "there is no such file among those that were given",
        ));
    }
    // Before it is opened, since opening a pipe waits for its writer.
    let data = std::fs::metadata(path)?;
    let open = is_open_already(path);
    check(&data, open, limit)?;
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    if data.is_file() {
        bytes.try_reserve_exact(data.len() as usize)?;
    }
    // One byte more than allowed tells a file that is too large, or has grown since, from one that fits.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// The text of a file with at most [`MAX_TEXT`] bytes.
///
/// # Errors
/// As [`read`], or that it is no text.
pub fn read_text(path: &Path) -> Result<String, Error> {
    let no_text = |_| Error::new(ErrorKind::InvalidData, "this is no text (UTF-8)");
    String::from_utf8(read(path, MAX_TEXT)?).map_err(no_text)
}

fn check(data: &Metadata, open: bool, limit: u64) -> Result<(), Error> {
    let kind = data.file_type();
    if data.is_dir() {
        return Err(Error::new(ErrorKind::IsADirectory, "this is a folder, not a file"));
    }
    if !data.is_file() && !open {
        let what = format!("this is {}; only regular files are read", name(kind));
        return Err(Error::new(ErrorKind::InvalidInput, what));
    }
    if data.is_file() && data.len() > limit { Err(too_large(limit)) } else { Ok(()) }
}

fn too_large(limit: u64) -> Error {
    let size = if limit < 1 << 30 { format!("{} MiB", limit >> 20) } else { format!("{} GiB", limit >> 30) };
    Error::new(ErrorKind::FileTooLarge, format!("the file is too large: at most {size} are read"))
}

/// Whether a path names something that the program was started with, such as its standard input.
fn is_open_already(path: &Path) -> bool {
    let within = |folder: &str| path.parent() == Some(Path::new(folder));
    path == Path::new("/dev/stdin") || within("/dev/fd") || within("/proc/self/fd")
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn name(_: FileType) -> &'static str {
    "no regular file"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_within_the_limit_are_read_and_others_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read(folder.path(), 5).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(read(&folder.path().join("b"), 5).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn devices_are_refused_at_once() {
        for device in ["/dev/zero", "/dev/null"] {
            let error = read(Path::new(device), MAX_DATA).unwrap_err().to_string();
            assert_eq!(error, "this is a device; only regular files are read");
        }
    }

    /// A sparse file says how large it is before anything of it is read.
    #[test]
    #[cfg(unix)]
    fn endless_files_are_refused_by_their_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        File::create(&path).unwrap().set_len(MAX_DATA + 1).unwrap();
        let error = read(&path, MAX_DATA).unwrap_err().to_string();
        assert_eq!(error, "the file is too large: at most 8 GiB are read");
    }
}
