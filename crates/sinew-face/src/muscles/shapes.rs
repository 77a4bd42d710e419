//! Volumetric blendshapes: expressions of a face as activations and jaw, and where all its vertices are then, those inside included.
//!
//! They are mixed by their activations \[dinev2020, §4.3.2\]: the flesh then comes to rest with gravity, wind, contact and fat as they are, and not as they were when the shapes were made.
//!
//! The file is an `.npz` of NumPy with
//!
//! ```text
//! names        #E           expressions
//! muscles      #M           names of the muscles
//! neutral      #V × 3       the face at rest, m
//! positions    #E × #V × 3  each expression at equilibrium, m
//! activations  #E × #M × 6  xx xy xz yy yz zz of each muscle
//! jaw          #E × 5       opening and turn in degrees, translation in mm
//! tetrahedra   #T × 4       flesh
//! triangles    #F × 3       what one sees: skin and the inside of the mouth
//! ```

use super::expression::{Expression, jaw_of};
use super::model::Face;
use super::{PASSIVE, clamped};
use crate::error::FaceError;
use glam::DVec3;
use sinew_scene::export::series::{Array, NpzWriter};
use sinew_scene::mesh_io::{read_npz_array, read_npz_strings};
use std::path::Path;

/// Expressions of a face.
#[derive(Clone, Debug, PartialEq)]
pub struct Blendshapes {
    /// Their names.
    pub names: Vec<String>,
    /// Activations and jaw of each.
    pub expressions: Vec<Expression>,
    /// Vertices of each, m.
    pub positions: Vec<Vec<DVec3>>,
}

impl Blendshapes {
    /// Writes the file.
    ///
    /// # Errors
    /// [`FaceError`] if it cannot be written.
    pub fn write(&self, path: &Path, face: &Face) -> Result<(), FaceError> {
        let flat = |list: &[DVec3]| list.iter().flat_map(|p| p.to_array()).collect::<Vec<f64>>();
        let (shapes, vertices, muscles) = (self.names.len(), face.points.len(), face.muscles.len());
        let positions: Vec<f64> = self.positions.iter().flat_map(|x| flat(x)).collect();
        let activations: Vec<f64> =
            self.expressions.iter().flat_map(|e| e.activations.iter().flatten().copied()).collect();
        let jaw: Vec<f64> = self.expressions.iter().flat_map(degrees).collect();
        let tetrahedra: Vec<u32> = face.tets.iter().flatten().copied().collect();
        let triangles: Vec<u32> = face.surface.iter().flatten().copied().collect();
        let names: Vec<String> = face.muscles.iter().map(|muscle| muscle.name.clone()).collect();
        let mut out = NpzWriter::create(path).map_err(FaceError::export)?;
        let mut add = |name: &str, shape: &[usize], array: Array<'_>| {
            out.array(name, shape, array).map_err(FaceError::export)
        };
        add("names", &[shapes], Array::Words(&self.names))?;
        add("muscles", &[muscles], Array::Words(&names))?;
        add("neutral", &[vertices, 3], Array::Reals(&flat(&face.points)))?;
        add("positions", &[shapes, vertices, 3], Array::Reals(&positions))?;
        add("activations", &[shapes, muscles, 6], Array::Reals(&activations))?;
        add("jaw", &[shapes, 5], Array::Reals(&jaw))?;
        add("tetrahedra", &[face.tets.len(), 4], Array::Indices(&tetrahedra))?;
        add("triangles", &[face.surface.len(), 3], Array::Indices(&triangles))?;
        out.finish().map_err(FaceError::export)
    }

    /// Reads a file of this face.
    ///
    /// # Errors
    /// [`FaceError`] if an array is missing, or it is of another face.
    pub fn read(path: &Path, face: &Face) -> Result<Self, FaceError> {
        let refuse = |what: String| FaceError::file(path, what);
        let words = |name: &str| read_npz_strings(path, name).map_err(FaceError::mesh);
        let (names, muscles) = (words("names")?, words("muscles")?);
        if muscles != face.muscles.iter().map(|muscle| muscle.name.clone()).collect::<Vec<_>>() {
            return Err(refuse("these blendshapes are of a face with other muscles".into()));
        }
        let array = |name: &str, shape: &[usize]| {
            let array = read_npz_array(path, &[name]).map_err(FaceError::mesh)?;
            match array.shape == shape && array.numbers.iter().all(|v| v.is_finite()) {
                true => Ok(array.numbers),
                false => Err(refuse(format!(
                    "`{name}` has the shape {:?}; this face needs {shape:?}, and finite numbers",
                    array.shape
                ))),
            }
        };
        let (shapes, vertices) = (names.len(), face.points.len());
        let positions = array("positions", &[shapes, vertices, 3])?;
        let activations = array("activations", &[shapes, muscles.len(), 6])?;
        let jaw = array("jaw", &[shapes, 5])?;
        let expression = |k: usize| Expression {
            activations: (activations[6 * muscles.len() * k..][..6 * muscles.len()].chunks_exact(6))
                .map(|a| clamped(&[a[0], a[1], a[2], a[3], a[4], a[5]]))
                .collect(),
            jaw: jaw_of(&jaw[5 * k..5 * k + 5]),
        };
        Ok(Self {
            expressions: (0..shapes).map(expression).collect(),
            positions: (positions.chunks_exact(3 * vertices.max(1)))
                .map(|x| x.chunks_exact(3).map(DVec3::from_slice).collect())
                .collect(),
            names,
        })
    }

    /// Activations and jaw of a mixture `NAME=WEIGHT,…`: rest and the weighted differences from it.
    ///
    /// # Errors
    /// [`FaceError::Anatomy`] names what is no blendshape.
    pub fn mix(&self, face: &Face, list: &str) -> Result<(Expression, Vec<DVec3>), FaceError> {
        let mut mixed = Expression::rest(face);
        let (mut jaw, mut linear) = ([0.0; 5], face.points.clone());
        for (name, weight) in weights(list)? {
            let Some(k) = self.names.iter().position(|own| *own == name) else {
                let all = self.names.join(", ");
                return Err(FaceError::Anatomy(format!("there is no blendshape `{name}`; there are {all}")));
            };
            let shape = &self.expressions[k];
            for (sum, a) in mixed.activations.iter_mut().zip(&shape.activations) {
                (0..6).for_each(|c| sum[c] += weight * (a[c] - PASSIVE[c]));
            }
            jaw.iter_mut().zip(degrees(shape)).for_each(|(sum, b)| *sum += weight * b);
            for ((sum, p), rest) in linear.iter_mut().zip(&self.positions[k]).zip(&face.points) {
                *sum += weight * (*p - *rest);
            }
        }
        mixed.activations.iter_mut().for_each(|a| *a = clamped(a));
        mixed.jaw = jaw_of(&jaw);
        Ok((mixed, linear))
    }
}

fn degrees(expression: &Expression) -> [f64; 5] {
    let jaw = &expression.jaw;
    let t = 1e3 * jaw.shift;
    [jaw.open.to_degrees(), jaw.turn.to_degrees(), t.x, t.y, t.z]
}

/// `NAME=WEIGHT,…` with weights from 0 to 1; a name alone has the weight 1.
pub(super) fn weights(list: &str) -> Result<Vec<(String, f64)>, FaceError> {
    let part = |part: &str| {
        let (name, weight) = part.split_once('=').unwrap_or((part, "1"));
        match weight.trim().parse::<f64>() {
            Ok(weight) if (0.0..=1.0).contains(&weight) => Ok((name.trim().to_owned(), weight)),
            _ => Err(FaceError::Anatomy(format!("`{part}`: write NAME=WEIGHT with a weight from 0 to 1"))),
        }
    };
    list.split(',').map(str::trim).filter(|part| !part.is_empty()).map(part).collect()
}
