//! GIF animations, written frame by frame: memory holds a single frame, however long the animation is.
//!
//! Three measures keep the file small and the picture steady. A palette stays in use for as long as it shows the frames well, so a still
//! background does not flicker. Pixels that did not change are left transparent and frames are cropped to what changed. Dithering is weak and
//! tied to the pixel grid, so it does not crawl.

use super::{ExportError, image::Image, quantise::Palette};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::{
    borrow::Cow,
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

/// Shortest delay, hundredths of a second; browsers play shorter ones far more slowly.
const SHORTEST_DELAY: u64 = 2;

/// The ordered dither pattern: 4×4 Bayer, in sixteenths.
const BAYER: [[i16; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// Writes an animation that loops for ever.
pub struct GifWriter {
    path: PathBuf,
    encoder: Encoder<BufWriter<File>>,
    size: (u32, u32),
    fps: f64,
    /// Number of frames given so far, and the index of the next one to be written.
    given: u64,
    next_written: u64,
    palette: Option<Palette>,
    /// Mean misfit of the palette on the frame that it was made for.
    misfit: f64,
    /// The pixels that a viewer sees at this point; empty before the first frame.
    shown: Vec<[u8; 3]>,
}

impl GifWriter {
    /// Creates `path` for frames of `width`×`height` pixels, `fps` of them per second of playing time.
    ///
    /// A GIF counts hundredths of a second; delays are rounded so that the total time is right. Above 50 frames per second, frames are left
    /// out for the same reason.
    pub fn create(path: impl AsRef<Path>, width: u32, height: u32, fps: f64) -> Result<Self, ExportError> {
        super::image::check_size(width, height)?;
        if !(fps > 0.0 && fps <= 1000.0) {
            return Err(ExportError::FrameRate(fps));
        }
        let path = path.as_ref().to_owned();
        let file = BufWriter::new(File::create(&path).map_err(ExportError::io(&path))?);
        // `check_size` has bounded both sides far below 65 536.
        let mut encoder =
            Encoder::new(file, width as u16, height as u16, &[]).map_err(|e| encoding_error(&path, e))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|e| encoding_error(&path, e))?;
        Ok(Self {
            path,
            encoder,
            size: (width, height),
            fps,
            given: 0,
            next_written: 0,
            palette: None,
            misfit: 0.0,
            shown: Vec::new(),
        })
    }

    /// Appends a frame.
    pub fn add(&mut self, image: &Image) -> Result<(), ExportError> {
        let found = (image.width(), image.height());
        if found != self.size {
            return Err(ExportError::FrameSize { frame: self.given as usize, found, expected: self.size });
        }
        let number = self.given;
        self.given += 1;
        if number < self.next_written {
            return Ok(());
        }
        let mut palette = self.choose_palette(image);
        let delay = self.delay_from(number);
        let frame = self.changed_part(image, &mut palette, delay);
        let written = self.encoder.write_frame(&frame);
        self.palette = Some(palette);
        written.map_err(|e| encoding_error(&self.path, e))
    }

    /// Ends the file. Without this call an error of the last write would go unnoticed.
    pub fn finish(self) -> Result<(), ExportError> {
        let Self { path, encoder, .. } = self;
        let mut file = encoder.into_inner().map_err(|e| encoding_error(&path, e))?;
        file.flush().map_err(ExportError::io(&path))
    }

    /// How long frame `number` is shown (1/100 s); also sets which frame is written next.
    fn delay_from(&mut self, number: u64) -> u16 {
        let moment = |frame: u64| (frame as f64 * 100.0 / self.fps).round() as u64;
        let start = moment(number);
        let mut next = number + 1;
        while moment(next) - start < SHORTEST_DELAY {
            next += 1;
        }
        let delay = moment(next) - start;
        self.next_written = next;
        u16::try_from(delay).unwrap_or(u16::MAX)
    }

    /// The palette in use if it still fits, else a new one.
    fn choose_palette(&mut self, image: &Image) -> Palette {
        if let Some(mut palette) = self.palette.take() {
            let misfit = palette.misfit(image.bytes());
            if misfit.mean <= 1.5 * self.misfit + 2.0 && misfit.visible < 2e-4 {
                return palette;
            }
        }
        let mut palette = Palette::of(image.bytes());
        self.misfit = palette.misfit(image.bytes()).mean;
        palette
    }

    fn changed_part(&mut self, image: &Image, palette: &mut Palette, delay: u16) -> Frame<'static> {
        let (width, height) = (self.size.0 as usize, self.size.1 as usize);
        let first = self.shown.is_empty();
        if first {
            self.shown = vec![[0; 3]; width * height];
        }
        let colours = palette.bytes();
        let transparent = (colours.len() / 3) as u8;
        let mut indices = vec![transparent; width * height];
        // Range of columns and rows that changed, ends exclusive.
        let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
        for (i, pixel) in image.bytes().as_chunks::<3>().0.iter().enumerate() {
            let (x, y) = (i % width, i / width);
            let index = palette.index(dithered(*pixel, x, y));
            let colour = palette.colour(index);
            if first || self.shown[i] != colour {
                self.shown[i] = colour;
                indices[i] = index;
                (left, right) = (left.min(x), right.max(x + 1));
                (top, bottom) = (top.min(y), bottom.max(y + 1));
            }
        }
        if left >= right {
            // Nothing moved: one transparent pixel carries the delay.
            (left, right, top, bottom) = (0, 1, 0, 1);
        }
        let rows = (top..bottom).flat_map(|y| &indices[y * width + left..y * width + right]);
        let mut padded = colours;
        padded.extend([0; 3]);
        Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(transparent),
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            palette: Some(padded),
            buffer: Cow::Owned(rows.copied().collect()),
            ..Frame::default()
        }
    }
}

/// Changes a pixel by at most ±2 levels, depending on its position in the grid: enough to break up the bands of a gradient.
fn dithered(pixel: [u8; 3], x: usize, y: usize) -> [u8; 3] {
    let shift = (BAYER[y % 4][x % 4] - 7) / 4;
    pixel.map(|c| (i16::from(c) + shift).clamp(0, 255) as u8)
}

fn encoding_error(path: &Path, error: EncodingError) -> ExportError {
    match error {
        EncodingError::Io(source) => ExportError::Io { path: path.to_owned(), source },
        other => ExportError::encode(path, other),
    }
}
