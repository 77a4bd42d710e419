//! How a command fails, and with which exit code.

use sinew_scene::format::SceneError;
use sinew_scene::run::{CheckpointError, OutputError};
use std::process::ExitCode;
use thiserror::Error;

/// A failure; its message is complete and for the user.
#[derive(Debug, Error)]
pub enum Failure {
    /// The input is wrong: scene, flags or files.
    #[error("{0}")]
    Input(String),
    /// A scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The simulation could not go on.
    #[error("{0}")]
    Run(String),
    /// The run did not meet its expectations.
    #[error("{failed} of {total} expectations are not met:\n{sentences}")]
    Check {
        /// How many are not met.
        failed: usize,
        /// How many there are.
        total: usize,
        /// One line each.
        sentences: String,
    },
    /// Something could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Ctrl-C between two benchmarks.
    #[error("stopped by Ctrl-C after {done} of {all} benchmarks")]
    InterruptedBench {
        /// Benchmarks done.
        done: usize,
        /// Benchmarks asked for.
        all: usize,
    },
    /// Ctrl-C.
    #[error("stopped by Ctrl-C at frame {frame} of {frames}; what there is has been written")]
    Interrupted {
        /// Frames done.
        frame: usize,
        /// Frames asked for.
        frames: usize,
    },
}

impl Failure {
    /// 2 for bad input, 130 for Ctrl-C (as shells have it), 1 for the rest.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Input(_) | Self::Scene(_) | Self::Checkpoint(_) => 2,
            Self::Run(_) | Self::Check { .. } | Self::Output(_) => 1,
            Self::Interrupted { .. } | Self::InterruptedBench { .. } => 130,
        })
    }
}
