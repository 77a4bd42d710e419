//! What one page talks to.

use crate::library::Library;
use thiserror::Error;

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
    #[allow(dead_code)]
    library: Library,
}

impl Session {
    /// Says hello. `engine` is `native` or `wasm`; `now` gives milliseconds since any moment; `scene` is what the command line named.
    pub fn new(library: Library, engine: &'static str, scene: Option<String>, now: fn() -> f64) -> Self {
        let _ = (engine, scene, now);
        Self { library }
    }

    /// Takes a text message.
    ///
    /// # Errors
    /// The session is over.
    pub fn text(&mut self, message: &str) -> Result<(), Refusal> {
        let _ = message;
        Ok(())
    }

    /// Takes a binary message.
    ///
    /// # Errors
    /// The session is over.
    pub fn binary(&mut self, message: &[u8]) -> Result<(), Refusal> {
        let _ = message;
        Ok(())
    }

    /// Makes the steps that are due now. Returns how many milliseconds may pass until the next call; `None`: until a message comes.
    pub fn advance(&mut self) -> Option<f64> {
        None
    }

    /// The next message for the page, in order.
    pub fn outgoing(&mut self) -> Option<Message> {
        None
    }
}
