//! What starts inside something comes out of it, and is not thrown.

use crate::scenes::*;
use crate::support::run;
use sinew::contact::{BadStart, Collider, ContactLaw, Shape};
use sinew::*;
use std::sync::Arc;

const CORRECTIONS: [Correction; 2] = [Correction::None, FEPR];

/// A sheet of n² vertices and 0.4 m with its corner at `corner`.
fn sheet(n: usize, corner: DVec3, u: DVec3, v: DVec3) -> Body {
    let index = |i: usize, j: usize| (i * n + j) as u32;
    let at = |i: usize| 0.4 * i as f64 / (n - 1) as f64;
    let (mut points, mut springs, mut triangles) = (vec![], vec![], vec![]);
    for i in 0..n {
        for j in 0..n {
            points.push(corner + u * at(i) + v * at(j));
            for (di, dj) in [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)] {
                if i + di < n && j + dj < n {
                    springs.push([index(i, j), index(i + di, j + dj)]);
                }
            }
            if i + 1 < n && j > 0 {
                springs.push([index(i, j), index(i + 1, j - 1)]);
            }
            if i + 1 < n && j + 1 < n {
                let [a, b, c, d] = [index(i, j), index(i, j + 1), index(i + 1, j), index(i + 1, j + 1)];
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
    }
    Body::new("sheet", points).springs(springs, SpringLaw::Hookean, 300.0).total_mass(0.1).surface(triangles)
}

/// A sheet that goes through another one over its whole width, by `overlap`.
fn crossing_sheets(overlap: f64, law: ContactLaw) -> Arc<Model> {
    let lying = sheet(12, DVec3::new(-0.2, 0.0, -0.2), DVec3::X, DVec3::Z);
    let standing =
        sheet(12, DVec3::new(0.011, -overlap, -0.193), DVec3::new(0.1, 1.0, 0.0).normalize(), DVec3::Z);
    model(vec![lying, standing], vec![], law, 0.0)
}

fn two_boxes(overlap: f64, law: ContactLaw) -> Arc<Model> {
    let shift = DVec3::new(0.01, (1.0 - overlap) * SIDE, 0.02);
    let bodies = vec![soft_box(4, 1e5, DVec3::ZERO, DVec3::ZERO), soft_box(4, 1e5, shift, DVec3::ZERO)];
    model(bodies, vec![], law, 0.0)
}

fn rigid_box(middle: DVec3) -> Body {
    let (points, tets) = crate::support::cube(3);
    let lame = Lame::from_young(1e6, 0.3).unwrap();
    let points: Vec<_> = points.iter().map(|p| *p * SIDE + middle).collect();
    Body::new("rigid", points).tetrahedra(tets, Constitutive::Corotated, lame, 1000.0).rigid()
}

/// H never exceeds the target of the ledger.
fn check_books(state: &State, what: &str) {
    let ledger = state.ledger();
    let scale = ledger.entries.added().abs() + ledger.kinetic + ledger.initial.abs() + 1e-6;
    let over = ledger.energy() - ledger.target();
    assert!(over <= 1e-6 * scale, "{what}: {over} J over the target");
}

/// The step from which on nothing crosses any more, the fastest vertex at any time and at the end.
fn untangle(model: &Arc<Model>, correction: Correction, steps: usize, what: &str) -> (usize, f64, State) {
    let (mut last, mut fast) = (0, 0.0f64);
    let end = run(model, settings(correction), steps, |k, state| {
        if state.crossings(model) > 0 {
            last = k;
        }
        fast = fast.max(fastest(state));
        if correction != Correction::None {
            check_books(state, what);
        }
    });
    println!(
        "{what}, {}: free after {last}, fastest {fast:.3}, at the end {:.3} m/s, contacts {:.4} J",
        correction.name(),
        fastest(&end),
        end.ledger().entries[Cause::Contacts]
    );
    (last, fast, end)
}

#[test]
fn sheets_that_cross_come_free() {
    for overlap in [0.02, 0.05, 0.1] {
        for correction in CORRECTIONS {
            let model = crossing_sheets(overlap, ContactLaw { verify: true, ..ContactLaw::default() });
            assert!(State::new(&model).crossings(&model) > 0);
            let (last, _, end) = untangle(&model, correction, 260, &format!("sheets {overlap}"));
            assert!(last < 200, "{overlap}, {}: still tangled after {last} steps", correction.name());
            assert!(fastest(&end) < 2.0, "{overlap}, {}: {} m/s", correction.name(), fastest(&end));
        }
    }
}

#[test]
fn boxes_that_start_in_each_other_part_gently() {
    for overlap in [0.1, 0.2, 0.3, 0.8] {
        for correction in CORRECTIONS {
            let model = two_boxes(overlap, ContactLaw { verify: true, ..ContactLaw::default() });
            let (last, fast, end) = untangle(&model, correction, 160, &format!("boxes {overlap}"));
            assert!(last < 120, "{overlap}, {}: still tangled after {last} steps", correction.name());
            let speeds = [0, 1].map(|body| drift(&model, &end, body).length());
            println!("   drift {speeds:?}");
            assert!(fastest(&end) < 0.5, "{overlap}, {}: {} m/s", correction.name(), fastest(&end));
            assert!(fast < 2.0, "{overlap}, {}: {fast} m/s on the way", correction.name());
        }
    }
}

#[test]
fn what_starts_in_a_collider_comes_out_and_rests() {
    let shapes = [
        ("floor", floor()),
        (
            "cuboid",
            Collider::new("cuboid", Shape::Cuboid { half: DVec3::new(0.5, 0.3, 0.5) })
                .at(Placement::at(DVec3::Y * -0.3)),
        ),
        ("ball", Collider::new("ball", Shape::Sphere { radius: 0.6 }).at(Placement::at(DVec3::Y * -0.6))),
    ];
    for (name, collider) in shapes {
        // From deep inside a ball it comes out somewhere, and slides off.
        let deep = if name == "ball" { 0.6 } else { 1.0 };
        for (depth, rigid, correction) in [
            (0.5, false, Correction::None),
            (0.5, false, FEPR),
            (deep, false, FEPR),
            (0.5, true, Correction::None),
            (0.5, true, FEPR),
        ] {
            let start = DVec3::new(0.003, (0.5 - depth) * SIDE, 0.001);
            let body = if rigid { rigid_box(start) } else { soft_box(3, 1e6, start, DVec3::ZERO) };
            let law = ContactLaw { verify: true, ..law(0.0, 0.5, 0.5) };
            let model = model(vec![body], vec![collider.clone()], law, GRAVITY);
            let what = format!("{name} {depth} {}", if rigid { "rigid" } else { "soft" });
            let (last, fast, end) = untangle(&model, correction, 200, &what);
            assert!(last < 120, "{what}, {}: still inside after {last} steps", correction.name());
            assert!(fast < 2.0, "{what}, {}: {fast} m/s", correction.name());
            assert!(fastest(&end) < 0.1, "{what}, {}: {} m/s at the end", correction.name(), fastest(&end));
            let middle = middle(&model, &end, 0).y;
            assert!(
                (middle - 0.5 * SIDE).abs() < 0.1 * SIDE,
                "{what}, {}: rests at {middle} m",
                correction.name()
            );
        }
    }
}

#[test]
fn nested_bodies_do_not_explode() {
    for correction in CORRECTIONS {
        let (points, tets) = crate::support::cube(5);
        let ball = |radius: f64, middle: DVec3| {
            // A cube blown up to a ball.
            let round = |p: &DVec3| {
                let most = p.abs().max_element();
                *p * (2.0 * radius * most / p.length().max(1e-12)) + middle
            };
            let points: Vec<_> = points.iter().map(round).collect();
            let lame = Lame::from_young(1e5, 0.3).unwrap();
            Body::new("ball", points).tetrahedra(tets.clone(), Constitutive::Corotated, lame, 1000.0)
        };
        for middle in [DVec3::ZERO, DVec3::new(0.02, 0.01, 0.0)] {
            let law = ContactLaw { verify: true, ..ContactLaw::default() };
            let model = model(vec![ball(0.2, DVec3::ZERO), ball(0.08, middle)], vec![], law, 0.0);
            let (last, fast, end) = untangle(&model, correction, 300, &format!("nested {}", middle.x));
            assert!(fast < 3.0, "{}: {fast} m/s", correction.name());
            // The small one is squeezed out of the large one, which springs back: faster than a push alone.
            assert!(fastest(&end) < 1.0, "{}: {} m/s", correction.name(), fastest(&end));
            println!("   drift {:?}", [0, 1].map(|body| drift(&model, &end, body).length()));
            assert!(last < 250, "{}: {last}", correction.name());
        }
    }
}

#[test]
fn ignored_overlaps_stay_until_something_moves_them() {
    let law = ContactLaw { start: BadStart::Ignore, verify: true, ..ContactLaw::default() };
    let model = two_boxes(0.3, law);
    let start = State::new(&model);
    let end = run(&model, settings(FEPR), 30, |_, _| {});
    let moved =
        end.positions().iter().zip(start.positions()).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(moved < 1e-9, "{moved}");
    // Drawn apart by hand, they are free, and meet again like anything else.
    let mut state = end;
    let second = model.bodies()[1].vertices.clone();
    state.edit(&model, |_, v| v[second.clone()].fill(DVec3::Y)).unwrap();
    let mut simulator = Simulator::new(model.clone(), settings(FEPR)).unwrap();
    for _ in 0..10 {
        simulator.step(&mut state).unwrap();
    }
    assert_eq!(state.crossings(&model), 0);
    state.edit(&model, |_, v| v[second.clone()].fill(DVec3::NEG_Y)).unwrap();
    for _ in 0..30 {
        simulator.step(&mut state).unwrap();
        assert_eq!(state.crossings(&model), 0);
    }
}

#[test]
fn a_bad_start_can_be_refused() {
    let law = ContactLaw { start: BadStart::Refuse, ..ContactLaw::default() };
    let lying = sheet(8, DVec3::new(-0.2, 0.0, -0.2), DVec3::X, DVec3::Z);
    let boxes = vec![lying, soft_box(3, 1e5, DVec3::Y * 0.05, DVec3::ZERO)];
    let model = model(boxes, vec![floor().at(Placement::at(DVec3::Y * -0.02))], law, 0.0);
    let mut state = State::new(&model);
    let before = state.hash();
    let mut simulator = Simulator::new(model.clone(), settings(FEPR)).unwrap();
    let error = simulator.step(&mut state).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, StepError::Tangled { step: 0, count, .. } if count > 0), "{text}");
    assert!(text.contains("`sheet` and `box`") && text.contains("`box` and `floor`"), "{text}");
    assert_eq!(state.hash(), before);
    // What is put right goes on.
    let (sheet, soft) = (model.bodies()[0].vertices.clone(), model.bodies()[1].vertices.clone());
    state
        .edit(&model, |x, _| {
            x[sheet].iter_mut().for_each(|p| p.y += 1.0);
            x[soft].iter_mut().for_each(|p| p.y += 0.2);
        })
        .unwrap();
    simulator.step(&mut state).unwrap();
}

#[test]
fn a_saved_tangle_goes_on_with_the_same_bits() {
    for model in [crossing_sheets(0.05, ContactLaw::default()), two_boxes(0.3, ContactLaw::default())] {
        let mut simulator = Simulator::new(model.clone(), settings(FEPR)).unwrap();
        let mut state = State::new(&model);
        for _ in 0..5 {
            simulator.step(&mut state).unwrap();
        }
        assert!(state.crossings(&model) > 0);
        let mut other = State::from_bytes(&model, &state.to_bytes()).unwrap();
        assert_eq!(other.hash(), state.hash());
        let mut fresh = Simulator::new(model.clone(), settings(FEPR)).unwrap();
        for _ in 0..40 {
            simulator.step(&mut state).unwrap();
            fresh.step(&mut other).unwrap();
        }
        assert_eq!(other.hash(), state.hash());
    }
}
