//! The energy of a motion, by the same formula for all simulators, and how much of it was kept.
//!
//! kept(t) = (H(t) − H_static)/(H(0) − H_static): 1 for a motion that lost nothing, 0 for a body that hangs still. H_static is the smallest
//! potential energy, that of the body in equilibrium.

use crate::error::BenchError;
use glam::DVec3;
use sinew::{
    Acceleration, Budget, Correction, Integrator, Model, Precision, Settings, Simulator, Solver, State,
};
use sinew_scene::run::Visible;
use std::sync::Arc;

/// Length of the first and of the last part of a motion whose kinetic energies are compared, s.
const PART: f64 = 2.0;

/// Energies of one frame, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Σ ½mv².
    pub kinetic: f64,
    /// Elastic and gravity.
    pub potential: f64,
    /// Depth of the lowest vertex below the lowest initial position, m.
    pub depth: f64,
    /// Visible motion: kinetic energy of displacements over a tenth of a second; NaN at first.
    pub visible: f64,
}

impl Frame {
    fn total(self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Computes energies of positions and velocities with the potentials of a model.
pub struct Scale {
    model: Arc<Model>,
    state: State,
    visible: Visible,
    /// Frames of the motion at hand, and the time between two, s.
    frames: usize,
    h: f64,
    /// H_static, J.
    floor: f64,
    /// Depth of the equilibrium, m.
    pub sag: f64,
}

impl Scale {
    /// Finds the equilibrium from the initial state.
    pub fn new(model: Arc<Model>, start: &State, h: f64) -> Result<Self, BenchError> {
        let rest = equilibrium(&model, start)?;
        let lowest = lowest(start.positions());
        let (floor, sag) = (potential(&rest), lowest - self::lowest(rest.positions()));
        let visible = Visible::new(start.mass_points(&model));
        Ok(Self { state: start.clone(), visible, frames: 0, h, floor, sag, model })
    }

    /// Begins another motion.
    pub fn restart(&mut self) {
        self.frames = 0;
        self.visible.restart();
    }

    /// The energies of a frame; `None` if it is not finite. Pinned vertices are placed where they are pinned, because rivals round them.
    pub fn weigh(&mut self, x: &[DVec3], v: &[DVec3]) -> Option<Frame> {
        let (model, start) = (Arc::clone(&self.model), lowest(self.model.rest()));
        let mut state = self.state.clone();
        let set = state.edit(&model, |to_x, to_v| {
            for i in (0..to_x.len()).filter(|&i| !model.is_held(i)) {
                to_x[i] = x.get(i).copied().unwrap_or(DVec3::NAN);
                to_v[i] = v.get(i).copied().unwrap_or(DVec3::NAN);
            }
        });
        set.ok()?;
        let time = self.frames as f64 * self.h;
        self.frames += 1;
        let frame = Frame {
            kinetic: state.ledger().kinetic,
            potential: potential(&state),
            depth: start - lowest(x),
            visible: self.visible.observe(state.mass_points(&model), time, self.h),
        };
        frame.total().is_finite().then_some(frame)
    }

    /// The energy of the equilibrium, J.
    pub fn floor(&self) -> f64 {
        self.floor
    }
}

fn potential(state: &State) -> f64 {
    state.ledger().energy() - state.ledger().kinetic
}

fn lowest(x: &[DVec3]) -> f64 {
    x.iter().map(|p| p.y).fold(f64::INFINITY, f64::min)
}

/// Steps of one second from rest, repeated: implicit descent of the potential energy.
fn equilibrium(model: &Arc<Model>, start: &State) -> Result<State, BenchError> {
    const ROUNDS: usize = 60;
    let refuse = |error: &dyn std::fmt::Display| BenchError::CannotRun(format!("no equilibrium: {error}"));
    let settings = Settings {
        h: 1.0,
        integrator: Integrator::BackwardEuler,
        solver: Solver::ProjectiveDynamics {
            budget: Budget::to(300, 1e-9),
            acceleration: Acceleration::Lbfgs { history: 10, preconditioner: Precision::Double },
        },
        correction: Correction::None,
        ..Settings::plain()
    };
    let mut simulator = Simulator::new(Arc::clone(model), settings).map_err(|e| refuse(&e))?;
    let mut state = start.clone();
    let before = potential(start);
    for _ in 0..ROUNDS {
        let last = potential(&state);
        simulator.step(&mut state).map_err(|e| refuse(&e))?;
        state.edit(model, |_, v| v.fill(DVec3::ZERO)).map_err(|e| refuse(&e))?;
        if last - potential(&state) <= 1e-7 * (before - potential(&state)).abs() {
            break;
        }
    }
    Ok(state)
}

/// A motion, and whether it succeeded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The initial state first.
    pub frames: Vec<Frame>,
    /// Number of requested frames.
    pub wanted: usize,
    /// Whether a frame was no longer finite.
    pub exploded: bool,
}

/// What a motion kept of its energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kept {
    /// Share of the energy at the end.
    pub energy: f64,
    /// The part of it that is potential energy.
    pub potential: f64,
    /// Largest kinetic energy of the last two seconds over that of the first two; NaN for less than four seconds.
    pub kinetic: f64,
    /// Mean visible motion of the last two seconds over that of the first two; NaN for less than four seconds.
    pub visible: f64,
    /// Mean depth of the lowest vertex in the last two seconds, m.
    pub sag: f64,
    /// Time of the measurement, s.
    pub time: f64,
}

impl Motion {
    /// Measures a motion, given the energy of the equilibrium and the time step.
    pub fn kept(&self, floor: f64, h: f64) -> Option<Kept> {
        let (first, last) = (self.frames.first()?, self.frames.last()?);
        let part = (PART / h).round() as usize;
        let peak = |frames: &[Frame]| frames.iter().map(|f| f.kinetic).fold(0.0, f64::max);
        let end = &self.frames[self.frames.len().saturating_sub(part)..];
        let kinetic =
            if self.frames.len() > 2 * part { peak(end) / peak(&self.frames[..part]) } else { f64::NAN };
        let mean = |frames: &[Frame]| {
            let known = frames.iter().map(|f| f.visible).filter(|v| v.is_finite());
            known.clone().sum::<f64>() / known.count() as f64
        };
        let visible =
            if self.frames.len() > 2 * part { mean(end) / mean(&self.frames[..part]) } else { f64::NAN };
        Some(Kept {
            energy: (last.total() - floor) / (first.total() - floor),
            potential: (last.potential - floor) / (first.total() - floor),
            kinetic,
            visible,
            sag: end.iter().map(|f| f.depth).sum::<f64>() / end.len() as f64,
            time: (self.frames.len() - 1) as f64 * h,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::subject::{Scene, Subject};

    /// ½mv² + ½kx² about −1 J: x = cos t, decaying.
    fn oscillation(decay: f64, seconds: usize) -> Motion {
        let frame = |i: usize| {
            let t = i as f64 * 0.1;
            let amplitude = (-decay * t).exp();
            Frame {
                kinetic: amplitude * t.sin().powi(2),
                potential: amplitude * t.cos().powi(2) - 1.0,
                depth: t,
                visible: amplitude,
            }
        };
        Motion { frames: (0..=10 * seconds).map(frame).collect(), wanted: 10 * seconds, exploded: false }
    }

    #[test]
    fn kept_is_the_energy_above_the_equilibrium() {
        let kept = oscillation(0.0, 10).kept(-1.0, 0.1).unwrap();
        assert!((kept.energy - 1.0).abs() < 1e-12 && (kept.time - 10.0).abs() < 1e-12, "{kept:?}");
        let kept = oscillation(0.2, 10).kept(-1.0, 0.1).unwrap();
        assert!((kept.energy - (-2.0f64).exp()).abs() < 1e-12, "{kept:?}");
        // The largest of the first twenty frames is at 1.5 s, of the last twenty (they begin at 8.1 s) the first.
        let kinetic = |t: f64| (-0.2 * t).exp() * t.sin().powi(2);
        assert!((kept.kinetic - kinetic(8.1) / kinetic(1.5)).abs() < 1e-12, "{kept:?}");
        assert!((kept.sag - 9.05).abs() < 1e-9, "{kept:?}");
        // The last twenty frames begin 8.1 s after the first twenty.
        assert!((kept.visible - (-0.2f64 * 8.1).exp()).abs() < 1e-12, "{kept:?}");
    }

    #[test]
    fn a_short_motion_has_no_ratio_of_kinetic_energies() {
        assert!(oscillation(0.0, 3).kept(-1.0, 0.1).unwrap().kinetic.is_nan());
        assert_eq!(Motion::default().kept(0.0, 0.1), None);
    }

    #[test]
    fn the_equilibrium_of_the_cloth_is_below_its_start_and_still() {
        let built = Subject { scene: Scene::Cloth, factor: 1.0, frames: 1 }.build().unwrap();
        let mut scale = Scale::new(Arc::clone(built.model()), &built.state, 0.1).unwrap();
        let still = vec![DVec3::ZERO; built.model().vertex_count()];
        let start = scale.weigh(built.state.positions(), &still).unwrap();
        assert_eq!((start.kinetic, start.depth), (0.0, 0.0));
        assert!(scale.floor() < start.potential - 1.0, "{} J", scale.floor());
        // A body released in equilibrium stays there.
        let (model, mut rest) = (built.model(), equilibrium(built.model(), &built.state).unwrap());
        let mut simulator = Simulator::new(Arc::clone(model), Settings::plain()).unwrap();
        simulator.step(&mut rest).unwrap();
        let kinetic = rest.ledger().kinetic / (start.potential - scale.floor());
        assert!(kinetic < 1e-5, "{kinetic} of the energy in motion");
        assert!(scale.sag > 0.0);
        assert_eq!(scale.weigh(&[DVec3::NAN], &[]), None);
    }
}
