//! The token of a port that somebody chose, kept for the next server on it: a page that is still open finds it again.
//!
//! The file belongs to the user alone. One that others could have written, or cannot be trusted for another reason, is replaced.

use super::guard::Token;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

/// The remembered token of a port, else `fresh`, which is remembered if possible.
pub fn token(folder: &Path, port: u16, fresh: Token) -> Token {
    let file = folder.join(format!("view-{port}.token"));
    if let Some(known) = read(&file) {
        return known;
    }
    // Without a place to keep it, the next server has another one, and pages have to be opened again.
    let _ = write(folder, &file, fresh.digits());
    fresh
}

fn read(path: &Path) -> Option<Token> {
    let file = File::open(path).ok()?;
    if !is_private(&file) {
        return None;
    }
    let mut text = String::new();
    file.take(64).read_to_string(&mut text).ok()?;
    Token::read(text.trim_end())
}

fn write(folder: &Path, path: &Path, digits: &str) -> std::io::Result<()> {
    let mut make = DirBuilder::new();
    let mut open = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        make.mode(0o700);
        open.mode(0o600);
    }
    make.recursive(true).create(folder)?;
    // Anew, so that it has the rights of a new file.
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    open.write(true).create_new(true).open(path)?.write_all(digits.as_bytes())
}

#[cfg(unix)]
fn is_private(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_private(file: &File) -> bool {
    file.metadata().is_ok_and(|data| data.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_remembered_by_its_port() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("deep/er");
        let first = token(&folder, 8080, Token::random().unwrap());
        let digits = first.digits().to_owned();
        assert_eq!(token(&folder, 8080, Token::random().unwrap()).digits(), digits);
        assert_ne!(token(&folder, 8081, Token::random().unwrap()).digits(), digits);
    }

    #[test]
    fn a_file_that_is_no_token_or_open_to_others_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("view-8080.token");
        for text in ["", "0123", "not a token, but of 32 characters"] {
            std::fs::write(&file, text).unwrap();
            let fresh = Token::random().unwrap().digits().to_owned();
            assert_eq!(token(place.path(), 8080, Token::read(&fresh).unwrap()).digits(), fresh);
            assert_eq!(std::fs::read_to_string(&file).unwrap(), fresh);
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let known = std::fs::read_to_string(&file).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
            assert_ne!(token(place.path(), 8080, Token::random().unwrap()).digits(), known);
        }
    }
}
