//! What cannot be used is refused with a sentence, and what is doubtful is said.

use crate::{patch, performance, train};
use glam::DVec3;
use sinew_face::sequence::Sequence;
use sinew_face::{FaceError, Model, Patch, Regions, Ridge, suggest};

#[test]
fn frames_of_another_topology_and_without_numbers_are_refused() {
    let p = performance();
    let patch = patch(&p);
    let mut model = train(&p, &patch, &[3, 11]);
    let mut bad = p.truth[0].clone();
    bad[7].y = f64::NAN;
    assert!(matches!(model.add("bad.obj", &bad), Err(FaceError::NotFinite { vertex: 7, .. })));
    assert!(matches!(model.apply("short.obj", &mut bad[..9]), Err(FaceError::Topology { found: 9, .. })));
    let message = suggest(&patch, None, &vec![bad], 3).unwrap_err().to_string();
    assert!(message.contains("vertex 7 is not finite"), "{message}");
    let short = vec![vec![DVec3::ZERO; 5]];
    assert!(suggest(&patch, None, &short, 3).unwrap_err().to_string().contains("topology"));
}

#[test]
fn regions_that_cannot_be_used_are_refused() {
    let p = performance();
    let n = p.neutral.len();
    let all: Vec<u32> = (0..n as u32).collect();
    let make = |regions: Regions| Patch::new(&p.neutral, &p.triangles, regions).map(drop);
    assert!(make(Regions::from_lists(n, &all, &all[64..])).is_ok());
    assert!(make(Regions::from_lists(n, &[], &all)).unwrap_err().to_string().contains("no vertex belongs"));
    // A second mesh beside the first: its lips touch nothing that is given.
    let mut points = p.neutral.clone();
    points.extend(p.neutral.iter().map(|&v| v + 20.0 * DVec3::X));
    let second = p.triangles.iter().map(|t| t.map(|v| v + n as u32));
    let triangles: Vec<[u32; 3]> = p.triangles.iter().copied().chain(second).collect();
    let inner: Vec<u32> = p.regions.inner.iter().copied().chain(n as u32..2 * n as u32).collect();
    let island = Regions::from_lists(2 * n, &p.regions.mouth, &inner);
    let message = Patch::new(&points, &triangles, island).unwrap_err().to_string();
    assert!(message.contains("touches no border"), "{message}");
}

#[test]
fn one_frame_copies_and_contradictions_are_said() {
    let p = performance();
    let patch = patch(&p);
    assert!(train(&p, &patch, &[3]).warnings()[0].contains("only one corrected frame"));
    assert!(train(&p, &patch, &[3, 20, 31, 44]).warnings().is_empty());
    let twice = train(&p, &patch, &[3, 20, 3]).warnings();
    assert!(twice.len() == 1 && twice[0].contains("the same as frame 3"), "{twice:?}");
    let mut model = train(&p, &patch, &[3, 20, 31]);
    let mut other = p.truth[20].clone();
    p.regions.inner.iter().for_each(|&v| other[v as usize].z += 0.3 * f64::from(v % 7));
    model.add("other", &other).unwrap();
    let warnings = model.warnings();
    assert!(warnings.iter().any(|w| w.contains("the mouths are nearly the same")), "{warnings:?}");
}

#[test]
fn a_model_without_examples_predicts_and_is_doubtful() {
    let p = performance();
    let model = Model::new(patch(&p), Ridge::None);
    let mut neutral = p.neutral.clone();
    model.apply("neutral", &mut neutral).unwrap();
    assert!(crate::worst(&neutral, &p.neutral) < 1e-10);
    assert!(model.warnings()[0].contains("no corrected frame"));
}

#[test]
fn folders_without_frames_and_unknown_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let message = Sequence::open(folder.path()).unwrap_err().to_string();
    assert!(message.contains("no .obj files"), "{message}");
    let missing = Sequence::open(&folder.path().join("missing")).unwrap_err().to_string();
    assert!(missing.contains("no such file"), "{missing}");
    for (name, bytes, what) in [
        ("a.pc2", &b"nonsense"[..], "no PC2"),
        ("a.npz", b"nonsense", "zip"),
        ("a.glb", b"nonsense", "JSON"),
        ("a.fbx", b"nonsense", "a sequence is"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let message = Sequence::open(&path).unwrap_err().to_string();
        assert!(message.contains(what) && message.contains(name), "{message}");
    }
}
