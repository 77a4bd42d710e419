//! Where words go: results to stdout, everything else to stderr.
//!
//! A reader that closed the pipe (`sinew … | head`) is no reason to fail, so errors of writing are dropped.

use std::fmt::Display;
use std::io::Write;

/// A result, on stdout.
pub fn say(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// A remark, on stderr.
pub fn remark(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// What went wrong, on stderr.
pub fn complain(what: impl Display) {
    remark(format_args!("error: {what}"));
}
