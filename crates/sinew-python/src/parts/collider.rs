//! `sinew.Collider`.

use super::friction;
use crate::arrays;
use crate::errors::Kind;
use pyo3::prelude::*;
use sinew::contact::{ClosedMesh, Shape};
use sinew::{DQuat, DVec3, Placement};
use std::sync::Arc;

/// A solid that bodies collide with.
#[pyclass(module = "sinew", frozen)]
#[derive(Debug)]
pub struct Collider {
    pub(crate) collider: sinew::contact::Collider,
}

type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Where a collider is, and its surface.
struct Place<'a, 'py> {
    position: Given<'a, 'py>,
    rotation: Given<'a, 'py>,
    friction: Given<'a, 'py>,
    restitution: Option<f64>,
}

impl Place<'_, '_> {
    fn make(&self, name: &str, shape: Shape) -> PyResult<Collider> {
        let translation = self.position.map_or(Ok(DVec3::ZERO), |given| arrays::vector("position", given))?;
        let rotation =
            self.rotation.map_or(Ok(DQuat::IDENTITY), |given| arrays::rotation("rotation", given))?;
        self.make_at(name, shape, Placement { rotation, translation })
    }

    fn make_at(&self, name: &str, shape: Shape, placement: Placement) -> PyResult<Collider> {
        if let Some(fault) = shape.fault() {
            return Err(Kind::Model.error(format_args!("collider `{name}`: {fault}")));
        }
        let mut collider = sinew::contact::Collider::new(name, shape).at(placement);
        collider.friction = self.friction.map(friction).transpose()?;
        collider.restitution = self.restitution;
        Ok(Collider { collider })
    }
}

#[pymethods]
impl Collider {
    /// Everything below a plane through `point`; `normal` points out of it.
    #[staticmethod]
    #[pyo3(signature = (name = "plane", *, point = None, normal = None, friction = None, restitution = None))]
    fn plane(
        name: &str,
        point: Given<'_, '_>,
        normal: Given<'_, '_>,
        friction: Given<'_, '_>,
        restitution: Option<f64>,
    ) -> PyResult<Self> {
        let normal = normal.map_or(Ok(DVec3::Y), |given| arrays::vector("normal", given))?;
        let Some(normal) = normal.try_normalize() else {
            return Err(Kind::Model.error(format_args!("collider `{name}`: its normal is zero")));
        };
        let translation = point.map_or(Ok(DVec3::ZERO), |given| arrays::vector("point", given))?;
        let placement = Placement { rotation: DQuat::from_rotation_arc(DVec3::Y, normal), translation };
        let place = Place { position: None, rotation: None, friction, restitution };
        place.make_at(name, Shape::HalfSpace, placement)
    }

    /// A ball.
    #[staticmethod]
    #[pyo3(signature = (name = "sphere", *, radius, position = None, friction = None, restitution = None))]
    fn sphere(
        name: &str,
        radius: f64,
        position: Given<'_, '_>,
        friction: Given<'_, '_>,
        restitution: Option<f64>,
    ) -> PyResult<Self> {
        Place { position, rotation: None, friction, restitution }.make(name, Shape::Sphere { radius })
    }

    /// A box of this size (m along x, y, z) about its position.
    #[staticmethod]
    #[pyo3(signature = (name = "box", *, size, position = None, rotation = None, friction = None, restitution = None))]
    fn r#box(
        name: &str,
        size: &Bound<'_, PyAny>,
        position: Given<'_, '_>,
        rotation: Given<'_, '_>,
        friction: Given<'_, '_>,
        restitution: Option<f64>,
    ) -> PyResult<Self> {
        let half = 0.5 * arrays::vector("size", size)?;
        Place { position, rotation, friction, restitution }.make(name, Shape::Cuboid { half })
    }

    /// A capsule along its own y axis: a segment of `length`, thickened by `radius`.
    #[staticmethod]
    #[pyo3(signature = (name = "capsule", *, length, radius, position = None, rotation = None, friction = None, restitution = None))]
    fn capsule(
        name: &str,
        length: f64,
        radius: f64,
        position: Given<'_, '_>,
        rotation: Given<'_, '_>,
        friction: Given<'_, '_>,
        restitution: Option<f64>,
    ) -> PyResult<Self> {
        let shape = Shape::Capsule { half_length: 0.5 * length, radius };
        Place { position, rotation, friction, restitution }.make(name, shape)
    }

    /// A torus about its own y axis.
    #[staticmethod]
    #[pyo3(signature = (name = "torus", *, major, minor, position = None, rotation = None, friction = None, restitution = None))]
    fn torus(
        name: &str,
        major: f64,
        minor: f64,
        position: Given<'_, '_>,
        rotation: Given<'_, '_>,
        friction: Given<'_, '_>,
        restitution: Option<f64>,
    ) -> PyResult<Self> {
        let shape = Shape::Torus { major, minor };
        Place { position, rotation, friction, restitution }.make(name, shape)
    }

    /// A closed triangle mesh.
    #[staticmethod]
    #[pyo3(signature = (name = "mesh", *, vertices, triangles, position = None, rotation = None, friction = None, restitution = None))]
    fn mesh(
        name: &str,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        position: Given<'_, '_>,
        rotation: Given<'_, '_>,
        friction: Given<'_, '_>,
        restitution: Option<f64>,
    ) -> PyResult<Self> {
        let mesh = ClosedMesh::new(
            arrays::points("vertices", vertices)?,
            arrays::elements::<3>("triangles", triangles)?,
        )
        .map_err(|error| Kind::Model.error(format_args!("collider `{name}`: {error}")))?;
        Place { position, rotation, friction, restitution }.make(name, Shape::Mesh(Arc::new(mesh)))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.collider.name
    }

    fn __repr__(&self) -> String {
        let shape = match self.collider.shape {
            Shape::HalfSpace => "plane",
            Shape::Sphere { .. } => "sphere",
            Shape::Cuboid { .. } => "box",
            Shape::Capsule { .. } => "capsule",
            Shape::Torus { .. } => "torus",
            _ => "mesh",
        };
        format!("<sinew.Collider {}: {shape}>", self.collider.name)
    }
}
