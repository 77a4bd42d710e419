//! Checkpoints: everything that a run needs to continue with identical bits.
//!
//! Little-endian: magic (8 bytes), version (u32), padding (u32), fingerprint of the scene (u64), numbers of kept rows, of potentials and of bytes
//! of the state, frames, frames between kept rows, bytes and hash of the trace so far (u64 each); the kept rows, their blocks, the totals, what the
//! visible motion and its frequency are measured from, the state, and a checksum of all that (u64). Its size does not grow with the length of the run:
//! there is a limit to the kept rows and to the samples of the frequency. A file is written under a temporary name in the same folder and renamed when it
//! is complete and on disk, so that there is a good checkpoint at any time.

use super::history::Block;
use super::mark::Mark;
use super::record::{CorrectionCounts, Times};
use super::swing::Swing;
use super::totals::Totals;
use super::{Row, Run};
use crate::build::{BuiltScene, fnv};
use crate::input;
use glam::DVec3;
use sinew::{Cause, Entries, State, StateError};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"SINEWCKP";
const VERSION: u32 = 6;
const HEADER_WORDS: usize = 10;
/// Words of a row before the ledger's causes, and those that follow them, besides the potentials.
const BEFORE_CAUSES: usize = 19;
const AFTER_CAUSES: usize = 14;
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
    /// Writes a checkpoint; replaces an older one only when the new one is safely on disk. A run that is resumed from it has no trace of the frames before.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        self.save_with(path, Mark::default())
    }

    /// The same for a run whose trace lies beside the checkpoint and goes as far as the mark.
    pub(super) fn save_with(&self, path: &Path, trace: Mark) -> Result<(), CheckpointError> {
        let io = |source| CheckpointError::Io { path: path.to_owned(), source };
        let mut beside = path.as_os_str().to_owned();
        beside.push(".tmp");
        let beside = PathBuf::from(beside);
        let written = File::create(&beside).and_then(|mut file| {
            file.write_all(&self.to_bytes(trace))?;
            file.sync_all()
        });
        written.and_then(|()| std::fs::rename(&beside, path)).map_err(|error| {
            // What there is of it helps nobody, and its room may be what is missing.
            let _ = std::fs::remove_file(&beside);
            io(error)
        })
    }

    /// Continues a run from a checkpoint of the same scene; `frames` counts from its start.
    pub fn resume(
        name: impl Into<String>,
        scene: BuiltScene,
        frames: usize,
        path: &Path,
    ) -> Result<Self, CheckpointError> {
        let bytes = input::read(path, input::MAX_DATA)
            .map_err(|source| CheckpointError::Io { path: path.to_owned(), source })?;
        let mut run = Self::new(name, scene, frames);
        let trace = run.restore(&bytes, path)?;
        run.resumed = Some((path.parent().map(Path::to_owned).unwrap_or_default(), trace));
        Ok(run)
    }

    fn to_bytes(&self, trace: Mark) -> Vec<u8> {
        let (state, history) = (self.state().to_bytes(), self.recorder.history());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 4]);
        let counts =
            [history.rows().len(), self.potentials().len(), state.len(), history.frames(), history.stride()];
        let header = [self.scene.fingerprint].into_iter().chain(counts.map(|n| n as u64));
        let header = header.chain([trace.bytes, trace.hash]);
        let rows = history.rows().iter().flat_map(encode);
        let blocks = history.blocks().iter().flat_map(Block::encode);
        let totals = self.recorder.totals().encode();
        let motion = self.recorder.visible().words().chain(self.recorder.swing().words());
        for word in header.chain(rows).chain(blocks).chain(totals).chain(motion) {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(state);
        let checksum = fnv(bytes.iter().copied());
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    fn restore(&mut self, bytes: &[u8], path: &Path) -> Result<Mark, CheckpointError> {
        let path = path.to_owned();
        if !bytes.starts_with(&MAGIC) {
            return Err(CheckpointError::NotACheckpoint { path });
        }
        let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        // Older versions have shorter headers, but all name their version in the same place.
        if let Some(found) = words.get(1).map(|word| *word as u32).filter(|found| *found != VERSION) {
            return Err(CheckpointError::Version { path, found });
        }
        if words.len() <= HEADER_WORDS || !bytes.len().is_multiple_of(8) {
            return Err(CheckpointError::Damaged { path, what: "it is cut short" });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - 8);
        if fnv(content.iter().copied()).to_le_bytes() != checksum {
            return Err(CheckpointError::Damaged { path, what: "its checksum is wrong" });
        }
        let [fingerprint, rows, potentials, size] = [words[2], words[3], words[4], words[5]];
        if fingerprint != self.scene.fingerprint || potentials != self.potentials().len() as u64 {
            return Err(CheckpointError::OtherScene { path });
        }
        let [frames, stride] = [words[6], words[7]].map(|word| usize::try_from(word).unwrap_or(usize::MAX));
        let row_words = ROW_WORDS + self.potentials().len();
        let body = &words[HEADER_WORDS..words.len() - 1];
        let visible_words = self.recorder.visible().word_count();
        let contradiction =
            || CheckpointError::Damaged { path: path.clone(), what: "its sizes contradict each other" };
        let recorded = rows.checked_mul((row_words + Block::WORDS) as u64);
        let others = (Totals::WORDS + visible_words) as u64 + size / 8;
        // The samples of the frequency are as many as there is room for.
        let fits = recorded.and_then(|n| n.checked_add(others)).is_some_and(|n| n <= body.len() as u64);
        if rows == 0 || !fits {
            return Err(contradiction());
        }
        if frames > self.frames {
            return Err(CheckpointError::Past { path, found: frames, frames: self.frames });
        }
        let (kept, rest) = body.split_at(rows as usize * row_words);
        let (blocks, rest) = rest.split_at(rows as usize * Block::WORDS);
        let (totals, rest) = rest.split_at(Totals::WORDS);
        let (visible, rest) = rest.split_at(visible_words);
        let (swing, state) = rest.split_at(rest.len() - (size / 8) as usize);
        let blocks = blocks.chunks_exact(Block::WORDS).map(Block::decode).collect();
        let kept = kept.chunks_exact(row_words).map(decode).collect();
        let history =
            self.recorder.history().restore(kept, blocks, stride, frames).ok_or_else(contradiction)?;
        let swing = Swing::restore(self.frame_time(), swing).ok_or_else(contradiction)?;
        let state = &content[content.len() - 8 * state.len()..];
        match State::from_bytes(self.scene.model(), state) {
            Ok(state) => self.scene.state = state,
            Err(source) => return Err(CheckpointError::State { path, source }),
        }
        self.recorder.restore(history, Totals::decode(totals), visible, swing);
        Ok(Mark { bytes: words[8], hash: words[9] })
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
        row.at_limit,
        row.rounds,
        row.cut,
    ];
    let causes = row.entries.iter().map(|(_, joules)| joules);
    let others = [row.depth, row.visible, row.residual, row.unclosed, row.held_back];
    let numbers = numbers.into_iter().chain(causes).chain(others);
    let mut words: Vec<u64> = numbers.map(f64::to_bits).collect();
    words.extend(counts);
    words.extend(row.potentials.iter().map(|x| x.to_bits()));
    words
}

fn decode(words: &[u64]) -> Row {
    let x = |i: usize| f64::from_bits(words[i]);
    let (causes, rest) = words[BEFORE_CAUSES..].split_at(Cause::ALL.len());
    let counts = &rest[5..];
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
        residual: f64::from_bits(rest[2]),
        unclosed: f64::from_bits(rest[3]),
        held_back: f64::from_bits(rest[4]),
        iterations: counts[0],
        correction: CorrectionCounts {
            iterations: counts[1],
            fallbacks: counts[2],
            energy_evaluations: counts[3],
            gradient_evaluations: counts[4],
        },
        contacts: counts[5],
        at_limit: counts[6],
        rounds: counts[7],
        cut: counts[8],
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
