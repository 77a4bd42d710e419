//! A page for drawing a contour over the picture of a frame: one file without anything else, for any browser.

use crate::failure::Failure;
use serde_json::json;
use sinew_face::sketch::ImageCamera;
use sinew_scene::export::image::Image;
use std::path::Path;

const PAGE: &str = include_str!("sketch_page.html");

/// What the page shows.
pub struct Drawing<'a> {
    /// The picture of the frame.
    pub picture: &'a Image,
    /// The camera that took it.
    pub camera: &'a ImageCamera,
    /// Positions of the frame, #V.
    pub points: &'a [glam::DVec3],
    /// Vertices that a lip line may have.
    pub inner: &'a [u32],
    /// Files for the command that the page shows: frame, regions, camera.
    pub files: [String; 3],
}

/// Writes the page.
pub fn write(path: &Path, drawing: &Drawing<'_>) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Run(format!("{}: {error}", path.display()));
    // The picture goes through a file beside the page: that is what writes PNG.
    let beside = path.with_extension("png.part");
    drawing.picture.write_png(&beside).map_err(|error| failed(&error))?;
    let bytes = std::fs::read(&beside);
    let _ = std::fs::remove_file(&beside);
    let bytes = bytes.map_err(|error| failed(&error))?;
    let mut vertices = Vec::new();
    for &v in drawing.inner {
        let seen = drawing.camera.project(drawing.points[v as usize]).map_err(|error| failed(&error))?;
        if let Some(at) = seen {
            vertices.push(json!([v, (10.0 * at.x).round() / 10.0, (10.0 * at.y).round() / 10.0]));
        }
    }
    let [frame, regions, camera] = &drawing.files;
    let data = json!({
        "width": drawing.picture.width(),
        "height": drawing.picture.height(),
        "vertices": vertices,
        "frame": frame,
        "regions": regions,
        "camera": camera,
        "picture": base64(&bytes),
    });
    // Names of files may contain anything; a tag would end the script.
    let text = data.to_string().replace('<', "\\u003c");
    std::fs::write(path, PAGE.replace("@DATA@", &text)).map_err(|error| failed(&error))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let at = |k: usize| u32::from(three.get(k).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_that_of_the_standard() {
        let coded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(coded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
