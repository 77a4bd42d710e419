//! The text of a face: see [`super`].

use super::{FaceFile, Hold, Muscle};
use glam::DVec3;
use sinew::Lame;
use std::fmt::Write;
use std::str::{FromStr, SplitWhitespace};

const FIRST: &str = "sinew-face";
const VERSION: u32 = 1;

impl FaceFile {
    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut out = format!("{FIRST} {VERSION}\nlame {} {}\n", self.lame.mu, self.lame.lambda);
        let three = |p: &DVec3| format!("{} {} {}", p.x, p.y, p.z);
        let _ = writeln!(out, "hinge {}", three(&self.hinge));
        for m in &self.muscles {
            let _ = writeln!(
                out,
                "muscle {} {} {}",
                if m.ring { "ring" } else { "fibre" },
                three(&m.axis),
                m.name
            );
        }
        for (p, hold) in self.points.iter().zip(&self.holds) {
            let hold = match hold {
                Hold::Free => "free",
                Hold::Skull => "skull",
                Hold::Jaw => "jaw",
            };
            let _ = writeln!(out, "v {} {hold}", three(p));
        }
        for [a, b, c, d] in &self.tets {
            let _ = writeln!(out, "t {a} {b} {c} {d}");
        }
        for row in &self.rows {
            out.push('s');
            for (column, weight) in row {
                let _ = write!(out, " {column} {weight}");
            }
            out.push('\n');
        }
        for (k, [a, b, c]) in self.surface.iter().enumerate() {
            let _ = writeln!(out, "f {a} {b} {c} {}", if k < self.skin { "skin" } else { "mouth" });
        }
        out.push_str("scanned");
        self.scanned.iter().for_each(|v| {
            let _ = write!(out, " {v}");
        });
        out.push('\n');
        for (name, point) in &self.landmarks {
            let _ = writeln!(out, "landmark {} {name}", three(point));
        }
        if self.built_in {
            out.push_str("head built-in\n");
        }
        out
    }

    /// The face of a text; the error is a sentence without the file's name.
    ///
    /// # Errors
    /// What is wrong, with the number of the line.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate();
        let mut first = lines.next().map_or("", |(_, line)| line).split_whitespace();
        if first.next() != Some(FIRST) {
            return Err("this is no face: it does not begin with `sinew-face`".into());
        }
        match first.next().and_then(|v| v.parse::<u32>().ok()) {
            Some(VERSION) => {}
            Some(v) => return Err(format!("the face has version {v}; this program reads version {VERSION}")),
            None => return Err("the face has no version".into()),
        }
        let mut face = Self {
            points: Vec::new(),
            holds: Vec::new(),
            tets: Vec::new(),
            muscles: Vec::new(),
            rows: Vec::new(),
            hinge: DVec3::ZERO,
            surface: Vec::new(),
            skin: 0,
            scanned: Vec::new(),
            landmarks: Vec::new(),
            lame: Lame { mu: 0.0, lambda: 0.0 },
            built_in: false,
        };
        for (number, line) in lines {
            let mut words = line.split_whitespace();
            let Some(word) = words.next() else { continue };
            face.line(word, words)
                .ok_or_else(|| format!("line {}: `{}` cannot be read", number + 1, short(line)))?;
        }
        face.check()?;
        Ok(face)
    }

    fn line(&mut self, word: &str, mut words: SplitWhitespace<'_>) -> Option<()> {
        match word {
            "lame" => self.lame = Lame { mu: real(&mut words)?, lambda: real(&mut words)? },
            "hinge" => self.hinge = three(&mut words)?,
            "muscle" => {
                let ring = match words.next()? {
                    "ring" => true,
                    "fibre" => false,
                    _ => return None,
                };
                let given = three(&mut words)?;
                // What was written as a unit vector comes back to the last bit.
                let unit = (given.length_squared() - 1.0).abs() < 1e-12;
                let axis = if unit { given } else { given.try_normalize()? };
                self.muscles.push(Muscle { ring, axis, name: words.collect::<Vec<_>>().join(" ") });
            }
            "v" => {
                self.points.push(three(&mut words)?);
                self.holds.push(match words.next()? {
                    "free" => Hold::Free,
                    "skull" => Hold::Skull,
                    "jaw" => Hold::Jaw,
                    _ => return None,
                });
            }
            "t" => self.tets.push([
                whole(&mut words)?,
                whole(&mut words)?,
                whole(&mut words)?,
                whole(&mut words)?,
            ]),
            "s" => {
                let mut row = Vec::new();
                while let Some(column) = words.next() {
                    row.push((column.parse().ok()?, real(&mut words)?));
                }
                self.rows.push(row);
            }
            "f" => {
                self.surface.push([whole(&mut words)?, whole(&mut words)?, whole(&mut words)?]);
                match words.next()? {
                    "skin" if self.skin + 1 == self.surface.len() => self.skin += 1,
                    "mouth" => {}
                    _ => return None,
                }
            }
            "scanned" => {
                for word in words {
                    self.scanned.push(word.parse().ok()?);
                }
            }
            "landmark" => {
                let point = three(&mut words)?;
                self.landmarks.push((words.collect::<Vec<_>>().join(" "), point));
            }
            "head" if words.next()? == "built-in" => self.built_in = true,
            _ => return None,
        }
        Some(())
    }

    fn check(&self) -> Result<(), String> {
        let rows = &self.rows;
        let n = self.points.len() as u32;
        let all = self.tets.iter().flatten().chain(self.surface.iter().flatten()).chain(&self.scanned);
        if let Some(v) = all.copied().find(|v| *v >= n) {
            return Err(format!("vertex {v} is used, but there are only {n}"));
        }
        let free = |v: &u32| self.holds[*v as usize] == Hold::Free;
        let elements = self.tets.iter().take_while(|tet| tet.iter().any(free)).count();
        if elements != rows.len() || self.tets[elements..].iter().any(|tet| tet.iter().any(free)) {
            return Err(format!(
                "{} rows of S for {elements} tetrahedra with a free vertex, which must come first",
                rows.len()
            ));
        }
        let columns = self.muscles.len() as u32;
        for (i, row) in rows.iter().enumerate() {
            let sum: f64 = row.iter().map(|(_, w)| w).sum();
            let mut names: Vec<u32> = row.iter().map(|(column, _)| *column).collect();
            names.sort_unstable();
            names.dedup();
            if names.len() != row.len() || names.iter().any(|c| *c > columns) {
                return Err(format!("row {i} of S names a muscle twice, or one that does not exist"));
            }
            if !((sum - 1.0).abs() < 1e-9 && row.iter().all(|(_, w)| *w >= 0.0)) {
                return Err(format!(
                    "row {i} of S is not on the simplex: its weights must not be negative, and their sum is {sum}"
                ));
            }
        }
        if !self.holds.contains(&Hold::Jaw) {
            return Err("the face has no jaw: no vertex is held by it".into());
        }
        if self.muscles.is_empty() {
            return Err("the face has no muscles".into());
        }
        if !(self.lame.mu > 0.0 && self.lame.lambda >= 0.0) {
            return Err("the line `lame MU LAMBDA` is missing, or not positive".into());
        }
        Ok(())
    }
}

fn real(words: &mut SplitWhitespace<'_>) -> Option<f64> {
    words.next()?.parse().ok().filter(|v: &f64| v.is_finite())
}

fn three(words: &mut SplitWhitespace<'_>) -> Option<DVec3> {
    Some(DVec3::new(real(words)?, real(words)?, real(words)?))
}

fn whole<T: FromStr>(words: &mut SplitWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

fn short(line: &str) -> String {
    line.chars().take(60).collect()
}
