//! What the renderer must and must not draw.

use crate::shapes;
use glam::DVec3;
use sinew_scene::export::{
    ExportError,
    colour::Colour,
    image::Image,
    render::{
        Backdrop, Bounds, Camera, Frame, Markers, Mesh, Pattern, Plane, Radius, Renderer, Rods, Settings,
        render,
    },
};

const RED: Colour = Colour::hex(0xe0_10_10);
const BLUE: Colour = Colour::hex(0x10_10_e0);
const PLAIN: Settings = Settings {
    width: 64,
    height: 48,
    supersampling: 2,
    wire_width: 0.8,
    axes: false,
    backdrop: Backdrop::Light,
};

fn camera() -> Camera {
    Camera { eye: DVec3::new(0.0, 0.0, 5.0), look_at: DVec3::ZERO, up: DVec3::Y, fov_degrees: 40.0 }
}

fn triangle(z: f64, size: f64) -> [DVec3; 3] {
    [DVec3::new(-size, -size, z), DVec3::new(size, -size, z), DVec3::new(0.0, size, z)]
}

fn one(positions: &[DVec3], colour: Colour) -> Frame<'_> {
    let mesh =
        Mesh { positions, triangles: &[[0, 1, 2]], colour, wireframe: false, pattern: None, tints: None };
    Frame { meshes: vec![mesh], ..Frame::default() }
}

fn reddish(c: Colour) -> bool {
    u32::from(c.r) > 2 * u32::from(c.b) && u32::from(c.r) > 2 * u32::from(c.g)
}

fn bluish(c: Colour) -> bool {
    u32::from(c.b) > 2 * u32::from(c.r) && u32::from(c.b) > 2 * u32::from(c.g)
}

/// Fraction of pixels for which `test` holds.
fn share(image: &Image, test: fn(Colour) -> bool) -> f64 {
    let all = image.bytes().chunks(3).map(|p| Colour { r: p[0], g: p[1], b: p[2] });
    let count = all.clone().count() as f64;
    all.filter(|c| test(*c)).count() as f64 / count
}

#[test]
fn a_red_triangle_is_red_in_the_middle_and_nowhere_else() {
    let image = render(&one(&triangle(0.0, 0.8), RED), &camera(), &PLAIN).unwrap();
    let nothing = render(&Frame::default(), &camera(), &PLAIN).unwrap();
    assert_eq!((image.width(), image.height(), image.bytes().len()), (64, 48, 64 * 48 * 3));
    assert!(reddish(image.pixel(32, 25).unwrap()));
    for (x, y) in [(0, 0), (63, 0), (0, 47), (63, 47), (2, 24), (61, 24), (20, 17)] {
        assert_eq!(image.pixel(x, y), nothing.pixel(x, y), "at {x}, {y}");
    }
    // 2·0.8·1.6/2 m² of an image 2·5·tan 20° m high.
    let height = 10.0 * 20f64.to_radians().tan();
    let expected = 1.28 / (height * height * 64.0 / 48.0);
    assert!((share(&image, reddish) - expected).abs() < 0.015, "{} of {expected}", share(&image, reddish));
}

#[test]
fn triangles_of_a_pattern_have_its_colour() {
    // Two triangles side by side; only the second is on the pattern.
    let positions = [DVec3::ZERO, DVec3::new(-1.0, 1.0, 0.0), DVec3::new(-1.0, -1.0, 0.0)]
        .into_iter()
        .chain([DVec3::ZERO, DVec3::new(1.0, -1.0, 0.0), DVec3::new(1.0, 1.0, 0.0)]);
    let positions: Vec<_> = positions.collect();
    let pattern = Some(Pattern { colour: BLUE, on: &[false, true] });
    let triangles = &[[0, 1, 2], [3, 4, 5]];
    let mesh = Mesh { positions: &positions, triangles, colour: RED, wireframe: false, pattern, tints: None };
    let image = render(&Frame { meshes: vec![mesh], ..Frame::default() }, &camera(), &PLAIN).unwrap();
    assert!(reddish(image.pixel(24, 24).unwrap()) && bluish(image.pixel(40, 24).unwrap()));
    let (red, blue) = (share(&image, reddish), share(&image, bluish));
    assert!((red - blue).abs() < 0.01 && red > 0.02, "{red} red, {blue} blue");
}

#[test]
fn both_sides_of_a_sheet_are_drawn() {
    let mut turned = triangle(0.0, 0.8);
    turned.swap(0, 1);
    let image = render(&one(&turned, RED), &camera(), &PLAIN).unwrap();
    assert!(reddish(image.pixel(32, 25).unwrap()));
}

#[test]
fn the_nearer_triangle_hides_the_farther_in_either_order() {
    let (near, far) = (triangle(1.0, 0.5), triangle(-1.0, 2.0));
    let (red, blue) = (one(&near, RED).meshes[0], one(&far, BLUE).meshes[0]);
    for meshes in [vec![red, blue], vec![blue, red]] {
        let image = render(&Frame { meshes, ..Frame::default() }, &camera(), &PLAIN).unwrap();
        assert!(reddish(image.pixel(32, 25).unwrap()));
        assert!(bluish(image.pixel(32, 38).unwrap()));
    }
}

#[test]
fn crossing_triangles_cut_each_other() {
    let (a, b) = (
        [DVec3::new(-2.0, -1.0, -1.0), DVec3::new(2.0, -1.0, 1.0), DVec3::new(0.0, 1.5, 0.0)],
        [DVec3::new(-2.0, -1.0, 1.0), DVec3::new(2.0, -1.0, -1.0), DVec3::new(0.0, 1.5, 0.0)],
    );
    let frame = Frame { meshes: vec![one(&a, RED).meshes[0], one(&b, BLUE).meshes[0]], ..Frame::default() };
    let image = render(&frame, &camera(), &PLAIN).unwrap();
    assert!(bluish(image.pixel(22, 28).unwrap()) && reddish(image.pixel(41, 28).unwrap()));
}

#[test]
fn a_triangle_that_reaches_behind_the_eye_covers_what_it_should() {
    // A floor at y = −1 from far ahead to far behind: below the horizon, and nothing above it.
    let floor =
        [DVec3::new(-500.0, -1.0, 400.0), DVec3::new(500.0, -1.0, 400.0), DVec3::new(0.0, -1.0, -4000.0)];
    let image = render(&one(&floor, RED), &camera(), &PLAIN).unwrap();
    for x in 0..64 {
        for y in 0..23 {
            assert!(!reddish(image.pixel(x, y).unwrap()), "sky at {x}, {y}");
        }
        for y in 26..48 {
            assert!(reddish(image.pixel(x, y).unwrap()), "floor at {x}, {y}");
        }
    }
}

#[test]
fn what_lies_behind_or_far_beside_the_eye_is_not_drawn() {
    let nothing = render(&Frame::default(), &camera(), &PLAIN).unwrap();
    for positions in [triangle(6.0, 1.0), triangle(4.99, 1.0), triangle(0.0, 0.8).map(|p| p + 1e9 * DVec3::X)]
    {
        assert_eq!(render(&one(&positions, RED), &camera(), &PLAIN).unwrap(), nothing);
    }
}

#[test]
fn non_finite_and_enormous_positions_are_bounded() {
    let nothing = render(&Frame::default(), &camera(), &PLAIN).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut positions = triangle(0.0, 0.8);
        positions[1].y = bad;
        assert_eq!(render(&one(&positions, RED), &camera(), &PLAIN).unwrap(), nothing);
    }
    for size in [1e30, 1e120, 1e300, f64::MAX] {
        let positions = triangle(-1.0, size);
        let frame = Frame { ground: Some(-1.0), ..one(&positions, RED) };
        render(&frame, &camera(), &PLAIN).unwrap();
    }
    let points = [DVec3::ZERO, DVec3::splat(f64::NAN), DVec3::ZERO, DVec3::splat(1e300)];
    let frame = Frame {
        rods: vec![Rods {
            positions: &points,
            segments: &[[0, 1], [0, 2], [0, 3]],
            colour: RED,
            radius: Radius::Metres(0.1),
            ball_radius: Radius::Pixels(f64::INFINITY),
        }],
        markers: vec![Markers { positions: &points, colour: BLUE, radius: Radius::Metres(-1.0) }],
        ground: Some(f64::NAN),
        ..Frame::default()
    };
    render(&frame, &camera(), &PLAIN).unwrap();
}

#[test]
fn neighbouring_triangles_leave_no_gap() {
    // A sheet that fills the image, in front of a blue one: not a trace of blue may come through.
    let front = shapes::sheet(37, |s, t| DVec3::new(8.0 * s - 4.0, 8.0 * t - 4.0, 0.3 * (9.0 * s).sin()));
    let back = triangle(-3.0, 50.0);
    let sheet = |colour| Mesh {
        positions: &front.positions,
        triangles: &front.triangles,
        colour,
        wireframe: false,
        pattern: None,
        tints: None,
    };
    let frame = Frame { meshes: vec![sheet(RED), one(&back, BLUE).meshes[0]], ..Frame::default() };
    let image = render(&frame, &camera(), &Settings { width: 333, height: 251, ..PLAIN }).unwrap();
    assert_eq!(share(&image, reddish), 1.0);
}

#[test]
fn springs_and_markers_show_without_triangles() {
    let points = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0)];
    let frame = Frame {
        rods: vec![Rods {
            positions: &points,
            segments: &[[0, 1]],
            colour: RED,
            radius: Radius::Pixels(2.0),
            ball_radius: Radius::Pixels(3.0),
        }],
        markers: vec![Markers { positions: &points[1..], colour: BLUE, radius: Radius::Pixels(5.0) }],
        ..Frame::default()
    };
    let image = render(&frame, &camera(), &PLAIN).unwrap();
    assert!(reddish(image.pixel(32, 24).unwrap()) && !reddish(image.pixel(32, 29).unwrap()));
    // 1 m at 5 m distance is 13.2 pixels.
    assert!(bluish(image.pixel(45, 24).unwrap()) && bluish(image.pixel(45, 27).unwrap()));
}

#[test]
fn a_body_casts_a_shadow_on_the_ground_and_is_hidden_below_it() {
    let ball = shapes::ball(DVec3::new(0.0, 0.5, 0.0), 0.5, 20);
    let camera = Camera { eye: DVec3::new(0.0, 3.0, 6.0), ..camera() };
    let mesh = Mesh {
        positions: &ball.positions,
        triangles: &ball.triangles,
        colour: RED,
        wireframe: false,
        pattern: None,
        tints: None,
    };
    let frame = Frame { meshes: vec![mesh], ground: Some(0.0), ..Frame::default() };
    let empty = Frame { ground: Some(0.0), ..Frame::default() };
    let brightness = |image: &Image| image.bytes().iter().map(|b| u64::from(*b)).sum::<u64>();
    let with = render(&frame, &camera, &PLAIN).unwrap();
    let without = render(&empty, &camera, &PLAIN).unwrap();
    let darkened = (0..48).flat_map(|y| (0..64).map(move |x| (x, y))).filter(|&(x, y)| {
        let (a, b) = (with.pixel(x, y).unwrap(), without.pixel(x, y).unwrap());
        !reddish(a) && u32::from(a.g) + 25 < u32::from(b.g)
    });
    assert!(darkened.count() > 40, "no shadow");
    let sunk = render(&Frame { ground: Some(2.0), ..frame.clone() }, &camera, &PLAIN).unwrap();
    assert_eq!(share(&sunk, reddish), 0.0);
    let from_below = Camera { eye: DVec3::new(0.0, -3.0, 6.0), ..camera };
    assert!(share(&render(&frame, &from_below, &PLAIN).unwrap(), reddish) > 0.015);
    assert!(brightness(&with) < brightness(&without));
}

#[test]
fn a_plane_is_drawn_as_the_ground_is_from_its_front_alone() {
    let ball = shapes::ball(DVec3::new(0.0, 0.5, 0.0), 0.5, 20);
    let mesh = Mesh {
        positions: &ball.positions,
        triangles: &ball.triangles,
        colour: RED,
        wireframe: false,
        pattern: None,
        tints: None,
    };
    let camera = Camera { eye: DVec3::new(0.0, 3.0, 6.0), ..camera() };
    let draw = |ground, planes: &[Plane]| {
        let frame = Frame { meshes: vec![mesh], ground, planes: planes.to_vec(), ..Frame::default() };
        render(&frame, &camera, &PLAIN).unwrap()
    };
    let bare = draw(None, &[]);
    assert_eq!(draw(None, &[Plane::level(-0.3)]), draw(Some(-0.3), &[]));
    let wall = |z: f64, front: f64| Plane {
        point: DVec3::new(0.0, 0.0, z),
        normal: front * DVec3::Z,
        along: DVec3::X,
    };
    let behind = draw(None, &[wall(-2.0, 1.0)]);
    assert_ne!(behind, bare);
    assert!((share(&behind, reddish) - share(&bare, reddish)).abs() < 1e-3, "it hides nothing before it");
    assert_eq!(share(&draw(None, &[wall(2.0, 1.0)]), reddish), 0.0, "it hides what is behind it");
    assert_eq!(draw(None, &[wall(2.0, -1.0)]), bare, "the back of a plane is not drawn");
    assert_eq!(draw(Some(f64::NAN), &[Plane { point: DVec3::NAN, ..wall(0.0, 1.0) }]), bare);
    let both = [wall(2.0, 1.0), wall(-2.0, 1.0)];
    assert_eq!(draw(None, &both), draw(None, &[both[1], both[0]]), "the nearer hides the other in any order");
}

#[test]
fn the_same_frame_gives_the_same_bytes_whatever_came_before() {
    let cloth = shapes::draped_cloth(20);
    let mesh = Mesh {
        positions: &cloth.positions,
        triangles: &cloth.triangles,
        colour: BLUE,
        wireframe: true,
        pattern: None,
        tints: None,
    };
    let frame = Frame { meshes: vec![mesh], ground: Some(0.0), caption: "t = 0".into(), ..Frame::default() };
    let mut renderer = Renderer::new(Settings { axes: true, ..PLAIN }).unwrap();
    let first = renderer.render(&frame, &camera()).unwrap();
    renderer.render(&one(&triangle(0.0, 9.0), RED), &camera()).unwrap();
    assert_eq!(renderer.render(&frame, &camera()).unwrap(), first);
}

#[test]
fn a_dark_picture_has_the_same_body_before_something_dark() {
    let points = triangle(0.0, 1.0);
    let frame = Frame { ground: Some(-1.5), ..one(&points, RED) };
    let camera = Camera { eye: DVec3::new(0.0, 1.0, 5.0), ..camera() };
    let [light, dark] = [Backdrop::Light, Backdrop::Dark]
        .map(|backdrop| render(&frame, &camera, &Settings { backdrop, ..PLAIN }).unwrap());
    assert_eq!(light.pixel(32, 26), dark.pixel(32, 26));
    assert!(reddish(dark.pixel(32, 26).unwrap()));
    for place in [(1, 1), (62, 1), (32, 46)] {
        let green = |image: &Image| image.pixel(place.0, place.1).unwrap().g;
        assert!(green(&dark) < 0x60 && green(&light) > 0x60, "{place:?}");
    }
}

#[test]
fn caption_and_axes_are_drawn_over_the_picture() {
    let plain = render(&Frame::default(), &camera(), &Settings { width: 320, height: 240, ..PLAIN }).unwrap();
    let settings = Settings { width: 320, height: 240, axes: true, ..PLAIN };
    let frame = Frame { caption: "trampoline  t = 2.40 s".into(), ..Frame::default() };
    let image = render(&frame, &camera(), &settings).unwrap();
    let changed = |xs: std::ops::Range<u32>, ys: std::ops::Range<u32>| {
        let places = ys.flat_map(|y| xs.clone().map(move |x| (x, y)));
        places.filter(|&(x, y)| image.pixel(x, y) != plain.pixel(x, y)).count()
    };
    assert!(changed(0..160, 0..24) > 150, "caption");
    assert!(changed(0..60, 180..240) > 60, "axes");
    assert_eq!(changed(160..320, 24..240), 0);
    // A caption far too long ends at the border.
    render(&Frame { caption: "long ".repeat(4000), ..Frame::default() }, &camera(), &settings).unwrap();
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_reason() {
    let positions = triangle(0.0, 1.0);
    let frame = one(&positions, RED);
    for (width, height, supersampling) in [(0, 10, 1), (10, 0, 1), (20_000, 10, 1), (16_000, 16_000, 4)] {
        let settings = Settings { width, height, supersampling, ..PLAIN };
        assert!(matches!(render(&frame, &camera(), &settings), Err(ExportError::ImageSize { .. })));
    }
    let cameras = [
        Camera { eye: DVec3::ZERO, ..camera() },
        Camera { eye: DVec3::NAN, ..camera() },
        Camera { look_at: DVec3::splat(f64::INFINITY), ..camera() },
        Camera { fov_degrees: 0.0, ..camera() },
        Camera { fov_degrees: 180.0, ..camera() },
        Camera { fov_degrees: f64::NAN, ..camera() },
    ];
    for camera in cameras {
        assert!(matches!(render(&frame, &camera, &PLAIN), Err(ExportError::Camera(_))), "{camera:?}");
    }
    let mut beyond = frame.clone();
    beyond.meshes[0].triangles = &[[0, 1, 2], [0, 1, 3]];
    let error = render(&beyond, &camera(), &PLAIN).unwrap_err();
    assert_eq!(error.to_string(), "triangle 1 refers to point 3, but there are only 3 points");
}

#[test]
fn odd_cameras_still_give_a_picture() {
    // Whatever they are given, they look at the middle: a red ball there is what they see in the middle of the picture.
    let sees_ball_at = |middle: DVec3, camera: &Camera| {
        let ball = shapes::ball(middle, 0.1, 8);
        let mesh = Mesh {
            positions: &ball.positions,
            triangles: &ball.triangles,
            colour: RED,
            wireframe: false,
            pattern: None,
            tints: None,
        };
        let frame = Frame { meshes: vec![mesh], ground: Some(-1.0), ..Frame::default() };
        let image = render(&frame, camera, &PLAIN).unwrap();
        assert!(reddish(image.pixel(32, 24).unwrap()), "{camera:?}");
    };
    let point = Bounds { min: DVec3::ONE, max: DVec3::ONE };
    let broken = Bounds { min: DVec3::NAN, max: DVec3::ONE };
    for (bounds, middle) in [(point, DVec3::ONE), (broken, DVec3::ZERO)] {
        for direction in [DVec3::ZERO, DVec3::Y, DVec3::NAN] {
            sees_ball_at(middle, &Camera::fit(&bounds, direction, f64::NAN));
        }
    }
    for up in [DVec3::ZERO, DVec3::Z, DVec3::NAN] {
        sees_ball_at(DVec3::ZERO, &Camera { up, ..camera() });
    }
}
