//! Landmarks: places of the skin with names, and pairs of them with places of a scan.
//!
//! ```text
//! # a name of the face, or a place of it in metres = a vertex of the scan, from 0, or a place in its unit
//! nose tip = 4857
//! left mouth corner = 2.21 -3.49 10.13
//! 0.0 0.12 -0.02 = 10527
//! ```

use super::model::Face;
use glam::DVec3;
use std::collections::BTreeMap;

/// A place of the skin with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Landmark {
    /// Its name.
    pub name: String,
    /// Where it is, m.
    pub point: DVec3,
}

/// A landmark of the built-in head: its name and its place in the coordinates in which the head is described.
type Described = (&'static str, [f64; 3]);

/// Landmarks in the middle.
pub(super) const MIDDLE: &[Described] = &[
    ("crown", [0.0, 0.62, -0.05]),
    ("back of head", [0.0, 0.22, -0.47]),
    ("nape", [0.0, -0.37, -0.29]),
    ("throat", [0.0, -0.55, 0.14]),
    ("upper forehead", [0.0, 0.42, 0.36]),
    ("forehead", [0.0, 0.31, 0.40]),
    ("nose root", [0.0, 0.13, 0.42]),
    ("nose bridge", [0.0, 0.045, 0.48]),
    ("nose tip", [0.0, -0.05, 0.545]),
    ("nose base", [0.0, -0.115, 0.46]),
    ("upper lip", [0.0, -0.155, 0.45]),
    ("lips", [0.0, -0.2075, 0.44]),
    ("lower lip", [0.0, -0.262, 0.44]),
    ("chin front", [0.0, -0.37, 0.43]),
    ("chin", [0.0, -0.435, 0.39]),
];

/// Landmarks of both sides, on the left.
pub(super) const SIDES: &[Described] = &[
    ("side of head", [0.36, 0.22, -0.06]),
    ("temple", [0.33, 0.11, 0.11]),
    ("cheek side", [0.31, -0.09, 0.15]),
    ("jaw angle", [0.25, -0.27, 0.10]),
    ("jaw body", [0.135, -0.40, 0.25]),
    ("eye outer corner", [0.18, 0.10, 0.40]),
    ("eye inner corner", [0.072, 0.10, 0.42]),
    ("upper eyelid", [0.117, 0.140, 0.45]),
    ("lower eyelid", [0.117, 0.070, 0.45]),
    ("brow inner end", [0.05, 0.215, 0.43]),
    ("brow", [0.125, 0.225, 0.40]),
    ("brow outer end", [0.205, 0.195, 0.34]),
    ("nose wing", [0.06, -0.10, 0.44]),
    ("mouth corner", [0.078, -0.209, 0.42]),
    ("upper lip side", [0.055, -0.168, 0.435]),
    ("lips side", [0.038, -0.2075, 0.435]),
    ("lower lip side", [0.052, -0.255, 0.43]),
];

/// A landmark of the face and its place on the scan.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Its name.
    pub name: String,
    /// Its place on the face, m.
    pub from: DVec3,
    /// Its place on the scan, m.
    pub to: DVec3,
}

/// Reads pairs of landmarks; `unit` is the length of a unit of the scan, m.
///
/// # Errors
/// What cannot be read, with the number of the line.
pub fn parse_pairs(text: &str, face: &Face, scan: &[DVec3], unit: f64) -> Result<Vec<Pair>, String> {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (left, right) = line
            .split_once('=')
            .ok_or_else(|| format!("line {number}: a pair is `LANDMARK = VERTEX` or `LANDMARK = X Y Z`"))?;
        let name = left.split_whitespace().collect::<Vec<_>>().join(" ");
        let from = match numbers(left) {
            Some(place) => place,
            None => named(face, &name).map_err(|what| format!("line {number}: {what}"))?,
        };
        let to = match (right.trim().parse::<usize>(), numbers(right)) {
            (Ok(vertex), _) => *scan.get(vertex).ok_or_else(|| {
                format!("line {number}: there is no vertex {vertex}: the scan has {}", scan.len())
            })?,
            (_, Some(place)) => unit * place,
            _ => {
                return Err(format!(
                    "line {number}: `{}` is neither a vertex nor three coordinates",
                    right.trim()
                ));
            }
        };
        if let Some(before) = lines.insert(name.clone(), number) {
            return Err(format!("line {number}: `{name}` was paired in line {before}"));
        }
        if let Some(other) = pairs.iter().find(|pair| pair.to == to || pair.from == from) {
            return Err(format!("line {number}: `{name}` and `{}` are in the same place", other.name));
        }
        pairs.push(Pair { name, from, to });
    }
    Ok(pairs)
}

fn named(face: &Face, name: &str) -> Result<DVec3, String> {
    if let Some(found) = face.landmarks.iter().find(|mark| mark.name == name) {
        return Ok(found.point);
    }
    let names: Vec<&str> = face.landmarks.iter().map(|mark| mark.name.as_str()).collect();
    Err(match names.is_empty() {
        true => {
            format!("`{name}` is no place: the face has no landmarks with names, so give three coordinates")
        }
        false => format!("there is no landmark `{name}`; there are {}", names.join(", ")),
    })
}

/// Three numbers.
fn numbers(text: &str) -> Option<DVec3> {
    let all: Option<Vec<f64>> =
        text.split_whitespace().map(|word| word.parse().ok().filter(|v: &f64| v.is_finite())).collect();
    all.filter(|list| list.len() == 3).map(|list| DVec3::from_slice(&list))
}
