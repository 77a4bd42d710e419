//! Errors of drawing and writing.

use std::path::{Path, PathBuf};

/// An error of this module. Messages name the file or the number at fault and, if there is one, the remedy.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file could not be created, written or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// An image side is zero or too large.
    #[error("an image of {width}×{height} pixels cannot be made: {reason}")]
    ImageSize {
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
        /// The reason.
        reason: &'static str,
    },
    /// A frame of an animation differs in size from the first one.
    #[error("frame {frame} has {found:?} pixels, but the animation has {expected:?}")]
    FrameSize {
        /// Number of the frame, from 0.
        frame: usize,
        /// Width and height of the frame.
        found: (u32, u32),
        /// Width and height of the animation.
        expected: (u32, u32),
    },
    /// The frame rate is out of range.
    #[error("{0} frames per second is not a frame rate: give a number above 0 and at most 1000")]
    FrameRate(f64),
    /// The camera sees nothing.
    #[error("the camera cannot be used: {0}")]
    Camera(&'static str),
    /// An element refers to a point that does not exist.
    #[error("{what} {element} refers to point {index}, but there are only {count} points")]
    Index {
        /// `triangle` or `segment`.
        what: &'static str,
        /// Number of the element, from 0.
        element: usize,
        /// The point it refers to.
        index: u32,
        /// Number of points.
        count: usize,
    },
    /// The pixels could not be encoded.
    #[error("{}: the image could not be encoded: {reason}", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// The error of the encoder.
        reason: String,
    },
    /// A plot could not be drawn.
    #[error("the plot could not be drawn: {0}")]
    Plot(String),
    /// A row or header does not fit its table.
    #[error("{}, line {line}: {reason}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

impl ExportError {
    /// Attaches a path to an error of the system; for `map_err`.
    pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn encode(path: &Path, reason: impl ToString) -> Self {
        Self::Encode { path: path.to_owned(), reason: reason.to_string() }
    }
}
