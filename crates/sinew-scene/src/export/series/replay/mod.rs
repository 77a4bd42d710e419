//! A page that replays surfaces: one HTML file with its data, for notebooks, mails and web pages. It asks nothing from anywhere.
//!
//! Coordinates are whole steps of 1/16383 of the box that holds all frames. Each frame is stored as its difference from the one before, low bytes before
//! high ones, which deflate then makes small; the browser inflates it itself (`DecompressionStream`).

use crate::export::colour::Colour;
use glam::DVec3;
use serde_json::json;

/// Steps along each side of the box: an eighth of a pixel of a large screen. More would only store noise.
const STEPS: f32 = 16383.0;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("replay.js");

/// What is drawn of one body or solid.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Triangles, counted from the first point of the part.
    pub triangles: Vec<[u32; 3]>,
    /// Segments, counted likewise.
    pub segments: Vec<[u32; 2]>,
    /// A colour for each point.
    pub colours: Vec<Colour>,
}

/// The frames of a page.
#[derive(Clone, Debug)]
pub struct ReplayPage {
    name: String,
    title: String,
    camera: Option<([f64; 3], [f64; 3], f64)>,
    triangles: Vec<u32>,
    segments: Vec<u32>,
    colours: Vec<u8>,
    points: usize,
    /// Points that the camera should see; the rest are planes.
    seen: usize,
    times: Vec<f64>,
    /// Points of the frames, one frame after the other.
    frames: Vec<[f32; 3]>,
}

impl ReplayPage {
    /// A page without parts and frames.
    pub fn new(name: &str, title: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            camera: None,
            triangles: Vec::new(),
            segments: Vec::new(),
            colours: Vec::new(),
            points: 0,
            seen: 0,
            times: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Where the eye is and what it looks at, m; vertical field of view in degrees. Default: all is visible.
    pub fn look_from(&mut self, eye: [f64; 3], look_at: [f64; 3], fov: f64) {
        self.camera = Some((eye, look_at, fov));
    }

    /// Adds a part; its points follow those of the parts before it.
    pub fn part(&mut self, drawn: Drawn) {
        let first = self.points as u32;
        self.triangles.extend(drawn.triangles.iter().flatten().map(|corner| first + corner));
        self.segments.extend(drawn.segments.iter().flatten().map(|end| first + end));
        self.colours.extend(drawn.colours.iter().flat_map(|colour| [colour.r, colour.g, colour.b]));
        self.points += drawn.colours.len();
        self.seen = self.points;
    }

    /// Adds a part that need not be visible as a whole, such as a plane.
    pub fn surroundings(&mut self, drawn: Drawn) {
        let seen = self.seen;
        self.part(drawn);
        self.seen = seen;
    }

    /// Adds a frame: its time, s, and the points of all parts. Points that are not finite are drawn where they were before.
    pub fn frame(&mut self, time: f64, points: &[DVec3]) {
        let before = self.frames.len().checked_sub(self.points);
        self.times.push(time);
        for index in 0..self.points {
            let given =
                points.get(index).filter(|point| point.is_finite()).map(|point| point.as_vec3().to_array());
            let last = before.and_then(|first| self.frames.get(first + index).copied());
            self.frames.push(given.or(last).unwrap_or_default());
        }
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// Number of coordinates in all frames.
    pub fn coordinates(&self) -> usize {
        3 * self.frames.len()
    }

    /// Drops every second frame.
    pub fn thin(&mut self) {
        let points = self.points.max(1);
        let kept: Vec<[f32; 3]> = self.frames.chunks(points).step_by(2).flatten().copied().collect();
        self.frames = kept;
        self.times = self.times.iter().copied().step_by(2).collect();
    }

    /// The page.
    pub fn html(&self) -> String {
        let (low, high) = self.bounds();
        let step = steps(low, high);
        let header = json!({
            "name": self.name,
            "times": self.times,
            "points": self.points,
            "seen": self.seen,
            "triangles": self.triangles.len(),
            "segments": self.segments.len(),
            "low": low,
            "step": step,
            "camera": self.camera.map(|(eye, at, fov)| json!({ "eye": eye, "at": at, "fov": fov })),
        });
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&self.bytes(low, step), 6);
        let title = if self.title.is_empty() { &self.name } else { &self.title };
        PAGE.replace("{{title}}", &escaped(title))
            // A title cannot end the script early.
            .replace("{{header}}", &header.to_string().replace('<', "\\u003c"))
            .replace("{{script}}", SCRIPT)
            .replace("{{data}}", &base64(&packed))
    }

    fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let first = self.frames.first().copied().unwrap_or_default();
        let extend = |(low, high): ([f32; 3], [f32; 3]), point: &[f32; 3]| {
            (std::array::from_fn(|k| low[k].min(point[k])), std::array::from_fn(|k| high[k].max(point[k])))
        };
        self.frames.iter().fold((first, first), extend)
    }

    /// Triangles and segments as u32, colours as bytes, then the low bytes of all coordinates and their high bytes.
    fn bytes(&self, low: [f32; 3], step: [f32; 3]) -> Vec<u8> {
        let mut out: Vec<u8> = Vec::with_capacity(6 * self.frames.len());
        out.extend(self.triangles.iter().chain(&self.segments).flat_map(|number| number.to_le_bytes()));
        out.extend(&self.colours);
        let width = 3 * self.points;
        let whole: Vec<u16> = self
            .frames
            .iter()
            .flat_map(|point| {
                std::array::from_fn::<u16, 3, _>(|k| ((point[k] - low[k]) / step[k]).round() as u16)
            })
            .collect();
        let change = |index: usize| {
            let before = index.checked_sub(width).and_then(|before| whole.get(before)).copied().unwrap_or(0);
            whole[index].wrapping_sub(before)
        };
        for byte in 0..2 {
            out.extend((0..whole.len()).map(|index| change(index).to_le_bytes()[byte]));
        }
        out
    }
}

/// The size of a step along each axis, m; the same on all, so that thin bodies need few bits.
fn steps(low: [f32; 3], high: [f32; 3]) -> [f32; 3] {
    let longest = (0..3).map(|axis| high[axis] - low[axis]).fold(f32::MIN_POSITIVE, f32::max);
    [(longest / STEPS).max(f32::MIN_POSITIVE); 3]
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, k| bits << 8 | u32::from(three.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * k) & 63) as usize] as char;
            out.push(if k <= three.len() { digit } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        // RFC 4648, section 10.
        let known = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ];
        for (plain, coded) in known {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn coordinates_come_back_within_half_a_step_and_titles_stay_text() {
        let mut page = ReplayPage::new("a", "</script><b>");
        page.part(Drawn { triangles: vec![[0, 1, 2]], colours: vec![Colour::WHITE; 3], ..Drawn::default() });
        let frames: Vec<Vec<DVec3>> = (0..5)
            .map(|i| (0..3).map(|k| DVec3::new(f64::from(i * k), -0.3 * f64::from(i), 7.25)).collect())
            .collect();
        for (i, frame) in frames.iter().enumerate() {
            page.frame(i as f64, frame);
        }
        let (low, high) = page.bounds();
        let step = steps(low, high);
        let bytes = page.bytes(low, step);
        let data = &bytes[12 + 9..];
        let count = 5 * 9;
        let mut last = [0_u16; 9];
        for (f, frame) in frames.iter().enumerate() {
            for k in 0..9 {
                let at = f * 9 + k;
                last[k] = last[k].wrapping_add(u16::from_le_bytes([data[at], data[count + at]]));
                let found = low[k % 3] + f32::from(last[k]) * step[k % 3];
                let given = frame[k / 3][k % 3] as f32;
                assert!((found - given).abs() <= 0.51 * step[k % 3] + 1e-6, "{found} is not {given}");
            }
        }
        let html = page.html();
        assert!(!html.contains("<b>") && html.contains("&lt;/script&gt;"), "the title is text");
        assert!(
            !html.contains("http://") && !html.contains("https://"),
            "the page asks nothing from anywhere"
        );
        page.thin();
        assert_eq!((page.frames(), page.coordinates()), (3, 27));
    }
}
