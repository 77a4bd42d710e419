//! See and touch soft bodies in the browser.
//!
//! A [`Session`] is what one page talks to: it takes messages, advances simulations, and has messages for the page. It
//! knows no sockets and no clock, so that the server and the WebAssembly module share it to the last line.
//!
//! `server` (a feature, on by default) serves the page and gives each of its connections a session; `wasm.rs` is the
//! same session behind a plain list of exported functions, for a Web Worker.
#![deny(unsafe_code)]

mod library;
#[cfg(all(feature = "server", not(target_arch = "wasm32")))]
pub mod server;
mod session;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use library::Library;
pub use session::{Message, Opening, Refusal, Session};
