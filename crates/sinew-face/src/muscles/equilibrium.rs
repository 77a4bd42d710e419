//! Where flesh comes to rest: the minimum of the active material over free vertices \[dinev2020, Eq. 4.2\].
//!
//! Newton with the projected Hessian and an Armijo line search from afar, with the exact one near the end. The exact Hessian must have a Cholesky factor at the end, all pivots positive: exact Newton steps also converge to
//! saddles, and an adjoint there would be wrong. A saddle is left by a small push, and the descent goes on.

use super::element::Kind;
use super::jaw::Jaw;
use super::model::Hold;
use super::noise::Noise;
use super::system::{Factor, System};
use crate::error::FaceError;
use glam::{DMat3, DVec3};

/// What drives the flesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// A of each element.
    pub activations: Vec<DMat3>,
    /// The jaw.
    pub jaw: Jaw,
    /// Constant forces on vertices, N: gravity, wind. Empty: none.
    pub forces: Vec<DVec3>,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Largest movement of a vertex in the last step, m.
    pub step: f64,
    /// Steps at most.
    pub iterations: usize,
}

impl Precision {
    /// For fits: the last step of Newton converges quadratically, so that what is left is far below a micrometre.
    pub const FIT: Self = Self { step: 1e-5, iterations: 200 };
}

impl Default for Precision {
    fn default() -> Self {
        Self { step: 1e-7, iterations: 200 }
    }
}

/// A stable equilibrium.
#[derive(Clone, Debug)]
pub struct Balance {
    /// All vertices, #V, m.
    pub x: Vec<DVec3>,
    /// The factor of the exact Hessian.
    pub factor: Factor,
    /// Newton steps.
    pub iterations: usize,
    /// Factorisations, those that failed included.
    pub factorisations: usize,
    /// Saddles that were left.
    pub saddles: usize,
    /// Elements with det F ≤ 0.
    pub inverted: usize,
}

/// Steps above this length, m, use the projected Hessian.
const FAR: f64 = 2e-4;
/// The push that leaves a saddle, m.
const PUSH: f64 = 1e-5;
/// Saddles that are left before giving up.
const SADDLES: usize = 8;

/// Steps of simplified Newton at most, and how much each must shrink.
const FOLLOWED: usize = 8;
const SHRINK: f64 = 0.3;

impl System {
    /// Vertices at rest, those of the jaw moved.
    pub fn placed(&self, jaw: &Jaw) -> Vec<DVec3> {
        let mut x = self.points.clone();
        self.move_jaw(jaw, &mut x);
        x
    }

    pub(crate) fn move_jaw(&self, jaw: &Jaw, x: &mut [DVec3]) {
        for (v, hold) in self.holds.iter().enumerate() {
            match hold {
                Hold::Free => {}
                Hold::Skull => x[v] = self.points[v],
                Hold::Jaw => x[v] = jaw.place(self.hinge, self.points[v]),
            }
        }
    }

    /// The equilibrium near `start`; held vertices of it do not matter.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if there is none within the iterations.
    pub fn equilibrium(
        &self,
        drive: &Drive,
        start: &[DVec3],
        precision: &Precision,
    ) -> Result<Balance, FaceError> {
        let mut x = start.to_vec();
        self.move_jaw(&drive.jaw, &mut x);
        let (mut factorisations, mut saddles, mut last) = (0, 0, 0.0_f64);
        let mut points = self.decomposed(&x, &drive.activations);
        let mut energy = self.total(&points, &x, drive);
        for iteration in 1..=precision.iterations {
            let mut gradient = self.gradient(&points);
            self.pull(drive, &mut gradient);
            self.press(&x, &mut gradient);
            let exact = if last < FAR { self.factor(&points, &x, Kind::Exact) } else { None };
            factorisations += usize::from(last < FAR);
            let stable = exact.is_some();
            let factor = match exact {
                Some(factor) => factor,
                None => {
                    factorisations += 1;
                    self.factor(&points, &x, Kind::Projected)
                        .ok_or_else(|| FaceError::Muscles("the face became singular: an element has collapsed, or an activation is not finite".into()))?
                }
            };
            let mut step: Vec<f64> = gradient.iter().map(|g| -g).collect();
            factor.solve(&mut step);
            let longest = longest(&step);
            let slope: f64 = gradient.iter().zip(&step).map(|(g, d)| g * d).sum();
            if longest <= precision.step {
                if stable {
                    self.add(&step, 1.0, &mut x);
                    let inverted = self.inverted(&x);
                    return Ok(Balance {
                        x,
                        factor,
                        iterations: iteration,
                        factorisations,
                        saddles,
                        inverted,
                    });
                }
                // Flat in every direction that descends, and not a minimum.
                if last < FAR {
                    saddles += 1;
                    if saddles > SADDLES {
                        break;
                    }
                    let mut noise = Noise::new(saddles as u64);
                    let push: Vec<f64> = step.iter().map(|_| PUSH * noise.normal()).collect();
                    self.add(&push, 1.0, &mut x);
                    points = self.decomposed(&x, &drive.activations);
                    energy = self.total(&points, &x, drive);
                    last = f64::INFINITY;
                    continue;
                }
                last = 0.0;
                continue;
            }
            let mut scale = 1.0;
            let before = x.clone();
            loop {
                x.clone_from(&before);
                self.add(&step, scale, &mut x);
                points = self.decomposed(&x, &drive.activations);
                let now = self.total(&points, &x, drive);
                // Below rounding the energy says nothing.
                let rounding = 1e-14 * self.scale();
                if now <= energy + 1e-4 * scale * slope + rounding {
                    energy = now;
                    break;
                }
                scale *= 0.5;
                if scale < 1e-9 {
                    energy = now;
                    break;
                }
            }
            last = longest * scale;
        }
        Err(FaceError::Muscles(format!(
            "no stable equilibrium was found within {} steps: activations or the jaw are too far from rest",
            precision.iterations
        )))
    }

    /// The equilibrium near a good start, such as a prediction: simplified Newton, x ← x − K⁻¹∇E with a factor K of the Hessian of a place nearby, `old` if its steps shrink fast enough, otherwise one of the start \[deuflhard2004\]. What it returns is about `left` m away, its factor is K, and whether the equilibrium is stable was not asked: the last one of a fit must come from [`equilibrium`](Self::equilibrium), which takes over where steps do not shrink.
    ///
    /// # Errors
    /// [`FaceError::Muscles`] if there is no equilibrium.
    pub(crate) fn follow(
        &self,
        drive: &Drive,
        start: &[DVec3],
        old: &Factor,
        left: f64,
    ) -> Result<Balance, FaceError> {
        let mut x = start.to_vec();
        self.move_jaw(&drive.jaw, &mut x);
        let (mut factor, mut factorisations, mut iterations) = (None::<Factor>, 0, 0);
        let mut last = f64::INFINITY;
        let mut points = self.decomposed(&x, &drive.activations);
        while iterations < FOLLOWED {
            let mut way = self.gradient(&points);
            self.pull(drive, &mut way);
            self.press(&x, &mut way);
            factor.as_ref().unwrap_or(old).solve(&mut way);
            iterations += 1;
            let long = longest(&way);
            if !long.is_finite() {
                break;
            }
            let rate = if last.is_finite() { long / last } else { SHRINK };
            if rate > SHRINK {
                if factor.is_some() {
                    break;
                }
                factorisations += 1;
                let Some(fresh) = self.factor(&points, &x, Kind::Exact) else { break };
                (factor, last) = (Some(fresh), f64::INFINITY);
                continue;
            }
            last = long;
            self.add(&way, -1.0, &mut x);
            // What is left after this step, if the next ones shrink as it did.
            if long * rate / (1.0 - rate) <= left {
                let factor = factor.unwrap_or_else(|| old.clone());
                let inverted = 0;
                return Ok(Balance { x, factor, iterations, factorisations, saddles: 0, inverted });
            }
            points = self.decomposed(&x, &drive.activations);
        }
        let mut balance = self.equilibrium(drive, start, &Precision::FIT)?;
        balance.factorisations += factorisations;
        balance.iterations += iterations;
        Ok(balance)
    }

    /// Energies are differences of numbers of this size, J.
    fn scale(&self) -> f64 {
        6.0 * self.lame.mu * self.rest.iter().map(|rest| rest.volume).sum::<f64>()
    }

    fn total(&self, points: &[super::element::Point], x: &[DVec3], drive: &Drive) -> f64 {
        let work: f64 = drive.forces.iter().zip(x).zip(&self.points).map(|((f, x), p)| f.dot(*x - *p)).sum();
        self.energy(points) - work + self.pads.iter().map(|pad| pad.energy(x)).sum::<f64>()
    }

    fn pull(&self, drive: &Drive, gradient: &mut [f64]) {
        if drive.forces.is_empty() {
            return;
        }
        for (u, &v) in self.vertex.iter().enumerate() {
            let force = drive.forces[v as usize];
            (0..3).for_each(|k| gradient[3 * u + k] -= force[k]);
        }
    }
}

fn longest(step: &[f64]) -> f64 {
    step.chunks_exact(3).map(|s| DVec3::from_slice(s).length()).fold(0.0, f64::max)
}

impl System {
    /// The weight of flesh on vertices, for a density times gravity along y, N/m³.
    pub fn weights(&self, specific: f64) -> Vec<DVec3> {
        if specific == 0.0 {
            return Vec::new();
        }
        let mut forces = vec![DVec3::ZERO; self.points.len()];
        for (tet, rest) in self.tets.iter().zip(&self.rest) {
            tet.iter().for_each(|&v| forces[v as usize].y += 0.25 * specific * rest.volume);
        }
        forces
    }
}
