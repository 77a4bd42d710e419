//! Which vertices are the mouth, whose capture is trusted, and which are the inner lips, which are to be predicted \[dinev2020, Fig. 2.1\].
//!
//! Regions come from lists of vertices, from landmark loops with a geodesic radius, or from painted colours. The file is text:
//!
//! ```text
//! sinew lips regions 1
//! vertices 9409
//! mouth 0-17 20 31-40
//! inner 18 19
//! ```

use crate::error::FaceError;
use crate::geodesic::{adjacency, distances, shortest_path};
use glam::DVec3;
use std::path::Path;

/// Vertices of the two regions, from 0, sorted, disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// Vertices of the whole mesh.
    pub vertices: usize,
    /// Vertices of the mouth.
    pub mouth: Vec<u32>,
    /// Vertices of the inner lips.
    pub inner: Vec<u32>,
}

const HEAD: &str = "sinew lips regions 1";

impl Regions {
    /// From lists of vertices; what is in both belongs to the inner lips.
    pub fn from_lists(vertices: usize, mouth: &[u32], inner: &[u32]) -> Self {
        let sorted = |list: &[u32]| {
            let mut list = list.to_vec();
            list.sort_unstable();
            list.dedup();
            list
        };
        let inner = sorted(inner);
        let mut mouth = sorted(mouth);
        mouth.retain(|v| inner.binary_search(v).is_err());
        Self { vertices, mouth, inner }
    }

    /// From a loop of landmarks, the line between the lips: vertices within geodesic distance `inner_radius` of the closed loop are the
    /// inner lips, those within `mouth_radius` the mouth. Distances run along edges.
    pub fn from_loop(
        points: &[DVec3],
        triangles: &[[u32; 3]],
        landmarks: &[u32],
        inner_radius: f64,
        mouth_radius: f64,
    ) -> Result<Self, FaceError> {
        if landmarks.len() < 2 {
            return Err(FaceError::Regions("a loop needs at least two landmarks".into()));
        }
        if let Some(v) = landmarks.iter().find(|&&v| v as usize >= points.len()) {
            return Err(FaceError::Regions(format!(
                "landmark {v} does not exist: there are {} vertices",
                points.len()
            )));
        }
        let edges = adjacency(points, triangles);
        let mut line = Vec::new();
        for (k, &a) in landmarks.iter().enumerate() {
            line.extend(shortest_path(&edges, points.len(), a, landmarks[(k + 1) % landmarks.len()]));
        }
        let distance = distances(&edges, points.len(), &line, mouth_radius.max(inner_radius));
        let within = |radius: f64| -> Vec<u32> {
            (0..points.len()).filter(|&v| distance[v] <= radius).map(|v| v as u32).collect()
        };
        Ok(Self::from_lists(points.len(), &within(mouth_radius), &within(inner_radius)))
    }

    /// From painted vertices: red is the inner lips, blue the mouth, as in the dissertation's Fig. 2.1; anything else is ignored.
    pub fn from_colours(colours: &[Option<[f64; 3]>]) -> Self {
        let pick = |channel: usize| -> Vec<u32> {
            let is =
                |c: &[f64; 3]| (0..3).all(|k| k == channel || c[channel] > 2.0 * c[k]) && c[channel] > 0.0;
            (0..colours.len()).filter(|&v| colours[v].as_ref().is_some_and(is)).map(|v| v as u32).collect()
        };
        Self::from_lists(colours.len(), &pick(2), &pick(0))
    }

    /// Checks that both regions have vertices, and that these exist.
    pub fn check(&self, vertices: usize) -> Result<(), FaceError> {
        let refuse = |what: String| Err(FaceError::Regions(what));
        if self.vertices != vertices {
            return refuse(format!(
                "they are for a mesh of {} vertices, this one has {vertices}",
                self.vertices
            ));
        }
        for (name, list) in [("mouth", &self.mouth), ("inner lips", &self.inner)] {
            if list.is_empty() {
                return refuse(format!("no vertex belongs to the {name}"));
            }
            if let Some(v) = list.iter().find(|&&v| v as usize >= vertices) {
                return refuse(format!(
                    "vertex {v} of the {name} does not exist: there are {vertices} vertices"
                ));
            }
        }
        Ok(())
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let (mouth, inner) = (ranges(&self.mouth), ranges(&self.inner));
        format!("{HEAD}\nvertices {}\nmouth{mouth}\ninner{inner}\n", self.vertices)
    }

    /// Reads the text of a file.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next().map(str::trim) != Some(HEAD) {
            return Err(format!("this is no file of regions: it does not start with `{HEAD}`"));
        }
        let (mut vertices, mut mouth, mut inner) = (None, Vec::new(), Vec::new());
        for (number, line) in lines.enumerate() {
            let mut words = line.split_whitespace();
            let wrong =
                |word: &str| format!("line {}: `{word}` is no vertex and no range of them", number + 2);
            let list = match words.next() {
                None => continue,
                Some("vertices") => {
                    vertices = words.next().and_then(|word| word.parse().ok());
                    continue;
                }
                Some("mouth") => &mut mouth,
                Some("inner") => &mut inner,
                Some(word) => return Err(format!("line {}: `{word}` is not known", number + 2)),
            };
            for word in words {
                parse_range(word, list).ok_or_else(|| wrong(word))?;
            }
        }
        let vertices = vertices.ok_or("it does not say the number of vertices")?;
        Ok(Self::from_lists(vertices, &mouth, &inner))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, FaceError> {
        let text = sinew_scene::input::read_text(path).map_err(FaceError::io(path))?;
        Self::from_text(&text).map_err(|what| FaceError::file(path, what))
    }
}

/// Adds `7` or `7-12` to a list; at most a hundred million vertices, so that a typing error does not fill memory.
pub(crate) fn parse_range(word: &str, list: &mut Vec<u32>) -> Option<()> {
    let (a, b) = word.split_once('-').unwrap_or((word, word));
    let (a, b): (u32, u32) = (a.parse().ok()?, b.parse().ok()?);
    if a > b || b > 100_000_000 || list.len() + (b - a) as usize > 100_000_000 {
        return None;
    }
    list.extend(a..=b);
    Some(())
}

/// Vertices of a text like `3, 7-12 20`; the error is a sentence.
///
/// # Errors
/// A sentence that names the word that is no vertex.
pub fn parse_vertices(text: &str) -> Result<Vec<u32>, String> {
    let mut list = Vec::new();
    for word in text.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()) {
        parse_range(word, &mut list)
            .ok_or_else(|| format!("`{word}` is no vertex and no range of them such as 7-12"))?;
    }
    if list.is_empty() { Err("the list has no vertices".into()) } else { Ok(list) }
}

fn ranges(list: &[u32]) -> String {
    let (mut text, mut k) = (String::new(), 0);
    while k < list.len() {
        let start = k;
        while k + 1 < list.len() && list[k + 1] == list[k] + 1 {
            k += 1;
        }
        text += &if k > start { format!(" {}-{}", list[start], list[k]) } else { format!(" {}", list[k]) };
        k += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_as_it_was_written() {
        let regions = Regions::from_lists(50, &[3, 1, 2, 9, 30, 31], &[9, 12]);
        assert_eq!(regions.mouth, [1, 2, 3, 30, 31]);
        assert_eq!(Regions::from_text(&regions.to_text()).unwrap(), regions);
        for bad in ["", "sinew lips regions 1\nmouth 1\n", "sinew lips regions 1\nvertices 3\nmouth 5-2\n"] {
            assert!(Regions::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_loop_selects_by_distance_along_the_surface() {
        // A strip of unit squares: vertices 2i and 2i + 1 at x = i.
        let points: Vec<DVec3> = (0..20).map(|k| DVec3::new((k / 2) as f64, (k % 2) as f64, 0.0)).collect();
        let triangles: Vec<[u32; 3]> =
            (0..9).flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3]]).collect();
        let regions = Regions::from_loop(&points, &triangles, &[0, 1], 1.1, 3.1).unwrap();
        assert_eq!((regions.inner, regions.mouth), (vec![0, 1, 2, 3], vec![4, 5, 6, 7]));
        assert!(Regions::from_loop(&points, &triangles, &[0, 99], 1.0, 2.0).is_err());
    }
}
