//! Correcting by hand: what is drawn is seen, written and learned, and can be taken back.

use crate::performance;
use glam::{DVec2, DVec3};
use sinew_face::desk::{Desk, Side};
use sinew_face::mesh::{ObjFile, write_obj};
use sinew_face::sequence::Sequence;
use sinew_face::sketch::ImageCamera;
use sinew_face::{Model, Patch, Ridge, suggest};
use std::path::Path;
use std::sync::Arc;

const FRAMES: usize = 12;

fn camera() -> ImageCamera {
    let (eye, up) = (DVec3::new(0.0, 0.0, 30.0), DVec3::Y);
    ImageCamera { eye, look_at: DVec3::ZERO, up, fov_degrees: 25.0, size: (800.0, 600.0) }
}

fn desk(folder: &Path, out: Option<&Path>) -> Desk {
    let p = performance();
    let captured = folder.join("captured");
    std::fs::create_dir_all(&captured).unwrap();
    for (k, frame) in p.captured.iter().step_by(5).take(FRAMES).enumerate() {
        write_obj(&captured.join(format!("frame_{k:05}.obj")), frame, &p.triangles).unwrap();
    }
    let patch = Arc::new(Patch::new(&p.neutral, &p.triangles, p.regions).unwrap());
    let model = Model::new(patch, Ridge::None);
    let sequence = Sequence::open(&captured).unwrap();
    Desk::new(model, sequence, &folder.join("corrected"), out.map(Path::to_owned)).unwrap()
}

/// Draws a contour some pixels above a lip line.
fn draw(desk: &mut Desk, frame: usize, side: Side, above: f64) {
    let ring = desk.patch().regions().inner[0] / 32 + 2;
    let line = desk.keep_line(&[ring * 32 + 2, ring * 32 + 7, ring * 32 + 13]).unwrap();
    let shown = desk.show(frame, side).unwrap().points;
    let seen = |v: &u32| camera().project(shown[*v as usize]).unwrap().unwrap() - DVec2::new(0.0, above);
    let contour: Vec<DVec2> = desk.lines()[line].iter().map(seen).collect();
    desk.draw(frame, side, line, &camera(), &contour).unwrap();
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn what_is_drawn_is_written_and_learned_and_can_be_taken_back() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("face.lips");
    let mut desk = desk(place.path(), Some(&out));
    let captured = desk.show(4, Side::Captured).unwrap().points;
    let other = desk.show(7, Side::Captured).unwrap().points;
    assert_eq!(desk.show(4, Side::Corrected).unwrap().points, captured, "nothing is learned yet");
    draw(&mut desk, 4, Side::Captured, 8.0);
    draw(&mut desk, 4, Side::Corrected, 4.0);
    let drawn = desk.show(4, Side::Corrected).unwrap();
    assert!(drawn.strokes == 2 && !drawn.trained && drawn.moved > 0.0, "{drawn:?}");
    assert_eq!(desk.show(4, Side::Captured).unwrap().points, captured);
    desk.undo(4, false);
    let once = desk.show(4, Side::Corrected).unwrap();
    assert!(once.strokes == 1 && farthest(&once.points, &drawn.points) > 0.01);

    let written = desk.add(4, Side::Corrected).unwrap();
    assert_eq!(written.frame, place.path().join("corrected/frame_00004.obj"));
    assert_eq!(ObjFile::read(&written.frame).unwrap().points, once.points);
    let learned = desk.show(4, Side::Corrected).unwrap();
    assert!(learned.trained && learned.strokes == 0 && farthest(&learned.points, &once.points) < 1e-9);
    let followed = desk.show(7, Side::Corrected).unwrap().points;
    assert!(farthest(&followed, &other) > 1e-3);
    // The model in the file is the one that trains on the folder.
    let mut saved = other.clone();
    Model::load(&out).unwrap().apply("frame", &mut saved).unwrap();
    assert!(farthest(&saved, &followed) < 1e-9);

    // A better correction of the same frame replaces the first.
    draw(&mut desk, 4, Side::Corrected, 3.0);
    let better = desk.show(4, Side::Corrected).unwrap().points;
    desk.add(4, Side::Corrected).unwrap();
    assert_eq!((desk.trained(), desk.model().examples().len()), (vec![4], 1));
    assert!(farthest(&desk.show(4, Side::Corrected).unwrap().points, &better) < 1e-9);

    desk.remove(4).unwrap();
    assert!(!written.frame.exists() && desk.trained().is_empty());
    assert!(farthest(&desk.show(4, Side::Corrected).unwrap().points, &better) < 1e-9, "a draft again");
    assert_eq!(desk.show(7, Side::Corrected).unwrap().points, other);
    assert!(desk.remove(4).unwrap_err().to_string().contains("no training frame"));
}

#[test]
fn corrections_of_before_are_learned_and_not_deleted() {
    let place = tempfile::tempdir().unwrap();
    let mut first = desk(place.path(), None);
    draw(&mut first, 2, Side::Captured, 6.0);
    first.add(2, Side::Corrected).unwrap();
    let then = first.show(9, Side::Corrected).unwrap().points;
    drop(first);
    let mut desk = desk(place.path(), None);
    assert_eq!(desk.trained(), [2]);
    assert_eq!(desk.show(9, Side::Corrected).unwrap().points, then);
    assert!(desk.remove(2).unwrap_err().to_string().contains("was there before"));
    // What is suggested is what `suggest` says, and a frame that is explained is not.
    let survey = desk.survey(3).unwrap();
    let said = suggest(desk.patch(), Some(desk.model()), desk.sequence(), 3).unwrap();
    assert_eq!(survey.suggestions, said);
    assert!(survey.unexplained.len() == FRAMES && survey.unexplained[2] < 1e-6, "{survey:?}");
    assert!(survey.suggestions.iter().all(|s| s.frame != 2));
}

#[test]
fn what_cannot_be_is_said() {
    let place = tempfile::tempdir().unwrap();
    let mut desk = desk(place.path(), None);
    assert!(desk.keep_line(&[0, 1]).unwrap_err().to_string().contains("leaves the region"));
    let contour = [DVec2::ZERO, DVec2::ONE];
    let none = desk.draw(0, Side::Captured, 0, &camera(), &contour).unwrap_err();
    assert!(none.to_string().contains("choose a lip line"));
    assert!(desk.show(99, Side::Captured).unwrap_err().to_string().contains("no frame 99"));
    let model = desk.model().clone();
    let captured = place.path().join("captured");
    let sequence = Sequence::open(&captured).unwrap();
    let same = Desk::new(model, sequence, &captured, None).unwrap_err();
    assert!(same.to_string().contains("name another folder"), "{same}");
}

#[test]
fn an_example_that_is_taken_out_leaves_the_model_of_the_others() {
    let p = performance();
    let patch = Arc::new(Patch::new(&p.neutral, &p.triangles, p.regions.clone()).unwrap());
    let of = |frames: &[usize]| {
        let mut model = Model::new(patch.clone(), Ridge::None);
        frames.iter().for_each(|&k| model.add(&format!("frame {k}"), &p.truth[k]).unwrap());
        model
    };
    let (mut four, three) = (of(&[5, 20, 33, 47]), of(&[5, 33, 47]));
    four.remove(1);
    four.remove(9);
    let (mut a, mut b) = (p.captured[11].clone(), p.captured[11].clone());
    four.apply("frame", &mut a).unwrap();
    three.apply("frame", &mut b).unwrap();
    assert_eq!(a, b);
}
