//! What one page talks to: commands in, events and frames out, simulations in between.
//!
//! ```text
//! text ─ command ─→ Session ─→ Variant ─ change ─→ the engine
//! advance ─ step ─→ Variant ─ frame, rows ─→ outgoing
//! ```
//!
//! A session knows no socket, no thread and no clock of its own: whoever owns it hands in messages, calls
//! [`Session::advance`] when it is time, and carries away what is outgoing.

mod command;
mod event;
mod frame;
mod mesh;
mod numbering;
mod pace;
mod rows;
mod saved;
mod sections;
mod touched;
mod variant;

pub use event::Opening;

use crate::library::{Library, Origin, Source};
use command::{Command, MAX_VARIANTS, Quantity, Wish};
use event::{Event, PROTOCOL, SceneCard};
use frame::{Wanted, frame_message};
use glam::DVec3;
use mesh::{mesh_message, pins, scene_event, values};
use pace::Pace;
use saved::Saved;
use sinew::Grab;
use sinew_scene::{builtin, format};
use std::collections::VecDeque;
use thiserror::Error;
use touched::{Ball, MAX_BALLS, Touched};
use variant::{Change, Fault, Variant};

/// Frames that may be under way to the page.
const FRAMES_UNDER_WAY: u32 = 2;

/// A message for the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// JSON.
    Text(String),
    /// Little-endian, as `docs/viewer-protocol.md` says.
    Binary(Vec<u8>),
}

/// Why a session ended: the page did not keep to the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// The simulations of one page.
#[derive(Debug)]
pub struct Session {
    library: Library,
    now: fn() -> f64,
    /// The scene that is open.
    source: Option<Source>,
    variants: Vec<Variant>,
    pace: Pace,
    wanted: Wanted,
    /// Number of the last frame, and of the last that the page has shown.
    frame: u32,
    shown: u32,
    /// Whether the page has not seen all.
    stale: bool,
    /// What the buttons show.
    told: Option<Event>,
    outgoing: VecDeque<Message>,
}

impl Session {
    /// Says hello. `engine` is `native` or `wasm`, `threads` how many it computes with; `opening` is what the page is to open
    /// first; `now` tells milliseconds since any moment.
    pub fn new(
        library: Library,
        engine: &'static str,
        threads: usize,
        opening: Option<Opening>,
        now: fn() -> f64,
    ) -> Self {
        let mut session = Self {
            library,
            now,
            source: None,
            variants: Vec::new(),
            pace: Pace::default(),
            wanted: Wanted::default(),
            frame: 0,
            shown: 0,
            stale: false,
            told: None,
            outgoing: VecDeque::new(),
        };
        let version = env!("CARGO_PKG_VERSION");
        session.tell(&Event::Hello { protocol: PROTOCOL, engine, version, threads, scene: opening });
        session
    }

    /// Takes a text message.
    ///
    /// # Errors
    /// The session is over.
    pub fn text(&mut self, message: &str) -> Result<(), Refusal> {
        let command = Command::parse(message)?;
        let about = command.name();
        match self.obey(command) {
            Ok(()) => Ok(()),
            Err(Failure::Fault(fault)) => {
                let Fault { message, line, column, key } = fault;
                self.tell(&Event::Error { message, about, line, column, key });
                Ok(())
            }
            Err(Failure::Refusal(refusal)) => Err(refusal),
        }
    }

    /// Takes a binary message: a state to load.
    ///
    /// # Errors
    /// The session is over.
    pub fn binary(&mut self, message: &[u8]) -> Result<(), Refusal> {
        let saved = Saved::read(message)?;
        if let Err(fault) = self.load(&saved) {
            let Fault { message, line, column, key } = fault;
            self.tell(&Event::Error { message, about: "load", line, column, key });
        }
        Ok(())
    }

    /// Makes the steps that are due now, and frames of what the page has not seen. Returns how many milliseconds may pass
    /// until the next call; `None`: until a message comes.
    pub fn advance(&mut self) -> Option<f64> {
        if self.variants.is_empty() {
            return None;
        }
        let h = self.variants.iter().map(|v| v.built.settings().h).fold(0.0, f64::max);
        let begin = (self.now)();
        self.pace.catch_up(begin);
        while self.pace.is_due(h, (self.now)() - begin) {
            self.pace.step_made(h);
            self.step();
        }
        self.show();
        self.pace.wait(h)
    }

    /// The next message for the page, in order.
    pub fn outgoing(&mut self) -> Option<Message> {
        self.outgoing.pop_front()
    }

    /// Every variant makes the steps that bring it to where the slowest will be.
    fn step(&mut self) {
        let end =
            self.variants.iter().map(|v| v.built.state.time() + v.built.settings().h).fold(0.0, f64::max);
        for (number, variant) in self.variants.iter_mut().enumerate() {
            let h = variant.built.settings().h;
            // Half a step of tolerance: times are sums of steps.
            while variant.built.state.time() + 0.5 * h < end {
                if let Err(error) = variant.step(self.now) {
                    self.pace.pause();
                    self.stale = true;
                    let message = error.to_string();
                    self.tell(&Event::Failed { variant: number, message });
                    self.tell_state();
                    return;
                }
            }
        }
        self.stale = true;
    }

    /// Sends frames, if there is anything new and the page keeps up.
    fn show(&mut self) {
        if !self.stale || self.frame.wrapping_sub(self.shown) >= FRAMES_UNDER_WAY {
            return;
        }
        self.frame = self.frame.wrapping_add(1);
        for (number, variant) in self.variants.iter_mut().enumerate() {
            let message = frame_message(variant, number, self.frame, self.wanted);
            self.outgoing.push_back(Message::Binary(message));
        }
        self.stale = false;
    }

    fn obey(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Open { scene, file, text, name } => {
                let source = match (scene, file, text) {
                    (Some(scene), ..) => self.library.scene(&scene)?,
                    (_, Some(file), _) => self.library.file(&file)?,
                    (.., text) => {
                        let name = name.unwrap_or_else(|| "scene".to_owned());
                        self.library.text(&name, text.unwrap_or_default())
                    }
                };
                self.start(source, vec![Wish::default()], Opened::Anew)?;
            }
            Command::Variants { variants } => {
                let source = self.source()?.clone();
                self.start(source, variants, Opened::Before)?;
            }
            Command::Set { set, variant } => self.set(&set, variant)?,
            Command::Play {} => self.pace.play((self.now)()),
            Command::Pause {} => self.pace.pause(),
            Command::Step { count } => self.pace.step(count.unwrap_or(1)),
            Command::Reset {} => self.reset()?,
            Command::Speed { speed } => self.pace.speed = speed,
            Command::Grab { pointer, corners, weights, target, stiffness } => {
                let target = DVec3::from(target);
                for variant in &mut self.variants {
                    let place = |corner: u32| {
                        let found = variant.numbering.to_model(corner);
                        found.ok_or_else(|| Refusal(format!("there is no vertex {corner}")))
                    };
                    let corners = [place(corners[0])?, place(corners[1])?, place(corners[2])?];
                    variant.grab(pointer, Grab { corners, weights, stiffness: 0.0, target }, stiffness)?;
                }
                self.stale = true;
            }
            Command::Move { pointer, target } => {
                let target = DVec3::from(target);
                self.variants.iter_mut().try_for_each(|variant| variant.move_to(pointer, target))?;
                self.stale = true;
                return Ok(());
            }
            Command::Release { pointer } => {
                self.variants.iter_mut().try_for_each(|variant| variant.release(pointer))?;
                self.stale = true;
            }
            Command::Pin { vertices, on } => self.pin(&vertices, on)?,
            Command::Target { attachment, to } => {
                let count = self.variants.first().map_or(0, |v| v.built.model().attached().len());
                if attachment >= count {
                    return Err(Refusal(format!("there is no attachment {attachment}")).into());
                }
                for variant in &mut self.variants {
                    match to {
                        Some(to) => variant.touched.targets.insert(attachment, to),
                        None => variant.touched.targets.remove(&attachment),
                    };
                    variant.touched.guide(&mut variant.built.state)?;
                }
                self.stale = true;
            }
            Command::Throw { from, velocity, radius } => {
                if self.variants.iter().any(|v| v.touched.balls.len() >= MAX_BALLS) {
                    return Err(
                        Fault::from(format!("{MAX_BALLS} balls are enough; reset takes them away")).into()
                    );
                }
                self.touch(|variant| {
                    let mut touched = variant.touched.clone();
                    touched.balls.push(Ball { from, velocity, radius });
                    Ok(touched)
                })?;
            }
            Command::Wind { velocity } => {
                self.touch(|variant| Ok(Touched { wind: Some(velocity), ..variant.touched.clone() }))?;
            }
            Command::Colour { by } => {
                self.wanted.colour = by;
                for variant in &mut self.variants {
                    variant.sent.forget_range();
                    variant.built.simulator.watch_correction(by == Quantity::Correction);
                }
                self.stale = true;
            }
            Command::Inside { on } => {
                self.wanted.inside = on;
                self.stale = true;
            }
            Command::Save { variant } => self.save(variant.unwrap_or(0))?,
            Command::Scenes {} => self.tell_scenes(),
            Command::Shown { frame } => {
                // Only what was sent can have been seen.
                if self.frame.wrapping_sub(frame) <= self.frame.wrapping_sub(self.shown) {
                    self.shown = frame;
                }
                return Ok(());
            }
        }
        self.tell_state();
        Ok(())
    }

    fn source(&self) -> Result<&Source, Fault> {
        self.source.as_ref().ok_or_else(|| Fault::from("no scene is open".to_owned()))
    }

    /// Opens a scene once for each wish; if one of them cannot be, nothing changes.
    fn start(&mut self, source: Source, wishes: Vec<Wish>, opened: Opened) -> Result<(), Fault> {
        let fresh =
            |wish: Wish| Variant::new(&self.library, &source, wish.label, wish.set, Touched::default());
        let variants = wishes.into_iter().take(MAX_VARIANTS).map(fresh).collect::<Result<Vec<_>, _>>()?;
        self.take_stage(source, variants, opened);
        Ok(())
    }

    fn take_stage(&mut self, source: Source, variants: Vec<Variant>, opened: Opened) {
        self.source = Some(source);
        self.variants = variants;
        self.pace.pause();
        if opened == Opened::Anew {
            self.tell_opened();
        }
        for variant in &mut self.variants {
            variant.built.simulator.watch_correction(self.wanted.colour == Quantity::Correction);
        }
        (0..self.variants.len()).for_each(|number| self.tell_scene(number));
        self.stale = true;
    }

    /// Back to the start, with everything that was set.
    fn reset(&mut self) -> Result<(), Fault> {
        let source = self.source()?.clone();
        let playing = self.pace.is_playing();
        let wishes =
            self.variants.iter().map(|v| Wish { label: v.label.clone(), set: v.set.clone() }).collect();
        self.start(source, wishes, Opened::Before)?;
        if playing {
            self.pace.play((self.now)());
        }
        Ok(())
    }

    fn set(&mut self, set: &[String], only: Option<usize>) -> Result<(), Failure> {
        let source = self.source()?.clone();
        let count = self.variants.len();
        if let Some(number) = only.filter(|&number| number >= count) {
            return Err(Refusal(format!("there is no variant {number}")).into());
        }
        for number in (0..count).filter(|&number| only.is_none_or(|only| only == number)) {
            let variant = &mut self.variants[number];
            let (all, touched) = (merged(&variant.set, set), variant.touched.clone());
            let change = variant.change(&self.library, &source, all, touched)?;
            self.tell_change(number, change);
        }
        Ok(())
    }

    /// Changes what was touched in every variant.
    fn touch(&mut self, touched: impl Fn(&Variant) -> Result<Touched, Fault>) -> Result<(), Fault> {
        let source = self.source()?.clone();
        for number in 0..self.variants.len() {
            let variant = &mut self.variants[number];
            let (set, touched) = (variant.set.clone(), touched(variant)?);
            let change = variant.change(&self.library, &source, set, touched)?;
            self.tell_change(number, change);
        }
        Ok(())
    }

    fn pin(&mut self, vertices: &[u32], on: bool) -> Result<(), Failure> {
        let exists = |&vertex: &u32| self.variants.iter().all(|v| v.numbering.to_model(vertex).is_some());
        if let Some(vertex) = vertices.iter().find(|vertex| !exists(vertex)) {
            return Err(Refusal(format!("there is no vertex {vertex}")).into());
        }
        Ok(self.touch(|variant| variant.pinned(vertices, on))?)
    }

    fn save(&mut self, number: usize) -> Result<(), Failure> {
        let source = self.source()?;
        let Some(variant) = self.variants.get(number) else {
            return Err(Refusal(format!("there is no variant {number}")).into());
        };
        let message = Saved::of(source, variant).write(number);
        self.outgoing.push_back(Message::Binary(message));
        Ok(())
    }

    /// The scene that was saved, where it was saved.
    fn load(&mut self, saved: &Saved) -> Result<(), Fault> {
        let source = self.library.text(&saved.about.name, saved.about.text.clone());
        let (set, touched) = (saved.about.set.clone(), saved.about.touched.clone());
        let mut variant = Variant::new(&self.library, &source, String::new(), set, touched)?;
        variant.restore(&saved.state)?;
        self.take_stage(source, vec![variant], Opened::Anew);
        self.tell_state();
        Ok(())
    }

    fn tell(&mut self, event: &Event) {
        // Events are made of strings and numbers; they can always be written.
        let text = serde_json::to_string(event).unwrap_or_default();
        self.outgoing.push_back(Message::Text(text));
    }

    fn tell_opened(&mut self) {
        if let Some(Source { name, text, origin, .. }) = self.source.clone() {
            let source = match origin {
                Origin::Builtin => "scene",
                Origin::File => "file",
                Origin::Page => "text",
            };
            self.tell(&Event::Opened { name, text, source });
        }
    }

    fn tell_scene(&mut self, number: usize) {
        let count = self.variants.len();
        let name = self.source.as_ref().map_or("", |source| source.name.as_str());
        let variant = &self.variants[number];
        let event = Event::Scene(Box::new(scene_event(variant, name, number, count)));
        let mesh = mesh_message(variant.built.model(), &variant.numbering, number);
        self.tell(&event);
        self.outgoing.push_back(Message::Binary(mesh));
    }

    fn tell_change(&mut self, number: usize, change: Change) {
        match change {
            Change::Model => self.tell_scene(number),
            Change::Settings => {
                let variant = &self.variants[number];
                let (set, values) = (variant.set.clone(), values(&variant.built));
                self.tell(&Event::Settings { variant: number, set, values });
            }
        }
        self.stale = true;
    }

    /// Says what the buttons should show, if that is news.
    fn tell_state(&mut self) {
        let first = self.variants.first();
        let pins = first.map_or_else(Vec::new, |v| pins(v.built.model(), &v.numbering));
        let event = Event::State { playing: self.pace.is_playing(), speed: self.pace.speed, pins };
        if self.told.as_ref() != Some(&event) {
            self.tell(&event);
            self.told = Some(event);
        }
    }

    fn tell_scenes(&mut self) {
        let card = |scene: &builtin::BuiltinScene| {
            let parsed = format::parse(scene.text, scene.name, &[]).ok();
            let (title, description) =
                parsed.map(|p| (p.scene.title, p.scene.description)).unwrap_or_default();
            SceneCard { name: scene.name, title, description, seconds: scene.seconds }
        };
        let scenes = builtin::SCENES.iter().map(card).collect();
        let files = self.library.files();
        self.tell(&Event::Scenes { scenes, files });
    }
}

/// Overrides with newer ones in the place of older ones of the same key.
fn merged(old: &[String], new: &[String]) -> Vec<String> {
    let key = |text: &str| text.split('=').next().unwrap_or_default().trim().to_owned();
    let kept = old.iter().filter(|text| !new.iter().any(|newer| key(newer) == key(text)));
    kept.chain(new).cloned().collect()
}

/// Whether the page has the text of the scene already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opened {
    Anew,
    Before,
}

/// What came of a command that did not work.
enum Failure {
    /// The page is told, and goes on.
    Fault(Fault),
    /// The session is over.
    Refusal(Refusal),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Fault(Fault::from(message))
    }
}

impl From<sinew::StateError> for Failure {
    fn from(error: sinew::StateError) -> Self {
        Self::Fault(Fault::from(error))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}
