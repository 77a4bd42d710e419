//! Messages that are not what the protocol says end their connection, with a reason, and no other.

use super::page::Heard;
use super::{Serving, with_others};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::Message;

/// A page that simulates all the while.
struct Healthy {
    steps: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Healthy {
    fn new(serving: &Serving) -> Self {
        let mut page = serving.page();
        page.open("tetrahedron");
        page.say(json!({"do": "speed", "speed": 1.0}));
        page.say(json!({"do": "play"}));
        let (steps, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (made, end) = (steps.clone(), stop.clone());
        let thread = std::thread::spawn(move || {
            while !end.load(Ordering::SeqCst) {
                let least = made.load(Ordering::SeqCst) as f64 + 1.0;
                made.store(page.until_steps(least) as u64, Ordering::SeqCst);
            }
        });
        Self { steps, stop, thread }
    }

    /// It has made steps since it was last asked.
    fn goes_on(&self, after: &str) {
        let before = self.steps.load(Ordering::SeqCst);
        let begin = Instant::now();
        while self.steps.load(Ordering::SeqCst) == before {
            assert!(begin.elapsed() < Duration::from_secs(20), "after {after} the other page stands still");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn end(self) {
        self.stop.store(true, Ordering::SeqCst);
        self.thread.join().unwrap();
    }
}

fn text(message: &str) -> Message {
    Message::text(message.to_owned())
}

/// Header and sections, whatever they claim.
fn binary(kind: u8, sections: u16, rest: &[u8]) -> Message {
    let mut bytes = vec![kind, 0];
    bytes.extend(sections.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(rest);
    Message::binary(bytes)
}

/// Not what the protocol says: the code that the connection is closed with.
fn broken() -> Vec<(&'static str, Message, u16)> {
    let grab = |key: &str, value: Value| {
        let mut command = json!({"do": "grab", "pointer": 0, "corners": [0, 1, 2], "weights": [1, 0, 0], "target": [0, 0, 0]});
        command[key] = value;
        text(&command.to_string())
    };
    let many: Vec<u32> = vec![0; 1001];
    let mut variants = json!({"do": "variants", "variants": []});
    let none = text(&variants.to_string());
    variants["variants"] = vec![json!({"label": "a", "set": []}); 99].into();
    vec![
        ("an empty message", text(""), 1008),
        ("bad JSON", text("{\"do\": \"play\""), 1008),
        ("not an object", text("[1, 2]"), 1008),
        ("a string", text("\"play\""), 1008),
        ("no command", text("{}"), 1008),
        ("an unknown command", text(r#"{"do": "explode"}"#), 1008),
        ("a missing key", text(r#"{"do": "move", "pointer": 0}"#), 1008),
        ("a wrong type", text(r#"{"do": "pin", "vertices": "all", "on": true}"#), 1008),
        ("a drag to infinity", text(r#"{"do": "move", "pointer": 0, "target": [1e999, 0, 0]}"#), 1008),
        ("a drag to nowhere", grab("target", json!([null, 0, 0])), 1008),
        ("a drag in two dimensions", grab("target", json!([0, 0])), 1008),
        ("a huge vertex", grab("corners", json!([4_000_000_000_u32, 0, 0])), 1008),
        ("a negative pointer", grab("pointer", json!(-1)), 1008),
        ("pointer 99", grab("pointer", json!(99)), 1008),
        ("2 MiB of text", text(&format!("\"{}\"", "a".repeat(2 << 20))), 1009),
        ("too many pins", text(&json!({"do": "pin", "vertices": many, "on": true}).to_string()), 1008),
        ("no variants", none, 1008),
        ("99 variants", text(&variants.to_string()), 1008),
        ("an absurd speed", text(r#"{"do": "speed", "speed": 1e30}"#), 1008),
        ("a negative speed", text(r#"{"do": "speed", "speed": -1}"#), 1008),
        ("too many steps", text(r#"{"do": "step", "count": 100000}"#), 1008),
        ("deep nesting", text(&"[".repeat(100_000)), 1008),
        ("an empty binary message", Message::binary(Vec::new()), 1008),
        ("half a header", Message::binary(vec![3, 0, 1]), 1008),
        ("a wrong kind", binary(77, 0, &[]), 1008),
        ("a section longer than the message", binary(3, 1, &[30, 0, 0, 0, 255, 255, 255, 127]), 1008),
        ("more sections than there are", binary(3, 65_535, &[30, 0, 0, 0, 0, 0, 0, 0]), 1008),
    ]
}

#[test]
fn a_broken_message_ends_its_connection_and_no_other() {
    let _others = with_others();
    let serving = Serving::new();
    let healthy = Healthy::new(&serving);
    for (what, message, code) in broken() {
        let mut page = serving.page();
        page.open("tetrahedron");
        page.socket.send(message).unwrap();
        let (found, reason) = page.until_closed();
        assert_eq!(found, code, "{what}: {reason}");
        assert!(!reason.is_empty() && !reason.contains("mistake in the engine"), "{what}: {reason}");
        healthy.goes_on(what);
    }
    healthy.end();
}

/// Well formed but impossible, or out of bounds for another reason: told so, quickly, by `error` or by closing.
#[test]
fn what_cannot_be_met_is_said_quickly() {
    let _others = with_others();
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("served");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(parent.path().join("secret.toml"), "# very secret\n").unwrap();
    let serving = Serving::with_folder(&folder);
    let healthy = Healthy::new(&serving);
    let outside = parent.path().join("secret.toml");
    let body = "[material]\nyoung = 1e4\npoisson = 0.3\ndensity = 1000\n[[body]]\n";
    let huge = format!("{body}mesh.box = {{ size = [1, 1, 1], cells = [1000, 1000, 1000] }}\n");
    let large = format!("{body}mesh.box = {{ size = [1, 1, 1], cells = [80, 80, 80] }}\n");
    let reads = format!("{body}mesh.file = \"{}\"\n", outside.display());
    for (what, command) in [
        ("a folder above", json!({"do": "open", "file": "../secret.toml"})),
        ("an absolute path", json!({"do": "open", "file": outside.to_str()})),
        ("a hidden way up", json!({"do": "open", "file": "a/../../secret.toml"})),
        ("a system's file", json!({"do": "open", "file": "/etc/passwd"})),
        ("no such file", json!({"do": "open", "file": "nothing.toml"})),
        ("no such scene", json!({"do": "open", "scene": "nothing"})),
        ("10⁹ cells", json!({"do": "open", "text": huge})),
        ("more vertices than allowed", json!({"do": "open", "text": large})),
        ("a mesh from outside", json!({"do": "open", "text": reads})),
        ("no scene at all", json!({"do": "open", "text": "frames = "})),
        ("an unknown key", json!({"do": "set", "set": ["nothing.at.all=1"]})),
        ("no value", json!({"do": "set", "set": ["h=0"]})),
    ] {
        let mut page = serving.page();
        page.open("tetrahedron");
        let begin = Instant::now();
        page.say(command);
        let answer = loop {
            match page.hear() {
                Heard::Event(event) if event["event"] == "error" => break event["message"].to_string(),
                Heard::Event(event) => assert_ne!(event["event"], "opened", "{what}: {event}"),
                Heard::Closed { code, reason } => {
                    assert_eq!(code, 1008, "{what}: {reason}");
                    break reason;
                }
                _ => {}
            }
        };
        assert!(begin.elapsed() < Duration::from_secs(5), "{what} took {:?}", begin.elapsed());
        assert!(!answer.is_empty() && !answer.contains("very secret"), "{what}: {answer}");
        healthy.goes_on(what);
    }
    healthy.end();
}

#[test]
fn a_message_beyond_all_limits_is_not_even_read() {
    let _others = with_others();
    let serving = Serving::new();
    let mut page = serving.page();
    // The header of a frame of 65 MiB says it all.
    let mut header = vec![0x82, 0x80 | 127];
    header.extend(((65_u64) << 20).to_be_bytes());
    header.extend([0; 4 + 1000]);
    std::io::Write::write_all(page.socket.get_mut(), &header).unwrap();
    let (code, reason) = page.until_closed();
    assert_eq!(code, 1009, "{reason}");
    assert!(reason.contains("64 MiB"), "{reason}");
}

/// Commands as fast as they can be sent: they are taken one after the other, and steps are made in between.
#[test]
fn a_flood_of_commands_does_not_stop_the_steps() {
    let _others = with_others();
    let serving = Serving::new();
    let healthy = Healthy::new(&serving);
    let mut page = serving.page();
    page.open("tetrahedron");
    page.say(json!({"do": "play"}));
    let steps = page.until_steps(1.0);
    for count in 0..20_000 {
        page.say(json!({"do": "wind", "velocity": [0.0, 0.0, f64::from(count % 2) * 1e-9]}));
    }
    page.until_steps(steps + 5.0);
    healthy.goes_on("a flood");
    healthy.end();
}
