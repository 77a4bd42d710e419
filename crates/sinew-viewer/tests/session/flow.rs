//! Opening, playing, pausing, frames and back-pressure.

use crate::page::Page;

#[test]
fn a_session_says_hello_and_lists_scenes() {
    let mut page = Page::new();
    assert_eq!(page.events[0]["event"], "hello");
    assert_eq!(page.events[0]["protocol"], 1);
    page.say("{\"do\":\"scenes\"}");
    let scenes = page.of("scenes")[0]["scenes"].as_array().unwrap();
    assert!(scenes.iter().any(|s| s["name"] == "trampoline" && !s["title"].as_str().unwrap().is_empty()));
}

#[test]
fn every_shipped_scene_opens_and_moves() {
    let mut page = Page::new();
    page.say("{\"do\":\"scenes\"}");
    let scenes = page.of("scenes")[0]["scenes"].as_array().unwrap().clone();
    for scene in &scenes {
        let name = scene["name"].as_str().unwrap();
        let mut page = Page::with_scene(name);
        page.step(2);
        assert!(page.of("failed").is_empty(), "{name}: {:?}", page.of("failed"));
        assert_eq!(page.frames.last().unwrap().f64s(1)[1], 2.0, "{name}");
        let seen = page.scene(0)["seen"].as_u64().unwrap() as usize;
        assert!(page.positions(0)[..seen].iter().flatten().all(|c| c.is_finite()), "{name}");
        let columns = page.scene(0)["columns"].as_array().unwrap().len();
        assert_eq!(page.frames.last().unwrap().f64s(10).len() % columns, 0, "{name}");
    }
}

#[test]
fn it_plays_at_the_speed_of_the_clock_and_pauses() {
    let mut page = Page::with_scene("spinning-cube");
    let h = page.scene(0)["h"].as_f64().unwrap();
    page.say("{\"do\":\"play\"}");
    for _ in 0..40 {
        page.wait(25.0);
    }
    let steps = page.frames.last().unwrap().f64s(1)[1];
    assert!((steps * h - 1.0).abs() <= 1.5 * h, "{steps} steps of {h} s in a second");
    page.say("{\"do\":\"pause\"}");
    page.wait(1000.0);
    assert_eq!(page.frames.last().unwrap().f64s(1)[1], steps);
    assert_eq!(page.of("state").last().unwrap()["playing"], false);
    page.say("{\"do\":\"reset\"}");
    assert_eq!(page.frames.last().unwrap().f64s(1), [0.0, 0.0]);
}

#[test]
fn a_page_that_does_not_answer_gets_two_frames_and_no_more() {
    let mut page = Page::with_scene("spinning-cube");
    page.answers = false;
    let before = page.frames.len();
    page.say("{\"do\":\"play\"}");
    for _ in 0..1000 {
        page.wait(35.0);
    }
    assert_eq!(page.frames.len() - before, 2);
    // The simulation went on; the first frame after the silence has the newest rows, and not all of them.
    page.answers = true;
    let last = page.frames.last().unwrap().number;
    page.say(&format!("{{\"do\":\"shown\",\"frame\":{last}}}"));
    let frame = page.frames.last().unwrap();
    assert!(frame.f64s(1)[1] > 900.0, "{:?}", frame.f64s(1));
    let columns = page.scene(0)["columns"].as_array().unwrap().len();
    assert_eq!(frame.f64s(10).len(), 256 * columns);
}

#[test]
fn a_page_cannot_claim_frames_that_it_never_got() {
    let mut page = Page::with_scene("tetrahedron");
    page.answers = false;
    page.frames.clear();
    page.say("{\"do\":\"shown\",\"frame\":4000000000}");
    page.say("{\"do\":\"play\"}");
    for _ in 0..50 {
        page.wait(40.0);
    }
    assert!(page.frames.len() <= 2, "{}", page.frames.len());
}

#[test]
fn only_what_moved_is_sent() {
    // The second block lies still to the bit: nothing acts on it, and no correction brings in rounding.
    let scene = "correction.kind = \"none\"\n[[body]]\nmesh.box = { size = [1, 1, 1], cells = [4, 4, 4] }\n\
                 material = { young = 1e5, poisson = 0.3, density = 1000 }\ninitial.velocity = [1, 0, 0]\n\
                 [[body]]\nmesh.box = { size = [1, 1, 1], cells = [4, 4, 4] }\n\
                 material = { young = 1e5, poisson = 0.3, density = 1000 }\ninitial.translate = [0, 0, 9]\n";
    let mut page = Page::with_text(scene);
    assert_eq!(page.scene(0)["vertices"], 250);
    assert_eq!(page.scene(0)["seen"], 196, "27 of 125 vertices of each are inside");
    assert_eq!(page.frames[0].f32s(3).len(), 3 * 196);
    page.step(1);
    let moved: u32 = page.frames.last().unwrap().u32s(2).chunks(2).map(|run| run[1]).sum();
    assert!((98..110).contains(&moved), "{moved} vertices of the body that moves");
    page.say("{\"do\":\"inside\",\"on\":true}");
    let added: u32 = page.frames.last().unwrap().u32s(2).chunks(2).map(|run| run[1]).sum();
    assert_eq!(added, 54, "only the inside was missing");
    assert!(page.positions(0).iter().flatten().all(|c| c.is_finite()));
}
