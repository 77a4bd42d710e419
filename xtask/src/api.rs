//! The public items of the engine against a stored list, so that no change of the API goes in unseen.
//!
//! rustdoc writes the items as JSON; each is listed with its path and its declaration as it stands in the source. The JSON is not stable: the list is made with
//! the toolchain that the workspace asks for.

use crate::steps::{Failure, Steps};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const LIST: &str = "docs/public-api.txt";
const STEP: &str = "public API";

/// Fails where the public items are not those of the list.
pub fn check(steps: &mut Steps) -> Result<(), Failure> {
    let now = listing(steps)?;
    let stored = std::fs::read_to_string(steps.root().join(LIST))?;
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (stored.lines().collect(), now.lines().collect());
    let gone = old.difference(&new).map(|line| format!("- {line}"));
    let added = new.difference(&old).map(|line| format!("+ {line}"));
    let changes: Vec<String> = gone.chain(added).collect();
    if changes.is_empty() {
        println!("{} public items, as listed in {LIST}", new.len());
        return Ok(());
    }
    println!("{}", changes.join("\n"));
    Err(Failure::new(
        STEP,
        format!("{} lines differ from {LIST}; `cargo xtask api --update` stores them", changes.len()),
    ))
}

/// Stores the public items.
pub fn update(steps: &mut Steps) -> Result<(), Failure> {
    let list = listing(steps)?;
    Ok(std::fs::write(steps.root().join(LIST), list)?)
}

fn listing(steps: &mut Steps) -> Result<String, Failure> {
    let root = steps.root().to_path_buf();
    // A folder of its own: the variable below would make cargo build everything else anew.
    let folder = crate::page::target(&root).join("api");
    let folder_name = folder.to_string_lossy().into_owned();
    let place = ["rustdoc", "--package", "sinew", "--lib", "--target-dir", &folder_name];
    let form = ["--", "-Z", "unstable-options", "--output-format", "json"];
    let arguments = [&place[..], &form[..]].concat();
    // Stable toolchains hide the JSON behind this variable.
    steps.cargo(STEP, &arguments, &[("RUSTC_BOOTSTRAP", "1")])?;
    let text = std::fs::read_to_string(folder.join("doc/sinew.json"))?;
    let json: Value = serde_json::from_str(&text).map_err(|error| Failure::new(STEP, error.to_string()))?;
    let mut crawler = Crawler { index: &json["index"], root: &root, lines: BTreeSet::new() };
    crawler.module(&json["root"], "sinew");
    if crawler.lines.is_empty() {
        return Err(Failure::new(STEP, "rustdoc's JSON has another form than this toolchain's"));
    }
    Ok(crawler.lines.into_iter().map(|line| line + "\n").collect())
}

/// Walks from the front page to every item that a user can name.
struct Crawler<'a> {
    index: &'a Value,
    root: &'a Path,
    lines: BTreeSet<String>,
}

impl<'a> Crawler<'a> {
    fn item(&self, id: &Value) -> &'a Value {
        &self.index[id.to_string().trim_matches('"')]
    }

    fn module(&mut self, id: &Value, path: &str) {
        for child in ids(&self.item(id)["inner"]["module"]["items"]) {
            let item = self.item(&child);
            match &item["inner"]["use"] {
                Value::Null => self.named(&child, path),
                used => {
                    let name = used["name"].as_str().unwrap_or_default().to_owned();
                    if self.item(&used["id"]).is_null() {
                        self.lines.insert(format!(
                            "{path}::{name} = {}",
                            used["source"].as_str().unwrap_or_default()
                        ));
                    } else {
                        self.named_as(&used["id"].clone(), path, &name);
                    }
                }
            }
        }
    }

    fn named(&mut self, id: &Value, path: &str) {
        let name = self.item(id)["name"].as_str().unwrap_or_default().to_owned();
        self.named_as(id, path, &name);
    }

    fn named_as(&mut self, id: &Value, path: &str, name: &str) {
        let item = self.item(id);
        let path = format!("{path}::{name}");
        let inner = &item["inner"];
        if !inner["module"].is_null() {
            return self.module(id, &path);
        }
        self.lines.insert(format!("{path}: {}", self.declaration(item)));
        for kind in ["struct", "enum", "trait"] {
            let of = &inner[kind];
            let fields = &of["kind"]["plain"]["fields"];
            let tuple = &of["kind"]["tuple"];
            for member in [fields, tuple, &of["variants"], &of["items"]].into_iter().flat_map(ids) {
                self.member(&member, &path);
            }
            for implementation in ids(&of["impls"]) {
                let of = &self.item(&implementation)["inner"]["impl"];
                // What a trait asks for is in the trait; its name is what counts here.
                if of["trait"].is_null() {
                    ids(&of["items"]).iter().for_each(|member| self.member(member, &path));
                } else if of["blanket_impl"].is_null() && of["is_synthetic"] == Value::Bool(false) {
                    let name = of["trait"]["path"].as_str().unwrap_or_default();
                    // The compiler's own companion of a derived PartialEq.
                    if name != "StructuralPartialEq" {
                        self.lines.insert(format!("{path}: impl {name}"));
                    }
                }
            }
        }
    }

    fn member(&mut self, id: &Value, path: &str) {
        let item = self.item(id);
        let public = item["visibility"] == "public" || item["visibility"] == "default";
        if let (true, Some(name)) = (public, item["name"].as_str()) {
            self.lines.insert(format!("{path}::{name}: {}", self.declaration(item)));
            let kind = &item["inner"]["variant"]["kind"];
            for field in [&kind["struct"]["fields"], &kind["tuple"]].into_iter().flat_map(ids) {
                self.member(&field, &format!("{path}::{name}"));
            }
        }
    }

    /// The text of an item up to its body, on one line.
    fn declaration(&self, item: &Value) -> String {
        let span = &item["span"];
        let (Some(file), Some(first)) = (span["filename"].as_str(), span["begin"][0].as_u64()) else {
            return String::new();
        };
        let Ok(text) = std::fs::read_to_string(self.root.join(file)) else { return String::new() };
        let last = span["end"][0].as_u64().unwrap_or(first);
        let lines = text.lines().skip(first as usize - 1).take((last - first + 1) as usize);
        let joined =
            lines.map(|line| line.split(" //").next().unwrap_or(line).trim()).collect::<Vec<_>>().join(" ");
        let body = joined.find(" {").or_else(|| joined.find(';')).unwrap_or(joined.len());
        joined[..body].trim_end_matches(',').replace("( ", "(").replace(", )", ")")
    }
}

fn ids(list: &Value) -> Vec<Value> {
    list.as_array().cloned().unwrap_or_default()
}
