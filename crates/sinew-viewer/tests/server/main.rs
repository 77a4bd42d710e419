//! The server from outside: who comes in, what ends a connection, and what does not disturb the others.

mod endurance;
mod gate;
mod malformed;
mod page;

use page::Page;
use sinew_viewer::server::{Options, Server};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::JoinHandle;
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::{Request, Response};
use tungstenite::{HandshakeError, WebSocket};

/// Tests that measure memory have the process to themselves.
static MEMORY: RwLock<()> = RwLock::new(());

fn with_others() -> RwLockReadGuard<'static, ()> {
    MEMORY.read().unwrap_or_else(PoisonError::into_inner)
}

fn alone() -> RwLockWriteGuard<'static, ()> {
    MEMORY.write().unwrap_or_else(PoisonError::into_inner)
}

/// A server that ends with the test.
struct Serving {
    host: String,
    token: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    fn new() -> Self {
        Self::with_folder(Path::new(env!("CARGO_MANIFEST_DIR")))
    }

    fn with_folder(folder: &Path) -> Self {
        let options = Options { folder: folder.to_owned(), threads: Some(1), ..Options::default() };
        let server = Server::bind(options).unwrap();
        let address = server.address();
        let (host, token) = address.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        let (host, token) = (host.to_owned(), token.to_owned());
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || server.run(|| stopped.load(Ordering::SeqCst)).unwrap());
        Self { host, token, stop, thread: Some(thread) }
    }

    /// What a page of this server asks for.
    fn request(&self) -> Request {
        format!("ws://{}/live?token={}", self.host, self.token).into_client_request().unwrap()
    }

    /// Makes the handshake; the error holds the status and the sentence of the refusal.
    fn connect(&self, request: Request) -> Result<WebSocket<TcpStream>, (u16, String)> {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(30))).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(socket),
            Err(HandshakeError::Failure(tungstenite::Error::Http(response))) => Err(words(*response)),
            Err(error) => panic!("{error}"),
        }
    }

    /// A page that was given a seat, or code and reason of the refusal.
    fn seat(&self) -> Result<Page, (u16, String)> {
        let mut page = Page::new(self.connect(self.request()).unwrap());
        match page.hear() {
            page::Heard::Closed { code, reason } => Err((code, reason)),
            _ => Ok(page),
        }
    }

    /// Eight pages, as soon as there is room for them.
    fn eight(&self) -> Vec<Page> {
        let begin = std::time::Instant::now();
        let mut seated = Vec::new();
        while seated.len() < 8 {
            match self.seat() {
                Ok(page) => seated.push(page),
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "{} seats after 30 s", seated.len());
        }
        seated
    }

    /// A page that has connected.
    fn page(&self) -> Page {
        Page::new(self.connect(self.request()).unwrap())
    }
}

fn words(response: Response) -> (u16, String) {
    let body = response.body().clone().unwrap_or_default();
    (response.status().as_u16(), String::from_utf8_lossy(&body).into_owned())
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the server panicked");
        }
    }
}
