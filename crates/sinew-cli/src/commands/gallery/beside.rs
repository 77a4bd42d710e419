//! The same scene in other simulators: a picture at the same moment and an animation of the same seconds, by the same camera.

use super::card::{ANIMATION, RATE, SECONDS};
use crate::failure::Failure;
use crate::source::Source;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use sinew_bench::peers::{self, Folder};
use sinew_scene::build::BuiltScene;
use sinew_scene::builtin;
use sinew_scene::export::ExportError;
use sinew_scene::export::animation::GifWriter;
use sinew_scene::export::render::Backdrop;
use sinew_scene::run::{Moment, OutputError, Picture};
use std::path::Path;

/// Time limit of another simulator, s.
const BUDGET: f64 = 120.0;
/// The pictures: the end of the name of the file, and what is behind the bodies.
const PICTURES: [(&str, Backdrop); 2] = [("", Backdrop::Light), ("-dark", Backdrop::Dark)];
/// Their size, pixels.
const SIZE: (u32, u32) = (400, 250);

/// What another simulator made of a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    pub name: String,
    pub configuration: String,
    /// The name of its pictures and its animation, without their ends.
    pub file: String,
}

/// Draws what other simulators make of a scene, where they have it and can be run; `peers` is their folder, and whether to install and run them. One that
/// fails is left out, with a line that says why.
pub fn draw(
    source: &Source,
    folder: &Path,
    (peers, run): (&Path, bool),
    quiet: bool,
) -> Result<Vec<Beside>, Failure> {
    let used = run || Folder::is_in_use(peers);
    let shipped = builtin::find(&source.name).is_some_and(|known| known.text == source.text());
    if !shipped || !peers::shared(&source.name) || !used {
        return Ok(Vec::new());
    }
    let built = source.build(&[])?;
    let found = Folder::open(peers)
        .and_then(|peers| peers::beside(&peers, &source.name, built.scene.frames, run, BUDGET))
        .map_err(|error| Failure::Run(error.to_string()))?;
    let mut all = Vec::new();
    for other in found {
        match &other.frames {
            Ok(frames) => {
                let file: String = other
                    .name
                    .chars()
                    .take_while(char::is_ascii_alphanumeric)
                    .collect::<String>()
                    .to_lowercase();
                pictures(&built, frames, folder, &file)?;
                all.push(Beside {
                    name: other.name.to_owned(),
                    configuration: other.configuration.to_owned(),
                    file,
                });
            }
            Err(why) if run && !quiet => {
                crate::console::remark(format_args!("{} in {}: {why}", source.name, other.name));
            }
            Err(_) => {}
        }
    }
    Ok(all)
}

/// The moment that the scene asks for, and an animation of the beginning.
fn pictures(built: &BuiltScene, frames: &[Vec<DVec3>], folder: &Path, file: &str) -> Result<(), Failure> {
    let export = |error: ExportError| Failure::from(OutputError::from(error));
    let (model, h) = (built.model(), built.settings().h);
    let mut moment = Moment::of(&built.state);
    let mut show = |picture: &mut Picture, x: &[DVec3]| {
        // What is no longer finite stays as it was last.
        if x.len() == moment.positions.len() && x.iter().all(|p| p.is_finite()) {
            moment.positions.copy_from_slice(x);
        }
        picture.draw_moment(model, &moment)
    };
    let last = frames.len().saturating_sub(1);
    let at = |time: f64| &frames[((time / h).round() as usize).min(last)];
    let pictured = built.scene.render.picture.unwrap_or(last as f64 * h);
    for (ending, backdrop) in PICTURES {
        let mut picture = Picture::against(backdrop, built, "", SIZE).map_err(export)?;
        let image = show(&mut picture, at(pictured)).map_err(export)?;
        image.write_png(folder.join(format!("{file}{ending}.png"))).map_err(export)?;
    }
    let mut picture = Picture::sized(built, "", ANIMATION).map_err(export)?;
    let path = folder.join(format!("{file}.gif"));
    let mut gif = GifWriter::create(path, ANIMATION.0, ANIMATION.1, RATE).map_err(export)?;
    let seconds = (last as f64 * h).min(SECONDS);
    for k in 0..=(seconds * RATE) as usize {
        gif.add(&show(&mut picture, at(k as f64 / RATE)).map_err(export)?).map_err(export)?;
    }
    gif.finish().map_err(export)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of other programs have another precision than ours, also where vertices are pinned.
    #[test]
    fn frames_are_drawn_although_pinned_vertices_are_rounded() {
        let built = Source::load("peers-bar").unwrap().build(&[]).unwrap();
        let rounded = |by: f64| {
            let x = built.state.positions().iter();
            x.map(|p| (*p - DVec3::Y * by * (p.x + 1.0)).as_vec3().as_dvec3()).collect::<Vec<_>>()
        };
        let folder = std::env::temp_dir().join(format!("sinew-beside-pictures-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let drawn = |by: f64| {
            pictures(&built, &[rounded(0.0), rounded(by)], &folder, "other").unwrap();
            std::fs::read(folder.join("other-dark.png")).unwrap()
        };
        assert_ne!(drawn(0.0), drawn(0.5));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
