//! The tool for lips: frames of a captured face that a page draws contours on, and what is learned from them.
//!
//! A [`LipsSession`] serves one page and has neither sockets nor clock. All pages of a server share a [`Desk`], which has the frames, the drafts and the
//! model; what one page has changed, another hears with its next command.

mod command;
mod event;

use crate::library::MAX_TEXT;
use crate::session::event::PROTOCOL;
use crate::session::sections::Writer;
use crate::{Message, Refusal};
use command::{Command, contour};
use event::{Bounds, Camera, Event, Hello};
use glam::DVec3;
use sinew_face::FaceError;
use sinew_face::desk::{Desk, Side, Written};
use sinew_face::sequence::Frames;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Kinds of binary messages.
const FACE: u8 = 5;
const FACE_MESH: u8 = 6;

/// The end of the conversation that has the face.
#[derive(Debug)]
pub struct LipsSession {
    desk: Arc<Mutex<Desk>>,
    count: usize,
    outgoing: VecDeque<Message>,
    /// What the page was told of: a revision of the desk, and of its training frames.
    told: Option<u64>,
    surveyed: Option<u64>,
}

impl LipsSession {
    /// Greets the page; `count` is the number of frames to suggest.
    pub fn new(desk: Arc<Mutex<Desk>>, count: usize) -> Self {
        let mut session = Self { desk, count, outgoing: VecDeque::new(), told: None, surveyed: None };
        let shared = session.desk.clone();
        let desk = lock(&shared);
        match desk.show(0, Side::Captured) {
            Ok(first) => session.greet(&desk, &first.points),
            Err(error) => session.fault(&error, "show"),
        }
        session.tell_news(&desk, None, None);
        session
    }

    fn greet(&mut self, desk: &Desk, points: &[DVec3]) {
        let (eye, look_at, fov) = desk.camera(points);
        let fold = |f: fn(DVec3, DVec3) -> DVec3| points.iter().copied().reduce(f).unwrap_or_default();
        self.tell(&Event::Hello(Hello {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION"),
            title: title(desk.sequence().name(0).as_ref(), desk.sequence().obj(0)),
            frames: desk.sequence().len(),
            vertices: points.len(),
            bounds: Bounds { min: fold(DVec3::min).to_array(), max: fold(DVec3::max).to_array() },
            camera: Camera { eye: eye.to_array(), look_at: look_at.to_array(), fov },
            folder: desk.folder().display().to_string(),
        }));
        let (patch, mut mesh) = (desk.patch(), Writer::new(FACE_MESH, 0, 0));
        mesh.section(60, patch.triangles().as_flattened());
        mesh.section(61, &patch.regions().inner);
        mesh.section(62, &patch.regions().mouth);
        self.outgoing.push_back(Message::Binary(mesh.finish()));
    }

    /// Looks for the frames to correct next, if training frames have changed.
    pub fn advance(&mut self) {
        let shared = self.desk.clone();
        let mut desk = lock(&shared);
        if self.surveyed == Some(desk.lessons()) {
            return;
        }
        self.surveyed = Some(desk.lessons());
        match desk.survey(self.count) {
            Ok(found) => self.tell(&Event::Survey {
                unexplained: found.unexplained,
                suggestions: found.suggestions.iter().map(|s| s.frame).collect(),
            }),
            Err(error) => self.fault(&error, "survey"),
        }
    }

    /// Takes a command.
    ///
    /// # Errors
    /// A message that is none ends the session.
    pub fn text(&mut self, message: &str) -> Result<(), Refusal> {
        if message.len() > MAX_TEXT {
            return Err(Refusal(format!("a text message has at most {MAX_TEXT} bytes")));
        }
        let command = Command::parse(message)?;
        let about = command.name();
        let shared = self.desk.clone();
        let mut desk = lock(&shared);
        if let Err(error) = self.obey(&mut desk, command) {
            self.fault(&error, about);
        }
        self.tell_news(&desk, None, None);
        Ok(())
    }

    /// The next message for the page.
    pub fn outgoing(&mut self) -> Option<Message> {
        self.outgoing.pop_front()
    }

    fn obey(&mut self, desk: &mut Desk, command: Command) -> Result<(), FaceError> {
        let frames = desk.sequence().len();
        if let Some(frame) = command.frame().filter(|&frame| frame >= frames) {
            return Err(FaceError::Training(format!("there is no frame {frame}: the sequence has {frames}")));
        }
        match command {
            Command::Show { frame, side } => self.show(desk, frame, side.into()),
            Command::Line { landmarks } => {
                let kept = desk.keep_line(&landmarks)?;
                self.tell_news(desk, None, Some(kept));
                Ok(())
            }
            Command::Draw { frame, side, line, camera, contour: points } => {
                desk.draw(frame, side.into(), line, &camera.into(), &contour(&points))?;
                self.show(desk, frame, Side::Corrected)
            }
            Command::Undo { frame } => {
                desk.undo(frame, false);
                self.show(desk, frame, Side::Corrected)
            }
            Command::Discard { frame } => {
                desk.undo(frame, true);
                self.show(desk, frame, Side::Corrected)
            }
            Command::Add { frame, side } => {
                let written = desk.add(frame, side.into())?;
                self.changed(
                    desk,
                    frame,
                    &format!("Frame {frame} is a training frame now: {}.", files(&written)),
                )
            }
            Command::Remove { frame } => {
                let removed = desk.remove(frame)?;
                let done = format!(
                    "Frame {frame} is no training frame any more; {} is deleted.",
                    removed.frame.display()
                );
                self.changed(desk, frame, &done)
            }
        }
    }

    fn changed(&mut self, desk: &Desk, frame: usize, done: &str) -> Result<(), FaceError> {
        self.tell_news(desk, Some(done), None);
        self.show(desk, frame, Side::Corrected)
    }

    fn show(&mut self, desk: &Desk, frame: usize, side: Side) -> Result<(), FaceError> {
        let shown = desk.show(frame, side)?;
        let (name, number) = match side {
            Side::Captured => ("captured", 0),
            Side::Corrected => ("corrected", 1),
        };
        self.tell(&Event::Face {
            frame,
            side: name,
            strokes: shown.strokes,
            trained: shown.trained,
            moved: shown.moved,
        });
        let mut face = Writer::new(FACE, number, frame as u32);
        let positions: Vec<[f32; 3]> = shown.points.iter().map(|p| p.as_vec3().to_array()).collect();
        face.section(50, positions.as_flattened());
        self.outgoing.push_back(Message::Binary(face.finish()));
        Ok(())
    }

    /// Training frames and lines, if they are not as the page knows them.
    fn tell_news(&mut self, desk: &Desk, done: Option<&str>, kept: Option<usize>) {
        if self.told == Some(desk.revision()) && done.is_none() && kept.is_none() {
            return;
        }
        self.told = Some(desk.revision());
        self.tell(&Event::Lines { lines: desk.lines().to_vec(), kept });
        let examples = desk.model().examples().len();
        self.tell(&Event::Training {
            trained: desk.trained(),
            examples,
            // One frame is how everybody begins, and the page says so itself.
            warnings: if examples > 1 { desk.model().warnings() } else { Vec::new() },
            done: done.map(str::to_owned),
        });
    }

    fn fault(&mut self, error: &FaceError, about: &'static str) {
        self.tell(&Event::Error { message: error.to_string(), about });
    }

    fn tell(&mut self, event: &Event) {
        if let Ok(text) = serde_json::to_string(event) {
            self.outgoing.push_back(Message::Text(text));
        }
    }
}

/// A page whose session failed in the middle of a change leaves a desk that others can go on with.
fn lock(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a sequence, for people.
fn title(name: &Path, file: Option<&Path>) -> String {
    let of_folder = file.and_then(Path::parent).and_then(Path::file_name);
    let of_file = name.file_name().map(|n| n.to_string_lossy().replace(", frame 0", ""));
    of_folder.map(|n| n.to_string_lossy().into_owned()).or(of_file).unwrap_or_else(|| "sequence".into())
}

fn files(written: &Written) -> String {
    let model = written.model.as_ref().map(|model| format!(" and {}", model.display()));
    format!("{}{} written", written.frame.display(), model.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use sinew_face::perform::mouth::{MouthOptions, perform};
    use sinew_face::sequence::Sequence;
    use sinew_face::{Model, Patch, Ridge, mesh::write_obj};

    /// A desk of a few frames.
    fn desk(place: &Path) -> Arc<Mutex<Desk>> {
        let p = perform(&MouthOptions { columns: 24, rings: 14, frames: 4, seed: 1 });
        let captured = place.join("captured");
        std::fs::create_dir(&captured).unwrap();
        for (k, frame) in p.captured.iter().enumerate() {
            write_obj(&captured.join(format!("frame_{k:05}.obj")), frame, &p.triangles).unwrap();
        }
        let patch = Patch::new(&p.neutral, &p.triangles, p.regions).unwrap();
        let model = Model::new(Arc::new(patch), Ridge::None);
        let sequence = Sequence::open(&captured).unwrap();
        Arc::new(Mutex::new(Desk::new(model, sequence, &place.join("corrected"), None).unwrap()))
    }

    /// The events that wait, and the kinds of the binary messages.
    fn heard(session: &mut LipsSession) -> (Vec<Value>, Vec<u8>) {
        let (mut events, mut kinds) = (Vec::new(), Vec::new());
        while let Some(message) = session.outgoing() {
            match message {
                Message::Text(text) => events.push(serde_json::from_str(&text).unwrap()),
                Message::Binary(bytes) => kinds.push(bytes[0]),
            }
        }
        (events, kinds)
    }

    fn names(events: &[Value]) -> Vec<&str> {
        events.iter().filter_map(|event| event["event"].as_str()).collect()
    }

    #[test]
    fn a_page_is_greeted_and_answered() {
        let place = tempfile::tempdir().unwrap();
        let desk = desk(place.path());
        let mut session = LipsSession::new(desk.clone(), 2);
        let (events, kinds) = heard(&mut session);
        assert_eq!((names(&events), kinds), (vec!["hello", "lines", "training"], vec![FACE_MESH]));
        assert_eq!((&events[0]["frames"], &events[0]["title"]), (&4.into(), &"captured".into()));
        session.advance();
        session.advance();
        let (events, _) = heard(&mut session);
        assert_eq!(names(&events), ["survey"], "once");
        assert!(events[0]["suggestions"].as_array().is_some_and(|list| list.len() <= 2));

        session.text(r#"{"do": "show", "frame": 1, "side": "captured"}"#).unwrap();
        let (events, kinds) = heard(&mut session);
        assert_eq!((names(&events), kinds), (vec!["face"], vec![FACE]));
        session.text(r#"{"do": "show", "frame": 4, "side": "captured"}"#).unwrap();
        let (events, _) = heard(&mut session);
        assert!(events[0]["message"].as_str().is_some_and(|m| m.contains("no frame 4")), "{events:?}");
        assert!(session.text("{}").is_err());
    }

    #[test]
    fn another_page_hears_what_was_added() {
        let place = tempfile::tempdir().unwrap();
        let desk = desk(place.path());
        let (mut first, mut second) = (LipsSession::new(desk.clone(), 1), LipsSession::new(desk, 1));
        heard(&mut first);
        heard(&mut second);
        first.text(r#"{"do": "add", "frame": 2, "side": "captured"}"#).unwrap();
        let (events, _) = heard(&mut first);
        assert_eq!(names(&events), ["lines", "training", "face"]);
        assert!(events[1]["done"].as_str().is_some_and(|done| done.contains("frame_00002.obj")));
        assert!(place.path().join("corrected/frame_00002.obj").is_file());
        second.text(r#"{"do": "show", "frame": 0, "side": "corrected"}"#).unwrap();
        let (events, _) = heard(&mut second);
        assert_eq!(names(&events), ["face", "lines", "training"]);
        assert_eq!(events[2]["trained"], serde_json::json!([2]));
    }
}
