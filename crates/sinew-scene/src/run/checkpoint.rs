//! Checkpoints: everything that a run needs to continue with identical bits.
//!
//! Little-endian: magic (8 bytes), version (u32), padding (u32), fingerprint of the scene (u64), numbers of rows, of potentials and of bytes
//! of the state (u64 each), the rows, what the visible motion is measured from, the state, and a checksum of all that (u64). A file is written under a temporary name in the same
//! folder and renamed when it is complete and on disk, so that there is a good checkpoint at any time.

use super::record::{CorrectionCounts, Times};
use super::visible::SHAPE;
use super::{Row, Run};
use crate::build::{BuiltScene, fnv};
use glam::DVec3;
use sinew::{Cause, Entries, State, StateError};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"SINEWCKP";
const VERSION: u32 = 4;
const HEADER_WORDS: usize = 6;
/// Words of a row before the ledger's causes, and those that follow them, besides the potentials.
const BEFORE_CAUSES: usize = 19;
const AFTER_CAUSES: usize = 8 + SHAPE;
/// Words of a row besides its potentials.
const ROW_WORDS: usize = BEFORE_CAUSES + Cause::ALL.len() + AFTER_CAUSES;

/// Why a checkpoint cannot be written or used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// An error of the operating system.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not a checkpoint.
    #[error("{}: this is not a checkpoint of Sinew", path.display())]
    NotACheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint has another format version.
    #[error("{}: the checkpoint has format version {found}, and this program reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file is truncated or was changed.
    #[error("{}: the checkpoint is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How the damage was detected.
        what: &'static str,
    },
    /// The checkpoint belongs to another scene, or to other settings.
    #[error(
        "{}: the checkpoint belongs to another scene, or to this scene with other settings: \
         resume with the scene and the --set options that it was written with",
        path.display()
    )]
    OtherScene {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint is past the end of the run.
    #[error("{}: the checkpoint is at frame {found}, past the {frames} frames of this run; raise --frames", path.display())]
    Past {
        /// The file.
        path: PathBuf,
        /// Its frame.
        found: usize,
        /// Frames of the run.
        frames: usize,
    },
    /// The state does not fit the model.
    #[error("{}: {source}", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: StateError,
    },
}

impl Run {
    /// Writes a checkpoint; replaces an older one only when the new one is safely on disk.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let io = |source| CheckpointError::Io { path: path.to_owned(), source };
        let mut beside = path.as_os_str().to_owned();
        beside.push(".tmp");
        let beside = PathBuf::from(beside);
        let mut file = File::create(&beside).map_err(io)?;
        file.write_all(&self.to_bytes()).and_then(|()| file.sync_all()).map_err(io)?;
        drop(file);
        std::fs::rename(&beside, path).map_err(io)
    }

    /// Continues a run from a checkpoint of the same scene; `frames` counts from its start.
    pub fn resume(
        name: impl Into<String>,
        scene: BuiltScene,
        frames: usize,
        path: &Path,
    ) -> Result<Self, CheckpointError> {
        let bytes =
            std::fs::read(path).map_err(|source| CheckpointError::Io { path: path.to_owned(), source })?;
        let mut run = Self::new(name, scene, frames);
        run.restore(&bytes, path)?;
        Ok(run)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let state = self.state().to_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 4]);
        let counts = [self.rows().len(), self.potentials().len(), state.len()];
        for word in [self.scene.fingerprint].into_iter().chain(counts.map(|n| n as u64)) {
            bytes.extend(word.to_le_bytes());
        }
        for word in self.rows().iter().flat_map(encode).chain(self.recorder.visible().words()) {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(state);
        let checksum = fnv(bytes.iter().copied());
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    fn restore(&mut self, bytes: &[u8], path: &Path) -> Result<(), CheckpointError> {
        let path = path.to_owned();
        if !bytes.starts_with(&MAGIC) {
            return Err(CheckpointError::NotACheckpoint { path });
        }
        let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        if words.len() <= HEADER_WORDS || !bytes.len().is_multiple_of(8) {
            return Err(CheckpointError::Damaged { path, what: "it is cut short" });
        }
        let found = words[1] as u32;
        if found != VERSION {
            return Err(CheckpointError::Version { path, found });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - 8);
        if fnv(content.iter().copied()).to_le_bytes() != checksum {
            return Err(CheckpointError::Damaged { path, what: "its checksum is wrong" });
        }
        let [fingerprint, rows, potentials, size] = [words[2], words[3], words[4], words[5]];
        if fingerprint != self.scene.fingerprint || potentials != self.potentials().len() as u64 {
            return Err(CheckpointError::OtherScene { path });
        }
        let row_words = ROW_WORDS + self.potentials().len();
        let body = &words[HEADER_WORDS..words.len() - 1];
        let visible_words = self.recorder.visible().word_count();
        let behind_rows = (size / 8).checked_add(visible_words as u64);
        let expected = rows.checked_mul(row_words as u64).and_then(|n| n.checked_add(behind_rows?));
        if rows == 0 || expected != Some(body.len() as u64) {
            return Err(CheckpointError::Damaged { path, what: "its sizes contradict each other" });
        }
        let found = rows as usize - 1;
        if found > self.frames {
            return Err(CheckpointError::Past { path, found, frames: self.frames });
        }
        let (rows, rest) = body.split_at(rows as usize * row_words);
        let visible = &rest[..visible_words];
        let state = &content[8 * (HEADER_WORDS + rows.len() + visible.len())..];
        match State::from_bytes(self.scene.model(), state) {
            Ok(state) => self.scene.state = state,
            Err(source) => return Err(CheckpointError::State { path, source }),
        }
        self.recorder.restore(rows.chunks_exact(row_words).map(decode).collect(), visible);
        Ok(())
    }
}

/// The words of a row; the potentials come last.
fn encode(row: &Row) -> Vec<u64> {
    let Row { linear: p, angular: l, correction: c, times: t, .. } = row;
    let numbers: [f64; BEFORE_CAUSES] = [
        row.time,
        row.kinetic,
        row.added,
        row.dissipated,
        row.target,
        p.x,
        p.y,
        p.z,
        l.x,
        l.y,
        l.z,
        row.linear_scale,
        row.angular_scale,
        row.frequency,
        row.growth,
        t.step,
        t.solve,
        t.correct,
        t.contact,
    ];
    let counts = [
        row.iterations,
        c.iterations,
        c.fallbacks,
        c.energy_evaluations,
        c.gradient_evaluations,
        row.contacts,
    ];
    let causes = row.entries.iter().map(|(_, joules)| joules);
    let numbers = numbers.into_iter().chain(causes).chain([row.depth, row.visible]).chain(row.shape);
    let mut words: Vec<u64> = numbers.map(f64::to_bits).collect();
    words.extend(counts);
    words.extend(row.potentials.iter().map(|x| x.to_bits()));
    words
}

fn decode(words: &[u64]) -> Row {
    let x = |i: usize| f64::from_bits(words[i]);
    let (causes, rest) = words[BEFORE_CAUSES..].split_at(Cause::ALL.len());
    let (shape, counts) = rest[2..].split_at(SHAPE);
    let mut entries = Entries::default();
    for (&cause, &word) in Cause::ALL.iter().zip(causes) {
        entries[cause] = f64::from_bits(word);
    }
    Row {
        time: x(0),
        kinetic: x(1),
        added: x(2),
        dissipated: x(3),
        target: x(4),
        linear: DVec3::new(x(5), x(6), x(7)),
        angular: DVec3::new(x(8), x(9), x(10)),
        linear_scale: x(11),
        angular_scale: x(12),
        frequency: x(13),
        growth: x(14),
        times: Times { step: x(15), solve: x(16), correct: x(17), contact: x(18) },
        entries,
        depth: f64::from_bits(rest[0]),
        visible: f64::from_bits(rest[1]),
        shape: std::array::from_fn(|k| f64::from_bits(shape[k])),
        iterations: counts[0],
        correction: CorrectionCounts {
            iterations: counts[1],
            fallbacks: counts[2],
            energy_evaluations: counts[3],
            gradient_evaluations: counts[4],
        },
        contacts: counts[5],
        potentials: words[ROW_WORDS..].iter().map(|&word| f64::from_bits(word)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of a row is different, so that a mix-up shows.
    #[test]
    fn a_row_comes_back_as_it_was() {
        let words: Vec<u64> = (0..ROW_WORDS as u64 + 2).map(|i| f64::to_bits(i as f64 + 0.5)).collect();
        let row = decode(&words);
        assert_eq!(encode(&row), words);
        assert_eq!(decode(&encode(&row)), row);
    }
}
