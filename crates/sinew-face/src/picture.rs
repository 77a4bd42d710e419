//! Pictures of mouths: regions [dinev2020, Fig. 2.1], faces, and maps of errors [dinev2020, Fig. 2.8], all seen from the front of the mouth.

use crate::error::FaceError;
use crate::regions::Regions;
use glam::DVec3;
use sinew_scene::export::Bounds;
use sinew_scene::export::colour::Colour;
use sinew_scene::export::image::Image;
use sinew_scene::export::render::{Camera, Frame, Mesh, Pattern, Settings, render};

const SKIN: Colour = Colour::hex(0xd9_b8_a6);
const LIPS: Colour = Colour::hex(0xc0_7a_74);
const DARK: Colour = Colour::hex(0x3a_20_20);
const GREY: Colour = Colour::hex(0xb8_b8_b8);
const BLUE: Colour = Colour::hex(0x3f_6f_c4);
const RED: Colour = Colour::hex(0xc8_3c_34);

/// How mouths are drawn.
#[derive(Clone, Debug)]
pub struct Studio {
    camera: Camera,
    settings: Settings,
    inner: Vec<u32>,
}

/// Steps of the scale of errors.
const STEPS: usize = 24;

impl Studio {
    /// A camera in front of the mouth of a mesh; `width` × `height` pixels.
    pub fn new(
        points: &[DVec3],
        triangles: &[[u32; 3]],
        regions: &Regions,
        (width, height): (u32, u32),
    ) -> Self {
        let settings = Settings { width, height, supersampling: 3, axes: false, ..Settings::default() };
        let inside = |v: u32| regions.mouth.binary_search(&v).is_ok();
        let mut front = DVec3::ZERO;
        for t in triangles.iter().filter(|t| t.iter().all(|&v| inside(v))) {
            let [a, b, c] = t.map(|v| points[v as usize]);
            front += (b - a).cross(c - a);
        }
        let seen = regions.mouth.iter().chain(&regions.inner).map(|&v| &points[v as usize]);
        let bounds = Bounds::of(seen).unwrap_or(Bounds { min: DVec3::splat(-1.0), max: DVec3::splat(1.0) });
        let mut camera = Camera::fit(&bounds, front, settings.aspect());
        // A little nearer: the mouth fills the picture.
        camera.eye = camera.look_at + 0.85 * (camera.eye - camera.look_at);
        Self { camera, settings, inner: regions.inner.clone() }
    }

    /// The same with another camera and size of pictures.
    #[must_use]
    pub fn seen_by(
        &self,
        eye: DVec3,
        look_at: DVec3,
        up: DVec3,
        fov_degrees: f64,
        (width, height): (u32, u32),
    ) -> Self {
        let camera = Camera { eye, look_at, up, fov_degrees };
        Self { camera, settings: Settings { width, height, ..self.settings }, inner: self.inner.clone() }
    }

    /// The camera.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    fn draw(
        &self,
        points: &[DVec3],
        groups: &[(Colour, Vec<[u32; 3]>)],
        wireframe: bool,
        caption: &str,
    ) -> Result<Image, FaceError> {
        let mut meshes: Vec<Mesh> = (groups.iter())
            .map(|(colour, triangles)| Mesh {
                positions: points,
                triangles,
                colour: *colour,
                wireframe,
                pattern: None,
                tints: None,
            })
            .collect();
        let behind = self.cavity(points);
        meshes.push(cavity(&behind));
        let frame = Frame { meshes, caption: caption.into(), ..Frame::default() };
        render(&frame, &self.camera, &self.settings).map_err(FaceError::export)
    }

    /// Four corners of something dark behind the lips, so that one does not see through an open mouth.
    fn cavity(&self, points: &[DVec3]) -> [DVec3; 4] {
        let inner = || self.inner.iter().filter_map(|&v| points.get(v as usize).copied());
        let middle = inner().sum::<DVec3>() / self.inner.len().max(1) as f64;
        let back = (self.camera.look_at - self.camera.eye).normalize_or_zero();
        let right = back.cross(self.camera.up).normalize_or_zero();
        let up = right.cross(back);
        // As wide and high as the lips, so that it is hidden behind them.
        let reach = |along: DVec3| inner().map(|p| (p - middle).dot(along).abs()).fold(0.0, f64::max);
        let (wide, high) = (reach(right), reach(up));
        let deep = 0.6 * wide.max(high);
        let corner = |x: f64, y: f64| middle + deep * back + x * wide * right + y * high * up;
        [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
    }

    /// The regions in the colours of the dissertation: mouth blue, inner lips red, the rest grey.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be drawn.
    pub fn regions(
        &self,
        points: &[DVec3],
        triangles: &[[u32; 3]],
        regions: &Regions,
    ) -> Result<Image, FaceError> {
        let within = |list: &[u32], v: u32| list.binary_search(&v).is_ok();
        let mut groups = vec![(GREY, Vec::new()), (BLUE, Vec::new()), (RED, Vec::new())];
        for &t in triangles {
            let touches = t.iter().any(|&v| within(&regions.inner, v));
            let around = t.iter().all(|&v| within(&regions.mouth, v));
            groups[if touches { 2 } else { usize::from(around) }].1.push(t);
        }
        self.draw(points, &groups, true, "")
    }

    /// The face itself, its inner lips in red.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be drawn.
    pub fn face(&self, points: &[DVec3], triangles: &[[u32; 3]], caption: &str) -> Result<Image, FaceError> {
        let on: Vec<bool> =
            (triangles.iter()).map(|t| t.iter().all(|v| self.inner.binary_search(v).is_ok())).collect();
        let skin = Mesh {
            positions: points,
            triangles,
            colour: SKIN,
            wireframe: false,
            pattern: Some(Pattern { colour: LIPS, on: &on }),
            tints: None,
        };
        let behind = self.cavity(points);
        let frame =
            Frame { meshes: vec![skin, cavity(&behind)], caption: caption.into(), ..Frame::default() };
        render(&frame, &self.camera, &self.settings).map_err(FaceError::export)
    }

    /// The face coloured by a number of each vertex, from white (0) over yellow to dark red (`largest` and above).
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be drawn.
    pub fn errors(
        &self,
        points: &[DVec3],
        triangles: &[[u32; 3]],
        values: &[f64],
        largest: f64,
        caption: &str,
    ) -> Result<Image, FaceError> {
        let mut groups: Vec<(Colour, Vec<[u32; 3]>)> =
            (0..STEPS).map(|k| (heat(k as f64 / (STEPS - 1) as f64), Vec::new())).collect();
        for &t in triangles {
            let mean = t.iter().map(|&v| values.get(v as usize).copied().unwrap_or(0.0)).sum::<f64>() / 3.0;
            let step = (mean / largest.max(f64::MIN_POSITIVE) * STEPS as f64) as usize;
            groups[step.min(STEPS - 1)].1.push(t);
        }
        groups.retain(|(_, list)| !list.is_empty());
        self.draw(points, &groups, false, caption)
    }
}

/// The inside of the mouth.
fn cavity(corners: &[DVec3; 4]) -> Mesh<'_> {
    Mesh {
        positions: corners,
        triangles: &[[0, 1, 2], [0, 2, 3]],
        colour: DARK,
        wireframe: false,
        pattern: None,
        tints: None,
    }
}

/// White, yellow, orange, red, dark red.
pub(crate) fn heat(s: f64) -> Colour {
    const STOPS: [[f64; 3]; 5] = [
        [235.0, 235.0, 235.0],
        [255.0, 225.0, 120.0],
        [250.0, 150.0, 40.0],
        [210.0, 40.0, 30.0],
        [110.0, 0.0, 30.0],
    ];
    let x = s.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let k = (x as usize).min(STOPS.len() - 2);
    let channel = |c: usize| (STOPS[k][c] + (x - k as f64) * (STOPS[k + 1][c] - STOPS[k][c])) as u8;
    Colour { r: channel(0), g: channel(1), b: channel(2) }
}

/// Images of one size in rows of so many.
///
/// # Errors
/// [`FaceError`] if there are none, or too many.
pub fn sheet(images: &[Image], columns: usize) -> Result<Image, FaceError> {
    let columns = columns.max(1);
    let (width, height) = images.first().map_or((1, 1), |i| (i.width(), i.height()));
    let rows = images.len().div_ceil(columns).max(1);
    let mut all = Image::filled(width * columns as u32, height * rows as u32, Colour::WHITE)
        .map_err(FaceError::export)?;
    for (k, image) in images.iter().enumerate() {
        let (left, top) = ((k % columns) as i64 * i64::from(width), (k / columns) as i64 * i64::from(height));
        for y in 0..image.height() {
            for x in 0..image.width() {
                if let Some(colour) = image.pixel(x, y) {
                    all.blend(left + i64::from(x), top + i64::from(y), colour, 1.0);
                }
            }
        }
    }
    Ok(all)
}

/// Two images of any size next to each other.
///
/// # Errors
/// [`FaceError`] if they are too large together.
pub fn beside(left: &Image, right: &Image) -> Result<Image, FaceError> {
    Image::beside(&[left.clone(), right.clone()]).map_err(FaceError::export)
}
