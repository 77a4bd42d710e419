//! Lips do not cross, teeth stop the jaw, wind pushes, and blendshapes are mixed by what muscles do.

use super::head;
use glam::DVec3;
use sinew_face::muscles::{
    Balance, Blendshapes, CROSSING, Drive, Expression, Jaw, Mouth, Precision, Touch, jaw_of,
};

fn pose(expression: &Expression, mouth: Option<&Mouth>, wind: DVec3) -> (Balance, Touch) {
    let (face, system) = head();
    let activations = system.blended(&face.blend, &expression.activations);
    let drive = Drive { activations, jaw: expression.jaw, forces: Vec::new() };
    let start = system.placed(&expression.jaw);
    let forces = |x: &[DVec3]| if wind == DVec3::ZERO { Vec::new() } else { system.wind(face, x, wind) };
    system.equilibrium_in_contact(&drive, &start, &Precision::default(), mouth, &forces).unwrap()
}

fn apart(a: &Balance, b: &Balance) -> f64 {
    a.x.iter().zip(&b.x).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn lips_press_on_each_other_and_do_not_cross() {
    let (face, _) = head();
    let mouth = Mouth::new(face);
    for list in ["orbicularis oris=0.6", "mentalis=0.5,orbicularis oris=0.7", "depressor anguli oris=0.6"] {
        let (_, touch) = pose(&Expression::parse(face, list).unwrap(), Some(&mouth), DVec3::ZERO);
        println!("{list}: {touch:?}");
        assert!(touch.depth <= CROSSING, "{list}: {touch:?}");
    }
    // As far closed as the teeth let it.
    let mut closed = Expression::rest(face);
    let (jaw, share) = mouth.stopped(face, jaw_of(&[-5.0]));
    closed.jaw = jaw;
    let (balance, touch) = pose(&closed, Some(&mouth), DVec3::ZERO);
    println!("closed: the teeth allow {share:.3}; {touch:?}");
    assert!(share > 0.0 && share < 1.0);
    assert!(touch.depth_before > 5e-4 && touch.depth <= CROSSING && touch.force > 0.1, "{touch:?}");
    assert_eq!(balance.inverted, 0);
}

#[test]
fn an_open_mouth_is_nearly_as_without_contact_and_the_teeth_let_it_open() {
    let (face, _) = head();
    let mouth = Mouth::new(face);
    let mut open = Expression::rest(face);
    open.jaw = jaw_of(&[7.0]);
    assert_eq!(mouth.stopped(face, open.jaw), (open.jaw, 1.0));
    let (with, touch) = pose(&open, Some(&mouth), DVec3::ZERO);
    let (without, _) = pose(&open, None, DVec3::ZERO);
    // Only beside the folds at its corners something may touch.
    let apart = apart(&with, &without);
    println!("open: {touch:?}, {:.3} mm from that without contact", 1e3 * apart);
    assert!(touch.depth <= CROSSING && touch.vertices < 6 && apart < 5e-4, "{apart} {touch:?}");
    assert_eq!(mouth.stopped(face, Jaw::default()).1, 1.0);
}

#[test]
fn wind_pushes_the_face_to_where_it_blows() {
    let (face, _) = head();
    let rest = Expression::rest(face);
    let (still, _) = pose(&rest, None, DVec3::ZERO);
    let (blown, touch) = pose(&rest, None, DVec3::new(25.0, 0.0, 0.0));
    let mean = face.scanned.iter().map(|&v| (blown.x[v as usize] - still.x[v as usize]).x).sum::<f64>()
        / face.scanned.len() as f64;
    println!("25 m/s from the side: {:.3} mm in the mean, {} rounds", 1e3 * mean, touch.rounds);
    assert!(mean > 1e-5 && touch.rounds > 0 && touch.rounds < 20);
}

#[test]
fn blendshapes_come_back_and_are_mixed_by_activations() {
    let (face, _) = head();
    let mut shapes = Blendshapes { names: Vec::new(), expressions: Vec::new(), positions: Vec::new() };
    for name in ["smile", "jawOpen"] {
        let expression = Expression::named(face, name).unwrap();
        shapes.positions.push(pose(&expression, None, DVec3::ZERO).0.x);
        shapes.names.push(name.to_owned());
        shapes.expressions.push(expression);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shapes.npz");
    shapes.write(&path, face).unwrap();
    let again = Blendshapes::read(&path, face).unwrap();
    assert_eq!((&again.names, &again.positions), (&shapes.names, &shapes.positions));
    // One alone is that expression; half of both lies near the linear mixture, and is not it.
    let (smile, linear) = again.mix(face, "smile").unwrap();
    let alone = pose(&smile, None, DVec3::ZERO).0;
    let most = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(most(&alone.x, &linear) < 1e-8);
    let (both, linear) = again.mix(face, "smile=0.5, jawOpen=0.5").unwrap();
    let half = pose(&both, None, DVec3::ZERO).0;
    let far = most(&half.x, &linear);
    println!("half a smile with a half open mouth: {:.3} mm from the linear mixture", 1e3 * far);
    assert!(far > 1e-5 && far < 5e-3);
    assert!(again.mix(face, "grin").unwrap_err().to_string().contains("smile, jawOpen"));
    assert!(again.mix(face, "smile=2").unwrap_err().to_string().contains("from 0 to 1"));
    let mut other = face.clone();
    other.muscles.pop();
    assert!(Blendshapes::read(&path, &other).unwrap_err().to_string().contains("other muscles"));
}
