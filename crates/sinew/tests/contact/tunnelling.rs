//! What moves fast does not pass through what is thin.

use crate::scenes::*;
use crate::support::run;
use sinew::contact::{ClosedMesh, Collider, ContactLaw, Shape};
use sinew::*;
use std::sync::Arc;

/// Half of a plate 1 cm thick.
const PLATE: DVec3 = DVec3::new(2.0, 0.005, 2.0);

fn plates() -> [(&'static str, Shape); 2] {
    [("cuboid", Shape::Cuboid { half: PLATE }), ("mesh", Shape::Mesh(Arc::new(ClosedMesh::cuboid(PLATE))))]
}

/// Lowest vertex of the surface and of all ever, and the lowest at the end of a second at 30 steps; it meets the plate between two steps.
fn lowest_of(body: Body, plate: Shape, correction: Correction) -> [f64; 3] {
    let below = Collider::new("plate", plate).at(Placement::at(DVec3::new(0.0, -PLATE.y, 0.0)));
    let model = model(vec![body], vec![below], ContactLaw::default(), GRAVITY);
    let (mut outside, mut low) = (f64::INFINITY, f64::INFINITY);
    let end = run(&model, settings(correction), 30, |_, state| {
        low = low.min(lowest(state));
        outside = outside.min(lowest_of_surface(&model, state));
    });
    assert_eq!(end.step_count(), 30);
    [outside, low, lowest(&end)]
}

/// How far below the plate's upper side vertices inside a box may come on the way, m: one of 100 kPa is crushed at 30 m/s, and tetrahedra that are turned inside out put their inner vertices
/// anywhere. The surface stays above the plate.
const INSIDE: f64 = -0.03;

fn check(speed: f64) {
    let (height, down) = (0.4 * speed / 30.0, DVec3::Y * -speed);
    for (name, plate) in plates() {
        for correction in [Correction::None, FEPR] {
            let bodies = [
                ("soft box", soft_box(3, 1e5, DVec3::Y * (0.5 * SIDE + height), down)),
                ("box", soft_box(3, 1e6, DVec3::Y * (0.5 * SIDE + height), down)),
                ("cloth", cloth(9, height, down)),
            ];
            for (what, body) in bodies {
                let [outside, low, end] = lowest_of(body, plate.clone(), correction);
                let case = format!("{what} at {speed} m/s on a {name}, {}", correction.name());
                assert!(end > -0.01, "{case}: ends at {end} m");
                assert!(outside > 0.0, "{case}: the surface is at {outside} m");
                assert!(low > INSIDE, "{case}: {low} m at its lowest");
            }
        }
    }
}

#[test]
fn a_plate_of_a_centimetre_stops_boxes_and_cloths() {
    check(10.0);
}

#[test]
fn at_thirty_metres_a_second_too() {
    check(30.0);
}
