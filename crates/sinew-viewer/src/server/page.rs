//! The files of the page: embedded in release builds, read from `web/dist` in debug builds.

use super::NO_PAGE;
use super::guard::sentence;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Page;

const INDEX: &str = "index.html";

/// Whether the page is available.
pub fn exists() -> bool {
    Page::get(INDEX).is_some()
}

/// A file of the page; `/` is its start page.
pub async fn file(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let name = if path.is_empty() { INDEX } else { path };
    let Some(found) = Page::get(name) else {
        return if exists() {
            sentence(StatusCode::NOT_FOUND, "the page has no such file")
        } else {
            sentence(StatusCode::NOT_FOUND, NO_PAGE)
        };
    };
    let mut response = Response::new(Body::from(found.data.into_owned()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    response
}

/// The content type, by the extension; a browser that must not guess needs the right one.
fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_what_they_are() {
        assert_eq!(content_type("index.html"), "text/html; charset=utf-8");
        assert_eq!(content_type("assets/main-1.2.js"), "text/javascript; charset=utf-8");
        assert_eq!(content_type("LICENSE"), "application/octet-stream");
    }

    #[test]
    fn nothing_outside_of_the_page_is_read() {
        for path in ["../package.json", "..%2fpackage.json", "/etc/passwd", "assets/../../package.json", ""] {
            assert!(Page::get(path).is_none(), "{path}");
        }
    }
}
