//! Base64, taken piece by piece: VTK puts several encodings, each with its own padding, one after the other.

/// The characters that are left.
pub(super) struct Base64<'a> {
    pub rest: &'a [u8],
    /// Decoded bytes that were not asked for yet.
    ahead: Vec<u8>,
}

impl<'a> Base64<'a> {
    pub fn new(rest: &'a [u8]) -> Self {
        Self { rest, ahead: Vec::new() }
    }

    /// The next `length` bytes; `None` if there are fewer, or a character that does not belong there.
    pub fn take(&mut self, length: usize) -> Option<Vec<u8>> {
        // Four characters are three bytes: no more can come than that.
        if length > self.ahead.len() + self.rest.len() / 4 * 3 + 3 {
            return None;
        }
        let mut bytes = std::mem::take(&mut self.ahead);
        while bytes.len() < length {
            self.group(&mut bytes)?;
        }
        self.ahead = bytes.split_off(length);
        Some(bytes)
    }

    /// Forgets what was decoded ahead: the next piece starts with a new group.
    pub fn restart(&mut self) {
        self.ahead.clear();
    }

    /// Decodes four characters.
    fn group(&mut self, bytes: &mut Vec<u8>) -> Option<()> {
        let (mut word, mut characters, mut padding) = (0_u32, 0, 0);
        while characters < 4 {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            let value = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                b'=' => {
                    padding += 1;
                    0
                }
                byte if byte.is_ascii_whitespace() => continue,
                _ => return None,
            };
            word = word << 6 | u32::from(value);
            characters += 1;
        }
        let [_, three @ ..] = word.to_be_bytes();
        bytes.extend_from_slice(three.get(..3_usize.checked_sub(padding)?)?);
        Some(())
    }
}

/// Decodes all of a text.
pub(in crate::mesh_io) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut all = Base64::new(text.trim_ascii());
    let mut bytes = Vec::new();
    while !all.rest.is_empty() {
        all.group(&mut bytes)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9v\nYmFy", "foobar")]
        {
            assert_eq!(decode(text.as_bytes()).unwrap(), bytes.as_bytes(), "{text}");
        }
        assert_eq!(decode(b"Zm9"), None);
        assert_eq!(decode(b"Zm9!"), None);
        assert_eq!(decode(b"===="), None);
    }

    #[test]
    fn pieces_with_their_own_padding() {
        let mut pieces = Base64::new(b"Zg==Zm9vYmFy");
        assert_eq!(pieces.take(1).unwrap(), b"f");
        pieces.restart();
        assert_eq!(pieces.take(4).unwrap(), b"foob");
        assert_eq!(pieces.take(2).unwrap(), b"ar");
        assert_eq!(pieces.take(1), None);
        assert_eq!(pieces.take(usize::MAX), None);
    }
}
