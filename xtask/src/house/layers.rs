//! The order of the engine's modules: each imports only those above it.
//!
//! The list stands in `docs/architecture.md`, between two marks, as the first column of a table. A module may be listed apart from the one that contains it
//! (`contact::phases` below `contact`): the longest entry that fits a file counts. Tests may import anything.

use super::source::{Source, sources};
use super::{Finding, read};
use std::path::Path;

const PAGE: &str = "docs/architecture.md";
const BEGIN: &str = "<!-- modules: begin -->";
const END: &str = "<!-- modules: end -->";

/// Imports that go down the list, modules that the list lacks, and entries that are no module.
pub fn layers(root: &Path) -> std::io::Result<Vec<Finding>> {
    let page = read(&root.join(PAGE))?;
    let order = listed(&page);
    let sources = sources(root)?;
    let mut findings = Vec::new();
    for (line, entry) in &order {
        if !sources.iter().any(|source| contains(entry, &source.module)) {
            let what = format!("`{entry}` is no module of the engine");
            findings.push(Finding { file: PAGE.into(), line: *line, what });
        }
    }
    let order: Vec<&str> = order.iter().map(|(_, entry)| entry.as_str()).collect();
    for source in sources.iter().filter(|source| !source.module.is_empty()) {
        check(source, &order, &mut findings);
    }
    Ok(findings)
}

fn check(source: &Source, order: &[&str], findings: &mut Vec<Finding>) {
    let mut report = |line, what| findings.push(Finding { file: source.file.clone(), line, what });
    let Some(own) = place(&source.module, order) else {
        report(1, format!("`{}` is missing in the list of modules in {PAGE}", source.module));
        return;
    };
    for (line, import) in &source.imports {
        if import.starts_with(char::is_uppercase) {
            report(*line, format!("imports `crate::{import}` from the front page; name its module"));
            continue;
        }
        if let Some(other) = place(import, order).filter(|other| *other > own) {
            let what = format!("`{}` imports `{import}`, which is below it in {PAGE}", order[own]);
            report(*line, format!("{what} (`{}`)", order[other]));
        }
    }
}

/// Whether `module` is `entry` or inside it.
fn contains(entry: &str, module: &str) -> bool {
    module.strip_prefix(entry).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The place in the list: that of the longest entry which contains the path.
fn place(path: &str, order: &[&str]) -> Option<usize> {
    let fits = order.iter().enumerate().filter(|(_, entry)| contains(entry, path));
    fits.max_by_key(|(_, entry)| entry.len()).map(|(place, _)| place)
}

/// (line, module) of every name in backticks in the first column between the marks.
fn listed(page: &str) -> Vec<(usize, String)> {
    let lines = page.lines().enumerate().skip_while(|(_, line)| line.trim() != BEGIN);
    let lines = lines.take_while(|(_, line)| line.trim() != END);
    let mut names = Vec::new();
    for (number, line) in lines {
        let cell = line.strip_prefix("| ").and_then(|rest| rest.split(" | ").next()).unwrap_or_default();
        for name in cell.split('`').skip(1).step_by(2) {
            names.push((number + 1, name.to_owned()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(module: &str, imports: &[&str]) -> Source {
        let imports = imports.iter().map(|import| (7, (*import).to_owned())).collect();
        Source { file: "x.rs".into(), module: module.to_owned(), imports }
    }

    #[test]
    fn an_import_of_something_below_is_found() {
        let order = ["math", "contact", "model", "contact::phases"];
        let found = |module: &str, imports: &[&str]| {
            let mut findings = Vec::new();
            check(&source(module, imports), &order, &mut findings);
            findings.len()
        };
        assert_eq!(found("contact::shape", &["math::outer", "contact::memory"]), 0);
        assert_eq!(found("contact::shape", &["model::Model"]), 1);
        assert_eq!(found("contact::phases::groups", &["model::Model", "contact::Contacts"]), 0);
        assert_eq!(found("model", &["contact::phases::exchange"]), 1);
        assert_eq!(found("model", &["Body"]), 1, "by re-export");
        assert_eq!(found("unheard_of", &[]), 1);
        assert_eq!(place("models", &order), None, "a name that only begins alike");
    }

    #[test]
    fn the_list_is_read_from_the_first_column() {
        let page = "`not` here\n<!-- modules: begin -->\n| module | what |\n|---|---|\n| `a`, `b::c` | uses `d` |\n<!-- modules: end -->\n| `e` | |\n";
        assert_eq!(listed(page), [(5, "a".to_owned()), (5, "b::c".to_owned())]);
    }
}
