//! The file of a face; `sinew_scene::face` reads and writes its text.

use super::blend::Blend;
use super::element::Lame;
use super::landmarks::Landmark;
use super::model::Face;
use crate::error::FaceError;
use sinew_scene::face::FaceFile;
use std::path::Path;

impl Face {
    /// Writes the face; the old file stays until the new one is complete.
    ///
    /// # Errors
    /// [`FaceError::Io`].
    pub fn save(&self, path: &Path) -> Result<(), FaceError> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = std::path::PathBuf::from(part);
        std::fs::write(&part, self.to_text()).map_err(FaceError::io(&part))?;
        std::fs::rename(&part, path).map_err(FaceError::io(path))
    }

    /// Reads a face.
    ///
    /// # Errors
    /// [`FaceError`] with the line that cannot be read, or what does not fit.
    pub fn load(path: &Path) -> Result<Self, FaceError> {
        let bytes =
            sinew_scene::input::read(path, sinew_scene::input::MAX_DATA).map_err(FaceError::io(path))?;
        let text = String::from_utf8(bytes).map_err(|_| FaceError::file(path, "this is no text"))?;
        Self::from_text(&text).map_err(|what| FaceError::file(path, what))
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let Self { points, holds, tets, muscles, hinge, surface, skin, scanned, built_in, .. } = self.clone();
        let rows = (0..self.blend.len()).map(|row| self.blend.row(row).collect()).collect();
        let lame = sinew::Lame { mu: self.lame.mu, lambda: self.lame.lambda };
        let landmarks = self.landmarks.iter().map(|mark| (mark.name.clone(), mark.point)).collect();
        FaceFile {
            points,
            holds,
            tets,
            rows,
            muscles,
            hinge,
            surface,
            skin,
            scanned,
            landmarks,
            lame,
            built_in,
        }
        .to_text()
    }

    /// The face of a text; the error is a sentence without the file's name.
    ///
    /// # Errors
    /// What is wrong, with the number of the line.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let FaceFile {
            points,
            holds,
            tets,
            rows,
            muscles,
            hinge,
            surface,
            skin,
            scanned,
            landmarks,
            lame,
            built_in,
        } = FaceFile::from_text(text)?;
        Ok(Self {
            points,
            holds,
            tets,
            elements: rows.len(),
            muscles,
            blend: Blend::from_rows(rows),
            hinge,
            surface,
            skin,
            scanned,
            landmarks: landmarks.into_iter().map(|(name, point)| Landmark { name, point }).collect(),
            lame: Lame { mu: lame.mu, lambda: lame.lambda },
            notes: Vec::new(),
            built_in,
        })
    }
}
