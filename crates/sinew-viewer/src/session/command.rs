//! The commands of a page; `docs/viewer-protocol.md` describes them in words.

use super::Refusal;
use serde::Deserialize;
use sinew_scene::format::Expression;

/// Largest number of simulations at a time.
pub const MAX_VARIANTS: usize = 4;
/// Largest number of pointers that grab at the same time.
pub const POINTERS: usize = 8;
const MAX_STEPS: u32 = 1000;
const MAX_PINS: usize = 1000;
pub const MAX_OVERRIDES: usize = 100;
const MAX_QUESTIONS: usize = 32;
/// Bound on vertex and attachment numbers; no scene has as many.
const NUMBERS: u32 = 1_000_000;
/// Bound on positions, m, and speeds, m/s; nothing on a page exceeds it.
const FAR: f64 = 1e6;

/// A command of the page.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    Open {
        scene: Option<String>,
        file: Option<String>,
        text: Option<String>,
        mesh: Option<String>,
        name: Option<String>,
        beside: Option<String>,
        dropped: Option<bool>,
    },
    Accepts {
        sets: Vec<Vec<String>>,
    },
    Variants {
        variants: Vec<Wish>,
    },
    Set {
        set: Vec<String>,
        variant: Option<usize>,
    },
    Play {},
    Pause {},
    Step {
        count: Option<u32>,
    },
    Reset {},
    Speed {
        speed: Option<f64>,
    },
    Grab(Hold),
    Move {
        pointer: usize,
        target: [f64; 3],
    },
    Release {
        pointer: usize,
    },
    Pin {
        vertices: Vec<u32>,
        on: bool,
        #[serde(default)]
        variant: usize,
    },
    Target {
        attachment: usize,
        to: Option<[f64; 3]>,
        #[serde(default)]
        variant: usize,
    },
    Throw {
        from: [f64; 3],
        velocity: [f64; 3],
        radius: f64,
    },
    Wind {
        velocity: [f64; 3],
    },
    Face {
        expression: Option<Expression>,
    },
    Colour {
        by: Quantity,
    },
    Inside {
        on: bool,
    },
    Save {
        variant: Option<usize>,
    },
    Scenes {},
    Shown {
        frame: u32,
    },
}

/// The point that a pointer grabs; corners in the page's numbering of the view that was used.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Hold {
    pub pointer: usize,
    pub corners: [u32; 3],
    pub weights: [f64; 3],
    pub target: [f64; 3],
    pub stiffness: Option<f64>,
    #[serde(default)]
    pub variant: usize,
}

/// One of several simulations of a scene.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    pub label: String,
    pub set: Vec<String>,
}

/// The quantity that colours bodies.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    #[default]
    None,
    Energy,
    Stress,
    Speed,
    Correction,
}

impl Command {
    /// Parses a message and checks everything that needs no scene.
    pub fn parse(message: &str) -> Result<Self, Refusal> {
        let command: Self =
            serde_json::from_str(message).map_err(|error| Refusal(format!("not a command: {error}")))?;
        command.check().map_err(Refusal)?;
        Ok(command)
    }

    /// Its name in answers.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Open { .. } => "open",
            Self::Variants { .. } => "variants",
            Self::Set { .. } => "set",
            Self::Accepts { .. } => "accepts",
            Self::Play {} => "play",
            Self::Pause {} => "pause",
            Self::Step { .. } => "step",
            Self::Reset {} => "reset",
            Self::Speed { .. } => "speed",
            Self::Grab(_) => "grab",
            Self::Move { .. } => "move",
            Self::Release { .. } => "release",
            Self::Pin { .. } => "pin",
            Self::Target { .. } => "target",
            Self::Throw { .. } => "throw",
            Self::Wind { .. } => "wind",
            Self::Face { .. } => "face",
            Self::Colour { .. } => "colour",
            Self::Inside { .. } => "inside",
            Self::Save { .. } => "save",
            Self::Scenes {} => "scenes",
            Self::Shown { .. } => "shown",
        }
    }

    fn check(&self) -> Result<(), String> {
        let number = |what: &str, number: f64| within(what, number, 0.0, f64::from(NUMBERS));
        let variant = |number: usize| within("variant", number as f64, 0.0, (MAX_VARIANTS - 1) as f64);
        let pointer = |pointer: usize| within("pointer", pointer as f64, 0.0, (POINTERS - 1) as f64);
        let overrides =
            |set: &[String]| within("the number of overrides", set.len() as f64, 0.0, MAX_OVERRIDES as f64);
        match self {
            Self::Open { scene, file, text, mesh, name, beside, dropped } => {
                let given = [scene, file, text, mesh].iter().filter(|way| way.is_some()).count();
                let about = name.is_some() || beside.is_some() || dropped.is_some();
                if given != 1 || (about && text.is_none()) || (beside.is_some() && *dropped == Some(true)) {
                    let ways = "one of scene, file, mesh and text (with name, and beside or dropped)";
                    return Err(format!("open takes {ways}"));
                }
                match file.as_ref().or(beside.as_ref()) {
                    Some(path) if crate::library::is_hostile(path) => {
                        Err(format!("{path}: files outside of the served folder are not read"))
                    }
                    _ => Ok(()),
                }
            }
            Self::Variants { variants } => {
                within("the number of variants", variants.len() as f64, 1.0, MAX_VARIANTS as f64)?;
                variants.iter().try_for_each(|wish| overrides(&wish.set))
            }
            Self::Accepts { sets } => {
                within("the number of lists", sets.len() as f64, 0.0, MAX_QUESTIONS as f64)?;
                sets.iter().try_for_each(|set| overrides(set))
            }
            Self::Set { set, variant: only } => {
                variant(only.unwrap_or(0))?;
                overrides(set)
            }
            Self::Save { variant: Some(only) } => variant(*only),
            Self::Step { count: Some(count) } => {
                within("count", f64::from(*count), 1.0, f64::from(MAX_STEPS))
            }
            Self::Speed { speed: Some(speed) } => within("speed", *speed, 0.01, 100.0),
            Self::Grab(Hold { pointer: which, corners, weights, target, stiffness, variant: view }) => {
                pointer(*which)?;
                variant(*view)?;
                corners.iter().try_for_each(|&corner| number("a vertex", f64::from(corner)))?;
                weights.iter().try_for_each(|&weight| within("a weight", weight, -0.001, 1.001))?;
                within("the sum of the weights", weights.iter().sum(), 0.999, 1.001)?;
                within("stiffness", stiffness.unwrap_or(1.0), 1e-9, 1e12)?;
                place("target", target)
            }
            Self::Move { pointer: which, target } => pointer(*which).and_then(|()| place("target", target)),
            Self::Release { pointer: which } => pointer(*which),
            Self::Pin { vertices, variant: view, .. } => {
                variant(*view)?;
                within("the number of vertices", vertices.len() as f64, 0.0, MAX_PINS as f64)?;
                vertices.iter().try_for_each(|&vertex| number("a vertex", f64::from(vertex)))
            }
            Self::Target { attachment, to, variant: view } => {
                variant(*view)?;
                number("attachment", *attachment as f64)?;
                to.iter().try_for_each(|to| place("to", to))
            }
            Self::Throw { from, velocity, radius } => throwable(from, velocity, *radius),
            Self::Wind { velocity } => place("velocity", velocity),
            _ => Ok(()),
        }
    }
}

fn within(what: &str, value: f64, low: f64, high: f64) -> Result<(), String> {
    match value >= low && value <= high {
        true => Ok(()),
        false => Err(format!("{what} must be between {low} and {high}, is {value}")),
    }
}

/// Checks that a position or a velocity is within bounds.
pub fn place(what: &str, values: &[f64; 3]) -> Result<(), String> {
    values.iter().try_for_each(|&value| within(what, value, -FAR, FAR))
}

/// The same for a ball.
pub fn throwable(from: &[f64; 3], velocity: &[f64; 3], radius: f64) -> Result<(), String> {
    place("from", from)?;
    place("velocity", velocity)?;
    within("radius", radius, 1e-6, 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_command_is_refused_with_a_reason() {
        for (message, reason) in [
            ("", "not a command"),
            ("[]", "not a command"),
            ("{\"do\":\"dance\"}", "dance"),
            ("{\"do\":\"play\",\"loud\":true}", "loud"),
            ("{\"do\":\"move\",\"pointer\":0}", "target"),
            ("{\"do\":\"move\",\"pointer\":0,\"target\":[1,2]}", "length 3"),
            ("{\"do\":\"move\",\"pointer\":0,\"target\":[1,2,null]}", "null"),
            ("{\"do\":\"move\",\"pointer\":0,\"target\":[1,2,1e999]}", "out of range"),
            ("{\"do\":\"move\",\"pointer\":0,\"target\":[1,2,1e9]}", "target must be between"),
            ("{\"do\":\"move\",\"pointer\":8,\"target\":[1,2,3]}", "pointer must be between"),
            ("{\"do\":\"release\",\"pointer\":-1}", "-1"),
            ("{\"do\":\"speed\",\"speed\":0}", "speed must be between"),
            ("{\"do\":\"step\",\"count\":100000}", "count must be between"),
            ("{\"do\":\"variants\",\"variants\":[]}", "number of variants"),
            ("{\"do\":\"open\"}", "one of scene"),
            ("{\"do\":\"open\",\"file\":\"../a.toml\"}", "outside of the served folder"),
            ("{\"do\":\"open\",\"file\":\"/etc/passwd\"}", "outside of the served folder"),
            ("{\"do\":\"colour\",\"by\":\"mood\"}", "mood"),
        ] {
            let refused = Command::parse(message).unwrap_err();
            assert!(refused.0.contains(reason), "{message}: {refused}");
        }
    }

    #[test]
    fn commands_read_as_the_page_writes_them() {
        assert_eq!(Command::parse("{\"do\":\"play\"}").unwrap(), Command::Play {});
        assert_eq!(
            Command::parse("{\"do\":\"speed\",\"speed\":null}").unwrap(),
            Command::Speed { speed: None }
        );
        let grab = "{\"do\":\"grab\",\"pointer\":1,\"corners\":[1,2,3],\"weights\":[0.5,0.25,0.25],\"target\":[0,1,2]}";
        assert_eq!(Command::parse(grab).unwrap().name(), "grab");
    }
}
