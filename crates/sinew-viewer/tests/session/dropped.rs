//! Files that are dropped on the page, and what the page may ask before it offers something.

use crate::page::Page;

/// A message with a file.
fn file(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut message = vec![4, 0, 2, 0, 0, 0, 0, 0];
    for (tag, payload) in [(40u32, name.as_bytes()), (41, bytes)] {
        message.extend(tag.to_le_bytes());
        message.extend((payload.len() as u32).to_le_bytes());
        message.extend(payload);
        message.resize(message.len().next_multiple_of(8), 0);
    }
    message
}

/// A closed cube with a side of 20, which some program wrote in centimetres.
const CUBE: &str = "v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nv 0 0 20\nv 20 0 20\nv 20 20 20\nv 0 20 20\n\
    f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn dropped(name: &str, bytes: &[u8]) -> Page {
    let mut page = Page::new();
    page.session.binary(&file(name, bytes)).unwrap();
    page.say(&serde_json::json!({ "do": "open", "mesh": name }).to_string());
    page
}

#[test]
fn a_closed_surface_becomes_a_soft_body_that_falls() {
    let mut page = dropped("a \"cube\".obj", CUBE.as_bytes());
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert_eq!(page.of("taken").last().unwrap()["file"], "a \"cube\".obj");
    let opened = page.of("opened")[0].clone();
    assert_eq!((&opened["name"], &opened["dropped"]), (&"a \"cube\"".into(), &true.into()));
    assert!(page.scene(0)["bodies"][0]["tetrahedra"].as_u64().unwrap() > 100);
    let size = page.scene(0)["bounds"].clone();
    let side = size["max"][0].as_f64().unwrap() - size["min"][0].as_f64().unwrap();
    assert!((side - 1.0).abs() < 0.1, "one metre, not twenty: {side}");
    let before = page.positions(0)[0][1];
    page.step(10);
    assert!(page.positions(0)[0][1] < before - 0.05);
    // Edited and run, it still finds its mesh; so does a state that was saved.
    let text = opened["text"].as_str().unwrap().replace("young = 1e5", "young = 2e5");
    page.say(&serde_json::json!({ "do": "open", "text": text, "name": "cube", "dropped": true }).to_string());
    page.say("{\"do\":\"save\"}");
    let saved = page.states[0].clone();
    page.session.binary(&saved).unwrap();
    page.say("{\"do\":\"reset\"}");
    assert!(page.errors().is_empty(), "{:?}", page.errors());
}

#[test]
fn an_open_surface_becomes_a_cloth_and_tetrahedra_a_body() {
    let open: String =
        CUBE.lines().filter(|line| *line != "f 5 6 7 8").map(|line| format!("{line}\n")).collect();
    let page = dropped("box.obj", open.as_bytes());
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert_eq!(page.scene(0)["bodies"][0]["tetrahedra"], 0);
    let tetrahedron = "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n";
    let page = dropped("one.mesh", tetrahedron.as_bytes());
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert_eq!(page.scene(0)["bodies"][0]["tetrahedra"], 1);
}

#[test]
fn what_is_no_mesh_is_refused_by_its_name_and_what_ran_goes_on() {
    for (name, bytes, reason) in [
        ("points.obj", "v 0 0 0\nv 1 0 0\n", "points.obj"),
        ("nothing.obj", "", "nothing.obj"),
        ("broken.ply", "ply\nformat", "broken.ply"),
        ("flat.stl", "solid\nendsolid\n", "flat.stl"),
        ("what.xyz", "1 2 3", "what.xyz"),
    ] {
        let page = dropped(name, bytes.as_bytes());
        let said = page.errors().last().unwrap()["message"].as_str().unwrap().to_owned();
        assert!(said.contains(reason) && !said.contains("shelf"), "{said}");
    }
    let mut page = dropped("cube.obj", CUBE.as_bytes());
    page.say("{\"do\":\"open\",\"mesh\":\"other.obj\"}");
    assert!(page.errors()[0]["message"].as_str().unwrap().contains("other.obj is not here"));
    let elsewhere = "[[body]]\nmesh.file = \"../../etc/passwd\"\nmaterial = { stiffness = 1, mass = 1 }\n";
    page.say(&serde_json::json!({ "do": "open", "text": elsewhere, "dropped": true }).to_string());
    assert!(page.errors()[1]["message"].as_str().unwrap().contains("is not here"), "{:?}", page.errors());
    page.step(1);
    assert_eq!(page.scene(0)["name"], "cube");
    let refused = page.session.binary(&file("../up.obj", b"")).map(|()| page.session.outgoing());
    assert!(format!("{refused:?}").contains("plain name"), "{refused:?}");
}

#[test]
fn the_page_may_ask_what_a_scene_takes_before_it_offers_it() {
    let mut page = Page::with_scene("soft-ball");
    let sets =
        serde_json::json!([["correction.kind=fepr"], ["solver.acceleration=none"], ["no.such.key=1"], []]);
    page.say(&serde_json::json!({ "do": "accepts", "sets": sets }).to_string());
    let answers = page.of("accepts")[0]["refusals"].as_array().unwrap().clone();
    assert!(answers[0].is_null() && answers[3].is_null(), "{answers:?}");
    assert!(answers[1].is_string() && answers[2].as_str().unwrap().contains("no"), "{answers:?}");
    // What is refused as an answer is refused when it is tried, and then nothing changes.
    page.say("{\"do\":\"play\"}");
    let variants = serde_json::json!([{ "label": "a", "set": [] }, { "label": "b", "set": ["solver.acceleration=none"] }]);
    page.say(&serde_json::json!({ "do": "variants", "variants": variants }).to_string());
    assert_eq!(page.errors().last().unwrap()["about"], "variants");
    assert_eq!(page.scene(0)["variants"], 1);
    assert_eq!(page.of("state").last().unwrap()["playing"], true);
}
