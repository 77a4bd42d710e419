//! Binary messages: a header of eight bytes, then sections that each begin at a multiple of eight.

use super::Refusal;
use bytemuck::{NoUninit, cast_slice};

const HEADER: usize = 8;
const MAX_SECTIONS: usize = 64;

/// Writes a message.
#[derive(Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    sections: u16,
}

impl Writer {
    pub fn new(kind: u8, variant: usize, frame: u32) -> Self {
        let mut bytes = vec![kind, variant as u8, 0, 0];
        bytes.extend_from_slice(&frame.to_le_bytes());
        Self { bytes, sections: 0 }
    }

    /// Adds a section; every supported machine is little-endian, like the message.
    pub fn section<T: NoUninit>(&mut self, tag: u32, values: &[T]) {
        let payload: &[u8] = cast_slice(values);
        self.bytes.extend_from_slice(&tag.to_le_bytes());
        self.bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(payload);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        self.sections += 1;
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.bytes[2..4].copy_from_slice(&self.sections.to_le_bytes());
        self.bytes
    }
}

/// A parsed message of the page.
#[derive(Debug)]
pub struct Sections<'a> {
    pub kind: u8,
    sections: Vec<(u32, &'a [u8])>,
}

impl<'a> Sections<'a> {
    pub fn read(message: &'a [u8]) -> Result<Self, Refusal> {
        let cut = || Refusal("a binary message that is cut short".to_owned());
        let header = message.get(..HEADER).ok_or_else(cut)?;
        let count = usize::from(u16::from_le_bytes([header[2], header[3]]));
        if count > MAX_SECTIONS {
            return Err(Refusal(format!("{count} sections are too many")));
        }
        let mut rest = &message[HEADER..];
        let mut sections = Vec::new();
        for _ in 0..count {
            let head = rest.get(..8).ok_or_else(cut)?;
            let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
            let length = word(4) as usize;
            let payload = rest[8..].get(..length).ok_or_else(cut)?;
            sections.push((word(0), payload));
            rest = rest[8..].get(length.next_multiple_of(8)..).unwrap_or_default();
        }
        if !rest.is_empty() {
            return Err(Refusal("a binary message with more than its sections".to_owned()));
        }
        Ok(Self { kind: header[0], sections })
    }

    /// The payload of a required section.
    pub fn get(&self, tag: u32) -> Result<&'a [u8], Refusal> {
        let found = self.sections.iter().find(|(t, _)| *t == tag);
        found.map(|(_, payload)| *payload).ok_or_else(|| Refusal(format!("a message without section {tag}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut writer = Writer::new(3, 2, 77);
        writer.section(30, &[1u8, 2, 3]);
        writer.section(31, &[1.5f64]);
        let bytes = writer.finish();
        assert_eq!(bytes.len() % 8, 0);
        let sections = Sections::read(&bytes).unwrap();
        assert_eq!((sections.kind, sections.get(30).unwrap()), (3, &[1u8, 2, 3][..]));
        assert_eq!(sections.get(31).unwrap(), 1.5f64.to_le_bytes());
        assert!(sections.get(32).is_err());
    }

    #[test]
    fn every_cut_is_noticed() {
        let mut writer = Writer::new(3, 0, 0);
        writer.section(30, &[7u8; 13]);
        writer.section(31, &[9u8; 8]);
        let bytes = writer.finish();
        for length in 0..bytes.len() {
            assert!(Sections::read(&bytes[..length]).is_err(), "{length}");
        }
        let mut longer = bytes.clone();
        longer.extend_from_slice(&[0; 8]);
        assert!(Sections::read(&longer).is_err());
        let mut lying = bytes;
        lying[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Sections::read(&lying).is_err());
    }
}
