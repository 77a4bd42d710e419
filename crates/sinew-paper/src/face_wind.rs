//! Wind on a face \[dinev2020, Fig. 3.2, 3.30 and 4.7\]: backward Euler alone takes the motion away, energy projection keeps it.
//!
//! Both figures run the built-in scene `face-wind`; the first without its expressions. What counts is the speed of the skin after the first half second, when the pull of
//! gravity and the onset of the wind are over: its root mean square over the skin, because single vertices of the coarse head snap to and fro and make the largest speed that of a fault of the mesh.

use super::{Document, Finding, Length, Outcome, Study};
use sinew::DVec3;
use sinew_face::muscles::Face;
use sinew_face::muscles::picture::FaceStudio;
use sinew_face::picture::sheet;
use sinew_scene::build;
use sinew_scene::builtin;
use sinew_scene::export::image::Image;
use sinew_scene::export::plot::{Figure, Plot, Series};
use sinew_scene::face;
use sinew_scene::format::{Override, parse};
use std::path::Path;

/// The onset, s.
const ONSET: f64 = 0.5;
/// Pictures of a run.
const PICTURES: usize = 4;

pub(super) const FACE_FIG330: Study = Study {
    id: "face-fig3.30",
    title: "a face at rest in the wind, backward Euler alone and with energy projection",
    document: Document::Dissertation,
    figure: "Fig. 3.2, 3.30",
    claim: "Backward Euler damps out all of the detail, leaving an almost static image; with FEPR and damping the motion is vivid.",
    run: |length| compared(length, false),
};

pub(super) const FACE_FIG47: Study = Study {
    id: "face-fig4.7",
    title: "an animated face in the wind",
    document: Document::Dissertation,
    figure: "Fig. 4.7",
    claim: "Wind causes the flesh to deform and jiggle while still making the correct expressions.",
    run: |length| compared(length, true),
};

/// The motion of the skin in one run.
struct Blown {
    /// Root mean square of the speed of the skin by time, (s, m/s).
    speed: Vec<(f64, f64)>,
    /// Largest speed of a vertex of the skin after the onset, m/s.
    fastest: f64,
    /// Largest distance of a vertex from rest, m.
    furthest: f64,
    /// Largest |H − H_total| over the largest H.
    drift: f64,
    images: Vec<Image>,
}

impl Blown {
    fn peak(&self) -> f64 {
        self.speed.iter().filter(|(time, _)| *time > ONSET).map(|(_, speed)| *speed).fold(0.0, f64::max)
    }
}

fn run(
    face: &Face,
    studio: &FaceStudio,
    set: &[&str],
    animated: bool,
    frames: usize,
) -> Result<Blown, String> {
    let scene = builtin::find("face-wind").ok_or("the scene `face-wind` is missing")?;
    let overrides: Result<Vec<_>, _> = set.iter().map(|text| Override::parse(text)).collect();
    let overrides = overrides.map_err(|error| error.to_string())?;
    let mut parsed = parse(scene.text, "face-wind", &overrides).map_err(|error| error.to_string())?;
    if !animated {
        parsed.scene.bodies.iter_mut().for_each(|body| body.expressions.clear());
    }
    let mut scene = build::build(&parsed, Path::new("")).map_err(|error| error.to_string())?;
    let mut blown = Blown { speed: Vec::new(), fastest: 0.0, furthest: 0.0, drift: 0.0, images: Vec::new() };
    let (mut off, mut most) = (0.0_f64, f64::MIN_POSITIVE);
    for frame in 1..=frames {
        scene.step(|_| Ok(()), &mut |_| ()).map_err(|error| error.to_string())?;
        let state = &scene.state;
        let squares = face.scanned.iter().map(|&v| state.velocities()[v as usize].length_squared());
        let (sum, most_of_all) = squares.fold((0.0, 0.0_f64), |(sum, most), v| (sum + v, most.max(v)));
        blown.speed.push((state.time(), (sum / face.scanned.len().max(1) as f64).sqrt()));
        if state.time() > ONSET {
            blown.fastest = blown.fastest.max(most_of_all.sqrt());
        }
        let x: &[DVec3] = state.positions();
        let far = face.scanned.iter().map(|&v| x[v as usize].distance(face.points[v as usize]));
        blown.furthest = blown.furthest.max(far.fold(0.0, f64::max));
        off = off.max((state.ledger().energy() - state.ledger().target()).abs());
        most = most.max(state.ledger().energy().abs());
        if frame % frames.div_ceil(PICTURES) == 0 || frame == frames {
            let caption = format!("{:.2} s", state.time());
            blown.images.push(studio.face(x, &caption).map_err(|error| error.to_string())?);
        }
    }
    blown.drift = off / most;
    blown.images.truncate(PICTURES);
    Ok(blown)
}

fn compared(length: Length, animated: bool) -> Result<Outcome, String> {
    let face = Face::from_text(&face::built_in()?.to_text())?;
    let studio = FaceStudio::new(&face, (240, 280));
    let frames = length.pick(120, 240);
    let alone = run(&face, &studio, &["correction.kind=none"], animated, frames)?;
    let kept = run(&face, &studio, &[], animated, frames)?;
    let ratio = kept.peak() / alone.peak().max(f64::MIN_POSITIVE);
    let mut finding = Finding::default()
        .number("peak of the mean speed of the skin, backward Euler alone (m/s)", None, alone.peak())
        .number("peak of the mean speed of the skin, with FEPR and damping (m/s)", None, kept.peak())
        .number("ratio", None, ratio)
        .number("fastest vertex, backward Euler alone (m/s)", None, alone.fastest)
        .number("fastest vertex, with FEPR and damping (m/s)", None, kept.fastest)
        .number("furthest from rest, backward Euler alone (mm)", None, 1e3 * alone.furthest)
        .number("furthest from rest, with FEPR and damping (mm)", None, 1e3 * kept.furthest)
        .number("largest |H − H_total| over the largest H, with FEPR", None, kept.drift)
        .claim(ratio > 1.5, "with FEPR the skin moves faster than with backward Euler alone")
        .claim(kept.furthest < 0.06, "the motion stays bounded: within 6 cm of rest");
    if animated {
        let still = run(&face, &studio, &["correction.kind=none", "wind.velocity=[0, 0, 0]"], true, frames)?;
        finding = finding
            .number(
                "peak of the mean speed of the skin without wind, backward Euler (m/s)",
                None,
                still.peak(),
            )
            .claim(kept.peak() > still.peak(), "wind adds motion to the expressions");
    }
    let series = vec![
        Series::new("backward Euler", alone.speed.clone()),
        Series::new("with FEPR and damping", kept.speed.clone()),
    ];
    let plot = Plot {
        x_label: "time (s)".into(),
        y_label: "root mean square of the speed of the skin (m/s)".into(),
        series,
        ..Plot::default()
    };
    let images = [alone.images, kept.images].concat();
    let picture = sheet(&images, PICTURES).map_err(|error| error.to_string())?;
    Ok(Outcome { finding, plot: Some(Figure { panels: vec![plot] }), picture: Some(picture) })
}
