//! Bones and joints that cannot be are found when the model is built, by name.

use crate::bodies::*;
use sinew::contact::Placement;
use sinew::*;
use std::sync::Arc;

/// The message of a model with two links, and what `change` does to it.
fn error(change: impl FnOnce(&mut ModelBuilder, [BoneId; 2])) -> String {
    let mut builder = Model::builder();
    let link = |x: f64| Link::new(DVec3::X * x, DVec3::splat(0.2));
    let ids =
        [("first", 0.0), ("second", 0.2)].map(|(name, x)| builder.rigid(link(x).body(name, Inertia::Volume)));
    change(&mut builder, ids);
    built(builder)
}

/// Why it cannot be built.
fn built(builder: ModelBuilder) -> String {
    builder.build().map_or_else(|error| error.to_string(), |_| "it was built".to_owned())
}

fn mentions(error: &str, all: &[&str]) {
    for expected in all {
        assert!(error.contains(expected), "`{error}` should mention `{expected}`");
    }
}

#[test]
fn joints_that_cannot_be() {
    let limit = |axis, cone, twist| JointKind::Ball { limit: Some(SwingTwist { axis, cone, twist }) };
    let hinge = |axis, range| JointKind::Hinge { axis, range };
    let kinds = [
        (hinge(DVec3::ZERO, None), "axis"),
        (hinge(DVec3::NAN, None), "axis"),
        (hinge(DVec3::X, Some([0.5, -0.5])), "range"),
        (hinge(DVec3::X, Some([f64::NAN, 0.5])), "range"),
        (hinge(DVec3::X, Some([-4.0, 0.5])), "range"),
        (limit(DVec3::ZERO, 1.0, 1.0), "axis"),
        (limit(DVec3::X, -0.1, 1.0), "cone"),
        (limit(DVec3::X, 4.0, 1.0), "cone"),
        (limit(DVec3::X, f64::NAN, 1.0), "cone"),
        (limit(DVec3::X, 1.0, -1.0), "twist"),
        (limit(DVec3::X, 1.0, f64::INFINITY), "twist"),
    ];
    for (kind, expected) in kinds {
        let error = error(|builder, ids| {
            builder.joint(Joint { kind, ..Joint::ball("elbow", ids.map(Some), DVec3::X * 0.1) });
        });
        mentions(&error, &["`elbow`", expected]);
    }
}

#[test]
fn joints_between_nothing() {
    let with = |bones: [Option<BoneId>; 2], position| {
        error(|builder, _| {
            builder.joint(Joint::ball("elbow", bones, position));
        })
    };
    mentions(&with([Some(BoneId(0)), Some(BoneId(7))], DVec3::ZERO), &["`elbow`", "7"]);
    mentions(&with([Some(BoneId(1)), Some(BoneId(1))], DVec3::ZERO), &["`elbow`", "itself"]);
    mentions(&with([None, None], DVec3::ZERO), &["`elbow`", "world"]);
    mentions(&with([Some(BoneId(0)), Some(BoneId(1))], DVec3::NAN), &["`elbow`", "position"]);
}

#[test]
fn bones_that_cannot_be() {
    let with = |bone: Bone| {
        error(|builder, _| {
            builder.bone(bone);
        })
    };
    mentions(&with(Bone::new("rib", vec![])), &["`rib`", "no vertices"]);
    mentions(&with(Bone::new("rib", vec![99])), &["`rib`", "99"]);
    // The vertices of the first link are taken.
    mentions(&with(Bone::new("rib", vec![3])), &["`rib`", "`first`", "3"]);
    let (body, bones) = fleshy_bar(1e4);
    let mut builder = Model::builder();
    builder.body(body);
    builder.bone(Bone::new("left", bones[0].clone()));
    builder.bone(Bone::new("again", vec![bones[1][0], bones[0][4]]));
    mentions(&built(builder), &["`left`", "`again`", &bones[0][4].to_string()]);
}

#[test]
fn a_pinned_vertex_on_a_bone() {
    let (body, bones) = fleshy_bar(1e4);
    let mut builder = Model::builder();
    builder.body(body);
    builder.bone(Bone::new("left", bones[0].clone()));
    builder.pin(bones[0][1]);
    mentions(&built(builder), &["`left`", "pinned"]);
}

#[test]
fn a_vertex_that_is_named_twice_counts_once() {
    let (body, bones) = fleshy_bar(1e4);
    let model = |vertices: Vec<usize>| {
        let mut builder = Model::builder();
        builder.body(body.clone());
        let bone = builder.bone(Bone::new("left", vertices));
        let model = builder.build().unwrap();
        (model.bone_mass(bone).unwrap(), model.masses().to_vec())
    };
    let mut twice = bones[0].clone();
    twice.push(twice[2]);
    twice.reverse();
    assert_eq!(model(twice), model(bones[0].clone()));
}

/// A joint that has nothing to move asks for nothing, also where the two that it names part.
#[test]
fn joints_between_what_forces_do_not_move_are_idle() {
    let mut builder = Model::builder();
    let link = |x: f64| Link::new(DVec3::X * x, DVec3::splat(0.2));
    let ids = [0.0, 0.2, 0.4].map(|x| builder.rigid(link(x).body("link", Inertia::Volume)));
    builder.kinematic(ids[0]).kinematic(ids[1]);
    builder.joint(Joint::ball("hook", [None, Some(ids[0])], DVec3::ZERO));
    builder.joint(Joint::hinge("elbow", [Some(ids[0]), Some(ids[1])], DVec3::X * 0.1, DVec3::Z));
    builder.gravity(GRAVITY);
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model.clone(), settings(0.01, 5)).unwrap();
    for _ in 0..20 {
        state.move_bone(ids[1], Placement::at(DVec3::Y * state.time())).unwrap();
        simulator.step(&mut state).unwrap();
    }
    let fits = [0, 1, 2].map(|body| Fit::of(&model, &state, &all(&model, body)));
    assert!(fits[0].shift.length() < 1e-12 && (fits[1].shift.y - 0.19).abs() < 1e-12, "{fits:?}");
    assert!(fits[2].shift.y < -0.1, "the free one falls: {fits:?}");
}

#[test]
fn mass_properties_that_no_body_has() {
    let good = MassProperties { mass: 1.0, center: DVec3::ZERO, inertia: DMat3::IDENTITY };
    let diagonal = |x: f64, y: f64, z: f64| DMat3::from_diagonal(DVec3::new(x, y, z));
    let cases = [
        (MassProperties { mass: 0.0, ..good }, "mass"),
        (MassProperties { mass: f64::NAN, ..good }, "mass"),
        (MassProperties { center: DVec3::NAN, ..good }, "centre"),
        (MassProperties { inertia: diagonal(1.0, 1.0, -1.0), ..good }, "inertia"),
        (MassProperties { inertia: diagonal(1.0, f64::NAN, 1.0), ..good }, "inertia"),
        // No mass distribution turns more easily about two axes together than about the third.
        (MassProperties { inertia: diagonal(1.0, 1.0, 3.0), ..good }, "inertia"),
        (
            MassProperties {
                inertia: DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z),
                ..good
            },
            "inertia",
        ),
    ];
    for (properties, expected) in cases {
        let error = error(|builder, _| {
            builder.rigid(Body::new("ghost", vec![]).mass_properties(properties));
        });
        mentions(&error, &["`ghost`", expected]);
    }
}

#[test]
fn a_rigid_velocity_needs_a_rigid_body() {
    let (body, _) = fleshy_bar(1e4);
    let mut builder = Model::builder();
    builder.body(body.clone().rigid_velocity(DVec3::X, DVec3::ZERO));
    mentions(&built(builder), &["`bar`", "rigid"]);
    let mut builder = Model::builder();
    builder.rigid(body.rigid_velocity(DVec3::NAN, DVec3::ZERO));
    mentions(&built(builder), &["`bar`", "finite"]);
}
