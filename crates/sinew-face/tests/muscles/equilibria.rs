//! The head at rest and in poses: no saddles, no inverted elements within the stated range.

use super::head;
use glam::DVec3;
use sinew_face::muscles::{Blend, Drive, Face, Hold, Jaw, Precision, System};

fn pose(a: &[[f64; 6]], jaw: Jaw) -> sinew_face::muscles::Balance {
    let (face, system) = head();
    let drive = Drive { activations: system.blended(&face.blend, a), jaw, forces: Vec::new() };
    system.equilibrium(&drive, &system.points_at_rest(), &Precision::default()).unwrap()
}

#[test]
fn the_head_is_a_face() {
    let (face, system) = head();
    println!(
        "{} vertices, {} free, {} tetrahedra, {} elements, {} scanned, {} skin triangles, {} notes",
        face.points.len(),
        face.free(),
        face.tets.len(),
        face.elements,
        face.scanned.len(),
        face.skin,
        face.notes.len()
    );
    assert_eq!(face.muscles.len(), 25);
    assert_eq!(face.muscles.iter().filter(|m| m.ring).count(), 3, "eyes and mouth");
    assert!(face.holds.contains(&Hold::Jaw) && face.holds.contains(&Hold::Skull) && face.scanned.len() > 200);
    let (sum, least) = face.blend.faults();
    assert!(sum < 1e-12 && least >= 0.0);
    assert_eq!(system.inverted(&face.points), 0);
    // Rest is an equilibrium, exactly.
    let rest = pose(&face.passive(), Jaw::default());
    let moved = rest.x.iter().zip(&face.points).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(moved < 1e-12, "{moved}");
    // The file brings the same face back.
    let again = Face::from_text(&face.to_text()).unwrap();
    assert_eq!(again.points, face.points);
    assert!(again.blend.distance(&face.blend) < 1e-12);
}

#[test]
fn contractions_and_open_jaws_invert_nothing_and_end_in_no_saddle() {
    let (face, _) = head();
    let mut worst = 0;
    for length in [0.8, 0.5] {
        for open in [0.0, 9.0 / 70.0] {
            let a: Vec<_> = face.muscles.iter().map(|m| m.contracted(length)).collect();
            let balance = pose(&a, Jaw { open, ..Jaw::default() });
            println!(
                "contraction {length}, opening {open:.3}: {} steps, {} factorisations, {} saddles left, {} inverted",
                balance.iterations, balance.factorisations, balance.saddles, balance.inverted
            );
            worst = worst.max(balance.inverted);
        }
    }
    assert_eq!(worst, 0);
}

#[test]
fn an_open_jaw_parts_the_lips_and_a_smile_pulls_their_corners_up() {
    let (face, _) = head();
    let open = pose(&face.passive(), Jaw { open: 9.0 / 70.0, ..Jaw::default() });
    // Vertices of the cut were in one place; now some of them are millimetres apart.
    let inner: Vec<u32> = face.surface[face.skin..].iter().flatten().copied().collect();
    let gap = inner
        .iter()
        .flat_map(|&a| inner.iter().map(move |&b| (a as usize, b as usize)))
        .filter(|(a, b)| face.points[*a] == face.points[*b])
        .map(|(a, b)| open.x[a].distance(open.x[b]))
        .fold(0.0, f64::max);
    println!("lips part by {:.2} mm", 1e3 * gap);
    assert!(gap > 0.003, "{gap}");
    let mut a = face.passive();
    for (j, m) in face.muscles.iter().enumerate().filter(|(_, m)| m.name.contains("zygomaticus major")) {
        a[j] = m.contracted(0.6);
    }
    let smile = pose(&a, Jaw::default());
    let corner = (face.scanned.iter().copied())
        .min_by(|a, b| {
            let far = |v: &u32| {
                let p = face.points[*v as usize];
                let mouth = DVec3::new(0.078 * 0.209, face.points[inner[0] as usize].y, 0.4 * 0.209);
                (p - mouth).length()
            };
            far(a).total_cmp(&far(b))
        })
        .unwrap() as usize;
    let up = smile.x[corner] - face.points[corner];
    println!("corner of the mouth: {:?} mm", 1e3 * up);
    assert!(up.y > 0.0);
}

#[test]
fn fatness_swells_passive_tissue_and_no_muscle() {
    let (face, _) = head();
    let volumes = |fat: f64, blend: &Blend| {
        let system = System::new(face, fat).unwrap();
        let drive = Drive {
            activations: system.blended(blend, &face.passive()),
            jaw: Jaw::default(),
            forces: Vec::new(),
        };
        let x = system.equilibrium(&drive, &face.points, &Precision::default()).unwrap().x;
        let [passive, muscle] = face.volumes(&x);
        (passive, muscle)
    };
    let all: Vec<_> = [0.9, 1.0, 1.1, 1.2].map(|f| (f, volumes(f, &face.blend))).to_vec();
    let rest = all[1].1;
    for (f, (passive, muscle)) in &all {
        println!("f = {f}: passive tissue {:.3}, muscles {:.3}", passive / rest.0, muscle / rest.1);
    }
    assert!(all.windows(2).all(|w| w[1].1.0 > w[0].1.0));
    let (_, last) = all[3];
    assert!((last.1 / rest.1 - 1.0).abs() < 0.35 * (last.0 / rest.0 - 1.0), "muscles change far less");
}
