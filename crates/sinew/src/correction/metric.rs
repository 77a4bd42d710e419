//! D_x = M + τh²L: the metric in which a correction of positions is small.
//!
//! \[dinev2018fepr\] measures positions by M alone (τ = 0): corrections then go wherever ∇E points, which is into the stiffest, fastest
//! modes, and the restored energy freezes into strain and jitter. With the Projective Dynamics matrix, slow modes restore the same energy,
//! and visible motion remains.

use super::Situation;
use crate::budgets::Support;
use crate::dofs::Slot;
use crate::model::Model;
use crate::operator::{Operator, Operators, Purpose, Scope, SystemKey, Systems, WithBones, system_matrix};
use crate::settings::error::SettingsError;
use crate::skeleton::solve::{Articulated, Frame};
use crate::sparse::{Precision, SymmetricMatrix};
use glam::DVec3;

/// The metric of a model, component by component.
#[derive(Debug)]
pub(crate) struct Metric {
    parts: Vec<Part>,
    stiffness_factor: f64,
    /// Buffers of a solve with contacts, per vertex and reduced; empty in a model without contact.
    masked: Vec<DVec3>,
    reduced: Vec<DVec3>,
    /// The bones of the whole model, for solves with contacts.
    bones: Articulated,
}

/// The metric of one component, factored.
#[derive(Debug)]
struct Part {
    matrix: SymmetricMatrix,
    operator: Operator,
    /// The component's rows of B: (vertex, local reduced index, coefficient).
    rows: Vec<(u32, u32, f64)>,
    scratch: Vec<DVec3>,
    bones: Articulated,
}

impl Metric {
    /// M + `stiffness_factor`·L. A model with a single component uses the solver's matrix and, where τ is the same, its factor.
    pub fn new(model: &Model, systems: &mut Systems, stiffness_factor: f64) -> Result<Self, SettingsError> {
        let (vertices, reduced) =
            if model.contact.law.is_some() { (model.points(), model.dofs.len()) } else { (0, 0) };
        Ok(Self {
            parts: Part::of_components(model, systems, stiffness_factor)?,
            stiffness_factor,
            masked: vec![DVec3::ZERO; vertices],
            reduced: vec![DVec3::ZERO; reduced],
            bones: Articulated::of_model(model),
        })
    }

    /// τh².
    pub fn stiffness_factor(&self) -> f64 {
        self.stiffness_factor
    }

    /// As [`Self::solve`], from a solve whose D_x includes the stiffness of the rows of contacts, where the step's operator has it, so
    /// that a correction does not push into contacts.
    pub fn solve_in_contact(
        &mut self,
        s: &Situation,
        operators: &mut Operators,
        frames: &[Frame],
        g: &[DVec3],
        p: &mut [DVec3],
    ) -> f64 {
        let plain = self.solve(s, frames, g, p);
        let Some(operator) = operators.in_contact().filter(|_| self.stiffness_factor > 0.0) else {
            return plain;
        };
        if !self.solve_whole(s, operator, frames, g) {
            return f64::NAN;
        }
        // Contacts between members of a group hold nothing in place: the centre of mass of a free group must not move.
        let mut mean = DVec3::ZERO;
        if s.support == Support::Free {
            mean = s.vertices().map(|i| self.masked[i] * s.model.masses[i]).sum::<DVec3>() / s.component.mass;
        }
        let mut product = 0.0;
        for i in s.vertices() {
            p[i] = self.masked[i] - mean;
            product += g[i].dot(p[i]);
        }
        product
    }

    /// masked ← H₀⁻¹ g with the operator of the whole model, with g only on the group's vertices. Returns whether the solve succeeded.
    fn solve_whole(&mut self, s: &Situation, operator: &mut Operator, frames: &[Frame], g: &[DVec3]) -> bool {
        let Self { masked, reduced, bones, .. } = self;
        masked.fill(DVec3::ZERO);
        for i in s.vertices() {
            masked[i] = g[i];
        }
        s.model.dofs.pull_back(masked, reduced);
        masked.fill(DVec3::ZERO);
        bones.reduce(s.model, frames, reduced);
        let mut with = WithBones { model: s.model, frames, bones, purpose: Purpose::Direction };
        let solved = operator.prepare_bones(&mut with).and_then(|()| operator.solve(&mut with, reduced));
        if self.bones.is_empty() {
            s.model.dofs.add_expanded(1.0, &self.reduced, &mut self.masked);
        } else {
            s.model.dofs.add_free(1.0, &self.reduced, &mut self.masked);
            let masked = &mut self.masked;
            self.bones.expand(s.model, frames, &self.reduced, |i, step| masked[i as usize] = step);
        }
        solved.is_ok()
    }

    /// p ← D_x⁻¹ g on the group's vertices; returns gᵀp, or NaN if the solve fails. `frames` are those of the bones; a model without bones
    /// has none.
    pub fn solve(&mut self, s: &Situation, frames: &[Frame], g: &[DVec3], p: &mut [DVec3]) -> f64 {
        for &i in &s.component.vertices {
            p[i as usize] = DVec3::ZERO;
        }
        s.members.iter().map(|&c| self.parts[c].solve(s.model, frames, g, p)).sum()
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
        let metric = |matrix: SymmetricMatrix, rows, scope, c: usize, systems: &mut Systems| {
            let key = SystemKey { scope, stiffness_factor, precision };
            let own = model.skeleton.columns_in(c);
            let own: Vec<_> =
                own.map(|(k, first, bones)| (k, parts.place[first].1 as usize, bones)).collect();
            let ranges: Vec<_> = own.iter().map(|&(_, start, bones)| start..start + 4 * bones).collect();
            let bones = Articulated::new(model, own.into_iter().map(|(k, start, _)| (k, start)));
            let operator = Operator::of_part(model, systems, key, &matrix, (&bones, &ranges));
            let operator = operator.map_err(|_| SettingsError::Matrix("the correction's metric"))?;
            let scratch = vec![DVec3::ZERO; matrix.pattern.n()];
            Ok(Self { matrix, operator, rows, scratch, bones })
        };
        if let [rows] = &parts.rows[..] {
            return Ok(vec![metric(whole, rows.clone(), Scope::Whole, 0, systems)?]);
        }
        let mut entries = vec![Vec::new(); model.topology.components.len()];
        for j in 0..whole.pattern.n() {
            for k in whole.pattern.column_start[j]..whole.pattern.column_start[j + 1] {
                let ((c, p), (_, q)) = (parts.place[whole.pattern.rows[k]], parts.place[j]);
                entries[c].push((p, q, whole.values[k]));
            }
        }
        let components = parts.rows.iter().cloned().zip(entries).enumerate();
        components
            .map(|(c, (rows, entries))| {
                let matrix = SymmetricMatrix::from_entries(parts.counts[c] as usize, &entries);
                metric(matrix, rows, Scope::Component(c), c, systems)
            })
            .collect()
    }

    /// Adds D_x⁻¹ g to p on the component's vertices; returns gᵀp, or NaN if the solve fails.
    fn solve(&mut self, model: &Model, frames: &[Frame], g: &[DVec3], p: &mut [DVec3]) -> f64 {
        self.scratch.fill(DVec3::ZERO);
        for &(i, local, coefficient) in &self.rows {
            self.scratch[local as usize] += g[i as usize] * coefficient;
        }
        let Self { operator, scratch, bones, rows, .. } = self;
        bones.reduce(model, frames, scratch);
        let mut with = WithBones { model, frames, bones, purpose: Purpose::Direction };
        if operator.prepare_bones(&mut with).and_then(|()| operator.solve(&mut with, scratch)).is_err() {
            return f64::NAN;
        }
        if !bones.is_empty() {
            return self.expand_with_bones(model, frames, g, p);
        }
        let mut product = 0.0;
        for &(i, local, coefficient) in &*rows {
            let step = scratch[local as usize] * coefficient;
            p[i as usize] += step;
            product += g[i as usize].dot(step);
        }
        product
    }

    /// Expands flesh and bone coordinates to vertices: p is a motion that bones and joints can follow.
    fn expand_with_bones(&mut self, model: &Model, frames: &[Frame], g: &[DVec3], p: &mut [DVec3]) -> f64 {
        let Self { scratch, bones, rows, .. } = self;
        for &(i, local, _) in &*rows {
            if let Slot::Free(_) = model.dofs.slots()[i as usize] {
                p[i as usize] = scratch[local as usize];
            }
        }
        bones.expand(model, frames, scratch, |i, step| p[i as usize] = step);
        // A vertex on a bone has four rows.
        let mut product = 0.0;
        let mut last = u32::MAX;
        for &(i, ..) in &*rows {
            if i != last {
                product += g[i as usize].dot(p[i as usize]);
            }
            last = i;
        }
        product
    }

    fn squared_length(&mut self, model: &Model, d: impl Fn(usize) -> DVec3) -> f64 {
        self.scratch.fill(DVec3::ZERO);
        for &(i, local, _) in &self.rows {
            if let Slot::Free(_) = model.dofs.slots()[i as usize] {
                self.scratch[local as usize] = d(i as usize);
            }
        }
        self.matrix.quadratic_form(&self.scratch)
    }
}

/// How the reduced coordinates are divided among the components.
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
    for (c, component) in model.topology.components.iter().enumerate() {
        for &i in &component.vertices {
            model.dofs.row(i as usize, |index, _| place[index as usize].0 = c);
        }
    }
    let mut counts = vec![0; model.topology.components.len()];
    for (c, local) in &mut place {
        *local = counts[*c];
        counts[*c] += 1;
    }
    let mut rows = vec![Vec::new(); model.topology.components.len()];
    for (c, component) in model.topology.components.iter().enumerate() {
        for &i in &component.vertices {
            model.dofs.row(i as usize, |index, coefficient| {
                rows[c].push((i, place[index as usize].1, coefficient));
            });
        }
    }
    Parts { place, counts, rows }
}
