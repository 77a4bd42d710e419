//! `sinew.Joint`.

use crate::arrays;
use crate::errors::Kind;
use pyo3::prelude::*;
use sinew::{BoneId, DVec3, JointKind, SwingTwist};

/// A joint between two bones, by name; `None` is the world.
#[pyclass(module = "sinew", frozen)]
#[derive(Debug)]
pub struct Joint {
    #[pyo3(get)]
    name: String,
    kind: JointKind,
    between: [Option<String>; 2],
    position: DVec3,
}

type Between = (Option<String>, Option<String>);

#[pymethods]
impl Joint {
    /// Rotation about a point; `cone` and `twist` (rad) limit it about `axis`.
    #[staticmethod]
    #[pyo3(signature = (name, between, position, *, axis = None, cone = None, twist = None))]
    fn ball(
        name: String,
        between: Between,
        position: &Bound<'_, PyAny>,
        axis: Option<&Bound<'_, PyAny>>,
        cone: Option<f64>,
        twist: Option<f64>,
    ) -> PyResult<Self> {
        let limit = match (axis, cone, twist) {
            (None, None, None) => None,
            (Some(axis), cone, twist) => Some(SwingTwist {
                axis: arrays::vector("axis", axis)?,
                cone: cone.unwrap_or(std::f64::consts::PI),
                twist: twist.unwrap_or(std::f64::consts::PI),
            }),
            _ => return Err(Kind::Model.error(format_args!("joint `{name}`: cone and twist need an axis"))),
        };
        Self::of(name, JointKind::Ball { limit }, between, position)
    }

    /// Rotation about an axis; `range` is the least and greatest angle, rad.
    #[staticmethod]
    #[pyo3(signature = (name, between, position, axis, *, range = None))]
    fn hinge(
        name: String,
        between: Between,
        position: &Bound<'_, PyAny>,
        axis: &Bound<'_, PyAny>,
        range: Option<(f64, f64)>,
    ) -> PyResult<Self> {
        let axis = arrays::vector("axis", axis)?;
        let range = range.map(|(least, greatest)| [least, greatest]);
        Self::of(name, JointKind::Hinge { axis, range }, between, position)
    }

    /// No relative motion.
    #[staticmethod]
    fn weld(name: String, between: Between, position: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(name, JointKind::Weld, between, position)
    }

    fn __repr__(&self) -> String {
        let of = |bone: &Option<String>| bone.clone().unwrap_or_else(|| "the world".to_owned());
        format!("<sinew.Joint {} between {} and {}>", self.name, of(&self.between[0]), of(&self.between[1]))
    }
}

impl Joint {
    fn of(name: String, kind: JointKind, (a, b): Between, position: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { name, kind, between: [a, b], position: arrays::vector("position", position)? })
    }

    /// The joint of the engine, given the bones by their names.
    pub fn joint(&self, bones: &[(String, BoneId)]) -> PyResult<sinew::Joint> {
        let find = |wanted: &Option<String>| match wanted {
            None => Ok(None),
            Some(wanted) => match bones.iter().find(|(name, _)| name == wanted) {
                Some((_, id)) => Ok(Some(*id)),
                None => {
                    let names: Vec<&str> = bones.iter().map(|(name, _)| name.as_str()).collect();
                    let sentence = format!(
                        "joint `{}`: there is no bone `{wanted}`; there are: {}",
                        self.name,
                        names.join(", ")
                    );
                    Err(Kind::Model.error(sentence))
                }
            },
        };
        let [a, b] = &self.between;
        let bones = [find(a)?, find(b)?];
        Ok(sinew::Joint { name: self.name.clone(), kind: self.kind, bones, position: self.position })
    }
}
