//! A body as the user describes it, before it becomes part of a model.

use crate::contact::Friction;
use crate::energy::Shares;
use crate::energy::SpringLaw;
use crate::material::{Constitutive, Lame};
use crate::skeleton::MassProperties;
use crate::topology::Round;
use glam::DVec3;

/// A deformable body: its vertices, elements, masses and initial motion.
///
/// ```
/// use sinew::{Body, Constitutive, DVec3, Lame};
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let body = Body::new("wedge", corners).tetrahedra(
///     vec![[0, 1, 2, 3]],
///     Constitutive::Corotated,
///     Lame::from_young(1e5, 0.4)?,
///     1000.0,
/// );
/// # Ok::<(), sinew::ModuliError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    pub(crate) name: String,
    pub(crate) rest: Vec<DVec3>,
    pub(crate) solids: Vec<Solid>,
    pub(crate) nets: Vec<Net>,
    pub(crate) point_masses: Vec<f64>,
    pub(crate) surface: Option<Vec<[u32; 3]>>,
    pub(crate) positions: Option<Vec<DVec3>>,
    pub(crate) velocities: Option<Vec<DVec3>>,
    pub(crate) rigid: bool,
    pub(crate) mass_properties: Option<MassProperties>,
    pub(crate) rigid_velocity: Option<(DVec3, DVec3)>,
    pub(crate) round: Option<Round>,
    pub(crate) friction: Option<Friction>,
    pub(crate) restitution: Option<f64>,
}

/// Tetrahedra with the same constitutive law.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub tetrahedra: Vec<[u32; 4]>,
    pub law: Constitutive,
    pub lame: Vec<Lame>,
    pub density: Vec<f64>,
    /// `None`: the law alone.
    pub activity: Option<Activity>,
}

/// The muscles of a solid.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    pub muscles: Vec<String>,
    pub shares: Vec<Shares>,
    pub growth: Vec<f64>,
}

/// Tetrahedra with muscles in them: corotated tissue that muscles contract \[dinev2020, Eq. 4.6\]. [`Controls::activate`](crate::Controls::activate) moves them.
#[derive(Clone, Debug, Default)]
pub struct ActiveTetrahedra {
    /// Corners, #T by 4, positively oriented.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Moduli of each.
    pub moduli: Vec<Lame>,
    /// Density of each, kg/m³.
    pub density: Vec<f64>,
    /// Names of the muscles.
    pub muscles: Vec<String>,
    /// The muscles in each tetrahedron with their shares of it: not negative, at most 1 together. What is left is passive tissue.
    pub shares: Vec<Vec<(u32, f64)>>,
    /// By how much each tetrahedron is larger at rest than in the mesh, in each direction: positive, 1 where it has not grown. Masses do not change with it.
    pub growth: Vec<f64>,
}

/// Springs with the same force law.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub ends: Vec<[u32; 2]>,
    pub law: SpringLaw,
    pub stiffness: Vec<f64>,
    pub rest_lengths: Option<Vec<f64>>,
}

impl Body {
    /// Creates a body from its rest positions, metres. A body needs elements or point masses before it can be simulated.
    pub fn new(name: impl Into<String>, rest: Vec<DVec3>) -> Self {
        Self {
            name: name.into(),
            rest,
            solids: Vec::new(),
            nets: Vec::new(),
            point_masses: Vec::new(),
            surface: None,
            positions: None,
            velocities: None,
            rigid: false,
            mass_properties: None,
            rigid_velocity: None,
            round: None,
            friction: None,
            restitution: None,
        }
    }

    /// Creates a solid, rigid sphere of uniform density (kg/m³): one vertex, its centre, and a round surface. It has nothing to draw.
    pub fn sphere(name: impl Into<String>, center: DVec3, radius: f64, density: f64) -> Self {
        Self::new(name, vec![center])
            .mass_properties(MassProperties::sphere(center, radius, density))
            .round([0, 0], radius)
    }

    /// Creates a solid, rigid capsule of uniform density (kg/m³), everything within `radius` of a segment: its two ends as vertices, and a round surface. It has nothing to draw.
    pub fn capsule(name: impl Into<String>, ends: [DVec3; 2], radius: f64, density: f64) -> Self {
        Self::new(name, ends.to_vec())
            .mass_properties(MassProperties::capsule(ends, radius, density))
            .round([0, 1], radius)
    }

    /// Adds tetrahedra (#T by 4, positively oriented) of one material; their mass, from the density in kg/m³, is lumped at the vertices.
    pub fn tetrahedra(
        self,
        tetrahedra: Vec<[u32; 4]>,
        law: Constitutive,
        moduli: Lame,
        density: f64,
    ) -> Self {
        let n = tetrahedra.len();
        self.graded_tetrahedra(tetrahedra, law, vec![moduli; n], vec![density; n])
    }

    /// Adds tetrahedra that each have their own moduli and density (kg/m³), #T of each.
    pub fn graded_tetrahedra(
        mut self,
        tetrahedra: Vec<[u32; 4]>,
        law: Constitutive,
        moduli: Vec<Lame>,
        density: Vec<f64>,
    ) -> Self {
        self.solids.push(Solid { tetrahedra, law, lame: moduli, density, activity: None });
        self
    }

    /// Adds tetrahedra with muscles in them.
    pub fn active_tetrahedra(mut self, active: ActiveTetrahedra) -> Self {
        let ActiveTetrahedra { tetrahedra, moduli, density, muscles, shares, growth } = active;
        let activity = Some(Activity { muscles, shares, growth });
        let law = Constitutive::Corotated;
        self.solids.push(Solid { tetrahedra, law, lame: moduli, density, activity });
        self
    }

    /// Adds springs (#S by 2) of stiffness `stiffness`, N/m; their rest lengths are the distances between their ends at rest.
    pub fn springs(self, ends: Vec<[u32; 2]>, law: SpringLaw, stiffness: f64) -> Self {
        let n = ends.len();
        self.graded_springs(ends, law, vec![stiffness; n], None)
    }

    /// Adds springs that each have their own stiffness (N/m) and, if given, their own rest length (m), #S of each.
    pub fn graded_springs(
        mut self,
        ends: Vec<[u32; 2]>,
        law: SpringLaw,
        stiffness: Vec<f64>,
        rest_lengths: Option<Vec<f64>>,
    ) -> Self {
        self.nets.push(Net { ends, law, stiffness, rest_lengths });
        self
    }

    /// Adds a mass to each vertex, kg, #V: for bodies made of springs, which have no volume to derive a mass from.
    pub fn masses(mut self, masses: Vec<f64>) -> Self {
        self.point_masses = masses;
        self
    }

    /// Spreads a total mass (kg) evenly over the vertices.
    pub fn total_mass(self, mass: f64) -> Self {
        let n = self.rest.len();
        self.masses(vec![mass / n as f64; n])
    }

    /// Sets the triangles to draw and to collide with (#F by 3). Default: the boundary of the tetrahedra.
    pub fn surface(mut self, triangles: Vec<[u32; 3]>) -> Self {
        self.surface = Some(triangles);
        self
    }

    /// Sets the initial positions of the vertices, metres, #V. Default: the rest positions.
    pub fn positions(mut self, positions: Vec<DVec3>) -> Self {
        self.positions = Some(positions);
        self
    }

    /// Makes the body one rigid bone: it moves and turns but never deforms, whatever its elements are.
    pub fn rigid(mut self) -> Self {
        self.rigid = true;
        self
    }

    /// Makes the body rigid with this mass, centre of mass and inertia, whatever its elements are. It may have no vertices at all, or a
    /// surface that serves only for drawing and contact.
    pub fn mass_properties(mut self, properties: MassProperties) -> Self {
        self.mass_properties = Some(properties);
        self.rigid()
    }

    /// Makes the body rigid, and lets it collide as something round instead of its surface, which is then only drawn: as the sphere of `radius` (m) about a vertex, if both are the same,
    /// or as the capsule about the segment between two. Mass and inertia are not affected; see [`MassProperties::sphere`] and [`MassProperties::capsule`].
    pub fn round(mut self, ends: [u32; 2], radius: f64) -> Self {
        self.round = Some(Round { ends, radius });
        self.rigid()
    }

    /// Sets the friction of its surface. Default: that of the contact law, or of the collider that it touches. Two surfaces that have their own
    /// agree on the geometric mean.
    pub fn friction(mut self, friction: Friction) -> Self {
        self.friction = Some(friction);
        self
    }

    /// Sets the restitution of its surface, 0 to 1. Default: that of the contact law, or of the collider that it touches. Two surfaces that have their own agree on the geometric mean.
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.restitution = Some(restitution);
        self
    }

    /// Sets the initial motion of a rigid body: the velocity of its centre of mass, m/s, and its angular velocity, rad/s.
    pub fn rigid_velocity(mut self, linear: DVec3, angular: DVec3) -> Self {
        self.rigid_velocity = Some((linear, angular));
        self
    }

    /// Sets the initial velocities of the vertices, m/s, #V.
    pub fn velocities(mut self, velocities: Vec<DVec3>) -> Self {
        self.velocities = Some(velocities);
        self
    }
}
