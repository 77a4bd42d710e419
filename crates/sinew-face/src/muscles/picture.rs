//! Pictures of faces from the front and a little from the side: the skin, and maps of errors \[dinev2020, Fig. 4.2\].

use super::model::Face;
use crate::error::FaceError;
use crate::picture::heat;
use glam::DVec3;
use sinew_scene::export::Bounds;
use sinew_scene::export::colour::Colour;
use sinew_scene::export::image::Image;
use sinew_scene::export::render::{Camera, Frame, Mesh, Settings, render};

const SKIN: Colour = Colour::hex(0xd9_b8_a6);
const INSIDE: Colour = Colour::hex(0x8a_44_44);

/// How faces are drawn.
#[derive(Clone, Debug)]
pub struct FaceStudio {
    camera: Camera,
    settings: Settings,
}

impl FaceStudio {
    /// A camera in front of the scanned part of a face; pictures have `width` × `height` pixels.
    pub fn new(face: &Face, (width, height): (u32, u32)) -> Self {
        let settings = Settings { width, height, supersampling: 2, axes: false, ..Settings::default() };
        let seen = face.scanned.iter().map(|&v| &face.points[v as usize]);
        let bounds = Bounds::of(seen).unwrap_or(Bounds { min: DVec3::splat(-0.1), max: DVec3::splat(0.1) });
        let camera = Camera::fit(&bounds, DVec3::new(0.35, 0.05, 1.0), settings.aspect());
        Self { camera, settings }
    }

    fn draw(
        &self,
        face: &Face,
        x: &[DVec3],
        tints: Option<&[Colour]>,
        caption: &str,
    ) -> Result<Image, FaceError> {
        let mesh = |triangles, colour, tints| Mesh {
            positions: x,
            triangles,
            colour,
            wireframe: false,
            pattern: None,
            tints,
        };
        let (skin, inside) = face.surface.split_at(face.skin);
        let meshes = vec![mesh(skin, SKIN, tints), mesh(inside, INSIDE, None)];
        let frame = Frame { meshes, caption: caption.into(), ..Frame::default() };
        render(&frame, &self.camera, &self.settings).map_err(FaceError::export)
    }

    /// The face.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be drawn.
    pub fn face(&self, face: &Face, x: &[DVec3], caption: &str) -> Result<Image, FaceError> {
        self.draw(face, x, None, caption)
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
        let mut tints = vec![Colour::hex(0xb8_b8_b8); x.len()];
        for &(v, error) in errors {
            tints[v as usize] = heat(error / largest.max(f64::MIN_POSITIVE));
        }
        self.draw(face, x, Some(&tints), caption)
    }
}
