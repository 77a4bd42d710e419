//! A WebSocket: carries messages between a page and the thread of its session.

use super::Shared;
use super::ending::Ending;
use super::engine::{self, Inbox, Line, Subject};
use super::guard::sentence;
use crate::Message;
use crate::library::MAX_TEXT;
use crate::session::MAX_BINARY;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{self, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// Interval between pings; the browser answers even if the page is busy.
const PING: Duration = Duration::from_secs(5);

/// A connection that was silent for this long is dead.
const SILENCE: Duration = Duration::from_secs(30);

/// Time limit for the last messages and the close frame.
const PARTING: Duration = Duration::from_secs(1);

/// The read half of the socket, and the write half.
type Ear = SplitStream<WebSocket>;
type Mouth = SplitSink<WebSocket, ws::Message>;

type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// Answers `/live`.
pub async fn live(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Response {
    admit(shared, &uri, &headers, upgrade, Subject::Scenes)
}

/// Answers `/lips`.
pub async fn lips(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Response {
    match shared.options.lips.clone() {
        Some(lips) => admit(shared, &uri, &headers, upgrade, Subject::Lips(lips)),
        None => {
            sentence(StatusCode::NOT_FOUND, "this server has no face; `sinew lips view` starts one that has")
        }
    }
}

fn admit(
    shared: Arc<Shared>,
    uri: &Uri,
    headers: &HeaderMap,
    upgrade: Upgrade,
    subject: Subject,
) -> Response {
    if let Err(why) = shared.guard.admits(uri, headers) {
        return sentence(StatusCode::FORBIDDEN, why);
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.max_message_size(MAX_BINARY).max_frame_size(MAX_BINARY),
        Err(rejection) => return rejection.into_response(),
    };
    match shared.seats.clone().try_acquire_owned() {
        Ok(seat) => upgrade.on_upgrade(|socket| attend(socket, shared, seat, subject)),
        // A browser shows its page the reason of a close frame, but not the text of a refused handshake.
        Err(_) => upgrade.on_upgrade(|socket| {
            let (mouth, ear) = socket.split();
            part(mouth, ear, Ending::Full)
        }),
    }
}

/// Serves a connection until it ends.
async fn attend(socket: WebSocket, shared: Arc<Shared>, seat: OwnedSemaphorePermit, subject: Subject) {
    let (mut mouth, mut ear) = socket.split();
    let ending = match engine::start(&shared.options, seat, subject) {
        Ok(line) => converse(&mut mouth, &mut ear, line, shared.ends.subscribe()).await,
        Err(error) => Ending::Failed(format!("no thread for the session: {error}")),
    };
    part(mouth, ear, ending).await;
}

/// Sends the reason for the end, if the page is still there.
async fn part(mut mouth: Mouth, mut ear: Ear, ending: Ending) {
    if let Some(frame) = ending.frame() {
        let farewell = async {
            if mouth.send(ws::Message::Close(Some(frame))).await.is_ok() {
                // Wait until the page has answered: closing with unread bytes would discard the reason.
                while let Some(Ok(_)) = ear.next().await {}
            }
        };
        let _ = timeout(PARTING, farewell).await;
    }
}

/// Carries messages both ways. When this returns, the session's thread knows that the connection is over.
async fn converse(mouth: &mut Mouth, ear: &mut Ear, line: Line, mut ends: watch::Receiver<bool>) -> Ending {
    let Line { inbox, outbox, over } = line;
    let (heard, last_heard) = watch::channel(Some(Instant::now()));
    let (mut late, mut silent) = (over.clone(), last_heard);
    tokio::select! {
        ending = listen(ear, &inbox, &heard, over.clone()) => ending,
        ending = speak(mouth, outbox, over) => ending,
        // The session is over, and the page does not read the remaining messages.
        ending = async { let ending = finished(&mut late).await; sleep(PARTING).await; ending } => ending,
        () = silence(&mut silent) => Ending::Refused("nothing was heard from the page for 30 s".to_owned()),
        _ = ends.wait_for(|end| *end) => Ending::Stopped,
    }
}

/// Passes commands to the session, as fast as it takes them.
async fn listen(
    ear: &mut Ear,
    inbox: &Inbox,
    heard: &watch::Sender<Option<Instant>>,
    mut over: watch::Receiver<Option<Ending>>,
) -> Ending {
    loop {
        let message = match ear.next().await {
            Some(Ok(message)) => message,
            Some(Err(error)) => return broken(error),
            None => return Ending::Left,
        };
        heard.send_replace(Some(Instant::now()));
        let command = match message {
            ws::Message::Text(text) if text.len() > MAX_TEXT => {
                return Ending::TooLarge("a text message has at most 1 MiB".to_owned());
            }
            ws::Message::Text(text) => Message::Text(text.as_str().to_owned()),
            ws::Message::Binary(bytes) => Message::Binary(bytes.into()),
            ws::Message::Ping(_) | ws::Message::Pong(_) => continue,
            ws::Message::Close(_) => return Ending::Left,
        };
        // While the session is too busy to take it, nothing is read, and the page does not count as silent.
        heard.send_replace(None);
        let taken = inbox.put(command).await;
        heard.send_replace(Some(Instant::now()));
        if !taken {
            // The session's last messages are being sent.
            finished(&mut over).await;
            std::future::pending::<()>().await;
        }
    }
}

/// Sends messages to the page, with a ping now and then; returns the reason when the session is over and everything is sent.
async fn speak(
    mouth: &mut Mouth,
    mut outbox: mpsc::Receiver<Message>,
    mut over: watch::Receiver<Option<Ending>>,
) -> Ending {
    let mut ping = tokio::time::interval(PING);
    ping.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let message = tokio::select! {
            message = outbox.recv() => match message {
                Some(Message::Text(text)) => ws::Message::Text(text.into()),
                Some(Message::Binary(bytes)) => ws::Message::Binary(bytes.into()),
                None => return finished(&mut over).await,
            },
            _ = ping.tick() => ws::Message::Ping(Default::default()),
        };
        if mouth.send(message).await.is_err() {
            return Ending::Left;
        }
    }
}

/// Waits for the session's end.
async fn finished(over: &mut watch::Receiver<Option<Ending>>) -> Ending {
    let lost = || Ending::Failed("the session has vanished".to_owned());
    over.wait_for(Option::is_some).await.ok().and_then(|ending| ending.clone()).unwrap_or_else(lost)
}

/// Waits until the page was silent for too long; `None`: nothing is read at the moment.
async fn silence(last_heard: &mut watch::Receiver<Option<Instant>>) {
    loop {
        let heard = *last_heard.borrow_and_update();
        match heard {
            Some(heard) => tokio::select! {
                () = sleep_until(heard + SILENCE) => return,
                _ = last_heard.changed() => {}
            },
            None if last_heard.changed().await.is_err() => std::future::pending().await,
            None => {}
        }
    }
}

/// The ending that an error of the socket means.
fn broken(error: axum::Error) -> Ending {
    match error.into_inner().downcast_ref() {
        Some(tungstenite::Error::Capacity(_)) => Ending::TooLarge("a message has at most 64 MiB".to_owned()),
        Some(tungstenite::Error::Utf8(_)) => Ending::Refused("a text message is not UTF-8".to_owned()),
        _ => Ending::Left,
    }
}
