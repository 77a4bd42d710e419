//! Correcting a sequence by hand: frames are sketched on, corrections become training frames at once, and all other frames follow.
//!
//! A frame is seen as captured or as corrected. Corrected is what was drawn on it since it was last added, or else what the model makes of it; as long as
//! there is no training frame, both are the same. What one draws on is what one sees. Corrected frames are OBJ files in a folder: those that are there
//! at the start are learned, and what is added is written there, so that `sinew lips train` finds the same frames.

use crate::error::FaceError;
use crate::mesh::ObjFile;
use crate::model::Model;
use crate::patch::Patch;
use crate::picture::Studio;
use crate::sequence::{Frames, Sequence, SequenceWriter, obj_files};
use crate::sketch::{ImageCamera, Sketched, bend, lip_line};
use crate::suggest::{Mouths, Survey, survey};
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Most strokes of a frame that can be undone, and most lip lines.
const MOST: usize = 64;

/// Which of its two shapes a frame shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// As it was captured.
    Captured,
    /// As it was drawn, else as the model corrects it.
    Corrected,
}

/// What a frame looks like.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Positions, #V.
    pub points: Vec<DVec3>,
    /// Strokes that are not added yet.
    pub strokes: usize,
    /// Whether it is a training frame.
    pub trained: bool,
    /// Mean distance of the inner lips from the captured ones, in the unit of the mesh.
    pub moved: f64,
}

/// Where a correction was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The corrected frame.
    pub frame: PathBuf,
    /// The model, if it is kept in a file.
    pub model: Option<PathBuf>,
}

/// A sequence with its corrections and what is learned from them.
#[derive(Debug)]
pub struct Desk {
    model: Model,
    sequence: Sequence,
    folder: PathBuf,
    out: Option<PathBuf>,
    frame_of: BTreeMap<String, usize>,
    /// Inner lips after each stroke.
    drafts: BTreeMap<usize, Vec<Vec<DVec3>>>,
    lines: Vec<Vec<u32>>,
    /// Frames whose files were written here.
    own: BTreeSet<usize>,
    mouths: Option<Mouths>,
    lessons: u64,
}

impl Desk {
    /// A desk for a sequence. `model` may have examples; the OBJ files of `folder`, which is created if need be, are added to them. With `out`, the model is
    /// written there after each change.
    ///
    /// # Errors
    /// [`FaceError`] if the folder is that of the sequence, or a corrected frame cannot be read or does not fit.
    pub fn new(
        model: Model,
        sequence: Sequence,
        folder: &Path,
        out: Option<PathBuf>,
    ) -> Result<Self, FaceError> {
        std::fs::create_dir_all(folder).map_err(FaceError::io(folder))?;
        let same =
            |file: &Path| file.parent().and_then(|f| f.canonicalize().ok()) == folder.canonicalize().ok();
        if sequence.obj(0).is_some_and(same) {
            return Err(FaceError::file(
                folder,
                "corrected frames would replace the captured ones: name another folder",
            ));
        }
        let mut points = Vec::new();
        sequence.read(0, &mut points)?;
        model.patch().check(&sequence.name(0), &points)?;
        let frame_of = (0..sequence.len()).map(|k| (sequence.stem(k), k)).collect();
        let (drafts, lines, own) = Default::default();
        let folder = folder.to_owned();
        let mut desk =
            Self { model, sequence, folder, out, frame_of, drafts, lines, own, mouths: None, lessons: 0 };
        for file in obj_files(&desk.folder)? {
            let frame = ObjFile::read(&file)?;
            desk.learn(&file, &frame.points)?;
        }
        Ok(desk)
    }

    /// The patch.
    pub fn patch(&self) -> &Patch {
        self.model.patch()
    }

    /// The model as it is now.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The sequence.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The folder of corrected frames.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Changes whenever training frames or lip lines do.
    pub fn revision(&self) -> u64 {
        self.lessons + self.lines.len() as u64
    }

    /// Changes whenever training frames do.
    pub fn lessons(&self) -> u64 {
        self.lessons
    }

    /// The lip lines, each a list of vertices from end to end.
    pub fn lines(&self) -> &[Vec<u32>] {
        &self.lines
    }

    /// Position of the eye and of what it looks at, and the vertical field of view in degrees, to see the mouth of a frame from the front.
    pub fn camera(&self, points: &[DVec3]) -> (DVec3, DVec3, f64) {
        let patch = self.patch();
        let studio = Studio::new(points, patch.triangles(), patch.regions(), (720, 540));
        let camera = studio.camera();
        (camera.eye, camera.look_at, camera.fov_degrees)
    }

    /// Frames of this sequence that are training frames.
    pub fn trained(&self) -> Vec<usize> {
        let mut frames: Vec<usize> =
            self.model.examples().iter().filter_map(|e| self.frame(&e.name)).collect();
        frames.sort_unstable();
        frames.dedup();
        frames
    }

    /// The frame that an example is a correction of.
    fn frame(&self, name: &str) -> Option<usize> {
        let stem = Path::new(name).file_stem()?.to_string_lossy();
        self.frame_of.get(stem.as_ref()).copied()
    }

    fn learn(&mut self, file: &Path, points: &[DVec3]) -> Result<(), FaceError> {
        let name = file.display().to_string();
        // A new correction of a frame replaces the old one.
        let stem = file.file_stem();
        let old = self.model.examples().iter().position(|e| Path::new(&e.name).file_stem() == stem);
        self.model.patch().check(&name, points)?;
        if let Some(old) = old {
            self.model.remove(old);
        }
        self.model.add(&name, points)?;
        self.lessons += 1;
        Ok(())
    }

    fn captured(&self, frame: usize) -> Result<Vec<DVec3>, FaceError> {
        let mut points = Vec::new();
        self.sequence.read(frame, &mut points)?;
        self.patch().check(&self.sequence.name(frame), &points)?;
        Ok(points)
    }

    /// One of the shapes of a frame.
    ///
    /// # Errors
    /// [`FaceError`] if the frame cannot be read or does not fit.
    pub fn show(&self, frame: usize, side: Side) -> Result<Shown, FaceError> {
        let mut points = self.captured(frame)?;
        let inner = &self.patch().regions().inner;
        let before: Vec<DVec3> = inner.iter().map(|&v| points[v as usize]).collect();
        let draft = self.drafts.get(&frame);
        match (side, draft.and_then(|strokes| strokes.last())) {
            (Side::Captured, _) => {}
            (Side::Corrected, Some(draft)) => {
                inner.iter().zip(draft).for_each(|(&v, &p)| points[v as usize] = p);
            }
            (Side::Corrected, None) if self.model.examples().is_empty() => {}
            (Side::Corrected, None) => {
                self.model.apply(&self.sequence.name(frame), &mut points)?;
            }
        }
        let sum: f64 = inner.iter().zip(&before).map(|(&v, &p)| points[v as usize].distance(p)).sum();
        let moved = sum / inner.len().max(1) as f64;
        let trained = self.model.examples().iter().any(|e| self.frame(&e.name) == Some(frame));
        Ok(Shown { points, strokes: draft.map_or(0, Vec::len), trained, moved })
    }

    /// Keeps the lip line through landmarks, along edges of the neutral mesh; returns its number. One that is there already is not kept twice.
    ///
    /// # Errors
    /// [`FaceError::Sketch`] if there is no such line within the inner lips, or there are too many.
    pub fn keep_line(&mut self, landmarks: &[u32]) -> Result<usize, FaceError> {
        let patch = self.model.patch();
        let line = lip_line(patch.neutral(), patch.triangles(), &patch.regions().inner, landmarks)?;
        if let Some(old) = self.lines.iter().position(|old| *old == line) {
            return Ok(old);
        }
        if self.lines.len() >= MOST {
            return Err(FaceError::Sketch(format!("there are {MOST} lip lines already")));
        }
        self.lines.push(line);
        Ok(self.lines.len() - 1)
    }

    /// Draws on a frame: moves a lip line of what is shown to a contour, pixels of the camera's image.
    ///
    /// # Errors
    /// [`FaceError`] if the frame cannot be read, or camera, contour or line cannot be used.
    pub fn draw(
        &mut self,
        frame: usize,
        side: Side,
        line: usize,
        camera: &ImageCamera,
        contour: &[DVec2],
    ) -> Result<Sketched, FaceError> {
        let missing = || FaceError::Sketch("choose a lip line before the contour is drawn".into());
        let line = self.lines.get(line).cloned().ok_or_else(missing)?;
        let mut points = self.show(frame, side)?.points;
        let patch = self.model.patch();
        let inner = &patch.regions().inner;
        let done = bend(&mut points, patch.triangles(), inner, line, camera, contour)?;
        let strokes = self.drafts.entry(frame).or_default();
        if strokes.len() >= MOST {
            strokes.remove(0);
        }
        strokes.push(inner.iter().map(|&v| points[v as usize]).collect());
        Ok(done)
    }

    /// Takes back the last stroke on a frame, or all of them.
    pub fn undo(&mut self, frame: usize, all: bool) {
        if let Some(strokes) = self.drafts.get_mut(&frame) {
            strokes.pop();
            if all || strokes.is_empty() {
                self.drafts.remove(&frame);
            }
        }
    }

    /// Writes what is shown of a frame into the folder, and learns it at once.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be written; then nothing is learned.
    pub fn add(&mut self, frame: usize, side: Side) -> Result<Written, FaceError> {
        let side = if self.drafts.contains_key(&frame) { Side::Corrected } else { side };
        let points = self.show(frame, side)?.points;
        let patch = self.model.patch();
        let writer = SequenceWriter::folder(&self.folder, patch.triangles());
        let source = self.sequence.obj(frame).map(ObjFile::read).transpose()?;
        let stem = self.sequence.stem(frame);
        let existed = self.folder.join(format!("{stem}.obj")).exists();
        let file = writer.write_obj(&stem, source.as_ref(), &patch.regions().inner, &points)?;
        self.learn(&file, &points)?;
        self.drafts.remove(&frame);
        if !existed {
            self.own.insert(frame);
        }
        Ok(Written { frame: file, model: self.save()? })
    }

    /// Takes a frame out of the training set again and deletes its file; what was drawn stays as a draft.
    ///
    /// # Errors
    /// [`FaceError`] if the frame is no training frame, its file was there before, or it cannot be deleted.
    pub fn remove(&mut self, frame: usize) -> Result<Written, FaceError> {
        let example = self.model.examples().iter().position(|e| self.frame(&e.name) == Some(frame));
        let example =
            example.ok_or_else(|| FaceError::Training(format!("frame {frame} is no training frame")))?;
        let file = self.folder.join(format!("{}.obj", self.sequence.stem(frame)));
        if !self.own.contains(&frame) {
            let what = "this correction was there before; delete it yourself, or correct the frame again";
            return Err(FaceError::file(&file, what));
        }
        let shown = self.show(frame, Side::Corrected)?;
        std::fs::remove_file(&file).map_err(FaceError::io(&file))?;
        self.model.remove(example);
        self.own.remove(&frame);
        self.lessons += 1;
        if shown.strokes == 0 {
            let inner = self.patch().regions().inner.iter().map(|&v| shown.points[v as usize]).collect();
            self.drafts.insert(frame, vec![inner]);
        }
        Ok(Written { frame: file, model: self.save()? })
    }

    fn save(&self) -> Result<Option<PathBuf>, FaceError> {
        if let Some(out) = &self.out {
            self.model.save(out)?;
        }
        Ok(self.out.clone())
    }

    /// What is unexplained of each frame, and which `count` frames to correct next.
    ///
    /// # Errors
    /// [`FaceError`] if a frame cannot be read or does not fit.
    pub fn survey(&mut self, count: usize) -> Result<Survey, FaceError> {
        let patch = self.model.patch();
        if self.mouths.is_none() {
            self.mouths = Some(Mouths::read(patch, &self.sequence)?);
        }
        let none = Mouths::default();
        let mouths = self.mouths.as_ref().unwrap_or(&none);
        survey(patch, Some(&self.model), &self.sequence, mouths, count)
    }
}
