//! Connections: each request has to arrive within a few seconds, so that half-sent ones do not stay.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::sleep;

/// Time for the head of a request, and for the next one on the same connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// Largest number of open connections, with those of pages; more have to wait.
const MOST: usize = 256;
/// Pause after the system refused a connection, for instance because too many files are open.
const REFUSED: Duration = Duration::from_millis(100);

/// Serves until it is dropped.
pub async fn serve(listener: TcpListener, router: Router) {
    let room = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok(seat) = room.clone().acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            sleep(REFUSED).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // A connection that breaks or is closed here concerns nobody else.
            let _ = connection.await;
            drop(seat);
        });
    }
}
