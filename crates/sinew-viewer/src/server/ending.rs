//! How a connection ends.

use axum::extract::ws::{CloseCode, CloseFrame, close_code};

/// Why a connection is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The page left.
    Left,
    /// The server stops.
    Stopped,
    /// The page broke the protocol; the reason is for people.
    Refused(String),
    /// A message is too large.
    TooLarge(String),
    /// There are already as many pages as allowed.
    Full,
    /// Something failed on the server.
    Failed(String),
}

/// Bytes of the reason in a close frame (RFC 6455, section 5.5).
const REASON: usize = 123;

impl Ending {
    /// The close frame for the page; `None` if it has left.
    pub fn frame(&self) -> Option<CloseFrame> {
        let (code, reason): (CloseCode, &str) = match self {
            Self::Left => return None,
            Self::Stopped => (close_code::AWAY, "the server has ended"),
            Self::Refused(reason) => (close_code::POLICY, reason),
            Self::TooLarge(reason) => (close_code::SIZE, reason),
            Self::Full => (close_code::AGAIN, "eight pages are connected already; close one"),
            Self::Failed(reason) => (close_code::ERROR, reason),
        };
        Some(CloseFrame { code, reason: cut(reason).into() })
    }
}

/// As much of the text as fits, in whole characters.
fn cut(reason: &str) -> &str {
    reason.get(..reason.floor_char_boundary(REASON)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_reasons_are_cut_between_characters() {
        assert_eq!(cut("short"), "short");
        assert_eq!(cut(&"a".repeat(200)).len(), 123);
        assert_eq!(cut(&"€".repeat(50)), "€".repeat(41));
        assert_eq!(cut(&format!("a{}", "€".repeat(50))).len(), 121);
    }
}
