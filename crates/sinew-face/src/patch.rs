//! The mouth and the inner lips of a neutral mesh: the triangles of both, their rest shapes, and the factored Poisson equation.
//!
//! Per triangle the deformation gradient is F = D_d D_r⁻¹ with edges e₁, e₂ and a phantom edge n/√|n|, n = e₁ × e₂ the unnormalised normal
//! \[dinev2020, §2.2\]. Deviating from the dissertation we use F − I of the rigidly aligned frame: then the neutral mesh is zero, and a
//! linear map keeps it.

use crate::align::Rigid;
use crate::error::FaceError;
use crate::extension::Extension;
use crate::poisson::Factor;
use crate::regions::Regions;
use crate::windows::Windows;
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;

/// A triangle of one of the regions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub vertices: [u32; 3],
    /// D_r⁻¹.
    inverse: DMat3,
}

/// An inner triangle in the numbers of the Poisson equation.
#[derive(Clone, Copy, Debug)]
struct InnerElement {
    element: Element,
    /// Row of each corner, or none on the border.
    rows: [Option<u32>; 3],
    /// Aₜ ∇φ of each corner.
    gradients: [DVec3; 3],
}

/// What training and correction need of a neutral mesh and its regions; it never changes.
#[derive(Debug)]
pub struct Patch {
    regions: Regions,
    neutral: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    mouth: Vec<Element>,
    mouth_vertices: Vec<u32>,
    inner: Vec<InnerElement>,
    poisson: Poisson,
    extension: Extension,
}

/// L of the Poisson equation of the inner lips.
#[derive(Debug)]
struct Poisson {
    /// The columns of the given vertices, which are on the border.
    border: Vec<Coupling>,
    /// The factor of the rest.
    factor: Factor,
}

/// An entry of L between an inner vertex and one of the border.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    row: u32,
    vertex: u32,
    value: f64,
}

/// D with the phantom edge.
fn shape(a: DVec3, b: DVec3, c: DVec3) -> DMat3 {
    let (e1, e2) = (b - a, c - a);
    let n = e1.cross(e2);
    let length = n.length();
    let phantom = if length > 0.0 { n / length.sqrt() } else { DVec3::ZERO };
    DMat3::from_cols(e1, e2, phantom)
}

impl Patch {
    /// Prepares the regions of a neutral mesh (#V points, triangles with indices below #V).
    ///
    /// # Errors
    /// [`FaceError`] if a vertex is not finite, a triangle of a region has no area, or a part of the inner lips touches no border.
    pub fn new(neutral: &[DVec3], triangles: &[[u32; 3]], regions: Regions) -> Result<Self, FaceError> {
        check_finite("the neutral mesh", neutral)?;
        regions.check(neutral.len())?;
        let (is_inner, is_mouth) = (mask(neutral.len(), &regions.inner), mask(neutral.len(), &regions.mouth));
        if let Some(t) = triangles.iter().find(|t| t.iter().any(|&v| v as usize >= neutral.len())) {
            return Err(FaceError::Regions(format!("the triangle {t:?} names a vertex that does not exist")));
        }
        let mut row_of = vec![None; neutral.len()];
        regions.inner.iter().enumerate().for_each(|(row, &v)| row_of[v as usize] = Some(row as u32));
        let (mut mouth, mut inner, mut others) = (Vec::new(), Vec::new(), Vec::new());
        // Around the inner lips also triangles outside the mouth count.
        let mut beside = vec![false; neutral.len()];
        for t in triangles.iter().filter(|t| t.iter().any(|&v| is_inner[v as usize])) {
            t.iter().for_each(|&v| beside[v as usize] = true);
        }
        for &vertices in triangles {
            let [a, b, c] = vertices.map(|v| neutral[v as usize]);
            let touches = vertices.iter().any(|&v| is_inner[v as usize]);
            let around = !touches && vertices.iter().all(|&v| is_mouth[v as usize]);
            let near = !touches && vertices.iter().filter(|&&v| beside[v as usize]).count() >= 2;
            if !touches && !around && !near {
                continue;
            }
            let d = shape(a, b, c);
            let scale = d.x_axis.length().max(d.y_axis.length());
            if d.determinant().abs() <= 1e-12 * scale.powi(3) {
                let what =
                    format!("the triangle of the vertices {vertices:?} has no area in the neutral mesh");
                return Err(FaceError::Regions(what));
            }
            let element = Element { vertices, inverse: d.inverse() };
            if near {
                others.push(element);
            }
            if around {
                mouth.push(element);
            }
            if touches {
                let area = 0.5 * d.x_axis.cross(d.y_axis).length();
                let rows = element.inverse.transpose();
                let (g1, g2) = (rows.x_axis * area, rows.y_axis * area);
                let gradients = [-g1 - g2, g1, g2];
                inner.push(InnerElement { element, rows: vertices.map(|v| row_of[v as usize]), gradients });
            }
        }
        if mouth.is_empty() {
            return Err(FaceError::Regions("no triangle has all its vertices in the mouth region".into()));
        }
        check_border(&regions, &inner)?;
        let poisson = assemble(regions.inner.len(), &inner)?;
        let inside: Vec<[u32; 3]> = inner.iter().map(|i| i.element.vertices).collect();
        let extension = Extension::new(neutral, &inside, &others)?;
        let mut mouth_vertices: Vec<u32> = mouth.iter().flat_map(|e| e.vertices).collect();
        mouth_vertices.sort_unstable();
        mouth_vertices.dedup();
        let (neutral, triangles) = (neutral.to_vec(), triangles.to_vec());
        Ok(Self { regions, neutral, triangles, mouth, mouth_vertices, inner, poisson, extension })
    }

    /// The regions.
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// The neutral mesh, #V.
    pub fn neutral(&self) -> &[DVec3] {
        &self.neutral
    }

    /// All triangles of the mesh.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of triangles of the mouth, m, and of the inner lips, n.
    pub fn triangle_counts(&self) -> (usize, usize) {
        (self.mouth.len(), self.inner.len())
    }

    /// Windows on this patch.
    pub fn windows(&self, count: usize) -> Windows {
        let middle = |e: &Element| e.vertices.iter().map(|&v| self.neutral[v as usize]).sum::<DVec3>() / 3.0;
        let area = |e: &Element| {
            let [a, b, c] = e.vertices.map(|v| self.neutral[v as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        let mouth: Vec<(DVec3, f64)> = self.mouth.iter().map(|e| (middle(e), area(e))).collect();
        let inner: Vec<DVec3> = self.regions.inner.iter().map(|&v| self.neutral[v as usize]).collect();
        Windows::new(&mouth, &inner, count)
    }

    /// The triangles of the inner lips and of their border.
    pub fn inner_triangles(&self) -> Vec<[u32; 3]> {
        self.inner.iter().map(|inner| inner.element.vertices).collect()
    }

    /// The vertices of the mouth's triangles.
    pub fn mouth_vertices(&self) -> &[u32] {
        &self.mouth_vertices
    }

    /// Checks that a frame fits: same number of vertices, all finite.
    ///
    /// # Errors
    /// [`FaceError::Topology`] or [`FaceError::NotFinite`].
    pub fn check(&self, name: &str, frame: &[DVec3]) -> Result<(), FaceError> {
        if frame.len() != self.neutral.len() {
            let (found, expected) = (frame.len(), self.neutral.len());
            return Err(FaceError::Topology { name: name.into(), found, expected });
        }
        check_finite(name, frame)
    }

    /// The motion that brings the mouth of a frame to the neutral one.
    pub fn alignment(&self, frame: &[DVec3]) -> Rigid {
        let of = |mesh: &[DVec3]| -> Vec<DVec3> {
            self.mouth_vertices.iter().map(|&v| mesh[v as usize]).collect()
        };
        let (from, to) = (of(frame), of(&self.neutral));
        Rigid::between(from.iter().copied(), to.iter().copied())
    }

    /// y = F − I of the mouth, 9m numbers, of a frame that `rigid` aligns.
    pub fn mouth_gradients(&self, frame: &[DVec3], rigid: &Rigid) -> Vec<f64> {
        gradients(self.mouth.iter(), frame, rigid)
    }

    /// x = F − I of the inner lips, 9n numbers.
    pub fn inner_gradients(&self, frame: &[DVec3], rigid: &Rigid) -> Vec<f64> {
        gradients(self.inner.iter().map(|i| &i.element), frame, rigid)
    }

    /// L⁻¹ Σₜ Aₜ ∇φᵢ·Fₜ of 9n numbers, with the border at the origin: what gradients contribute to the positions, one for each inner vertex.
    pub fn solve_gradients(&self, x: &[f64]) -> Vec<DVec3> {
        let mut rhs = self.divergence(x);
        self.poisson.factor.solve(&mut rhs);
        rhs
    }

    /// Σₜ Aₜ ∇φᵢ·Fₜ.
    fn divergence(&self, x: &[f64]) -> Vec<DVec3> {
        let mut rhs = vec![DVec3::ZERO; self.regions.inner.len()];
        for (inner, f) in self.inner.iter().zip(x.chunks_exact(9)) {
            let f = DMat3::from_cols_slice(f);
            for (row, &g) in inner.rows.iter().zip(&inner.gradients) {
                if let Some(row) = row {
                    rhs[*row as usize] += f * g;
                }
            }
        }
        rhs
    }

    /// What the inner lips of an aligned frame are without any example, one position for each inner vertex: gradients continued from around them, or,
    /// as in the dissertation, those of the neutral mesh.
    pub fn base(&self, frame: &[DVec3], rigid: &Rigid, continued: bool) -> Vec<DVec3> {
        let mut f = self.identity_gradients();
        if continued {
            f.iter_mut().zip(self.extension.gradients(frame, rigid)).for_each(|(f, x)| *f += x);
        }
        let mut rhs = self.divergence(&f);
        for &Coupling { row, vertex, value } in &self.poisson.border {
            rhs[row as usize] -= rigid.apply(frame[vertex as usize]) * value;
        }
        self.poisson.factor.solve(&mut rhs);
        rhs
    }

    /// F = I of the inner lips, 9n numbers.
    pub fn identity_gradients(&self) -> Vec<f64> {
        let mut x = vec![0.0; 9 * self.inner.len()];
        x.chunks_exact_mut(9).for_each(|f| f.copy_from_slice(&DMat3::IDENTITY.to_cols_array()));
        x
    }
}

/// F − I of R frame, column by column.
pub(crate) fn gradients<'a>(
    elements: impl Iterator<Item = &'a Element>,
    frame: &[DVec3],
    rigid: &Rigid,
) -> Vec<f64> {
    let mut all = Vec::with_capacity(9 * elements.size_hint().0);
    for element in elements {
        let [a, b, c] = element.vertices.map(|v| frame[v as usize]);
        // The shape matrix knows differences only: the translation of the alignment does not enter.
        let f = rigid.rotation * shape(a, b, c) * element.inverse - DMat3::IDENTITY;
        all.extend_from_slice(&f.to_cols_array());
    }
    all
}

fn mask(n: usize, list: &[u32]) -> Vec<bool> {
    let mut mask = vec![false; n];
    list.iter().for_each(|&v| mask[v as usize] = true);
    mask
}

pub(crate) fn check_finite(name: &str, points: &[DVec3]) -> Result<(), FaceError> {
    match points.iter().position(|p| !p.is_finite()) {
        Some(vertex) => Err(FaceError::NotFinite {
            name: name.into(),
            vertex,
            value: points[vertex].to_array().map(|v| v.to_string()).join(", "),
        }),
        None => Ok(()),
    }
}

/// Every connected part of the inner lips needs a vertex that is given, or nothing says where it is.
fn check_border(regions: &Regions, inner: &[InnerElement]) -> Result<(), FaceError> {
    let mut parent: Vec<usize> = (0..regions.inner.len()).collect();
    fn root(parent: &mut [usize], mut k: usize) -> usize {
        while parent[k] != k {
            parent[k] = parent[parent[k]];
            k = parent[k];
        }
        k
    }
    for element in inner {
        let rows: Vec<usize> = element.rows.iter().flatten().map(|&r| r as usize).collect();
        for pair in rows.windows(2) {
            let (a, b) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
            parent[a] = b;
        }
    }
    let mut given = vec![false; parent.len()];
    for element in inner.iter().filter(|e| e.rows.iter().any(Option::is_none)) {
        for &row in element.rows.iter().flatten() {
            let k = root(&mut parent, row as usize);
            given[k] = true;
        }
    }
    for row in 0..parent.len() {
        if !given[root(&mut parent, row)] {
            return Err(FaceError::Regions(format!(
                "the part of the inner lips around vertex {} touches no border: no vertex outside the region is a neighbour of it",
                regions.inner[row]
            )));
        }
    }
    Ok(())
}

fn assemble(n: usize, inner: &[InnerElement]) -> Result<Poisson, FaceError> {
    let (mut matrix, mut border) = (BTreeMap::new(), BTreeMap::new());
    for e in inner {
        let area =
            0.5 / e.element.inverse.transpose().x_axis.cross(e.element.inverse.transpose().y_axis).length();
        for i in 0..3 {
            let Some(row) = e.rows[i] else { continue };
            for j in 0..3 {
                let value = e.gradients[i].dot(e.gradients[j]) / area;
                match e.rows[j] {
                    Some(column) if column <= row => *matrix.entry((row, column)).or_insert(0.0) += value,
                    Some(_) => {}
                    None => *border.entry((row, e.element.vertices[j])).or_insert(0.0) += value,
                }
            }
        }
    }
    let factor = Factor::new(n, &matrix);
    let factor = factor.ok_or_else(|| {
        FaceError::Regions("the Poisson equation of the inner lips has no unique solution".into())
    })?;
    let border = border.into_iter().map(|((row, vertex), value)| Coupling { row, vertex, value }).collect();
    Ok(Poisson { border, factor })
}
