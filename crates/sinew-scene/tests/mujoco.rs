//! MuJoCo models: bodies, joints and limits as bones.

use glam::DVec3;
use sinew_scene::build::build;
use sinew_scene::format::parse;
use sinew_scene::mujoco::{self, MujocoError};
use sinew_scene::rig::JointFreedom;

/// A torso with a head that is fixed to it, an arm on a hinge, and a leg on two.
const ROBOT: &str = r#"<mujoco model="robot">
  <default>
    <joint limited="true"/>
    <default class="limb"><joint range="-30 60"/><geom type="capsule" size="0.05 0.2"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="torso" pos="0 0 1">
      <freejoint/>
      <geom type="ellipsoid" size="0.2 0.1 0.3"/>
      <body name="head" pos="0 0 0.4"><geom size="0.1"/></body>
      <body name="arm" pos="0 0.3 0.2" childclass="limb">
        <joint name="shoulder" axis="0 1 0" pos="0 -0.1 0"/>
        <geom fromto="0 0 0 0 0.5 0"/>
      </body>
      <body name="leg" pos="0 0 -0.5" euler="0 90 0" childclass="limb">
        <joint axis="1 0 0"/><joint axis="0 1 0" range="-10 10"/>
        <geom/><geom type="mesh" mesh="bone"/>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

#[test]
fn bodies_are_bones_and_hinges_are_joints() {
    let made = mujoco::parse(ROBOT).unwrap();
    let rig = &made.rigged.rig;
    let names: Vec<_> = rig.bones.iter().map(|bone| bone.name.as_str()).collect();
    // The head has no joint: it belongs to the torso.
    assert_eq!(names, ["torso", "arm", "leg"]);
    assert_eq!(rig.joints.len(), 2);
    let shoulder = &rig.joints[0];
    // (x, y, z) of the file is (x, z, −y) here.
    assert!(shoulder.position.distance(DVec3::new(0.0, 1.2, -0.2)) < 1e-12);
    let JointFreedom::Hinge { axis, range } = shoulder.freedom else { panic!("no hinge") };
    assert!(axis.distance(DVec3::new(0.0, 0.0, -1.0)) < 1e-12);
    assert_eq!(range, Some([-30.0, 60.0]));
    let JointFreedom::Ball { limit: Some(limit) } = rig.joints[1].freedom else { panic!("no ball") };
    assert_eq!((limit.cone, limit.twist), (Some(60.0), Some(1.0)));
    assert!(made.notes.iter().any(|note| note.contains("1 solids")), "{:?}", made.notes);
}

#[test]
fn solids_are_where_the_file_says() {
    let mesh = mujoco::parse(ROBOT).unwrap().rigged.mesh;
    let of = |label: i32| {
        let tets = mesh.tets.iter().zip(&mesh.regions).filter(move |(_, region)| **region == label);
        tets.flat_map(|(tet, _)| tet.map(|v| mesh.points[v as usize])).collect::<Vec<_>>()
    };
    let top = of(1).iter().map(|p| p.y).fold(0.0, f64::max);
    assert!((top - 1.5).abs() < 1e-9, "{top}");
    // The arm goes from y = 0.3 by 0.5 and a radius of 0.05 along the file's y.
    let reach = of(2).iter().map(|p| -p.z).fold(0.0, f64::max);
    assert!((reach - 0.85).abs() < 1e-9, "{reach}");
    // The leg was turned by 90° and lies along x.
    let along = of(3).iter().map(|p| p.x).fold(0.0, f64::max);
    assert!((along - 0.25).abs() < 1e-9, "{along}");
}

#[test]
fn a_scene_hangs_one_up() {
    let folder = std::env::temp_dir().join(format!("sinew-mujoco-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("robot.xml"), ROBOT).unwrap();
    let scene = "gravity = [0, -9.81, 0]\nmaterial = { density = 1000 }\n[[body]]\nname = \"robot\"\nmesh.mujoco = { path = \"robot.xml\" }\n[[joint]]\nkind = \"ball\"\nbetween = [\"world\", \"torso\"]\nposition = [0, 1.5, 0]\n";
    let built = build(&parse(scene, "test.toml", &[]).unwrap(), &folder).unwrap();
    let mut run = sinew_scene::run::Run::new("robot", built, 30);
    while !run.is_over() {
        run.step().unwrap();
    }
    let report = run.report();
    assert_eq!((report.bones, report.joints), (3, 3));
    assert!(report.energy.drift < 1e-8, "{}", report.energy.drift);
    let absent = scene.replace("robot.xml", "nothing.xml");
    let error = build(&parse(&absent, "test.toml", &[]).unwrap(), &folder).unwrap_err().to_string();
    assert!(error.contains("nothing.xml"), "{error}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn what_cannot_be_read_is_refused_with_a_sentence() {
    let refused = |from: &str, to: &str| mujoco::parse(&ROBOT.replace(from, to)).unwrap_err();
    assert_eq!(mujoco::parse("<mujoco/>"), Err(MujocoError::NoModel));
    assert!(matches!(
        refused("<joint axis=\"1 0 0\"/>", "<joint type=\"slide\"/>"),
        MujocoError::Joint { .. }
    ));
    for (from, to) in
        [("0.2 0.1 0.3", "0.2 0 0.3"), ("0 0.3 0.2", "0 nan 0.2"), ("0 90 0", "0 90"), ("-30 60", "-30")]
    {
        let error = refused(from, to).to_string();
        assert!(error.contains("must be"), "{error}");
    }
    // Damage anywhere is an error or another model, never a panic.
    for cut in (0..ROBOT.len()).step_by(7) {
        let _ = mujoco::parse(&ROBOT[..cut]);
        let _ = mujoco::parse(&format!("{}{}", &ROBOT[..cut], &ROBOT[(cut + 5).min(ROBOT.len())..]));
    }
}

/// The dog of the data folder: 62 bodies, of which those without a joint are fixed.
#[test]
fn the_dog_has_its_hinges() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        println!("skipped: SINEW_DATA is not set");
        return;
    };
    let text = std::fs::read_to_string(std::path::Path::new(&data).join("skeleton/dm_dog.xml")).unwrap();
    let made = mujoco::parse(&text).unwrap();
    let rig = &made.rigged.rig;
    println!("{} bones, {} joints; {}", rig.bones.len(), rig.joints.len(), made.notes.join("; "));
    // Two are free: the dog, and the ball that it plays with.
    assert_eq!((rig.bones.len(), rig.joints.len()), (57, 55));
    let knee = rig.joints.iter().find(|joint| joint.name == "lower_leg_L joint").unwrap();
    assert!(
        matches!(knee.freedom, JointFreedom::Hinge { range: Some([low, high]), .. } if low < 0.0 || high > 0.0)
    );
}
