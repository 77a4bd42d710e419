//! An RGB image in memory, and PNG.

use super::{ExportError, colour::Colour};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

/// Largest side of an image, pixels.
pub const MAX_SIDE: u32 = 16_384;

/// An image: `height` rows of `width` pixels, top row first, three bytes (sRGB) a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
}

impl Image {
    /// An image of one colour. Sides must lie in 1..=[`MAX_SIDE`].
    pub fn filled(width: u32, height: u32, colour: Colour) -> Result<Self, ExportError> {
        check_size(width, height)?;
        let bytes = [colour.r, colour.g, colour.b].repeat(width as usize * height as usize);
        Ok(Self { width, height, bytes })
    }

    /// Images next to each other, from left to right, as high as the highest; the rest is white.
    pub fn beside(images: &[Self]) -> Result<Self, ExportError> {
        let width = images.iter().fold(0, |sum: u32, image| sum.saturating_add(image.width));
        let height = images.iter().map(|image| image.height).max().unwrap_or(0);
        let mut all = Self::filled(width, height, Colour::WHITE)?;
        let row = 3 * width as usize;
        let mut left = 0;
        for image in images {
            let length = 3 * image.width as usize;
            for (y, line) in image.bytes.chunks_exact(length).enumerate() {
                all.bytes[y * row + left..][..length].copy_from_slice(line);
            }
            left += length;
        }
        Ok(all)
    }

    /// Width, pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height, pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixels: `width × height × 3` bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The pixel in column `x` and row `y`, or `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<Colour> {
        let at = self.offset(x, y)?;
        Some(Colour { r: self.bytes[at], g: self.bytes[at + 1], b: self.bytes[at + 2] })
    }

    /// Blends `colour` over a pixel: `cover` 0 leaves it, 1 replaces it. Pixels outside the image are ignored.
    pub fn blend(&mut self, x: i64, y: i64, colour: Colour, cover: f64) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
        if let (Some(at), Some(below)) = (self.offset(x, y), self.pixel(x, y)) {
            let mixed = below.mix(colour, cover);
            self.bytes[at..at + 3].copy_from_slice(&[mixed.r, mixed.g, mixed.b]);
        }
    }

    /// Writes a PNG file.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        let path = path.as_ref();
        let mut file = BufWriter::new(File::create(path).map_err(ExportError::io(path))?);
        self.encode_png(&mut file).map_err(|error| match error {
            png::EncodingError::IoError(source) => ExportError::Io { path: path.to_owned(), source },
            other => ExportError::encode(path, other),
        })?;
        file.flush().map_err(ExportError::io(path))
    }

    fn encode_png(&self, out: &mut impl Write) -> Result<(), png::EncodingError> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.bytes)?;
        writer.finish()
    }

    fn offset(&self, x: u32, y: u32) -> Option<usize> {
        let inside = x < self.width && y < self.height;
        inside.then(|| 3 * (y as usize * self.width as usize + x as usize))
    }
}

/// Refuses image sizes that are zero or too large.
pub(crate) fn check_size(width: u32, height: u32) -> Result<(), ExportError> {
    let refuse = |reason| Err(ExportError::ImageSize { width, height, reason });
    if width == 0 || height == 0 {
        return refuse("both sides must be at least 1 pixel");
    }
    if width > MAX_SIDE || height > MAX_SIDE {
        return refuse("no side may exceed 16384 pixels");
    }
    Ok(())
}
