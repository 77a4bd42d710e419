//! Faces in scenes: flesh with muscles, pinned where the skull holds it, on a jaw that is a kinematic bone.
//!
//! Expressions are keyframes. Each becomes the activations of all muscles and a pose of the jaw, and both are linear in between \[dinev2020, Fig. 4.5\].

use super::anatomy::{Anatomy, BodyBone, Guide};
use super::elasticity::{self, Solid};
use super::fingerprint::fnv;
use super::motion::bracket;
use super::site::Site;
use crate::face::{self, FaceFile, Hold, Muscle};
use crate::format::{Body, Expression, FaceMesh, Material, MaterialKind, SceneError};
use crate::input;
use crate::mesh_data::MeshData;
use crate::suggest;
use glam::{DQuat, DVec3};
use sinew::muscle::{self, Activation};
use sinew::{ActiveTetrahedra, BoneId, Constitutive, ControlError, Controls, MuscleId, Placement};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Reads a face, or takes the built-in one.
pub(super) fn anatomy(given: &FaceMesh, folder: &Path, at: &Site<'_>) -> Result<Anatomy, SceneError> {
    let face = match &given.path {
        None => face::built_in().map_err(|what| at.error(what))?,
        Some(path) => {
            let at = at.key("path");
            let refuse = |what: String| at.error(format!("{path}: {what}"));
            let bytes = input::read(&folder.join(path), input::MAX_DATA);
            let bytes = bytes.map_err(|error| refuse(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|_| refuse("this is no text".into()))?;
            Arc::new(FaceFile::from_text(&text).map_err(refuse)?)
        }
    };
    let held = |by: Hold| (0..face.holds.len()).filter(|&v| face.holds[v] == by).collect();
    let jaw =
        BodyBone { name: "jaw".into(), vertices: held(Hold::Jaw), kinematic: true, guide: Guide::default() };
    let mesh = MeshData { points: parted(&face, given.lips), tets: face.tets.clone(), ..MeshData::default() };
    let shares = face
        .rows
        .iter()
        .flatten()
        .flat_map(|(column, weight)| column.to_le_bytes().into_iter().chain(weight.to_le_bytes()));
    Ok(Anatomy {
        mesh,
        bones: vec![jaw],
        held: held(Hold::Skull),
        file: format!("{:016x}", fnv(shares)),
        face: Some((face, given.fat)),
        ..Anatomy::default()
    })
}

/// Vertices with both sides of the cut of the mouth so far apart: those at the same place move into their flesh by half of it.
fn parted(face: &FaceFile, gap: f64) -> Vec<DVec3> {
    let mut points = face.points.clone();
    if gap == 0.0 {
        return points;
    }
    let mut normals: HashMap<u32, DVec3> = HashMap::new();
    let mut at: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    for triangle in &face.surface[face.skin..] {
        let [a, b, c] = triangle.map(|v| face.points[v as usize]);
        for &v in triangle {
            *normals.entry(v).or_default() += (b - a).cross(c - a);
        }
    }
    for &v in normals.keys() {
        at.entry(face.points[v as usize].to_array().map(f64::to_bits)).or_default().push(v);
    }
    for v in at.values().filter(|twins| twins.len() > 1).flatten() {
        points[*v as usize] -= 0.5 * gap * normals[v].normalize_or_zero();
    }
    points
}

/// The moduli of the file, unless the scene gives others.
pub(super) fn solid(
    face: &FaceFile,
    body: &Body,
    material: &Material,
    anatomy: &Anatomy,
    at: &Site<'_>,
) -> Result<Solid, SceneError> {
    if material.kind.is_some_and(|kind| kind != MaterialKind::Corotated) {
        let at = at.key("material.kind");
        return Err(at.error("flesh with muscles is `corotated`; leave it out"));
    }
    let own = [material.young, material.poisson, material.mu, material.lambda];
    if own.iter().any(Option::is_some) {
        return elasticity::solid(Constitutive::Corotated, body, material, anatomy, at);
    }
    Ok(Solid { law: Constitutive::Corotated, moduli: vec![face.lame; face.tets.len()] })
}

/// The tetrahedra that can deform, with their muscles. Masses are given for the vertices.
pub(super) fn flesh(face: &FaceFile, fat: f64, solid: &Solid) -> ActiveTetrahedra {
    let elements = face.rows.len();
    let muscles_of = |row: &Vec<(u32, f64)>| {
        row.iter().filter(|(column, _)| *column > 0).map(|(column, share)| (column - 1, *share)).collect()
    };
    ActiveTetrahedra {
        tetrahedra: face.tets[..elements].to_vec(),
        moduli: solid.moduli[..elements].to_vec(),
        density: vec![0.0; elements],
        muscles: face.muscles.iter().map(|muscle| muscle.name.clone()).collect(),
        shares: face.rows.iter().map(muscles_of).collect(),
        growth: (0..elements).map(|row| 1.0 + (fat - 1.0) * face.passive(row)).collect(),
    }
}

/// Time in which a face goes over into what someone else asks of it, s.
const EASE: f64 = 0.1;
/// Largest angles of a jaw that someone asks for, degrees, and its largest displacement, m.
const JAW: [f64; 2] = [45.0, 0.05];

/// What a face does over time.
#[derive(Clone, Debug)]
pub struct FaceCourse {
    face: Arc<FaceFile>,
    /// The muscles of the face, turned with it.
    muscles: Vec<Muscle>,
    /// The number of its first muscle in the model.
    first: usize,
    jaw: BoneId,
    /// Where the jaw turns, in the initial state, m.
    hinge: DVec3,
    /// How `initial` turns the face.
    turn: DQuat,
    frames: Vec<Frame>,
    /// What it does instead.
    held: Option<Held>,
}

/// From one frame to another, which begins at a time.
#[derive(Clone, Debug)]
struct Held {
    from: Frame,
    to: Frame,
}

/// Activations of all muscles, and the jaw: opening and turn in radians, displacement in metres.
#[derive(Clone, Debug)]
struct Frame {
    time: f64,
    activations: Vec<Activation>,
    open: f64,
    side: f64,
    offset: DVec3,
}

impl Frame {
    /// Between this (0) and another (1).
    fn towards(&self, other: &Self, share: f64) -> Self {
        let mix = |a: f64, b: f64| a + share * (b - a);
        let activations = self.activations.iter().zip(&other.activations);
        Self {
            time: mix(self.time, other.time),
            activations: activations.map(|(a, b)| muscle::between(a, b, share)).collect(),
            open: mix(self.open, other.open),
            side: mix(self.side, other.side),
            offset: self.offset.lerp(other.offset, share),
        }
    }
}

impl FaceCourse {
    /// Of the keyframes of a body.
    pub(super) fn new(
        face: &Arc<FaceFile>,
        expressions: &[Expression],
        (first, jaw): (usize, BoneId),
        placed: &Placement,
        at: &Site<'_>,
    ) -> Result<Self, SceneError> {
        // Muscles turn with the face.
        let turned = |muscle: &Muscle| Muscle { axis: placed.rotation * muscle.axis, ..muscle.clone() };
        let muscles: Vec<Muscle> = face.muscles.iter().map(turned).collect();
        let frames = (expressions.iter().enumerate())
            .map(|(k, expression)| {
                frame(face, &muscles, expression)
                    .map_err(|(key, message)| at.index(k).key(key).error(message))
            })
            .collect::<Result<_, _>>()?;
        let hinge = placed.apply(face.hinge);
        Ok(Self { face: face.clone(), muscles, first, jaw, hinge, turn: placed.rotation, frames, held: None })
    }

    /// The names of its muscles.
    pub fn muscles(&self) -> impl Iterator<Item = &str> {
        self.muscles.iter().map(|muscle| muscle.name.as_str())
    }

    /// From `time` on, and after a tenth of a second, the face shows this instead of its keyframes; `None`: its keyframes again.
    ///
    /// # Errors
    /// A sentence, if there is no such muscle or expression, or a number is out of range.
    pub(super) fn hold(&mut self, expression: Option<&Expression>, time: f64) -> Result<(), String> {
        let Some(expression) = expression else {
            self.held = None;
            return Ok(());
        };
        let jaw = &expression.jaw;
        let near = |value: f64, most: f64| value.abs() <= most;
        if !(near(jaw.open, JAW[0]) && near(jaw.turn, JAW[0]) && jaw.offset.iter().all(|v| near(*v, JAW[1])))
        {
            return Err(format!("the jaw turns by at most {}° and moves by at most {} m", JAW[0], JAW[1]));
        }
        if let Some((name, strength)) = expression.show.iter().find(|(_, s)| !(0.0..=1.0).contains(*s)) {
            return Err(format!("the strength of `{name}` must be from 0 to 1, and is {strength}"));
        }
        let to = frame(&self.face, &self.muscles, expression).map_err(|(_, message)| message)?;
        let from = self.at(time).unwrap_or_else(|| self.rest());
        self.held = Some(Held { from: Frame { time, ..from }, to: Frame { time: time + EASE, ..to } });
        Ok(())
    }

    fn rest(&self) -> Frame {
        let activations = vec![muscle::PASSIVE; self.muscles.len()];
        Frame { time: 0.0, activations, open: 0.0, side: 0.0, offset: DVec3::ZERO }
    }

    /// Activations and jaw at `time`, s; `None` without keyframes.
    fn at(&self, time: f64) -> Option<Frame> {
        if let Some(Held { from, to }) = &self.held {
            return Some(from.towards(to, ((time - from.time) / EASE).clamp(0.0, 1.0)));
        }
        match bracket(&self.frames, time, |frame| frame.time) {
            (None, None) => None,
            (None, Some(only)) | (Some(only), None) => Some(only.clone()),
            (Some(a), Some(b)) => Some(a.towards(b, (time - a.time) / (b.time - a.time))),
        }
    }

    /// Applies what it shows at `time`, s.
    pub(super) fn apply(&self, controls: &mut Controls, time: f64) -> Result<(), ControlError> {
        let Some(now) = self.at(time) else { return Ok(()) };
        for (k, activation) in now.activations.iter().enumerate() {
            controls.activate(MuscleId(self.first + k), *activation)?;
        }
        let own = DQuat::from_rotation_y(now.side) * DQuat::from_rotation_x(now.open);
        let rotation = (self.turn * own * self.turn.inverse()).normalize();
        let moved = self.hinge + self.turn * now.offset;
        controls.move_bone(self.jaw, Placement { rotation, translation: moved - rotation * self.hinge })?;
        Ok(())
    }
}

/// One keyframe, or the key that is wrong and why. Expressions that use the same muscle contract it one after the other: lengths multiply.
fn frame(
    face: &FaceFile,
    muscles: &[Muscle],
    expression: &Expression,
) -> Result<Frame, (&'static str, String)> {
    let mut lengths = vec![1.0_f64; muscles.len()];
    let mut jaw = expression.jaw;
    for (name, &strength) in &expression.show {
        let Some(named) = face::named(name) else {
            let hint = suggest::hint(name, face::NAMES);
            return Err(("show", format!("there is no expression `{name}`{hint}")));
        };
        for &(muscle, length) in named.lengths {
            for j in face.muscles_named(muscle) {
                lengths[j] *= 1.0 - strength * (1.0 - length);
            }
        }
        let [open, turn, x, y, z] = named.jaw.map(|value| strength * value);
        jaw.open += open;
        jaw.turn += turn;
        for (sum, mm) in jaw.offset.iter_mut().zip([x, y, z]) {
            *sum += 1e-3 * mm;
        }
    }
    for (name, &length) in &expression.contract {
        let mut any = false;
        for j in face.muscles_named(name) {
            lengths[j] *= length;
            any = true;
        }
        if !any {
            let hint = suggest::hint(name, &face.names_of_muscles());
            let message = format!("there is no muscle `{name}`{hint}");
            return Err(("contract", message));
        }
    }
    let contracted = |(muscle, length): (&Muscle, &f64)| {
        let activation = muscle.contracted(*length);
        match muscle::is_healthy(&activation) {
            true => Ok(if *length == 1.0 { muscle::PASSIVE } else { activation }),
            false => Err((
                "contract",
                format!(
                    "`{}` would have {length} of its length, and be too thin or too thick: eigenvalues of its activation must be from {} to {}",
                    muscle.name,
                    muscle::EIGENVALUES[0],
                    muscle::EIGENVALUES[1]
                ),
            )),
        }
    };
    Ok(Frame {
        time: expression.time,
        activations: muscles.iter().zip(&lengths).map(contracted).collect::<Result<_, _>>()?,
        open: jaw.open.to_radians(),
        side: jaw.turn.to_radians(),
        offset: DVec3::from(jaw.offset),
    })
}
