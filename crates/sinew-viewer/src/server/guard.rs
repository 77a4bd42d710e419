//! Access control: the host name, the origin, the token; and the headers of every response.

use super::Shared;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// A secret of 128 bits, as 32 hexadecimal digits.
#[derive(Debug)]
pub struct Token(String);

impl Token {
    /// Creates a random token.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// A token that was written down; `None` if this is none.
    pub fn read(text: &str) -> Option<Self> {
        let digits = text.len() == 32 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        digits.then(|| Self(text.to_owned()))
    }

    /// Its digits, to be written down.
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// Compares every digit, so that the time taken reveals nothing.
    fn is(&self, given: &str) -> bool {
        let (ours, given) = (self.0.as_bytes(), given.as_bytes());
        let difference =
            ours.iter().zip(given).fold(0, |found, (a, b)| std::hint::black_box(found | (a ^ b)));
        ours.len() == given.len() && difference == 0
    }
}

/// The host names of this server, and its secret.
#[derive(Debug)]
pub struct Guard {
    port: u16,
    token: Token,
    hosts: Vec<String>,
    policy: HeaderValue,
}

impl Guard {
    /// For a server on this port.
    pub fn new(port: u16, token: Token) -> Self {
        let names = ["127.0.0.1", "localhost"];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            // Browsers leave out the default port.
            hosts.extend(names.map(str::to_owned));
        }
        let sockets: String = hosts.iter().map(|host| format!(" ws://{host}")).collect();
        let policy = format!(
            "default-src 'self'; connect-src 'self'{sockets}; worker-src 'self' blob:; \
             script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; media-src blob:; \
             style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        let policy = HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'self'"));
        Self { port, token, hosts, policy }
    }

    /// The address of the page with the token, and with one of its tools.
    pub fn address(&self, tool: Option<&str>) -> String {
        let tool = tool.map(|tool| format!("tool={tool}&")).unwrap_or_default();
        format!("http://127.0.0.1:{}/?{tool}token={}", self.port, self.token.0)
    }

    fn is_host(&self, name: &str) -> bool {
        self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
    }

    /// Checks whether a connection to `/live` is allowed; the error is a sentence.
    pub fn admits(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), &'static str> {
        if let Some(origin) = headers.get(header::ORIGIN) {
            let ours = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            if !ours.is_some_and(|host| self.is_host(host)) {
                return Err("pages of other addresses may not connect");
            }
        }
        let parts = uri.query().unwrap_or_default().split('&');
        match parts.filter_map(|part| part.strip_prefix("token=")).next() {
            Some(token) if self.token.is(token) => Ok(()),
            Some(_) => Err("this is not the token of this server; use the address that `sinew view` printed"),
            None => Err("the token is missing; use the address that `sinew view` printed"),
        }
    }
}

/// Rejects requests that name another host, and adds the headers to every response.
pub async fn watch(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let guard = &shared.guard;
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let mut response = if named.is_some_and(|host| guard.is_host(host)) {
        next.run(request).await
    } else {
        sentence(StatusCode::MISDIRECTED_REQUEST, "this server is called 127.0.0.1 and localhost only")
    };
    let fixed: [(HeaderName, &str); 5] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, guard.policy.clone());
    headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

/// A response of one sentence.
pub fn sentence(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::new(Body::from(format!("{text}\n")));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let [a, b] = [Token::random().unwrap(), Token::random().unwrap()];
        assert!(a.0.len() == 32 && a.0.bytes().all(|digit| digit.is_ascii_hexdigit()) && a.0 != b.0);
        assert!(a.is(&a.0) && !a.is(&b.0) && !a.is("") && !a.is(&a.0[1..]) && !a.is(&format!("{}0", a.0)));
    }

    #[test]
    fn only_our_own_pages_with_the_token_come_in() {
        let guard = Guard::new(8000, Token("00ff".to_owned()));
        let admits = |path: &str, origin: Option<&'static str>| {
            let origin = origin.map(|origin| (header::ORIGIN, HeaderValue::from_static(origin)));
            guard.admits(&path.parse().unwrap(), &origin.into_iter().collect())
        };
        assert_eq!(admits("/live?token=00ff", None), Ok(()));
        assert_eq!(admits("/live?x=1&token=00ff", Some("http://localhost:8000")), Ok(()));
        assert!(admits("/live", None).unwrap_err().contains("missing"));
        assert!(admits("/live?token=00fe", None).unwrap_err().contains("not the token"));
        for other in ["http://localhost:8001", "https://localhost:8000", "http://evil.example", "null", ""] {
            assert!(admits("/live?token=00ff", Some(other)).is_err(), "{other}");
        }
    }
}
