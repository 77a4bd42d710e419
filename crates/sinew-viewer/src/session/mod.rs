//! The session of one page: commands in, events and frames out, simulations in between.
//!
//! ```text
//! text ─ command ─→ Session ─→ Variant ─ change ─→ the engine
//! advance ─ step ─→ Variant ─ frame, rows ─→ outgoing
//! ```
//!
//! A session has no socket, no thread and no clock of its own: its owner passes in messages, calls [`Session::advance`] when it is time, and
//! sends the outgoing messages.

mod command;
pub(crate) mod event;
mod frame;
mod interaction;
mod mesh;
mod numbering;
mod pace;
mod rows;
mod saved;
pub(crate) mod sections;
mod user_changes;
mod variant;

pub use event::Opening;

use crate::library::{Library, MAX_TEXT, Origin, Source};
use command::{Command, MAX_VARIANTS, Quantity, Wish};
use event::{Event, PROTOCOL, SceneCard};
use frame::{Wanted, frame_message, measure_colours};
use mesh::{mesh_message, pins, scene_event, values};
use pace::{PATIENCE, Pace};
use saved::{Incoming, Saved};
use sinew_scene::{builtin, format};
use std::collections::VecDeque;
use thiserror::Error;
use user_changes::UserChanges;
use variant::{Change, Fault, Prepared, Variant};

/// Largest binary message, bytes.
pub(crate) const MAX_BINARY: usize = 64 << 20;
/// How long variants may be on their way to a common time before they are shown where they are, ms.
const LONG: f64 = 250.0;
/// Largest number of frames under way to the page.
const FRAMES_UNDER_WAY: u32 = 2;

/// A message for the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// JSON.
    Text(String),
    /// Little-endian, as `docs/viewer-protocol.md` describes.
    Binary(Vec<u8>),
}

/// Why a session ended: the page broke the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// The simulations of one page.
#[derive(Debug)]
pub struct Session {
    library: Library,
    now: fn() -> f64,
    /// The open scene.
    source: Option<Source>,
    variants: Vec<Variant>,
    pace: Pace,
    /// The time that all variants advance to, s.
    goal: Option<f64>,
    wanted: Wanted,
    /// Number of the last frame, and of the last one that the page has shown.
    frame: u32,
    shown: u32,
    /// When the last frame was sent, ms.
    sent: f64,
    /// Whether the page has not seen the current state.
    stale: bool,
    /// The state that the buttons show.
    told: Option<Event>,
    outgoing: VecDeque<Message>,
}

impl Session {
    /// Starts a session with a greeting. `engine` is `native` or `wasm`, `threads` the number of its threads; `opening` is what the page
    /// opens first; `now` returns milliseconds since an arbitrary moment.
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
            goal: None,
            wanted: Wanted::default(),
            frame: 0,
            shown: 0,
            sent: f64::NEG_INFINITY,
            stale: false,
            told: None,
            outgoing: VecDeque::new(),
        };
        let version = env!("CARGO_PKG_VERSION");
        session.tell(&Event::Hello { protocol: PROTOCOL, engine, version, threads, scene: opening });
        session
    }

    /// Receives a text message.
    ///
    /// # Errors
    /// The session is over.
    pub fn text(&mut self, message: &str) -> Result<(), Refusal> {
        if message.len() > MAX_TEXT {
            return Err(Refusal(format!("a text message has at most {MAX_TEXT} bytes")));
        }
        let command = Command::parse(message)?;
        let about = command.name();
        if let Err(fault) = self.obey(command) {
            self.tell_fault(fault, about);
            self.tell_state();
        }
        Ok(())
    }

    /// Receives a binary message: a state to load, or a file that was dropped on the page.
    ///
    /// # Errors
    /// The session is over.
    pub fn binary(&mut self, message: &[u8]) -> Result<(), Refusal> {
        if message.len() > MAX_BINARY {
            return Err(Refusal(format!("a binary message has at most {MAX_BINARY} bytes")));
        }
        let (done, about) = match Incoming::read(message)? {
            Ok(Incoming::State(saved)) => (self.load(&saved), "load"),
            Ok(Incoming::File(file)) => (self.keep(&file.name, file.bytes), "file"),
            Err(fault) => (Err(fault), "load"),
        };
        if let Err(fault) = done {
            self.tell_fault(fault, about);
        }
        Ok(())
    }

    /// Makes the steps that are due, and frames of what the page has not seen. Returns how many milliseconds may pass until the next call;
    /// `None`: until a message arrives.
    pub fn advance(&mut self) -> Option<f64> {
        if self.variants.is_empty() {
            return None;
        }
        let h = self.variants.iter().map(|v| v.built.settings().h).fold(0.0, f64::max);
        let begin = (self.now)();
        self.pace.catch_up(begin);
        loop {
            let spent = (self.now)() - begin;
            // Steps that were begun are completed, even if paused meanwhile, so that resting variants are at the same time.
            let begun = self.goal.is_some();
            if begun && spent >= PATIENCE || !begun && !self.pace.is_due(h, spent) {
                break;
            }
            if !begun {
                self.pace.step_made(h);
            }
            self.step();
        }
        self.show();
        if self.goal.is_some() { Some(0.0) } else { self.pace.wait(h) }
    }

    /// The next message for the page, in order.
    pub fn outgoing(&mut self) -> Option<Message> {
        self.outgoing.pop_front()
    }

    /// Makes one step of the variant that is furthest behind, towards the goal of the variant with the longest step.
    fn step(&mut self) {
        let next = |v: &Variant| v.built.state.time() + v.built.settings().h;
        let goal = *self.goal.get_or_insert_with(|| self.variants.iter().map(next).fold(0.0, f64::max));
        // Half a step of tolerance: times are sums of steps.
        let lag = |v: &Variant| goal - v.built.state.time() - 0.5 * v.built.settings().h;
        let furthest =
            self.variants.iter_mut().enumerate().max_by(|(_, a), (_, b)| lag(a).total_cmp(&lag(b)));
        let Some((number, variant)) = furthest else { return };
        self.stale = true;
        if let Err(error) = variant.step(self.now) {
            self.pace.pause();
            self.goal = None;
            let message = error.to_string();
            self.tell(&Event::Failed { variant: number, message });
            self.tell_state();
        }
        if self.variants.iter().all(|variant| lag(variant) <= 0.0) {
            self.goal = None;
        }
    }

    /// Sends frames, if there is anything new and the page keeps up.
    fn show(&mut self) {
        if !self.stale || self.frame.wrapping_sub(self.shown) >= FRAMES_UNDER_WAY {
            return;
        }
        // Variants that advance to a common time are shown there, unless that takes long.
        let now = (self.now)();
        if self.goal.is_some() && now - self.sent < LONG {
            return;
        }
        self.sent = now;
        self.frame = self.frame.wrapping_add(1);
        if self.wanted.colour != Quantity::None {
            let measured = self.variants.iter_mut().map(|v| measure_colours(v, self.wanted.colour));
            let highest = measured.fold(0.0, f64::max);
            self.wanted.follow(highest);
        }
        for (number, variant) in self.variants.iter_mut().enumerate() {
            let message = frame_message(variant, number, self.frame, self.wanted);
            self.outgoing.push_back(Message::Binary(message));
        }
        self.stale = false;
    }

    fn obey(&mut self, command: Command) -> Result<(), Fault> {
        match command {
            Command::Open { scene, file, text, mesh, name, beside, dropped } => {
                let source = match (scene, file, mesh) {
                    (Some(scene), ..) => self.library.scene(&scene)?,
                    (_, Some(file), _) => self.library.file(&file)?,
                    (.., Some(mesh)) => self.library.mesh(&mesh)?,
                    _ => {
                        let name = name.unwrap_or_else(|| "scene".to_owned());
                        let text = text.unwrap_or_default();
                        match dropped {
                            Some(true) => self.library.dropped_text(&name, text),
                            _ => self.library.text(&name, text, beside.as_deref())?,
                        }
                    }
                };
                self.start(source, vec![Wish::default()], Opened::Anew)?;
            }
            Command::Variants { variants } => {
                let source = self.source()?.clone();
                self.start(source, variants, Opened::Before)?;
            }
            Command::Set { set, variant } => self.set(&set, variant)?,
            Command::Accepts { sets } => return self.tell_accepts(&sets),
            Command::Play {} => self.pace.play((self.now)()),
            Command::Pause {} => self.pace.pause(),
            Command::Step { count } => self.pace.step(count.unwrap_or(1)),
            Command::Reset {} => self.reset()?,
            Command::Speed { speed } => self.pace.speed = speed,
            Command::Grab(hold) => return self.grab(&hold),
            Command::Move { pointer, target } => return self.move_grabs(pointer, target),
            Command::Release { pointer } => return self.release(pointer),
            Command::Pin { vertices, on, variant } => self.pin(&vertices, on, variant)?,
            Command::Target { attachment, to, variant } => self.move_target(attachment, to, variant)?,
            Command::Throw { from, velocity, radius } => self.throw(from, velocity, radius)?,
            Command::Wind { velocity } => self.blow(velocity)?,
            Command::Face { expression } => self.show_on_faces(expression)?,
            Command::Colour { by } => {
                (self.wanted.colour, self.wanted.highest) = (by, 0.0);
                for variant in &mut self.variants {
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
                // Only a frame that was sent can have been seen.
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

    /// Opens a scene once for each wish; if one of them fails, nothing changes.
    fn start(&mut self, source: Source, wishes: Vec<Wish>, opened: Opened) -> Result<(), Fault> {
        let fresh =
            |wish: Wish| Variant::new(&self.library, &source, wish.label, wish.set, UserChanges::default());
        let variants = wishes.into_iter().take(MAX_VARIANTS).map(fresh).collect::<Result<Vec<_>, _>>()?;
        self.take_stage(source, variants, opened);
        Ok(())
    }

    fn take_stage(&mut self, source: Source, variants: Vec<Variant>, opened: Opened) {
        self.source = Some(source);
        self.variants = variants;
        self.pace.pause();
        self.goal = None;
        self.wanted.highest = 0.0;
        if opened == Opened::Anew {
            self.tell_opened();
        }
        for variant in &mut self.variants {
            variant.built.simulator.watch_correction(self.wanted.colour == Quantity::Correction);
        }
        (0..self.variants.len()).for_each(|number| self.tell_scene(number));
        self.stale = true;
    }

    /// Resets to the start, with all settings kept.
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

    fn set(&mut self, set: &[String], only: Option<usize>) -> Result<(), Fault> {
        if only.is_some_and(|number| number >= self.variants.len()) {
            return Err(Fault::from("there is no such variant any more".to_owned()));
        }
        self.change(|number, variant| {
            let meant = only.is_none_or(|only| only == number);
            Ok(meant.then(|| (merged(&variant.set, set), variant.changes.clone())))
        })
    }

    /// Continues with other overrides and changes, which `wish` gives for each variant concerned; if one fails, none changes.
    fn change(
        &mut self,
        wish: impl Fn(usize, &Variant) -> Result<Option<(Vec<String>, UserChanges)>, Fault>,
    ) -> Result<(), Fault> {
        let source = self.source()?.clone();
        let mut prepared: Vec<(usize, Prepared)> = Vec::new();
        for (number, variant) in self.variants.iter().enumerate() {
            if let Some((set, changes)) = wish(number, variant)? {
                prepared.push((number, variant.prepare(&self.library, &source, set, changes)?));
            }
        }
        let mut anew = false;
        for (number, prepared) in prepared {
            let change = self.variants[number].commit(prepared)?;
            anew |= change == Change::Anew;
            self.tell_change(number, change);
        }
        self.goal = None;
        // New bodies start at time 0; so that variants stay comparable, all restart.
        if anew && self.variants.len() > 1 { self.reset() } else { Ok(()) }
    }

    fn save(&mut self, number: usize) -> Result<(), Fault> {
        let source = self.source()?;
        let Some(variant) = self.variants.get(number) else {
            return Err(Fault::from("there is no such variant any more".to_owned()));
        };
        let dropped = self.library.is_dropped(source);
        let message = Saved::of(source, dropped, variant).write(number);
        self.outgoing.push_back(Message::Binary(message));
        Ok(())
    }

    /// Loads the saved scene at its saved time.
    fn load(&mut self, saved: &Saved) -> Result<(), Fault> {
        let (text, beside) = (saved.about.text.clone(), saved.about.beside.as_deref());
        let source = match saved.about.dropped {
            true => self.library.dropped_text(&saved.about.name, text),
            false => self.library.text(&saved.about.name, text, beside)?,
        };
        let (set, changes) = (saved.about.set.clone(), saved.about.changes.clone());
        let mut variant = Variant::new(&self.library, &source, String::new(), set, changes)?;
        variant.restore(&saved.state)?;
        self.take_stage(source, vec![variant], Opened::Anew);
        self.tell_state();
        Ok(())
    }

    /// Keeps a file for scenes that name it.
    fn keep(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), Fault> {
        self.library.take(name, bytes)?;
        self.tell(&Event::Taken { file: name.to_owned() });
        Ok(())
    }

    /// Says which lists of overrides a variant could start with, without building it.
    fn tell_accepts(&mut self, sets: &[Vec<String>]) -> Result<(), Fault> {
        let source = self.source()?.clone();
        let Some(first) = self.variants.first() else { return Ok(()) };
        let refusal = |set: &Vec<String>| first.would_take(&source, set).err().map(|fault| fault.message);
        let refusals = sets.iter().map(refusal).collect();
        self.tell(&Event::Accepts { refusals });
        Ok(())
    }

    fn tell(&mut self, event: &Event) {
        // Events consist of strings and numbers and can always be serialised.
        let text = serde_json::to_string(event).unwrap_or_default();
        self.outgoing.push_back(Message::Text(text));
    }

    fn tell_fault(&mut self, fault: Fault, about: &'static str) {
        let Fault { message, line, column, key } = fault;
        let message = self.library.plainly(&message);
        self.tell(&Event::Error { message, about, line, column, key });
    }

    fn tell_opened(&mut self) {
        let dropped = self.source.as_ref().is_some_and(|source| self.library.is_dropped(source));
        if let Some(Source { name, text, origin, file, .. }) = self.source.clone() {
            let source = match origin {
                Origin::Builtin => "scene",
                Origin::File => "file",
                Origin::Page => "text",
            };
            self.tell(&Event::Opened { name, text, source, file, dropped });
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
            Change::Model | Change::Anew => self.tell_scene(number),
            Change::Settings => {
                let variant = &self.variants[number];
                let (set, values) = (variant.set.clone(), values(variant));
                self.tell(&Event::Settings { variant: number, set, values });
            }
        }
        self.stale = true;
    }

    /// Sends the state of the buttons, if it has changed.
    fn tell_state(&mut self) {
        let first = self.variants.first();
        let pins = first.map_or_else(Vec::new, |v| pins(v.built.model(), &v.numbering));
        let wind = first.and_then(|v| v.changes.wind);
        let face = first.and_then(|v| v.changes.face.clone());
        let (playing, speed) = (self.pace.is_playing(), self.pace.speed);
        let event = Event::State { playing, speed, wind, face, pins };
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

/// Merges overrides; newer ones replace older ones of the same key.
fn merged(old: &[String], new: &[String]) -> Vec<String> {
    let key = |text: &str| text.split('=').next().unwrap_or_default().trim().to_owned();
    let kept = old.iter().filter(|text| !new.iter().any(|newer| key(newer) == key(text)));
    kept.chain(new).cloned().collect()
}

/// Whether the page already has the text of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opened {
    Anew,
    Before,
}
