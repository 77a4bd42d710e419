//! Output: results to stdout, everything else to stderr.
//!
//! A reader that closed the pipe (`sinew … | head`) is not an error. A result that could not be written for any other reason is one: a script that
//! stores it in a file must learn that the disk is full. Remarks are lost silently, since there is no place left to report it.

use crate::failure::Failure;
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints a result to stdout.
pub fn say(text: impl Display) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Stdout(error)),
        _ => Ok(()),
    }
}

/// Prints a remark to stderr.
pub fn remark(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints to stderr what makes a result doubtful.
pub fn warn(what: impl Display) {
    remark(format_args!("warning: {what}"));
}

/// Prints an error to stderr.
pub fn complain(what: impl Display) {
    remark(format_args!("error: {what}"));
}
