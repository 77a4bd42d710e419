//! A session as a WebAssembly module: a plain list of functions, which a Web Worker calls one at a time.
//!
//! ```text
//! start()                              once; says hello
//! message_buffer(bytes) → pointer      where to put a message of that length
//! text(bytes), binary(bytes) → 0 or 1  takes the message in the buffer; 1: the session is over
//! advance() → ms                       makes the steps that are due; negative: nothing is until a message comes
//! outgoing() → 0, 1 or 2               fetches the next message: none, text, binary
//! outgoing_pointer(), _length()        where it is, until `outgoing` is called again
//! panic_pointer(), _length()           after a trap: what the engine said last
//! ```
//!
//! When a session is over, the next message is `{"event":"closed","reason":…}`, and nothing happens any more. Memory may grow in any call, so
//! views of it must be recreated after each.
//!
//! The only import is `env.now() → ms`.
//!
//! On unsafe: exported names and imported functions are declarations that the compiler cannot check. The names are unique, and `now` takes
//! nothing and returns a number. Pointers are only returned, never dereferenced: what the worker writes goes into a buffer of the declared
//! length and is read as a slice of it.
#![allow(unsafe_code)]

use crate::{Library, Message, Refusal, Session};
use std::cell::RefCell;

/// The session, and the incoming and outgoing messages.
#[derive(Default)]
struct Module {
    session: Option<Session>,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    /// The reason for the end, sent once, as the last message.
    closed: Option<String>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
    static LAST_WORDS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

mod outside {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Milliseconds since an arbitrary moment.
        pub safe fn now() -> f64;
    }
}

fn now() -> f64 {
    outside::now()
}

impl Module {
    fn start(&mut self) {
        self.session = Some(Session::new(Library::builtin(), "wasm", 1, None, now));
    }

    /// Passes the first `length` bytes of the buffer to the session, if there is one.
    fn take(&mut self, length: u32, hand: impl FnOnce(&mut Session, &[u8]) -> Result<(), Refusal>) -> u32 {
        let bytes = self.incoming.get(..length as usize).unwrap_or(&self.incoming);
        let Some(session) = &mut self.session else { return 1 };
        let Err(refusal) = hand(session, bytes) else { return 0 };
        let event = serde_json::json!({ "event": "closed", "reason": refusal.to_string() });
        self.closed = Some(event.to_string());
        // This also frees its memory.
        self.session = None;
        1
    }

    fn advance(&mut self) -> f64 {
        self.session.as_mut().and_then(Session::advance).unwrap_or(-1.0)
    }

    /// Fetches the next message.
    fn next(&mut self) -> u32 {
        let last = self.closed.take().map(Message::Text);
        let next = last.or_else(|| self.session.as_mut().and_then(Session::outgoing));
        let (kind, bytes) = match next {
            None => (0, Vec::new()),
            Some(Message::Text(text)) => (1, text.into_bytes()),
            Some(Message::Binary(bytes)) => (2, bytes),
        };
        self.outgoing = bytes;
        kind
    }
}

fn with<T>(work: impl FnOnce(&mut Module) -> T) -> T {
    MODULE.with_borrow_mut(work)
}

fn text_of(bytes: &[u8]) -> Result<&str, Refusal> {
    std::str::from_utf8(bytes).map_err(|_| Refusal("a text message is not UTF-8".to_owned()))
}

/// Starts a session.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    std::panic::set_hook(Box::new(|panic| {
        LAST_WORDS.with_borrow_mut(|words| *words = panic.to_string().into_bytes());
    }));
    with(Module::start);
}

/// Makes room for a message of this many bytes and returns a pointer to it.
#[unsafe(no_mangle)]
pub extern "C" fn message_buffer(bytes: u32) -> u32 {
    with(|module| {
        module.incoming.clear();
        module.incoming.resize(bytes as usize, 0);
        module.incoming.as_ptr() as usize as u32
    })
}

/// Receives the text in the buffer. Returns 1 if the session is over.
#[unsafe(no_mangle)]
pub extern "C" fn text(bytes: u32) -> u32 {
    with(|module| module.take(bytes, |session, message| session.text(text_of(message)?)))
}

/// Receives the bytes in the buffer. Returns 1 if the session is over.
#[unsafe(no_mangle)]
pub extern "C" fn binary(bytes: u32) -> u32 {
    with(|module| module.take(bytes, |session, message| session.binary(message)))
}

/// Makes the steps that are due. Returns milliseconds until the next call; negative: wait for a message.
#[unsafe(no_mangle)]
pub extern "C" fn advance() -> f64 {
    with(Module::advance)
}

/// Fetches the next message: 0 if there is none, 1 for text, 2 for binary.
#[unsafe(no_mangle)]
pub extern "C" fn outgoing() -> u32 {
    with(Module::next)
}

/// Pointer to the message that `outgoing` fetched.
#[unsafe(no_mangle)]
pub extern "C" fn outgoing_pointer() -> u32 {
    with(|module| module.outgoing.as_ptr() as usize as u32)
}

/// Its length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn outgoing_length() -> u32 {
    with(|module| module.outgoing.len() as u32)
}

/// Pointer to the message of a panic.
#[unsafe(no_mangle)]
pub extern "C" fn panic_pointer() -> u32 {
    LAST_WORDS.with_borrow(|words| words.as_ptr() as usize as u32)
}

/// Its length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn panic_length() -> u32 {
    LAST_WORDS.with_borrow(|words| words.len() as u32)
}
