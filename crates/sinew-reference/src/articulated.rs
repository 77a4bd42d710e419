//! Rigid bodies and ball joints in maximal coordinates.
//!
//! Each body has its centre x, rotation q, velocity v and angular velocity ω.
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
pub struct RigidBody {
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
pub struct BallJoint {
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
///
/// Bodies have numbers, in the order in which they were given. A number that no body has is a panic: this is for tests and
/// experiments, which know how many there are.
#[derive(Clone, Debug)]
pub struct Articulated {
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

    /// Angular velocity of a body, rad/s.
    pub fn spin(&self, body: usize) -> DVec3 {
        self.motions[body].spin
    }

    /// Kinetic energy and that of gravity, J.
    pub fn energy(&self) -> f64 {
        let of = |(body, motion): (&RigidBody, &Motion)| {
            let turn = DMat3::from_quat(motion.rotation);
            let spin = turn.transpose() * motion.spin;
            0.5 * body.mass * motion.velocity.length_squared() + 0.5 * spin.dot(body.inertia * spin)
                - body.mass * self.gravity.dot(motion.center)
        };
        self.bodies.iter().zip(&self.motions).map(of).sum()
    }

    /// About the origin, kg·m²/s.
    pub fn angular_momentum(&self) -> DVec3 {
        let of = |(body, motion): (&RigidBody, &Motion)| {
            let turn = DMat3::from_quat(motion.rotation);
            let own = turn * (body.inertia * (turn.transpose() * motion.spin));
            own + motion.center.cross(motion.velocity) * body.mass
        };
        self.bodies.iter().zip(&self.motions).map(of).sum()
    }

    /// How far the joint that is open widest is open, m.
    pub fn gap(&self) -> f64 {
        let at =
            |joint: &BallJoint, k: Option<usize>| k.map_or(joint.position, |k| self.point(k, joint.position));
        let gap = |joint: &BallJoint| at(joint, joint.bodies[0]).distance(at(joint, joint.bodies[1]));
        self.joints.iter().map(gap).fold(0.0, f64::max)
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
