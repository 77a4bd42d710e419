//! Output: results to stdout, everything else to stderr.
//!
//! A reader that closed the pipe (`sinew … | head`) is not an error, so write errors are ignored.

use std::fmt::Display;
use std::io::Write;

/// Prints a result to stdout.
pub fn say(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints a remark to stderr.
pub fn remark(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints an error to stderr.
pub fn complain(what: impl Display) {
    remark(format_args!("error: {what}"));
}
