//! The commands of the tool for lips; `docs/viewer-protocol.md` describes them in words.

use crate::Refusal;
use glam::{DVec2, DVec3};
use serde::Deserialize;
use sinew_face::desk::Side;
use sinew_face::sketch::ImageCamera;

/// Largest number of points of a contour; no hand draws as many.
const MAX_CONTOUR: usize = 10_000;
/// Largest number of landmarks of a lip line.
const MAX_LANDMARKS: usize = 1000;

/// A command of the page.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    Show { frame: usize, side: SideWish },
    Line { landmarks: Vec<u32> },
    Draw { frame: usize, side: SideWish, line: usize, camera: CameraWish, contour: Vec<[f64; 2]> },
    Undo { frame: usize },
    Discard { frame: usize },
    Add { frame: usize, side: SideWish },
    Remove { frame: usize },
}

/// Which shape of a frame.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum SideWish {
    Captured,
    Corrected,
}

impl From<SideWish> for Side {
    fn from(wish: SideWish) -> Self {
        match wish {
            SideWish::Captured => Self::Captured,
            SideWish::Corrected => Self::Corrected,
        }
    }
}

/// The camera of the page.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct CameraWish {
    eye: [f64; 3],
    look_at: [f64; 3],
    up: [f64; 3],
    /// Vertical field of view, degrees.
    fov: f64,
    width: f64,
    height: f64,
}

impl From<CameraWish> for ImageCamera {
    fn from(wish: CameraWish) -> Self {
        Self {
            eye: DVec3::from(wish.eye),
            look_at: DVec3::from(wish.look_at),
            up: DVec3::from(wish.up),
            fov_degrees: wish.fov,
            size: (wish.width, wish.height),
        }
    }
}

impl Command {
    /// Reads a message; a page that follows the protocol is never refused.
    pub fn parse(message: &str) -> Result<Self, Refusal> {
        let command: Self =
            serde_json::from_str(message).map_err(|error| Refusal(format!("not a command: {error}")))?;
        let too_long = match &command {
            Self::Draw { contour, .. } => contour.len() > MAX_CONTOUR,
            Self::Line { landmarks } => landmarks.len() > MAX_LANDMARKS,
            _ => false,
        };
        if too_long { Err(Refusal("a line of too many points".to_owned())) } else { Ok(command) }
    }

    /// Its name, for errors about it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Show { .. } => "show",
            Self::Line { .. } => "line",
            Self::Draw { .. } => "draw",
            Self::Undo { .. } => "undo",
            Self::Discard { .. } => "discard",
            Self::Add { .. } => "add",
            Self::Remove { .. } => "remove",
        }
    }

    /// The frame that it is about.
    pub fn frame(&self) -> Option<usize> {
        match *self {
            Self::Show { frame, .. }
            | Self::Draw { frame, .. }
            | Self::Undo { frame }
            | Self::Discard { frame }
            | Self::Add { frame, .. }
            | Self::Remove { frame } => Some(frame),
            Self::Line { .. } => None,
        }
    }
}

/// Points of the image.
pub fn contour(points: &[[f64; 2]]) -> Vec<DVec2> {
    points.iter().copied().map(DVec2::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_of_the_protocol_are_taken() {
        assert!(matches!(
            Command::parse(r#"{"do": "show", "frame": 3, "side": "captured"}"#),
            Ok(Command::Show { frame: 3, side: SideWish::Captured })
        ));
        for bad in [
            "",
            "{}",
            r#"{"do": "show"}"#,
            r#"{"do": "show", "frame": -1, "side": "captured"}"#,
            r#"{"do": "show", "frame": 1, "side": "inside"}"#,
            r#"{"do": "undo", "frame": 1, "more": 2}"#,
            r#"{"do": "line", "landmarks": [1.5]}"#,
        ] {
            assert!(Command::parse(bad).is_err(), "{bad}");
        }
        let long = format!(r#"{{"do": "line", "landmarks": {:?}}}"#, vec![1; 2000]);
        assert!(Command::parse(&long).is_err());
    }
}
