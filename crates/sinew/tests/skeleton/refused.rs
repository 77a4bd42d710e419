//! Bones and joints that cannot be are found when the model is built, by name.

use crate::bodies::*;
use sinew::*;

/// The message of a model with two links, and what `change` does to it.
fn error(change: impl FnOnce(&mut ModelBuilder, [BoneId; 2])) -> String {
    let mut builder = Model::builder();
    let link = |x: f64| Link::new(DVec3::X * x, DVec3::splat(0.2));
    let ids = [("first", 0.0), ("second", 0.2)]
        .map(|(name, x)| builder.add_rigid(link(x).body(name, Inertia::Volume)));
    change(&mut builder, ids);
    built(builder)
}

/// Why it cannot be built.
fn built(mut builder: ModelBuilder) -> String {
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
fn a_vertex_twice_in_one_bone() {
    let (body, bones) = fleshy_bar(1e4);
    let mut builder = Model::builder();
    builder.body(body);
    let mut twice = bones[0].clone();
    twice.push(twice[2]);
    builder.bone(Bone::new("left", twice));
    mentions(&built(builder), &["`left`", "twice"]);
}

#[test]
fn joints_that_contradict_each_other() {
    // A kinematic bone cannot hang from the world, nor from another kinematic bone.
    let held = error(|builder, ids| {
        builder.kinematic(ids[0]);
        builder.joint(Joint::ball("elbow", [None, Some(ids[0])], DVec3::ZERO));
    });
    mentions(&held, &["`elbow`", "kinematic"]);
    let both = error(|builder, ids| {
        builder.kinematic(ids[0]).kinematic(ids[1]);
        builder.joint(Joint::hinge("elbow", ids.map(Some), DVec3::X * 0.1, DVec3::Z));
    });
    mentions(&both, &["`elbow`", "kinematic"]);
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
            builder.add_rigid(Body::new("ghost", vec![]).mass_properties(properties));
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
    builder.add_rigid(body.rigid_velocity(DVec3::NAN, DVec3::ZERO));
    mentions(&built(builder), &["`bar`", "finite"]);
}
