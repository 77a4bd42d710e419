//! The part of XML that model files use: elements with attributes. Text, comments, declarations and instructions are skipped.

use super::MujocoError;

/// Elements inside each other at most: bodies of a real creature are a few dozen deep.
const DEEPEST: usize = 400;

/// An element: its name, its attributes in order, and the elements in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
}

impl Element {
    /// The value of an attribute.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The elements of this name in it.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

/// Reads a document; returns its outermost element.
pub(super) fn parse(text: &str) -> Result<Element, MujocoError> {
    let mut open = vec![Element::default()];
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let line = 1 + text[..text.len() - rest.len() + start].matches('\n').count();
        let fault = |what: String| MujocoError::Syntax { line, what };
        rest = &rest[start..];
        if let Some(end) = skipped(rest) {
            rest = rest
                .get(end.ok_or_else(|| fault("something that starts here does not end".into()))?..)
                .unwrap_or("");
            continue;
        }
        let length = end_of_tag(rest).ok_or_else(|| fault("a tag does not end with `>`".into()))?;
        let inside = &rest[1..length];
        rest = &rest[length + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            let done = open.pop().unwrap_or_default();
            if open.is_empty() || done.name != name.trim() {
                return Err(fault(format!("`</{}>` closes nothing that is open", name.trim())));
            }
            parent(&mut open).children.push(done);
            continue;
        }
        let (inside, closed) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
        let element = tag(inside).map_err(fault)?;
        if closed {
            parent(&mut open).children.push(element);
        } else if open.len() > DEEPEST {
            return Err(fault(format!("more than {DEEPEST} elements inside each other")));
        } else {
            open.push(element);
        }
    }
    let line = 1 + text.matches('\n').count();
    match (open.pop(), open.is_empty()) {
        (Some(document), true) => document.children.into_iter().next().ok_or(MujocoError::NoModel),
        (Some(left), false) => {
            Err(MujocoError::Syntax { line, what: format!("`<{}>` is not closed", left.name) })
        }
        (None, _) => Err(MujocoError::NoModel),
    }
}

fn parent(open: &mut [Element]) -> &mut Element {
    let last = open.len() - 1;
    &mut open[last]
}

/// If a comment, a declaration or an instruction starts here: where it ends, or that it does not.
fn skipped(rest: &str) -> Option<Option<usize>> {
    let ends = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
    let (_, end) = ends.iter().find(|(start, _)| rest.starts_with(start))?;
    Some(rest.find(end).map(|at| at + end.len()))
}

/// Where the `>` of a tag is; one in quotes does not count.
fn end_of_tag(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in rest.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    None
}

/// Name and attributes.
fn tag(inside: &str) -> Result<Element, String> {
    let inside = inside.trim();
    let (name, mut rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    if name.is_empty() {
        return Err("a tag without a name".into());
    }
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let (key, after) = rest.split_once('=').ok_or_else(|| format!("`{rest}` is no attribute"))?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let quote = quote.ok_or_else(|| format!("the value of `{}` is not in quotes", key.trim()))?;
        let (value, left) = after[1..].split_once(quote).ok_or("a value does not end")?;
        attributes.push((key.trim().to_owned(), plain(value)));
        rest = left;
    }
    Ok(Element { name: name.to_owned(), attributes, children: Vec::new() })
}

fn plain(value: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    pairs.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_comments() {
        let text = "<?xml version='1.0'?><!-- <no/> --><a x=\"1 > 0\" y='&lt;'>text<b/><b z=\"2\"></b></a>";
        let a = parse(text).unwrap();
        assert_eq!((a.name.as_str(), a.get("x"), a.get("y")), ("a", Some("1 > 0"), Some("<")));
        assert_eq!(a.all("b").map(|b| b.get("z")).collect::<Vec<_>>(), [None, Some("2")]);
    }

    #[test]
    fn what_is_damaged_is_refused_with_its_line() {
        for text in
            ["", "<a>", "<a>\n</b>", "</a>", "<a x=1/>", "<a", "<a x=\"1/>", "<!-- ", "<>", "<a\n b c/>"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(matches!(parse("<a>\n\n</b>"), Err(MujocoError::Syntax { line: 3, .. })));
        assert!(parse(&"<a>".repeat(100_000)).is_err());
    }
}
