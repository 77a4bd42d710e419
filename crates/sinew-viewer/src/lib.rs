//! View soft bodies in the browser and interact with them.
//!
//! A [`Session`] serves one page: it receives messages, advances simulations, and produces messages for the page. It has no sockets and no
//! clock, so that the server and the WebAssembly module share all of its code.
//!
//! `server` (a feature, on by default) serves the page and gives each of its connections a session; `wasm.rs` exposes the same session as a
//! plain list of exported functions, for a Web Worker. `lips` is the conversation of the page's tool for the lips of captured faces, on the server only.
#![deny(unsafe_code)]

mod around;
mod library;
#[cfg(all(feature = "server", not(target_arch = "wasm32")))]
mod lips;
#[cfg(all(feature = "server", not(target_arch = "wasm32")))]
pub mod server;
mod session;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use library::Library;
pub use session::{Message, Opening, Refusal, Session};
