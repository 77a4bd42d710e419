//! Pictures of faces from the front and a little from the side: the skin, and maps of errors \[dinev2020, Fig. 4.2\].

use super::model::Face;
use crate::error::FaceError;
use crate::picture::heat;
use glam::DVec3;
use sinew_scene::build::EmbeddedSurface;
use sinew_scene::export::Bounds;
use sinew_scene::export::colour::Colour;
use sinew_scene::export::image::Image;
use sinew_scene::export::render::{Camera, Frame, Mesh, Settings, render};

/// Skin and the inside of a mouth where a map of errors is drawn: on the triangles of the face itself.
const PLAIN: Colour = Colour::hex(0xb8_b8_b8);
const INSIDE: Colour = Colour::hex(0x8a_44_44);

/// How faces are drawn.
#[derive(Clone, Debug)]
pub struct FaceStudio {
    camera: Camera,
    settings: Settings,
    look: EmbeddedSurface,
    tints: Vec<Colour>,
}

impl FaceStudio {
    /// A camera in front of the scanned part of a face; pictures have `width` × `height` pixels.
    pub fn new(face: &Face, (width, height): (u32, u32)) -> Self {
        let settings = Settings { width, height, supersampling: 2, axes: false, ..Settings::default() };
        let seen = face.scanned.iter().map(|&v| &face.points[v as usize]);
        let bounds = Bounds::of(seen).unwrap_or(Bounds { min: DVec3::splat(-0.1), max: DVec3::splat(0.1) });
        let camera = Camera::fit(&bounds, DVec3::new(0.35, 0.05, 1.0), settings.aspect());
        let look = face.look();
        let tints = look.tints.iter().map(|tint| Colour::hex(*tint)).collect();
        Self { camera, settings, look, tints }
    }

    fn draw(&self, meshes: Vec<Mesh>, caption: &str) -> Result<Image, FaceError> {
        let frame = Frame { meshes, caption: caption.into(), ..Frame::default() };
        render(&frame, &self.camera, &self.settings).map_err(FaceError::export)
    }

    /// The face with its vertices at x.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be drawn.
    pub fn face(&self, x: &[DVec3], caption: &str) -> Result<Image, FaceError> {
        let mut positions = Vec::with_capacity(self.look.anchors.len());
        self.look.place(x, &mut positions);
        self.draw(vec![mesh(&positions, &self.look.triangles, PLAIN, Some(&self.tints))], caption)
    }

    /// The face coloured by distances of vertices, from white (0) over yellow to dark red (`largest`), mm; vertices without a number are grey.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be drawn.
    pub fn errors(
        &self,
        face: &Face,
        x: &[DVec3],
        errors: &[(u32, f64)],
        largest: f64,
        caption: &str,
    ) -> Result<Image, FaceError> {
        let mut tints = vec![PLAIN; x.len()];
        for &(v, error) in errors {
            tints[v as usize] = heat(error / largest.max(f64::MIN_POSITIVE));
        }
        let (skin, inside) = face.surface.split_at(face.skin);
        self.draw(vec![mesh(x, skin, PLAIN, Some(&tints)), mesh(x, inside, INSIDE, None)], caption)
    }
}

fn mesh<'a>(
    positions: &'a [DVec3],
    triangles: &'a [[u32; 3]],
    colour: Colour,
    tints: Option<&'a [Colour]>,
) -> Mesh<'a> {
    Mesh { positions, triangles, colour, wireframe: false, pattern: None, tints }
}
