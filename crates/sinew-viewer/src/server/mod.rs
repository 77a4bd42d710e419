//! The web server of `sinew view`: the page, and a session for each of its connections.
//!
//! ```text
//! browser ── TCP ─────────────── http.rs      requests, each within a few seconds
//!         ── GET / ───────────── page.rs      the files, without a secret
//!         ── WebSocket /live ─── guard.rs     token, origin, host
//!            or /lips
//!                                connection.rs    the socket's task: bytes, pings, closing
//!                                engine.rs        the session's thread: commands in, steps, messages out
//! ```
//!
//! It listens on the loopback address only. That keeps other machines out, but not other web pages in the user's own browser: the token in
//! the address, the check of the origin, and the check of the host name protect against those (another name that resolves to 127.0.0.1 is
//! refused).

mod connection;
mod ending;
mod engine;
mod guard;
mod http;
mod page;
mod remembered;

use crate::Opening;
use axum::Router;
use axum::routing::{any, get};
use guard::{Guard, Token};
use sinew_face::desk::Desk;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};

/// The message of a binary without the page, also for the command line.
pub const NO_PAGE: &str = "the page is not built into this binary; run `cargo xtask view` and build again";

/// Largest number of simultaneous connections.
pub const MAX_CONNECTIONS: usize = 8;

/// How often the server checks whether it must stop.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// Time for connections to close.
const FAREWELL: Duration = Duration::from_millis(500);

/// What to serve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Port; 0: any free one.
    pub port: u16,
    /// Folder whose files can be opened.
    pub folder: PathBuf,
    /// What the page opens first.
    pub scene: Option<Opening>,
    /// Threads of each session; by default one per core.
    pub threads: Option<usize>,
    /// Folder that remembers the token of a port that was asked for, so that a page finds a server that was started again; by default every
    /// server has a new one.
    pub tokens: Option<PathBuf>,
    /// The face whose lips the page corrects; by default there is none.
    pub lips: Option<Lips>,
}

/// A face for the page's tool for lips. All pages of a server work on the same one.
#[derive(Clone, Debug)]
pub struct Lips {
    /// The sequence and its corrections.
    pub desk: Arc<Mutex<Desk>>,
    /// Number of frames that the page is told to correct next.
    pub count: usize,
}

/// Why the server cannot run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The port cannot be used.
    #[error("port {port} cannot be used: {source}")]
    Port {
        /// The requested port.
        port: u16,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// No token could be created.
    #[error("the system provides no random numbers: {0}")]
    Random(String),
    /// The operating system refuses a resource that the server needs.
    #[error("the server cannot continue: {0}")]
    System(#[from] std::io::Error),
}

/// Data that all connections share.
#[derive(Debug)]
struct Shared {
    guard: Guard,
    options: Options,
    seats: Arc<Semaphore>,
    /// Becomes true when the server ends.
    ends: watch::Sender<bool>,
}

/// A server with its port and token.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Binds the port.
    ///
    /// # Errors
    /// The port is in use, or the system refuses.
    pub fn bind(options: Options) -> Result<Self, ServerError> {
        let fresh = Token::random().map_err(|error| ServerError::Random(error.to_string()))?;
        // One thread carries the bytes; the simulations have their own.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(|source| ServerError::Port { port: options.port, source })?;
        let token = match &options.tokens {
            Some(folder) if options.port != 0 => remembered::token(folder, options.port, fresh),
            _ => fresh,
        };
        let guard = Guard::new(listener.local_addr()?.port(), token);
        let seats = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let shared = Arc::new(Shared { guard, options, seats, ends: watch::Sender::new(false) });
        Ok(Self { runtime, listener, shared })
    }

    /// The address of the page, including the token; with a face, that of its tool for lips.
    pub fn address(&self) -> String {
        self.shared.guard.address(self.shared.options.lips.as_ref().map(|_| "lips"))
    }

    /// Whether the page was built into this binary.
    pub fn has_page() -> bool {
        page::exists()
    }

    /// Serves until `stop` returns true; it is called about twenty times a second.
    ///
    /// # Errors
    /// The operating system refuses.
    pub fn run(self, mut stop: impl FnMut() -> bool) -> Result<(), ServerError> {
        let Self { runtime, listener, shared } = self;
        runtime.block_on(async {
            let stopped = async {
                while !stop() {
                    tokio::time::sleep(STOP_CHECK).await;
                }
            };
            tokio::select! {
                () = http::serve(listener, router(shared.clone())) => {}
                () = stopped => {}
            }
        });
        // Sessions end with their connections; a step that is under way may take longer than we wait for it.
        shared.ends.send_replace(true);
        runtime.block_on(async {
            let everyone = shared.seats.acquire_many(MAX_CONNECTIONS as u32);
            let _ = tokio::time::timeout(FAREWELL, everyone).await;
        });
        runtime.shutdown_timeout(FAREWELL);
        Ok(())
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/live", any(connection::live))
        .route("/lips", any(connection::lips))
        .fallback_service(get(page::file))
        .layer(axum::middleware::from_fn_with_state(shared.clone(), guard::watch))
        .with_state(shared)
}
