//! The messages to the tool for lips; `docs/viewer-protocol.md` describes them in words.

use serde::Serialize;

/// A message for the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    Hello(Hello),
    /// A frame; its positions follow in a binary message.
    Face {
        frame: usize,
        side: &'static str,
        strokes: usize,
        trained: bool,
        /// In the unit of the mesh.
        moved: f64,
    },
    Lines {
        lines: Vec<Vec<u32>>,
        /// The one that was kept last.
        #[serde(skip_serializing_if = "Option::is_none")]
        kept: Option<usize>,
    },
    Training {
        trained: Vec<usize>,
        examples: usize,
        warnings: Vec<String>,
        /// What was done, a sentence.
        #[serde(skip_serializing_if = "Option::is_none")]
        done: Option<String>,
    },
    Survey {
        unexplained: Vec<f64>,
        suggestions: Vec<usize>,
    },
    Error {
        message: String,
        about: &'static str,
    },
}

/// The first message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hello {
    pub protocol: u32,
    pub version: &'static str,
    /// Name of the sequence.
    pub title: String,
    pub frames: usize,
    pub vertices: usize,
    /// Of the whole face in the first frame.
    pub bounds: Bounds,
    /// Sees the mouth of the first frame.
    pub camera: Camera,
    /// Where corrected frames are written.
    pub folder: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bounds {
    pub min: [f64; 3],
    pub max: [f64; 3],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Camera {
    pub eye: [f64; 3],
    pub look_at: [f64; 3],
    /// Vertical field of view, degrees.
    pub fov: f64,
}
