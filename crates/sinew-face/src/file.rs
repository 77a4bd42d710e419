//! The model file: everything that applying and adding need, in one piece.
//!
//! `SINEWLIP`, version, then counts and arrays, little-endian, then the CRC-32 of all before. Reading factors the Poisson equation and the Gram matrices
//! again.

use crate::error::FaceError;
use crate::model::{Example, Model, Ridge};
use crate::patch::Patch;
use crate::regions::Regions;
use glam::DVec3;
use std::path::Path;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"SINEWLIP";
const VERSION: u32 = 1;

impl Model {
    /// Writes the model.
    ///
    /// # Errors
    /// [`FaceError::Io`].
    pub fn save(&self, path: &Path) -> Result<(), FaceError> {
        // Renamed into place: whatever happens, the corrections of the old file are not lost.
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = std::path::PathBuf::from(part);
        std::fs::write(&part, self.to_bytes()).map_err(FaceError::io(&part))?;
        std::fs::rename(&part, path).map_err(FaceError::io(path))
    }

    /// Reads a model.
    ///
    /// # Errors
    /// [`FaceError`] if the file is no model, of another version, or damaged.
    pub fn load(path: &Path) -> Result<Self, FaceError> {
        let bytes =
            sinew_scene::input::read(path, sinew_scene::input::MAX_DATA).map_err(FaceError::io(path))?;
        Self::from_bytes(&bytes).map_err(|what| FaceError::file(path, what))
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let patch = self.patch();
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        let ridge = match self.ridge() {
            Ridge::None => 0.0,
            Ridge::Relative(r) => r,
        };
        out.extend(ridge.to_le_bytes());
        out.extend((self.windows().count() as u64).to_le_bytes());
        put_reals(&mut out, patch.neutral().iter().flat_map(|p| p.to_array()));
        put_indices(&mut out, patch.triangles().iter().flatten().copied());
        put_indices(&mut out, patch.regions().mouth.iter().copied());
        put_indices(&mut out, patch.regions().inner.iter().copied());
        out.extend((self.examples().len() as u64).to_le_bytes());
        for example in self.examples() {
            put_indices(&mut out, example.name.bytes().map(u32::from));
            put_reals(&mut out, example.mouth.iter().copied());
            put_reals(&mut out, example.inner.iter().copied());
            put_reals(&mut out, example.learned.iter().flat_map(|p| p.to_array()));
        }
        let sum = crc32fast::hash(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    /// The model of these bytes; the error is a sentence without the file's name.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = Reader { bytes };
        if reader.take(8)? != MAGIC {
            return Err("this is no model of lips".into());
        }
        let version = u32::from_le_bytes(*reader.chunk()?);
        if version != VERSION {
            return Err(format!("the model has version {version}; this program reads version {VERSION}"));
        }
        let (contents, sum) = bytes.split_at(bytes.len().saturating_sub(4));
        if crc32fast::hash(contents).to_le_bytes() != sum {
            return Err("the checksum does not match: the file is damaged or cut off".into());
        }
        let ridge = f64::from_le_bytes(*reader.chunk()?);
        let windows = u64::from_le_bytes(*reader.chunk()?).clamp(1, 1024) as usize;
        let neutral: Vec<DVec3> = reader.reals()?.chunks_exact(3).map(DVec3::from_slice).collect();
        let triangles: Vec<[u32; 3]> =
            reader.indices()?.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        let (mouth, inner) = (reader.indices()?, reader.indices()?);
        let regions = Regions::from_lists(neutral.len(), &mouth, &inner);
        let patch = Patch::new(&neutral, &triangles, regions).map_err(|error| error.to_string())?;
        let (counts, vertices) = (patch.triangle_counts(), patch.regions().inner.len());
        let ridge = if ridge > 0.0 { Ridge::Relative(ridge) } else { Ridge::None };
        let mut model = Self::with_windows(Arc::new(patch), ridge, windows);
        let examples = u64::from_le_bytes(*reader.chunk()?);
        for _ in 0..examples {
            let name: Vec<u8> = reader.indices()?.into_iter().map(|c| c as u8).collect();
            let name = String::from_utf8_lossy(&name).into_owned();
            let (mouth, inner) = (reader.reals()?, reader.reals()?);
            let learned: Vec<DVec3> = reader.reals()?.chunks_exact(3).map(DVec3::from_slice).collect();
            let sizes = (mouth.len(), inner.len(), learned.len());
            if sizes != (9 * counts.0, 9 * counts.1, vertices) {
                return Err(format!("the example {name} has another size than the mesh"));
            }
            model.add_example(Example { name, mouth, inner, learned });
        }
        model.retrain();
        Ok(model)
    }
}

fn put_reals(out: &mut Vec<u8>, list: impl Iterator<Item = f64>) {
    let at = out.len();
    out.extend([0; 8]);
    list.for_each(|v| out.extend(v.to_le_bytes()));
    let count = ((out.len() - at - 8) / 8) as u64;
    out[at..at + 8].copy_from_slice(&count.to_le_bytes());
}

fn put_indices(out: &mut Vec<u8>, list: impl Iterator<Item = u32>) {
    let at = out.len();
    out.extend([0; 8]);
    list.for_each(|v| out.extend(v.to_le_bytes()));
    let count = ((out.len() - at - 8) / 4) as u64;
    out[at..at + 8].copy_from_slice(&count.to_le_bytes());
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (head, rest) = self.bytes.split_at_checked(count).ok_or("the file is cut off")?;
        self.bytes = rest;
        Ok(head)
    }

    fn chunk<const N: usize>(&mut self) -> Result<&'a [u8; N], String> {
        self.take(N)?.first_chunk().ok_or_else(|| "the file is cut off".into())
    }

    fn many(&mut self, size: usize) -> Result<&'a [u8], String> {
        let count = u64::from_le_bytes(*self.chunk()?);
        let length = usize::try_from(count).ok().and_then(|n| n.checked_mul(size));
        self.take(length.ok_or("the file is damaged")?)
    }

    fn reals(&mut self) -> Result<Vec<f64>, String> {
        let bytes = self.many(8)?;
        Ok(bytes.chunks_exact(8).map(|b| b.first_chunk().map_or(0.0, |b| f64::from_le_bytes(*b))).collect())
    }

    fn indices(&mut self) -> Result<Vec<u32>, String> {
        let bytes = self.many(4)?;
        Ok(bytes.chunks_exact(4).map(|b| b.first_chunk().map_or(0, |b| u32::from_le_bytes(*b))).collect())
    }
}
