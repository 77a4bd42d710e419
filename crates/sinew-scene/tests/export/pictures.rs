//! Pictures: a draped cloth, a ball, a beam, springs.

use crate::{figure_folder, shapes};
use glam::DVec3;
use sinew_scene::export::{
    animation::GifWriter,
    colour::Colour,
    image::Image,
    render::{Camera, Frame, Markers, Mesh, Radius, Renderer, Rods, Settings, render},
};

const VIEW: DVec3 = DVec3::new(0.6, 0.5, 1.0);

fn mesh(shape: &shapes::Shape, colour: Colour, wireframe: bool) -> Mesh<'_> {
    Mesh {
        positions: &shape.positions,
        triangles: &shape.triangles,
        colour,
        wireframe,
        pattern: None,
        tints: None,
    }
}

fn fitted(frame: &Frame, settings: &Settings) -> Image {
    let camera = Camera::fit(&frame.bounds().unwrap(), VIEW, settings.aspect());
    render(frame, &camera, settings).unwrap()
}

/// Differences of a channel that shadows and lines make, and a little less light from all around near a body does not.
const VISIBLE: u8 = 12;

/// Fraction of pixels that differ between two images by more than so much.
fn difference(a: &Image, b: &Image, least: u8) -> f64 {
    let apart = |(p, q): &(&[u8], &[u8])| p.iter().zip(*q).map(|(x, y)| x.abs_diff(*y)).max() > Some(least);
    let changed = a.bytes().chunks(3).zip(b.bytes().chunks(3)).filter(apart).count();
    changed as f64 / (a.bytes().len() / 3) as f64
}

#[test]
fn a_cloth_over_a_ball() {
    let (folder, _guard) = figure_folder();
    let cloth = shapes::draped_cloth(60);
    let ball = shapes::ball(DVec3::new(0.0, 0.5, 0.0), 0.49, 40);
    let pins = [cloth.positions[0], cloth.positions[60]];
    let frame = Frame {
        meshes: vec![mesh(&cloth, Colour::distinct(0), true), mesh(&ball, Colour::hex(0xc8c2b8), false)],
        markers: vec![Markers { positions: &pins, colour: Colour::distinct(1), radius: Radius::Pixels(5.0) }],
        ground: Some(0.0),
        caption: "drape   t = 2.40 s".into(),
        ..Frame::default()
    };
    let settings = Settings::default();
    let with_wires = fitted(&frame, &settings);
    with_wires.write_png(folder.join("cloth.png")).unwrap();
    let mut plain = frame.clone();
    plain.meshes[0].wireframe = false;
    let plain = fitted(&plain, &settings);
    plain.write_png(folder.join("cloth_plain.png")).unwrap();
    let drawn = difference(&with_wires, &plain, 0);
    assert!(drawn > 0.05, "wires changed only {drawn} of the pixels");
}

#[test]
fn a_cloth_of_60_by_60_is_drawn_in_time() {
    let cloth = shapes::draped_cloth(60);
    let frame = Frame {
        meshes: vec![mesh(&cloth, Colour::distinct(0), true)],
        ground: Some(0.0),
        ..Frame::default()
    };
    let mut renderer = Renderer::new(Settings::default()).unwrap();
    let camera = Camera::fit(&frame.bounds().unwrap(), VIEW, renderer.settings().aspect());
    let mut times: Vec<f64> = (0..15)
        .map(|_| {
            let start = std::time::Instant::now();
            renderer.render(&frame, &camera).unwrap();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    // Generous: tests run side by side and without full optimisation.
    assert!(times[0] < 600.0, "ms a frame: {times:?}");
}

#[test]
fn a_ball_and_a_beam() {
    let (folder, _guard) = figure_folder();
    let ball = shapes::ball(DVec3::new(-0.6, 0.4, 0.2), 0.4, 30);
    let beam = shapes::beam(6);
    let frame = Frame {
        meshes: vec![mesh(&ball, Colour::distinct(1), false), mesh(&beam, Colour::distinct(2), true)],
        ground: Some(0.0),
        ..Frame::default()
    };
    let settings = Settings::default();
    let camera = Camera::fit(&frame.bounds().unwrap(), VIEW, settings.aspect());
    let both = render(&frame, &camera, &settings).unwrap();
    both.write_png(folder.join("ball_and_beam.png")).unwrap();
    for (left_out, name) in ["ball", "beam"].into_iter().enumerate() {
        let mut other = frame.clone();
        other.meshes.remove(left_out);
        let part = difference(&both, &render(&other, &camera, &settings).unwrap(), VISIBLE);
        assert!((0.04..0.25).contains(&part), "the {name} is {part} of the picture");
    }
}

#[test]
fn springs_without_triangles() {
    let (folder, _guard) = figure_folder();
    let points = [DVec3::new(0.0, 1.0, 0.0), DVec3::new(-0.5, 0.7, 0.2), DVec3::new(-0.1, 0.1, 0.3)];
    let frame = Frame {
        rods: vec![Rods {
            positions: &points,
            segments: &[[0, 1], [1, 2]],
            colour: Colour::distinct(0),
            radius: Radius::Pixels(4.0),
            ball_radius: Radius::Pixels(11.0),
        }],
        markers: vec![Markers {
            positions: &points[..1],
            colour: Colour::distinct(1),
            radius: Radius::Pixels(13.0),
        }],
        caption: "two springs   t = 0.10 s".into(),
        ground: Some(0.0),
        ..Frame::default()
    };
    let settings = Settings::default();
    let camera = Camera::fit(&frame.bounds().unwrap(), VIEW, settings.aspect());
    render(&frame, &camera, &settings).unwrap().write_png(folder.join("springs.png")).unwrap();
    // Without the ground and its shadows, what a part adds is the part alone.
    let bare = Frame { ground: None, ..frame };
    let all = render(&bare, &camera, &settings).unwrap();
    let pixels = |without: &Frame| {
        let other = render(without, &camera, &settings).unwrap();
        difference(&all, &other, VISIBLE) * f64::from(settings.width * settings.height)
    };
    let marker = pixels(&Frame { markers: Vec::new(), ..bare.clone() });
    let rods = pixels(&Frame { rods: Vec::new(), ..bare.clone() });
    let words = pixels(&Frame { caption: String::new(), ..bare.clone() });
    let disk = std::f64::consts::PI * 13.0 * 13.0;
    assert!((0.9..1.2).contains(&(marker / disk)), "{marker} pixels of a disk of {disk}");
    // Two rods, 8 pixels wide and together about as long as the picture is high, and two balls.
    assert!((4000.0..7000.0).contains(&rods), "{rods} pixels of rods");
    assert!((500.0..1500.0).contains(&words), "{words} pixels of words");
}

#[test]
fn an_animation_of_a_wave() {
    let (folder, _guard) = figure_folder();
    let path = folder.join("wave.gif");
    let settings = Settings { width: 320, height: 240, ..Settings::default() };
    let mut gif = GifWriter::create(&path, settings.width, settings.height, 30.0).unwrap();
    let bounds = shapes::sheet(1, |s, t| DVec3::new(2.0 * s, 0.5 * s, 2.0 * t));
    let camera = Camera::fit(
        &Frame { meshes: vec![mesh(&bounds, Colour::BLACK, false)], ..Frame::default() }.bounds().unwrap(),
        VIEW,
        settings.aspect(),
    );
    for k in 0..12 {
        let phase = f64::from(k) / 12.0 * std::f64::consts::TAU;
        let sheet = shapes::sheet(24, |s, t| {
            DVec3::new(2.0 * s, 0.4 + 0.12 * (6.0 * s + 3.0 * t - phase).sin(), 2.0 * t)
        });
        let frame = Frame {
            meshes: vec![mesh(&sheet, Colour::distinct(0), true)],
            ground: Some(0.0),
            caption: format!("wave   t = {:.2} s", f64::from(k) / 30.0),
            ..Frame::default()
        };
        gif.add(&render(&frame, &camera, &settings).unwrap()).unwrap();
    }
    gif.finish().unwrap();
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < 12 * 320 * 240 / 3, "{size} bytes");
    let played = crate::files::play(&path);
    assert_eq!(played.len(), 12);
    let mut last = Image::filled(320, 240, Colour::WHITE).unwrap();
    for (i, p) in played[11].0.chunks(3).enumerate() {
        last.blend(i as i64 % 320, i as i64 / 320, Colour { r: p[0], g: p[1], b: p[2] }, 1.0);
    }
    last.write_png(folder.join("wave_last.png")).unwrap();
}
