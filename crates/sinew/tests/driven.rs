//! Work of what the user moves, against the same motion in steps fifty times smaller.
//!
//! Two things can be wrong with it: the booking, and the motion that is booked. The booking is right if the work is the change of the body's own energy, in a run whose rule
//! conserves energy; the motion converges with the order of the rule. At 1/60 s the flesh of these scenes trembles with hω = 1.3 on a bone and hω = 2 on attachments, which no rule resolves.

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

/// The work booked so far, and how much the body's own energy has changed, at every sixtieth of a second.
fn work_and_energy(kind: &str, settings: Settings) -> Vec<(f64, f64)> {
    let (model, mut state, hand, targets) = scene(kind);
    let mut simulator = Simulator::new(model, settings).unwrap();
    let every = (H / settings.h).round() as usize;
    let mut booked = Vec::new();
    let initial = state.ledger().energy();
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
            booked.push((state.ledger().entries[hand.cause()], state.ledger().energy() - initial));
        }
    }
    booked
}

fn work(kind: &str, settings: Settings) -> Vec<f64> {
    work_and_energy(kind, settings).into_iter().map(|(work, _)| work).collect()
}

/// The work in steps fifty times smaller, and the most of it, J.
fn true_work(kind: &str) -> (Vec<f64>, f64) {
    let h = H / 50.0;
    let (integrator, solver) = (Integrator::ImplicitMidpoint, Solver::newton());
    let truth = work(kind, Settings { h, integrator, solver, ..Settings::plain() });
    let most = truth.iter().fold(0.0f64, |most, w| most.max(w.abs()));
    assert!(most > 1.0, "{kind}: {most} J");
    (truth, most)
}

fn furthest_off(found: &[f64], truth: &[f64]) -> f64 {
    found.iter().zip(truth).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn work_is_what_the_energy_of_the_body_gains() {
    for kind in ["bone", "attachments", "grab"] {
        let settings = Settings {
            h: H,
            integrator: Integrator::ImplicitMidpoint,
            solver: Solver::newton(),
            ..Settings::plain()
        };
        let both = work_and_energy(kind, settings);
        let most = both.iter().fold(0.0f64, |most, (w, _)| most.max(w.abs()));
        let off = both.iter().map(|(work, gain)| (work - gain).abs()).fold(0.0, f64::max) / most;
        println!("{kind}: {off:.1e}");
        assert!(off < 1e-4, "{kind}: work and energy differ by {off:.1e} of the work");
    }
}

#[test]
fn what_is_off_falls_with_the_order_of_the_rule() {
    for kind in ["bone", "attachments"] {
        let (truth, most) = true_work(kind);
        for integrator in [
            Integrator::ImplicitMidpoint,
            Integrator::Sdirk2,
            Integrator::GeneralizedAlpha { spectral_radius: 0.8 },
        ] {
            for correction in [Correction::None, Correction::Fepr(Fepr::default())] {
                let off = |finer: f64| {
                    let h = H / finer;
                    let found = work(kind, Settings { h, integrator, correction, ..Settings::default() });
                    furthest_off(&found, &truth) / most
                };
                let (coarse, fine) = (off(4.0), off(8.0));
                let what =
                    format!("{kind} {} {}: {coarse:.4}, {fine:.4}", integrator.name(), correction.name());
                println!("{what}");
                assert!(fine < 0.01 && fine < 0.4 * coarse, "{what}");
            }
        }
    }
}

#[test]
fn work_is_that_of_small_steps() {
    let mut wrong = Vec::new();
    for kind in ["bone", "attachments", "grab"] {
        let (truth, most) = true_work(kind);
        for integrator in
            [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::ImplicitMidpoint, Integrator::Sdirk2]
        {
            for correction in [Correction::None, Correction::Fepr(Fepr::default())] {
                let found = work(kind, Settings { h: H, integrator, correction, ..Settings::default() });
                let off = furthest_off(&found, &truth) / most;
                println!("{kind} {} {}: {off:.4} of {most:.1} J", integrator.name(), correction.name());
                // A rule that does not resolve the tremble of stiff attachments moves otherwise, backward Euler also without them.
                let limit = match (kind, integrator, correction) {
                    ("grab", ..) => 0.005,
                    ("bone", ..) => 0.055,
                    _ => 0.095,
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
