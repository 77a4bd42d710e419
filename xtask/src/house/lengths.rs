//! A file of the engine is one idea: over 600 lines it says at its top why it is long.

use super::{Finding, files_below, read, relative};
use std::path::Path;

const LIMIT: usize = 600;
const REASON: &str = "//! Long because";

/// Files of the engine that are too long and do not say why.
pub fn file_lengths(root: &Path) -> std::io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in files_below(&root.join("crates/sinew/src"), "rs")? {
        if let Some(lines) = unexplained_length(&read(&file)?) {
            let what = format!("{lines} lines; split it, or open it with a line `{REASON} …`");
            findings.push(Finding { file: relative(&file, root), line: lines, what });
        }
    }
    Ok(findings)
}

/// The number of lines of a text that is too long and whose opening comment gives no reason.
fn unexplained_length(text: &str) -> Option<usize> {
    let lines = text.lines().count();
    let explained =
        text.lines().take_while(|line| line.starts_with("//!")).any(|line| line.starts_with(REASON));
    (lines > LIMIT && !explained).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_opening_comment_excuses_a_long_file() {
        let body = "x\n".repeat(LIMIT);
        assert_eq!(unexplained_length(&body), None);
        assert_eq!(unexplained_length(&format!("//! A table.\n{body}")), Some(LIMIT + 1));
        assert_eq!(unexplained_length(&format!("//! A table.\n//! Long because it is one.\n{body}")), None);
        assert_eq!(unexplained_length(&format!("{body}//! Long because it is one.\n")), Some(LIMIT + 1));
    }
}
