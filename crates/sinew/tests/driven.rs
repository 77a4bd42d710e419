//! Work of what the user moves, against the same motion in steps fifty times smaller.

mod support;

use sinew::*;
use std::sync::Arc;
use support::*;

const SECONDS: f64 = 1.0;
const H: f64 = 1.0 / 60.0;

/// A soft cube of 1 m and 100 kg/m³; it follows its support, and trembles at some 12 Hz.
fn soft_cube() -> (Body, Vec<DVec3>) {
    let (rest, tets) = cube(3);
    let lame = Lame::new(2e5, 2e5).unwrap();
    (Body::new("cube", rest.clone()).tetrahedra(tets, Constitutive::Corotated, lame, 100.0), rest)
}

/// To and fro, from rest.
fn way(time: f64) -> DVec3 {
    let swing = 0.5 - 0.5 * (5.0 * time).cos();
    DVec3::new(0.3 * swing, 0.2 * swing * swing, 0.0)
}

/// What is moved, and by whom.
#[derive(Clone, Copy, Debug)]
enum Hand {
    Bone(BoneId),
    Attachments,
    Grab(GrabId),
}

impl Hand {
    fn cause(self) -> Cause {
        match self {
            Self::Bone(_) => Cause::Bones,
            Self::Attachments => Cause::Attachments,
            Self::Grab(_) => Cause::Grabs,
        }
    }
}

fn scene(kind: &str) -> (Arc<Model>, State, Hand, Vec<(AttachmentId, DVec3)>) {
    let (body, rest) = soft_cube();
    let bottom: Vec<usize> = (0..rest.len()).filter(|&i| rest[i].y < -0.4).collect();
    let mut builder = Model::builder();
    builder.body(body);
    builder.gravity(DVec3::NEG_Y * 9.81).grabs();
    let mut targets = Vec::new();
    let mut hand = Hand::Attachments;
    match kind {
        "bone" => hand = Hand::Bone(builder.add_bone(Bone::new("hand", bottom).kinematic())),
        "attachments" => {
            for i in bottom {
                targets.push((builder.add_attachment(i, 1e5, None), rest[i]));
            }
        }
        _ => {
            for &i in &bottom {
                builder.pin(i);
            }
        }
    }
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::new(&model);
    if kind == "grab" {
        let top = (0..rest.len()).find(|&i| rest[i].distance(DVec3::new(0.5, 0.5, 0.5)) < 1e-9).unwrap();
        let grab =
            Grab { corners: [top as u32; 3], weights: [1.0, 0.0, 0.0], stiffness: 2e3, target: rest[top] };
        hand = Hand::Grab(state.controls_mut().grab(&model, grab).unwrap());
    }
    (model, state, hand, targets)
}

/// The work booked so far, at every sixtieth of a second.
fn work(kind: &str, settings: Settings) -> Vec<f64> {
    let (model, mut state, hand, targets) = scene(kind);
    let mut simulator = Simulator::new(model, settings).unwrap();
    let every = (H / settings.h).round() as usize;
    let mut booked = Vec::new();
    for step in 1..=(SECONDS / settings.h).round() as usize {
        let to = way(state.time() + settings.h);
        let controls = state.controls_mut();
        match hand {
            Hand::Bone(bone) => {
                controls.move_bone(bone, Placement { rotation: DQuat::IDENTITY, translation: to }).unwrap();
            }
            Hand::Attachments => {
                for &(id, from) in &targets {
                    controls.move_target(id, from + to).unwrap();
                }
            }
            Hand::Grab(id) => {
                controls.move_grab(id, DVec3::splat(0.5) + to).unwrap();
            }
        }
        simulator.step(&mut state).unwrap();
        if step % every == 0 {
            booked.push(state.ledger().entries[hand.cause()]);
        }
    }
    booked
}

#[test]
fn work_is_that_of_small_steps() {
    let mut wrong = Vec::new();
    for kind in ["bone", "attachments", "grab"] {
        let small = Settings {
            h: H / 50.0,
            integrator: Integrator::ImplicitMidpoint,
            solver: Solver::newton(),
            ..Settings::plain()
        };
        let truth = work(kind, small);
        let most = truth.iter().fold(0.0f64, |most, w| most.max(w.abs()));
        assert!(most > 1.0, "{kind}: {most} J");
        for integrator in
            [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::ImplicitMidpoint, Integrator::Sdirk2]
        {
            for correction in [Correction::None, Correction::Fepr(Fepr::default())] {
                let found = work(kind, Settings { h: H, integrator, correction, ..Settings::default() });
                let off = found.iter().zip(&truth).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / most;
                println!("{kind} {} {}: {off:.4} of {most:.1} J", integrator.name(), correction.name());
                // Backward Euler moves otherwise: it takes the tremble of the flesh, and a correction gives it back as something else. So does, at this step, a rule
                // that does not resolve the tremble of stiff attachments.
                let limit = match (kind, integrator) {
                    ("grab", _) => 0.005,
                    (_, Integrator::BackwardEuler) => 0.18,
                    ("bone", _) => 0.055,
                    _ => 0.115,
                };
                if off > limit {
                    wrong.push(format!("{kind}, {integrator:?}, {}: off by {off:.3}", correction.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn vertices_of_a_moved_bone_have_its_velocity() {
    let (model, mut state, hand, _) = scene("bone");
    let Hand::Bone(bone) = hand else { unreachable!() };
    let mut simulator = Simulator::new(model.clone(), Settings { h: H, ..Settings::default() }).unwrap();
    let speed = DVec3::new(0.3, 0.1, 0.0);
    for step in 1..=3 {
        let to = speed * (H * f64::from(step));
        let placement = Placement { rotation: DQuat::IDENTITY, translation: to };
        state.controls_mut().move_bone(bone, placement).unwrap();
        simulator.step(&mut state).unwrap();
    }
    for i in 0..model.vertex_count() {
        let v = state.velocity(&model, i).unwrap();
        let held = model.rest()[i].y < -0.4;
        assert!(if held { v.distance(speed) < 1e-12 } else { v == state.velocities()[i] }, "{i}: {v}");
    }
    assert_eq!(state.velocity(&model, model.vertex_count()), None);
}
