//! Small scenes written out, random ones compared with a brute-force search, and timing.

mod scenes;

use super::super::crossing::in_tetrahedron;
use super::*;
use scenes::*;
use std::time::Instant;

#[test]
fn boxes_above_each_other_meet_by_their_faces() {
    let mut scene = Scene::default();
    scene.cube([2; 3], DVec3::ZERO, DVec3::ONE).cube([3; 3], DVec3::new(0.3, 1.005, 0.3), DVec3::splat(0.5));
    let surfaces = scene.surfaces(0.01);
    let pairs = detect(&surfaces, (true, false), &scene.rest, &scene.rest);
    // The lower face of the small box; no corner of the large one is below it but the middle one.
    assert_eq!(pairs.len(), 16 + 1);
    for pair in &pairs {
        let up = if pair.vertex < 27 { -DVec3::Y } else { DVec3::Y };
        assert!(normal(&surfaces, pair, &scene.rest).distance(up) < 1e-12);
        assert!((height(&surfaces, pair, &scene.rest) - 0.005).abs() < 1e-12);
    }
    assert!(detect(&surfaces, (false, false), &scene.rest, &scene.rest).is_empty());
    assert!(detect(&surfaces, (false, true), &scene.rest, &scene.rest).is_empty());
}

#[test]
fn overlapping_boxes_are_led_apart() {
    // Overlap along y, of a box of height 1: by a little, by a third, by nearly half.
    for overlap in [0.03, 0.3, 0.45] {
        let mut scene = Scene::default();
        let low = DVec3::new(0.011, 1.0 - overlap, 0.013);
        scene.cube([4; 3], DVec3::ZERO, DVec3::ONE).cube([5; 3], low, DVec3::new(0.9, 1.0, 0.9));
        let surfaces = scene.surfaces(0.01);
        let mut x = scene.rest.clone();
        let pairs = detect(&surfaces, (true, false), &x, &x);
        let corners = |b: usize| surfaces.bodies[b].tetrahedra.clone().map(|t| surfaces.tetrahedra[t]);
        let mut inside = 0;
        for &v in &surfaces.vertices {
            let other = 1 - surfaces.vertex_body[v as usize] as usize;
            let p = x[v as usize];
            if corners(other).any(|t| in_tetrahedron(p, t.map(|w| x[w as usize]))) {
                inside += 1;
                assert!(pairs.iter().any(|pair| pair.vertex == v), "{overlap}: vertex {v} at {p}");
            }
        }
        assert!(inside >= 36, "{inside}");
        // Nearly all lead the short way, up for the upper box and down for the lower one.
        let outward = |pair: &&Pair| {
            let up = if surfaces.vertex_body[pair.vertex as usize] == 1 { DVec3::Y } else { -DVec3::Y };
            normal(&surfaces, pair, &x).dot(up) > 0.99
        };
        let straight = pairs.iter().filter(outward).count();
        assert!(straight * 10 >= pairs.len() * 8, "{overlap}: {straight} of {}", pairs.len());
        // Moving each along its normal by its depth, little by little, parts them.
        for _ in 0..200 {
            for pair in detect(&surfaces, (true, false), &x, &x) {
                let push = 0.02f64.min((0.01 - height(&surfaces, &pair, &x)).max(0.0));
                let along = normal(&surfaces, &pair, &x);
                // Rigidly, so that the boxes stay what they are.
                let body = surfaces.vertex_body[pair.vertex as usize] as usize;
                for v in surfaces.bodies[body].vertices.clone() {
                    x[v] += 0.02 * push * along;
                }
            }
        }
        let deepest = detect(&surfaces, (true, false), &x, &x)
            .iter()
            .map(|pair| height(&surfaces, pair, &x))
            .fold(f64::INFINITY, f64::min);
        assert!(deepest > 0.005, "{overlap}: {deepest}");
    }
}

#[test]
fn a_box_altogether_within_another_leaves_by_one_side() {
    let mut scene = Scene::default();
    scene.cube([4; 3], DVec3::ZERO, DVec3::ONE).cube([2; 3], DVec3::new(0.72, 0.45, 0.5), DVec3::splat(0.1));
    let surfaces = scene.surfaces(0.01);
    let pairs = detect(&surfaces, (true, false), &scene.rest, &scene.rest);
    assert_eq!(pairs.len(), 26);
    assert!(pairs.iter().all(|p| normal(&surfaces, p, &scene.rest).distance(DVec3::X) < 1e-12));
}

#[test]
fn cloth_inside_a_box_follows_its_dry_part_out() {
    let mut scene = Scene::default();
    // Stands upright in the box, near its side at x = 0; that it goes up and not sideways is told by its upper part.
    scene
        .cube([4; 3], DVec3::ZERO, DVec3::ONE)
        .cloth((8, 8), |u, v| DVec3::new(0.05, 0.61 + 0.6 * v, 0.21 + 0.6 * u));
    let surfaces = scene.surfaces(0.01);
    let pairs = detect(&surfaces, (true, false), &scene.rest, &scene.rest);
    let wet = scene.rest[scene.bodies[1].vertices.clone()].iter().filter(|p| p.y < 1.0).count();
    let of_cloth: Vec<_> = pairs.iter().filter(|p| p.vertex >= 125).collect();
    assert_eq!(of_cloth.len(), wet);
    for pair in of_cloth {
        assert!(normal(&surfaces, pair, &scene.rest).distance(DVec3::Y) < 1e-12, "{pair:?}");
    }
}

#[test]
fn a_bar_bent_into_itself_is_led_out() {
    let mut scene = Scene::default();
    scene.cube([40, 2, 2], DVec3::ZERO, DVec3::new(4.0, 0.2, 0.2));
    let surfaces = scene.surfaces(0.01);
    // Three quarters lie straight; the rest is folded back upon it, a little too deep.
    let fold = |p: DVec3| if p.x > 3.0 { DVec3::new(6.0 - p.x, 0.35 - p.y, p.z + 0.013) } else { p };
    let folded: Vec<_> = scene.rest.iter().map(|&p| fold(p)).collect();
    assert!(detect(&surfaces, (false, true), &scene.rest, &scene.rest).is_empty());
    let pairs = detect(&surfaces, (false, true), &folded, &folded);
    let far_from_the_fold: Vec<_> = pairs.iter().filter(|p| folded[p.vertex as usize].x < 2.7).collect();
    // Nine columns of the folded end, three vertices each, and as many of the part below; not all of them above it.
    assert!(far_from_the_fold.len() > 20, "{}", far_from_the_fold.len());
    let mut straight = 0;
    for pair in &far_from_the_fold {
        assert!(height(&surfaces, pair, &folded) < 0.0);
        let up = if scene.rest[pair.vertex as usize].x > 3.0 { DVec3::Y } else { -DVec3::Y };
        straight += usize::from(normal(&surfaces, pair, &folded).dot(up) > 0.99);
    }
    assert!(straight * 10 >= far_from_the_fold.len() * 8, "{straight} of {}", far_from_the_fold.len());
}

#[test]
fn a_fast_body_through_a_thin_one_is_caught_at_the_entry() {
    for falls_together in [0.0, -40.0] {
        let mut scene = Scene::default();
        scene.cube([4, 1, 4], DVec3::ZERO, DVec3::new(1.0, 0.02, 1.0)).cube(
            [1; 3],
            DVec3::new(0.4, 1.0, 0.4),
            DVec3::splat(0.2),
        );
        let surfaces = scene.surfaces(0.005);
        let mut end = scene.rest.clone();
        let split = scene.bodies[0].vertices.end;
        end.iter_mut().for_each(|x| x.z += falls_together);
        end[split..].iter_mut().for_each(|x| x.y -= 5.0);
        let pairs = detect(&surfaces, (true, false), &scene.rest, &end);
        for v in split..scene.rest.len() {
            let found: Vec<_> = pairs.iter().filter(|p| p.vertex as usize == v).collect();
            assert_eq!(found.len(), 1);
            assert!(normal(&surfaces, found[0], &scene.rest).distance(DVec3::Y) < 1e-12);
        }
    }
}

#[test]
fn cloth_folded_on_itself() {
    let mut scene = Scene::default();
    scene.cloth((40, 10), |u, v| DVec3::new(2.0 * u, 0.0, 0.5 * v));
    let surfaces = scene.surfaces(0.01);
    assert!(detect(&surfaces, (true, true), &scene.rest, &scene.rest).is_empty(), "flat it meets nothing");
    // Folded along the middle, the upper half above the lower one by less than the contact distance.
    let gap = 0.008;
    let fold = |p: DVec3| if p.x > 1.0 { DVec3::new(2.01 - p.x, gap, p.z + 0.003) } else { p };
    let folded: Vec<_> = scene.rest.iter().map(|&p| fold(p)).collect();
    let pairs = detect(&surfaces, (true, true), &folded, &folded);
    // All but those at the crease and beyond the rim.
    assert!(pairs.len() > 400, "{}", pairs.len());
    for pair in &pairs {
        assert!(!surfaces.adjacent(pair.vertex, &surfaces.triangles[pair.triangle as usize]));
        assert!((height(&surfaces, pair, &folded) - gap).abs() < 1e-9);
        // The normal of the lower half points down (x before z), of the upper half, upside down, up.
        let lower = scene.rest[pair.vertex as usize].x <= 1.0;
        let outward = normal(&surfaces, pair, &folded).y;
        assert!(if lower { outward < -0.99 } else { outward > 0.99 }, "{pair:?}");
    }
    // Passing through itself in one step: the sides are those of the start.
    let below: Vec<_> =
        folded.iter().map(|&p| if p.y > 0.0 { p - 3.0 * gap * DVec3::Y } else { p }).collect();
    let passing = detect(&surfaces, (true, true), &folded, &below);
    assert!(passing.len() > 400);
    for pair in &passing {
        assert!(height(&surfaces, pair, &folded) > 0.0 && height(&surfaces, pair, &below) < 0.0);
    }
}

#[test]
fn a_vertex_past_the_rim_of_a_cloth_has_no_contact() {
    let mut scene = Scene::default();
    scene.cloth((2, 2), |u, v| DVec3::new(u, 0.0, v)).cloth((2, 2), |u, v| DVec3::new(u + 1.005, 0.0005, v));
    let surfaces = scene.surfaces(0.01);
    assert!(detect(&surfaces, (true, true), &scene.rest, &scene.rest).is_empty());
}

#[test]
fn random_scenes_agree_with_a_plain_search() {
    let mut numbers = Numbers(7);
    let (mut crossings, mut nears) = (0, 0);
    for round in 0..60 {
        let mut scene = Scene::default();
        let corner = 0.3 * numbers.vector();
        scene
            .cube([2, 3, 2], DVec3::ZERO, DVec3::ONE)
            .cube([2; 3], DVec3::splat(0.9) + corner, DVec3::splat(0.6))
            .cloth((5, 6), |u, v| DVec3::new(u, 1.1 + 0.2 * (5.0 * u).sin(), v));
        let surfaces = scene.surfaces(0.05);
        let jump = f64::from(round % 5) * 0.3;
        let shift = [DVec3::ZERO, numbers.vector(), numbers.vector()].map(|v| v * jump);
        let start: Vec<_> = scene.rest.iter().map(|&p| p + 0.05 * numbers.vector()).collect();
        let end: Vec<_> = (0..start.len())
            .map(|v| start[v] + shift[surfaces.vertex_body[v] as usize] + 0.2 * jump * numbers.vector())
            .collect();
        let pairs = detect(&surfaces, (true, true), &start, &end);
        for &v in &surfaces.vertices {
            for (partner, body) in surfaces.bodies.iter().enumerate() {
                let own = surfaces.vertex_body[v as usize] as usize;
                let way = [start[v as usize], end[v as usize]];
                let flags = (body.solid, own == partner);
                let mut plain = Search::new(&surfaces, v, way, reach(&surfaces, partner, own), flags);
                for t in body.triangles.clone() {
                    plain.consider(t as u32, Motion { start: &start, end: &end });
                }
                let found: Vec<_> = pairs
                    .iter()
                    .filter(|p| {
                        p.vertex == v && surfaces.triangle_body[p.triangle as usize] as usize == partner
                    })
                    .collect();
                assert!(found.len() <= 1);
                let Some(expected) = plain.measure() else { continue };
                let found = found.first().expect("the plain search has found one");
                let mut again = Search::new(&surfaces, v, way, reach(&surfaces, partner, own), flags);
                again.consider(found.triangle, Motion { start: &start, end: &end });
                let measure = again.measure().expect("one that the search accepts");
                assert!((measure - expected).abs() < 1e-6, "{measure} {expected}");
                if expected < 1.5 { crossings += 1 } else { nears += 1 }
            }
        }
    }
    assert!(crossings > 500 && nears > 300, "{crossings} {nears}");
}

#[test]
fn lost_vertices_are_passed_over() {
    let mut scene = Scene::default();
    scene
        .cube([2; 3], DVec3::ZERO, DVec3::ONE)
        .cube([2; 3], DVec3::new(0.0, 0.7, 0.0), DVec3::ONE)
        .cloth((4, 4), |u, v| DVec3::new(u, 1.1, v));
    let surfaces = scene.surfaces(0.02);
    for lost in [f64::NAN, f64::INFINITY, f64::MAX, 1e99, -1e60] {
        for everything in [false, true] {
            let mut end = scene.rest.clone();
            let step = if everything { 1 } else { 7 };
            end.iter_mut().step_by(step).for_each(|x| x.y = lost);
            for (a, b) in [(&scene.rest, &end), (&end, &scene.rest), (&end, &end)] {
                for pair in detect(&surfaces, (true, true), a, b) {
                    let corners = surfaces.triangles[pair.triangle as usize];
                    let motion = Motion { start: a, end: b };
                    assert!(corners.iter().chain([&pair.vertex]).all(|&v| motion.way(v).is_some()));
                }
            }
        }
    }
}

/// A wavy cloth in layers above each other, close enough to be in contact.
fn layers(triangles: usize, layers: usize) -> Scene {
    let mut scene = Scene::default();
    let n = ((triangles / layers / 2) as f64).sqrt().round() as usize;
    for layer in 0..layers {
        let shift = 0.5 * layer as f64 / n as f64;
        scene.cloth((n, n), |u, v| {
            let (x, z) = (u + shift, v + 0.7 * shift);
            DVec3::new(x, 0.02 * (20.0 * x).sin() * (20.0 * z).cos() + 0.001 * layer as f64, z)
        });
    }
    scene
}

#[test]
fn results_and_memory_are_the_same_every_time() {
    let scene = layers(4000, 2);
    let surfaces = scene.surfaces(0.002);
    let mut detector = PairDetector::new(&surfaces);
    let (mut first, mut again) = (Vec::new(), Vec::new());
    detector.detect(&surfaces, (true, true), &scene.rest, &scene.rest, &mut first);
    let capacity = detector.capacity();
    for _ in 0..3 {
        detector.detect(&surfaces, (true, true), &scene.rest, &scene.rest, &mut again);
        assert_eq!(first, again);
    }
    assert_eq!(detector.capacity(), capacity);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
    pool.install(|| detector.detect(&surfaces, (true, true), &scene.rest, &scene.rest, &mut again));
    assert_eq!(first, again);
    assert!(first.len() > 1000, "{}", first.len());
}

/// `cargo test --release -p sinew contact::pairs -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn time_against_size() {
    let place =
        |name: &str, scene: &Scene, start: &[DVec3], which: (bool, bool), velocity: DVec3, thickness: f64| {
            let surfaces = scene.surfaces(thickness);
            let mut detector = PairDetector::new(&surfaces);
            let end: Vec<_> = start.iter().map(|&p| p + velocity).collect();
            let mut out = Vec::new();
            let mut least = f64::INFINITY;
            for _ in 0..30 {
                let clock = Instant::now();
                detector.detect(&surfaces, which, start, &end, &mut out);
                least = least.min(clock.elapsed().as_secs_f64());
            }
            let n = surfaces.triangles.len();
            println!(
                "{name:28} {n:7} triangles {:7} tetrahedra {:7} pairs {:8.3} ms, {:6.1} ns per triangle",
                surfaces.tetrahedra.len(),
                out.len(),
                1e3 * least,
                1e9 * least / n as f64
            );
            1e9 * least / n as f64
        };
    let measure = |name: &str, scene: &Scene, which: (bool, bool), velocity: DVec3, thickness: f64| {
        place(name, scene, &scene.rest, which, velocity, thickness)
    };
    let mut sheets = Vec::new();
    for n in [1_000, 10_000, 100_000] {
        let edge = (2.0 / n as f64).sqrt();
        sheets.push(measure("two sheets", &layers(n, 2), (true, false), DVec3::ZERO, 0.002));
        measure("two sheets and themselves", &layers(n, 2), (true, true), DVec3::ZERO, 0.002);
        measure("one sheet, itself", &layers(n, 1), (false, true), DVec3::ZERO, 0.3 * edge);
        measure("one sheet, itself, falling", &layers(n, 1), (false, true), DVec3::splat(-0.3), 0.3 * edge);
        let cells = ((n as f64 / 24.0).sqrt().round() as usize).min(32);
        for (name, gap) in [("two boxes, near", 1.001), ("two boxes, overlapping", 0.95)] {
            let mut scene = Scene::default();
            scene.cube([cells; 3], DVec3::ZERO, DVec3::ONE).cube(
                [cells; 3],
                DVec3::new(0.1, gap, 0.2),
                DVec3::ONE,
            );
            measure(name, &scene, (true, false), DVec3::ZERO, 0.005);
            measure(&format!("{name}, own"), &scene, (true, true), DVec3::ZERO, 0.005);
        }
    }
    let mut cloth = Scene::default();
    cloth.cloth((60, 60), |u, v| DVec3::new(u, 0.0, v));
    measure("3721 vertices, flat", &cloth, (false, true), DVec3::ZERO, 0.007);
    let fold = |p: DVec3| {
        DVec3::new((5.0 * p.x).sin() * 0.3, 0.2 * p.x * (12.0 * p.z).sin(), 0.3 * (4.0 * p.z).cos())
    };
    let crumpled: Vec<_> = cloth.rest.iter().map(|&p| fold(p)).collect();
    place("3721 vertices, crumpled", &cloth, &crumpled, (false, true), DVec3::ZERO, 0.007);
    place("the same, fast", &cloth, &crumpled, (false, true), DVec3::new(0.0, -0.3, 0.1), 0.007);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    pool.install(|| place("the same, two threads", &cloth, &crumpled, (false, true), DVec3::ZERO, 0.007));
    assert!(sheets[2] <= 3.0 * sheets[0], "time per triangle grows: {sheets:?} ns");
}

#[test]
fn tetrahedra_of_the_test_boxes_are_positive() {
    let mut scene = Scene::default();
    scene.cube([2; 3], DVec3::ZERO, DVec3::ONE);
    let middle = DVec3::splat(0.3);
    let corners = |t: &[u32; 4]| t.map(|v| scene.rest[v as usize]);
    assert!(scene.bodies[0].tetrahedra.iter().map(corners).any(|x| in_tetrahedron(middle, x)));
    for t in &scene.bodies[0].tetrahedra {
        let [a, b, c, d] = corners(t);
        assert!((b - a).cross(c - a).dot(d - a) > 0.0);
    }
}
