//! Bones in flesh: rigid and joined to rounding, whatever the number of iterations.

use crate::bodies::*;
use crate::support::run;
use sinew::*;
use std::sync::Arc;

/// A fleshy bar with two bones and a joint between them in its middle; the end of the first bone hangs from the world.
fn bar(joint: impl Fn([Option<BoneId>; 2]) -> Joint) -> (Arc<Model>, [Vec<usize>; 2]) {
    let (body, bones) = fleshy_bar(1e4);
    let mut builder = Model::builder();
    builder.body(body);
    let ids: Vec<_> = bones
        .iter()
        .zip(["left", "right"])
        .map(|(v, name)| builder.add_bone(Bone::new(name, v.clone())))
        .collect();
    builder.joint(joint([Some(ids[0]), Some(ids[1])]));
    builder.joint(Joint::ball("hook", [None, Some(ids[0])], DVec3::X * -0.5));
    builder.gravity(GRAVITY);
    (Arc::new(builder.build().unwrap()), bones)
}

#[test]
fn bones_stay_rigid_and_joints_closed_at_any_number_of_iterations() {
    let (model, bones) = bar(|ids| Joint::ball("spine", ids, DVec3::ZERO));
    let plain = [1, 2, 5, 20].map(|iterations| settings(1.0 / 60.0, iterations));
    let accelerated = Settings { solver: Solver::accelerated(10), ..settings(1.0 / 60.0, 10) };
    let newton = Settings { solver: Solver::newton(), ..settings(1.0 / 60.0, 10) };
    let midpoint = Settings { integrator: Integrator::ImplicitMidpoint, ..plain[2] };
    let bdf2 = Settings { integrator: Integrator::Bdf2, ..plain[2] };
    let corrected = Settings { correction: FEPR, ..plain[2] };
    for settings in plain.into_iter().chain([accelerated, newton, midpoint, bdf2, corrected]) {
        let (mut gap, mut bent, mut turned) = (0.0f64, 0.0f64, 0.0f64);
        let end = run(&model, settings, 120, |_, state| {
            let fits = bones.each_ref().map(|vertices| Fit::of(&model, state, vertices));
            gap = gap.max(fits[0].point(DVec3::ZERO).distance(fits[1].point(DVec3::ZERO)));
            gap = gap.max(fits[0].point(DVec3::X * -0.5).distance(DVec3::X * -0.5));
            bent = bones.iter().map(|vertices| bending(&model, state, vertices)).fold(bent, f64::max);
            turned = turned.max(fits[0].rotation().angle_between(DQuat::IDENTITY));
        });
        let name =
            format!("{:?}, {}, {}", settings.solver, settings.integrator.name(), settings.correction.name());
        assert_eq!(end.step_count(), 120, "{name}");
        assert!(bent < 1e-12, "{name}: bent by {bent:e}");
        // The bar is 1 m long.
        assert!(gap < 1e-12, "{name}: open by {gap:e}");
        assert!(turned > 0.5, "{name}: it should swing, and turns by {turned} rad");
    }
}

#[test]
fn velocities_of_a_bone_are_those_of_a_rigid_motion() {
    let (model, bones) = bar(|ids| Joint::ball("spine", ids, DVec3::ZERO));
    for correction in [Correction::None, FEPR] {
        let end = run(&model, Settings { correction, ..settings(1.0 / 60.0, 10) }, 40, |_, _| {});
        for vertices in &bones {
            let (x, v) = (end.positions(), end.velocities());
            let mut worst = 0.0f64;
            for &i in vertices {
                for &j in vertices {
                    worst = worst.max((x[i] - x[j]).dot(v[i] - v[j]).abs());
                }
            }
            let fastest = vertices.iter().map(|&i| v[i].length()).fold(0.0, f64::max);
            assert!(worst < 1e-12 * fastest.max(1.0), "{correction:?}: {worst:e}");
        }
    }
}

#[test]
fn a_hinge_keeps_its_axis() {
    // The flesh would rather bend in y.
    let axis = DVec3::new(0.0, 1.0, 1.0).normalize();
    let (model, bones) = bar(|ids| Joint::hinge("knee", ids, DVec3::ZERO, axis * 3.0));
    for settings in [settings(1.0 / 60.0, 10), Settings { correction: FEPR, ..settings(1.0 / 60.0, 10) }] {
        let (mut apart, mut gap, mut turned) = (0.0f64, 0.0f64, 0.0f64);
        let end = run(&model, settings, 120, |_, state| {
            let fits = bones.each_ref().map(|vertices| Fit::of(&model, state, vertices));
            apart = apart.max((fits[0].turn * axis).distance(fits[1].turn * axis));
            gap = gap.max(fits[0].point(DVec3::ZERO).distance(fits[1].point(DVec3::ZERO)));
            turned = turned.max(fits[0].rotation().angle_between(fits[1].rotation()));
        });
        assert_eq!(end.step_count(), 120);
        assert!(apart < 1e-11 && gap < 1e-12, "axes differ by {apart:e}, ends by {gap:e} m");
        assert!(turned > 0.05, "it should bend: {turned}");
    }
}

#[test]
fn a_pendulum_on_a_world_hinge_swings_in_its_plane() {
    let axis = DVec3::new(1.0, 0.0, 1.0).normalize();
    let link = Link::new(DVec3::new(0.2, 0.1, 0.0), DVec3::new(0.4, 0.1, 0.1));
    let mut builder = Model::builder();
    let bone = builder.add_rigid(link.body("door", Inertia::Volume));
    builder.joint(Joint::hinge("hinge", [None, Some(bone)], DVec3::ZERO, axis));
    builder.gravity(GRAVITY);
    let model = Arc::new(builder.build().unwrap());
    let vertices = all(&model, 0);
    let (mut gap, mut tilt, mut turned) = (0.0f64, 0.0f64, 0.0f64);
    run(&model, settings(0.01, 5), 300, |_, state| {
        let fit = Fit::of(&model, state, &vertices);
        gap = gap.max(fit.point(DVec3::ZERO).length());
        tilt = tilt.max((fit.turn * axis).distance(axis));
        turned = turned.max(fit.rotation().angle_between(DQuat::IDENTITY));
    });
    assert!(gap < 1e-12 && tilt < 1e-11, "{gap:e} m, {tilt:e}");
    assert!(turned > 1.0, "{turned}");
}

#[test]
fn a_weld_makes_one_bone_of_two() {
    let halves = [0.15, 0.45].map(|x| Link::new(DVec3::X * x, DVec3::new(0.3, 0.1, 0.1)));
    let long = Link::new(DVec3::X * 0.3, DVec3::new(0.6, 0.1, 0.1));
    let hung = |links: &[(Link, Inertia)]| {
        let mut builder = Model::builder();
        let ids: Vec<_> =
            links.iter().map(|(link, inertia)| builder.add_rigid(link.body("part", *inertia))).collect();
        for pair in ids.windows(2) {
            builder.joint(Joint::weld("weld", [Some(pair[0]), Some(pair[1])], DVec3::X * 0.3));
        }
        builder.joint(Joint::ball("hook", [None, Some(ids[0])], DVec3::ZERO));
        builder.gravity(GRAVITY);
        let model = Arc::new(builder.build().unwrap());
        let end = run(&model, settings(0.01, 10), 100, |_, _| {});
        assert!(bending(&model, &end, &(0..model.vertex_count()).collect::<Vec<_>>()) < 1e-12);
        // A corner of the far end.
        let tip = |p: &DVec3| p.x > 0.59 && p.y > 0.0 && p.z > 0.0;
        let tip = model.rest().iter().position(tip).unwrap();
        (model.bone_mass(ids[0]).unwrap(), end.positions()[tip])
    };
    let whole = hung(&[(long, Inertia::Volume)]);
    assert!(whole.1.y < -0.1);
    use Inertia::{Given, Volume};
    for inertias in [[Volume, Volume], [Given, Given], [Given, Volume], [Volume, Given]] {
        let welded = hung(&[(halves[0], inertias[0]), (halves[1], inertias[1])]);
        assert!((welded.0 - whole.0).abs() < 1e-12, "{inertias:?}: {} kg of {} kg", welded.0, whole.0);
        let apart = welded.1.distance(whole.1);
        assert!(apart < 1e-9, "{inertias:?}: {apart:e}");
    }
}

#[test]
fn what_is_welded_flies_as_one() {
    let thrown = |x: f64, length: f64| {
        let link = Link::new(DVec3::X * x, DVec3::new(length, 0.1, 0.06));
        link.thrown(DVec3::new(1.0, 2.0, 0.0), DVec3::new(0.5, 3.0, 4.0))
    };
    let fly = |links: &[(Link, Inertia)]| {
        let mut builder = Model::builder();
        let ids: Vec<_> =
            links.iter().map(|(link, inertia)| builder.add_rigid(link.body("part", *inertia))).collect();
        for pair in ids.windows(2) {
            builder.joint(Joint::weld("weld", [Some(pair[0]), Some(pair[1])], DVec3::ZERO));
        }
        let model = Arc::new(builder.build().unwrap());
        let end = run(&model, settings(0.01, 10), 100, |_, _| {});
        end.positions()[0]
    };
    let whole = fly(&[(thrown(0.1, 0.6), Inertia::Volume)]);
    for inertia in [Inertia::Volume, Inertia::Given] {
        let welded = fly(&[(thrown(-0.1, 0.2), inertia), (thrown(0.2, 0.4), inertia)]);
        assert!(welded.distance(whole) < 1e-9, "{inertia:?}: {welded}, should be {whole}");
    }
}
