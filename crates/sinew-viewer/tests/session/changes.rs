//! Scenes that change while they run, variants, saved states, mistakes.

use crate::page::Page;

#[test]
fn correction_can_be_switched_while_it_runs() {
    let mut page = Page::with_scene("trampoline");
    page.say("{\"do\":\"set\",\"set\":[\"correction.kind=none\"]}");
    let meshes = page.meshes.len();
    page.step(60);
    let lost = 1.0 - page.value(0, "energy") / page.value(0, "target");
    assert!(lost > 0.05, "without correction {lost} of the energy is gone");
    page.say("{\"do\":\"set\",\"set\":[\"correction.kind=fepr\"]}");
    assert_eq!(page.of("settings").last().unwrap()["values"]["correction"], "fepr");
    let before = page.value(0, "energy");
    page.step(60);
    let after = page.value(0, "energy");
    assert!((after - before).abs() < 1e-6 * before.abs(), "{before} J, then {after} J");
    assert_eq!(page.meshes.len(), meshes, "the model is the same");
}

#[test]
fn everything_can_be_switched() {
    let mut page = Page::with_scene("bar");
    for set in [
        "integrator.kind=bdf2",
        "integrator.kind=implicit-midpoint",
        "solver.kind=newton",
        "solver.iterations=5",
        "solver.kind=xpbd",
        "solver.kind=projective-dynamics",
        "solver.acceleration=lbfgs",
        "h=1/60",
        "gravity=[0,-1.6,0]",
        "damping.ether=0.01",
        "damping.rigid_preserving=0.1",
        "correction.kind=blend",
        "correction.kind=none",
    ] {
        page.say(&format!("{{\"do\":\"set\",\"set\":[\"{set}\"]}}"));
        assert!(page.errors().is_empty(), "{set}: {:?}", page.errors());
        page.step(2);
    }
    let values = &page.of("settings").last().unwrap()["values"];
    assert_eq!(values["h"], 1.0 / 60.0);
    assert_eq!(values["gravity"][1], -1.6);
    let material = &values["materials"][0];
    let key = material["key"].as_str().unwrap();
    let stiffer = 4.0 * material["value"].as_f64().unwrap();
    let before = page.positions(0);
    page.say(&format!("{{\"do\":\"set\",\"set\":[\"{key}={stiffer}\"]}}"));
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    let bits = |positions: &[[f32; 3]]| positions.iter().flatten().map(|c| c.to_bits()).collect::<Vec<_>>();
    assert!(bits(&page.positions(0)) == bits(&before), "it goes on from where it was");
    assert_eq!(page.scene(0)["values"]["materials"][0]["value"], stiffer);
}

#[test]
fn what_cannot_work_is_said_and_changes_nothing() {
    let mut page = Page::with_scene("bar");
    for (set, said) in [
        ("solver.kind=magic", "magic"),
        ("h=0", "h"),
        ("body.7.material.young=1", "body"),
        ("nonsense", "KEY=VALUE"),
        ("solver.iterations=0", "iterations"),
    ] {
        page.say(&format!("{{\"do\":\"set\",\"set\":[\"{set}\"]}}"));
        let error = page.errors().last().unwrap()["message"].as_str().unwrap().to_owned();
        assert!(error.contains(said), "{set}: {error}");
        page.events.clear();
    }
    page.say("{\"do\":\"set\",\"set\":[\"solver.iterations=7\"]}");
    assert_eq!(page.of("settings").last().unwrap()["values"]["iterations"], 7);
}

#[test]
fn a_mistake_in_a_scene_is_shown_at_its_line() {
    let mut page = Page::new();
    let text = "gravity = [0, -9.81, 0]\n\n[[body]]\nmesh.ball = { radius = 1, cellz = 6 }\n";
    page.say(&serde_json::json!({ "do": "open", "text": text }).to_string());
    let error = page.errors()[0];
    assert_eq!((&error["line"], &error["about"]), (&4.into(), &"open".into()), "{error}");
    let absurd = "[[body]]\nmesh.box = { size = [1, 1, 1], cells = [210, 210, 210] }\n";
    page.say(&serde_json::json!({ "do": "open", "text": absurd }).to_string());
    assert!(page.errors()[1]["message"].as_str().unwrap().contains("too many for the viewer"));
    let outside = "[[body]]\nmesh.file = { path = \"../secret.obj\" }\n";
    page.say(&serde_json::json!({ "do": "open", "text": outside }).to_string());
    assert!(page.errors()[2]["message"].as_str().unwrap().contains("secret.obj"));
}

#[test]
fn variants_run_side_by_side_and_are_dragged_together() {
    let mut page = Page::with_scene("trampoline");
    let wish = "{\"do\":\"variants\",\"variants\":[\
        {\"label\":\"damped\",\"set\":[\"correction.kind=none\"]},\
        {\"label\":\"kept\",\"set\":[\"correction.kind=fepr\",\"h=1/60\"]}]}";
    page.say(wish);
    assert_eq!(page.scene(1)["variants"], 2);
    page.step(30);
    let last: Vec<_> = page.frames.iter().rev().take(2).collect();
    assert_eq!(last[0].number, last[1].number);
    let times = [last[0].f64s(1)[0], last[1].f64s(1)[0]];
    assert!((times[0] - times[1]).abs() < 1e-9, "{times:?}");
    assert!(page.value(0, "energy") < page.value(1, "energy"));
    let grab = "{\"do\":\"grab\",\"pointer\":3,\"corners\":[9,9,9],\"weights\":[1,0,0],\"target\":[0,1,0]}";
    page.say(grab);
    page.step(3);
    assert!(page.value(0, "added.grabs") != 0.0 && page.value(1, "added.grabs") != 0.0);
}

#[test]
fn a_saved_state_goes_on_to_the_bit() {
    let mut page = Page::with_scene("trampoline");
    page.say("{\"do\":\"set\",\"set\":[\"solver.iterations=8\"]}");
    page.step(20);
    page.say("{\"do\":\"save\"}");
    let saved = page.states.pop().unwrap();
    page.step(20);
    let mut other = Page::new();
    other.session.binary(&saved).unwrap();
    other.step(20);
    assert!(other.errors().is_empty(), "{:?}", other.errors());
    assert_eq!(other.value(0, "time"), page.value(0, "time"));
    assert_eq!(other.value(0, "energy").to_bits(), page.value(0, "energy").to_bits());
    for length in [0, 7, 8, 100, saved.len() - 8] {
        assert!(Page::new().session.binary(&saved[..length]).is_err(), "{length}");
    }
    let mut bent = saved;
    bent[0] = 9;
    assert!(Page::new().session.binary(&bent).is_err());
}

#[test]
fn variants_with_other_meshes_are_left_alone() {
    let cloth = "gravity = [0, -9.81, 0]\n[[body]]\nmesh.cloth = { size = [1, 1], cells = [8, 8] }\n\
                 material = { stiffness = 500, mass = 0.2 }\n[[body.pin]]\nselect.indices = [0]\n";
    let mut page = Page::with_text(cloth);
    page.say(
        "{\"do\":\"variants\",\"variants\":[{\"label\":\"fine\",\"set\":[]},\
         {\"label\":\"coarse\",\"set\":[\"body.0.mesh.cloth.cells=[4,4]\"]}]}",
    );
    let grab =
        "{\"do\":\"grab\",\"pointer\":0,\"corners\":[80,80,80],\"weights\":[1,0,0],\"target\":[0,1,0]}";
    page.say(grab);
    page.step(3);
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert!(page.value(0, "added.grabs") != 0.0);
    assert_eq!(page.value(1, "added.grabs"), 0.0);
    page.say("{\"do\":\"pin\",\"vertices\":[24],\"on\":true,\"variant\":1}");
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    page.say("{\"do\":\"pin\",\"vertices\":[80],\"on\":true,\"variant\":1}");
    assert!(page.errors()[0]["message"].as_str().unwrap().contains("no vertex 80"));
}

#[test]
fn a_change_that_one_variant_refuses_changes_none() {
    let mut page = Page::with_scene("bar");
    page.say(
        "{\"do\":\"variants\",\"variants\":[{\"label\":\"a\",\"set\":[\"solver.kind=newton\"]},\
         {\"label\":\"b\",\"set\":[\"solver.kind=projective-dynamics\"]}]}",
    );
    page.events.retain(|e| e["event"] != "settings");
    page.say("{\"do\":\"set\",\"set\":[\"integrator.kind=discrete-gradient\"]}");
    assert!(page.errors()[0]["message"].as_str().unwrap().contains("discrete-gradient"));
    assert!(page.of("settings").is_empty());
    page.step(1);
    page.say("{\"do\":\"set\",\"set\":[\"h=1/60\"],\"variant\":0}");
    assert_eq!(page.of("settings").last().unwrap()["values"]["integrator"], "implicit-midpoint");
}

#[test]
fn a_variant_with_tiny_steps_does_not_hold_up_the_messages() {
    let mut page = Page::with_scene("spinning-cube");
    page.say(
        "{\"do\":\"variants\",\"variants\":[{\"label\":\"a\",\"set\":[]},\
         {\"label\":\"b\",\"set\":[\"h=1/3000\"]}]}",
    );
    // The clock of the page runs while it computes: each call makes a few steps and comes back.
    page.let_the_clock_run();
    page.say("{\"do\":\"step\"}");
    let after_one_call = page.session.advance();
    assert_eq!(after_one_call, Some(0.0), "there is more to do");
    // Paused on the way, it still ends what was begun, and the next step is a step.
    page.say("{\"do\":\"pause\"}");
    while page.session.advance() == Some(0.0) {}
    page.step(1);
    let h = page.scene(0)["h"].as_f64().unwrap();
    let times = [page.value(0, "time"), page.value(1, "time")];
    assert!(
        (times[0] - 2.0 * h).abs() < 1e-9 && (times[1] - 2.0 * h).abs() < 1e-9,
        "{times:?} after two steps of {h}"
    );
}

#[test]
fn damaged_states_are_told_and_files_keep_their_folder() {
    let mut page = Page::with_scene("tetrahedron");
    page.say("{\"do\":\"save\"}");
    let saved = page.states.pop().unwrap();
    let mut bent = saved.clone();
    let at = saved.windows(9).position(|w| w == b"\"changes\"").unwrap();
    bent[at + 2] = b'u';
    page.session.binary(&bent).unwrap();
    page.step(1);
    assert_eq!(page.errors().last().unwrap()["about"], "load");

    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(place.path().join("sub")).unwrap();
    std::fs::write(place.path().join("sub/one.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let scene = "[[body]]\nmesh.file = { path = \"one.obj\" }\nmaterial = { stiffness = 10, mass = 1 }\n";
    std::fs::write(place.path().join("sub/a.toml"), scene).unwrap();
    let mut page = Page::in_folder(place.path());
    page.say("{\"do\":\"open\",\"file\":\"sub/a.toml\"}");
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert_eq!(page.of("opened")[0]["file"], "sub/a.toml");
    let beside = serde_json::json!({ "do": "open", "text": scene, "name": "a", "beside": "sub/a.toml" });
    page.say(&beside.to_string());
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    page.say("{\"do\":\"save\"}");
    let saved = page.states.pop().unwrap();
    page.session.binary(&saved).unwrap();
    page.step(1);
    assert!(page.errors().is_empty(), "{:?}", page.errors());
}
