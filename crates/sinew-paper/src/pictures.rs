//! The final states of the trials of an experiment, side by side in one picture.

use super::{Document, Experiment};
use sinew_scene::export::ExportError;
use sinew_scene::export::colour::Colour;
use sinew_scene::export::image::Image;
use sinew_scene::run::{Picture, Run};

/// Pictures in a row.
const COLUMNS: usize = 3;

impl Experiment {
    /// The final states of its trials, each as its scene's camera sees it; `None` for experiments that are better shown as curves.
    ///
    /// # Errors
    /// [`ExportError`] if a state cannot be drawn.
    pub fn picture(&self, runs: &[Run]) -> Result<Option<Image>, ExportError> {
        // No pictures of tables.
        if self.document != Document::Articulated || !self.figure.starts_with("Fig.") {
            return Ok(None);
        }
        let mut drawn = Vec::new();
        for run in runs {
            let mut picture = Picture::new(run.scene(), run.name())?;
            drawn.push(picture.draw(run.scene().model(), run.state())?);
        }
        beside(&drawn).transpose()
    }
}

/// Images of one size in rows; `None` if there are none.
fn beside(images: &[Image]) -> Option<Result<Image, ExportError>> {
    let (width, height) = images.first().map(|image| (image.width(), image.height()))?;
    let columns = images.len().min(COLUMNS);
    let rows = images.len().div_ceil(columns);
    let mut sheet = match Image::filled(width * columns as u32, height * rows as u32, Colour::WHITE) {
        Ok(sheet) => sheet,
        Err(error) => return Some(Err(error)),
    };
    for (i, image) in images.iter().enumerate() {
        let (left, top) = ((i % columns) as u32 * width, (i / columns) as u32 * height);
        for y in 0..height {
            for x in 0..width {
                if let Some(colour) = image.pixel(x, y) {
                    sheet.blend(i64::from(left + x), i64::from(top + y), colour, 1.0);
                }
            }
        }
    }
    Some(Ok(sheet))
}
