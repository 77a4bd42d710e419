//! Poses as text: a file with everything, or a list of contractions for the command line.
//!
//! ```text
//! sinew-face-pose 1
//! jaw 5 0 0 0 0                       opening and turn in degrees, translation in mm
//! a 0.8 0 0 1.1 0 1.1 NAME            xx xy xz yy yz zz of a muscle; others are at rest
//! ```

use super::activation::{Activation, PASSIVE};
use super::jaw::Jaw;
use super::model::Face;
use crate::error::FaceError;
use glam::DVec3;
use std::fmt::Write;
use std::path::Path;

/// Activations of all muscles, and the jaw.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Activations, one for each muscle.
    pub activations: Vec<Activation>,
    /// The jaw.
    pub jaw: Jaw,
}

const FIRST: &str = "sinew-face-pose 1";

impl Expression {
    /// Everything at rest.
    pub fn rest(face: &Face) -> Self {
        Self { activations: face.passive(), jaw: Jaw::default() }
    }

    /// Of `NAME=LENGTH,…`, where LENGTH is the length of contracted fibres over that at rest. A name without a side means both sides.
    ///
    /// # Errors
    /// [`FaceError::Anatomy`] says what cannot be read, or lists the muscles.
    pub fn parse(face: &Face, list: &str) -> Result<Self, FaceError> {
        let mut expression = Self::rest(face);
        for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let refuse = || {
                FaceError::Anatomy(format!(
                    "`{part}` is no contraction: write MUSCLE=LENGTH with a length from 0.25 to 3, such as `frontalis=0.7`"
                ))
            };
            let (name, length) = part.split_once('=').ok_or_else(refuse)?;
            let length: f64 = length.trim().parse().map_err(|_| refuse())?;
            if !(0.25..=3.0).contains(&length) {
                return Err(refuse());
            }
            let name = name.trim();
            let matching = matching(face, name);
            if matching.is_empty() {
                face.muscle(name)?;
            }
            for j in matching {
                expression.activations[j] = face.muscles[j].contracted(length);
            }
        }
        Ok(expression)
    }

    /// Of expressions by name, `smile=1,jawOpen=0.5`, as scenes show them: lengths of fibres multiply, movements of the jaw add up.
    ///
    /// # Errors
    /// [`FaceError::Anatomy`] lists the names.
    pub fn named(face: &Face, list: &str) -> Result<Self, FaceError> {
        let mut lengths = vec![1.0; face.muscles.len()];
        let mut jaw = [0.0; 5];
        for (name, strength) in super::shapes::weights(list)? {
            let Some(named) = sinew_scene::face::named(&name) else {
                let all = sinew_scene::face::NAMES.join(", ");
                return Err(FaceError::Anatomy(format!("there is no expression `{name}`; there are {all}")));
            };
            for &(muscle, length) in named.lengths {
                for j in matching(face, muscle) {
                    lengths[j] *= 1.0 - strength * (1.0 - length);
                }
            }
            jaw.iter_mut().zip(named.jaw).for_each(|(sum, value)| *sum += strength * value);
        }
        let contracted = |(muscle, length): (&super::Muscle, f64)| match length {
            1.0 => PASSIVE,
            _ => super::clamped(&muscle.contracted(length)),
        };
        Ok(Self {
            activations: face.muscles.iter().zip(lengths).map(contracted).collect(),
            jaw: jaw_of(&jaw),
        })
    }

    /// Between this (0) and another (1) \[dinev2020, Fig. 4.5\]. Activations are matrices with eigenvalues in a convex range, and so is what is between them.
    #[must_use]
    pub fn towards(&self, other: &Self, t: f64) -> Self {
        let mix = |a: f64, b: f64| a + t * (b - a);
        let activations = (self.activations.iter().zip(&other.activations))
            .map(|(a, b)| std::array::from_fn(|k| mix(a[k], b[k])))
            .collect();
        let (a, b) = (self.jaw.lengths(), other.jaw.lengths());
        Self { activations, jaw: Jaw::from_lengths(std::array::from_fn(|k| mix(a[k], b[k]))) }
    }

    /// The text of a file.
    pub fn to_text(&self, face: &Face) -> String {
        let Jaw { open, turn, shift } = self.jaw;
        let t = 1e3 * shift;
        let mut out =
            format!("{FIRST}\njaw {} {} {} {} {}\n", open.to_degrees(), turn.to_degrees(), t.x, t.y, t.z);
        for (a, muscle) in self.activations.iter().zip(&face.muscles).filter(|(a, _)| **a != PASSIVE) {
            let numbers: Vec<String> = a.iter().map(f64::to_string).collect();
            let _ = writeln!(out, "a {} {}", numbers.join(" "), muscle.name);
        }
        out
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`FaceError`] with the line that cannot be read.
    pub fn load(face: &Face, path: &Path) -> Result<Self, FaceError> {
        let text = sinew_scene::input::read_text(path).map_err(FaceError::io(path))?;
        let mut lines = text.lines();
        if lines.next() != Some(FIRST) {
            return Err(FaceError::file(path, "this is no pose of a face of version 1"));
        }
        let mut expression = Self::rest(face);
        for (number, line) in lines.enumerate() {
            let refuse = || FaceError::file(path, format!("line {}: `{line}` cannot be read", number + 2));
            let mut words = line.split_whitespace();
            let kind = words.next();
            let mut numbers = |n: usize| -> Option<Vec<f64>> {
                (0..n).map(|_| words.next()?.parse().ok().filter(|v: &f64| v.is_finite())).collect()
            };
            match kind {
                Some("jaw") => {
                    let v = numbers(5).ok_or_else(refuse)?;
                    expression.jaw = jaw_of(&v);
                }
                Some("a") => {
                    let v = numbers(6).ok_or_else(refuse)?;
                    let name = words.collect::<Vec<_>>().join(" ");
                    let j = face.muscle(&name)?;
                    expression.activations[j] = super::clamped(&[v[0], v[1], v[2], v[3], v[4], v[5]]);
                }
                Some(_) => return Err(refuse()),
                None => {}
            }
        }
        Ok(expression)
    }
}

/// The muscles of a name; without a side it means both.
fn matching(face: &Face, name: &str) -> Vec<usize> {
    let is = |own: &str| {
        own == name || own.strip_prefix("left ") == Some(name) || own.strip_prefix("right ") == Some(name)
    };
    (0..face.muscles.len()).filter(|&j| is(&face.muscles[j].name)).collect()
}

/// Degrees and millimetres: opening, turn, translation.
pub fn jaw_of(v: &[f64]) -> Jaw {
    let at = |k: usize| v.get(k).copied().unwrap_or(0.0);
    Jaw { open: at(0).to_radians(), turn: at(1).to_radians(), shift: 1e-3 * DVec3::new(at(2), at(3), at(4)) }
}
