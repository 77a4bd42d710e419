//! What a page sends as bytes: a simulation in a file (the scene, the user's settings and changes, and the state with all bits), or a file
//! that was dropped on it.

use super::Refusal;
use super::command::MAX_OVERRIDES;
use super::sections::{Sections, Writer};
use super::user_changes::UserChanges;
use super::variant::{Fault, Variant};
use crate::library::{MAX_TEXT, Source};
use serde::{Deserialize, Serialize};

const STATE: u8 = 3;
const BYTES: u32 = 30;
const ABOUT: u32 = 31;
const FILE: u8 = 4;
const NAME: u32 = 40;
const CONTENT: u32 = 41;

/// What a page downloads and later sends back.
#[derive(Clone, Debug)]
pub struct Saved {
    pub state: Vec<u8>,
    pub about: About,
}

/// Everything that is needed to build the scene again.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub name: String,
    pub text: String,
    pub set: Vec<String>,
    #[serde(alias = "touched")]
    pub changes: UserChanges,
    pub time: f64,
    /// The file in whose folder paths start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// Whether its paths name files that were dropped on the page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
}

/// A file that was dropped on the page.
#[derive(Clone, Debug)]
pub struct Dropped {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A binary message of the page.
#[derive(Clone, Debug)]
pub enum Incoming {
    State(Box<Saved>),
    File(Dropped),
}

impl Incoming {
    /// Parses a message. A message that is not ours ends the session; one that is ours but invalid gives an error.
    pub fn read(message: &[u8]) -> Result<Result<Self, Fault>, Refusal> {
        let sections = Sections::read(message)?;
        match sections.kind {
            STATE => Ok(Saved::read(&sections)?.map(|saved| Self::State(Box::new(saved)))),
            FILE => {
                let (name, bytes) = (sections.get(NAME)?, sections.get(CONTENT)?.to_vec());
                let name = String::from_utf8(name.to_vec());
                let name = name.map_err(|_| Refusal("the name of a file is not UTF-8".to_owned()))?;
                Ok(Ok(Self::File(Dropped { name, bytes })))
            }
            kind => Err(Refusal(format!("a binary message of kind {kind}; only states and files are taken"))),
        }
    }
}

impl Saved {
    pub fn of(source: &Source, dropped: bool, variant: &Variant) -> Self {
        let about = About {
            name: source.name.clone(),
            text: source.text.clone(),
            set: variant.set.clone(),
            changes: variant.changes.clone(),
            time: variant.built.state.time(),
            beside: source.file.clone(),
            dropped,
        };
        Self { state: variant.built.state.to_bytes(), about }
    }

    pub fn write(&self, number: usize) -> Vec<u8> {
        let mut writer = Writer::new(STATE, number, 0);
        writer.section(BYTES, &self.state);
        writer.section(ABOUT, &serde_json::to_vec(&self.about).unwrap_or_default());
        writer.finish()
    }

    fn read(sections: &Sections<'_>) -> Result<Result<Self, Fault>, Refusal> {
        let (state, about) = (sections.get(BYTES)?.to_vec(), sections.get(ABOUT)?);
        let about = serde_json::from_slice(about).map_err(|error| format!("not a saved state: {error}"));
        let checked = about.and_then(|about: About| about.check().map(|()| Self { state, about }));
        Ok(checked.map_err(Fault::from))
    }
}

impl About {
    /// Checks the contents: a file may contain anything, but may ask for no more than a page.
    fn check(&self) -> Result<(), String> {
        if self.text.len() > MAX_TEXT {
            return Err(format!("a scene of more than {MAX_TEXT} bytes"));
        }
        if self.set.len() > MAX_OVERRIDES {
            return Err(format!("more than {MAX_OVERRIDES} overrides"));
        }
        self.changes.check()
    }
}
