//! D_x = M + τh²L: the metric in which a correction of positions is small.
//!
//! \[dinev2018fepr\] measures positions by M alone (τ = 0): corrections then go wherever ∇E points, which is into the
//! stiffest, fastest modes, and the energy that is kept freezes into strain and jitter. With the Projective Dynamics
//! matrix the same energy is restored by slow modes: the motion stays alive.

use super::Situation;
use crate::contact::Support;
use crate::model::Model;
use crate::settings::SettingsError;
use crate::solver::{Scope, SystemKey, Systems, TouchingSystem, system_matrix};
use crate::sparse::{GlobalStep, Precision, SymmetricMatrix};
use glam::DVec3;

/// Share of the plain direction where contacts press. 0 and 1 are worse: a ball of 1 MPa that falls 2 m bounces for a minute with
/// any share from 0.1 to 1 but sinks in by 0.9, 0.8, 0.8 and 1.4 % of its size with 0.1, 0.3, 0.6 and 1; with 0 what backward
/// Euler took during the impact comes back as vibration instead of bounce, and it rests after a few.
const INTO_CONTACT: f64 = 0.3;

/// The metric of a model, component by component.
#[derive(Debug)]
pub(crate) struct Metric {
    parts: Vec<Part>,
    stiffness_factor: f64,
    /// Memory of a solve with contacts, in vertices and reduced; empty in a model without any.
    masked: Vec<DVec3>,
    reduced: Vec<DVec3>,
}

/// The solver's matrix with contacts in it, where the last solve used one.
pub(crate) type Touching<'a> = Option<&'a mut TouchingSystem>;

/// The metric of one component, factored.
#[derive(Debug)]
struct Part {
    matrix: SymmetricMatrix,
    step: GlobalStep,
    /// The component's rows of B: (vertex, local reduced index, coefficient).
    rows: Vec<(u32, u32, f64)>,
    scratch: Vec<DVec3>,
}

impl Metric {
    /// M + `stiffness_factor`·L. A model in one piece has the solver's matrix, and where τ fits, its factor.
    pub fn new(model: &Model, systems: &mut Systems, stiffness_factor: f64) -> Result<Self, SettingsError> {
        let (vertices, reduced) =
            if model.contact.is_some() { (model.vertices(), model.dofs.len()) } else { (0, 0) };
        Ok(Self {
            parts: Part::of_components(model, systems, stiffness_factor)?,
            stiffness_factor,
            masked: vec![DVec3::ZERO; vertices],
            reduced: vec![DVec3::ZERO; reduced],
        })
    }

    /// τh².
    pub fn stiffness_factor(&self) -> f64 {
        self.stiffness_factor
    }

    /// As [`Self::solve`], with the stiffness of contacts in D_x for the larger part, so that a correction does not push into what is
    /// touched: no energy is stored more cheaply than in a stiff spring, and none is seen sooner.
    pub fn solve_touching(
        &mut self,
        s: &Situation,
        touching: &mut Touching,
        g: &[DVec3],
        p: &mut [DVec3],
    ) -> f64 {
        let Some(system) = touching.as_mut().filter(|_| self.stiffness_factor > 0.0) else {
            return self.solve(s, g, p);
        };
        self.masked.fill(DVec3::ZERO);
        for i in s.vertices() {
            self.masked[i] = g[i];
        }
        s.model.dofs.pull_back(&self.masked, &mut self.reduced);
        system.solve_vectors(&mut self.reduced);
        self.masked.fill(DVec3::ZERO);
        s.model.dofs.add_expanded(1.0, &self.reduced, &mut self.masked);
        self.solve(s, g, p);
        // Contacts between its members hold nothing in place: the centre of mass of a free group stays.
        let mut mean = DVec3::ZERO;
        if s.support == Support::Free {
            mean = s.vertices().map(|i| self.masked[i] * s.model.masses[i]).sum::<DVec3>() / s.component.mass;
        }
        let mut product = 0.0;
        for i in s.vertices() {
            p[i] = (self.masked[i] - mean).lerp(p[i], INTO_CONTACT);
            product += g[i].dot(p[i]);
        }
        product
    }

    /// p ← D_x⁻¹ g on the group's vertices; returns gᵀp. Where there is no solution, that is NaN.
    pub fn solve(&mut self, s: &Situation, g: &[DVec3], p: &mut [DVec3]) -> f64 {
        for &i in &s.component.vertices {
            p[i as usize] = DVec3::ZERO;
        }
        s.members.iter().map(|&c| self.parts[c].solve(g, p)).sum()
    }

    /// dᵀD_x d for a displacement d of the group's free vertices.
    pub fn squared_length(&mut self, s: &Situation, d: impl Fn(usize) -> DVec3) -> f64 {
        s.members.iter().map(|&c| self.parts[c].squared_length(s.model, &d)).sum()
    }
}

impl Part {
    fn of_components(
        model: &Model,
        systems: &mut Systems,
        stiffness_factor: f64,
    ) -> Result<Vec<Self>, SettingsError> {
        let whole = system_matrix(model, stiffness_factor);
        let parts = parts(model);
        let precision = Precision::Double;
        let metric = |matrix: SymmetricMatrix, rows, scope, systems: &mut Systems| {
            let key = SystemKey { scope, stiffness_factor, precision };
            let step =
                systems.step(key, &matrix).map_err(|_| SettingsError::Matrix("the correction's metric"))?;
            let scratch = vec![DVec3::ZERO; matrix.pattern.n()];
            Ok(Self { matrix, step, rows, scratch })
        };
        if let [_] = &parts.rows[..] {
            let rows = parts.rows.into_iter();
            return rows.map(|rows| metric(whole.clone(), rows, Scope::Whole, systems)).collect();
        }
        let mut entries = vec![Vec::new(); model.components.len()];
        for j in 0..whole.pattern.n() {
            for k in whole.pattern.column_start[j]..whole.pattern.column_start[j + 1] {
                let ((c, p), (_, q)) = (parts.place[whole.pattern.rows[k]], parts.place[j]);
                entries[c].push((p, q, whole.values[k]));
            }
        }
        let components = parts.rows.into_iter().zip(entries).enumerate();
        components
            .map(|(c, (rows, entries))| {
                let matrix = SymmetricMatrix::from_entries(parts.counts[c] as usize, &entries);
                metric(matrix, rows, Scope::Component(c), systems)
            })
            .collect()
    }

    /// Adds D_x⁻¹ g to p on the component's vertices; returns gᵀp. Where there is no solution, that is NaN.
    fn solve(&mut self, g: &[DVec3], p: &mut [DVec3]) -> f64 {
        self.scratch.fill(DVec3::ZERO);
        for &(i, local, coefficient) in &self.rows {
            self.scratch[local as usize] += g[i as usize] * coefficient;
        }
        if self.step.solve_vectors(&mut self.scratch).is_err() {
            return f64::NAN;
        }
        let mut product = 0.0;
        for &(i, local, coefficient) in &self.rows {
            let step = self.scratch[local as usize] * coefficient;
            p[i as usize] += step;
            product += g[i as usize].dot(step);
        }
        product
    }

    fn squared_length(&mut self, model: &Model, d: impl Fn(usize) -> DVec3) -> f64 {
        self.scratch.fill(DVec3::ZERO);
        for &(i, local, _) in &self.rows {
            if let crate::Slot::Free(_) = model.dofs.slots()[i as usize] {
                self.scratch[local as usize] = d(i as usize);
            }
        }
        self.matrix.quadratic_form(&self.scratch)
    }
}

/// How the components share the reduced coordinates.
struct Parts {
    /// Reduced index of the model → (component, index there), ascending in both.
    place: Vec<(usize, u32)>,
    /// Reduced coordinates of each component.
    counts: Vec<u32>,
    /// Each component's rows of B: (vertex, index there, coefficient).
    rows: Vec<Vec<(u32, u32, f64)>>,
}

fn parts(model: &Model) -> Parts {
    let mut place = vec![(0, 0); model.dofs.len()];
    for (c, component) in model.components.iter().enumerate() {
        for &i in &component.vertices {
            model.dofs.row(i as usize, |index, _| place[index as usize].0 = c);
        }
    }
    let mut counts = vec![0; model.components.len()];
    for (c, local) in &mut place {
        *local = counts[*c];
        counts[*c] += 1;
    }
    let mut rows = vec![Vec::new(); model.components.len()];
    for (c, component) in model.components.iter().enumerate() {
        for &i in &component.vertices {
            model.dofs.row(i as usize, |index, coefficient| {
                rows[c].push((i, place[index as usize].1, coefficient));
            });
        }
    }
    Parts { place, counts, rows }
}
