//! A software renderer for figures: shaded surfaces, springs as rods, markers, a ground with shadows.
//!
//! ```text
//! frame ─ geometry ─┬─ shadow maps ─┐
//!                   └─ visibility ──┴─ shading ─ overlay ─ image
//! ```
//!
//! Everything visible becomes triangles with vertex normals (`geometry`). A visibility buffer stores the nearest triangle for each sample
//! (`visibility`); shading then runs once for each triangle that a pixel sees (`shading`), in linear light, weighted by its samples. No pixel
//! depends on another, so the same frame gives the same bytes for any number of threads.
//!
//! Lengths are in metres; y is up.

mod backdrop;
mod camera;
mod geometry;
mod ground;
mod light;
mod overlay;
mod scan;
mod shading;
mod shadow;
mod sky;
mod solids;
mod visibility;

pub use super::bounds::Bounds;
pub use backdrop::Backdrop;
pub use camera::Camera;

use super::{
    ExportError,
    colour::Colour,
    image::{Image, check_size},
};
use camera::View;
use geometry::Geometry;
use glam::DVec3;
use shading::Scene;
use visibility::Visibility;

/// Upper limit for samples per image (sides × supersampling²): two gigabytes of buffers.
const MAX_SAMPLES: u64 = 1 << 28;

/// What to draw. Positions are in metres; a part with a non-finite position is left out. So are the last triangles of a frame whose triangles
/// cover the image more than some fifty times over, as those of an exploded body do.
#[derive(Clone, Debug, Default)]
pub struct Frame<'a> {
    /// Surfaces.
    pub meshes: Vec<Mesh<'a>>,
    /// Springs and other lines.
    pub rods: Vec<Rods<'a>>,
    /// Points to mark: pins, attachments.
    pub markers: Vec<Markers<'a>>,
    /// Height y of the ground, m; `None` for no ground. It is not drawn when seen from below.
    pub ground: Option<f64>,
    /// Further planes, drawn as the ground is.
    pub planes: Vec<Plane>,
    /// A line of text at the top left; empty for none.
    pub caption: String,
}

/// An infinite checkered plane, drawn from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// A corner of the checkers, m.
    pub point: DVec3,
    /// Unit vector to the front.
    pub normal: DVec3,
    /// Unit vector along a side of the checkers, perpendicular to the normal.
    pub along: DVec3,
}

impl Plane {
    /// A horizontal plane, seen from above.
    pub fn level(height: f64) -> Self {
        Self { point: DVec3::new(0.0, height, 0.0), normal: DVec3::Y, along: DVec3::X }
    }
}

/// A triangulated surface. Both sides are drawn; the back a little darker.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    /// Points, #V.
    pub positions: &'a [DVec3],
    /// Triangles, #F by 3, counter-clockwise seen from outside.
    pub triangles: &'a [[u32; 3]],
    /// Colour of the surface.
    pub colour: Colour,
    /// Whether the triangles' edges are drawn as thin dark lines.
    pub wireframe: bool,
    /// A second colour, and which triangles have it.
    pub pattern: Option<Pattern<'a>>,
    /// Colours of the points, blended over triangles, #V; `None`: `colour` everywhere.
    pub tints: Option<&'a [Colour]>,
}

/// A second colour on a surface.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    /// The colour.
    pub colour: Colour,
    /// For each triangle whether it has this colour; those beyond its end do not.
    pub on: &'a [bool],
}

/// Round rods between points, with balls at their ends.
#[derive(Clone, Copy, Debug)]
pub struct Rods<'a> {
    /// Points, #V.
    pub positions: &'a [DVec3],
    /// Pairs of points, #E by 2.
    pub segments: &'a [[u32; 2]],
    /// Colour of rods and balls.
    pub colour: Colour,
    /// Radius of the rods.
    pub radius: Radius,
    /// Radius of the balls.
    pub ball_radius: Radius,
}

/// Small balls.
#[derive(Clone, Copy, Debug)]
pub struct Markers<'a> {
    /// Centres.
    pub positions: &'a [DVec3],
    /// Colour.
    pub colour: Colour,
    /// Radius of a ball.
    pub radius: Radius,
}

/// Radius of a rod or a marker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// In the scene, m: it grows as the camera comes nearer.
    Metres(f64),
    /// In the image, pixels: it does not depend on the distance.
    Pixels(f64),
}

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Width of the image, pixels.
    pub width: u32,
    /// Height of the image, pixels.
    pub height: u32,
    /// Samples per pixel along each side, 1–8.
    pub supersampling: u32,
    /// Width of the wireframe's lines, pixels.
    pub wire_width: f64,
    /// Whether the axes are shown in the lower left corner.
    pub axes: bool,
    /// What is behind the bodies.
    pub backdrop: Backdrop,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            width: 640,
            height: 480,
            supersampling: 2,
            wire_width: 0.8,
            axes: true,
            backdrop: Backdrop::Light,
        }
    }
}

impl Settings {
    /// Width over height.
    pub fn aspect(&self) -> f64 {
        f64::from(self.width) / f64::from(self.height)
    }
}

impl Frame<'_> {
    /// The box around everything in the frame except the ground; `None` if there is nothing.
    pub fn bounds(&self) -> Option<Bounds> {
        let meshes = self.meshes.iter().flat_map(|mesh| mesh.positions);
        let rods = self.rods.iter().flat_map(|rods| rods.positions);
        let markers = self.markers.iter().flat_map(|markers| markers.positions);
        Bounds::of(meshes.chain(rods).chain(markers))
    }
}

/// Draws a single frame; for many frames, [`Renderer`] reuses its buffers.
///
/// Refuses an image without pixels or with too many, a camera that sees nothing, and an index past the end.
pub fn render(frame: &Frame, camera: &Camera, settings: &Settings) -> Result<Image, ExportError> {
    Renderer::new(*settings)?.render(frame, camera)
}

/// Draws frames of one size. It only keeps buffers between frames: a frame looks the same whatever was drawn before it.
#[derive(Debug)]
pub struct Renderer {
    settings: Settings,
    visibility: Visibility,
}

impl Renderer {
    /// Refuses an image without pixels or with too many.
    pub fn new(settings: Settings) -> Result<Self, ExportError> {
        let Settings { width, height, .. } = settings;
        check_size(width, height)?;
        let settings = Settings { supersampling: settings.supersampling.clamp(1, 8), ..settings };
        let samples = u64::from(width) * u64::from(height) * u64::from(settings.supersampling.pow(2));
        if samples > MAX_SAMPLES {
            let reason = "with this supersampling it has more than 2²⁸ samples";
            return Err(ExportError::ImageSize { width, height, reason });
        }
        Ok(Self { settings, visibility: Visibility::default() })
    }

    /// The settings of this renderer.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Draws a frame. Refuses a camera that sees nothing, and an index past the end.
    pub fn render(&mut self, frame: &Frame, camera: &Camera) -> Result<Image, ExportError> {
        let settings = &self.settings;
        let n = settings.supersampling;
        let view = View::new(camera, settings.width * n, settings.height * n)?;
        let geometry = Geometry::of(frame, &view, f64::from(n))?;
        self.visibility.update(&geometry, &view);
        let scene = Scene::new(frame, &geometry, &view, camera, settings);
        let mut image = scene.image(&self.visibility, settings)?;
        overlay::draw(&mut image, frame, &view, settings)?;
        Ok(image)
    }
}
