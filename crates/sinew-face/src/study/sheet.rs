//! Tables, plots and pictures of a comparison, written into a folder.

use super::{Errors, TrainingPoint, read};
use crate::error::FaceError;
use crate::evaluate::vertex_errors;
use crate::model::Model;
use crate::patch::Patch;
use crate::picture::{Studio, sheet};
use crate::sequence::Frames;
use glam::DVec3;
use sinew_scene::export::image::Image;
use sinew_scene::export::plot::{Plot, Series};
use std::fmt::Write;
use std::path::Path;

/// What was compared.
pub struct Sheet<'a> {
    /// The regions.
    pub patch: &'a Patch,
    /// True frames.
    pub truth: &'a dyn Frames,
    /// Captured frames.
    pub captured: &'a dyn Frames,
    /// Corrected frames, if there are any.
    pub result: Option<&'a dyn Frames>,
    /// What corrects the captured frames otherwise.
    pub model: Option<&'a Model>,
    /// Millimetres of a unit of the mesh.
    pub unit: f64,
}

impl std::fmt::Debug for Sheet<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sheet").field("unit", &self.unit).finish_non_exhaustive()
    }
}

/// Size of one picture of a sheet, pixels.
const SIZE: (u32, u32) = (400, 300);
const PLOT: (u32, u32) = (720, 480);

impl Sheet<'_> {
    /// Writes tables, plots and pictures.
    ///
    /// # Errors
    /// [`FaceError`] if a frame cannot be read, or a file not be written.
    pub fn write(
        &self,
        folder: &Path,
        before: &Errors,
        after: Option<&Errors>,
        training: &[TrainingPoint],
    ) -> Result<(), FaceError> {
        let save = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(FaceError::io(&path))
        };
        save("frames.csv", &frames_table(before, after))?;
        save("vertices.csv", &vertices_table(&self.patch.regions().inner, before, after))?;
        if !training.is_empty() {
            save("training.csv", &training_table(training))?;
            let plot = training_plot(training);
            plot.write_png(folder.join("training.png"), PLOT).map_err(FaceError::export)?;
            plot.write_svg(folder.join("training.svg"), PLOT).map_err(FaceError::export)?;
        }
        let shown = examples(&before.frames);
        self.faces(&shown)?.write_png(folder.join("faces.png")).map_err(FaceError::export)?;
        self.maps(&shown)?.write_png(folder.join("map.png")).map_err(FaceError::export)
    }

    fn corrected(&self, k: usize) -> Result<Vec<DVec3>, FaceError> {
        let mut points = read(self.patch, self.result.unwrap_or(self.captured), k)?;
        if let (None, Some(model)) = (self.result, self.model) {
            model.apply(&self.captured.name(k), &mut points)?;
        }
        Ok(points)
    }

    /// A frame without the motion of the head.
    fn still(&self, points: &[DVec3]) -> Vec<DVec3> {
        let rigid = self.patch.alignment(points);
        points.iter().map(|&p| rigid.apply(p)).collect()
    }

    fn studio(&self) -> Studio {
        Studio::new(self.patch.neutral(), self.patch.triangles(), self.patch.regions(), SIZE)
    }

    /// Capture, correction and truth of some frames, a row each \[dinev2020, Fig. 2.7\].
    ///
    /// # Errors
    /// [`FaceError`] if a frame cannot be read or drawn.
    pub fn faces(&self, frames: &[usize]) -> Result<Image, FaceError> {
        let studio = self.studio();
        let mut images = Vec::new();
        for &k in frames {
            let shapes = [
                (read(self.patch, self.captured, k)?, format!("frame {k}: captured")),
                (self.corrected(k)?, "corrected".to_owned()),
                (read(self.patch, self.truth, k)?, "truth".to_owned()),
            ];
            for (points, caption) in shapes {
                images.push(studio.face(&self.still(&points), self.patch.triangles(), &caption)?);
            }
        }
        sheet(&images, 3)
    }

    /// Errors of capture and correction of some frames, a row each \[dinev2020, Fig. 2.8\].
    ///
    /// # Errors
    /// [`FaceError`] if a frame cannot be read or drawn.
    pub fn maps(&self, frames: &[usize]) -> Result<Image, FaceError> {
        let studio = self.studio();
        let all: Vec<u32> = (0..self.patch.neutral().len() as u32).collect();
        let mut images = Vec::new();
        for &k in frames {
            let truth = read(self.patch, self.truth, k)?;
            for (points, name) in
                [(read(self.patch, self.captured, k)?, "captured"), (self.corrected(k)?, "corrected")]
            {
                let errors: Vec<f64> =
                    vertex_errors(&points, &truth, &all).iter().map(|e| e * self.unit).collect();
                let caption = format!("frame {k}, {name}: 0 (white) to 2 mm (dark red)");
                let still = self.still(&points);
                images.push(studio.errors(&still, self.patch.triangles(), &errors, 2.0, &caption)?);
            }
        }
        sheet(&images, 2)
    }
}

/// The worst frame of the capture, and frames at three quarters and half.
pub fn examples(errors: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..errors.len()).collect();
    order.sort_by(|&a, &b| errors[b].total_cmp(&errors[a]).then(a.cmp(&b)));
    let mut chosen: Vec<usize> =
        [0, order.len() / 8, order.len() / 3].iter().filter_map(|&k| order.get(k).copied()).collect();
    chosen.dedup();
    chosen
}

fn frames_table(before: &Errors, after: Option<&Errors>) -> String {
    let mut text =
        String::from("frame,captured mean (mm),captured worst vertex (mm),captured Hausdorff (mm)");
    text += if after.is_some() {
        ",corrected mean (mm),corrected worst vertex (mm),corrected Hausdorff (mm)\n"
    } else {
        "\n"
    };
    for k in 0..before.frames.len() {
        let _ = write!(text, "{k},{},{},{}", before.frames[k], before.worst[k], before.hausdorffs[k]);
        if let Some(a) = after {
            let _ = write!(text, ",{},{},{}", a.frames[k], a.worst[k], a.hausdorffs[k]);
        }
        text.push('\n');
    }
    text
}

fn vertices_table(inner: &[u32], before: &Errors, after: Option<&Errors>) -> String {
    let mut text = String::from("vertex,captured mean (mm)");
    text += if after.is_some() { ",corrected mean (mm)\n" } else { "\n" };
    for (k, v) in inner.iter().enumerate() {
        let _ = write!(text, "{v},{}", before.vertices[k]);
        if let Some(after) = after {
            let _ = write!(text, ",{}", after.vertices[k]);
        }
        text.push('\n');
    }
    text
}

fn training_table(training: &[TrainingPoint]) -> String {
    let mut text =
        String::from("training frames,mean (mm),95th percentile frame (mm),over the capture,gradients\n");
    for t in training {
        let _ = writeln!(text, "{},{},{},{},{}", t.frames, t.mean, t.frame_95, t.ratio, t.gradients);
    }
    text
}

/// Fig. 2.9.
pub(crate) fn training_plot(training: &[TrainingPoint]) -> Plot {
    let line = |f: fn(&TrainingPoint) -> f64| training.iter().map(|t| (t.frames as f64, f(t))).collect();
    Plot {
        title: "error against the number of corrected frames".into(),
        x_label: "corrected frames".into(),
        y_label: "error of the inner lips (mm)".into(),
        series: vec![
            Series::new("mean of unseen frames", line(|t| t.mean)),
            Series::new("95th percentile frame", line(|t| t.frame_95)),
        ],
        ..Plot::default()
    }
}
