//! Constrained Projective Dynamics \[kee2021\]: backward Euler with energy and momenta as constraints of the iterations.
//!
//! min g(x) subject to C(x) = 0, by sequential quadratic programming with the matrix A = M + h²L of Projective Dynamics as Hessian. With
//! G = ∇g = M(x − y) + h²∇E, y = xₙ + h vₙ and q = A⁻¹G, one iteration is
//!
//! x ← x − q − A⁻¹J λ,  (JᵀA⁻¹J) λ = C − Jᵀq
//!
//! The energy row is C_H = h²(E − H*) + ½‖x − xₙ‖²_M with ∇C_H = G + M h vₙ, so A⁻¹∇C_H = q + u with u = A⁻¹M h vₙ, known once a step. Rows of
//! momentum are linear in x: Σ m (x − xₙ) = h P*, and Σ m r × (x − o) = h L* with r = xₙ − o about the centre of mass o to come. A free body has all seven rows, a
//! held one the energy alone. An iteration is a solve, as in Projective Dynamics; a step adds one for u and, for a free body, one for A⁻¹M r.
//!
//! From rest the energy row forbids to start: x = xₙ has the right energy. The first iteration of such a step leaves it out.
//!
//! Written from the description of the method, not from the authors' program. Not covered: bones, contact, and forces on a free body.

use super::rows;
use sinew::measure::{GlobalSolve, LocalStep};
use sinew::{DVec3, Model, Momenta, Phase, StepError, StepReport, kinetic_energy};
use sinew_scene::build::BuiltScene;
use sinew_scene::run::Stepper;

/// A kinetic energy below this share of the energy's scale counts as rest.
const REST: f64 = 1e-12;

/// The constraints, and memory.
#[derive(Debug)]
pub(super) struct Constrained {
    iterations: usize,
    prepared: Option<Prepared>,
}

/// What stays the same in all steps.
#[derive(Debug)]
struct Prepared {
    matrix: GlobalSolve,
    /// H*, J.
    energy: f64,
    /// The vertices that move: those of the matrix.
    moving: Vec<usize>,
    is_free: bool,
}

/// Vectors over all vertices; zero where nothing moves.
type Field = Vec<DVec3>;

impl Constrained {
    pub fn new(iterations: usize) -> Self {
        Self { iterations, prepared: None }
    }
}

impl Stepper for Constrained {
    fn step(
        &mut self,
        scene: &mut BuiltScene,
        enter: &mut dyn FnMut(Phase),
    ) -> Result<StepReport, StepError> {
        let (model, number) = (scene.model().clone(), scene.state.step_count());
        let h = scene.settings().h;
        if self.prepared.is_none() {
            let refused =
                |why| StepError::Solver { step: number, solver: "constrained projective dynamics", why };
            let prepared = Prepared::new(&model, h, scene.state.ledger().energy());
            self.prepared = Some(prepared.map_err(refused)?);
        }
        let Some(prepared) = &mut self.prepared else { return Ok(StepReport::default()) };
        let (x, v) = (scene.state.positions().to_vec(), scene.state.velocities().to_vec());
        // The engine's step moves time on. Where it puts the bodies is overwritten.
        let mut report = scene.step(|_| Ok(()), &mut |_| ())?;
        enter(Phase::Solve);
        let found = prepared.minimise(&model, h, self.iterations, (&x, &v));
        enter(Phase::Account);
        let place = |new_x: &mut [DVec3], new_v: &mut [DVec3]| {
            for (i, found) in found.iter().enumerate() {
                (new_x[i], new_v[i]) = (*found, (*found - x[i]) / h);
            }
        };
        scene.state.edit(&model, place)?;
        enter(Phase::Done);
        report.iterations = self.iterations;
        Ok(report)
    }
}

impl Prepared {
    fn new(model: &Model, h: f64, energy: f64) -> Result<Self, &'static str> {
        if model.bone_count() > 0 {
            return Err("it knows no bones");
        }
        let matrix = GlobalSolve::new(model, h).map_err(|_| "its matrix has no factor")?;
        let moving = (0..model.vertex_count()).filter(|&i| !model.is_held(i)).collect();
        Ok(Self { matrix, energy, moving, is_free: model.is_isolated() })
    }

    /// A⁻¹b.
    fn solve(&mut self, b: &[DVec3]) -> Field {
        let mut reduced: Field = self.moving.iter().map(|&i| b[i]).collect();
        self.matrix.ours(&mut reduced);
        let mut whole = vec![DVec3::ZERO; b.len()];
        self.moving.iter().zip(reduced).for_each(|(&i, x)| whole[i] = x);
        whole
    }

    /// The positions after a step.
    fn minimise(
        &mut self,
        model: &Model,
        h: f64,
        iterations: usize,
        (old, v): (&[DVec3], &[DVec3]),
    ) -> Field {
        let masses = model.masses();
        let mut local = LocalStep::new(model);
        let inertia: Field = v.iter().zip(masses).map(|(v, m)| *v * *m * h).collect();
        let y: Field = old.iter().zip(v).map(|(x, v)| *x + *v * h).collect();
        let u = self.solve(&inertia);
        let momenta = self.is_free.then(|| Rows::new(self, model, h, (old, v)));
        let mut x = y.clone();
        let mut gradient = vec![DVec3::ZERO; x.len()];
        let at_rest = kinetic_energy(masses, v) <= REST * (self.energy.abs() + local.value(old).abs());
        for iteration in 0..iterations {
            let energy = local.potential(&x, &mut gradient);
            for i in 0..x.len() {
                gradient[i] = (x[i] - y[i]) * masses[i] + gradient[i] * (h * h);
            }
            let q = self.solve(&gradient);
            let row = EnergyRow {
                gradient: gradient.iter().zip(&inertia).map(|(g, m)| *g + *m).collect(),
                solved: q.iter().zip(&u).map(|(q, u)| *q + *u).collect(),
                value: h * h * (energy - self.energy) + 0.5 * squared(masses, &x, old),
                counts: !(at_rest && iteration == 0),
            };
            let correction = match &momenta {
                Some(momenta) => momenta.correction(masses, &row, &x, &q),
                None => row.correction(&q),
            };
            for &i in &self.moving {
                x[i] -= q[i] + correction[i];
            }
        }
        x
    }
}

/// The row of the energy at an iterate.
struct EnergyRow {
    /// ∇C_H.
    gradient: Field,
    /// A⁻¹∇C_H.
    solved: Field,
    /// C_H.
    value: f64,
    /// Whether the row is part of the iteration.
    counts: bool,
}

impl EnergyRow {
    /// A⁻¹J λ with this row alone.
    fn correction(&self, q: &[DVec3]) -> Field {
        let right = if self.counts { self.value - dot(&self.gradient, q) } else { 0.0 };
        let [lambda] = rows::solve([[dot(&self.gradient, &self.solved)]], [right]);
        self.solved.iter().map(|d| *d * lambda).collect()
    }
}

/// The six rows of the momenta of a free body.
struct Rows {
    /// xₙ − o.
    r: Field,
    /// A⁻¹M r.
    s: Field,
    o: DVec3,
    /// Σ m x and Σ m r × (x − o) as they should be.
    targets: [DVec3; 2],
}

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

impl Rows {
    fn new(prepared: &mut Prepared, model: &Model, h: f64, (x, v): (&[DVec3], &[DVec3])) -> Self {
        let masses = model.masses();
        let now = Momenta::new(masses, x, v);
        let o = now.center + now.linear * (h / now.mass);
        let r: Field = x.iter().map(|x| *x - o).collect();
        let weighted: Field = r.iter().zip(masses).map(|(r, m)| *r * *m).collect();
        let s = prepared.solve(&weighted);
        Self { r, s, o, targets: [o * now.mass, now.angular * h] }
    }

    /// A⁻¹J λ with all seven rows. L·1 = 0 for a free body, so A⁻¹M e = e.
    fn correction(&self, masses: &[f64], row: &EnergyRow, x: &[DVec3], q: &[DVec3]) -> Field {
        let n = x.len();
        let linear = |f: &[DVec3]| f.iter().zip(masses).map(|(f, m)| *f * *m).sum::<DVec3>();
        let angular =
            |f: &dyn Fn(usize) -> DVec3| (0..n).map(|i| self.r[i].cross(f(i)) * masses[i]).sum::<DVec3>();
        let six = |linear: DVec3, angular: DVec3| {
            let [a, b] = [linear.to_array(), angular.to_array()];
            [a[0], a[1], a[2], b[0], b[1], b[2]]
        };
        let mut matrix = [[0.0; 7]; 7];
        for k in 0..3 {
            // Columns of A⁻¹J: e for P, e × s for L.
            let shift = vec![AXES[k]; n];
            let turn: Field = self.s.iter().map(|s| AXES[k].cross(*s)).collect();
            for (column, field) in [(k, &shift), (3 + k, &turn)] {
                for (i, value) in six(linear(field), angular(&|i| field[i])).into_iter().enumerate() {
                    matrix[i][column] = value;
                }
            }
        }
        let border = six(linear(&row.solved), angular(&|i| row.solved[i]));
        let values = six(linear(x) - self.targets[0], angular(&|i| x[i] - self.o) - self.targets[1]);
        let made = six(linear(q), angular(&|i| q[i]));
        let mut right = [0.0; 7];
        for i in 0..6 {
            right[i] = values[i] - made[i];
        }
        if row.counts {
            (0..6).for_each(|i| (matrix[i][6], matrix[6][i]) = (border[i], border[i]));
            matrix[6][6] = dot(&row.gradient, &row.solved);
            right[6] = row.value - dot(&row.gradient, q);
        }
        let lambda = rows::solve(matrix, right);
        let [shift, turn] = [0, 3].map(|k| DVec3::new(lambda[k], lambda[k + 1], lambda[k + 2]));
        (0..n).map(|i| shift + turn.cross(self.s[i]) + row.solved[i] * lambda[6]).collect()
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// ‖a − b‖²_M.
fn squared(masses: &[f64], a: &[DVec3], b: &[DVec3]) -> f64 {
    masses.iter().zip(a.iter().zip(b)).map(|(m, (a, b))| m * a.distance_squared(*b)).sum()
}

#[cfg(test)]
mod tests {
    use crate::motion::Rival;
    use crate::motion::scenes::TUNED;
    use crate::{Trial, measure};
    use sinew_scene::run::Run;

    /// The first frames of a scene of the list.
    fn stepped(scene: &str, frames: usize) -> Run {
        let scene = TUNED.scenes.iter().find(|known| known.name == scene).unwrap();
        let trial = Trial::new("test", scene.source(), frames, &["integrator.kind=symplectic-euler"]);
        let mut run = trial.by(Rival::Constrained).start().unwrap();
        while !run.is_over() {
            run.step().unwrap();
        }
        run
    }

    /// |H − H₀| at the end over the largest kinetic energy.
    fn energy_error(run: &Run) -> f64 {
        let last = measure::last(run);
        let most = run.rows().iter().map(|row| row.kinetic).fold(0.0, f64::max);
        (last.total() - measure::budget(last)).abs() / most
    }

    #[test]
    fn a_free_cube_keeps_momenta_and_energy() {
        let run = stepped("free-cube", 20);
        let report = run.report().momentum;
        assert!(report.linear_drift.unwrap() < 1e-11 && report.angular_drift.unwrap() < 1e-9, "{report:?}");
        assert!(energy_error(&run) < 1e-2, "{}", energy_error(&run));
    }

    #[test]
    fn a_cloth_falls_from_rest_and_keeps_its_energy() {
        let run = stepped("hung-cloth", 20);
        assert!(measure::last(&run).kinetic > 0.1, "it moves");
        assert!(energy_error(&run) < 1e-2, "{}", energy_error(&run));
    }

    /// Time goes on by the scene's step, and positions by the velocities that the method ends with.
    #[test]
    fn velocities_are_those_of_the_positions() {
        let [before, after] = [3, 4].map(|frames| stepped("pendulum", frames));
        assert!((after.state().time() - before.state().time() - 1.0 / 30.0).abs() < 1e-12);
        let [old, new] = [&before, &after].map(|run| run.state().positions()[1]);
        assert!(((new - old) * 30.0).distance(after.state().velocities()[1]) < 1e-9);
    }
}
