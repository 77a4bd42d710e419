//! Bodies, pins, attachments and forces become a model; everything wrong is found here.

use super::{BodyInfo, Model, ModelError};
use crate::body::{Body, Net, Solid};
use crate::dofs::Dofs;
use crate::energy::{
    Arap, Attachments, Corotated, Energy, Gravity, NeoHookean, SpringLaw, Springs, StVenantKirchhoff,
    Tetrahedra,
};
use crate::material::Constitutive;
use crate::mesh::{RestTetrahedron, boundary_triangles};
use crate::sparse::SymmetricMatrix;
use glam::{DMat3, DVec3};
use std::ops::Range;

/// Collects the parts of a [`Model`].
#[derive(Debug, Default)]
pub struct ModelBuilder {
    bodies: Vec<Body>,
    vertices: usize,
    pins: Vec<usize>,
    attachments: Vec<(usize, f64, Option<DVec3>)>,
    gravity: DVec3,
    own: Vec<Box<dyn Energy>>,
}

impl ModelBuilder {
    /// Adds a body and returns the range of its vertices in the model.
    pub fn body(&mut self, body: Body) -> Range<usize> {
        let first = self.vertices;
        self.vertices += body.rest.len();
        self.bodies.push(body);
        first..self.vertices
    }

    /// Holds a vertex of the model where it starts.
    pub fn pin(&mut self, vertex: usize) -> &mut Self {
        self.pins.push(vertex);
        self
    }

    /// Pulls a vertex of the model to a target with a spring of `stiffness` N/m; without a target, to where it
    /// starts. Returns the number by which [`State::move_target`](crate::State::move_target) knows it.
    pub fn attach(&mut self, vertex: usize, stiffness: f64, target: Option<DVec3>) -> usize {
        self.attachments.push((vertex, stiffness, target));
        self.attachments.len() - 1
    }

    /// Uniform gravity, m/s². Zero by default.
    pub fn gravity(&mut self, acceleration: DVec3) -> &mut Self {
        self.gravity = acceleration;
        self
    }

    /// Adds a potential of the user's own.
    pub fn energy(&mut self, energy: impl Energy + 'static) -> &mut Self {
        self.own.push(Box::new(energy));
        self
    }

    /// Validates everything and builds the model.
    pub fn build(self) -> Result<Model, ModelError> {
        if self.bodies.is_empty() {
            return Err(ModelError::Empty);
        }
        let mut parts = Parts::default();
        for body in self.bodies {
            parts.add(body)?;
        }
        let vertices = parts.masses.len();

        let mut pinned = vec![false; vertices];
        for (index, &vertex) in self.pins.iter().enumerate() {
            *pinned.get_mut(vertex).ok_or(ModelError::Vertex { what: "pin", index, vertex, vertices })? =
                true;
        }
        if pinned.iter().all(|&p| p) {
            return Err(ModelError::NothingFree);
        }
        let mut springs = Vec::new();
        let mut targets = Vec::new();
        for (index, &(vertex, stiffness, target)) in self.attachments.iter().enumerate() {
            let start = *parts.positions.get(vertex).ok_or(ModelError::Vertex {
                what: "attachment",
                index,
                vertex,
                vertices,
            })?;
            let target = target.unwrap_or(start);
            if !(stiffness > 0.0 && stiffness.is_finite()) {
                let what = format!("stiffness must be positive and finite, is {stiffness} N/m");
                return Err(ModelError::Attachment { index, what });
            }
            if !target.is_finite() {
                let what = format!("target must be finite, is {target}");
                return Err(ModelError::Attachment { index, what });
            }
            springs.push((vertex as u32, stiffness));
            targets.push(target);
        }
        if !self.gravity.is_finite() {
            return Err(ModelError::Gravity(self.gravity));
        }

        let attached = springs.iter().map(|&(vertex, _)| vertex).collect();
        let mut energies = parts.energies;
        if self.gravity != DVec3::ZERO {
            energies.push(Box::new(Gravity::new(self.gravity, &parts.masses)));
        }
        if !springs.is_empty() {
            energies.push(Box::new(Attachments::new(springs)));
        }
        energies.extend(self.own);

        let mut entries = Vec::new();
        for energy in &energies {
            energy.laplacian(&mut |i, j, weight| entries.push((i, j, weight)));
            if let Some(&(i, j, weight)) =
                entries.iter().find(|(i, j, w)| *i.max(j) as usize >= vertices || !w.is_finite())
            {
                let name = energy.name().to_owned();
                return Err(ModelError::Laplacian { name, i, j, weight });
            }
        }
        Ok(Model {
            dofs: Dofs::with_pins(&pinned),
            laplacian: SymmetricMatrix::from_entries(vertices, &entries),
            energies,
            size: parts.size,
            initial_positions: parts.positions,
            initial_velocities: parts.velocities,
            initial_targets: targets,
            attached,
            rest: parts.rest,
            masses: parts.masses,
            bodies: parts.bodies,
        })
    }
}

/// The model so far.
#[derive(Default)]
struct Parts {
    masses: Vec<f64>,
    rest: Vec<DVec3>,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    energies: Vec<Box<dyn Energy>>,
    bodies: Vec<BodyInfo>,
    size: f64,
}

impl Parts {
    fn add(&mut self, body: Body) -> Result<(), ModelError> {
        let n = body.rest.len();
        let first = self.rest.len();
        if n == 0 {
            return Err(ModelError::NoVertices { body: body.name });
        }
        let positions = body.positions.unwrap_or_else(|| body.rest.clone());
        let velocities = body.velocities.unwrap_or_else(|| vec![DVec3::ZERO; n]);
        for (what, values) in
            [("rest position", &body.rest), ("position", &positions), ("velocity", &velocities)]
        {
            check_vectors(&body.name, what, values, n)?;
        }

        let mut masses = vec![0.0; n];
        if !body.point_masses.is_empty() {
            check_length(&body.name, "masses", body.point_masses.len(), n)?;
            masses.copy_from_slice(&body.point_masses);
        }
        let mut all_tets = Vec::new();
        let mut all_springs = Vec::new();
        for solid in &body.solids {
            let rest = rest_shapes(&body.name, &body.rest, solid)?;
            for ((t, shape), density) in solid.tetrahedra.iter().zip(&rest).zip(&solid.density) {
                for &v in t {
                    masses[v as usize] += 0.25 * density * shape.volume;
                }
            }
            all_tets.extend(solid.tetrahedra.iter().map(|t| t.map(|v| v + first as u32)));
            self.energies.extend(solid_energy(solid, rest, first as u32));
        }
        for net in body.nets {
            let parameters = spring_parameters(&body.name, &body.rest, &net)?;
            let ends: Vec<_> = net.ends.iter().map(|e| e.map(|v| v + first as u32)).collect();
            all_springs.extend_from_slice(&ends);
            if !ends.is_empty() {
                self.energies.push(Box::new(Springs::new(net.law, ends, parameters)));
            }
        }
        for (vertex, &mass) in masses.iter().enumerate() {
            if !(mass > 0.0 && mass.is_finite()) {
                return Err(ModelError::Mass { body: body.name, vertex, mass });
            }
        }
        let surface = match body.surface {
            Some(triangles) => {
                for (element, t) in triangles.iter().enumerate() {
                    check_corners(&body.name, "triangle", element, t, n)?;
                }
                triangles.into_iter().map(|t| t.map(|v| v + first as u32)).collect()
            }
            None => boundary_triangles(&all_tets),
        };
        let low = body.rest.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = body.rest.iter().copied().reduce(DVec3::max).unwrap_or_default();
        self.size = self.size.max((high - low).length());
        if self.size == 0.0 {
            // Coinciding points have no extent; any length will do as the scale.
            self.size = 1.0;
        }
        self.bodies.push(BodyInfo {
            name: body.name,
            vertices: first..first + n,
            elements: all_tets.len() + all_springs.len(),
            surface,
            springs: all_springs,
        });
        self.masses.extend(masses);
        self.rest.extend(body.rest);
        self.positions.extend(positions);
        self.velocities.extend(velocities);
        Ok(())
    }
}

fn check_length(body: &str, what: &'static str, found: usize, expected: usize) -> Result<(), ModelError> {
    if found == expected {
        Ok(())
    } else {
        Err(ModelError::Length { body: body.to_owned(), what, found, expected })
    }
}

fn check_vectors(body: &str, what: &'static str, values: &[DVec3], n: usize) -> Result<(), ModelError> {
    check_length(body, what, values.len(), n)?;
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(vertex) => Err(ModelError::NotFinite { body: body.to_owned(), what, vertex }),
    }
}

fn check_corners(
    body: &str,
    what: &'static str,
    element: usize,
    corners: &[u32],
    vertices: usize,
) -> Result<(), ModelError> {
    for (k, &vertex) in corners.iter().enumerate() {
        if vertex as usize >= vertices {
            return Err(ModelError::Index { body: body.to_owned(), what, element, vertex, vertices });
        }
        if corners[..k].contains(&vertex) {
            return Err(ModelError::Repeated { body: body.to_owned(), what, element, vertex });
        }
    }
    Ok(())
}

fn check_parameter(
    body: &str,
    (what, expected): (&'static str, &'static str),
    (element_kind, element): (&'static str, usize),
    value: f64,
    good: bool,
) -> Result<(), ModelError> {
    if good && value.is_finite() {
        return Ok(());
    }
    Err(ModelError::Parameter { body: body.to_owned(), what, element_kind, element, expected, value })
}

fn rest_shapes(body: &str, rest: &[DVec3], solid: &Solid) -> Result<Vec<RestTetrahedron>, ModelError> {
    let n = solid.tetrahedra.len();
    check_length(body, "moduli", solid.lame.len(), n)?;
    check_length(body, "densities", solid.density.len(), n)?;
    let mut shapes = Vec::with_capacity(n);
    for (e, t) in solid.tetrahedra.iter().enumerate() {
        check_corners(body, "tetrahedron", e, t, rest.len())?;
        let at = ("tetrahedron", e);
        check_parameter(
            body,
            ("density", "zero or positive"),
            at,
            solid.density[e],
            solid.density[e] >= 0.0,
        )?;
        let lame = solid.lame[e];
        check_parameter(body, ("shear modulus mu", "positive"), at, lame.mu, lame.mu > 0.0)?;
        check_parameter(body, ("lambda", "above -2/3 mu"), at, lame.lambda, lame.is_stable())?;
        let x = t.map(|v| rest[v as usize]);
        shapes.push(RestTetrahedron::new(x).ok_or_else(|| bad_tetrahedron(body, e, x))?);
    }
    Ok(shapes)
}

fn bad_tetrahedron(body: &str, element: usize, x: [DVec3; 4]) -> ModelError {
    let volume = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]).determinant() / 6.0;
    let flipped = [x[0], x[2], x[1], x[3]];
    let (how, remedy) = if RestTetrahedron::new(flipped).is_some() {
        ("inverted", "swap two of its vertices")
    } else {
        ("flat", "move a vertex out of the plane or remove the element")
    };
    ModelError::BadTetrahedron { body: body.to_owned(), element, volume, how, remedy }
}

fn solid_energy(solid: &Solid, rest: Vec<RestTetrahedron>, first: u32) -> Option<Box<dyn Energy>> {
    if solid.tetrahedra.is_empty() {
        return None;
    }
    let corners = solid.tetrahedra.iter().map(|t| t.map(|v| v + first)).collect();
    let lame = solid.lame.clone();
    Some(match solid.law {
        Constitutive::Corotated => Box::new(Tetrahedra::new(Corotated, corners, rest, lame)),
        Constitutive::Arap => Box::new(Tetrahedra::new(Arap, corners, rest, lame)),
        Constitutive::StVenantKirchhoff => Box::new(Tetrahedra::new(StVenantKirchhoff, corners, rest, lame)),
        Constitutive::NeoHookean => Box::new(Tetrahedra::new(NeoHookean, corners, rest, lame)),
    })
}

/// (stiffness, rest length) of each spring.
fn spring_parameters(body: &str, rest: &[DVec3], net: &Net) -> Result<Vec<(f64, f64)>, ModelError> {
    let n = net.ends.len();
    check_length(body, "spring stiffnesses", net.stiffness.len(), n)?;
    if let Some(lengths) = &net.rest_lengths {
        check_length(body, "rest lengths", lengths.len(), n)?;
    }
    let mut parameters = Vec::with_capacity(n);
    for (e, ends) in net.ends.iter().enumerate() {
        check_corners(body, "spring", e, ends, rest.len())?;
        let k = net.stiffness[e];
        let l = match &net.rest_lengths {
            Some(lengths) => lengths[e],
            None => rest[ends[0] as usize].distance(rest[ends[1] as usize]),
        };
        check_parameter(body, ("stiffness", "positive"), ("spring", e), k, k > 0.0)?;
        let (rule, good) = match net.law {
            SpringLaw::Hookean => ("zero or positive", l >= 0.0),
            SpringLaw::Squared => ("positive", l > 0.0),
        };
        check_parameter(body, ("rest length", rule), ("spring", e), l, good)?;
        parameters.push((k, l));
    }
    Ok(parameters)
}
