//! Several runs at once, and an animation that shows them next to each other.

use crate::drive::Ending;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use sinew_scene::export::animation::GifWriter;
use sinew_scene::export::image::Image;
use sinew_scene::run::{Output, OutputError, Picture, Run};
use std::path::Path;

/// Steps all runs to their ends, in turn, such that they are at the same time when a frame is drawn.
///
/// A run that fails stays where it is while the others go on.
pub fn side_by_side(
    runs: &mut [Run],
    mut outputs: Vec<Output>,
    path: &Path,
    interrupt: &Interrupt,
    quiet: bool,
) -> Result<Ending, Failure> {
    let pictures = runs.iter().map(|run| Picture::new(run.scene(), run.name()));
    let mut pictures = pictures.collect::<Result<Vec<_>, _>>().map_err(OutputError::from)?;
    let image = drawn(&mut pictures, runs)?;
    // The first sets the pace: its frames are those of the animation.
    let Some(step) = runs.first().map(|run| run.scene().settings().h) else { return Ok(Ending::Complete) };
    let fps = (1.0 / step).clamp(0.1, 1000.0);
    let mut gif = GifWriter::create(path, image.width(), image.height(), fps).map_err(OutputError::from)?;
    gif.add(&image).map_err(OutputError::from)?;
    for (run, output) in runs.iter().zip(&mut outputs) {
        output.frame(run)?;
    }
    let all = runs.iter().map(Run::frames).sum();
    let mut progress = Progress::new("side by side", 0, all, quiet);
    let (mut frame, mut ending) = (0.0, Ending::Complete);
    while !runs.iter().all(Run::is_over) {
        if interrupt.is_pressed() {
            ending = Ending::Interrupted;
            break;
        }
        frame += 1.0;
        for (run, output) in runs.iter_mut().zip(&mut outputs) {
            let half = 0.5 * run.scene().settings().h;
            while !run.is_over() && run.state().time() + half < frame * step {
                if run.step().is_ok() {
                    output.frame(run)?;
                }
            }
        }
        gif.add(&drawn(&mut pictures, runs)?).map_err(OutputError::from)?;
        progress.reach(runs.iter().map(Run::frame).sum());
    }
    progress.finish();
    gif.finish().map_err(OutputError::from)?;
    for (run, output) in runs.iter().zip(outputs) {
        output.finish(run)?;
    }
    Ok(ending)
}

fn drawn(pictures: &mut [Picture], runs: &[Run]) -> Result<Image, Failure> {
    let images =
        pictures.iter_mut().zip(runs).map(|(picture, run)| picture.draw(run.scene().model(), run.state()));
    let images = images.collect::<Result<Vec<_>, _>>().map_err(OutputError::from)?;
    Ok(Image::beside(&images).map_err(OutputError::from)?)
}
