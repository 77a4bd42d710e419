//! First pass: bodies become vertices, masses and elements of one model.

use super::ModelError;
use super::elements::Elements;
use super::validate::{
    check_activity, check_corners, check_length, check_surface, check_vectors, rest_shapes, spring_parameters,
};
use crate::body::{Activity, Body};
use crate::contact::SurfaceLaw;
use crate::energy::{Shares, grown};
use crate::ids::BodyId;
use crate::mesh::{RestTetrahedron, boundary_triangles};
use crate::skeleton::draft::{GivenRigid, RigidMotion, check_mass_properties};
use crate::topology::{BodyInfo, MuscleInfo, Round};
use glam::DVec3;

/// Vertices, masses and elements of all bodies, and the data that bones need.
#[derive(Default)]
pub(super) struct Parts {
    pub masses: Vec<f64>,
    pub rest: Vec<DVec3>,
    pub positions: Vec<DVec3>,
    pub velocities: Vec<DVec3>,
    pub elements: Vec<Elements>,
    pub bodies: Vec<BodyInfo>,
    /// Corners and mass of every tetrahedron.
    pub tetrahedra: Vec<([u32; 4], f64)>,
    /// Properties given for each rigid body, in order.
    pub rigid: Vec<GivenRigid>,
    /// Extent of the largest body at rest, m.
    pub size: f64,
    /// Friction and restitution that each body has of its own.
    pub laws: Vec<SurfaceLaw>,
    pub muscles: Vec<MuscleInfo>,
}

impl Parts {
    pub fn of(bodies: Vec<Body>) -> Result<Self, ModelError> {
        let mut parts = Self::default();
        for body in bodies {
            parts.add(body)?;
        }
        Ok(parts)
    }

    /// Properties given for each of `bones` bones; `rigid` lists the bones that are rigid bodies.
    pub fn given_by_bone(&self, rigid: &[usize], bones: usize) -> Vec<GivenRigid> {
        let mut given = vec![GivenRigid::default(); bones];
        for (&bone, one) in rigid.iter().zip(&self.rigid) {
            given[bone] = *one;
        }
        given
    }

    fn add(&mut self, body: Body) -> Result<(), ModelError> {
        let n = body.rest.len();
        let first = self.rest.len();
        if n == 0 && body.mass_properties.is_none() {
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
        for solid in body.solids {
            let mut rest = rest_shapes(&body.name, &body.rest, &solid)?;
            let shares =
                solid.activity.as_ref().map(|activity| self.activate(&body.name, activity, &mut rest));
            let shares = shares.transpose()?;
            for ((t, shape), density) in solid.tetrahedra.iter().zip(&rest).zip(&solid.density) {
                for &v in t {
                    masses[v as usize] += 0.25 * density * shape.volume;
                }
                self.tetrahedra.push((t.map(|v| v + first as u32), density * shape.volume));
            }
            let corners: Vec<_> = solid.tetrahedra.iter().map(|t| t.map(|v| v + first as u32)).collect();
            all_tets.extend_from_slice(&corners);
            self.elements.push(Elements::Solid { law: solid.law, corners, rest, lame: solid.lame, shares });
        }
        for net in body.nets {
            let parameters = spring_parameters(&body.name, &body.rest, &net)?;
            let ends: Vec<_> = net.ends.iter().map(|e| e.map(|v| v + first as u32)).collect();
            all_springs.extend_from_slice(&ends);
            self.elements.push(Elements::Net { law: net.law, ends, parameters });
        }
        if let Some(properties) = &body.mass_properties {
            check_mass_properties(&body.name, properties)?;
            masses.fill(properties.mass / n.max(1) as f64);
        }
        if let Some((linear, angular)) = body.rigid_velocity {
            if !body.rigid {
                return Err(ModelError::MassProperties {
                    body: body.name,
                    what: "only a rigid body has a rigid velocity; give velocities of its vertices"
                        .to_owned(),
                });
            }
            let both = [linear, angular];
            check_vectors(&body.name, "rigid velocity", &both, 2)?;
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
        let round = body.round.map(|round| round_surface(&body.name, round, n, first)).transpose()?;
        check_surface(&body.name, body.friction, body.restitution)?;
        let low = body.rest.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = body.rest.iter().copied().reduce(DVec3::max).unwrap_or_default();
        let wide = DVec3::splat(2.0 * round.map_or(0.0, |round| round.radius));
        self.size = self.size.max((high - low).max(wide).length());
        if self.size == 0.0 {
            // Coincident points have no extent; any length serves as the scale.
            self.size = 1.0;
        }
        let rigid = body.rigid;
        self.bodies.push(BodyInfo {
            rigid,
            name: body.name,
            vertices: first..first + n,
            elements: all_tets.len() + all_springs.len(),
            surface,
            tetrahedra: all_tets,
            springs: all_springs,
            mass_points: Vec::new(),
            round,
        });
        self.laws.push(SurfaceLaw { friction: body.friction, restitution: body.restitution });
        self.masses.extend(masses);
        // A rigid body keeps its initial shape.
        self.rest.extend(if rigid { positions.clone() } else { body.rest });
        if rigid {
            let motion = body.rigid_velocity.map(|(velocity, omega)| RigidMotion { velocity, omega });
            self.rigid.push(GivenRigid { properties: body.mass_properties, motion });
        }
        self.positions.extend(positions);
        self.velocities.extend(velocities);
        Ok(())
    }

    /// Numbers the muscles of a solid after those of the model, and lets its rest shapes grow.
    fn activate(
        &mut self,
        body: &str,
        activity: &Activity,
        rest: &mut [RestTetrahedron],
    ) -> Result<Vec<Shares>, ModelError> {
        check_activity(body, activity, rest.len())?;
        for (shape, growth) in rest.iter_mut().zip(&activity.growth) {
            *shape = grown(*shape, *growth);
        }
        let first = self.muscles.len() as u32;
        let id = BodyId(self.bodies.len());
        self.muscles.extend(activity.muscles.iter().map(|name| MuscleInfo { name: name.clone(), body: id }));
        let in_model = |row: &Shares| row.iter().map(|(muscle, share)| (first + muscle, *share)).collect();
        Ok(activity.shares.iter().map(in_model).collect())
    }
}

/// Checks what a body collides as; its vertices become those of the model.
fn round_surface(body: &str, round: Round, vertices: usize, first: usize) -> Result<Round, ModelError> {
    let refuse = |what: String| Err(ModelError::Round { body: body.to_owned(), what });
    let Round { ends, radius } = round;
    if !(radius > 0.0 && radius.is_finite()) {
        return refuse(format!("its radius must be positive and finite, is {radius} m"));
    }
    if let Some(vertex) = ends.into_iter().find(|&v| v as usize >= vertices) {
        return refuse(format!("it is about vertex {vertex}, but there are only {vertices}"));
    }
    let [a, b] = ends.map(|v| v + first as u32);
    Ok(Round { ends: [a.min(b), a.max(b)], radius })
}
