//! Arrays of strings: NumPy stores them in UTF-32, each padded with zeros to the same length.

use super::super::error::MeshError;
use super::super::source::Source;
use super::zip::{self, Member};
use std::path::Path;

/// Reads an array of strings from an `.npz` file.
///
/// # Errors
/// [`MeshError`] says what is wrong with the file, or that it has no such array.
pub fn read_npz_strings(path: &Path, name: &str) -> Result<Vec<String>, MeshError> {
    let mut source = Source::load(path)?;
    source.binary = true;
    let members = zip::members(&source)?;
    let is = |member: &&Member| member.name.strip_suffix(".npy") == Some(name);
    let Some(member) = members.iter().find(is) else {
        return Err(source.malformed(0, format!("there is no array called {name}")));
    };
    let refuse = |what: &str| source.malformed(member.offset as usize, format!("the array {name} {what}"));
    let bytes = zip::contents(&source, member)?;
    if !bytes.starts_with(b"\x93NUMPY") || bytes.len() < 12 {
        return Err(refuse("does not start with the word NUMPY"));
    }
    let (length, from) = match bytes[6] {
        1 => (usize::from(u16::from_le_bytes([bytes[8], bytes[9]])), 10),
        _ => (u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize, 12),
    };
    let header = bytes.get(from..from + length).ok_or_else(|| refuse("has a header that is cut off"))?;
    let header = String::from_utf8_lossy(header);
    let width = header.split("'<U").nth(1).and_then(|rest| rest.split('\'').next());
    let width: usize = width
        .and_then(|digits| digits.parse().ok())
        .filter(|&width| width > 0)
        .ok_or_else(|| refuse("has no strings"))?;
    let decode = |word: &[u8]| -> String {
        let codes = word.chunks_exact(4).filter_map(|c| c.first_chunk().map(|c| u32::from_le_bytes(*c)));
        codes.take_while(|&code| code != 0).filter_map(char::from_u32).collect()
    };
    let size = width.checked_mul(4).ok_or_else(|| refuse("has strings that are too long"))?;
    Ok(bytes[from + length..].chunks_exact(size).map(decode).collect())
}
