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
use std::path::Path;
use std::sync::Arc;

/// The colour of a face, 0xRRGGBB.
pub(super) const SKIN: u32 = 0x00d9_a489;

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
    let mesh = MeshData { points: face.points.clone(), tets: face.tets.clone(), ..MeshData::default() };
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

/// What a face does over time.
#[derive(Clone, Debug)]
pub(super) struct FaceCourse {
    /// The number of its first muscle in the model.
    first: usize,
    jaw: BoneId,
    /// Where the jaw turns, in the initial state, m.
    hinge: DVec3,
    /// How `initial` turns the face.
    turn: DQuat,
    frames: Vec<Frame>,
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

impl FaceCourse {
    /// Of the keyframes of a body.
    pub fn new(
        face: &FaceFile,
        expressions: &[Expression],
        (first, jaw): (usize, BoneId),
        placed: &Placement,
        at: &Site<'_>,
    ) -> Result<Self, SceneError> {
        // Muscles turn with the face.
        let turned = |muscle: &Muscle| Muscle { axis: placed.rotation * muscle.axis, ..muscle.clone() };
        let muscles: Vec<Muscle> = face.muscles.iter().map(turned).collect();
        let frames = (expressions.iter().enumerate())
            .map(|(k, expression)| frame(face, &muscles, expression, &at.index(k)))
            .collect::<Result<_, _>>()?;
        let hinge = placed.apply(face.hinge);
        Ok(Self { first, jaw, hinge, turn: placed.rotation, frames })
    }

    /// Activations and jaw at `time`, s.
    pub fn apply(&self, controls: &mut Controls, time: f64) -> Result<(), ControlError> {
        let (from, to, share) = match bracket(&self.frames, time, |frame| frame.time) {
            (None, None) => return Ok(()),
            (None, Some(only)) | (Some(only), None) => (only, only, 0.0),
            (Some(a), Some(b)) => (a, b, (time - a.time) / (b.time - a.time)),
        };
        for (k, (a, b)) in from.activations.iter().zip(&to.activations).enumerate() {
            controls.activate(MuscleId(self.first + k), muscle::between(a, b, share))?;
        }
        let mix = |a: f64, b: f64| a + share * (b - a);
        let own =
            DQuat::from_rotation_y(mix(from.side, to.side)) * DQuat::from_rotation_x(mix(from.open, to.open));
        let rotation = (self.turn * own * self.turn.inverse()).normalize();
        let moved = self.hinge + self.turn * from.offset.lerp(to.offset, share);
        controls.move_bone(self.jaw, Placement { rotation, translation: moved - rotation * self.hinge })?;
        Ok(())
    }
}

/// One keyframe. Expressions that use the same muscle contract it one after the other: lengths multiply.
fn frame(
    face: &FaceFile,
    muscles: &[Muscle],
    expression: &Expression,
    at: &Site<'_>,
) -> Result<Frame, SceneError> {
    let mut lengths = vec![1.0_f64; muscles.len()];
    let mut jaw = expression.jaw;
    for (name, &strength) in &expression.show {
        let at = at.key("show");
        let Some(named) = face::named(name) else {
            let hint = suggest::hint(name, face::NAMES);
            return Err(at.error(format!("there is no expression `{name}`{hint}")));
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
            let names: Vec<&str> = face.muscles.iter().map(|muscle| muscle.name.as_str()).collect();
            let message = format!("there is no muscle `{name}`{}", suggest::hint(name, &names));
            return Err(at.key("contract").error(message));
        }
    }
    let contracted = |(muscle, length): (&Muscle, &f64)| {
        let activation = muscle.contracted(*length);
        let at = at.key("contract");
        match muscle::is_healthy(&activation) {
            true => Ok(if *length == 1.0 { muscle::PASSIVE } else { activation }),
            false => Err(at.error(format!(
                "`{}` would have {length} of its length, and be too thin or too thick: eigenvalues of its activation must be from {} to {}",
                muscle.name, muscle::EIGENVALUES[0], muscle::EIGENVALUES[1]
            ))),
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
