//! The web server of `sinew view`: the page, and a session for each of its connections.
//!
//! ```text
//! browser ── GET / ───────────── page.rs      the files, without a secret
//!         ── WebSocket /live ─── guard.rs     token, origin, host
//!                                connection.rs    the socket's task: bytes, pings, closing
//!                                engine.rs        the session's thread: commands in, steps, messages out
//! ```
//!
//! It listens on the loopback address alone. That keeps other machines out, but not other web pages in the user's own
//! browser: against those stand the token of the address, the check of the origin, and the check of the host name (a
//! name that suddenly resolves to 127.0.0.1 is still not ours).

mod connection;
mod ending;
mod engine;
mod guard;
mod page;

use crate::Opening;
use axum::Router;
use axum::routing::{any, get};
use guard::{Guard, Token};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};

/// What a binary without the page says, and its command line with it.
pub const NO_PAGE: &str = "the page is not built into this binary; run `cargo xtask view` and build again";

/// Connections at a time.
pub const MAX_CONNECTIONS: usize = 8;

/// How often the server looks whether it shall stop.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// What connections have to say goodbye.
const FAREWELL: Duration = Duration::from_millis(500);

/// What to serve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Port; 0: any that is free.
    pub port: u16,
    /// Files below it can be opened.
    pub folder: PathBuf,
    /// What the page shall open first.
    pub scene: Option<Opening>,
    /// Threads of each session; by default one per core.
    pub threads: Option<usize>,
}

/// Why there is no server.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The port cannot be had.
    #[error("port {port} cannot be used: {source}")]
    Port {
        /// The port asked for.
        port: u16,
        /// What the system says.
        source: std::io::Error,
    },
    /// No token can be made.
    #[error("the system gives no random numbers: {0}")]
    Random(String),
    /// The system refuses what every server needs.
    #[error("the server cannot go on: {0}")]
    System(#[from] std::io::Error),
}

/// What all connections share.
#[derive(Debug)]
struct Shared {
    guard: Guard,
    options: Options,
    seats: Arc<Semaphore>,
    /// Turns true when the server ends.
    ends: watch::Sender<bool>,
}

/// A server that has its port and token.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// The port is taken, or the system refuses.
    pub fn bind(options: Options) -> Result<Self, ServerError> {
        let token = Token::random().map_err(|error| ServerError::Random(error.to_string()))?;
        // One thread carries the bytes; the simulations have their own.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(|source| ServerError::Port { port: options.port, source })?;
        let guard = Guard::new(listener.local_addr()?.port(), token);
        let seats = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let shared = Arc::new(Shared { guard, options, seats, ends: watch::Sender::new(false) });
        Ok(Self { runtime, listener, shared })
    }

    /// Where the page is, token included.
    pub fn address(&self) -> String {
        self.shared.guard.address()
    }

    /// Whether the page was there when this was compiled.
    pub fn has_page() -> bool {
        page::exists()
    }

    /// Serves until `stop` says so; it is asked about twenty times a second.
    ///
    /// # Errors
    /// The system refuses.
    pub fn run(self, mut stop: impl FnMut() -> bool) -> Result<(), ServerError> {
        let Self { runtime, listener, shared } = self;
        let result = runtime.block_on(async {
            let stopped = async {
                while !stop() {
                    tokio::time::sleep(STOP_CHECK).await;
                }
            };
            tokio::select! {
                result = axum::serve(listener, router(shared.clone())).into_future() => result,
                () = stopped => Ok(()),
            }
        });
        // Sessions end with their connections; a step that is under way may take longer than one waits for it.
        shared.ends.send_replace(true);
        runtime.block_on(async {
            let everyone = shared.seats.acquire_many(MAX_CONNECTIONS as u32);
            let _ = tokio::time::timeout(FAREWELL, everyone).await;
        });
        runtime.shutdown_timeout(FAREWELL);
        Ok(result?)
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/live", any(connection::live))
        .fallback_service(get(page::file))
        .layer(axum::middleware::from_fn_with_state(shared.clone(), guard::watch))
        .with_state(shared)
}
