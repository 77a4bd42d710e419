//! What users get wrong, and the sentence they see.

use super::head;
use glam::DVec3;
use sinew_face::muscles::fit::{Observation, Pose, Stop, Target, Weights, fit_activations};
use sinew_face::muscles::{Anatomy, Face, MakeOptions};

const COARSE: MakeOptions = MakeOptions { size: 0.016, neighbourhood: 0.01, young: 10_000.0, poisson: 0.4 };

fn refusal(anatomy: &Anatomy) -> String {
    Face::make(anatomy, &COARSE).unwrap_err().to_string()
}

#[test]
fn heads_without_parts_are_refused() {
    let whole = Anatomy::head();
    let mut head = whole.clone();
    head.jaw.clear();
    assert!(refusal(&head).contains("no jaw"));
    head = whole.clone();
    head.skull.clear();
    assert!(refusal(&head).contains("no skull"));
    head = whole.clone();
    head.muscles.clear();
    assert!(refusal(&head).contains("no muscles"));
    head = whole;
    head.muscles[3].points.iter_mut().for_each(|p| *p += DVec3::new(0.5, 0.0, 0.0));
    let said = refusal(&head);
    assert!(said.contains(&head.muscles[3].name) && said.contains("outside the flesh"), "{said}");
}

#[test]
fn scans_that_do_not_fit_are_refused_and_neutral_ones_give_rest() {
    let (face, system) = head();
    let seen = Observation::vertices(&face.scanned);
    let rest = Pose::rest(system, &face.blend, face.muscles.len()).unwrap();
    let fit = |target: &Target| {
        fit_activations(system, &face.blend, &seen, target, &rest, &Weights::default(), &Stop::default())
    };
    let short = Target { name: "scan".into(), points: vec![DVec3::ZERO; 5] };
    assert!(fit(&short).unwrap_err().to_string().contains("5 points"));
    let neutral = Target { name: "neutral".into(), points: seen.see(&face.points) };
    let pose = fit(&neutral).unwrap();
    let moved = pose
        .activations
        .iter()
        .zip(face.passive())
        .flat_map(|(a, b)| (0..6).map(move |k| (a[k] - b[k]).abs()));
    assert!(moved.fold(0.0, f64::max) < 1e-9);
    // In another unit, nothing is near.
    let centimetres: Vec<DVec3> = face.points.iter().map(|p| 100.0 * *p).collect();
    assert!(Observation::nearest(face, &centimetres, 0.01).unwrap_err().to_string().contains("unit"));
}

#[test]
fn damaged_files_are_refused_with_the_reason() {
    let (face, _) = head();
    let text = face.to_text();
    let said = |text: &str| Face::from_text(text).unwrap_err();
    assert!(said("hello").contains("no face"));
    assert!(said("sinew-face 9\n").contains("version 9"));
    assert!(said(&text.replacen("\nv ", "\nv x", 1)).contains("line"));
    assert!(said(&text.replacen(" jaw\n", " skull\n", usize::MAX)).contains("no jaw"));
    assert!(said(&text[..text.len() / 2]).len() > 10);
}
