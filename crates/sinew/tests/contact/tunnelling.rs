//! What moves fast does not pass through what is thin.

use crate::scenes::*;
use crate::support::run;
use sinew::contact::{ClosedMesh, Collider, ContactLaw, Placement, Shape};
use sinew::*;
use std::sync::Arc;

/// Half of a plate 1 cm thick.
const PLATE: DVec3 = DVec3::new(2.0, 0.005, 2.0);

fn plates() -> [(&'static str, Shape); 2] {
    [("cuboid", Shape::Cuboid { half: PLATE }), ("mesh", Shape::Mesh(Arc::new(ClosedMesh::cuboid(PLATE))))]
}

/// Lowest vertex of a second at 30 steps, started at `speed` downwards so that it meets the plate between two steps.
fn lowest_of(body: Body, plate: Shape, correction: Correction) -> f64 {
    let below = Collider::new("plate", plate).at(Placement::at(DVec3::new(0.0, -PLATE.y, 0.0)));
    let model = model(vec![body], vec![below], ContactLaw::default(), GRAVITY);
    let mut low = f64::INFINITY;
    let end = run(&model, settings(correction), 30, |_, state| low = low.min(lowest(state)));
    assert_eq!(end.steps(), 30);
    low
}

#[test]
fn a_plate_of_a_centimetre_stops_a_box_and_a_cloth() {
    for (name, plate) in plates() {
        for correction in [Correction::None, FEPR] {
            for speed in [10.0, 30.0, 100.0, 300.0, 1000.0] {
                let down = DVec3::Y * -speed;
                let soft = soft_box(3, 1e6, DVec3::Y * (0.5 * SIDE + 0.4 * speed / 30.0), down);
                let low = lowest_of(soft, plate.clone(), correction);
                let net = cloth(9, 0.4 * speed / 30.0, down);
                let low_net = lowest_of(net, plate.clone(), correction);
                eprintln!("tunnel {name} {} {speed}: box {low} cloth {low_net}", correction.name());
                if speed <= 10.0 {
                    assert!(low > -0.01, "{name}, {}, {speed} m/s: box at {low}", correction.name());
                    assert!(
                        low_net > -0.01,
                        "{name}, {}, {speed} m/s: cloth at {low_net}",
                        correction.name()
                    );
                }
            }
        }
    }
}
