//! What it costs to be watched: the same body of 5 000 vertices stepped as fast as possible, alone and with a page that is sent 30 frames
//! a second over a WebSocket, in turn. Prints the median time of a step and of everything between two steps.
//!
//! ```sh
//! cargo run --release -p sinew-viewer --example overhead
//! ```
#![forbid(unsafe_code)]

use serde_json::{Value, json};
use sinew_scene::build::{Audience, build_for};
use sinew_scene::format::parse;
use sinew_scene::run::{Clock, Meter, milliseconds};
use sinew_viewer::server::{Options, Server};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tungstenite::Message;

const SCENE: &str = "gravity = [0, -9.81, 0]\ncorrection.kind = \"fepr\"\n\
    material = { young = 2e5, poisson = 0.4, density = 1000 }\n\
    [[body]]\nmesh.box = { size = [1, 1, 1], cells = [16, 16, 16] }\ninitial.velocity = [0, 0, 1]\n\
    [[body.pin]]\nselect.plane = { point = [0, -0.5, 0], normal = [0, 1, 0] }\n";
const ROUNDS: usize = 9;
const STEPS: usize = 90;
const FRAME: Duration = Duration::from_micros(33_333);

/// Milliseconds a step: inside the engine (median) and all in all.
#[derive(Clone, Copy)]
struct Cost {
    step: f64,
    whole: f64,
    frames_per_second: f64,
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let stop = Arc::new(AtomicBool::new(false));
    let server = Server::bind(Options::default())?;
    let address = server.address();
    let stopped = stop.clone();
    let serving = std::thread::spawn(move || server.run(move || stopped.load(Ordering::Relaxed)));
    let (mut alone, mut watched) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let turns = if round % 2 == 0 { [true, false] } else { [false, true] };
        for bare in turns {
            if bare {
                alone.push(pool.install(step_alone)?);
            } else {
                watched.push(step_watched(&address)?);
            }
        }
    }
    stop.store(true, Ordering::Relaxed);
    serving.join().map_err(|_| "the server failed")??;
    println!("ms, median of {ROUNDS} rounds of {STEPS} steps (lowest to highest); {threads} threads");
    let show = |name: &str, costs: &[Cost], of: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        let middle = values[values.len() / 2];
        println!("{name:32} {middle:8.3}  ({:.3} to {:.3})", values[0], values[values.len() - 1]);
        middle
    };
    let bare = show("step, alone", &alone, |c| c.step);
    let seen = show("step, watched", &watched, |c| c.step);
    let bare_whole = show("step and books, alone", &alone, |c| c.whole);
    let seen_whole = show("step, books and frames, watched", &watched, |c| c.whole);
    show("frames a second", &watched, |c| c.frames_per_second);
    println!("ratio of steps {:.3}, of everything {:.3}", seen / bare, seen_whole / bare_whole);
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn step_alone() -> Result<Cost, Box<dyn Error + Send + Sync>> {
    let parsed = parse(SCENE, "block.toml", &[])?;
    let mut built = build_for(&parsed, Path::new(""), Audience::Interactive { most: 10_000 })?;
    let mut meter = Meter::new(built.model(), &built.state);
    let begin = Instant::now();
    let mut times = Vec::new();
    for _ in 0..STEPS {
        let mut clock = Clock::start(milliseconds);
        let report = built.step(|_| Ok(()), &mut |phase| clock.enter(phase))?;
        let frame = built.settings().h;
        let row = meter.row(built.model(), &built.state, &report, clock.times(), frame);
        times.push(row.times.step);
    }
    let whole = begin.elapsed().as_secs_f64() * 1e3 / STEPS as f64;
    Ok(Cost { step: median(times), whole, frames_per_second: 0.0 })
}

fn step_watched(address: &str) -> Result<Cost, Box<dyn Error + Send + Sync>> {
    let live = address.replace("http://", "ws://").replace("/?", "/live?");
    let (mut socket, _) = tungstenite::connect(live)?;
    for command in [
        json!({ "do": "open", "text": SCENE }),
        json!({ "do": "speed", "speed": null }),
        json!({ "do": "play" }),
    ] {
        socket.send(Message::text(command.to_string()))?;
    }
    let (mut columns, mut times, mut frames) = (Vec::new(), Vec::new(), 0);
    let mut first: Option<(Instant, f64)> = None;
    let mut answered = Instant::now();
    loop {
        let message = match socket.read()? {
            Message::Text(text) => {
                let event: Value = serde_json::from_str(&text)?;
                if event["event"] == "scene" {
                    columns = event["columns"].as_array().cloned().unwrap_or_default();
                }
                continue;
            }
            Message::Binary(bytes) if bytes[0] == 1 => bytes,
            _ => continue,
        };
        let steps = f64::from_le_bytes(message[24..32].try_into()?);
        let (begin, start) = *first.get_or_insert((Instant::now(), steps));
        if let Some(rows) = section(&message, 10) {
            let place = columns.iter().position(|c| c == "ms.step").ok_or("no column of steps")?;
            let rows: Vec<f64> =
                rows.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap_or_default())).collect();
            times.extend(rows.chunks(columns.len()).map(|row| row[place]).filter(|&ms| ms > 0.0));
        }
        if steps - start >= STEPS as f64 {
            let whole = begin.elapsed().as_secs_f64();
            let _ = socket.close(None);
            return Ok(Cost {
                step: median(times),
                whole: whole * 1e3 / (steps - start),
                frames_per_second: f64::from(frames) / whole,
            });
        }
        frames += 1;
        // A page draws thirty times a second.
        std::thread::sleep(FRAME.saturating_sub(answered.elapsed()));
        answered = Instant::now();
        let number = u32::from_le_bytes(message[4..8].try_into()?);
        socket.send(Message::text(json!({ "do": "shown", "frame": number }).to_string()))?;
    }
}

/// The payload of a section of a binary message.
fn section(message: &[u8], tag: u32) -> Option<&[u8]> {
    let mut at = 8;
    while at + 8 <= message.len() {
        let word = |at: usize| u32::from_le_bytes(message[at..at + 4].try_into().unwrap_or_default());
        let length = word(at + 4) as usize;
        if word(at) == tag {
            return message.get(at + 8..at + 8 + length);
        }
        at += 8 + length.next_multiple_of(8);
    }
    None
}
