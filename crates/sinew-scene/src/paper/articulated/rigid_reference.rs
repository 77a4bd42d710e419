//! Articulated rigid bodies as accurately as doubles allow: what bones are held against where there is no flesh.
//!
//! Maximal coordinates, nothing shared with the engine: each body has its centre x, rotation q, velocity v and angular velocity ω.
//! Ball joints are kept by multipliers, with one dense system for all of them:
//!
//! ```text
//! M a = f + Jᵀλ,   J a = −J̇ (v, ω)   →   (J M⁻¹ Jᵀ) λ = −J̇ (v, ω) − J M⁻¹ f
//! ```
//!
//! Time goes on by the classical Runge–Kutta rule of fourth order in steps that are tiny beside those of a simulation. After each, the
//! quaternions are made unit again and what has crept in at the joints is taken out, least in the norm of the masses.

use glam::{DMat3, DQuat, DVec3};

/// A body and how it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidBody {
    /// kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub center: DVec3,
    /// About the centre, along the axes of the world, where it starts, kg·m².
    pub inertia: DMat3,
    /// Of the centre, m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s.
    pub spin: DVec3,
}

impl RigidBody {
    /// A box that is parallel to the axes, at rest.
    pub fn cuboid(mass: f64, center: DVec3, size: DVec3) -> Self {
        let square = size * size;
        let inertia =
            DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y) * (mass / 12.0);
        Self {
            mass,
            center,
            inertia: DMat3::from_diagonal(inertia),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
        }
    }
}

/// A point that two bodies share; `None` is the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BallJoint {
    /// The bodies by number.
    pub bodies: [Option<usize>; 2],
    /// Where the point starts, m.
    pub position: DVec3,
}

/// Where a body is and how it moves; also the rate at which that changes.
#[derive(Clone, Copy, Debug)]
struct Motion {
    center: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    spin: DVec3,
}

impl Motion {
    /// This and `h` times a rate, not yet of unit length.
    fn after(&self, rate: &Self, h: f64) -> Self {
        Self {
            center: self.center + rate.center * h,
            rotation: self.rotation + rate.rotation * h,
            velocity: self.velocity + rate.velocity * h,
            spin: self.spin + rate.spin * h,
        }
    }
}

/// Bodies, the joints between them, and where they are.
#[derive(Clone, Debug)]
pub(crate) struct Articulated {
    bodies: Vec<RigidBody>,
    joints: Vec<BallJoint>,
    gravity: DVec3,
    motions: Vec<Motion>,
}

impl Articulated {
    /// At the start.
    pub fn new(bodies: Vec<RigidBody>, joints: Vec<BallJoint>, gravity: DVec3) -> Self {
        let start = |b: &RigidBody| Motion {
            center: b.center,
            rotation: DQuat::IDENTITY,
            velocity: b.velocity,
            spin: b.spin,
        };
        Self { motions: bodies.iter().map(start).collect(), bodies, joints, gravity }
    }

    /// Where a point of a body is that started at `start`.
    pub fn point(&self, body: usize, start: DVec3) -> DVec3 {
        let motion = &self.motions[body];
        motion.rotation * (start - self.bodies[body].center) + motion.center
    }

    /// Goes on by `seconds` in `steps` steps.
    pub fn advance(&mut self, seconds: f64, steps: usize) {
        let h = seconds / steps as f64;
        for _ in 0..steps {
            let stage = |rates: &[Motion], h: f64| -> Vec<Motion> {
                self.motions.iter().zip(rates).map(|(m, rate)| m.after(rate, h)).collect()
            };
            let first = self.rates(&self.motions);
            let second = self.rates(&stage(&first, 0.5 * h));
            let third = self.rates(&stage(&second, 0.5 * h));
            let fourth = self.rates(&stage(&third, h));
            for (k, motion) in self.motions.iter_mut().enumerate() {
                for (rates, share) in [(&first, 1.0), (&second, 2.0), (&third, 2.0), (&fourth, 1.0)] {
                    *motion = motion.after(&rates[k], share * h / 6.0);
                }
                motion.rotation = motion.rotation.normalize();
            }
            self.close();
        }
    }

    /// d/dt of everything.
    fn rates(&self, motions: &[Motion]) -> Vec<Motion> {
        let frames = self.frames(motions);
        let mut rates: Vec<Motion> = Vec::new();
        for (motion, frame) in motions.iter().zip(&frames) {
            let spin = motion.spin;
            let half = DQuat::from_xyzw(0.5 * spin.x, 0.5 * spin.y, 0.5 * spin.z, 0.0);
            rates.push(Motion {
                center: motion.velocity,
                rotation: half * motion.rotation,
                velocity: self.gravity,
                spin: frame.inverse_inertia * -spin.cross(frame.inertia * spin),
            });
        }
        // How fast the joints would part if nothing held them: along the free accelerations, and by turning alone.
        let point = |k: usize, arm: DVec3| {
            let spin = motions[k].spin;
            rates[k].velocity + rates[k].spin.cross(arm) + spin.cross(spin.cross(arm))
        };
        let apart = self.across(&frames, point, |_| DVec3::ZERO);
        for (k, velocity, spin) in self.least(&frames, apart) {
            rates[k].velocity += velocity;
            rates[k].spin += spin;
        }
        rates
    }

    /// Closes what has opened at the joints, in places and in velocities.
    fn close(&mut self) {
        if self.joints.is_empty() {
            return;
        }
        let frames = self.frames(&self.motions);
        let gaps = self.across(&frames, |k, arm| self.motions[k].center + arm, |joint| joint.position);
        for (k, shift, turn) in self.least(&frames, gaps) {
            let motion = &mut self.motions[k];
            motion.center += shift;
            motion.rotation = (DQuat::from_scaled_axis(turn) * motion.rotation).normalize();
        }
        let frames = self.frames(&self.motions);
        let point = |k: usize, arm: DVec3| self.motions[k].velocity + self.motions[k].spin.cross(arm);
        let parting = self.across(&frames, point, |_| DVec3::ZERO);
        for (k, velocity, spin) in self.least(&frames, parting) {
            self.motions[k].velocity += velocity;
            self.motions[k].spin += spin;
        }
    }

    fn frames(&self, motions: &[Motion]) -> Vec<Frame> {
        let frame = |(body, motion): (&RigidBody, &Motion)| {
            let turn = DMat3::from_quat(motion.rotation.normalize());
            let inertia = turn * body.inertia * turn.transpose();
            Frame { turn, inertia, inverse_inertia: inertia.inverse() }
        };
        self.bodies.iter().zip(motions).map(frame).collect()
    }

    /// From the centre of body `k` to a joint.
    fn arm(&self, frames: &[Frame], joint: &BallJoint, k: usize) -> DVec3 {
        frames[k].turn * (joint.position - self.bodies[k].center)
    }

    /// For each joint what the first body does there minus what the second does; `world` says what the world does.
    fn across(
        &self,
        frames: &[Frame],
        at: impl Fn(usize, DVec3) -> DVec3,
        world: impl Fn(&BallJoint) -> DVec3,
    ) -> Vec<DVec3> {
        let side = |joint: &BallJoint, k: Option<usize>| {
            k.map_or_else(|| world(joint), |k| at(k, self.arm(frames, joint, k)))
        };
        self.joints.iter().map(|joint| side(joint, joint.bodies[0]) - side(joint, joint.bodies[1])).collect()
    }

    /// −M⁻¹Jᵀ(J M⁻¹Jᵀ)⁻¹ apart: what closes it with the least ‖·‖_M, body by body.
    fn least(&self, frames: &[Frame], apart: Vec<DVec3>) -> Vec<(usize, DVec3, DVec3)> {
        const SIGNS: [f64; 2] = [1.0, -1.0];
        let n = 3 * self.joints.len();
        let mut matrix = vec![vec![0.0; n]; n];
        for (i, a) in self.joints.iter().enumerate() {
            for (j, b) in self.joints.iter().enumerate() {
                for (k, sign) in a.bodies.iter().zip(SIGNS) {
                    for (l, other) in b.bodies.iter().zip(SIGNS) {
                        let (Some(k), true) = (*k, k == l) else { continue };
                        let arms = [a, b].map(|joint| cross_matrix(self.arm(frames, joint, k)));
                        let block = DMat3::from_diagonal(DVec3::splat(1.0 / self.bodies[k].mass))
                            - arms[0] * frames[k].inverse_inertia * arms[1];
                        for r in 0..3 {
                            for c in 0..3 {
                                matrix[3 * i + r][3 * j + c] += sign * other * block.row(r)[c];
                            }
                        }
                    }
                }
            }
        }
        let solution = solve(matrix, apart.iter().flat_map(|gap| gap.to_array()).collect());
        let mut pushes = Vec::new();
        for (joint, push) in self.joints.iter().zip(solution.chunks_exact(3)) {
            let push = -DVec3::from_slice(push);
            for (k, sign) in joint.bodies.iter().zip(SIGNS) {
                let Some(k) = *k else { continue };
                let push = push * sign;
                let torque = self.arm(frames, joint, k).cross(push);
                pushes.push((k, push / self.bodies[k].mass, frames[k].inverse_inertia * torque));
            }
        }
        pushes
    }
}

/// A body's axes and its inertia along those of the world.
struct Frame {
    turn: DMat3,
    inertia: DMat3,
    inverse_inertia: DMat3,
}

/// a× as a matrix.
fn cross_matrix(a: DVec3) -> DMat3 {
    DMat3::from_cols(a.cross(DVec3::X), a.cross(DVec3::Y), a.cross(DVec3::Z))
}

/// Gaussian elimination with row pivots; what is redundant gets no multiplier.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    let largest = (0..n).map(|i| matrix[i][i].abs()).fold(0.0, f64::max);
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs())).unwrap_or(i);
        matrix.swap(i, pivot);
        right.swap(i, pivot);
        if matrix[i][i].abs() < 1e-12 * largest {
            matrix[i].fill(0.0);
            (matrix[i][i], right[i]) = (1.0, 0.0);
        }
        for row in i + 1..n {
            let factor = matrix[row][i] / matrix[i][i];
            for column in i..n {
                matrix[row][column] -= factor * matrix[i][column];
            }
            right[row] -= factor * right[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

    impl Articulated {
        fn energy(&self) -> f64 {
            let of = |(body, motion): (&RigidBody, &Motion)| {
                let turn = DMat3::from_quat(motion.rotation);
                let spin = turn.transpose() * motion.spin;
                0.5 * body.mass * motion.velocity.length_squared() + 0.5 * spin.dot(body.inertia * spin)
                    - body.mass * self.gravity.dot(motion.center)
            };
            self.bodies.iter().zip(&self.motions).map(of).sum()
        }

        fn angular_momentum(&self) -> DVec3 {
            let of = |(body, motion): (&RigidBody, &Motion)| {
                let turn = DMat3::from_quat(motion.rotation);
                let own = turn * (body.inertia * (turn.transpose() * motion.spin));
                own + motion.center.cross(motion.velocity) * body.mass
            };
            self.bodies.iter().zip(&self.motions).map(of).sum()
        }

        fn gap(&self) -> f64 {
            let at = |joint: &BallJoint, k: Option<usize>| {
                k.map_or(joint.position, |k| self.point(k, joint.position))
            };
            let gap = |joint: &BallJoint| at(joint, joint.bodies[0]).distance(at(joint, joint.bodies[1]));
            self.joints.iter().map(gap).fold(0.0, f64::max)
        }
    }

    #[test]
    fn a_free_box_keeps_energy_and_angular_momentum() {
        let body = RigidBody::cuboid(2.0, DVec3::X, DVec3::new(0.2, 0.5, 1.1));
        let spin = DVec3::new(0.1, 6.0, 0.2); // about the middle axis: it tumbles
        let body = RigidBody { velocity: DVec3::Y, spin, ..body };
        let mut system = Articulated::new(vec![body], vec![], DVec3::ZERO);
        let (energy, momentum) = (system.energy(), system.angular_momentum());
        let mut turned: f64 = 0.0;
        for _ in 0..20 {
            system.advance(0.1, 1000);
            turned = turned.max(system.motions[0].spin.distance(spin));
        }
        assert!(turned > 3.0, "{turned}");
        assert!((system.energy() / energy - 1.0).abs() < 1e-10, "{:e}", system.energy() / energy - 1.0);
        assert!(system.angular_momentum().distance(momentum) < 1e-10 * momentum.length());
    }

    /// ∫ over a swing from rest at this angle: 2π√(I/(mgd))/agm(1, cos(θ/2)).
    fn period(inertia: f64, moment: f64, angle: f64) -> f64 {
        let (mut a, mut b) = (1.0, (0.5 * angle).cos());
        for _ in 0..8 {
            (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
        }
        std::f64::consts::TAU * (inertia / (9.81 * moment)).sqrt() / a
    }

    #[test]
    fn a_compound_pendulum_is_back_after_its_period() {
        let (mass, size) = (3.0, DVec3::new(1.0, 0.2, 0.4));
        let body = RigidBody::cuboid(mass, DVec3::X * 0.5, size);
        let joint = BallJoint { bodies: [None, Some(0)], position: DVec3::ZERO };
        let mut system = Articulated::new(vec![body], vec![joint], GRAVITY);
        let inertia = mass * ((1.0 + 0.04) / 12.0 + 0.25);
        // From the horizontal: a quarter turn to each side.
        system.advance(period(inertia, mass * 0.5, 0.5 * std::f64::consts::PI), 10_000);
        assert!(system.point(0, DVec3::X).distance(DVec3::X) < 1e-9, "{}", system.point(0, DVec3::X));
        assert!(system.gap() < 1e-14);
    }

    /// Angles of two bars from the vertical and their rates: d/dt for bars of unit mass and length with their centres in their
    /// middles, from the Lagrangian in the two angles.
    fn double_pendulum(state: [f64; 4], inertia: f64) -> [f64; 4] {
        let [a, b, da, db] = state;
        let (c, s) = ((a - b).cos(), (a - b).sin());
        let [first, coupling, second] = [0.25 + inertia + 1.0, 0.5 * c, 0.25 + inertia];
        let right = [-0.5 * s * db * db - 1.5 * 9.81 * a.sin(), 0.5 * s * da * da - 0.5 * 9.81 * b.sin()];
        let determinant = first * second - coupling * coupling;
        let dda = (second * right[0] - coupling * right[1]) / determinant;
        let ddb = (first * right[1] - coupling * right[0]) / determinant;
        [da, db, dda, ddb]
    }

    #[test]
    fn a_planar_double_pendulum_agrees_with_its_two_angles() {
        let size = DVec3::new(1.0, 0.1, 0.1);
        let bars = [0.5, 1.5].map(|x| RigidBody::cuboid(1.0, DVec3::X * x, size)).to_vec();
        let hung = BallJoint { bodies: [Some(0), None], position: DVec3::ZERO };
        let elbow = BallJoint { bodies: [Some(0), Some(1)], position: DVec3::X };
        let mut system = Articulated::new(bars, vec![hung, elbow], GRAVITY);
        let energy = system.energy();

        let mut state = [0.5 * std::f64::consts::PI, 0.5 * std::f64::consts::PI, 0.0, 0.0];
        let (steps, h) = (20_000, 1e-4);
        let inertia = (1.0 + 0.01) / 12.0;
        for _ in 0..steps {
            let add = |rate: [f64; 4], h: f64| std::array::from_fn(|i| state[i] + h * rate[i]);
            let first = double_pendulum(state, inertia);
            let second = double_pendulum(add(first, 0.5 * h), inertia);
            let third = double_pendulum(add(second, 0.5 * h), inertia);
            let fourth = double_pendulum(add(third, h), inertia);
            for i in 0..4 {
                state[i] += h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]);
            }
        }
        system.advance(steps as f64 * h, steps);
        let along = |angle: f64| DVec3::new(angle.sin(), -angle.cos(), 0.0);
        let elbow = along(state[0]);
        let end = elbow + along(state[1]);
        assert!(system.point(0, DVec3::X).distance(elbow) < 1e-8, "{} {elbow}", system.point(0, DVec3::X));
        assert!(system.point(1, DVec3::X * 2.0).distance(end) < 1e-8);
        assert!((system.energy() - energy).abs() < 1e-9 && system.gap() < 1e-14);
    }

    #[test]
    fn a_closed_ring_stays_closed() {
        let n = 6;
        let place = |k: f64| {
            DVec3::new(
                (std::f64::consts::TAU * k / n as f64).cos(),
                0.0,
                (std::f64::consts::TAU * k / n as f64).sin(),
            )
        };
        let bead = |k: usize| RigidBody::cuboid(1.0, place(k as f64), DVec3::splat(0.2));
        let joint =
            |k: usize| BallJoint { bodies: [Some(k), Some((k + 1) % n)], position: place(k as f64 + 0.5) };
        let mut joints: Vec<_> = (0..n).map(joint).collect();
        joints.push(BallJoint { bodies: [Some(0), None], position: place(0.0) });
        let mut system = Articulated::new((0..n).map(bead).collect(), joints, GRAVITY);
        let energy = system.energy();
        system.advance(0.5, 1000);
        assert!((system.energy() - energy).abs() < 1e-6, "{}", system.energy() - energy);
        assert!(system.gap() < 1e-13, "{:e}", system.gap());
        assert!(system.point(3, DVec3::ZERO).y < -0.5);
    }
}
