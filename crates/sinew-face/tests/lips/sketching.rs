//! A contour drawn over an image moves the lip line to where it was drawn, and the flesh follows smoothly.

use crate::performance;
use glam::{DVec2, DVec3};
use sinew_face::sketch::{ImageCamera, sketch};

fn camera() -> ImageCamera {
    ImageCamera {
        eye: DVec3::new(1.0, 2.0, 30.0),
        look_at: DVec3::ZERO,
        up: DVec3::Y,
        fov_degrees: 25.0,
        size: (800.0, 600.0),
    }
}

#[test]
fn the_lip_line_is_seen_where_the_contour_was_drawn() {
    let p = performance();
    let camera = camera();
    // The ring of the upper lip between the corners, 32 columns, of the first ring of the red.
    let ring = p.regions.inner[0] / 32 + 2;
    let landmarks: Vec<u32> = [2, 7, 13].iter().map(|c| ring * 32 + c).collect();
    let before = p.captured[20].clone();
    // A contour a little above the line.
    let seen = |v: u32, points: &[DVec3]| camera.project(points[v as usize]).unwrap().unwrap();
    let contour: Vec<DVec2> =
        (2..=13).map(|c| seen(ring * 32 + c, &before) + DVec2::new(1.0, -6.0)).collect();
    let mut after = before.clone();
    let done = sketch(&mut after, &p.triangles, &p.regions.inner, &landmarks, &camera, &contour).unwrap();
    assert!(done.line.len() >= 12 && done.largest > 0.05, "{done:?}");
    for &v in &done.line {
        let at = seen(v, &after);
        let near = contour.windows(2).map(|s| segment(at, s[0], s[1])).fold(f64::INFINITY, f64::min);
        assert!(near < 1e-6, "vertex {v} is seen {near} pixels beside the contour");
        // It moved parallel to the image.
        let forward = (camera.look_at - camera.eye).normalize();
        assert!((after[v as usize] - before[v as usize]).dot(forward).abs() < 1e-9);
    }
    for v in (0..before.len()).filter(|&v| p.regions.inner.binary_search(&(v as u32)).is_err()) {
        assert_eq!(after[v], before[v]);
    }
    // Smooth: no edge of the region changes by more than a third of the largest displacement.
    let moved = |v: u32| after[v as usize] - before[v as usize];
    let jump = p.triangles.iter().flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]);
    let jump = jump.map(|(a, b)| (moved(a) - moved(b)).length()).fold(0.0, f64::max);
    assert!(jump < 0.6 * done.largest, "{jump} of {}", done.largest);
}

fn segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    p.distance(a.lerp(b, t))
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let p = performance();
    let mut points = p.captured[20].clone();
    let inner = &p.regions.inner;
    let line = [inner[70], inner[75]];
    let contour = [DVec2::new(10.0, 10.0), DVec2::new(50.0, 10.0)];
    let mut attempt = |camera: ImageCamera, line: &[u32], contour: &[DVec2]| {
        sketch(&mut points, &p.triangles, inner, line, &camera, contour).unwrap_err().to_string()
    };
    assert!(attempt(camera(), &line, &contour[..1]).contains("two points"));
    assert!(attempt(camera(), &line[..1], &contour).contains("two landmarks"));
    assert!(attempt(camera(), &[1, 2], &contour).contains("leaves the region"));
    assert!(attempt(camera(), &[inner[0], 99_999], &contour).contains("does not exist"));
    assert!(attempt(ImageCamera { eye: DVec3::ZERO, ..camera() }, &line, &contour).contains("stands where"));
    let behind = ImageCamera { look_at: DVec3::new(1.0, 2.0, 60.0), ..camera() };
    assert!(attempt(behind, &line, &contour).contains("behind the camera"));
}
