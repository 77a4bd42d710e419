//! The global matrix of a step in contact: M + αβ²h²(L + K), K the stiffness of the contacts that press.
//!
//! The rows of contacts are as stiff as the body or stiffer, and the constant matrix knows nothing of them: L-BFGS would spend its
//! iterations on learning where the floor is. So where a row presses, its stiffness goes on the diagonal and the matrix is
//! factored anew, with the ordering, the symbolic factor and the memory of the constant one.
//!
//! The matrix is the same for all coordinates, contacts are not: a floor holds what presses on it, and lets it slide. So
//! there are two: Kₙ for the directions in which contacts press, Kₜ for those along which friction holds. With Q the
//! directions of Σ k n nᵀ, H₀⁻¹ = Q diag(Aₙ⁻¹ or Aₜ⁻¹) Qᵀ, symmetric and positive definite. Rigid bodies that nothing holds have a matrix of their own, see [`Loose`].
//!
//! All this is for many contacts. A few hundred rows are solved for as they are, with no factor but the constant one, see [`Coupled`].

use super::coupled::Coupled;
use super::deflation::Deflation;
use super::loose::Loose;
use super::systems::{Systems, bone_rows, system_matrix};
use super::{Articulated, Axes, Contacts, Frame};
use crate::math::symmetric_eigen;
use crate::model::Model;
use crate::sparse::{Analysis, Cholesky, GlobalStep, NotPositiveDefinite, RefilledFactor, SymmetricMatrix};
use glam::{DMat3, DVec3};

/// Share of the contacts' stiffness above which a direction counts as one in which they press.
const PRESSED: f64 = 0.02;

/// Matrices that are factored again whenever other vertices press.
#[derive(Debug)]
pub(super) struct ContactMatrix {
    /// M + αβ²h²L.
    constant: SymmetricMatrix,
    normal: Refactored,
    tangential: Refactored,
    /// Q: directions of the contacts as columns, and in which of them they press.
    directions: DMat3,
    pressed: [bool; 3],
    /// Memory of a solve, reduced coordinates.
    other: Vec<DVec3>,
    deflation: Deflation,
    loose: Loose,
    /// Rows as they are, where they are few and there is more than rigid bodies; whether they are used in this solve.
    coupled: Option<Coupled>,
    is_coupled: bool,
}

/// M + αβ²h²(L + K) and its factor.
#[derive(Debug)]
struct Refactored {
    matrix: SymmetricMatrix,
    cholesky: Cholesky,
    factor: RefilledFactor,
    /// (vertex, αβh² times stiffness), as last factored.
    diagonal: Vec<(u32, f64)>,
    found: Vec<(u32, f64)>,
}

impl Refactored {
    fn new(analysis: &Analysis, constant: &SymmetricMatrix) -> Result<Self, NotPositiveDefinite> {
        let cholesky = analysis.cholesky(constant)?;
        let factor = analysis.refilled(&cholesky)?;
        let (diagonal, found) = (Vec::new(), Vec::new());
        Ok(Self { matrix: constant.clone(), cholesky, factor, diagonal, found })
    }

    /// Factors what was found, if the factor does not have it already. Returns whether the factor can be used.
    fn update(&mut self, model: &Model, constant: &SymmetricMatrix) -> bool {
        if self.found == self.diagonal {
            return true;
        }
        self.diagonal.clone_from(&self.found);
        self.matrix.values.copy_from_slice(&constant.values);
        for &(i, stiffness) in &self.diagonal {
            // Bᵀ K B: a vertex on a bone has four columns.
            model.dofs.row(i as usize, |p, a| {
                model.dofs.row(i as usize, |q, b| {
                    if q <= p {
                        self.matrix.add_at(p as usize, q as usize, stiffness * a * b);
                    }
                });
            });
        }
        let factored = self.cholesky.factor(&self.matrix).and_then(|()| self.factor.refill(&self.cholesky));
        if factored.is_err() {
            // Whatever comes next is factored.
            self.diagonal.clear();
            self.diagonal.push((u32::MAX, f64::NAN));
        }
        factored.is_ok()
    }
}

impl ContactMatrix {
    /// For a model with contacts whose global step is direct; `None` otherwise.
    pub fn new(
        model: &Model,
        systems: &mut Systems,
        stiffness_factor: f64,
    ) -> Result<Option<Self>, NotPositiveDefinite> {
        if model.contact.law.is_none() {
            return Ok(None);
        }
        let constant = system_matrix(model, stiffness_factor);
        let Some(analysis) = systems.analysis(&constant, &bone_rows(model))? else { return Ok(None) };
        Ok(Some(Self {
            normal: Refactored::new(&analysis, &constant)?,
            tangential: Refactored::new(&analysis, &constant)?,
            constant,
            directions: DMat3::IDENTITY,
            pressed: [true; 3],
            other: vec![DVec3::ZERO; model.dofs.len()],
            deflation: Deflation::new(model),
            loose: Loose::new(model),
            coupled: (!model.is_all_loose()).then(|| Coupled::new(model)),
            is_coupled: false,
        }))
    }

    /// Looks at which rows press at the guess `x` or did before; returns whether the matrices have them and are to be used. `weight` is αβh².
    /// `factor` solves with the constant matrix.
    pub fn prepare(
        &mut self,
        model: &Model,
        contacts: &Contacts,
        weight: f64,
        x: &[DVec3],
        factor: &mut GlobalStep,
    ) -> bool {
        let coupled = self.coupled.as_mut();
        self.is_coupled = coupled.is_some_and(|coupled| coupled.prepare(model, contacts, weight, x, factor));
        if self.is_coupled {
            return true;
        }
        self.normal.found.clear();
        self.tangential.found.clear();
        let mut sum = DMat3::ZERO;
        let (normal, tangential) = (&mut self.normal.found, &mut self.tangential.found);
        contacts.stiffness(x, |i, along_normal, plane, along_surface| {
            if model.dofs.is_pinned(i as usize) {
                return;
            }
            if along_normal > 0.0 {
                normal.push((i, weight * along_normal));
                sum += *plane * along_normal;
            }
            if along_surface > 0.0 {
                tangential.push((i, weight * along_surface));
            }
        });
        if normal.is_empty() {
            return false;
        }
        merge(normal);
        merge(tangential);
        self.deflation.prepare(model, contacts, weight, x);
        self.loose.prepare(model, contacts, weight, x);
        let e = symmetric_eigen(&sum);
        self.directions = e.vectors;
        self.pressed = std::array::from_fn(|k| e.values[k] > PRESSED * trace(&sum));
        // Where contacts press in all directions, nothing is solved with the other one.
        let whole = self.pressed == [true; 3];
        self.normal.update(model, &self.constant) && (whole || self.tangential.update(model, &self.constant))
    }

    /// Prepares what bones need for the solves that follow, if rows are solved for as they are: the small systems of the constant matrix are ready where the bones are.
    pub fn prepare_bones(&mut self, model: &Model, frames: &[Frame], bones: &mut Articulated) {
        if let Some(coupled) = self.coupled.as_mut().filter(|_| self.is_coupled) {
            coupled.prepare_bones(model, frames, bones);
        }
    }

    /// Whether rows are solved for as they are, with the constant matrix.
    pub fn is_coupled(&self) -> bool {
        self.is_coupled
    }

    /// The directions of the contacts, and the bones' corners of the matrix of each.
    pub fn axes(&self) -> Axes<'_> {
        let of = |k: usize| if self.pressed[k] { &self.normal } else { &self.tangential };
        Axes { axes: self.directions, corners: std::array::from_fn(|k| &of(k).factor.corners()[..]) }
    }

    /// As [`Self::solve`] with bones, x in flesh and coordinates.
    pub fn solve_with_bones(
        &mut self,
        model: &Model,
        (frames, bones): (&[Frame], &mut Articulated),
        constant: &mut GlobalStep,
        x: &mut [DVec3],
        values: bool,
    ) {
        if let Some(coupled) = self.coupled.as_mut().filter(|_| self.is_coupled) {
            return coupled.solve_with_bones(model, (frames, bones), constant, x, values);
        }
        self.loose.take(x);
        bones.take_coordinates(x);
        let to = self.directions.transpose();
        for (x, other) in x.iter_mut().zip(&mut self.other) {
            *x = to * *x;
            *other = *x;
        }
        let (axes, pressed) = (self.directions, self.pressed);
        let (normal, tangential) = (&mut self.normal, &mut self.tangential);
        // Both solves stop in the middle, and bones are decided for both.
        let corners = [normal.factor.corners().clone(), tangential.factor.corners().clone()];
        normal.factor.solve_between(x, &mut |pressing| {
            tangential.factor.solve_between(&mut self.other, &mut |free| {
                let corners = [&corners[0][..], &corners[1][..]];
                bones.decide_axes(model, frames, (axes, pressed), corners, [pressing, free], values);
            });
        });
        for (x, other) in x.iter_mut().zip(&self.other) {
            for k in (0..3).filter(|&k| !pressed[k]) {
                x[k] = other[k];
            }
            *x = axes * *x;
        }
        bones.put_coordinates(x);
        self.loose.put(x);
    }

    /// x ← H₀⁻¹x, in reduced coordinates; `constant` is the constant matrix.
    pub fn solve(&mut self, constant: &mut GlobalStep, x: &mut [DVec3]) {
        if let Some(coupled) = self.coupled.as_mut().filter(|_| self.is_coupled) {
            // It is a factor: nothing iterates that could break down.
            return coupled.solve(x, |x| _ = constant.solve_vectors(x));
        }
        if self.deflation.is_empty() {
            return self.solve_factored(x);
        }
        let mut deflation = std::mem::replace(&mut self.deflation, Deflation::none());
        deflation.solve(x, |x| self.solve_factored(x));
        self.deflation = deflation;
    }

    /// x ← P⁻¹x with the factors.
    fn solve_factored(&mut self, x: &mut [DVec3]) {
        if self.pressed == [true; 3] {
            self.normal.factor.solve_vectors(x);
            return;
        }
        let (to, pressed) = (self.directions.transpose(), self.pressed);
        for (x, other) in x.iter_mut().zip(&mut self.other) {
            *x = to * *x;
            *other = *x;
        }
        self.normal.factor.solve_vectors(x);
        self.tangential.factor.solve_vectors(&mut self.other);
        for (x, other) in x.iter_mut().zip(&self.other) {
            for k in (0..3).filter(|&k| !pressed[k]) {
                x[k] = other[k];
            }
            *x = self.directions * *x;
        }
    }
}

/// Sums the entries of each vertex, and rounds them up to the next half power of two: calm contacts change a little all the time, and need no new factor for that.
fn merge(list: &mut Vec<(u32, f64)>) {
    list.sort_by_key(|entry| entry.0);
    list.dedup_by(|from, into| {
        let same = from.0 == into.0;
        if same {
            into.1 += from.1;
        }
        same
    });
    list.iter_mut().for_each(|entry| entry.1 = (0.5 * (2.0 * entry.1.log2()).ceil()).exp2());
}

fn trace(a: &DMat3) -> f64 {
    a.x_axis.x + a.y_axis.y + a.z_axis.z
}
