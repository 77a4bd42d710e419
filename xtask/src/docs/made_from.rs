//! From which commit a page was made.

use crate::steps::Failure;
use std::path::Path;
use std::process::Command;

/// The commit that is checked out, whether files differ from it, and whether short runs stand for long ones.
pub struct MadeFrom {
    commit: String,
    changed: bool,
    quick: bool,
}

impl MadeFrom {
    /// Asks git. Changes to the `generated` files do not count.
    pub fn here(root: &Path, generated: &[&str], quick: bool) -> Result<Self, Failure> {
        let git = |arguments: &[String]| -> Result<String, Failure> {
            let fail = |why: String| Failure::new("git", why);
            let said = Command::new("git").args(arguments).current_dir(root).output();
            let said = said.map_err(|error| fail(format!("could not be started: {error}")))?;
            if !said.status.success() {
                return Err(fail(String::from_utf8_lossy(&said.stderr).trim().to_owned()));
            }
            Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
        };
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut status = words("status --porcelain -- .");
        status.extend(generated.iter().map(|file| format!(":(exclude){file}")));
        Ok(Self {
            quick,
            commit: git(&words("rev-parse --short=10 HEAD"))?,
            changed: !git(&status)?.is_empty(),
        })
    }

    /// The page with a line below its title that says where it is from.
    pub fn stamp(&self, page: &str, part: &str) -> String {
        let changes = if self.changed { " with changes" } else { "" };
        let quick = if self.quick { " --quick" } else { "" };
        let line = format!(
            "*Made from commit `{}`{changes} by `cargo xtask docs --only {part}{quick}`.*",
            self.commit
        );
        match page.split_once('\n') {
            Some((title, rest)) if title.starts_with("# ") => format!("{title}\n\n{line}\n{rest}"),
            _ => format!("{line}\n\n{page}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_stands_below_the_title() {
        let from = MadeFrom { commit: "0123abcdef".into(), changed: true, quick: true };
        let page = from.stamp("# Title\n\nText.\n", "papers");
        let line =
            "*Made from commit `0123abcdef` with changes by `cargo xtask docs --only papers --quick`.*";
        assert_eq!(page, format!("# Title\n\n{line}\n\nText.\n"));
        let clean = MadeFrom { changed: false, ..from };
        assert!(clean.stamp("Text.", "papers").starts_with("*Made from commit `0123abcdef` by "));
    }

    #[test]
    fn git_knows_the_commit() {
        let Ok(from) = MadeFrom::here(&crate::root(), &[], false) else {
            // An archive of the sources has no history.
            assert!(!crate::root().join(".git").exists());
            return;
        };
        assert!(
            from.commit.len() >= 10 && from.commit.chars().all(|c| c.is_ascii_hexdigit()),
            "{}",
            from.commit
        );
    }
}
