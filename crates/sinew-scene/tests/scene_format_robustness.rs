//! Whatever the text, the answer is a scene or an error with a place, never a panic.

use proptest::prelude::*;
use sinew_scene::format::{Override, parse};

const GOOD: &str = r#"title = "größe"
h = "1/60"
gravity = [0, -9.81, 0]
[solver]
kind = "newton"
iterations = 7
[material]
young = 1e5
poisson = 0.3
[[body]]
name = "block"
mesh.box = { size = [1, 2, 3], cells = [4, 5, 6], split = "six" }
[[body.pin]]
select.plane = { point = [0, 0, 0], normal = [1, 0, 0] }
[[body.attachment]]
select.indices = [0, 1]
stiffness = 100
motion = { keyframes = [{ time = 0, offset = [0, 0, 0] }, { time = 1, offset = [0, 1, 0] }] }
[[body]]
[body.mesh.inline]
points = [[0, 0, 0], [1, 0, 0]]
springs = [[0, 1]]
masses = [1, 2]
[[body.drag]]
point = [0, 0, 0]
stiffness = 3
stop = 1
[[body]]
mesh.chain = { bones = 2 }
[[body.bone]]
name = "bone 1"
kinematic = true
motion.spin = [0, 1, 0]
[[body]]
name = "weight"
rigid = { mass = 2, inertia = [1, 1, 1] }
[[joint]]
kind = "hinge"
between = ["bone 2", "weight"]
position = [0, 0, 0]
axis = [1, 0, 0]
range = [-3, 3]
[contact]
friction = { static = 0.5, kinetic = 0.4 }
[[collider]]
shape.stairs = { steps = 3, rise = 0.2, run = 0.3, width = 1 }
motion = { spin = [0, 1, 0], keyframes = [{ time = 0, rotate = { axis = [0, 1, 0], degrees = 3 } }] }
[wind]
velocity = [1, 0, 0]
gusts = { strength = 0.5, frequency = 1 }
[acceleration]
constant = [0, 1, 0]
[expect]
"energy.drift" = { max = 1e-3 }
energy.final.equals = 3
[camera]
eye = [0, 1, 5]
look_at = [0, 1, 0]
"#;

/// Pieces that are likely to hurt where they do not belong.
const PIECES: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "[[",
    "]]",
    "=",
    ".",
    ",",
    "\"",
    "'",
    "\n",
    "\t",
    "#",
    "nan",
    "-inf",
    "1e999",
    "-1",
    "0",
    "0x",
    "99999999999",
    "true",
    "é",
    "\u{feff}",
    "\r\n",
    "\u{0}",
    "a.b",
    "[body]",
    "[[body]]",
    "select",
    "all = true",
    "1979-05-27",
    "\"\"\"",
    "{}",
    "[]",
    "\"1/0\"",
    "kind = {}",
    "expect",
    "= [[[[[[[[[[",
];

#[derive(Clone, Debug)]
enum Mutation {
    Insert(usize, usize),
    Delete(usize, usize),
    Duplicate(usize, usize),
    SwapLines(usize, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let (at, other) = (0usize..2000, 0usize..60);
    prop_oneof![
        (at.clone(), 0..PIECES.len()).prop_map(|(a, p)| Mutation::Insert(a, p)),
        (at.clone(), other.clone()).prop_map(|(a, n)| Mutation::Delete(a, n)),
        (at, other.clone()).prop_map(|(a, n)| Mutation::Duplicate(a, n)),
        (other.clone(), other).prop_map(|(a, b)| Mutation::SwapLines(a, b)),
    ]
}

fn apply(text: &str, mutation: &Mutation) -> String {
    let chars: Vec<char> = text.chars().collect();
    let clamp = |at: usize| at % (chars.len() + 1);
    let part = |from: usize, to: usize| chars[from..to.min(chars.len())].iter().collect::<String>();
    match *mutation {
        Mutation::Insert(at, piece) => {
            let at = clamp(at);
            format!("{}{}{}", part(0, at), PIECES[piece], part(at, chars.len()))
        }
        Mutation::Delete(at, count) => {
            let at = clamp(at);
            format!("{}{}", part(0, at), part((at + count).min(chars.len()), chars.len()))
        }
        Mutation::Duplicate(at, count) => {
            let at = clamp(at);
            format!("{}{}", part(0, (at + count).min(chars.len())), part(at, chars.len()))
        }
        Mutation::SwapLines(a, b) => {
            let mut lines: Vec<&str> = text.lines().collect();
            let count = lines.len();
            if count > 0 {
                lines.swap(a % count, b % count);
            }
            lines.join("\n")
        }
    }
}

/// A scene or an error whose place lies in the text.
fn answered(text: &str, overrides: &[Override]) -> Result<(), TestCaseError> {
    if let Err(error) = parse(text, "m.toml", overrides) {
        let shown = error.to_string();
        prop_assert!(!error.message.is_empty());
        match error.line() {
            Some(line) => {
                let prefix = format!("m.toml:{line}:");
                prop_assert!(shown.starts_with(&prefix));
                prop_assert!(line <= text.split('\n').count(), "line {line} of:\n{text}");
                let length = text.split('\n').nth(line - 1).map_or(0, |l| l.chars().count());
                let inside = error.column().is_some_and(|column| (1..=length + 1).contains(&column));
                prop_assert!(inside, "{shown}\n{text}");
            }
            None => prop_assert!(shown.starts_with("--set ")),
        }
    }
    Ok(())
}

#[test]
fn the_scene_that_is_mutated_is_good() {
    parse(GOOD, "m.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn every_truncation_is_answered() {
    for (end, _) in GOOD.char_indices() {
        answered(&GOOD[..end], &[]).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn mutations_never_panic(mutations in prop::collection::vec(mutation(), 1..6)) {
        let text = mutations.iter().fold(GOOD.to_string(), |text, mutation| apply(&text, mutation));
        answered(&text, &[])?;
    }

    #[test]
    fn overrides_never_panic(
        keys in prop::collection::vec(
            prop::sample::select(vec!["body", "0", "1", "7", "mesh", "material", "expect", "energy", "drift",
                "\"energy.drift\"", "select", "pin", "solver", "kind", "h", "title", "box", "inline", "points", ""]),
            1..6),
        value in prop_oneof![prop::sample::select(PIECES).prop_map(str::to_string), any::<String>()],
    ) {
        match Override::parse(&format!("{}={value}", keys.join("."))) {
            Ok(set) => answered(GOOD, &[set])?,
            Err(error) => prop_assert!(error.to_string().starts_with("--set ")),
        }
    }

    #[test]
    fn any_text_is_answered(text in any::<String>(), argument in any::<String>()) {
        answered(&text, &[])?;
        match Override::parse(&argument) {
            Ok(set) => answered(GOOD, &[set])?,
            Err(error) => prop_assert!(error.to_string().starts_with("--set ")),
        }
    }
}
