//! Bodies, hinges and limits of a MuJoCo model (`.xml`), as a mesh with bones and joints.
//!
//! A body is a bone; bodies without a joint belong to the bone of the body that they are in, as in MuJoCo. A bone consists of the primitive
//! solids of its bodies (sphere, capsule, ellipsoid, cylinder, box); meshes are other files and are left out. One hinge is a hinge, two or three at a body
//! are a ball joint whose cone and twist are the widest of their ranges. z is up in the file and y here: (x, y, z) ↦ (x, z, −y). Actuators, tendons, springs
//! and friction of the file are not read, nor are files that it includes.

mod solids;
mod xml;

use crate::mesh_data::MeshData;
use crate::models::RiggedMesh;
use crate::rig::{JointFreedom, Rig, RigBone, RigJoint, SwingTwistLimit, name_fault};
use glam::{DMat3, DQuat, DVec3};
use solids::Solid;
use std::collections::BTreeMap;
use thiserror::Error;
use xml::Element;

/// Radius of the ball that stands for a bone without a solid, m in the file.
const BALL: f64 = 0.01;
/// Least limit of a ball joint, degrees: one of nothing would be a weld.
const LEAST: f64 = 1.0;
/// Names of defaults inside each other at most.
const DEEPEST: usize = 200;

/// Why a model was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MujocoError {
    /// It is no XML.
    #[error("line {line}: {what}")]
    Syntax {
        /// From 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// It has no bodies.
    #[error("the file has no `<mujoco>` with a `<worldbody>` that has a `<body>`")]
    NoModel,
    /// A value is not what it must be.
    #[error("{element} `{name}`: {key} must be {expected}, and is `{value}`")]
    Value {
        /// Kind of the element.
        element: String,
        /// Its name.
        name: String,
        /// The attribute.
        key: String,
        /// What it must be.
        expected: String,
        /// What it is.
        value: String,
    },
    /// A kind of joint that bones do not have.
    #[error(
        "joint `{name}` is a `{kind}`; joints of bones are hinges and balls, and a body without one is fixed"
    )]
    Joint {
        /// Its name.
        name: String,
        /// Its kind.
        kind: String,
    },
}

/// A model that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Mujoco {
    /// Tetrahedra with a region for each bone, bones and joints; y is up.
    pub rigged: RiggedMesh,
    /// Sentences about what was left out.
    pub notes: Vec<String>,
}

/// Reads the text of a model.
///
/// # Errors
/// [`MujocoError`] if it is no model, or has values or joints that cannot be read.
pub fn parse(text: &str) -> Result<Mujoco, MujocoError> {
    let root = xml::parse(text)?;
    let world = root.all("worldbody").next().filter(|_| root.name == "mujoco").ok_or(MujocoError::NoModel)?;
    let mut defaults = Defaults::default();
    for default in root.all("default") {
        defaults.add(default, "", 0);
    }
    let setting = |key| root.all("compiler").find_map(|compiler| compiler.get(key));
    let degrees = setting("angle") != Some("radian");
    let sequence = setting("eulerseq").unwrap_or("xyz").to_owned();
    let mut reader = Reader { defaults, degrees, sequence, ..Reader::default() };
    for body in world.all("body") {
        reader.body(body, (DQuat::IDENTITY, DVec3::ZERO), None, "")?;
    }
    if reader.rig.bones.is_empty() {
        return Err(MujocoError::NoModel);
    }
    Ok(reader.finish())
}

/// Attributes by class and element.
#[derive(Debug, Default)]
struct Defaults(BTreeMap<(String, String), Vec<(String, String)>>);

impl Defaults {
    /// Adds a `<default>`, which inherits from the one around it.
    fn add(&mut self, default: &Element, outer: &str, depth: usize) {
        let class = default.get("class").unwrap_or("main").to_owned();
        for element in ["joint", "geom"] {
            let mut all = self.0.get(&(outer.to_owned(), element.to_owned())).cloned().unwrap_or_default();
            for given in default.all(element) {
                for (key, value) in &given.attributes {
                    all.retain(|(known, _)| known != key);
                    all.push((key.clone(), value.clone()));
                }
            }
            self.0.insert((class.clone(), element.to_owned()), all);
        }
        if depth < DEEPEST {
            for inner in default.all("default") {
                self.add(inner, &class, depth + 1);
            }
        }
    }

    /// The element with what its class gives.
    fn complete(&self, element: &Element, outer: &str) -> Element {
        let class = element.get("class").unwrap_or(if outer.is_empty() { "main" } else { outer });
        let mut whole = element.clone();
        if let Some(given) = self.0.get(&(class.to_owned(), element.name.clone())) {
            let missing = given.iter().filter(|(key, _)| element.get(key).is_none());
            whole.attributes.extend(missing.cloned());
        }
        whole
    }
}

#[derive(Debug, Default)]
struct Reader {
    defaults: Defaults,
    degrees: bool,
    sequence: String,
    mesh: MeshData,
    rig: Rig,
    /// Where each bone begins, for those without a solid.
    origins: Vec<DVec3>,
    meshes: usize,
    includes: usize,
}

/// Rotation and translation.
type Place = (DQuat, DVec3);

impl Reader {
    fn body(
        &mut self,
        body: &Element,
        (turn, at): Place,
        outer: Option<usize>,
        class: &str,
    ) -> Result<(), MujocoError> {
        let class = body.get("childclass").unwrap_or(class);
        let (own_turn, own_at) = self.place(body)?;
        let here = (turn * own_turn, at + turn * own_at);
        let joints: Vec<Element> =
            body.all("joint").map(|joint| self.defaults.complete(joint, class)).collect();
        let free = body.all("freejoint").next().is_some()
            || joints.iter().any(|joint| joint.get("type") == Some("free"));
        let bone = match outer {
            // Without a joint it is one with what it is in.
            Some(bone) if joints.is_empty() && !free => bone,
            _ => self.bone(body, here.1),
        };
        if outer != Some(bone) && !free {
            self.joint(&joints, here, [outer, Some(bone)], &self.rig.bones[bone].name.clone())?;
        }
        for geom in body.all("geom") {
            let geom = self.defaults.complete(geom, class);
            self.solid(&geom, here, bone)?;
        }
        self.includes += body.all("include").count();
        for inner in body.all("body") {
            self.body(inner, here, Some(bone), class)?;
        }
        Ok(())
    }

    fn bone(&mut self, body: &Element, at: DVec3) -> usize {
        let index = self.rig.bones.len();
        let known = |name: &str| self.rig.bones.iter().any(|bone| bone.name == name);
        let named = body.get("name").filter(|name| name_fault(name).is_none() && !known(name));
        let name = named.map_or_else(|| format!("body {}", index + 1), str::to_owned);
        self.rig.bones.push(RigBone { name, regions: vec![index as i32 + 1] });
        self.origins.push(at);
        index
    }

    /// The joints of one body as one joint.
    fn joint(
        &mut self,
        joints: &[Element],
        (turn, at): Place,
        bones: [Option<usize>; 2],
        bone: &str,
    ) -> Result<(), MujocoError> {
        let mut hinges = Vec::new();
        let mut freedom = JointFreedom::Weld;
        for joint in joints {
            match joint.get("type").unwrap_or("hinge") {
                "hinge" => {
                    let axis = turn * numbers::<3>(joint, "axis")?.map_or(DVec3::Z, DVec3::from);
                    hinges.push((axis.try_normalize().unwrap_or(DVec3::Z), self.range(joint)?));
                }
                "ball" => freedom = JointFreedom::Ball { limit: None },
                kind => {
                    let name = joint.get("name").unwrap_or(bone).to_owned();
                    return Err(MujocoError::Joint { name, kind: kind.to_owned() });
                }
            }
        }
        match hinges.as_slice() {
            [] => {}
            [(axis, range)] => freedom = JointFreedom::Hinge { axis: upright(*axis), range: *range },
            [(a, first), (b, second)] => {
                let widest = widest(&[*first, *second]);
                let axis = a.cross(*b).try_normalize().unwrap_or(*a);
                let limit = SwingTwistLimit { axis: upright(axis), cone: widest, twist: Some(LEAST) };
                freedom = JointFreedom::Ball { limit: Some(limit) };
            }
            [(axis, twist), others @ ..] => {
                let others: Vec<_> = others.iter().map(|(_, range)| *range).collect();
                let (cone, twist) = (widest(&others), widest(&[*twist]));
                freedom =
                    JointFreedom::Ball { limit: Some(SwingTwistLimit { axis: upright(*axis), cone, twist }) };
            }
        }
        let shift = joints.first().map(|joint| numbers::<3>(joint, "pos")).transpose()?.flatten();
        let position = upright(at + turn * shift.map_or(DVec3::ZERO, DVec3::from));
        // One joint a bone: its name is free.
        self.rig.joints.push(RigJoint { name: format!("{bone} joint"), bones, position, freedom });
        Ok(())
    }

    /// The range of a hinge in degrees, with 0 in it; `None` if it has none.
    fn range(&self, joint: &Element) -> Result<Option<[f64; 2]>, MujocoError> {
        let given = numbers::<2>(joint, "range")?.filter(|_| joint.get("limited") != Some("false"));
        let unit = if self.degrees { 1.0 } else { 180.0 / std::f64::consts::PI };
        Ok(given.map(|[low, high]| [(low * unit).clamp(-180.0, 0.0), (high * unit).clamp(0.0, 180.0)]))
    }

    fn solid(&mut self, geom: &Element, (turn, at): Place, bone: usize) -> Result<(), MujocoError> {
        let (mut own_turn, mut own_at) = self.place(geom)?;
        let size: Vec<f64> = list(geom, "size")?.unwrap_or_default();
        let mut half = size.get(1).copied();
        if let Some([a, b, c, d, e, f]) = numbers::<6>(geom, "fromto")? {
            let (from, to) = (DVec3::new(a, b, c), DVec3::new(d, e, f));
            own_at = 0.5 * (from + to);
            own_turn = DQuat::from_rotation_arc(DVec3::Z, (to - from).try_normalize().unwrap_or(DVec3::Z));
            half = Some(0.5 * from.distance(to));
        }
        let at_least = |count: usize| {
            (0..count).map(|k| size.get(k).copied().filter(|x| *x > 0.0)).collect::<Option<Vec<f64>>>()
        };
        let solid = match geom.get("type").unwrap_or("sphere") {
            "sphere" => at_least(1).map(|s| Solid::Ellipsoid(DVec3::splat(s[0]))),
            "ellipsoid" => at_least(3).map(|s| Solid::Ellipsoid(DVec3::new(s[0], s[1], s[2]))),
            "box" => at_least(3).map(|s| Solid::Box(DVec3::new(s[0], s[1], s[2]))),
            "capsule" => at_least(1).zip(half).map(|(s, half)| Solid::Capsule(s[0], half)),
            "cylinder" => {
                at_least(1).zip(half.filter(|x| *x > 0.0)).map(|(s, half)| Solid::Cylinder(s[0], half))
            }
            _ => {
                self.meshes += 1;
                return Ok(());
            }
        };
        let value = geom.get("size").unwrap_or("").to_owned();
        let solid =
            solid.ok_or_else(|| fault(geom, "size", "positive numbers, as many as its type has", value))?;
        let place = (to_upright() * turn * own_turn, upright(at + turn * own_at));
        solids::add(&mut self.mesh, solid, place, bone as i32 + 1);
        Ok(())
    }

    /// Rotation and translation of a body or a geom.
    fn place(&self, element: &Element) -> Result<Place, MujocoError> {
        let at = numbers::<3>(element, "pos")?.map_or(DVec3::ZERO, DVec3::from);
        let unit = if self.degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
        let turn = if let Some([w, x, y, z]) = numbers::<4>(element, "quat")? {
            let quaternion = DQuat::from_xyzw(x, y, z, w);
            if quaternion.length_squared() > 0.0 { quaternion.normalize() } else { DQuat::IDENTITY }
        } else if let Some([x, y, z, angle]) = numbers::<4>(element, "axisangle")? {
            let axis = DVec3::new(x, y, z).try_normalize().unwrap_or(DVec3::Z);
            DQuat::from_axis_angle(axis, angle * unit)
        } else if let Some(angles) = numbers::<3>(element, "euler")? {
            self.euler(angles.map(|angle| angle * unit))
        } else if let Some([a, b, c, d, e, f]) = numbers::<6>(element, "xyaxes")? {
            let x = DVec3::new(a, b, c).try_normalize().unwrap_or(DVec3::X);
            let y =
                (DVec3::new(d, e, f) - x * x.dot(DVec3::new(d, e, f))).try_normalize().unwrap_or(DVec3::Y);
            DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
        } else if let Some(z) = numbers::<3>(element, "zaxis")? {
            DQuat::from_rotation_arc(DVec3::Z, DVec3::from(z).try_normalize().unwrap_or(DVec3::Z))
        } else {
            DQuat::IDENTITY
        };
        Ok((turn, at))
    }

    /// Rotations one after the other: small letters about axes that turn along, capital ones about fixed axes.
    fn euler(&self, angles: [f64; 3]) -> DQuat {
        self.sequence.chars().zip(angles).fold(DQuat::IDENTITY, |turn, (axis, angle)| {
            let about = match axis.to_ascii_lowercase() {
                'x' => DQuat::from_rotation_x(angle),
                'y' => DQuat::from_rotation_y(angle),
                _ => DQuat::from_rotation_z(angle),
            };
            if axis.is_ascii_uppercase() { about * turn } else { turn * about }
        })
    }

    fn finish(mut self) -> Mujoco {
        let mut notes = Vec::new();
        let mut empty = Vec::new();
        for (bone, origin) in self.origins.clone().into_iter().enumerate() {
            let label = bone as i32 + 1;
            if !self.mesh.regions.contains(&label) {
                let ball = Solid::Ellipsoid(DVec3::splat(BALL));
                solids::add(&mut self.mesh, ball, (DQuat::IDENTITY, upright(origin)), label);
                empty.push(self.rig.bones[bone].name.clone());
            }
        }
        if self.meshes > 0 {
            notes.push(format!("{} solids of the file are meshes or planes and were left out", self.meshes));
        }
        if !empty.is_empty() {
            notes
                .push(format!("bones without a primitive solid are balls of {BALL} m: {}", empty.join(", ")));
        }
        if self.includes > 0 {
            notes.push("files that it includes were not read".into());
        }
        Mujoco { rigged: RiggedMesh { mesh: self.mesh, rig: self.rig }, notes }
    }
}

/// z up becomes y up.
fn upright(p: DVec3) -> DVec3 {
    to_upright() * p
}

fn to_upright() -> DQuat {
    DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2)
}

/// The widest of some ranges, as a limit; `None` if one of them has none.
fn widest(ranges: &[Option<[f64; 2]>]) -> Option<f64> {
    let each = ranges.iter().map(|range| range.map(|[low, high]| low.abs().max(high.abs())));
    each.collect::<Option<Vec<f64>>>().map(|all| all.into_iter().fold(LEAST, f64::max).min(180.0))
}

/// The numbers of an attribute, if it is there.
fn list(element: &Element, key: &str) -> Result<Option<Vec<f64>>, MujocoError> {
    let Some(value) = element.get(key) else { return Ok(None) };
    let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite() && x.abs() < 1e6);
    let numbers: Option<Vec<f64>> = value.split_whitespace().map(number).collect();
    numbers.map(Some).ok_or_else(|| fault(element, key, "finite numbers", value.to_owned()))
}

fn numbers<const N: usize>(element: &Element, key: &str) -> Result<Option<[f64; N]>, MujocoError> {
    let Some(list) = list(element, key)? else { return Ok(None) };
    let value = element.get(key).unwrap_or("").to_owned();
    let array = list.try_into().map_err(|_| fault(element, key, &format!("{N} numbers"), value))?;
    Ok(Some(array))
}

fn fault(element: &Element, key: &str, expected: &str, value: String) -> MujocoError {
    MujocoError::Value {
        element: element.name.clone(),
        name: element.get("name").unwrap_or("without a name").to_owned(),
        key: key.to_owned(),
        expected: expected.to_owned(),
        value,
    }
}
