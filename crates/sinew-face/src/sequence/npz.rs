//! Frames in an `.npz` file that NumPy's `savez` or Sinew wrote: the array is stored as it is, and a frame is read when it is needed.
//!
//! Compressed files, other types of numbers and the order of Fortran are left to the reader of whole files, which also says what is wrong with a file.

use crate::error::FaceError;
use glam::DVec3;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An array of frames in a file, or in memory.
#[derive(Debug)]
pub struct Npz {
    path: PathBuf,
    frames: usize,
    points: usize,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// Where the numbers begin, and bytes of one.
    Stored {
        file: Mutex<File>,
        start: u64,
        size: usize,
    },
    Loaded(Vec<f64>),
}

/// Names of the array of frames.
const ARRAYS: [&str; 4] = ["frames", "positions", "vertices", "V"];

impl Npz {
    /// Opens a file with an array frames × #V × 3.
    ///
    /// # Errors
    /// [`FaceError`] if there is no such array.
    pub fn open(path: &Path) -> Result<Self, FaceError> {
        if let Some(stored) = File::open(path).ok().and_then(|file| stored(path, file)) {
            return Ok(stored);
        }
        let array = sinew_scene::mesh_io::read_npz_array(path, &ARRAYS).map_err(FaceError::mesh)?;
        match array.shape[..] {
            [frames, points, 3] if frames > 0 && points > 0 => {
                Ok(Self { path: path.to_owned(), frames, points, place: Place::Loaded(array.numbers) })
            }
            _ => {
                let what =
                    format!("the frames have the shape {:?}; frames × vertices × 3 is needed", array.shape);
                Err(FaceError::file(path, what))
            }
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Whether frames are read one at a time.
    pub fn is_streamed(&self) -> bool {
        matches!(self.place, Place::Stored { .. })
    }

    /// Reads the points of a frame below [`Npz::frames`].
    ///
    /// # Errors
    /// [`FaceError::Io`].
    pub fn read(&self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), FaceError> {
        let n = 3 * self.points;
        out.clear();
        match &self.place {
            Place::Loaded(numbers) => {
                out.extend(numbers[frame * n..(frame + 1) * n].chunks_exact(3).map(DVec3::from_slice));
            }
            Place::Stored { file, start, size } => {
                let mut bytes = vec![0; n * size];
                {
                    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                    let at = start + frame as u64 * bytes.len() as u64;
                    file.seek(SeekFrom::Start(at)).map_err(FaceError::io(&self.path))?;
                    file.read_exact(&mut bytes).map_err(FaceError::io(&self.path))?;
                }
                let real = |b: &[u8]| match size {
                    4 => b.first_chunk().map_or(0.0, |b| f64::from(f32::from_le_bytes(*b))),
                    _ => b.first_chunk().map_or(0.0, |b| f64::from_le_bytes(*b)),
                };
                let point = |p: &[u8]| DVec3::new(real(p), real(&p[*size..]), real(&p[2 * size..]));
                out.extend(bytes.chunks_exact(3 * size).map(point));
            }
        }
        Ok(())
    }
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(bytes.get(at..at + N)?);
    Some(u64::from_le_bytes(wide))
}

fn piece(file: &mut File, at: u64, length: u64) -> Option<Vec<u8>> {
    // No part of a directory or a header is longer.
    if length > 1 << 24 {
        return None;
    }
    let mut bytes = vec![0; length as usize];
    file.seek(SeekFrom::Start(at)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// The array as it lies in the file; `None` if it has to be read as a whole.
fn stored(path: &Path, mut file: File) -> Option<Npz> {
    let length = file.metadata().ok()?.len();
    let tail_length = length.min(22 + 65_535 + 76);
    let tail = piece(&mut file, length - tail_length, tail_length)?;
    let end = tail.windows(4).rposition(|w| w == b"PK\x05\x06")?;
    let (mut size, mut at) = (number::<4>(&tail, end + 12)?, number::<4>(&tail, end + 16)?);
    if size == 0xFFFF_FFFF || at == 0xFFFF_FFFF {
        let wide = tail[..end].windows(4).rposition(|w| w == b"PK\x06\x06")?;
        (size, at) = (number::<8>(&tail, wide + 40)?, number::<8>(&tail, wide + 48)?);
    }
    let directory = piece(&mut file, at, size)?;
    let members = members(&directory)?;
    let find = |name: &&str| members.iter().find(|m| m.name.strip_suffix(".npy") == Some(*name));
    let member = ARRAYS.iter().find_map(find)?;
    if member.method != 0 {
        return None;
    }
    let local = piece(&mut file, member.at, 30)?;
    let data = member.at + 30 + number::<2>(&local, 26)? + number::<2>(&local, 28)?;
    let head = piece(&mut file, data, 12)?;
    let (from, header_length) = match (head.starts_with(b"\x93NUMPY"), head[6]) {
        (true, 1) => (10, number::<2>(&head, 8)?),
        (true, _) => (12, number::<4>(&head, 8)?),
        _ => return None,
    };
    let header = String::from_utf8(piece(&mut file, data + from, header_length)?).ok()?;
    let size = if header.contains("'<f8'") { 8 } else { 4 };
    let understood = header.contains("'<f8'") || header.contains("'<f4'");
    if !understood || !header.contains("'fortran_order': False") {
        return None;
    }
    let shape = header.split("'shape':").nth(1)?.split('(').nth(1)?.split(')').next()?;
    let shape: Vec<usize> =
        shape.split(',').map(str::trim).filter(|s| !s.is_empty()).map_while(|s| s.parse().ok()).collect();
    let [frames, points, 3] = shape[..] else { return None };
    let start = data + from + header_length;
    let needed = (frames as u64).checked_mul(points as u64)?.checked_mul(3 * size as u64)?;
    if frames == 0 || points == 0 || start.checked_add(needed)? > length {
        return None;
    }
    let place = Place::Stored { file: Mutex::new(file), start, size };
    Some(Npz { path: path.to_owned(), frames, points, place })
}

/// A member of a zip file.
struct Member {
    name: String,
    method: u64,
    /// Where its local header is.
    at: u64,
}

fn members(directory: &[u8]) -> Option<Vec<Member>> {
    let (mut all, mut at) = (Vec::new(), 0);
    while directory.get(at..at + 4) == Some(b"PK\x01\x02") {
        let [name, extra, comment] = [28, 30, 32].map(|k| number::<2>(directory, at + k));
        let (name, extra, comment) = (name? as usize, extra? as usize, comment? as usize);
        let text = String::from_utf8_lossy(directory.get(at + 46..at + 46 + name)?).into_owned();
        let fields = directory.get(at + 46 + name..at + 46 + name + extra)?;
        let sizes = [24, 20].map(|k| number::<4>(directory, at + k) == Some(0xFFFF_FFFF));
        let mut place = number::<4>(directory, at + 42)?;
        if place == 0xFFFF_FFFF {
            // The 64-bit field holds, of sizes and place, those that are elsewhere.
            if number::<2>(fields, 0)? != 1 {
                return None;
            }
            place = number::<8>(fields, 4 + 8 * sizes.iter().filter(|s| **s).count())?;
        }
        all.push(Member { name: text, method: number::<2>(directory, at + 10)?, at: place });
        at += 46 + name + extra + comment;
    }
    Some(all)
}
