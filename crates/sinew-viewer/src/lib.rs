//! See and touch soft bodies in the browser.
//!
//! A [`Session`] is what one page talks to: it takes messages, advances simulations, and has messages for the page. It
//! knows no sockets and no clock, so that the server and the WebAssembly module share it to the last line.
#![forbid(unsafe_code)]

mod library;
mod session;

pub use library::Library;
pub use session::{Message, Opening, Refusal, Session};
