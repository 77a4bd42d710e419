//! The global step with bones [li2020, Alg. 1].
//!
//! Reduced vectors hold the flesh first and then, in the rows of each articulation's columns, its coordinates: ω of every bone, l of those
//! without an anchor (see [`Articulation`]). One solve is
//!
//! ```text
//! L y = q                              flesh alone, forwards
//! q_s + Yᵀ(L_bb y_b)                   what elimination leaves for the coordinates, Y = ∂columns/∂s
//! S s = … under the joints' rows       small and dense
//! Lᵀd = y with y_b = L_bbᵀ Y s         backwards
//! ```
//!
//! so that bones cost a small dense system and no solve of their own.

use crate::dofs::Dofs;
use crate::model::Model;
use crate::objective::SolveFailure;
use crate::skeleton::{Articulation, Frame, Geometric, JointedFrames, SmallSystem};
use crate::sparse::{Corner, CornerScratch, GlobalStep, Unknowns};
use glam::{DMat3, DVec3};
use std::sync::Arc;

/// For two matrices that share their axes: one along the directions in which contacts push, the other along the rest.
pub(crate) struct Axes<'a> {
    /// The axes, as columns.
    pub axes: DMat3,
    /// The corners of the matrix for each axis.
    pub corners: [&'a [Corner]; 3],
}

/// Small systems of some articulations of a model, and buffers of a solve.
#[derive(Debug)]
pub(crate) struct Articulated {
    pub(super) parts: Vec<Part>,
}

/// One articulation.
#[derive(Debug)]
pub(super) struct Part {
    /// Index of the articulation.
    pub number: usize,
    /// Its first row in reduced vectors.
    pub start: usize,
    pub system: SmallSystem,
    /// The gradient with respect to its columns, then a buffer of a solve.
    pub columns: Vec<DVec3>,
    /// Buffers of a solve: the remainder of elimination, and coordinates.
    pub remainder: Vec<DVec3>,
    pub coordinates: Vec<DVec3>,
    /// Forces of joints of a solve that another one goes on from.
    held: Vec<f64>,
    corner: CornerScratch,
}

impl Articulated {
    /// For all articulations of a model.
    pub fn of_model(model: &Model) -> Self {
        let skeleton = &model.skeleton;
        let start = |a: &Articulation| skeleton.bones[a.bones[0]].column as usize;
        Self::new(model, skeleton.articulations.iter().enumerate().map(|(k, a)| (k, start(a))))
    }

    /// For articulations given by index, each with its first row in reduced vectors.
    pub fn new(model: &Model, numbers: impl Iterator<Item = (usize, usize)>) -> Self {
        let part = |(number, start)| {
            let articulation: &Articulation = &model.skeleton.articulations[number];
            let columns = vec![DVec3::ZERO; 4 * articulation.bones.len()];
            Part {
                number,
                start,
                system: SmallSystem::new(articulation),
                remainder: columns.clone(),
                columns,
                coordinates: vec![DVec3::ZERO; articulation.coordinates],
                held: Vec::new(),
                corner: CornerScratch::new(4 * articulation.bones.len()),
            }
        };
        Self { parts: numbers.map(part).collect() }
    }

    /// Whether there are no articulations.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Turns a gradient with respect to the columns of bones, in their rows, into one with respect to the coordinates.
    pub fn reduce(&mut self, model: &Model, frames: &[Frame], reduced: &mut [DVec3]) {
        for part in &mut self.parts {
            let articulation = &model.skeleton.articulations[part.number];
            let rows = &mut reduced[part.start..part.start + part.columns.len()];
            part.columns.copy_from_slice(rows);
            part.forces(articulation, frames);
            rows.fill(DVec3::ZERO);
            rows[..part.coordinates.len()].copy_from_slice(&part.coordinates);
        }
    }

    /// The constant matrices of the articulations, given the corners of a factor.
    pub fn jointed(&self, model: &Model, corners: &[Corner]) -> Vec<Arc<JointedFrames>> {
        let one = |(part, corner): (&Part, &Corner)| {
            let articulation = &model.skeleton.articulations[part.number];
            Arc::new(JointedFrames::new(articulation, |i, j| corner.schur(i, j)))
        };
        self.parts.iter().zip(corners).map(one).collect()
    }

    /// Builds and factors the small systems; [`Self::reduce`] must have been called with the gradient at these frames.
    pub fn prepare(
        &mut self,
        model: &Model,
        frames: &[Frame],
        jointed: &[Arc<JointedFrames>],
        geometric: Geometric,
    ) -> Result<(), SolveFailure> {
        for (part, jointed) in self.parts.iter_mut().zip(jointed) {
            let articulation = &model.skeleton.articulations[part.number];
            part.system.rotate(articulation, frames, jointed);
            part.finish(articulation, frames, geometric)?;
        }
        Ok(())
    }

    /// As [`Self::prepare`], with a matrix for each axis.
    pub fn prepare_axes(
        &mut self,
        model: &Model,
        frames: &[Frame],
        along: &Axes,
        geometric: Geometric,
    ) -> Result<(), SolveFailure> {
        for (k, part) in self.parts.iter_mut().enumerate() {
            let articulation = &model.skeleton.articulations[part.number];
            part.system.clear();
            for (axis, corners) in along.corners.iter().enumerate() {
                let axis = along.axes.col(axis);
                part.system.rotate_along(articulation, frames, axis, |i, j| corners[k].schur(i, j));
            }
            part.finish(articulation, frames, geometric)?;
        }
        Ok(())
    }

    /// x ← H₀⁻¹x, with x in flesh and coordinates.
    pub fn solve(
        &mut self,
        model: &Model,
        frames: &[Frame],
        step: &mut GlobalStep,
        x: &mut [DVec3],
        values: bool,
    ) {
        self.take_coordinates(x);
        let Some(corners) = step.corners().cloned() else { return };
        step.solve_between(x, &mut |middle| {
            for (part, corner) in self.parts.iter_mut().zip(corners.iter()) {
                corner.remainder(middle, &mut part.corner, &mut part.remainder);
                part.decide(model, frames, values);
                corner.decide(&part.columns, &mut part.corner, middle);
            }
        });
        self.put_coordinates(x);
    }

    /// As [`Self::solve`] of what is to be taken away from the result of a solve: joints are held as they are, and their forces become those of the difference.
    pub fn solve_rest(&mut self, model: &Model, frames: &[Frame], step: &mut GlobalStep, x: &mut [DVec3]) {
        for part in &mut self.parts {
            std::mem::swap(&mut part.system.multipliers, &mut part.held);
        }
        self.solve(model, frames, step, x, false);
        for part in &mut self.parts {
            let forces = part.system.multipliers.iter_mut().zip(&part.held);
            forces.for_each(|(rest, whole)| *rest = whole - *rest);
        }
    }

    /// How the columns of bones changed in the last solve, by their rows in reduced vectors.
    pub fn change_of_columns(&self, row: usize) -> DVec3 {
        let part = &self.parts[self.parts.partition_point(|part| part.start <= row) - 1];
        part.columns[row - part.start]
    }

    /// Appends what forces on the columns of an articulation are for its coordinates, and how these yield to them while joints hold. Its small system was prepared.
    pub fn yields(
        &mut self,
        model: &Model,
        frames: &[Frame],
        part: usize,
        forces: impl Iterator<Item = DVec3>,
        (on, by): (&mut Vec<DVec3>, &mut Vec<DVec3>),
    ) {
        let part = &mut self.parts[part];
        part.columns.iter_mut().zip(forces).for_each(|(to, from)| *to = from);
        part.forces(&model.skeleton.articulations[part.number], frames);
        on.extend_from_slice(&part.coordinates);
        part.system.solve(&mut part.coordinates, false);
        by.extend_from_slice(&part.coordinates);
    }

    /// How the bone `k` of an articulation turns and moves, (ω, l), under a unit of each component of a torque and of a force on it. The small system was prepared.
    pub fn mobility(
        &mut self,
        model: &Model,
        frames: &[Frame],
        part: usize,
        k: usize,
    ) -> [(DVec3, DVec3); 6] {
        let Part { number, system, coordinates, .. } = &mut self.parts[part];
        let articulation = &model.skeleton.articulations[*number];
        std::array::from_fn(|component| {
            system.twists.fill((DVec3::ZERO, DVec3::ZERO));
            let axis = DVec3::AXES[component % 3];
            system.twists[k] = if component < 3 { (axis, DVec3::ZERO) } else { (DVec3::ZERO, axis) };
            articulation.pull_back(frames, &mut system.twists, coordinates);
            system.solve(coordinates, false);
            articulation.expand(frames, coordinates, &mut system.twists);
            system.twists[k]
        })
    }

    /// Moves the coordinates out of the vector before the solve.
    pub fn take_coordinates(&mut self, x: &mut [DVec3]) {
        for part in &mut self.parts {
            let rows = &mut x[part.start..part.start + part.columns.len()];
            let count = part.coordinates.len();
            part.coordinates.copy_from_slice(&rows[..count]);
            rows.fill(DVec3::ZERO);
        }
    }

    /// Writes the decided coordinates back.
    pub fn put_coordinates(&mut self, x: &mut [DVec3]) {
        for part in &self.parts {
            let rows = &mut x[part.start..part.start + part.columns.len()];
            rows.fill(DVec3::ZERO);
            rows[..part.coordinates.len()].copy_from_slice(&part.coordinates);
        }
    }

    /// Decides the bones in the middle of solves with a matrix for each axis: `middles` are the unknowns of the matrix for directions in
    /// which contacts push and of the other one, both in the coordinates of the axes.
    pub fn decide_axes(
        &mut self,
        model: &Model,
        frames: &[Frame],
        (axes, pressed): (DMat3, [bool; 3]),
        corners: [&[Corner]; 2],
        middles: [&mut dyn Unknowns; 2],
        values: bool,
    ) {
        let [pressing, other] = middles;
        for (k, part) in self.parts.iter_mut().enumerate() {
            let [a, b] = [&corners[0][k], &corners[1][k]];
            a.remainder(pressing, &mut part.corner, &mut part.remainder);
            b.remainder(other, &mut part.corner, &mut part.columns);
            for (first, second) in part.remainder.iter_mut().zip(&part.columns) {
                for axis in (0..3).filter(|&axis| !pressed[axis]) {
                    first[axis] = second[axis];
                }
                *first = axes * *first;
            }
            part.decide(model, frames, values);
            let to = axes.transpose();
            part.columns.iter_mut().for_each(|u| *u = to * *u);
            a.decide(&part.columns, &mut part.corner, pressing);
            b.decide(&part.columns, &mut part.corner, other);
        }
    }

    /// Projects coordinates onto the rows of joints.
    pub fn project(&mut self, x: &mut [DVec3]) {
        for part in &mut self.parts {
            part.system.project(&mut x[part.start..part.start + part.coordinates.len()], true);
        }
    }

    /// Moves the frames by `scale` times the coordinates in `x`.
    pub fn advance(&self, model: &Model, scale: f64, x: &[DVec3], frames: &mut [Frame]) {
        for part in &self.parts {
            let articulation = &model.skeleton.articulations[part.number];
            articulation.advance(scale, &x[part.start..], frames);
        }
    }

    /// The largest rotation among coordinates, rad.
    pub fn fastest(&self, model: &Model, x: &[DVec3]) -> f64 {
        let turns = |part: &Part| {
            let bones = model.skeleton.articulations[part.number].bones.len();
            x[part.start..part.start + bones].iter().map(|omega| omega.length()).fold(0.0, f64::max)
        };
        self.parts.iter().map(turns).fold(0.0, f64::max)
    }

    /// Σ g²/m over coordinates, with the inertia that they move: the counterpart for bones of the sum over vertices in
    /// [`Objective::residual`](crate::objective::Objective::residual).
    pub fn squares(&self, model: &Model, reduced: &[DVec3]) -> f64 {
        let mut sum = 0.0;
        for part in &self.parts {
            let articulation = &model.skeleton.articulations[part.number];
            for (k, &bone) in articulation.bones.iter().enumerate() {
                let bone = &model.skeleton.bones[bone];
                sum += reduced[part.start + k].length_squared() / (bone.mass * bone.radius * bone.radius);
            }
            for k in articulation.bones.len()..articulation.coordinates {
                let mass: f64 = articulation.bones.iter().map(|&b| model.skeleton.bones[b].mass).sum();
                sum += reduced[part.start + k].length_squared() / mass;
            }
        }
        sum
    }

    /// Velocities of the bones' points from coordinates in `x`: dx = ω×r + l.
    pub fn expand(&mut self, model: &Model, frames: &[Frame], x: &[DVec3], mut set: impl FnMut(u32, DVec3)) {
        for part in &mut self.parts {
            let articulation = &model.skeleton.articulations[part.number];
            articulation.expand(frames, &x[part.start..], &mut part.system.twists);
            for (&(omega, l), &bone) in part.system.twists.iter().zip(&articulation.bones) {
                let bone_data = &model.skeleton.bones[bone];
                for (&i, r) in bone_data.points.iter().zip(&bone_data.local) {
                    set(i, omega.cross(frames[bone].turn * *r) + l);
                }
            }
        }
    }
}

impl Part {
    /// Computes the gradient with respect to the coordinates from that with respect to the columns; also gives the small system the forces of
    /// the joints.
    pub fn forces(&mut self, articulation: &Articulation, frames: &[Frame]) {
        gather_twists(articulation, frames, &self.columns, &mut self.system.twists);
        articulation.pull_back(frames, &mut self.system.twists, &mut self.coordinates);
    }

    pub fn finish(
        &mut self,
        articulation: &Articulation,
        frames: &[Frame],
        geometric: Geometric,
    ) -> Result<(), SolveFailure> {
        self.system.bend(articulation, frames, &self.columns, geometric);
        if !self.system.factor(articulation, frames) {
            return Err(SolveFailure("the bones' matrix is not positive definite"));
        }
        self.system.find_rows(articulation, frames);
        Ok(())
    }

    /// Computes coordinates from the right-hand side in `coordinates` and the remainder of elimination in `remainder`; `columns` receives the
    /// change of the frames.
    pub fn decide(&mut self, model: &Model, frames: &[Frame], values: bool) {
        let articulation = &model.skeleton.articulations[self.number];
        gather_twists(articulation, frames, &self.remainder, &mut self.system.twists);
        // The remainder is no longer needed: its memory takes the coordinates.
        let count = self.coordinates.len();
        let extra = &mut self.remainder[..count];
        articulation.pull_back(frames, &mut self.system.twists, extra);
        self.coordinates.iter_mut().zip(extra).for_each(|(q, r)| *q += *r);
        self.system.solve(&mut self.coordinates, values);
        articulation.expand(frames, &self.coordinates, &mut self.system.twists);
        for (k, &bone) in articulation.bones.iter().enumerate() {
            let ((omega, l), turn) = (self.system.twists[k], frames[bone].turn);
            let axes = [turn.x_axis, turn.y_axis, turn.z_axis];
            for (column, axis) in self.columns[4 * k..].iter_mut().zip(axes) {
                *column = omega.cross(axis);
            }
            self.columns[4 * k + 3] = l;
        }
    }
}

/// Yᵀ: from columns to (ω, l) of every bone.
fn gather_twists(
    articulation: &Articulation,
    frames: &[Frame],
    columns: &[DVec3],
    twists: &mut [(DVec3, DVec3)],
) {
    for (k, &bone) in articulation.bones.iter().enumerate() {
        let turn = frames[bone].turn;
        let c = &columns[4 * k..4 * k + 4];
        let torque = turn.x_axis.cross(c[0]) + turn.y_axis.cross(c[1]) + turn.z_axis.cross(c[2]);
        twists[k] = (torque, c[3]);
    }
}

/// Moves the flesh along a reduced direction, and the points of bones to their trial frames.
pub(crate) fn move_points(model: &Model, scale: f64, direction: &[DVec3], frames: &[Frame], x: &mut [DVec3]) {
    let dofs: &Dofs = &model.dofs;
    dofs.add_free(scale, direction, x);
    for articulation in &model.skeleton.articulations {
        for &bone in &articulation.bones {
            model.skeleton.bones[bone].put(&frames[bone], x);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
