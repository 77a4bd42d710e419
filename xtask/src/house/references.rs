//! Papers are cited by key, `[liu2017, Eq. 13]`: every key is in `docs/references.bib`, once.

use super::{Finding, files_below, read, relative};
use std::collections::BTreeMap;
use std::path::Path;

const BIBLIOGRAPHY: &str = "docs/references.bib";

/// Keys cited in comments and documentation that the bibliography lacks, and keys that it has twice.
pub fn references(root: &Path) -> std::io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut known = BTreeMap::new();
    for (number, line) in read(&root.join(BIBLIOGRAPHY))?.lines().enumerate() {
        let Some(key) = bibtex_key(line) else { continue };
        if let Some(first) = known.insert(key.to_owned(), number + 1) {
            let what = format!("`{key}` is there already, on line {first}");
            findings.push(Finding { file: BIBLIOGRAPHY.into(), line: number + 1, what });
        }
    }
    let mut files = files_below(&root.join("crates"), "rs")?;
    files.extend(files_below(&root.join("docs"), "md")?);
    for file in files {
        let rust = file.extension().is_some_and(|e| e == "rs");
        for (number, line) in read(&file)?.lines().enumerate() {
            let prose = if rust { line.split_once("//").map_or("", |(_, comment)| comment) } else { line };
            for key in cited_keys(prose).filter(|key| !known.contains_key(*key)) {
                let what = format!("`{key}` is not in {BIBLIOGRAPHY}");
                findings.push(Finding { file: relative(&file, root), line: number + 1, what });
            }
        }
    }
    Ok(findings)
}

/// The key of `@article{key,`.
fn bibtex_key(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_start().strip_prefix('@')?.split_once('{')?;
    Some(rest.trim_end().trim_end_matches(',').trim())
}

/// The keys inside the square brackets of a line; a bracket may stay open until the next line. In doc comments a key
/// that stands alone is written `\[liu2017\]`, or rustdoc would look for an item of that name.
fn cited_keys(line: &str) -> impl Iterator<Item = &str> {
    let brackets = line.split('[').skip(1).map(|rest| rest.split(']').next().unwrap_or(rest));
    brackets
        .flat_map(|inside| inside.split([',', ';']))
        .map(|part| part.trim().trim_end_matches('\\'))
        .filter(|part| is_key(part))
}

/// Letters, a year, and perhaps letters: `liu2017`, `dinev2018fepr`.
fn is_key(text: &str) -> bool {
    let name = text.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let suffix = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = name.len() - suffix.len();
    name.len() < text.len() && digits == 4 && suffix.chars().all(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_where_they_are_cited_and_nowhere_else() {
        let keys = |line| cited_keys(line).collect::<Vec<_>>();
        assert_eq!(keys(" The one objective [dinev2018fepr, Eq. 15]."), ["dinev2018fepr"]);
        assert_eq!(
            keys("prefactored [bouaziz2014, liu2017] and [dinev2018stab, Alg. 1"),
            ["bouaziz2014", "liu2017", "dinev2018stab"]
        );
        assert!(
            keys("entries[start..], x[i2017x4], [0, 1, 2], [`Model`](crate::Model), [Xᵢ − c, 1]").is_empty()
        );
    }

    #[test]
    fn keys_of_the_bibliography_are_read() {
        assert_eq!(bibtex_key("@article{liu2017,"), Some("liu2017"));
        assert_eq!(bibtex_key("  title = {Quasi-Newton},"), None);
    }
}
