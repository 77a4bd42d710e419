//! Every constant of the projection, and what each was measured on.
//!
//! | constant | value | set on | how |
//! |---|---|---|---|
//! | [`NARROW`] | 0.075 | free cube | fewest evaluations among 0.05 to 0.1 |
//! | [`MET`] | 5e-10 | definition | half of the promise, H ≤ H_total + 1e-9 of the energy scale |
//! | [`ITERATIONS`] | 10 | trampoline, 20 iterations of Projective Dynamics | 2 are needed in the mean |
//! | [`TRIALS`], [`PROGRESS`] | 3, 0.05 | not measured | a gradient and a solve cost more than a trial |
//! | [`REACH`] | 8 | not measured | a bound against explosions, far from what steady motion needs |
//! | [`EASE`] | 0.1 | trampoline 61 × 61 | evaluations 5.7 → 4.7 a step; see there for what it does not do |
//! | [`ROUNDING`], [`NOISE`] | 1e-21, 1e-18 | bodies at rest | nothing that rounding stores is amplified |
//! | [`STIFFNESS_SHARE`] | 0.5 | not measured | for the first guess of a step length only |
//! | [`WIDE_BELOW`], [`WIDE_ABOVE`] | 0.5, 1.5 | not measured | a scaling of w that is still a small change |
//! | [`SMALL_DEFICIT`] | 0.02 | not measured | what may wait for the next step |
//! | [`SLOWEST`] | 0.95 | not measured | a slowing that nobody sees |
//! | [`WALK`] | 5 | not measured | points between candidate and witness |
//! | [`STILL`] | 1e-6 | not measured | below it w is no direction |
//! | [`WITHOUT_NORMALS`] | 1e-3 | not measured | share of the normal forces that counts as none |
//! | [`RETURN`] | 4 | the tuned scenes of `sinew paper motion`, BDF2 at 1/30 s, while choosing | mean of abs ln(kept/true): 1: 0.58, 2: 0.35, 4: 0.20, 8: 0.21, all: 0.36 |
//! | [`RETURN_TWO_STAGES`] | 8 | the same with SDIRK2, solved to 0.4 % | 4: 0.19, 8: 0.14, 16: 0.20, all: 0.27 at 1/30; 0.14, 0.09, 0.13, 0.25 at 1/60 |
//! | [`RESTART_ITERATIONS`], [`RESTART_HALVINGS`] | 12, 12 | not measured | bounds of a descent that seldom runs |

/// Scaling of w that ends the iteration. Its effect on how much motion a trampoline keeps is within the scatter described at [`EASE`].
pub(super) const NARROW: f64 = 0.075;
/// Residual, as a share of the energy scale, that counts as met.
pub(super) const MET: f64 = 5e-10;
/// Iterations before the fallbacks.
pub(super) const ITERATIONS: usize = 10;
/// Energy evaluations of one line search.
pub(super) const TRIALS: usize = 3;
/// Share of the residual that may be left for the next linearisation: above it another trial along the same direction is
/// cheaper than a gradient and a solve.
pub(super) const PROGRESS: f64 = 0.05;
/// Trust radius in units of h√(2Es): the distance that the whole energy could move the body.
pub(super) const REACH: f64 = 8.0;
/// ν of the velocity metric D_v = νh²M where energy is missing: what damping took is rather given back as motion than
/// as strain. Among 1, 0.5, 0.25 and 0.1 the trampoline kept 0.81, 0.79, 0.90 and 1.00 of the kinetic energy over 10 s but 0.92, 0.82, 0.91
/// and 0.72 over 20 s: scatter, not a trend. Means over 2 s wander between 0.3 and 0.5 J at 20 iterations of Projective Dynamics, whatever
/// the constant. What 0.1 did save is evaluations.
pub(super) const EASE: f64 = 0.1;
/// Energy scale of a body at rest, as a share of stiffness × size²: what rounding stores, over [`MET`].
pub(super) const ROUNDING: f64 = 1e-21;
/// How much of L the true Hessian is.
pub(super) const STIFFNESS_SHARE: f64 = 0.5;
/// A deformation velocity with less than this share of the energy scale is rounding and is not amplified.
pub(super) const NOISE: f64 = 1e-18;
/// Bounds of a scaling of w that is still a small change.
pub(super) const WIDE_BELOW: f64 = 0.5;
/// See [`WIDE_BELOW`].
pub(super) const WIDE_ABOVE: f64 = 1.5;
/// Deficit, as a share of the energy scale, that may wait for the next step.
pub(super) const SMALL_DEFICIT: f64 = 0.02;
/// Least factor on all velocities of a supported body.
pub(super) const SLOWEST: f64 = 0.95;
/// Points on the way to the witness.
pub(super) const WALK: usize = 5;
/// Share of the normal forces below which a direction counts as free of them.
pub(in crate::correction) const WITHOUT_NORMALS: f64 = 1e-3;
/// Descent steps of a restart.
pub(super) const RESTART_ITERATIONS: usize = 12;
/// κ: how many times the loss of the visible motion is given back at most, where only that is.
pub(super) const RETURN: f64 = 4.0;
/// The same for the rules with two stages.
pub(super) const RETURN_TWO_STAGES: f64 = 8.0;
/// Halvings of such a step.
pub(super) const RESTART_HALVINGS: usize = 12;
