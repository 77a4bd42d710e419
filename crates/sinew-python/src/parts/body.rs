//! `sinew.Body` and `sinew.Bone`.

use super::friction;
use crate::arrays;
use crate::errors::Kind;
use pyo3::prelude::*;
use sinew::{AttachmentId, BoneId, Constitutive, DVec3, Lame, MassProperties, ModelBuilder, SpringLaw};

/// A body made of arrays.
#[pyclass(module = "sinew", frozen)]
#[derive(Debug)]
pub struct Body {
    name: String,
    body: sinew::Body,
    vertices: usize,
    rigid: bool,
    kinematic: bool,
    pins: Vec<u32>,
    attachments: Vec<Attachment>,
    bones: Vec<Bone>,
}

#[derive(Clone, Copy, Debug)]
struct Attachment {
    vertex: u32,
    stiffness: f64,
    target: Option<DVec3>,
}

/// Vertices of a body that move rigidly.
#[pyclass(module = "sinew", frozen, from_py_object)]
#[derive(Clone, Debug)]
pub struct Bone {
    #[pyo3(get)]
    name: String,
    vertices: Vec<u32>,
    #[pyo3(get)]
    kinematic: bool,
}

#[pymethods]
impl Bone {
    #[new]
    #[pyo3(signature = (name, vertices, *, kinematic = false))]
    fn new(name: String, vertices: &Bound<'_, PyAny>, kinematic: bool) -> PyResult<Self> {
        Ok(Self { vertices: arrays::numbers("vertices", vertices)?, name, kinematic })
    }

    #[getter]
    fn vertices(&self) -> Vec<u32> {
        self.vertices.clone()
    }

    fn __repr__(&self) -> String {
        let kinematic = if self.kinematic { ", kinematic" } else { "" };
        format!("<sinew.Bone {}: {} vertices{kinematic}>", self.name, self.vertices.len())
    }
}

type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

#[pymethods]
impl Body {
    #[new]
    #[pyo3(signature = (
        name, vertices, *, tetrahedra = None, law = "corotated", young = None, poisson = None, density = None,
        springs = None, spring_law = "hookean", spring_stiffness = None, rest_lengths = None, mass = None, surface = None, positions = None,
        velocities = None, pins = None, attach = None, attach_stiffness = 1e4, attach_targets = None, bones = Vec::new(),
        rigid = false, kinematic = false, friction = None, restitution = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        name: String,
        vertices: &Bound<'_, PyAny>,
        tetrahedra: Given<'_, '_>,
        law: &str,
        young: Given<'_, '_>,
        poisson: Given<'_, '_>,
        density: Given<'_, '_>,
        springs: Given<'_, '_>,
        spring_law: &str,
        spring_stiffness: Given<'_, '_>,
        rest_lengths: Given<'_, '_>,
        mass: Given<'_, '_>,
        surface: Given<'_, '_>,
        positions: Given<'_, '_>,
        velocities: Given<'_, '_>,
        pins: Given<'_, '_>,
        attach: Given<'_, '_>,
        attach_stiffness: f64,
        attach_targets: Given<'_, '_>,
        bones: Vec<Bone>,
        rigid: bool,
        kinematic: bool,
        friction: Given<'_, '_>,
        restitution: Option<f64>,
    ) -> PyResult<Self> {
        let rest = arrays::points("vertices", vertices)?;
        let count = rest.len();
        let mut body = sinew::Body::new(name.clone(), rest);
        if let Some(tetrahedra) = tetrahedra {
            body = solid(body, &name, tetrahedra, law, [young, poisson, density])?;
        } else if let Some(what) = [("young", young), ("poisson", poisson), ("density", density)]
            .iter()
            .find_map(|(what, given)| given.map(|_| what))
        {
            let sentence = format!("body `{name}`: {what} has no meaning without tetrahedra");
            return Err(Kind::Model.error(sentence));
        }
        if let Some(springs) = springs {
            let ends = arrays::elements::<2>("springs", springs)?;
            let Some(stiffness) = spring_stiffness else {
                return Err(
                    Kind::Model.error(format_args!("body `{name}`: springs need spring_stiffness, N/m"))
                );
            };
            let stiffness = arrays::each("spring_stiffness", stiffness, ends.len())?;
            let lengths =
                rest_lengths.map(|given| arrays::each("rest_lengths", given, ends.len())).transpose()?;
            body = body.graded_springs(ends, self::spring_law(spring_law)?, stiffness, lengths);
        }
        match mass {
            Some(mass) if mass.getattr("__len__").is_ok() => {
                body = body.masses(arrays::each("mass", mass, count)?);
            }
            Some(mass) => body = body.total_mass(mass.extract()?),
            None => {}
        }
        if let Some(surface) = surface {
            body = body.surface(arrays::elements::<3>("surface", surface)?);
        }
        if let Some(positions) = positions {
            body = body.positions(arrays::rows("positions", positions, count)?);
        }
        if let Some(velocities) = velocities {
            body = body.velocities(arrays::rows("velocities", velocities, count)?);
        }
        if let Some(given) = friction {
            body = body.friction(self::friction(given)?);
        }
        if let Some(restitution) = restitution {
            body = body.restitution(restitution);
        }
        let pins = pins.map_or_else(|| Ok(Vec::new()), |pins| arrays::numbers("pins", pins))?;
        let attachments = attachments(attach, attach_stiffness, attach_targets)?;
        inside(&name, "pins", pins.iter().copied(), count)?;
        inside(&name, "attach", attachments.iter().map(|attachment| attachment.vertex), count)?;
        for bone in &bones {
            inside(&name, &format!("bone `{}`", bone.name), bone.vertices.iter().copied(), count)?;
        }
        Ok(Self { name, body, vertices: count, rigid, kinematic, pins, attachments, bones })
    }

    /// A solid rigid sphere.
    #[staticmethod]
    #[pyo3(signature = (name, center, radius, *, density = 1000.0, velocity = None, spin = None))]
    fn sphere(
        name: String,
        center: &Bound<'_, PyAny>,
        radius: f64,
        density: f64,
        velocity: Given<'_, '_>,
        spin: Given<'_, '_>,
    ) -> PyResult<Self> {
        let body = sinew::Body::sphere(name.clone(), arrays::vector("center", center)?, radius, density);
        Self::solid_rigid(name, moving(body, velocity, spin)?, 1)
    }

    /// A solid rigid capsule: everything within `radius` of the segment between two points.
    #[staticmethod]
    #[pyo3(signature = (name, ends, radius, *, density = 1000.0, velocity = None, spin = None))]
    fn capsule(
        name: String,
        ends: &Bound<'_, PyAny>,
        radius: f64,
        density: f64,
        velocity: Given<'_, '_>,
        spin: Given<'_, '_>,
    ) -> PyResult<Self> {
        let ends = arrays::rows("ends", ends, 2)?;
        let body = sinew::Body::capsule(name.clone(), [ends[0], ends[1]], radius, density);
        Self::solid_rigid(name, moving(body, velocity, spin)?, 2)
    }

    /// The same body, rigid with this mass (kg), centre of mass (m) and inertia (kg·m²) instead of those of its elements.
    fn with_mass_properties(
        &self,
        mass: f64,
        center: &Bound<'_, PyAny>,
        inertia: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let rows = arrays::rows("inertia", inertia, 3)?;
        let inertia = sinew::DMat3::from_cols(rows[0], rows[1], rows[2]);
        if (inertia - inertia.transpose())
            .to_cols_array()
            .iter()
            .any(|x| x.abs() > 1e-9 * inertia.to_cols_array().iter().fold(0.0, |m: f64, v| m.max(v.abs())))
        {
            return Err(Kind::Model.error(format_args!("body `{}`: inertia must be symmetric", self.name)));
        }
        let properties = MassProperties { mass, center: arrays::vector("center", center)?, inertia };
        Ok(Self { rigid: true, body: self.body.clone().mass_properties(properties), ..self.shallow() })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Number of vertices.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.vertices
    }

    fn __repr__(&self) -> String {
        let rigid = if self.rigid { ", rigid" } else { "" };
        format!("<sinew.Body {}: {} vertices{rigid}>", self.name, self.vertices)
    }
}

impl Body {
    fn solid_rigid(name: String, body: sinew::Body, vertices: usize) -> PyResult<Self> {
        let (pins, attachments, bones) = Default::default();
        Ok(Self { name, body, vertices, rigid: true, kinematic: false, pins, attachments, bones })
    }

    fn shallow(&self) -> Self {
        Self {
            name: self.name.clone(),
            body: self.body.clone(),
            vertices: self.vertices,
            rigid: self.rigid,
            kinematic: self.kinematic,
            pins: self.pins.clone(),
            attachments: self.attachments.clone(),
            bones: self.bones.clone(),
        }
    }

    /// Adds the body, its pins, attachments and bones; notes the names of bones for joints.
    pub fn add_to(
        &self,
        builder: &mut ModelBuilder,
        bones: &mut Vec<(String, BoneId)>,
        attachments: &mut Vec<AttachmentId>,
    ) {
        let first = builder.vertex_count();
        if self.rigid {
            let id = builder.add_rigid(self.body.clone());
            if self.kinematic {
                builder.kinematic(id);
            }
            bones.push((self.name.clone(), id));
        } else {
            builder.body(self.body.clone());
        }
        for bone in &self.bones {
            let vertices = bone.vertices.iter().map(|&vertex| first + vertex as usize).collect();
            let mut made = sinew::Bone::new(bone.name.clone(), vertices);
            made.kinematic = bone.kinematic;
            bones.push((bone.name.clone(), builder.add_bone(made)));
        }
        for &pin in &self.pins {
            builder.pin(first + pin as usize);
        }
        for &Attachment { vertex, stiffness, target } in &self.attachments {
            attachments.push(builder.add_attachment(first + vertex as usize, stiffness, target));
        }
    }
}

fn moving(body: sinew::Body, velocity: Given<'_, '_>, spin: Given<'_, '_>) -> PyResult<sinew::Body> {
    if velocity.is_none() && spin.is_none() {
        return Ok(body);
    }
    let of = |what, given: Given<'_, '_>| given.map_or(Ok(DVec3::ZERO), |given| arrays::vector(what, given));
    Ok(body.rigid_velocity(of("velocity", velocity)?, of("spin", spin)?))
}

/// Vertex numbers of a body are its own: those of the model would be accepted and mean another one.
fn inside(body: &str, what: &str, vertices: impl Iterator<Item = u32>, count: usize) -> PyResult<()> {
    for vertex in vertices {
        if vertex as usize >= count {
            let sentence = format!("body `{body}`: {what} names vertex {vertex}, but there are only {count}");
            return Err(Kind::Model.error(sentence));
        }
    }
    Ok(())
}

fn solid(
    body: sinew::Body,
    name: &str,
    tetrahedra: &Bound<'_, PyAny>,
    law: &str,
    [young, poisson, density]: [Given<'_, '_>; 3],
) -> PyResult<sinew::Body> {
    let corners = arrays::elements::<4>("tetrahedra", tetrahedra)?;
    let count = corners.len();
    let Some(young) = young else {
        return Err(Kind::Model.error(format_args!("body `{name}`: tetrahedra need young, Pa")));
    };
    let young = arrays::each("young", young, count)?;
    let poisson =
        poisson.map_or_else(|| Ok(vec![0.3; count]), |given| arrays::each("poisson", given, count))?;
    let density =
        density.map_or_else(|| Ok(vec![1000.0; count]), |given| arrays::each("density", given, count))?;
    let law = match law {
        "corotated" => Constitutive::Corotated,
        "arap" => Constitutive::Arap,
        "stvk" => Constitutive::StVenantKirchhoff,
        "neo-hookean" => Constitutive::NeoHookean,
        _ => {
            let sentence = format!("law must be corotated, arap, stvk or neo-hookean, is {law}");
            return Err(Kind::Model.error(sentence));
        }
    };
    let moduli: Result<Vec<Lame>, _> =
        young.iter().zip(&poisson).map(|(&young, &poisson)| Lame::from_young(young, poisson)).collect();
    let moduli = moduli.map_err(|error| Kind::Model.error(format_args!("body `{name}`: {error}")))?;
    Ok(body.graded_tetrahedra(corners, law, moduli, density))
}

fn spring_law(name: &str) -> PyResult<SpringLaw> {
    match name {
        "hookean" => Ok(SpringLaw::Hookean),
        "squared" => Ok(SpringLaw::Squared),
        _ => Err(Kind::Model.error(format_args!("spring_law must be hookean or squared, is {name}"))),
    }
}

fn attachments(vertices: Given<'_, '_>, stiffness: f64, targets: Given<'_, '_>) -> PyResult<Vec<Attachment>> {
    let Some(vertices) = vertices else { return Ok(Vec::new()) };
    let vertices = arrays::numbers("attach", vertices)?;
    let targets = targets.map(|given| arrays::rows("attach_targets", given, vertices.len())).transpose()?;
    let target = |i: usize| targets.as_ref().map(|targets| targets[i]);
    Ok(vertices
        .iter()
        .enumerate()
        .map(|(i, &vertex)| Attachment { vertex, stiffness, target: target(i) })
        .collect())
}
