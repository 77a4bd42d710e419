//! Models with bones: their sizes, that bones are apart, and where their joints are.

use glam::{DMat3, DVec3};
use sinew_scene::mesh_data::MeshData;
use sinew_scene::models::*;
use sinew_scene::rig::{JointFreedom, parse, to_text};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn vertices_of(mesh: &MeshData, region: i32) -> BTreeSet<u32> {
    let tets = mesh.tets.iter().zip(&mesh.regions).filter(|(_, label)| **label == region);
    tets.flat_map(|(tet, _)| tet.iter().copied()).collect()
}

fn centre(mesh: &MeshData, vertices: &BTreeSet<u32>) -> DVec3 {
    vertices.iter().map(|&v| mesh.points[v as usize]).sum::<DVec3>() / vertices.len() as f64
}

/// Vertices that are on no bone, after checking what every model with bones must be.
fn elastic(model: &RiggedMesh) -> usize {
    let RiggedMesh { mesh, rig } = model;
    assert_eq!(mesh.regions.len(), mesh.tets.len());
    for tet in &mesh.tets {
        let [a, b, c, d] = tet.map(|vertex| mesh.points[vertex as usize]);
        assert!(DMat3::from_cols(b - a, c - a, d - a).determinant() > 0.0);
    }
    let used: BTreeSet<u32> = mesh.tets.iter().flatten().copied().collect();
    assert_eq!(used.len(), mesh.points.len(), "a vertex without an element");
    let mut owner = vec![None; mesh.points.len()];
    for (k, bone) in rig.bones.iter().enumerate() {
        assert_eq!(bone.regions, [k as i32 + 1]);
        let vertices = vertices_of(mesh, bone.regions[0]);
        assert!(vertices.len() >= 8, "{} has {} vertices", bone.name, vertices.len());
        for vertex in vertices {
            assert_eq!(owner[vertex as usize].replace(k), None, "two bones share vertex {vertex}");
        }
    }
    // Flesh lies between any two bones: no tetrahedron of flesh is rigid by all of its corners.
    for (tet, _) in mesh.tets.iter().zip(&mesh.regions).filter(|(_, label)| **label == 0) {
        let bones: BTreeSet<_> = tet.iter().map(|&vertex| owner[vertex as usize]).collect();
        assert!(bones.contains(&None) || bones.len() > 1, "{tet:?}");
    }
    for joint in &rig.joints {
        let [a, b] = joint.bones.map(|bone| {
            let vertices = vertices_of(mesh, bone.unwrap() as i32 + 1);
            let distance = |v: &u32| mesh.points[*v as usize].distance(joint.position);
            vertices.iter().map(distance).fold(f64::INFINITY, f64::min)
        });
        assert!((a - b).abs() < 1e-12, "{} is not in the middle: {a} and {b}", joint.name);
    }
    assert_eq!(parse(&to_text(rig)).as_ref(), Ok(rig), "a rig that can be written");
    owner.iter().filter(|owner| owner.is_none()).count()
}

#[test]
fn the_cantilever_is_as_large_as_that_of_the_paper() {
    let model = bone_row(1.7, 0.3, [34, 6, 6], 2).unwrap();
    let counts = (model.mesh.points.len(), model.mesh.tets.len(), elastic(&model));
    assert_eq!(counts, (1715, 7344, 1015));
    for (ours, theirs) in [(1715.0, 1690.0), (7344.0, 7661.0), (1015.0, 1010.0)] {
        assert!((ours / theirs - 1.0_f64).abs() < 0.05);
    }
    assert_eq!((model.rig.bones.len(), model.rig.joints.len()), (2, 1));
    assert!(model.rig.joints[0].position.length() < 1e-15);
    let names: Vec<_> = model.rig.bones.iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["bone 1", "bone 2"]);
    let bones = [1, 2].map(|label| centre(&model.mesh, &vertices_of(&model.mesh, label)));
    assert!(bones[0].x < 0.0 && bones[1].x > 0.0, "{bones:?}");
}

#[test]
fn chains_have_bones_in_a_row_whatever_the_cells() {
    for (bones, cells) in
        [(1, [3, 3, 3]), (5, [60, 4, 4]), (5, [17, 3, 5]), (7, [22, 9, 3]), (3, [100, 12, 7])]
    {
        let model = bone_row(1.5, 0.1, cells, bones).unwrap();
        elastic(&model);
        assert_eq!((model.rig.bones.len(), model.rig.joints.len()), (bones, bones - 1));
        assert!(model.rig.joints.windows(2).all(|pair| pair[0].position.x < pair[1].position.x));
        assert!(model.rig.joints.iter().all(|joint| joint.position.y.abs() + joint.position.z.abs() < 1e-15));
    }
}

#[test]
fn without_flesh_the_bones_are_left() {
    let whole = bone_row(1.7, 0.3, [34, 6, 6], 2).unwrap();
    let bare = whole.clone().without_flesh();
    assert_eq!((bare.mesh.points.len(), elastic(&bare)), (700, 0));
    assert_eq!(bare.rig, whole.rig);
    for label in [1, 2] {
        let at = |model: &RiggedMesh| centre(&model.mesh, &vertices_of(&model.mesh, label));
        assert!(at(&bare).distance(at(&whole)) < 1e-14);
    }
}

#[test]
fn the_nunchuck_is_two_sticks() {
    let model = nunchuck(0.4, 0.2, 0.05, [8, 4, 4]).unwrap();
    assert_eq!((model.mesh.points.len(), model.mesh.tets.len(), elastic(&model)), (450, 1280, 0));
    assert_eq!((model.rig.bones.len(), model.rig.joints.len()), (2, 1));
    let ends = model
        .mesh
        .points
        .iter()
        .map(|p| p.x.abs())
        .fold((9.0, 0.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)));
    assert!((ends.0 - 0.025).abs() < 1e-15 && (ends.1 - 0.425).abs() < 1e-15, "{ends:?}");
}

#[test]
fn the_bracelet_is_a_closed_ring() {
    let model = bracelet(0.2, 12, 0.04, 3, false).unwrap();
    assert_eq!((model.mesh.points.len(), elastic(&model)), (12 * 147, 0));
    assert_eq!((model.rig.bones.len(), model.rig.joints.len()), (12, 12));
    assert_eq!(model.rig.joints[11].bones, [Some(11), Some(0)]);
    let top = centre(&model.mesh, &vertices_of(&model.mesh, 1));
    assert!(top.distance(DVec3::Y * 0.2) < 1e-14);
    let second = centre(&model.mesh, &vertices_of(&model.mesh, 2));
    assert!(second.x < 0.0 && second.y > 0.0);

    let hinged = bracelet(0.2, 12, 0.04, 3, true).unwrap();
    let axis = JointFreedom::Hinge { axis: DVec3::Z, range: None };
    assert!(hinged.rig.joints.iter().all(|joint| joint.freedom == axis));
    assert_eq!(hinged.mesh, model.mesh);
}

#[test]
fn characters_have_what_was_asked_for() {
    let table = [
        (1_000, 3, Some(2), None),
        (5_000, 18, None, None),
        (28_840, 1, Some(0), Some(14_318)),
        (29_466, 18, Some(13), Some(24_615)),
        (37_689, 59, Some(9), Some(29_623)),
        (12_683, 9, Some(8), Some(11_617)),
        (30_000, 64, None, None),
        (3_000, 0, None, None),
    ];
    for (vertices, bones, joints, asked) in table {
        let wanted = Character { vertices, bones, joints, elastic: asked, ..Character::default() };
        let begin = Instant::now();
        let model = character(&wanted).unwrap();
        let took = begin.elapsed();
        assert!(took < Duration::from_secs(1), "{took:?}");
        assert_eq!(model, character(&wanted).unwrap(), "deterministic");
        let count = model.mesh.points.len();
        assert!((count as f64 / vertices as f64 - 1.0).abs() <= 0.03, "{count} for {vertices}");
        assert_eq!(model.rig.bones.len(), bones);
        assert_eq!(model.rig.joints.len(), joints.unwrap_or(bones.saturating_sub(1)));
        let soft = elastic(&model);
        // Without bones everything is soft; where nothing is asked for, 84 % is.
        let share = if bones == 0 { 1.0 } else { 0.84 };
        let asked = asked.map_or(share * count as f64, |asked| asked as f64);
        assert!((soft as f64 / asked - 1.0).abs() < 0.01, "{soft} for {asked}");
        // A grid of cells with five tetrahedra each has somewhat fewer cells than vertices.
        let tetrahedra = model.mesh.tets.len() as f64 / count as f64;
        assert!((3.3..5.0).contains(&tetrahedra), "{tetrahedra} tetrahedra a vertex");
    }
}

#[test]
fn joints_of_a_character_are_spread_over_its_bones() {
    let model = character(&Character { bones: 11, joints: Some(3), ..Character::default() }).unwrap();
    let firsts: Vec<_> = model.rig.joints.iter().map(|joint| joint.bones[0].unwrap()).collect();
    assert_eq!(firsts, [0, 3, 6]);
}

#[test]
fn arguments_that_make_no_rig_are_refused() {
    let error = |made: Result<RiggedMesh, ModelError>| made.unwrap_err().to_string();
    assert!(error(bone_row(1.0, 0.1, [5, 3, 3], 2)).contains("along the bar must be at least 6, and is 5"));
    assert!(error(bone_row(1.0, 0.1, [6, 3, 2], 2)).contains("along z must be at least 3"));
    assert!(error(bone_row(1.0, 0.1, [6, 3, 3], 0)).contains("number of bones"));
    assert!(error(bone_row(1.0, 0.1, [6, 3, 3], usize::MAX)).contains("at least"));
    assert!(error(bone_row(f64::NAN, 0.1, [6, 3, 3], 2)).contains("length"));
    assert!(error(bone_row(1.0, 0.1, [usize::MAX, 3, 3], 2)).contains("more than"));
    assert!(error(nunchuck(0.4, 0.2, -0.1, [2, 1, 1])).contains("gap"));
    assert!(error(nunchuck(0.4, 0.2, f64::NAN, [2, 1, 1])).contains("gap"));
    assert!(error(nunchuck(0.4, 0.2, 0.1, [2, 1, 0])).contains("along z"));
    assert!(error(bracelet(0.2, 2, 0.04, 3, false)).contains("beads must be at least 3"));
    assert!(error(bracelet(0.2, 12, 0.06, 3, false)).contains("overlap"));
    assert!(error(bracelet(0.2, 12, 0.04, 0, false)).contains("layers"));
    let character = |change: &dyn Fn(&mut Character)| {
        let mut wanted = Character::default();
        change(&mut wanted);
        error(character(&wanted))
    };
    assert!(
        character(&|c| c.joints = Some(18)).contains("18 joints are too many: between 18 bones there are 17")
    );
    assert!(character(&|c| c.bones = 3000).contains("no room for 3000 bones"));
    assert!(character(&|c| c.vertices = 0).contains("use more vertices"));
    assert!(character(&|c| c.vertices = usize::MAX).contains("more than"));
    assert!(character(&|c| c.size[1] = 0.0).contains("along y"));
    let mut thin = Character { size: [1e-300, 1e300, 1.0], ..Character::default() };
    assert!(sinew_scene::models::character(&thin).is_err());
    thin.size = [1e-9, 1e9, 1.0];
    assert!(sinew_scene::models::character(&thin).is_err());
}
