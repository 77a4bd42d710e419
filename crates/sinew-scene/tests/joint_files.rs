//! `.joint` files: what is read, written back, and refused with its line.

use glam::DVec3;
use proptest::prelude::*;
use sinew_scene::rig::*;

const LEG: &str = r#"
# A leg.
sinew-joints 1

bone thigh 1
bone "lower leg" 2 7      # a name with a space, two regions
bone	foot -3

joint hip ball world thigh at 0 0.9 0 axis 0 -1 0 cone 60 twist 20.5
joint knee hinge thigh "lower leg" axis 1 0 0 at 1e-3 .45 0 range -5 140
joint ankle weld "lower leg" foot at 0 0.05 -0.02
joint "a \"quoted\" \\ name # no comment" ball foot world at 1 2 3   # comment
end
"#;

#[test]
fn bones_and_joints_are_read() {
    let rig = parse(LEG).unwrap();
    let bones: Vec<(&str, &[i32])> =
        rig.bones.iter().map(|b| (b.name.as_str(), b.regions.as_slice())).collect();
    assert_eq!(bones, [("thigh", &[1][..]), ("lower leg", &[2, 7]), ("foot", &[-3])]);
    let [hip, knee, ankle, free] = rig.joints.as_slice() else { panic!("{} joints", rig.joints.len()) };
    assert_eq!((hip.name.as_str(), hip.bones, hip.position), ("hip", [None, Some(0)], DVec3::Y * 0.9));
    let limit = SwingTwistLimit { axis: DVec3::NEG_Y, cone: Some(60.0), twist: Some(20.5) };
    assert_eq!(hip.freedom, JointFreedom::Ball { limit: Some(limit) });
    assert_eq!((knee.bones, knee.position), ([Some(0), Some(1)], DVec3::new(1e-3, 0.45, 0.0)));
    assert_eq!(knee.freedom, JointFreedom::Hinge { axis: DVec3::X, range: Some([-5.0, 140.0]) });
    assert_eq!((ankle.bones, ankle.freedom), ([Some(1), Some(2)], JointFreedom::Weld));
    assert_eq!((free.name.as_str(), free.bones), (r#"a "quoted" \ name # no comment"#, [Some(2), None]));
    assert_eq!(free.freedom, JointFreedom::Ball { limit: None });
}

#[test]
fn bytes_of_other_systems_are_read() {
    assert_eq!(
        parse(&format!("\u{feff}{}", LEG.trim_start().replace('\n', "\r\n"))).unwrap(),
        parse(LEG).unwrap()
    );
}

/// Replaces a piece of the leg and asserts the line and the words of the refusal.
#[track_caller]
fn refused(piece: &str, by: &str, line: usize, words: &[&str]) {
    assert!(LEG.contains(piece));
    let fault = parse(&LEG.replacen(piece, by, 1)).expect_err("accepted");
    assert_eq!(fault.line, line, "{fault}");
    for word in words {
        assert!(fault.message.contains(word), "expected `{word}` in: {fault}");
    }
}

#[test]
fn mistakes_are_answered_with_their_line() {
    refused("sinew-joints 1", "sinew-joints 2", 3, &["version 2 is not known"]);
    refused("sinew-joints 1", "joints 1", 3, &["the first line must be `sinew-joints 1`"]);
    refused("sinew-joints 1", "sinew-joints", 3, &["the version of the format", "the line ends here"]);
    refused("bone thigh 1", "bon thigh 1", 5, &["not with `bon`", "did you mean `bone`?"]);
    refused("bone thigh 1", "bone thigh", 5, &["the label of a region", "the line ends here"]);
    refused("bone thigh 1", "bone thigh one", 5, &["a whole number", "`one`"]);
    refused("bone thigh 1", "bone thigh 99999999999", 5, &["does not fit in 32 bits"]);
    refused("bone thigh 1", "bone world 1", 5, &["`world` is what joints call"]);
    refused("bone thigh 1", "bone \"\" 1", 5, &["must not be empty"]);
    refused("bone thigh 1", "bone left/thigh 1", 5, &["must not contain `/`"]);
    refused("bone thigh 1", "bone \"thigh 1", 5, &["the quotes", "are not closed"]);
    refused("bone thigh 1", "bone \"thi\\gh\" 1", 5, &["after a backslash"]);
    refused("bone thigh 1", "bone thigh 1\u{7}", 5, &["control character"]);
    refused("\"lower leg\" 2 7", "thigh 2", 6, &["`thigh` is already the bone of line 5"]);
    refused("\"lower leg\" 2 7", "\"lower leg\" 2 1", 6, &["region 1 is given also on line 5"]);
    refused("\"lower leg\" 2 7", "\"lower leg\" 2 2", 6, &["region 2 is given twice here"]);
    refused("joint knee", "joint hip", 10, &["`hip` is already the joint of line 9"]);
    refused("hinge thigh", "hindge thigh", 10, &["`hindge` is no kind of joint", "did you mean `hinge`?"]);
    refused("hinge thigh", "hinge thig", 10, &["there is no bone `thig`", "did you mean `thigh`?"]);
    refused("hinge thigh", "hinge skull", 10, &["there is no bone `skull`", "allowed: `thigh`"]);
    refused("world thigh", "thigh thigh", 9, &["connects `thigh` with itself"]);
    refused("foot world at", "world world at", 12, &["connects `world` with itself"]);
    refused("at 0 0.9 0", "", 9, &["`at` is missing"]);
    refused("at 0 0.9 0", "at 0 0.9", 9, &["the z coordinate of `at`", "`axis`"]);
    refused("at 0 0.9 0", "at 0 NaN 0", 9, &["the y coordinate of `at` (a finite number)", "`NaN`"]);
    refused("at 0 0.9 0", "at 0 1e999 0", 9, &["a finite number"]);
    refused("at 0 0.9 0", "at 0 0.9 0 at 0 0 0", 9, &["`at` is given twice"]);
    refused("axis 0 -1 0", "axes 0 -1 0", 9, &["unknown key `axes`", "did you mean `axis`?"]);
    refused("axis 0 -1 0", "axis 0 0 0", 9, &["`axis` must have a direction"]);
    refused("axis 0 -1 0", "", 9, &["`axis` is missing: `cone` and `twist`"]);
    refused("axis 1 0 0", "", 10, &["`axis` is missing: a hinge"]);
    refused("cone 60", "cone 200", 9, &["`cone` must be greater than 0 and at most 180 degrees, is 200"]);
    refused("range -5 140", "range 5 140", 10, &["must contain 0"]);
    refused("range -5 140", "range -5", 10, &["the greatest angle", "the line ends here"]);
    refused("foot at 0 0.05 -0.02", "foot at 0 0.05 -0.02 cone 3", 11, &["`cone` has no effect", "weld"]);
    refused("end\n", "", 12, &["stops before its line `end`"]);
    refused("end\n", "end\nbone x 9\n", 14, &["after `end`"]);
    refused("end\n", "end now\n", 13, &["`now` is too much here"]);
    assert_eq!(parse("").unwrap_err().line, 1);
    assert!(parse("# only words\n").unwrap_err().message.contains("is empty"));
}

#[test]
fn files_are_written_and_read_back() {
    let folder = std::env::temp_dir().join(format!("sinew-joints-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("leg.joint");
    let rig = parse(LEG).unwrap();
    write(&rig, &path).unwrap();
    assert_eq!(read(&path).unwrap(), rig);
    std::fs::write(&path, "sinew-joints 1\nbone a x\n").unwrap();
    let message = read(&path).unwrap_err().to_string();
    assert!(message.contains("leg.joint:2: expected the label"), "{message}");
    std::fs::write(&path, b"sinew-joints 1\n\nbone \xff 1\nend\n").unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("leg.joint:3: this is no text"));
    assert!(read(&folder.join("arm.joint")).unwrap_err().to_string().contains("arm.joint"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_that_was_cut_is_never_taken_for_whole() {
    let whole = parse(LEG).unwrap();
    for (cut, _) in LEG.char_indices() {
        match parse(&LEG[..cut]) {
            // Only the end of the last line is missing.
            Ok(rig) => assert_eq!((rig, LEG[cut..].trim()), (whole.clone(), "")),
            Err(fault) => assert!((1..=13).contains(&fault.line), "{fault}"),
        }
    }
}

fn name() -> impl Strategy<Value = String> {
    r#"[a-zäß"\\# .]{1,12}"#.prop_filter("a name", |name| name_fault(name).is_none())
}

fn freedom() -> impl Strategy<Value = JointFreedom> {
    let axis = || prop::array::uniform3(-1.0f64..1.0).prop_map(|a| DVec3::from(a) + DVec3::splat(3.0));
    let angle = || prop::option::of(1e-3f64..=180.0);
    prop_oneof![
        Just(JointFreedom::Weld),
        Just(JointFreedom::Ball { limit: None }),
        (axis(), 1e-3f64..=180.0, angle())
            .prop_map(|(axis, cone, twist)| SwingTwistLimit { axis, cone: Some(cone), twist })
            .prop_map(|limit| JointFreedom::Ball { limit: Some(limit) }),
        (axis(), prop::option::of((-180.0f64..=0.0, 1e-3f64..=180.0)))
            .prop_map(|(axis, range)| JointFreedom::Hinge { axis, range: range.map(|(a, b)| [a, b]) }),
    ]
}

prop_compose! {
    fn rig()(
        names in prop::collection::hash_set(name(), 2..6),
        joints in prop::collection::vec((any::<u8>(), any::<u8>(), prop::array::uniform3(-1e3f64..1e3), freedom()), 0..6),
    ) -> Rig {
        let bones: Vec<_> = names.into_iter().enumerate()
            .map(|(i, name)| RigBone { name, regions: vec![2 * i as i32, -(i as i32) - 1] }).collect();
        let pick = |i: u8| (usize::from(i) < bones.len()).then_some(usize::from(i));
        let joints = joints.into_iter().enumerate().map(|(i, (a, b, position, freedom))| RigJoint {
            name: format!("j {i}"),
            bones: [pick(a % 6), pick(b % 6)],
            position: DVec3::from(position),
            freedom,
        });
        let joints = joints.filter(|joint| joint.bones[0] != joint.bones[1]).collect();
        Rig { bones, joints }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_what_is_read(rig in rig()) {
        prop_assert_eq!(parse(&to_text(&rig)).unwrap(), rig);
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_line_of_it(text in "(sinew-joints 1\n)?([a-z0-9 .\"\\\\#\n-]|bone |joint |at |end\n){0,60}") {
        match parse(&text) {
            Ok(rig) => prop_assert_eq!(parse(&to_text(&rig)).unwrap(), rig),
            Err(fault) => {
                prop_assert!(!fault.message.is_empty());
                let lines = text.split('\n').count();
                prop_assert!((1..=lines).contains(&fault.line), "line {} of {lines}: {fault}", fault.line);
            }
        }
    }
}
