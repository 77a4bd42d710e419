//! Host, origin, token, headers and the number of connections.

use super::{Serving, with_others};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::http::{HeaderName, HeaderValue, Request};

/// A plain request, and all of the answer.
fn get(serving: &Serving, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(&serving.host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn with_header(mut request: Request<()>, name: &'static str, value: &str) -> Request<()> {
    request.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    request
}

fn with_path(mut request: Request<()>, path: &str) -> Request<()> {
    let host = request.uri().authority().unwrap().clone();
    *request.uri_mut() = format!("ws://{host}{path}").parse().unwrap();
    request
}

#[test]
fn the_token_and_our_own_origins_come_in() {
    let _others = with_others();
    let serving = Serving::new();
    let port = serving.host.split_once(':').unwrap().1;
    serving.connect(serving.request()).unwrap();
    for origin in [format!("http://127.0.0.1:{port}"), format!("http://localhost:{port}")] {
        serving.connect(with_header(serving.request(), "origin", &origin)).unwrap();
    }
    serving.connect(with_header(serving.request(), "host", &format!("localhost:{port}"))).unwrap();
}

#[test]
fn everybody_else_stays_outside() {
    let _others = with_others();
    let serving = Serving::new();
    let token = serving.token.clone();
    let refused = |request, status: u16, says: &str| {
        let (found, sentence) = serving.connect(request).unwrap_err();
        assert_eq!(found, status, "{sentence}");
        assert!(sentence.contains(says), "{sentence}");
    };
    refused(with_path(serving.request(), "/live"), 403, "token is missing");
    refused(with_path(serving.request(), "/live?token="), 403, "not the token");
    refused(with_path(serving.request(), &format!("/live?token={}", &token[1..])), 403, "not the token");
    refused(with_path(serving.request(), &format!("/live?token={}", "0".repeat(32))), 403, "not the token");
    refused(with_path(serving.request(), &format!("/live?TOKEN={token}")), 403, "token is missing");
    refused(with_header(serving.request(), "origin", "http://evil.example"), 403, "other addresses");
    refused(with_header(serving.request(), "origin", "http://127.0.0.1:1"), 403, "other addresses");
    refused(with_header(serving.request(), "origin", "null"), 403, "other addresses");
    refused(with_header(serving.request(), "host", "evil.example"), 421, "127.0.0.1");
    refused(with_header(serving.request(), "host", "127.0.0.1"), 421, "127.0.0.1");
    serving.connect(serving.request()).unwrap();
}

#[test]
fn every_answer_tells_the_browser_to_be_strict() {
    let _others = with_others();
    let serving = Serving::new();
    let port = serving.host.split_once(':').unwrap().1.to_owned();
    for (path, host) in [
        ("/", &serving.host),
        ("/nothing", &serving.host),
        ("/live", &serving.host),
        ("/", &"evil.example".to_owned()),
    ] {
        let answer = get(&serving, path, host).to_lowercase();
        for header in [
            "content-security-policy: default-src 'self'; connect-src 'self' ws://127.0.0.1:",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(answer.contains(header), "{path} of {host} lacks `{header}`: {answer}");
        }
        assert!(answer.contains(&format!("ws://127.0.0.1:{port}")), "{answer}");
    }
    assert!(get(&serving, "/", "evil.example").starts_with("HTTP/1.1 421"));
    assert!(get(&serving, "/../Cargo.toml", &serving.host).starts_with("HTTP/1.1 404"));
    assert!(get(&serving, "/..%2fpackage.json", &serving.host).starts_with("HTTP/1.1 404"));
    let root = get(&serving, "/", &serving.host);
    if sinew_viewer::server::Server::has_page() {
        assert!(root.starts_with("HTTP/1.1 200") && root.contains("text/html"), "{root}");
    } else {
        assert!(root.contains("run `cargo xtask view`"), "{root}");
    }
}

/// A seat is free again only when the thread of its session has ended.
#[test]
fn the_ninth_waits_until_one_has_left() {
    let _others = with_others();
    let serving = Serving::new();
    let mut pages: Vec<_> = (0..8).map(|_| serving.page()).collect();
    let Err((code, reason)) = serving.seat() else { panic!("a ninth seat") };
    assert_eq!(code, 1013);
    assert!(reason.contains("eight"), "{reason}");
    // Half of them say goodbye, half just vanish.
    for page in pages.iter_mut().step_by(2) {
        page.socket.close(None).unwrap();
        page.socket.flush().unwrap();
    }
    pages.clear();
    serving.eight();
}

#[test]
fn a_server_that_ends_says_so() {
    let _others = with_others();
    let serving = Serving::new();
    let mut page = serving.page();
    let begin = Instant::now();
    let ended = std::thread::spawn(move || page.until_closed());
    drop(serving);
    assert_eq!(ended.join().unwrap(), (1001, "the server has ended".to_owned()));
    assert!(begin.elapsed() < Duration::from_secs(5));
}

/// Bytes that never become a request do not hold a connection: it is closed after a few seconds, and others are served meanwhile.
#[test]
fn half_sent_requests_are_closed() {
    use std::io::{Read, Write};
    let _with = with_others();
    let serving = Serving::new();
    let halves: Vec<std::net::TcpStream> = ["", "GET / HT", "GET / HTTP/1.1\r\nHost: 127"]
        .iter()
        .map(|half| {
            let mut stream = std::net::TcpStream::connect(&serving.host).unwrap();
            stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
            stream.write_all(half.as_bytes()).unwrap();
            stream
        })
        .collect();
    let begin = std::time::Instant::now();
    serving.page().open("tetrahedron");
    for mut stream in halves {
        let mut said = Vec::new();
        // Closed, or reset where something was unread.
        let _ = stream.read_to_end(&mut said);
        let after = begin.elapsed().as_secs_f64();
        assert!(after < 10.0, "still open after {after} s");
    }
    assert!(begin.elapsed().as_secs_f64() > 1.0, "a slow page has some time");
}
