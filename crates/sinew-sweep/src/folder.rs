//! The folder of a sweep: a manifest, and a file for each finished part.
//!
//! ```text
//! manifest.json                 what the folder belongs to; equal for all processes that work on it
//! parts/part-00012.parquet      rows of the part; where this file is, the part is finished
//! traces/part-00012.parquet     its traces
//! trajectories/run-0000345.npz  positions of a run
//! rows.parquet, costs.csv       all rows, and how long each run took
//! ```
//!
//! A file is written under another name, brought to disk and renamed, so that it is there as a whole or not at all, also for processes on other
//! machines that share the folder. Two processes that make the same part write the same rows.

use crate::error::SweepError;
use crate::part::Part;
use crate::plan::Plan;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Beginning of the names of files that are not finished.
const DRAFT: &str = ".draft-";

/// Every N-th part, for job arrays: shard I of N, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// I.
    pub index: u64,
    /// N.
    pub count: u64,
}

impl Shard {
    /// Everything.
    pub const ALL: Self = Self { index: 1, count: 1 };

    /// Parses `I/N`.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn parse(text: &str) -> Result<Self, String> {
        let refuse = || format!("`{text}` is not I/N with I from 1 to N, for example 1/8");
        let (index, count) = text.split_once('/').ok_or_else(refuse)?;
        let (index, count) = (index.trim().parse().ok(), count.trim().parse().ok());
        let shard = index.zip(count).map(|(index, count)| Self { index, count });
        shard.filter(|shard| (1..=shard.count).contains(&shard.index)).ok_or_else(refuse)
    }

    pub(crate) fn has(self, part: u64) -> bool {
        part % self.count == self.index - 1
    }
}

/// A folder with the results of one sweep.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates the folder for a sweep, or opens it again.
    ///
    /// # Errors
    /// [`SweepError::Folder`] if it has the results of another sweep.
    pub fn open(path: &Path, plan: &Plan) -> Result<Self, SweepError> {
        let folder = Self { path: path.to_owned() };
        let manifest = path.join("manifest.json");
        let mut names = vec!["parts"];
        names.extend((!plan.trace.is_empty()).then_some("traces"));
        names.extend(plan.frames_every.is_some().then_some("trajectories"));
        match fs::read_to_string(&manifest) {
            Ok(found) => check_manifest(path, &found, &plan.manifest())?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(SweepError::write(path))?;
                place(&manifest, plan.manifest().as_bytes())?;
            }
            Err(error) => return Err(SweepError::read(&manifest)(error)),
        }
        for name in names {
            let path = path.join(name);
            fs::create_dir_all(&path).map_err(SweepError::write(&path))?;
        }
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The parts that are finished.
    ///
    /// # Errors
    /// [`SweepError::Read`] if the folder cannot be listed.
    pub fn finished(&self) -> Result<BTreeSet<u64>, SweepError> {
        let path = self.path.join("parts");
        let entries = fs::read_dir(&path).map_err(SweepError::read(&path))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let number = |name: String| name.strip_prefix("part-")?.strip_suffix(".parquet")?.parse().ok();
        Ok(names.filter_map(number).collect())
    }

    /// The parts of a shard that are missing, in order.
    ///
    /// # Errors
    /// As [`Folder::finished`].
    pub fn missing(&self, plan: &Plan, shard: Shard) -> Result<Vec<u64>, SweepError> {
        let finished = self.finished()?;
        Ok((0..plan.parts()).filter(|part| shard.has(*part) && !finished.contains(part)).collect())
    }

    /// Stores a part: first its traces, then its rows, which make it finished.
    ///
    /// # Errors
    /// [`SweepError::Write`].
    pub fn store(&self, part: &Part) -> Result<(), SweepError> {
        self.store_traces(part)?;
        self.store_rows(part.number, &part.rows)
    }

    /// Stores the traces of a part, if it has any; its rows are then for somebody else to store.
    ///
    /// # Errors
    /// [`SweepError::Write`].
    pub fn store_traces(&self, part: &Part) -> Result<(), SweepError> {
        let Some(traces) = &part.traces else { return Ok(()) };
        place(&self.path.join("traces").join(format!("part-{:05}.parquet", part.number)), traces)
    }

    /// Stores rows that another process made.
    ///
    /// # Errors
    /// [`SweepError::Write`].
    pub fn store_rows(&self, part: u64, rows: &[u8]) -> Result<(), SweepError> {
        place(&self.part(part), rows)
    }

    /// The file of a part's rows.
    pub(crate) fn part(&self, part: u64) -> PathBuf {
        self.path.join("parts").join(format!("part-{part:05}.parquet"))
    }

    /// A new file for the trajectory of a run.
    pub(crate) fn trajectory(&self, run: u64) -> Result<Draft, SweepError> {
        Ok(Draft::new(self.path.join("trajectories").join(format!("run-{run:07}.npz"))))
    }

    /// Removes what killed processes have left. Only once all parts are there: until then somebody may still be writing.
    pub(crate) fn tidy(&self) {
        for name in ["parts", "traces", "trajectories", ""] {
            let Ok(entries) = fs::read_dir(self.path.join(name)) else { continue };
            for entry in entries.filter_map(Result::ok) {
                if entry.file_name().to_string_lossy().starts_with(DRAFT) {
                    // Somebody else may have done it.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

fn check_manifest(path: &Path, found: &str, wanted: &str) -> Result<(), SweepError> {
    if found == wanted {
        return Ok(());
    }
    let parsed =
        [found, wanted].map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap_or_default());
    let keys = ["sinew", "scene", "axes", "samples", "seed", "part", "columns", "sweep"];
    let differs = keys.into_iter().find(|key| parsed[0][key] != parsed[1][key]);
    let what = match differs {
        Some("sinew") => "were made by another version of Sinew",
        Some("scene") => "belong to another scene, or an older version of it",
        Some("axes" | "samples" | "seed") => "belong to a sweep with other axes",
        _ => "belong to another sweep, or an older version of this one",
    };
    let what = format!("the results in this folder {what}; choose another --out, or delete the folder");
    Err(SweepError::Folder { path: path.to_owned(), what })
}

/// A file that gets its name when it is whole. If it is dropped before, it is removed.
#[derive(Debug)]
pub(crate) struct Draft {
    draft: PathBuf,
    path: PathBuf,
    kept: bool,
}

impl Draft {
    pub fn new(path: PathBuf) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Processes on several machines may have the same number; the time keeps them apart.
        let now =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let draft = path.with_file_name(format!("{DRAFT}{}-{now:x}-{count}-{name}", std::process::id()));
        Self { draft, path, kept: false }
    }

    /// Where to write.
    pub fn draft(&self) -> &Path {
        &self.draft
    }

    /// Gives the file its name, if it was written.
    pub fn keep(mut self) -> Result<(), SweepError> {
        self.kept = true;
        if !self.draft.exists() {
            return Ok(());
        }
        let file = File::open(&self.draft).and_then(|file| file.sync_all());
        file.and_then(|()| fs::rename(&self.draft, &self.path)).map_err(SweepError::write(&self.path))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.draft);
        }
    }
}

/// Writes a file that is there as a whole or not at all.
pub(crate) fn place(path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
    let draft = Draft::new(path.to_owned());
    let write = || File::create(draft.draft())?.write_all(bytes);
    write().map_err(SweepError::write(path))?;
    draft.keep()
}
