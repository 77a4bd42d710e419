//! Tags of an XML file, one after the other. Appended raw data, which is no XML, comes after the last tag that matters.

use crate::mesh_io::error::MeshError;
use crate::mesh_io::source::Source;

/// A tag with its attributes.
pub(super) struct Tag<'a> {
    /// The name; closing tags start with a slash.
    pub name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    /// Position of its `<`.
    pub offset: usize,
    /// Position after its `>`.
    pub end: usize,
}

impl<'a> Tag<'a> {
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }
}

/// The next tag at or after `position`; comments and declarations are passed over.
pub(super) fn next(source: &Source, mut position: usize) -> Result<Option<Tag<'_>>, MeshError> {
    let bytes = &source.bytes;
    loop {
        let rest = bytes.get(position..).unwrap_or_default();
        let Some(start) = rest.iter().position(|&byte| byte == b'<') else { return Ok(None) };
        let offset = position + start;
        let rest = &bytes[offset..];
        let (mark, is_tag): (&[u8], bool) = match rest {
            [b'<', b'!', b'-', b'-', ..] => (b"-->", false),
            [b'<', b'!' | b'?', ..] => (b">", false),
            _ => (b">", true),
        };
        let cut = || source.malformed(offset, "this tag has no end: the file is cut off");
        let length = find(rest, mark).ok_or_else(cut)?;
        let end = offset + length + mark.len();
        if !is_tag {
            position = end;
            continue;
        }
        let text = std::str::from_utf8(&rest[1..length])
            .map_err(|_| source.malformed(offset, "this tag is no text (UTF-8)"))?;
        let text = text.strip_suffix('/').unwrap_or(text);
        let name_end = text.find(char::is_whitespace).unwrap_or(text.len());
        let attributes = attributes(&text[name_end..]).ok_or_else(|| {
            source.malformed(offset, "this tag has an attribute that is not name=\"value\"")
        })?;
        return Ok(Some(Tag { name: &text[..name_end], attributes, offset, end }));
    }
}

/// `name="value"` pairs; `None` if the text is something else.
fn attributes(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut all = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| *c == '"' || *c == '\'')?;
        let (value, after) = after[1..].split_once(quote)?;
        all.push((name.trim(), value.trim()));
        rest = after.trim_start();
    }
    Some(all)
}

fn find(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).position(|window| window == mark)
}
