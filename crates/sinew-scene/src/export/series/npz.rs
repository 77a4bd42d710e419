//! NumPy `.npz`: named arrays in a zip file, stored without compression so that they can be streamed and mapped.
//!
//! Sizes are known before an array is written, its checksum only after: it is put into the header in front of it then. Headers always have 64-bit sizes,
//! as NumPy writes them.

use super::Spool;
use crate::export::ExportError;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An array in memory.
#[derive(Clone, Copy, Debug)]
pub enum Array<'a> {
    /// Real numbers.
    Reals(&'a [f64]),
    /// Whole numbers that are not negative.
    Indices(&'a [u32]),
    /// Whole numbers.
    Ints(&'a [i32]),
    /// Words, as NumPy stores them: in UTF-32, all as long as the longest.
    Words(&'a [String]),
}

/// Writes arrays one after the other.
#[derive(Debug)]
pub struct NpzWriter {
    path: PathBuf,
    out: BufWriter<File>,
    directory: Vec<u8>,
    members: u64,
    position: u64,
}

impl NpzWriter {
    /// Creates the file.
    pub fn create(path: &Path) -> Result<Self, ExportError> {
        let out = BufWriter::new(File::create(path).map_err(ExportError::io(path))?);
        Ok(Self { path: path.to_owned(), out, directory: Vec::new(), members: 0, position: 0 })
    }

    /// Adds an array; the product of `shape` is its length.
    pub fn array(&mut self, name: &str, shape: &[usize], array: Array<'_>) -> Result<(), ExportError> {
        let width = match array {
            Array::Words(list) => list.iter().map(|word| word.chars().count()).max().unwrap_or(0).max(1),
            _ => 0,
        };
        let words = format!("<U{width}");
        let (kind, bytes): (&str, Vec<u8>) = match array {
            Array::Reals(list) => ("<f8", list.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Array::Indices(list) => ("<u4", list.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Array::Ints(list) => ("<i4", list.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Array::Words(list) => {
                let padded = |word: &String| {
                    word.chars().map(u32::from).chain(std::iter::repeat(0)).take(width).collect::<Vec<_>>()
                };
                (&words, list.iter().flat_map(padded).flat_map(u32::to_le_bytes).collect())
            }
        };
        self.member(name, kind, shape, bytes.len() as u64, |write| write(&bytes))
    }

    /// Adds the points of all frames, of the shape frames × points × 3.
    pub fn frames(&mut self, name: &str, frames: &mut Spool) -> Result<(), ExportError> {
        let shape = [frames.times().len(), frames.points(), 3];
        let length = shape.iter().map(|&n| n as u64).product::<u64>() * 8;
        let (mut points, mut bytes) = (Vec::new(), Vec::new());
        self.member(name, "<f8", &shape, length, |write| {
            for frame in 0..shape[0] {
                frames.read(frame, 0..shape[1], &mut points)?;
                bytes.clear();
                bytes.extend(points.iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes));
                write(&bytes)?;
            }
            Ok(())
        })
    }

    fn member(
        &mut self,
        name: &str,
        kind: &str,
        shape: &[usize],
        length: u64,
        fill: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), ExportError>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let header = npy_header(kind, shape);
        let size = header.len() as u64 + length;
        let name = format!("{name}.npy");
        let start = self.position;
        let Self { out, path, .. } = self;
        let io = ExportError::io(path);
        out.write_all(&local_header(&name, size, 0)).map_err(&io)?;
        out.write_all(&header).map_err(&io)?;
        let mut sum = crc32fast::Hasher::new();
        sum.update(&header);
        let mut written = 0;
        fill(&mut |bytes| {
            sum.update(bytes);
            written += bytes.len() as u64;
            out.write_all(bytes).map_err(ExportError::io(path))
        })?;
        if written != length {
            let reason = format!("{name} has {written} bytes instead of {length}");
            return Err(ExportError::Encode { path: path.clone(), reason });
        }
        let sum = sum.finalize();
        let local = local_header(&name, size, sum);
        let mut patch = || {
            out.seek(SeekFrom::Start(start))?;
            out.write_all(&local)?;
            out.seek(SeekFrom::End(0)).map(drop)
        };
        patch().map_err(&io)?;
        self.directory.extend(directory_entry(&name, size, sum, start));
        self.members += 1;
        self.position = start + local.len() as u64 + size;
        Ok(())
    }

    /// Writes the directory.
    pub fn finish(mut self) -> Result<(), ExportError> {
        let (start, length) = (self.position, self.directory.len() as u64);
        let mut end = std::mem::take(&mut self.directory);
        // The 64-bit end record and its locator, then the old one, whose fields say: look there.
        end.extend(b"PK\x06\x06");
        end.extend(44_u64.to_le_bytes());
        end.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for number in [self.members, self.members, length, start] {
            end.extend(number.to_le_bytes());
        }
        end.extend(b"PK\x06\x07\0\0\0\0");
        end.extend((start + length).to_le_bytes());
        end.extend(1_u32.to_le_bytes());
        end.extend(b"PK\x05\x06\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0");
        let io = ExportError::io(&self.path);
        self.out.write_all(&end).and_then(|()| self.out.flush()).map_err(io)
    }
}

/// A header of a multiple of 64 bytes.
fn npy_header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let mut text =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", sizes.trim_end());
    while !(10 + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\0".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.bytes());
    header
}

/// Version 4.5, no flags, stored, the first day of 1980: the same run gives the same bytes.
const STORED: [u8; 10] = [45, 0, 0, 0, 0, 0, 0, 0, 33, 0];

fn local_header(name: &str, size: u64, sum: u32) -> Vec<u8> {
    let mut header = b"PK\x03\x04".to_vec();
    header.extend(STORED);
    header.extend(sum.to_le_bytes());
    header.extend([0xFF; 8]);
    header.extend((name.len() as u16).to_le_bytes());
    header.extend(20_u16.to_le_bytes());
    header.extend(name.bytes());
    header.extend([1, 0, 16, 0]);
    header.extend(size.to_le_bytes());
    header.extend(size.to_le_bytes());
    header
}

fn directory_entry(name: &str, size: u64, sum: u32, start: u64) -> Vec<u8> {
    let mut entry = b"PK\x01\x02\x2D\0".to_vec();
    entry.extend(STORED);
    entry.extend(sum.to_le_bytes());
    entry.extend([0xFF; 8]);
    entry.extend((name.len() as u16).to_le_bytes());
    entry.extend(28_u16.to_le_bytes());
    entry.extend([0; 10]);
    entry.extend([0xFF; 4]);
    entry.extend(name.bytes());
    entry.extend([1, 0, 24, 0]);
    for number in [size, size, start] {
        entry.extend(number.to_le_bytes());
    }
    entry
}
