//! Grabs, pins, balls, wind, attachments.

use crate::page::Page;

/// A small cloth that hangs from two corners.
const CLOTH: &str = "gravity = [0, -9.81, 0]\ncorrection.kind = \"fepr\"\n\
    [[body]]\nmesh.cloth = { size = [1, 1], cells = [8, 8] }\nmaterial = { stiffness = 500, mass = 0.2 }\n\
    [[body.pin]]\nselect.indices = [0, 8]\n";

#[test]
fn a_drag_moves_the_body_and_the_ledger_shows_the_work() {
    let mut page = Page::with_text(CLOTH);
    let start = page.positions(0)[80];
    let target = [f64::from(start[0]), f64::from(start[1]), f64::from(start[2])];
    let grab = serde_json::json!({ "do": "grab", "pointer": 0, "corners": [80, 80, 80],
        "weights": [1, 0, 0], "target": target });
    page.say(&grab.to_string());
    for k in 0..30 {
        let to = [target[0], target[1] + 0.02 * f64::from(k), target[2]];
        page.say(&serde_json::json!({ "do": "move", "pointer": 0, "target": to }).to_string());
        page.step(1);
    }
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    let lifted = f64::from(page.positions(0)[80][1]) - target[1];
    assert!(lifted > 0.3, "lifted by {lifted} m");
    assert!(page.value(0, "added.grabs") > 0.1, "{}", page.value(0, "added.grabs"));
    let hands = page.frames.last().unwrap().f32s(9);
    assert_eq!((hands.len(), hands[0]), (7, 0.0));
    page.say("{\"do\":\"release\",\"pointer\":0}");
    page.step(1);
    assert!(page.frames.last().unwrap().f32s(9).is_empty());
    let drift = (page.value(0, "energy") - page.value(0, "target")).abs();
    assert!(drift < 1e-6 * page.value(0, "energy").abs(), "the books close: {drift} J");
}

#[test]
fn vertices_can_be_pinned_and_freed() {
    let mut page = Page::with_text(CLOTH);
    page.step(5);
    page.say("{\"do\":\"pin\",\"vertices\":[80],\"on\":true}");
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert_eq!(page.of("state").last().unwrap()["pins"], serde_json::json!([0, 8, 80]));
    let held = page.positions(0)[80];
    page.step(10);
    assert_eq!(page.positions(0)[80], held);
    page.say("{\"do\":\"pin\",\"vertices\":[0, 8, 80],\"on\":false}");
    page.step(10);
    assert!(page.positions(0)[80][1] < held[1] - 0.1, "nothing holds it any more");
    assert_eq!(page.of("state").last().unwrap()["pins"], serde_json::json!([]));
    page.say("{\"do\":\"reset\"}");
    assert_eq!(page.of("state").last().unwrap()["pins"], serde_json::json!([0, 8]));
    assert!(page.errors().is_empty());
    page.say("{\"do\":\"pin\",\"vertices\":[80, 81],\"on\":true}");
    assert!(page.errors().last().unwrap()["message"].as_str().unwrap().contains("no vertex 81"));
    assert_eq!(page.of("state").last().unwrap()["pins"], serde_json::json!([0, 8]), "nothing changed");
    assert!(page.session.text("{\"do\":\"pin\",\"vertices\":[4000000000],\"on\":true}").is_err());
}

#[test]
fn a_ball_that_is_thrown_pushes_the_cloth() {
    let mut page = Page::with_text(CLOTH);
    let before = page.scene(0)["vertices"].as_u64().unwrap();
    page.say("{\"do\":\"throw\",\"from\":[0,0.4,0],\"velocity\":[0,-3,0],\"radius\":0.1}");
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    let scene = page.scene(0);
    assert!(scene["vertices"].as_u64().unwrap() > before);
    assert_eq!(scene["bodies"][1]["name"], "ball 1");
    let materials = scene["values"]["materials"].as_array().unwrap();
    assert!(materials.iter().all(|m| !m["key"].as_str().unwrap().starts_with("body.1")), "{materials:?}");
    assert_eq!(scene["units"]["stress"], "N", "the scene is a cloth, whatever is thrown at it");
    let mut touched = false;
    for _ in 0..15 {
        page.step(1);
        touched |= page.value(0, "contacts") > 0.0;
    }
    assert!(page.of("failed").is_empty(), "{:?}", page.of("failed"));
    assert!(touched, "it hits the cloth");
    for _ in 0..25 {
        page.say("{\"do\":\"throw\",\"from\":[0,4,0],\"velocity\":[0,-3,0],\"radius\":0.02}");
    }
    assert!(page.errors().last().unwrap()["message"].as_str().unwrap().contains("enough"));
}

#[test]
fn wind_blows_and_stops() {
    let mut page = Page::with_text(CLOTH);
    page.say("{\"do\":\"wind\",\"velocity\":[0,0,8]}");
    let meshes = page.meshes.len();
    page.step(5);
    page.say("{\"do\":\"wind\",\"velocity\":[0,0,3]}");
    page.step(5);
    assert_eq!(page.meshes.len(), meshes, "another wind is no other model");
    assert!(page.value(0, "added.wind") != 0.0);
    assert_eq!(page.of("state").last().unwrap()["wind"], serde_json::json!([0.0, 0.0, 3.0]));
    page.say("{\"do\":\"reset\"}");
    assert!(page.of("state").last().unwrap()["wind"].is_null());
}

#[test]
fn faces_show_what_the_page_asks_and_swell() {
    let mut page = Page::with_scene("face-wind");
    let face = page.scene(0)["face"].clone();
    assert_eq!(face["muscles"].as_array().unwrap().len(), 25);
    assert_eq!(face["fat"]["value"], 1.0);
    let meshes = page.meshes.len();
    page.say("{\"do\":\"face\",\"expression\":{\"contract\":{\"frontalis\":0.6},\"jaw\":{\"open\":7}}}");
    page.step(15);
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert_eq!(page.meshes.len(), meshes, "another expression is no other model");
    assert_eq!(page.of("state").last().unwrap()["face"]["jaw"]["open"], 7.0);
    assert!(page.value(0, "added.muscles") != 0.0);
    // Somebody who is fatter is another model, in which the motion and the expression go on.
    let set = format!("{{\"do\":\"set\",\"set\":[\"{}=1.1\"]}}", face["fat"]["key"].as_str().unwrap());
    let before = page.value(0, "time");
    page.say(&set);
    page.step(2);
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert_eq!(page.scene(0)["face"]["fat"]["value"], 1.1);
    assert!(page.value(0, "time") > before);
    assert_eq!(page.of("state").last().unwrap()["face"]["jaw"]["open"], 7.0);
    for (expression, reason) in [
        ("{\"contract\":{\"frontal\":0.6}}", "frontalis"),
        ("{\"contract\":{\"frontalis\":0.01}}", "too thin"),
        ("{\"jaw\":{\"open\":90}}", "45°"),
        ("{\"show\":{\"smile\":3}}", "from 0 to 1"),
    ] {
        page.say(&format!("{{\"do\":\"face\",\"expression\":{expression}}}"));
        let said = page.errors().last().unwrap()["message"].as_str().unwrap().to_owned();
        assert!(said.contains(reason), "{said}");
    }
    page.say("{\"do\":\"face\",\"expression\":null}");
    assert!(page.of("state").last().unwrap()["face"].is_null());
    let mut cloth = Page::with_text(CLOTH);
    cloth.say("{\"do\":\"face\",\"expression\":{}}");
    assert!(cloth.errors().last().unwrap()["message"].as_str().unwrap().contains("no face"));
}

#[test]
fn attachments_follow_the_page() {
    let scene = CLOTH.replace("[[body.pin]]\n", "[[body.attachment]]\nstiffness = 2000\n");
    let mut page = Page::with_text(&scene);
    assert_eq!(page.meshes[0].u32s(25), [0, 8]);
    page.say("{\"do\":\"target\",\"attachment\":0,\"to\":[-0.5,0.5,-0.5]}");
    page.step(20);
    assert!(page.value(0, "added.attachments") > 0.1);
    let y = page.positions(0)[0][1];
    assert!((y - 0.5).abs() < 0.1, "{y}");
    page.say("{\"do\":\"target\",\"attachment\":7,\"to\":null}");
    assert!(page.errors().last().unwrap()["message"].as_str().unwrap().contains("no attachment 7"));
    // Given back to the scene, it goes where the scene put it.
    page.say("{\"do\":\"target\",\"attachment\":0,\"to\":null}");
    assert!(page.frames.last().unwrap().f32s(7)[1].abs() < 1e-6, "{:?}", page.frames.last().unwrap().f32s(7));
}

#[test]
fn bones_and_joints_are_shown() {
    let mut page = Page::with_scene("cantilever-bones");
    page.step(1);
    assert!(!page.meshes[0].u32s(23).is_empty(), "surfaces of bones");
    assert_eq!(page.meshes[0].bytes(28).len(), 4 * page.scene(0)["vertices"].as_u64().unwrap() as usize);
    assert!(page.frames[0].f32s(8).iter().all(|c| c.is_finite()));
    let said = page.meshes[0].bytes(28).chunks(4).position(|b| b != [255; 4]).unwrap();
    page.say(&format!("{{\"do\":\"pin\",\"vertices\":[{said}],\"on\":true}}"));
    assert!(page.errors().last().unwrap()["message"].as_str().unwrap().contains("on a bone"));
}

#[test]
fn bodies_are_coloured_by_what_they_feel() {
    let mut page = Page::with_text(CLOTH);
    let seen = page.scene(0)["seen"].as_u64().unwrap() as usize;
    for quantity in ["energy", "stress", "speed", "correction"] {
        page.say(&format!("{{\"do\":\"colour\",\"by\":\"{quantity}\"}}"));
        page.step(5);
        let frame = page.frames.last().unwrap();
        assert_eq!(frame.f32s(4).len(), seen, "{quantity}");
        assert!(frame.f32s(4).iter().all(|c| c.is_finite() && *c >= 0.0), "{quantity}");
        assert!(frame.f32s(5)[1] > 0.0, "{quantity}: {:?}", frame.f32s(5));
    }
    page.say("{\"do\":\"colour\",\"by\":\"none\"}");
    page.step(1);
    assert!(!page.frames.last().unwrap().has(4));
}

/// The exact test ends every step; a step that fails it is an error. Where the ball is over the mat, it is above it.
#[test]
fn a_ball_that_is_thrown_on_the_trampoline_does_not_pass_it() {
    for (radius, speed) in [(0.05_f32, 15.0), (0.15, 8.0)] {
        let mut page = Page::with_scene("trampoline");
        page.step(3);
        let mat = page.scene(0)["vertices"].as_u64().unwrap() as usize;
        let from = 0.2 + f64::from(radius);
        page.say(
            &serde_json::json!({ "do": "throw", "from": [0, from, 0], "velocity": [0, -speed, 0], "radius": radius })
                .to_string(),
        );
        page.say("{\"do\":\"set\",\"set\":[\"contact.verify=true\"]}");
        let mut touched = false;
        for _ in 0..12 {
            page.step(1);
            touched |= page.value(0, "contacts") > 0.0;
            let positions = page.positions(0);
            let ball: Vec<[f32; 3]> = positions[mat..].iter().copied().filter(|x| x[0].is_finite()).collect();
            let sum = ball.iter().fold([0.0; 3], |s, x| [s[0] + x[0], s[1] + x[1], s[2] + x[2]]);
            let centre = sum.map(|c| c / ball.len() as f32);
            let reach = ball.iter().map(|x| distance(*x, centre)).fold(0.0, f32::max);
            assert!(reach < 2.0 * radius, "the ball of {radius} m has become {reach} m");
            let under = |x: &[f32; 3]| (x[0] - centre[0]).hypot(x[2] - centre[2]) < 0.5 * radius;
            let highest = positions[..mat].iter().filter(|x| under(x)).map(|x| x[1]).fold(f32::MIN, f32::max);
            let top = ball.iter().filter(|x| under(x)).map(|x| x[1]).fold(f32::MIN, f32::max);
            assert!(
                top > highest,
                "the ball of {radius} m at {speed} m/s: {top} m, the mat over it {highest} m"
            );
        }
        assert!(touched, "it comes to the mat");
        assert!(page.of("failed").is_empty(), "{:?}", page.of("failed"));
        assert!(page.errors().is_empty(), "{:?}", page.errors());
    }
}

/// A cloth that lies on a ball is grabbed in the middle and pulled down through it; it stays on it, and comes to no harm.
#[test]
fn cloth_in_contact_that_is_pulled_against_what_it_lies_on_stays_on_it() {
    let scene = "gravity = [0, -9.81, 0]\nh = \"1/60\"\ncorrection.kind = \"fepr\"\ncontact = { friction = 0.5, verify = true }\n\
        [[body]]\nmesh.cloth = { size = [1, 1], cells = [20, 20] }\nmaterial = { stiffness = 500, mass = 0.3 }\n\
        initial.translate = [0, 0.32, 0]\n[[collider]]\nshape.sphere = { radius = 0.3 }\n";
    let mut page = Page::with_text(scene);
    page.step(25);
    let middle = 220;
    let from = page.positions(0)[middle].map(f64::from);
    assert!(from[1] > 0.29, "it lies on the ball: {from:?}");
    let grab = serde_json::json!({ "do": "grab", "pointer": 0, "corners": [middle, middle, middle],
        "weights": [1, 0, 0], "target": from, "stiffness": 100 });
    page.say(&grab.to_string());
    for k in 1..=30 {
        let to = [from[0] + 0.001 * f64::from(k), from[1] - 0.01 * f64::from(k), from[2]];
        page.say(&serde_json::json!({ "do": "move", "pointer": 0, "target": to }).to_string());
        page.step(1);
        // As 32-bit numbers have it.
        let nearest = page.positions(0).iter().map(|x| distance(*x, [0.0; 3])).fold(f32::MAX, f32::min);
        assert!(nearest > 0.3 - 1e-6, "step {k}: a vertex is {nearest} m from the centre of a ball of 0.3 m");
    }
    page.say("{\"do\":\"release\",\"pointer\":0}");
    page.step(20);
    assert!(page.of("failed").is_empty(), "{:?}", page.of("failed"));
    let fast = page.value(0, "kinetic");
    // The hand pulls with at most 30 N over 0.3 m; the rest is a fall.
    assert!(fast < 12.0, "let go, the cloth of 0.3 kg has {fast} J");
    let apart = (page.value(0, "energy") - page.value(0, "target")).abs();
    assert!(apart < 1e-6 * page.value(0, "target").abs().max(1.0), "the books close: {apart} J");
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1]).hypot(a[2] - b[2])
}
