//! Closed surfaces become tetrahedra: shape, distance, regions, and the same bits for any number of threads.

use glam::DVec3;
use sinew_scene::mesh_check::boundary;
use sinew_scene::surface::{Edges, enclosed_volume};
use sinew_scene::tet_quality::quality;
use sinew_scene::tetrahedralize::{
    ClosedSurface, Fineness, Options, Tetrahedra, TetrahedralizeError, tetrahedralize,
};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::{PI, TAU};

/// A closed grid that is bent by `place`; u goes around, v from pole to pole.
fn globe(name: &str, n: usize, place: impl Fn(DVec3) -> DVec3) -> ClosedSurface {
    let around = 2 * n;
    let mut points = vec![DVec3::Y];
    for i in 1..n {
        let tilt = PI * i as f64 / n as f64;
        for j in 0..around {
            let turn = TAU * j as f64 / around as f64;
            points.push(DVec3::new(tilt.sin() * turn.cos(), tilt.cos(), tilt.sin() * turn.sin()));
        }
    }
    points.push(-DVec3::Y);
    let last = points.len() as u32 - 1;
    let at = |i: usize, j: usize| match i {
        0 => 0,
        i if i == n => last,
        i => (1 + (i - 1) * around + j % around) as u32,
    };
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..around {
            let (a, b, c, d) = (at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1));
            triangles.extend((a != b).then_some([a, b, d]));
            triangles.extend((c != d).then_some([a, d, c]));
        }
    }
    ClosedSurface { name: name.into(), points: points.into_iter().map(place).collect(), triangles }
}

fn ball(radius: f64) -> ClosedSurface {
    globe("ball", 24, |p| radius * p)
}

fn cuboid(low: [f64; 3], high: [f64; 3]) -> ClosedSurface {
    let points = (0..8)
        .map(|k| DVec3::from([0, 1, 2].map(|d| if k >> d & 1 == 1 { high[d] } else { low[d] })))
        .collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ClosedSurface { name: "box".into(), points, triangles }
}

fn made(surfaces: &[ClosedSurface], size: f64) -> Tetrahedra {
    let options = Options { fineness: Fineness::Size(size), coarser_inside: false };
    tetrahedralize(surfaces, &options).unwrap()
}

/// Nothing inverted, angles above `angle`, at most two tetrahedra at a face, and near the surface.
fn examine(mesh: &Tetrahedra, angle: f64) {
    examine_within(mesh, angle, 0.6);
}

fn examine_within(mesh: &Tetrahedra, angle: f64, distance: f64) {
    let q = quality(&mesh.points, &mesh.tets);
    assert_eq!((q.inverted, q.degenerate), (0, 0));
    assert!(q.min_dihedral_deg >= angle, "{}°", q.min_dihedral_deg);
    let mut faces: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    for tet in &mesh.tets {
        for k in 0..4 {
            let mut face: Vec<u32> = (0..4).filter(|&j| j != k).map(|j| tet[j]).collect();
            face.sort_unstable();
            *faces.entry([face[0], face[1], face[2]]).or_default() += 1;
        }
    }
    assert!(faces.values().all(|&count| count <= 2));
    assert!(Edges::new(&boundary(&mesh.tets)).unbalanced().next().is_none());
    let far = mesh.distance.hausdorff() / mesh.size;
    assert!(far <= distance, "{far} × size");
}

fn volume_of(mesh: &Tetrahedra, region: i32) -> f64 {
    let of = mesh.tets.iter().zip(&mesh.regions).filter(|&(_, &r)| r == region).map(|(tet, _)| *tet);
    quality(&mesh.points, &of.collect::<Vec<_>>()).volume
}

/// How many pieces the tetrahedra of a region form, connected by faces.
fn pieces(mesh: &Tetrahedra, region: i32) -> usize {
    let mut left: BTreeSet<usize> = (0..mesh.tets.len()).filter(|&t| mesh.regions[t] == region).collect();
    let mut at: BTreeMap<[u32; 3], Vec<usize>> = BTreeMap::new();
    let faces = |t: usize| {
        let mut tet = mesh.tets[t];
        tet.sort_unstable();
        let [a, b, c, d] = tet;
        [[a, b, c], [a, b, d], [a, c, d], [b, c, d]]
    };
    left.iter().for_each(|&t| faces(t).iter().for_each(|&f| at.entry(f).or_default().push(t)));
    let mut count = 0;
    while let Some(start) = left.pop_first() {
        count += 1;
        let mut stack = vec![start];
        while let Some(t) = stack.pop() {
            for other in faces(t).iter().flat_map(|f| at[f].clone()) {
                if left.remove(&other) {
                    stack.push(other);
                }
            }
        }
    }
    count
}

#[test]
fn a_ball_has_its_volume_and_good_angles() {
    let surface = ball(1.0);
    let mesh = made(std::slice::from_ref(&surface), 0.12);
    examine(&mesh, 15.0);
    let exact = enclosed_volume(&surface.points, &surface.triangles);
    let loss = 1.0 - mesh.quality.volume / exact;
    assert!((0.5..1.5).contains(&(loss / of_sphere(0.12, 1.0))), "{loss} of {}", of_sphere(0.12, 1.0));
}

/// The share of its volume that a sphere loses to flat faces with edges of length h between points on it: the gap between a face and the sphere is h²/8R in the mean, over the
/// area 4πR².
fn of_sphere(h: f64, radius: f64) -> f64 {
    3.0 * h * h / (8.0 * radius * radius)
}

/// The same for a long rod: h²/8R over 2πR around.
fn of_rod(h: f64, radius: f64) -> f64 {
    h * h / (4.0 * radius * radius)
}

#[test]
fn a_box_and_a_hollow_ball_keep_their_shape() {
    let mesh = made(&[cuboid([0.0; 3], [1.0, 0.7, 0.4])], 0.1);
    examine(&mesh, 10.0);
    // Each edge is cut off by a chord between points at most half a size away from it: at most a triangle of h²/8 along its length.
    let edges = 4.0 * (1.0 + 0.7 + 0.4);
    let loss = 1.0 - mesh.quality.volume / 0.28;
    assert!(loss > 0.0 && loss * 0.28 < edges * 0.1 * 0.1 / 8.0, "{loss}");
    let (mut hollow, inner) = (ball(1.0), ball(0.6));
    let first = hollow.points.len() as u32;
    hollow.points.extend(inner.points);
    hollow.triangles.extend(inner.triangles.iter().map(|&[a, b, c]| [a + first, c + first, b + first]));
    let mesh = made(&[hollow], 0.15);
    examine(&mesh, 10.0);
    // The outer sphere loses what the formula says, and the hollow one, whose faces cut into the shell's side, gives it back.
    let whole = |radius: f64| enclosed_volume(&ball(radius).points, &ball(radius).triangles);
    let expected = whole(1.0) * (1.0 - of_sphere(0.15, 1.0)) - whole(0.6) * (1.0 - of_sphere(0.15, 0.6));
    assert!((mesh.quality.volume / expected - 1.0).abs() < 0.01, "{} of {expected}", mesh.quality.volume);
}

#[test]
fn what_is_thinner_than_the_lattice_is_not_lost() {
    let fin = cuboid([0.0; 3], [1.0, 1.0, 0.02]);
    let mesh = made(&[fin], 0.1);
    examine(&mesh, 8.0);
    assert_eq!(pieces(&mesh, 1), 1);
    assert!(!mesh.notes.is_empty());
}

#[test]
fn bones_inside_flesh_and_sticking_out_of_it_are_regions_of_one_mesh() {
    let bone = |x: f64, length: f64| {
        globe("bone", 12, move |p| DVec3::new(x, 0.0, 0.0) + p * DVec3::new(0.16, length, 0.16))
    };
    let surfaces = [ball(1.0), bone(-0.4, 0.7), bone(0.0, 1.3), bone(0.2, 0.5)];
    let mesh = made(&surfaces, 0.08);
    // Thin bones next to each other: 0.628 seen.
    examine_within(&mesh, 2.5, 0.65);
    for region in 1..=4 {
        assert_eq!(pieces(&mesh, region), 1, "region {region}");
    }
    // The third bone overlaps the second one, and wins.
    let whole = |k: usize| enclosed_volume(&surfaces[k].points, &surfaces[k].triangles);
    let shares = [(2, 1), (3, 2), (4, 3)].map(|(region, k)| volume_of(&mesh, region) / whole(k));
    // The ends of a bone are more bent than its middle; smoothing wins some of it back.
    let loss = of_rod(0.08, 0.16);
    let near = |share: f64| (0.3..1.6).contains(&((1.0 - share) / loss));
    assert!(near(shares[0]) && near(shares[2]) && shares[1] < 1.0 - 1.6 * loss, "{shares:?}, loss {loss}");
    assert!(mesh.points.iter().any(|p| p.y > 1.2));
}

#[test]
fn small_faults_do_not_flip_the_inside() {
    let mut surface = ball(1.0);
    // A face twice, the second time turned, so that every edge is still run along both ways.
    let [a, b, c] = surface.triangles[200];
    surface.triangles.extend([[a, b, c], [a, c, b]]);
    let mut second = ball(1.0);
    second.points.iter_mut().for_each(|p| p.x += 0.9);
    let first = surface.points.len() as u32;
    surface.points.extend(second.points);
    surface.triangles.extend(second.triangles.iter().map(|t| t.map(|v| v + first)));
    let mesh = made(&[surface], 0.1);
    let q = &mesh.quality;
    assert!(q.inverted == 0 && q.min_dihedral_deg > 10.0);
    // Two balls at a distance of 0.9: twice a ball without the lens, less what the given facets and those of the mesh lose.
    let lens = PI * (2.0 - 0.9_f64).powi(2) * (0.81 + 4.0 * 0.9) / (12.0 * 0.9);
    let given = 1.0 - enclosed_volume(&ball(1.0).points, &ball(1.0).triangles) / (4.0 / 3.0 * PI);
    let share = q.volume / ((8.0 / 3.0 * PI - lens) * (1.0 - given - of_sphere(0.1, 1.0)));
    assert!((share - 1.0).abs() < 0.005, "{share}");
}

#[test]
fn the_number_of_vertices_is_met_and_the_inside_can_be_coarser() {
    let fine = Options { fineness: Fineness::Vertices(3000), coarser_inside: false };
    let mesh = tetrahedralize(&[ball(1.0)], &fine).unwrap();
    assert!((mesh.points.len() as f64 / 3000.0 - 1.0).abs() < 0.05, "{}", mesh.points.len());
    let coarse = Options { fineness: Fineness::Size(mesh.size), coarser_inside: true };
    let other = tetrahedralize(&[ball(1.0)], &coarse).unwrap();
    examine(&other, 10.0);
    assert!(other.tets.len() * 10 < mesh.tets.len() * 8, "{} {}", other.tets.len(), mesh.tets.len());
    assert!((other.quality.volume / mesh.quality.volume - 1.0).abs() < 1e-3);
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let surfaces = [ball(1.0), globe("bone", 10, |p| p * DVec3::new(0.2, 1.2, 0.2))];
    let options = Options { fineness: Fineness::Size(0.2), coarser_inside: true };
    let alone = tetrahedralize(&surfaces, &options).unwrap();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| tetrahedralize(&surfaces, &options)).unwrap(), alone);
    }
}

#[test]
fn what_cannot_be_filled_is_refused_with_a_reason() {
    let size = |size: f64| Options { fineness: Fineness::Size(size), coarser_inside: false };
    let mut open = ball(1.0);
    open.triangles.remove(100);
    let error = tetrahedralize(&[open], &size(0.2)).unwrap_err().to_string();
    assert!(error.contains("a hole of 3 edges around (") && error.contains("--repair"), "{error}");
    let mut twisted = ball(1.0);
    twisted.triangles[100].swap(0, 1);
    assert!(matches!(tetrahedralize(&[twisted], &size(0.2)), Err(TetrahedralizeError::Twisted { .. })));
    assert!(matches!(tetrahedralize(&[], &size(0.2)), Err(TetrahedralizeError::Empty { .. })));
    assert!(matches!(tetrahedralize(&[ball(1.0)], &size(1e-4)), Err(TetrahedralizeError::TooFine { .. })));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(tetrahedralize(&[ball(1.0)], &size(bad)), Err(TetrahedralizeError::Size { .. })));
    }
    let mut inward = ball(1.0);
    inward.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let mesh = tetrahedralize(&[inward], &size(0.3)).unwrap();
    assert!(mesh.quality.volume > 3.5 && mesh.notes[0].contains("turned"));
}

/// Surfaces that others made; see `SINEW_DATA` in CONTRIBUTING.md.
#[test]
fn real_surfaces_meet_the_bounds() {
    let Some(folder) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: SINEW_DATA names no folder with real surfaces");
        return;
    };
    for name in ["bunny_3301", "spot_829", "penguin_3362", "goathead_2763", "fish_945"] {
        let path = std::path::Path::new(&folder).join("surface").join(name).with_extension("obj");
        let mesh = sinew_scene::mesh_io::read(&path).unwrap();
        let surface = ClosedSurface { name: name.into(), points: mesh.points, triangles: mesh.triangles };
        let options = Options { fineness: Fineness::Vertices(10_000), coarser_inside: false };
        let made = tetrahedralize(&[surface], &options).unwrap();
        println!(
            "{name}: {} tetrahedra, {:.2}°, {:.3} × size",
            made.tets.len(),
            made.quality.min_dihedral_deg,
            made.distance.hausdorff() / made.size
        );
        examine(&made, 8.0);
    }
}

/// A jaw lost all its teeth, 6.7 % of its volume: closed parts of their own, with gaps around them.
#[test]
fn a_bone_of_several_closed_parts_is_one_piece_and_keeps_them() {
    let mut bone = globe("jaw", 14, |p| p * DVec3::new(0.6, 0.15, 0.2));
    for x in [-0.3, 0.0, 0.3] {
        let tooth = globe("tooth", 8, move |p| DVec3::new(x, 0.27, 0.0) + p * DVec3::new(0.07, 0.1, 0.07));
        let first = bone.points.len() as u32;
        bone.points.extend(tooth.points);
        bone.triangles.extend(tooth.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    let surfaces = [ball(1.0), bone];
    let mesh = made(&surfaces, 0.06);
    examine(&mesh, 10.0);
    assert_eq!(pieces(&mesh, 2), 1);
    assert!(!mesh.notes.iter().any(|note| note.contains("loose")), "{:?}", mesh.notes);
    for x in [-0.3, 0.0, 0.3] {
        let tip = DVec3::new(x, 0.37, 0.0);
        let of_bone = mesh.tets.iter().zip(&mesh.regions).filter(|&(_, &region)| region == 2);
        let near = of_bone.flat_map(|(tet, _)| tet).map(|&v| mesh.points[v as usize].distance(tip));
        assert!(near.fold(f64::INFINITY, f64::min) < 0.6 * 0.06, "the tooth at {x}");
    }
    let share = volume_of(&mesh, 2) / enclosed_volume(&surfaces[1].points, &surfaces[1].triangles);
    assert!((0.9..1.1).contains(&share), "{share}");
}
