//! A file of the engine is one idea: at most 450 lines, and the step at most 250.

use super::{Finding, files_below, read, relative};
use std::path::Path;

const LIMIT: usize = 450;
/// Files with limits of their own.
const OWN: [(&str, usize); 1] = [("crates/sinew/src/step.rs", 250)];

/// Files of the engine that are too long.
pub fn file_lengths(root: &Path) -> std::io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in files_below(&root.join("crates/sinew/src"), "rs")? {
        let (lines, file) = (read(&file)?.lines().count(), relative(&file, root));
        let most = limit(&file);
        if lines > most {
            let what = format!("{lines} lines, at most {most} are allowed; split it");
            findings.push(Finding { file, line: lines, what });
        }
    }
    Ok(findings)
}

fn limit(file: &Path) -> usize {
    OWN.iter().find(|(own, _)| file == Path::new(own)).map_or(LIMIT, |(_, limit)| *limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_has_a_limit_of_its_own() {
        assert_eq!(limit(Path::new("crates/sinew/src/step.rs")), 250);
        assert_eq!(limit(Path::new("crates/sinew/src/step/simulator.rs")), LIMIT);
    }
}
