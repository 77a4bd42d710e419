//! Numbers that make no contact are found when the model is built.

use crate::scenes::*;
use sinew::contact::{Collider, ContactLaw, Friction, Shape};
use sinew::*;
use std::sync::Arc;

fn error(change: impl FnOnce(&mut ModelBuilder)) -> String {
    let mut builder = Model::builder();
    builder.body(soft_box(2, 1e5, DVec3::Y, DVec3::ZERO));
    change(&mut builder);
    builder.build().unwrap_err().to_string()
}

#[test]
fn bad_colliders_are_refused_by_name() {
    let ball = || Collider::new("ball", Shape::Sphere { radius: 1.0 });
    let shape = |shape: Shape| Collider { shape, ..ball() };
    let turned = |rotation| ball().at(Placement { rotation, translation: DVec3::ZERO });
    let friction = |sticking, sliding| Collider { friction: Some(Friction { sticking, sliding }), ..ball() };
    let restitution = |e| Collider { restitution: Some(e), ..ball() };
    let cases = [
        (shape(Shape::Sphere { radius: -1.0 }), "radius"),
        (shape(Shape::Sphere { radius: f64::NAN }), "radius"),
        (shape(Shape::Cuboid { half: DVec3::new(1.0, 0.0, 1.0) }), "size"),
        (shape(Shape::Capsule { half_length: 1.0, radius: f64::INFINITY }), "radius"),
        (shape(Shape::Torus { major: 0.1, minor: 0.2 }), "thinner"),
        (shape(Shape::Union(vec![])), "no parts"),
        (shape(Shape::Union(vec![(Placement::default(), Shape::Sphere { radius: 0.0 })])), "radius"),
        (shape(Shape::Union(vec![(Placement::at(DVec3::NAN), Shape::HalfSpace)])), "place"),
        (ball().at(Placement::at(DVec3::NAN)), "place"),
        (turned(DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)), "unit quaternion"),
        (turned(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)), "unit quaternion"),
        (friction(0.2, 0.3), "exceed"),
        (friction(-0.1, -0.1), "sticking friction"),
        (friction(0.3, f64::NAN), "sliding friction"),
        (restitution(1.1), "restitution"),
        (restitution(-0.1), "restitution"),
        (restitution(f64::NAN), "restitution"),
    ];
    for (collider, expected) in cases {
        let error = error(|builder| {
            builder.collider(collider);
        });
        assert!(
            error.contains("`ball`") && error.contains(expected),
            "`{error}` should mention `{expected}`"
        );
    }
}

#[test]
fn bad_contact_laws_are_refused() {
    let good = ContactLaw::default();
    let friction = |sticking, sliding| ContactLaw { friction: Friction { sticking, sliding }, ..good };
    let cases = [
        (ContactLaw { thickness: Some(0.0), ..good }, "thickness"),
        (ContactLaw { thickness: Some(-1e-3), ..good }, "thickness"),
        (ContactLaw { thickness: Some(f64::INFINITY), ..good }, "thickness"),
        (friction(0.3, 0.4), "exceed"),
        (friction(-1.0, -1.0), "friction"),
        (friction(f64::INFINITY, 1.0), "friction"),
        (ContactLaw { restitution: 1.5, ..good }, "restitution"),
        (ContactLaw { restitution: -0.5, ..good }, "restitution"),
        (ContactLaw { restitution: f64::NAN, ..good }, "restitution"),
    ];
    for (law, expected) in cases {
        let error = error(|builder| {
            builder.contact(law);
        });
        assert!(
            error.starts_with("contact") && error.contains(expected),
            "`{error}` should mention `{expected}`"
        );
    }
}

#[test]
fn air_must_be_a_density() {
    for density in [-1.0, f64::NAN, f64::INFINITY] {
        let error = error(|builder| {
            builder.air(density);
        });
        assert!(error.contains("air"), "{error}");
    }
}

#[test]
fn a_state_without_contact_does_not_fit_a_model_with_it() {
    let body = || soft_box(2, 1e5, DVec3::Y, DVec3::ZERO);
    // As many potentials in both: gravity here, contact there.
    let mut falling = Model::builder();
    falling.body(body());
    falling.gravity(DVec3::NEG_Y);
    let mut touching = Model::builder();
    touching.body(body());
    touching.contact(ContactLaw::default());
    let [falling, touching] = [falling, touching].map(|mut builder| Arc::new(builder.build().unwrap()));
    for (from, to) in [(&falling, &touching), (&touching, &falling)] {
        let mut state = State::new(from);
        let to = to.clone();
        let mut simulator = Simulator::new(to, settings(Correction::None)).unwrap();
        assert!(matches!(simulator.step(&mut state), Err(StepError::State(_))));
    }
}
