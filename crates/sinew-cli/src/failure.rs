//! How a command fails, and its exit code.

use sinew_scene::format::SceneError;
use sinew_scene::run::{CheckpointError, OutputError};
use std::process::ExitCode;
use thiserror::Error;

/// A failure; its message is complete and written for the user.
#[derive(Debug, Error)]
pub enum Failure {
    /// The input is wrong: scene, flags or files.
    #[error("{0}")]
    Input(String),
    /// A scene is invalid.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The simulation could not continue.
    #[error("{0}")]
    Run(String),
    /// The run did not meet its expectations.
    #[error("{failed} of {total} expectations are not met:\n{sentences}")]
    Check {
        /// Number of expectations that are not met.
        failed: usize,
        /// Number of expectations.
        total: usize,
        /// One sentence per line.
        sentences: String,
    },
    /// An output could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The results could not be printed.
    #[error("stdout: the results could not be written: {0}")]
    Stdout(std::io::Error),
    /// The user pressed Ctrl-C between two benchmarks.
    #[error("stopped by Ctrl-C after {done} of {all} benchmarks")]
    InterruptedBench {
        /// Benchmarks done.
        done: usize,
        /// Benchmarks requested.
        all: usize,
    },
    /// The user pressed Ctrl-C while the gallery was made.
    #[error("stopped by Ctrl-C; the same command goes on with the scene that was not finished")]
    InterruptedGallery,
    /// The user pressed Ctrl-C during a sweep.
    #[error("stopped by Ctrl-C; the same command goes on with the parts that are missing")]
    InterruptedSweep,
    /// The user pressed Ctrl-C during a run.
    #[error("stopped by Ctrl-C at frame {frame} of {frames}; the results so far have been written")]
    Interrupted {
        /// Frames done.
        frame: usize,
        /// Frames requested.
        frames: usize,
    },
}

impl Failure {
    /// 2 for bad input, 130 for Ctrl-C (as in shells), 1 for the rest.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Input(_) | Self::Scene(_) | Self::Checkpoint(_) => 2,
            Self::Run(_) | Self::Check { .. } | Self::Output(_) | Self::Stdout(_) => 1,
            Self::Interrupted { .. }
            | Self::InterruptedBench { .. }
            | Self::InterruptedGallery
            | Self::InterruptedSweep => 130,
        })
    }
}
