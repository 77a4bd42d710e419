//! What a page does, in as many lines as the tests need.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

/// A connected page.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
}

/// What came from the server.
#[derive(Debug)]
pub enum Heard {
    Event(Value),
    Frame { number: u32, time: f64, steps: f64 },
    Binary,
    Closed { code: u16, reason: String },
}

impl Page {
    pub fn new(socket: WebSocket<TcpStream>) -> Self {
        Self { socket }
    }

    /// Sends a command.
    pub fn say(&mut self, command: Value) {
        self.socket.send(Message::text(command.to_string())).unwrap();
    }

    /// The next message.
    pub fn hear(&mut self) -> Heard {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Heard::Event(serde_json::from_str(&text).unwrap()),
                Ok(Message::Binary(bytes)) if bytes[0] == 1 => return frame(&bytes),
                Ok(Message::Binary(_)) => return Heard::Binary,
                Ok(Message::Close(frame)) => {
                    let (code, reason) =
                        frame.map_or((CloseCode::Status, String::new()), |f| (f.code, f.reason.to_string()));
                    return Heard::Closed { code: code.into(), reason };
                }
                Ok(_) => {}
                Err(error) => panic!("the connection broke: {error}"),
            }
        }
    }

    /// Reads on until an event of this name; frames are answered on the way.
    pub fn until(&mut self, name: &str) -> Value {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(60) {
            match self.hear() {
                Heard::Event(event) if event["event"] == name => return event,
                Heard::Frame { number, .. } => self.say(json!({"do": "shown", "frame": number})),
                Heard::Closed { code, reason } => panic!("waiting for `{name}`: closed, {code} {reason}"),
                _ => {}
            }
        }
        panic!("`{name}` never came");
    }

    /// Reads on until a frame with at least so many steps.
    pub fn until_steps(&mut self, least: f64) -> f64 {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(60) {
            match self.hear() {
                Heard::Frame { number, steps, time } => {
                    assert!(time.is_finite());
                    self.say(json!({"do": "shown", "frame": number}));
                    if steps >= least {
                        return steps;
                    }
                }
                Heard::Closed { code, reason } => panic!("closed, {code} {reason}"),
                _ => {}
            }
        }
        panic!("{least} steps were never made");
    }

    /// Reads on until the connection is closed: code and reason.
    pub fn until_closed(&mut self) -> (u16, String) {
        loop {
            if let Heard::Closed { code, reason } = self.hear() {
                return (code, reason);
            }
        }
    }

    /// Opens a scene and waits until it is there.
    pub fn open(&mut self, scene: &str) {
        self.until("hello");
        self.say(json!({"do": "open", "scene": scene}));
        self.until("scene");
    }
}

/// Number, time and steps of a frame: the section with tag 1.
fn frame(bytes: &[u8]) -> Heard {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let number = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let mut at = 8;
    while at < bytes.len() {
        let (tag, length) = (word(at), word(at + 4) as usize);
        if tag == 1 {
            return Heard::Frame { number: word(4), time: number(at + 8), steps: number(at + 16) };
        }
        at += 8 + length.next_multiple_of(8);
    }
    panic!("a frame without time");
}
