//! A finer surface that a body carries is what the page shows, grabs and pins.

use crate::page::Page;

const SCENE: &str = "correction.kind = \"none\"\n[[body]]\nmesh.box = { size = [1, 1, 1], cells = [4, 4, 4] }\n\
    surface = \"skin.obj\"\nmaterial = { young = 1e5, poisson = 0.3, density = 1000 }\ninitial.velocity = [0.5, 0, 0]\n";

/// An octahedron inside the box.
const SKIN: &str = "v 0.4 0 0\nv -0.4 0 0\nv 0 0.4 0\nv 0 -0.4 0\nv 0 0 0.4\nv 0 0 -0.4\n\
    f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";

fn page() -> (tempfile::TempDir, Page) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("skin.obj"), SKIN).unwrap();
    std::fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    let mut page = Page::in_folder(folder.path());
    page.say("{\"do\":\"open\",\"file\":\"scene.toml\"}");
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    (folder, page)
}

#[test]
fn the_page_shows_the_finer_surface_and_it_moves_with_the_body() {
    let (_folder, mut page) = page();
    let scene = page.scene(0);
    assert_eq!((&scene["vertices"], &scene["seen"]), (&131.into(), &6.into()), "125 of the box and 6");
    assert_eq!(
        (&scene["bodies"][0]["triangles"], &scene["bodies"][0]["tetrahedra"]),
        (&8.into(), &320.into())
    );
    let triangles = page.meshes.last().unwrap().u32s(20);
    assert_eq!(triangles[..3], [0, 2, 4]);
    assert!(triangles.len() == 24 && triangles.iter().all(|&v| v < 6));
    assert!(page.meshes.last().unwrap().u32s(22).iter().all(|&v| (6..131).contains(&v)));
    let start = page.positions(0)[0];
    assert!((start[0] - 0.4).abs() < 1e-6 && start[1].abs() < 1e-6 && start[2].abs() < 1e-6, "{start:?}");
    page.step(6);
    let h = page.scene(0)["h"].as_f64().unwrap() as f32;
    let moved = page.positions(0)[0][0] - start[0];
    assert!((moved - 0.5 * 6.0 * h).abs() < 1e-5, "{moved}");
    page.say("{\"do\":\"colour\",\"by\":\"speed\"}");
    let speeds = page.frames.last().unwrap().f32s(4);
    assert!(speeds.len() == 6 && speeds.iter().all(|s| (s - 0.5).abs() < 1e-4), "{speeds:?}");
    page.say("{\"do\":\"inside\",\"on\":true}");
    assert!(page.positions(0).iter().flatten().all(|c| c.is_finite()));
}

#[test]
fn it_can_be_grabbed_and_pinned() {
    let (_folder, mut page) = page();
    let grab = serde_json::json!({ "do": "grab", "pointer": 0, "corners": [0, 2, 4],
        "weights": [0.5, 0.25, 0.25], "target": [0.2, 1.1, 0.1], "stiffness": 1e4 });
    page.say(&grab.to_string());
    page.step(5);
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert!(page.positions(0)[2][1] > 0.402, "pulled up: {:?}", page.positions(0)[2]);
    let held = page.frames.last().unwrap().f32s(9);
    let point = [held[1], held[2], held[3]];
    let meant: Vec<f32> = (0..3)
        .map(|k| [(0, 0.5), (2, 0.25), (4, 0.25)].iter().map(|&(v, w)| w * page.positions(0)[v][k]).sum())
        .collect();
    let off = point.iter().zip(&meant).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
    assert!(off < 0.2, "the grabbed point is less than a cell from what was meant: {point:?} {meant:?}");
    page.say("{\"do\":\"release\",\"pointer\":0}");
    page.say("{\"do\":\"pin\",\"vertices\":[0],\"on\":true}");
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    let state = (*page.of("state").last().unwrap()).clone();
    let pin = state["pins"][0].as_u64().unwrap() as usize;
    let seen = page.scene(0)["seen"].as_u64().unwrap() as usize;
    assert_eq!(seen, 7, "what is pinned is shown");
    assert!(pin < seen && page.positions(0)[pin].iter().all(|c| c.is_finite()));
    page.say("{\"do\":\"pin\",\"vertices\":[131],\"on\":true}");
    assert!(page.errors().last().unwrap()["message"].as_str().unwrap().contains("no vertex 131"));
}
