//! Sequences are corrected alike from whatever file they come, and vertices outside the inner lips keep their bits.

use crate::{patch, performance, train};
use glam::DVec3;
use sinew_face::mesh::ObjFile;
use sinew_face::sequence::{Frames, Sequence, SequenceWriter};
use sinew_face::{Correction, correct};
use std::path::Path;

fn all(path: &Path) -> Vec<Vec<DVec3>> {
    let sequence = Sequence::open(path).unwrap();
    let one = |k| {
        let mut points = Vec::new();
        sequence.read(k, &mut points).unwrap();
        points
    };
    (0..sequence.len()).map(one).collect()
}

#[test]
fn every_kind_of_sequence_is_corrected() {
    let p = performance();
    let patch = patch(&p);
    let model = train(&p, &patch, &[3, 11, 20, 31]);
    let folder = tempfile::tempdir().unwrap();
    let frames = 9;
    for name in ["in", "in.pc2", "in.npz", "in.glb"] {
        let mut out =
            SequenceWriter::create(&folder.path().join(name), p.neutral.len(), &p.triangles).unwrap();
        (0..frames).for_each(|k| out.push(k, &p.captured[k]).unwrap());
        out.finish().unwrap();
    }
    let Sequence::Npz(array) = Sequence::open(&folder.path().join("in.npz")).unwrap() else { unreachable!() };
    assert!(array.is_streamed() && array.frames() == frames);
    for (from, to, limit) in [
        ("in", "out", 1e-12),
        ("in.npz", "out.npz", 1e-12),
        ("in.pc2", "out.pc2", 1e-5),
        ("in.glb", "out.glb", 1e-5),
        ("in.pc2", "obj-of-pc2", 1e-5),
        ("in", "out2.pc2", 1e-5),
    ] {
        let (from, to) = (folder.path().join(from), folder.path().join(to));
        let input = Sequence::open(&from).unwrap();
        let mut out = SequenceWriter::create(&to, p.neutral.len(), &p.triangles).unwrap();
        let done: Vec<Correction> = correct(&model, &input, &mut out, &mut |_| true).unwrap();
        out.finish().unwrap();
        assert_eq!(done.len(), frames);
        let (before, after) = (all(&from), all(&to));
        assert_eq!(after.len(), frames);
        for k in 0..frames {
            let mut expected = p.captured[k].clone();
            model.apply("frame", &mut expected).unwrap();
            let error = crate::worst(&after[k], &expected);
            assert!(error <= limit, "{}: frame {k}: {error:e}", to.display());
            for v in (0..expected.len()).filter(|&v| p.regions.inner.binary_search(&(v as u32)).is_err()) {
                let bits = |q: DVec3| q.to_array().map(|x| (x as f32).to_bits());
                assert_eq!(bits(after[k][v]), bits(before[k][v]), "{}: frame {k} vertex {v}", to.display());
            }
        }
    }
}

#[test]
fn an_obj_file_comes_back_as_it_was_but_for_its_lips() {
    let p = performance();
    let patch = patch(&p);
    let model = train(&p, &patch, &[3, 11, 20, 31]);
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("in");
    std::fs::create_dir(&source).unwrap();
    let mut text = String::from("# captured\r\nmtllib face.mtl\n");
    for (k, v) in p.captured[5].iter().enumerate() {
        text += &format!("v   {:.7} {:.7} {:.7} 0.{} 0.5 1\n", v.x, v.y, v.z, k % 10);
    }
    text += "vt 0.1 0.2\nusemtl skin\ng face\n";
    p.triangles.iter().for_each(|t| text += &format!("f {}/1 {}/1 {}/1\n", t[0] + 1, t[1] + 1, t[2] + 1));
    std::fs::write(source.join("take7.obj"), &text).unwrap();
    let mut out = SequenceWriter::create(&folder.path().join("out"), p.neutral.len(), &p.triangles).unwrap();
    correct(&model, &Sequence::open(&source).unwrap(), &mut out, &mut |_| true).unwrap();
    let written = std::fs::read_to_string(folder.path().join("out/take7.obj")).unwrap();
    let mut vertex = 0;
    for (old, new) in text.lines().zip(written.lines()) {
        let is_inner = old.starts_with("v ") && {
            vertex += 1;
            p.regions.inner.binary_search(&(vertex - 1)).is_ok()
        };
        assert_eq!(old == new, !is_inner, "{old} | {new}");
    }
    assert_eq!(text.lines().count(), written.lines().count());
    let (old, new) = (
        ObjFile::read(&source.join("take7.obj")).unwrap(),
        ObjFile::read(&folder.path().join("out/take7.obj")).unwrap(),
    );
    assert_eq!((old.triangles, old.colours), (new.triangles, new.colours));
}

/// Results do not depend on the number of threads.
#[test]
fn threads_do_not_matter() {
    let p = performance();
    let model = train(&p, &patch(&p), &[3, 11, 20, 31]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.npz");
    let mut out = SequenceWriter::create(&path, p.neutral.len(), &p.triangles).unwrap();
    p.captured.iter().enumerate().for_each(|(k, f)| out.push(k, f).unwrap());
    out.finish().unwrap();
    let run = |threads: usize| {
        let to = folder.path().join(format!("out{threads}.npz"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut out = SequenceWriter::create(&to, p.neutral.len(), &p.triangles).unwrap();
            correct(&model, &Sequence::open(&path).unwrap(), &mut out, &mut |_| true).unwrap();
            out.finish().unwrap();
        });
        std::fs::read(to).unwrap()
    };
    assert!(run(1) == run(3));
}
