//! Links of the documentation to files of the repository lead somewhere.

use super::{Finding, files_below, read, relative};
use std::path::Path;

/// Links in the Markdown files at the root and below `docs/` whose file does not exist.
pub fn links(root: &Path) -> std::io::Result<Vec<Finding>> {
    let mut files = files_below(&root.join("docs"), "md")?;
    for entry in std::fs::read_dir(root)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "md") {
            files.push(path);
        }
    }
    files.sort();
    let mut findings = Vec::new();
    for file in files {
        let folder = file.parent().unwrap_or(root);
        for (line, target) in local_targets(&read(&file)?) {
            if !folder.join(&target).exists() {
                let what = format!("links to `{target}`, which does not exist");
                findings.push(Finding { file: relative(&file, root), line, what });
            }
        }
    }
    Ok(findings)
}

/// (line, path) of every link to a file, without its `#section`; code blocks and the web are left out.
fn local_targets(markdown: &str) -> Vec<(usize, String)> {
    let mut targets = Vec::new();
    let mut code = false;
    for (number, line) in markdown.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let images = line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for target in inline.chain(images) {
            let path = target.split(['#', ' ']).next().unwrap_or(target);
            if !path.is_empty() && !path.contains("://") && !path.starts_with("mailto:") {
                targets.push((number + 1, path.to_owned()));
            }
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_and_the_web_is_left_out() {
        let text = "See [a](docs/a.md#part) and ![b](b.png \"title\").\n```\n[not](this)\n```\n\
                    [web](https://example.org) [here](#below)\n<img src=\"c.png\">\n";
        let expected = [(1, "docs/a.md"), (1, "b.png"), (6, "c.png")].map(|(l, p)| (l, p.to_owned()));
        assert_eq!(local_targets(text), expected);
    }
}
