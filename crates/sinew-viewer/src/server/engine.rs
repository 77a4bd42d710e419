//! The thread of a session, about scenes or about lips: takes commands, makes steps, passes on messages for the page.
//!
//! Nothing here waits for the socket. Messages for the page go to a channel with room to spare, since the protocol allows only two frames
//! under way; while a page leaves other messages unread, its commands have to wait, but the simulation does not.

use super::ending::Ending;
use super::{Lips, Options};
use crate::lips::LipsSession;
use crate::{Library, Message, Refusal, Session};
use sinew_scene::run::milliseconds;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};

/// Messages that may wait for the socket.
const OUTBOX: usize = 64;

/// If the outbox has less room than this, no further command is taken: the answers of one command, and all frames, must fit.
const RESERVE: usize = 32;

/// How long commands may be taken before steps are made again.
const TURN: Duration = Duration::from_millis(8);

/// How long to wait before checking again whether the page reads.
const UNREAD: Duration = Duration::from_millis(10);

/// KiB of commands that may wait for the session: the size of the largest message.
const INBOX: usize = 64 << 10;

/// KiB that every command counts for at least, so that no more than 64 of them wait.
const COMMAND: usize = 1 << 10;

/// A command and the room that it takes in the inbox.
type Command = (Message, OwnedSemaphorePermit);

/// What a page talks about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Scenes and their simulations.
    Scenes,
    /// The lips of a face.
    Lips(Lips),
}

/// One end of a conversation with a page, without sockets.
trait Conversation {
    /// Does what is to be done without a command; returns the milliseconds until there is more, `None` if there is nothing before the next command.
    fn advance(&mut self) -> Option<f64>;
    fn text(&mut self, message: &str) -> Result<(), Refusal>;
    fn binary(&mut self, message: &[u8]) -> Result<(), Refusal>;
    fn outgoing(&mut self) -> Option<Message>;
}

impl Conversation for Session {
    fn advance(&mut self) -> Option<f64> {
        self.advance()
    }

    fn text(&mut self, message: &str) -> Result<(), Refusal> {
        self.text(message)
    }

    fn binary(&mut self, message: &[u8]) -> Result<(), Refusal> {
        self.binary(message)
    }

    fn outgoing(&mut self) -> Option<Message> {
        self.outgoing()
    }
}

impl Conversation for LipsSession {
    fn advance(&mut self) -> Option<f64> {
        self.advance();
        None
    }

    fn text(&mut self, message: &str) -> Result<(), Refusal> {
        self.text(message)
    }

    fn binary(&mut self, _: &[u8]) -> Result<(), Refusal> {
        Err(Refusal("the tool for lips takes no binary messages".to_owned()))
    }

    fn outgoing(&mut self) -> Option<Message> {
        self.outgoing()
    }
}

/// The socket's end of a session's thread. When it is dropped, the thread ends.
#[derive(Debug)]
pub struct Line {
    /// Commands to the session.
    pub inbox: Inbox,
    /// Messages from the session; closed when it is over.
    pub outbox: mpsc::Receiver<Message>,
    /// Why the session is over.
    pub over: watch::Receiver<Option<Ending>>,
}

/// The queue of commands for the session.
#[derive(Debug)]
pub struct Inbox {
    commands: Sender<Command>,
    room: Arc<Semaphore>,
}

impl Inbox {
    /// Queues a command once there is room. Returns false if nothing takes it any more.
    pub async fn put(&self, message: Message) -> bool {
        let bytes = match &message {
            Message::Text(text) => text.len(),
            Message::Binary(bytes) => bytes.len(),
        };
        let weight = bytes.div_ceil(1024).clamp(COMMAND, INBOX) as u32;
        match self.room.clone().acquire_many_owned(weight).await {
            Ok(room) => self.commands.send((message, room)).is_ok(),
            Err(_) => false,
        }
    }
}

/// Starts the thread of a session. `seat` is free again when the session is gone with all its memory.
pub fn start(options: &Options, seat: OwnedSemaphorePermit, subject: Subject) -> std::io::Result<Line> {
    let (commands, inbox) = std::sync::mpsc::channel();
    let (sender, outbox) = mpsc::channel(OUTBOX);
    let (tell, over) = watch::channel(None);
    let options = options.clone();
    std::thread::Builder::new().name("session".to_owned()).spawn(move || {
        let ending = catch_unwind(AssertUnwindSafe(|| on_its_own_pool(&options, &subject, inbox, &sender)));
        tell.send_replace(Some(ending.unwrap_or_else(|panic| Ending::Failed(apology(panic.as_ref())))));
        drop((sender, seat));
    })?;
    Ok(Line { inbox: Inbox { commands, room: Arc::new(Semaphore::new(INBOX)) }, outbox, over })
}

/// Each session has its own threads: in a common pool, a thread that waits for its part of a loop could have to do a whole step of another
/// session first.
fn on_its_own_pool(
    options: &Options,
    subject: &Subject,
    inbox: Receiver<Command>,
    outbox: &mpsc::Sender<Message>,
) -> Ending {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(cores);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("session.{number}"))
        .build();
    match pool {
        Ok(pool) => pool.install(|| converse(session(options, subject, threads).as_mut(), inbox, outbox)),
        Err(error) => Ending::Failed(format!("threads cannot be started: {error}")),
    }
}

fn session(options: &Options, subject: &Subject, threads: usize) -> Box<dyn Conversation> {
    match subject {
        Subject::Scenes => {
            let library = Library::with_folder(&options.folder);
            Box::new(Session::new(library, "native", threads, options.scene.clone(), milliseconds))
        }
        Subject::Lips(lips) => Box::new(LipsSession::new(lips.desk.clone(), lips.count)),
    }
}

/// Runs the session from its first message to its last.
fn converse(
    session: &mut dyn Conversation,
    inbox: Receiver<Command>,
    outbox: &mpsc::Sender<Message>,
) -> Ending {
    loop {
        let pause = session.advance();
        if let Err(ending) = hand_on(session, outbox) {
            return ending;
        }
        if let Err(ending) = take_commands(session, &inbox, outbox, pause) {
            return ending;
        }
    }
}

/// Waits for a command while there is nothing else to do, then takes those that have arrived.
fn take_commands(
    session: &mut dyn Conversation,
    inbox: &Receiver<Command>,
    outbox: &mpsc::Sender<Message>,
    pause: Option<f64>,
) -> Result<(), Ending> {
    let pause = pause.map(|ms| Duration::try_from_secs_f64(ms.max(0.0) / 1e3).unwrap_or(Duration::ZERO));
    if outbox.capacity() < RESERVE {
        std::thread::sleep(pause.map_or(UNREAD, |pause| pause.min(UNREAD)));
        return if outbox.is_closed() { Err(Ending::Left) } else { Ok(()) };
    }
    let first = match pause {
        Some(Duration::ZERO) => None,
        Some(pause) => match inbox.recv_timeout(pause) {
            Ok(command) => Some(command),
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(RecvTimeoutError::Disconnected) => return Err(Ending::Left),
        },
        None => Some(inbox.recv().map_err(|_| Ending::Left)?),
    };
    let begin = Instant::now();
    let mut next = first;
    loop {
        let (message, room) = match next.take() {
            Some(command) => command,
            None => match inbox.try_recv() {
                Ok(command) => command,
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(Ending::Left),
            },
        };
        let taken = match &message {
            Message::Text(text) => session.text(text),
            Message::Binary(bytes) => session.binary(bytes),
        };
        drop((message, room));
        hand_on(session, outbox)?;
        taken.map_err(|refusal| Ending::Refused(refusal.to_string()))?;
        if begin.elapsed() > TURN || outbox.capacity() < RESERVE {
            return Ok(());
        }
    }
}

/// Gives the session's messages to the socket.
fn hand_on(session: &mut dyn Conversation, outbox: &mpsc::Sender<Message>) -> Result<(), Ending> {
    while let Some(message) = session.outgoing() {
        outbox.try_send(message).map_err(|error| match error {
            TrySendError::Full(_) => Ending::Refused("the page does not read its messages".to_owned()),
            TrySendError::Closed(_) => Ending::Left,
        })?;
    }
    Ok(())
}

/// The message after a panic.
fn apology(panic: &(dyn Any + Send)) -> String {
    let words =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a mistake in the engine: {}", words.unwrap_or("it does not say which"))
}
