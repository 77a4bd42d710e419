//! A simulation in a file: the scene, what was set and touched, and the state to the last bit.

use super::Refusal;
use super::sections::{Sections, Writer};
use super::touched::Touched;
use super::variant::Variant;
use crate::library::{MAX_TEXT, Source};
use serde::{Deserialize, Serialize};

const STATE: u8 = 3;
const BYTES: u32 = 30;
const ABOUT: u32 = 31;

/// What a page downloads and later sends back.
#[derive(Clone, Debug)]
pub struct Saved {
    pub state: Vec<u8>,
    pub about: About,
}

/// All that is needed to build the scene again.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub name: String,
    pub text: String,
    pub set: Vec<String>,
    pub touched: Touched,
    pub time: f64,
}

impl Saved {
    pub fn of(source: &Source, variant: &Variant) -> Self {
        let about = About {
            name: source.name.clone(),
            text: source.text.clone(),
            set: variant.set.clone(),
            touched: variant.touched.clone(),
            time: variant.built.state.time(),
        };
        Self { state: variant.built.state.to_bytes(), about }
    }

    pub fn write(&self, number: usize) -> Vec<u8> {
        let mut writer = Writer::new(STATE, number, 0);
        writer.section(BYTES, &self.state);
        writer.section(ABOUT, &serde_json::to_vec(&self.about).unwrap_or_default());
        writer.finish()
    }

    pub fn read(message: &[u8]) -> Result<Self, Refusal> {
        let sections = Sections::read(message)?;
        if sections.kind != STATE {
            return Err(Refusal(format!(
                "a binary message of kind {}; only states are taken",
                sections.kind
            )));
        }
        let wrong = |error: serde_json::Error| Refusal(format!("not a saved state: {error}"));
        let about: About = serde_json::from_slice(sections.get(ABOUT)?).map_err(wrong)?;
        if about.text.len() > MAX_TEXT {
            return Err(Refusal(format!("a scene of more than {MAX_TEXT} bytes")));
        }
        Ok(Self { state: sections.get(BYTES)?.to_vec(), about })
    }
}
