//! A performance of the ICT FaceKit's face: its expressions blended over time, on a jaw that rotates and a head that moves.
//!
//! p = head( contact( jaw( neutral + Σ wᵢ δᵢ + Σ wᵢ wⱼ cᵢⱼ ) ) ). Correctives c keep two expressions that move a vertex the same way from adding up.
//! The mesh is the face and the flesh behind the lips, as far as a capture could ever see it: no head, no teeth, no eyes.

use super::capture::Capture;
use super::contact::LipContact;
use super::jaw::Jaw;
use super::keys::Keys;
use super::{Face, Performer, RATE, Take, head};
use crate::error::FaceError;
use crate::geodesic::{adjacency, distances, shortest_path};
use crate::mesh::ObjFile;
use crate::regions::Regions;
use glam::DVec3;
use sinew_scene::mesh_io::{read_npz_array, read_npz_strings};
use std::collections::BTreeSet;
use std::path::Path;

/// Vertices of the face.
const FACE: std::ops::Range<u32> = 0..9409;
/// Vertices of the mouth socket.
const SOCKET: std::ops::Range<u32> = 11248..13294;
/// Vertices of the lower teeth.
const LOWER_TEETH: std::ops::Range<usize> = 19247..21451;
/// Landmarks between the lips, from one corner to the other.
const UPPER: [u32; 5] = [5702, 5711, 5533, 6216, 6207];
const LOWER: [u32; 5] = [5702, 5966, 5517, 6470, 6207];
/// Geodesic distances from the line between the lips, cm: of the inner lips, of the mouth, and of the flesh behind the lips that is kept.
const INNER: f64 = 0.55;
const MOUTH: f64 = 3.5;
const BEHIND: f64 = 0.7;
/// Flesh that gives way where lips meet, cm.
const SOFT: f64 = 0.9;
/// Strength of the correctives.
const CORRECTIVE: f64 = 0.6;

/// Which expressions a performance uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repertoire {
    /// Eight expressions of speech.
    Speech,
    /// Sixteen: speech, smiles, frowns and others.
    Rich,
    /// Speech and a smile, for which a model of speech has no example.
    SpeechAndSmile,
}

/// Expressions that act together as one channel.
type Channel = &'static [&'static str];

const SPEECH: [Channel; 8] = [
    &["jawOpen"],
    &["mouthFunnel"],
    &["mouthPucker"],
    &["mouthRollLower"],
    &["mouthUpperUp_L"],
    &["mouthLowerDown_L"],
    &["mouthPress_L"],
    &["mouthStretch_L"],
];

const MORE: [Channel; 8] = [
    &["mouthSmile_L"],
    &["mouthSmile_R"],
    &["mouthFrown_L"],
    &["mouthFrown_R"],
    &["mouthRollUpper"],
    &["mouthShrugLower"],
    &["jawLeft"],
    &["jawForward"],
];

const SMILE: Channel = &["mouthSmile_L", "mouthSmile_R"];

impl Repertoire {
    fn channels(self) -> Vec<Channel> {
        match self {
            Self::Speech => SPEECH.to_vec(),
            Self::Rich => SPEECH.iter().chain(&MORE).copied().collect(),
            Self::SpeechAndSmile => SPEECH.iter().copied().chain([SMILE]).collect(),
        }
    }
}

/// What to perform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IctOptions {
    /// Which expressions.
    pub repertoire: Repertoire,
    /// Frames, 30 a second.
    pub frames: usize,
    /// Which performance.
    pub seed: u64,
}

/// The face, ready to perform.
#[derive(Debug)]
pub struct IctPerformer {
    face: Face,
    /// Displacements of each channel; the jaw's are zero.
    deltas: Vec<Vec<DVec3>>,
    /// Channels whose corrective is not zero.
    pairs: Vec<(usize, usize)>,
    jaw: Jaw,
    jaw_channel: usize,
    contact: LipContact,
    capture: Capture,
    keys: Keys,
    options: IctOptions,
}

impl IctPerformer {
    /// Reads `ict_neutral.obj` and `ict_expressions_dev24.npz` from a folder.
    ///
    /// # Errors
    /// [`FaceError`] if a file is missing or is not what it should be.
    pub fn load(folder: &Path, options: &IctOptions) -> Result<Self, FaceError> {
        let (obj, npz) = (folder.join("ict_neutral.obj"), folder.join("ict_expressions_dev24.npz"));
        let mesh = ObjFile::read(&obj)?;
        let wrong = |error: sinew_scene::mesh_io::MeshError| FaceError::file(&npz, error.to_string());
        let names = read_npz_strings(&npz, "names").map_err(wrong)?;
        let array = read_npz_array(&npz, &["delta"]).map_err(wrong)?;
        let all = mesh.points.len();
        if array.shape != [names.len(), all, 3] || all < LOWER_TEETH.end {
            let what = format!("the expressions have the shape {:?} for {all} vertices", array.shape);
            return Err(FaceError::file(&npz, what));
        }
        let delta = |name: &str| -> Result<Vec<DVec3>, FaceError> {
            let at = names.iter().position(|n| n == name);
            let at = at.ok_or_else(|| FaceError::file(&npz, format!("there is no expression {name}")))?;
            Ok(array.numbers[3 * all * at..3 * all * (at + 1)]
                .chunks_exact(3)
                .map(DVec3::from_slice)
                .collect())
        };

        // What a capture could see: the face, and the flesh behind the lips up to some depth.
        let edges = adjacency(&mesh.points, &mesh.triangles);
        let path = |marks: &[u32]| -> Vec<u32> {
            let mut line = vec![marks[0]];
            for pair in marks.windows(2) {
                let mut way = shortest_path(&edges, all, pair[0], pair[1]);
                way.dedup();
                way.reverse();
                line.extend(&way[1..]);
            }
            line
        };
        let (upper, lower) = (path(&UPPER), path(&LOWER));
        let line: Vec<u32> = upper.iter().chain(&lower).copied().collect();
        let distance = distances(&edges, all, &line, MOUTH);
        let keep: Vec<u32> = (0..all as u32)
            .filter(|&v| FACE.contains(&v) || (SOCKET.contains(&v) && distance[v as usize] <= BEHIND))
            .collect();
        let mut number = vec![u32::MAX; all];
        keep.iter().enumerate().for_each(|(k, &v)| number[v as usize] = k as u32);
        let pick = |list: &[DVec3]| -> Vec<DVec3> { keep.iter().map(|&v| list[v as usize]).collect() };
        let renumber = |list: &[u32]| -> Vec<u32> { list.iter().map(|&v| number[v as usize]).collect() };
        let triangles: Vec<[u32; 3]> = (mesh.triangles.iter())
            .map(|t| t.map(|v| number[v as usize]))
            .filter(|t| !t.contains(&u32::MAX))
            .collect();
        let neutral = pick(&mesh.points);
        let (mut mouth, mut inner) = (Vec::new(), Vec::new());
        for (k, &v) in keep.iter().enumerate() {
            if SOCKET.contains(&v) || distance[v as usize] <= INNER {
                inner.push(k as u32);
            } else if distance[v as usize] <= MOUTH {
                mouth.push(k as u32);
            }
        }
        let regions = Regions::from_lists(neutral.len(), &mouth, &inner);

        let channels = options.repertoire.channels();
        let open = delta("jawOpen")?;
        let teeth: Vec<DVec3> = mesh.points[LOWER_TEETH].to_vec();
        let opened: Vec<DVec3> = teeth.iter().zip(&open[LOWER_TEETH]).map(|(p, d)| *p + *d).collect();
        let jaw = Jaw::new(&teeth, &opened, &neutral, &pick(&open));
        let mut deltas = Vec::new();
        for &channel in &channels {
            let mut sum = vec![DVec3::ZERO; neutral.len()];
            for name in channel.iter().filter(|name| **name != "jawOpen") {
                sum.iter_mut().zip(pick(&delta(name)?)).for_each(|(s, d)| *s += d);
            }
            deltas.push(sum);
        }
        let jaw_channel = channels.iter().position(|c| c.contains(&"jawOpen")).unwrap_or(0);
        let moves = |k: usize| -> BTreeSet<usize> {
            (0..neutral.len()).filter(|&v| deltas[k][v].length() > 0.02).collect()
        };
        let reach: Vec<BTreeSet<usize>> = (0..deltas.len()).map(moves).collect();
        let pairs = (0..deltas.len())
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .filter(|&(i, j)| reach[i].intersection(&reach[j]).next().is_some())
            .collect();

        let local = adjacency(&neutral, &triangles);
        if upper.iter().chain(&lower).any(|&v| number[v as usize] == u32::MAX) {
            return Err(FaceError::file(&obj, "the lips are not where the ICT FaceKit has them"));
        }
        let contact = LipContact::new(&neutral, &local, &renumber(&upper), &renumber(&lower), SOFT);
        let side = contact.side(neutral.len());
        let capture = Capture::new(&triangles, &regions, |v| side[v as usize], options.seed);
        let seconds = options.frames as f64 / RATE;
        let together = if channels.len() > 10 { 3 } else { 2 };
        let keys = Keys::new(options.seed, channels.len(), together, seconds);
        Ok(Self {
            face: Face { neutral, triangles, regions },
            deltas,
            pairs,
            jaw,
            jaw_channel,
            contact,
            capture,
            keys,
            options: *options,
        })
    }

    /// Activations of the channels at a frame.
    pub fn activations(&self, frame: usize) -> Vec<f64> {
        self.keys.at(frame as f64 / RATE)
    }

    /// The face with these activations, on a head at rest.
    pub fn shape(&self, w: &[f64]) -> Vec<DVec3> {
        let mut points = self.face.neutral.clone();
        for (delta, &w) in self.deltas.iter().zip(w).filter(|(_, w)| **w != 0.0) {
            points.iter_mut().zip(delta).for_each(|(p, d)| *p += *d * w);
        }
        for &(i, j) in &self.pairs {
            let both = CORRECTIVE * w[i] * w[j];
            if both != 0.0 {
                for (p, (a, b)) in points.iter_mut().zip(self.deltas[i].iter().zip(&self.deltas[j])) {
                    *p -= corrective(*a, *b) * both;
                }
            }
        }
        self.jaw.open(&mut points, w[self.jaw_channel]);
        self.contact.part(&mut points);
        points
    }
}

/// What two displacements have in common, in the direction of their sum.
fn corrective(a: DVec3, b: DVec3) -> DVec3 {
    let (la, lb, sum) = (a.length(), b.length(), a + b);
    let (sizes, length) = (la + lb, sum.length());
    if sizes < 1e-9 || length < 1e-9 { DVec3::ZERO } else { sum * (la * lb / (sizes * length)) }
}

impl Performer for IctPerformer {
    fn face(&self) -> &Face {
        &self.face
    }

    fn frames(&self) -> usize {
        self.options.frames
    }

    fn take(&self, frame: usize) -> Take {
        let time = frame as f64 / RATE;
        let (rotation, translation) = head(self.options.seed, time);
        let mut truth = self.shape(&self.activations(frame));
        truth.iter_mut().for_each(|p| *p = rotation * *p + translation);
        let badness = self.capture.badness(time);
        let captured = self.capture.degrade(&truth, rotation * DVec3::Y, frame, badness);
        Take { truth, captured, good: badness == 0.0 }
    }
}
