//! The other end of a session, for tests.

use serde_json::Value;
use sinew_viewer::{Library, Message, Session};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<f64> = const { Cell::new(0.0) };
    /// How far the clock goes on each time that it is looked at, ms.
    static TICK: Cell<f64> = const { Cell::new(0.0) };
}

fn now() -> f64 {
    NOW.set(NOW.get() + TICK.get());
    NOW.get()
}

/// A page with a clock that only moves when told to.
pub struct Page {
    pub session: Session,
    pub events: Vec<Value>,
    pub frames: Vec<Binary>,
    pub meshes: Vec<Binary>,
    pub states: Vec<Vec<u8>>,
    /// Whether it answers frames.
    pub answers: bool,
}

/// A binary message, taken apart.
#[derive(Clone, Debug)]
pub struct Binary {
    pub variant: u8,
    pub number: u32,
    sections: Vec<(u32, Vec<u8>)>,
}

impl Binary {
    fn read(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let count = u16::from_le_bytes([bytes[2], bytes[3]]);
        let (mut at, mut sections) = (8, Vec::new());
        for _ in 0..count {
            let (tag, length) = (word(at), word(at + 4) as usize);
            sections.push((tag, bytes[at + 8..at + 8 + length].to_vec()));
            at += 8 + length.next_multiple_of(8);
        }
        assert_eq!(at, bytes.len());
        Self { variant: bytes[1], number: word(4), sections }
    }

    pub fn has(&self, tag: u32) -> bool {
        self.sections.iter().any(|(t, _)| *t == tag)
    }

    pub fn bytes(&self, tag: u32) -> &[u8] {
        self.sections.iter().find(|(t, _)| *t == tag).map_or(&[], |(_, bytes)| bytes)
    }

    pub fn f32s(&self, tag: u32) -> Vec<f32> {
        self.bytes(tag).chunks(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect()
    }

    pub fn f64s(&self, tag: u32) -> Vec<f64> {
        self.bytes(tag).chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
    }

    pub fn u32s(&self, tag: u32) -> Vec<u32> {
        self.bytes(tag).chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
    }
}

impl Page {
    pub fn new() -> Self {
        Self::with_library(Library::builtin())
    }

    /// A page that may open files.
    pub fn in_folder(folder: &std::path::Path) -> Self {
        Self::with_library(Library::with_folder(folder))
    }

    fn with_library(library: Library) -> Self {
        NOW.set(0.0);
        TICK.set(0.0);
        let session = Session::new(library, "native", 1, None, now);
        let mut page = Self {
            session,
            events: Vec::new(),
            frames: Vec::new(),
            meshes: Vec::new(),
            states: Vec::new(),
            answers: true,
        };
        page.listen();
        page
    }

    /// A page with a scene open.
    pub fn with_scene(name: &str) -> Self {
        let mut page = Self::new();
        page.say(&format!("{{\"do\":\"open\",\"scene\":\"{name}\"}}"));
        assert!(page.errors().is_empty(), "{:?}", page.errors());
        page
    }

    /// A page with a scene of its own.
    pub fn with_text(text: &str) -> Self {
        let mut page = Self::new();
        page.say(&serde_json::json!({ "do": "open", "text": text }).to_string());
        assert!(page.errors().is_empty(), "{:?}", page.errors());
        page
    }

    /// Sends a command, lets the session work and takes what it has to say.
    pub fn say(&mut self, message: &str) {
        self.session.text(message).unwrap_or_else(|refusal| panic!("{message}: {refusal}"));
        self.session.advance();
        self.listen();
    }

    /// From now on each look at the clock takes a millisecond.
    pub fn let_the_clock_run(&self) {
        TICK.set(1.0);
    }

    /// Lets the clock run.
    pub fn wait(&mut self, milliseconds: f64) {
        NOW.set(NOW.get() + milliseconds);
        self.session.advance();
        self.listen();
    }

    /// Makes steps.
    pub fn step(&mut self, count: usize) {
        self.say(&format!("{{\"do\":\"step\",\"count\":{count}}}"));
        while self.session.advance() == Some(0.0) {
            self.listen();
        }
        self.listen();
    }

    fn listen(&mut self) {
        while let Some(message) = self.session.outgoing() {
            match message {
                Message::Text(text) => self.events.push(serde_json::from_str(&text).unwrap()),
                Message::Binary(bytes) => match bytes[0] {
                    1 => {
                        let frame = Binary::read(&bytes);
                        if self.answers {
                            let shown = format!("{{\"do\":\"shown\",\"frame\":{}}}", frame.number);
                            self.session.text(&shown).unwrap();
                        }
                        self.frames.push(frame);
                    }
                    2 => self.meshes.push(Binary::read(&bytes)),
                    3 => self.states.push(bytes),
                    kind => panic!("kind {kind}"),
                },
            }
        }
    }

    pub fn of(&self, event: &str) -> Vec<&Value> {
        self.events.iter().filter(|e| e["event"] == event).collect()
    }

    pub fn errors(&self) -> Vec<&Value> {
        self.of("error")
    }

    /// The newest scene event of a variant.
    pub fn scene(&self, variant: usize) -> &Value {
        self.of("scene").into_iter().rfind(|e| e["variant"] == variant).unwrap()
    }

    /// The newest value of a column.
    pub fn value(&self, variant: u8, column: &str) -> f64 {
        let columns = self.scene(usize::from(variant))["columns"].as_array().unwrap();
        let place = columns.iter().position(|c| c == column).unwrap();
        let mut rows = self.frames.iter().rev().filter(|f| f.variant == variant).map(|f| f.f64s(10));
        let last = rows.find(|rows| !rows.is_empty()).unwrap();
        last[last.len() - columns.len() + place]
    }

    /// Positions as a page that applied every frame has them.
    pub fn positions(&self, variant: u8) -> Vec<[f32; 3]> {
        let count = self.scene(usize::from(variant))["vertices"].as_u64().unwrap() as usize;
        let mut positions = vec![[f32::NAN; 3]; count];
        for frame in self.frames.iter().filter(|f| f.variant == variant) {
            let values = frame.f32s(3);
            let mut next = values.chunks(3);
            for run in frame.u32s(2).chunks(2) {
                for place in run[0]..run[0] + run[1] {
                    positions[place as usize] = next.next().unwrap().try_into().unwrap();
                }
            }
            assert!(next.next().is_none());
        }
        positions
    }
}
