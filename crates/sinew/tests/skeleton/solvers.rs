//! All solvers find the same step.

use crate::bodies::*;
use crate::support::run;
use sinew::*;
use std::sync::Arc;

/// A fleshy bar with two bones that hangs by a hinge, with a knee that bends one way.
fn bar(young: f64) -> Arc<Model> {
    let (body, bones) = fleshy_bar(young);
    let mut builder = Model::builder();
    builder.body(body);
    let ids = bones.map(|vertices| builder.add_bone(Bone::new("bone", vertices)));
    let range = Some([-0.3, 0.3]);
    let knee = Joint::hinge("knee", ids.map(Some), DVec3::ZERO, DVec3::Z);
    builder.joint(Joint { kind: JointKind::Hinge { axis: DVec3::Z, range }, ..knee });
    builder.joint(Joint::ball("hook", [None, Some(ids[0])], DVec3::X * -0.5));
    builder.gravity(GRAVITY);
    Arc::new(builder.build().unwrap())
}

#[test]
fn all_solvers_find_the_same_step() {
    for young in [1e4, 1e5] {
        let model = bar(young);
        for frames in [5, 15, 30] {
            let start = run(&model, settings(1.0 / 60.0, 20), frames, |_, _| {});
            let step = |solver: Solver| {
                let mut state = start.clone();
                let settings = Settings { solver, ..settings(1.0 / 60.0, 1) };
                Simulator::new(model.clone(), settings).unwrap().step(&mut state).unwrap();
                state.positions().to_vec()
            };
            let plain = step(settings(1.0, 3000).solver);
            let apart = |x: Vec<DVec3>| x.iter().zip(&plain).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            let (newton, accelerated) =
                (apart(step(Solver::newton())), apart(step(Solver::accelerated(300))));
            assert!(newton < 1e-12, "{young} Pa, frame {frames}: {newton:e}");
            // Its line search compares values of g, which rounding ends earlier than gradients.
            assert!(accelerated < 1e-6, "{young} Pa, frame {frames}: {accelerated:e}");
        }
    }
}
