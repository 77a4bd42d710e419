//! The built-in head warped to scans, and what users get wrong with landmarks and scans.

use super::head;
use glam::{DMat3, DVec3};
use sinew_face::muscles::fit::{Observation, Prepared, Stop, Weights, fit_closest};
use sinew_face::muscles::ict::IctScans;
use sinew_face::muscles::person::{TRAINED, person};
use sinew_face::muscles::transfer::{TransferOptions, transfer};
use sinew_face::muscles::{Anatomy, Face, Jaw, MakeOptions, Pair, Scan, System, parse_pairs};

/// A subject: the head, bent, with the skin as its scan.
fn subject() -> (Scan, impl Fn(DVec3) -> DVec3) {
    let (face, _) = head();
    let bend = |p: DVec3| {
        let wide = DVec3::new(1.08 * p.x, 0.95 * p.y + 0.004 * (25.0 * p.z).sin(), 1.05 * p.z);
        DMat3::from_rotation_y(0.1) * wide + DVec3::new(0.3, -0.1, 0.05)
    };
    let points = face.points.iter().map(|p| bend(*p)).collect();
    (Scan { points, triangles: face.surface[..face.skin].to_vec() }, bend)
}

fn pairs(bend: impl Fn(DVec3) -> DVec3) -> Vec<Pair> {
    let marks = &head().0.landmarks;
    marks.iter().map(|m| Pair { name: m.name.clone(), from: m.point, to: bend(m.point) }).collect()
}

#[test]
fn a_head_is_warped_onto_a_bent_copy_of_itself() {
    let (face, _) = head();
    let (scan, bend) = subject();
    let done = transfer(face, &pairs(&bend), &scan, &TransferOptions::default()).unwrap();
    let off = |v: &u32| 1e3 * done.face.points[*v as usize].distance(bend(face.points[*v as usize]));
    let mean = face.scanned.iter().map(off).sum::<f64>() / face.scanned.len() as f64;
    let distance = 1e3 * done.distances.iter().sum::<f64>() / done.distances.len() as f64;
    println!(
        "{mean:.3} mm from the truth, {distance:.4} mm from the scan, skin {:?}, least volume {:.2}",
        done.skin, done.least_volume
    );
    assert!(mean < 1.0 && distance < 0.1 && done.smoothing == 0.0);
    assert!(done.skin[0] > 9 * done.skin[1]);
    assert_eq!(System::new(&done.face, 1.0).unwrap().inverted(&done.face.points), 0);
    assert!(done.face.hinge.distance(bend(face.hinge)) < 0.004);
    assert_eq!((done.face.blend.clone(), done.face.tets.clone()), (face.blend.clone(), face.tets.clone()));
    // The file keeps the landmarks, for another transfer.
    let again = Face::from_text(&done.face.to_text()).unwrap();
    assert_eq!(again.landmarks, done.face.landmarks);
}

#[test]
fn wrong_landmarks_are_refused_with_a_sentence() {
    let (face, _) = head();
    let (scan, bend) = subject();
    let said =
        |pairs: &[Pair]| transfer(face, pairs, &scan, &TransferOptions::default()).unwrap_err().to_string();
    let good = pairs(&bend);
    assert!(said(&good[..3]).contains("at least four"));
    let swapped: Vec<Pair> = pairs(|p| bend(DVec3::new(-p.x, p.y, p.z)));
    assert!(said(&swapped).contains("left and right"), "{}", said(&swapped));
    let centimetres: Vec<Pair> = pairs(|p| 100.0 * bend(p));
    assert!(said(&centimetres).contains("unit"));
    let elsewhere: Vec<Pair> = pairs(|p| bend(p) + DVec3::X);
    assert!(said(&elsewhere).contains("within 20 mm"));
    let inside_out =
        Scan { triangles: scan.triangles.iter().map(|t| [t[0], t[2], t[1]]).collect(), ..scan.clone() };
    let refusal = transfer(face, &good, &inside_out, &TransferOptions::default()).unwrap_err().to_string();
    assert!(refusal.contains("face outwards"));

    let read = |text: &str| parse_pairs(text, face, &scan.points, 0.01);
    assert_eq!(read("nose tip = 3\n# remark\nchin = 1 2 3\n0 0 0.1 = 5").unwrap().len(), 3);
    assert_eq!(read("chin = 1 2 3").unwrap()[0].to, DVec3::new(0.01, 0.02, 0.03));
    assert!(read("nose = 3").unwrap_err().contains("nose tip"));
    assert!(read("nose tip = 99999999").unwrap_err().contains("no vertex"));
    assert!(read("nose tip 3").unwrap_err().contains("line 1"));
    assert!(read("nose tip = 3\nnose tip = 4").unwrap_err().contains("line 1"));
    assert!(read("nose tip = 3\nchin = 3").unwrap_err().contains("same place"));
}

#[test]
fn scans_of_another_topology_are_fitted_by_closest_places() {
    let (face, system) = head();
    let seen = Observation::vertices(&face.scanned);
    let prepared = Prepared::new(system, &face.blend, &seen, face.muscles.len()).unwrap();
    let pose = {
        let a = sinew_face::muscles::Expression::parse(face, "zygomaticus major=0.7,frontalis=0.7").unwrap();
        let jaw = Jaw { open: 0.04, ..Jaw::default() };
        sinew_face::muscles::fit::Pose::at(system, &face.blend, a.activations, jaw, &face.points).unwrap()
    };
    // The same skin, every triangle divided in three and in another order.
    let (mut points, mut triangles) = (pose.balance.x.clone(), Vec::new());
    for t in face.surface[..face.skin].iter().rev() {
        let middle = points.len() as u32;
        points.push(t.iter().map(|v| pose.balance.x[*v as usize]).sum::<DVec3>() / 3.0);
        (0..3).for_each(|k| triangles.push([t[k], t[(k + 1) % 3], middle]));
    }
    let scan = Scan { points, triangles };
    let how = (&Weights::default(), &Stop::default());
    let done = fit_closest(face, &prepared, &seen, ("scan", &scan), 0.015, how).unwrap();
    let mean = |list: Vec<f64>| list.iter().sum::<f64>() / list.len() as f64;
    let truth = sinew_face::muscles::fit::Target { name: "truth".into(), points: seen.see(&pose.balance.x) };
    let (before, after) =
        (mean(seen.errors(&face.points, &truth)), mean(seen.errors(&done.pose.balance.x, &truth)));
    let along = mean(seen.errors(&done.pose.balance.x, &done.target));
    println!("{before:.3} mm moved, {after:.3} mm from the truth, {along:.3} mm from the scan");
    // The surface is met; along it, skin slides (docs/faces.md).
    assert!(after < before && along < 0.2 * before);
    let far = Scan { points: scan.points.iter().map(|p| *p + DVec3::X).collect(), ..scan };
    let said = fit_closest(face, &prepared, &seen, ("scan", &far), 0.015, how).unwrap_err().to_string();
    assert!(said.contains("place and unit"), "{said}");
}

/// With `SINEW_DATA`: the ICT FaceKit's face. `sinew paper face-scans --full` measures finer heads.
#[test]
fn expressions_of_a_person_are_fitted_nearer_than_the_face_at_rest() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        println!("skipped: SINEW_DATA does not name the folder of the test data");
        return;
    };
    let scans = IctScans::load(&std::path::Path::new(&data).join("face")).unwrap();
    let face = Face::make(&Anatomy::head(), &MakeOptions { size: 0.016, ..MakeOptions::default() }).unwrap();
    let all = person(&face, &scans, &mut |_| true).unwrap();
    for row in &all.rows {
        println!(
            "{}: {:.3} mm moved, {:.3} → {:.3} mm, {} inverted",
            row.name, row.displacement, row.initial, row.fitted, row.inverted
        );
    }
    let mean = |trained: bool, of: fn(&sinew_face::muscles::person::Row) -> f64| {
        let list: Vec<f64> = all.rows.iter().filter(|r| r.trained == trained).map(of).collect();
        list.iter().sum::<f64>() / list.len() as f64
    };
    let fitted = [true, false].map(|trained| mean(trained, |r| r.fitted));
    let moved = [true, false].map(|trained| mean(trained, |r| r.displacement));
    println!("{fitted:?} mm of {moved:?} mm, trained and unseen");
    assert_eq!((all.rows.iter().filter(|r| r.trained).count(), all.rows.len()), (TRAINED.len(), 23));
    assert_eq!(System::new(&all.transferred.face, 1.0).unwrap().inverted(&all.transferred.face.points), 0);
    assert!(fitted[0] < moved[0] && fitted[1] < moved[1]);
}
