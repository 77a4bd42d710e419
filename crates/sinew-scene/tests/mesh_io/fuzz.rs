//! Random damage to valid files: every reader must return, soon, with a mesh that is sound or an error that names the file.
//!
//! Seeded, so that a failure can be repeated: the message names the sample and the round. With `SINEW_SOAK` it goes on for much longer.

use crate::encodings;
use crate::samples::{self, Files};
use sinew_scene::mesh_io::{self, MeshError, Orientation};
use std::path::Path;
use std::time::{Duration, Instant};

/// No file of a few kilobytes may keep a reader busy for longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// A small generator (xorshift), good enough to break things.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}

const HUGE: [&str; 6] = ["4294967295", "99999999999999", "18446744073709551615", "-1", "1e308", "NaN"];

/// One act of damage.
fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.roll(bytes.len());
    match dice.roll(8) {
        0 => bytes.truncate(at),
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << dice.roll(8);
            }
        }
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = dice.roll(256) as u8;
            }
        }
        // Counts and offsets of binary formats.
        3 => {
            let word = [0xFF, 0x7F, 0x00, 0x80][dice.roll(4)];
            let end = (at + [1, 2, 4, 8][dice.roll(4)]).min(bytes.len());
            bytes[at..end].fill(word);
        }
        // A number of a text format.
        4 => {
            let digits = |byte: &u8| byte.is_ascii_digit();
            if let Some(start) = bytes[at..].iter().position(digits).map(|k| at + k) {
                let end = start + bytes[start..].iter().take_while(|byte| digits(byte)).count();
                bytes.splice(start..end, HUGE[dice.roll(HUGE.len())].bytes());
            }
        }
        5 => {
            let end = (at + dice.roll(40)).min(bytes.len());
            bytes.drain(at..end);
        }
        6 => {
            let end = (at + dice.roll(40)).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            let to = dice.roll(bytes.len());
            bytes.splice(to..to, copy);
        }
        _ => {
            let other = dice.roll(bytes.len());
            if !bytes.is_empty() {
                bytes.swap(at, other);
            }
        }
    }
}

fn read(folder: &Path, files: &Files) -> Result<(), MeshError> {
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let last = files.last().unwrap().0;
    let mesh = mesh_io::read_file(&folder.join(last), Orientation::Positive)?.mesh;
    let count = mesh.points.len() as u32;
    assert!(mesh.tets.iter().flatten().chain(mesh.triangles.iter().flatten()).all(|&vertex| vertex < count));
    assert!(mesh.points.iter().all(|point| point.is_finite()));
    Ok(())
}

#[test]
fn random_damage_never_brings_a_reader_down() {
    let rounds = if std::env::var_os("SINEW_SOAK").is_some() { 20_000 } else { 150 };
    let mut all = samples::volume_samples();
    all.push(("obj", samples::obj()));
    all.extend(encodings::volume_samples());
    all.extend(encodings::surface_samples());
    let folder = tempfile::tempdir().unwrap();
    for (number, (name, files)) in all.into_iter().enumerate() {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ (number as u64 + 1));
        let mut refused = 0;
        for round in 0..rounds {
            let mut damaged = files.clone();
            for _ in 0..=dice.roll(3) {
                let file = dice.roll(damaged.len());
                damage(&mut damaged[file].1, &mut dice);
            }
            let start = Instant::now();
            if let Err(error) = read(folder.path(), &damaged) {
                refused += 1;
                let text = error.to_string();
                let names_file = text.contains(&folder.path().display().to_string());
                assert!(names_file, "{name}, round {round}: {text}");
            }
            assert!(start.elapsed() < PATIENCE, "{name}, round {round}: {:?}", start.elapsed());
        }
        assert!(refused > rounds / 10, "{name}: only {refused} of {rounds} were refused");
    }
}
