//! The members of a zip file, stored or deflated: what NumPy's `savez` and `savez_compressed` write.
//!
//! The directory at the end of the file lists name, size and place of every member; large files use the 64-bit fields of zip64.

use crate::mesh_io::binary::{Binary, Scalar};
use crate::mesh_io::error::MeshError;
use crate::mesh_io::source::Source;

/// A member as the directory lists it.
pub(super) struct Member {
    pub name: String,
    method: i64,
    crc: u32,
    compressed: u64,
    size: u64,
    /// Position of its local header.
    pub offset: u64,
}

const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
/// A field that is in the zip64 part instead.
const ELSEWHERE: u64 = 0xFFFF_FFFF;

/// Lists the members.
pub(super) fn members(source: &Source) -> Result<Vec<Member>, MeshError> {
    let bytes = &source.bytes;
    // The end record is 22 bytes long, and a comment of at most 65535 follows.
    let from = bytes.len().saturating_sub(22 + 65535);
    let end = bytes[from..].windows(4).rposition(|window| window == END).map(|at| from + at);
    let Some(end) = end else {
        return Err(source.malformed(
            bytes.len(),
            "the directory of the zip file is missing: the file is cut off, or no .npz",
        ));
    };
    let mut reader = Binary { source, position: end + 10, big_endian: false };
    let mut count = reader.count(Scalar::U16, "the number of members")?;
    reader.take(4, "the size of the directory")?;
    let mut start = reader.count(Scalar::U32, "the place of the directory")?;
    if count == 0xFFFF || start == ELSEWHERE {
        let found = bytes[..end].windows(4).rposition(|window| window == END_64);
        let Some(at) = found else {
            return Err(source.malformed(end, "the 64-bit directory of the zip file is missing"));
        };
        reader.position = at + 32;
        count = reader.count(Scalar::U64, "the number of members")?;
        reader.take(8, "the size of the directory")?;
        start = reader.count(Scalar::U64, "the place of the directory")?;
    }
    reader.position = usize::try_from(start).unwrap_or(usize::MAX);
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(entry(&mut reader)?);
    }
    Ok(all)
}

fn entry(reader: &mut Binary<'_>) -> Result<Member, MeshError> {
    let start = reader.position;
    if reader.take(4, "an entry of the directory")? != ENTRY {
        return Err(reader.source.malformed(start, "expected an entry of the directory of the zip file"));
    }
    reader.take(6, "an entry of the directory")?;
    let method = reader.int(Scalar::U16, "the method of compression")?;
    reader.take(4, "the time of a member")?;
    let crc = reader.int(Scalar::U32, "a checksum")? as u32;
    let mut compressed = reader.count(Scalar::U32, "the compressed size")?;
    let mut size = reader.count(Scalar::U32, "the size")?;
    let name_length = reader.count(Scalar::U16, "the length of the name")?;
    let extra_length = reader.count(Scalar::U16, "the length of the extra field")?;
    let comment_length = reader.count(Scalar::U16, "the length of the comment")?;
    reader.take(8, "attributes of a member")?;
    let mut offset = reader.count(Scalar::U32, "the place of a member")?;
    let name = String::from_utf8_lossy(reader.take(name_length, "the name of a member")?).into_owned();
    let extra_end = reader.position + extra_length as usize;
    while reader.position + 4 <= extra_end {
        let tag = reader.int(Scalar::U16, "an extra field")?;
        let length = reader.count(Scalar::U16, "an extra field")?;
        let after = reader.position + length as usize;
        if tag == 1 {
            for field in [&mut size, &mut compressed, &mut offset] {
                if *field == ELSEWHERE {
                    *field = reader.count(Scalar::U64, "a 64-bit field")?;
                }
            }
        }
        reader.position = after;
    }
    reader.position = extra_end;
    reader.take(comment_length, "a comment")?;
    Ok(Member { name, method, crc, compressed, size, offset })
}

/// The contents of a member.
pub(super) fn contents(source: &Source, member: &Member) -> Result<Vec<u8>, MeshError> {
    let position = usize::try_from(member.offset).unwrap_or(usize::MAX);
    let mut reader = Binary { source, position, big_endian: false };
    if reader.take(4, "a member of the zip file")? != LOCAL {
        return Err(
            source.malformed(position, format!("expected the member {} of the zip file", member.name))
        );
    }
    reader.take(22, "the header of a member")?;
    let name = reader.count(Scalar::U16, "the length of the name")?;
    let extra = reader.count(Scalar::U16, "the length of the extra field")?;
    reader.take(name + extra, "the name of a member")?;
    let start = reader.position;
    let bytes = reader.take(member.compressed, &format!("the contents of {}", member.name))?;
    let refuse = |what: &str| source.malformed(start, format!("{}: {what}", member.name));
    let contents = match member.method {
        0 => bytes.to_vec(),
        8 => {
            let limit = usize::try_from(member.size).unwrap_or(usize::MAX);
            miniz_oxide::inflate::decompress_to_vec_with_limit(bytes, limit)
                .map_err(|_| refuse("the compressed data is damaged"))?
        }
        other => {
            return Err(refuse(&format!(
                "compressed by method {other}; only stored and deflated are supported"
            )));
        }
    };
    if crc32fast::hash(&contents) != member.crc {
        return Err(refuse("the checksum does not match: the file is damaged"));
    }
    Ok(contents)
}
