//! A run to compare others with: the same scene in steps so small that no solver, and no correction, has a say.
//!
//! Where it can, it uses the explicit symplectic Euler rule, which needs no solver and no correction and takes nothing from any motion as long as its steps
//! resolve it. Bones and contact need an implicit rule: the midpoint rule then, solved by Newton's method. Frames, and so the windows of the visible motion, are
//! those of the scene.

use super::{Report, Run};
use crate::build::{BuiltScene, build};
use crate::format::{
    Correction, CorrectionKind, Fepr, Integrator, IntegratorKind, ParsedScene, SceneError, Solver, SolverKind,
};
use serde::Serialize;
use std::path::Path;

/// A truth whose own energy drifts by more than this share of the energy in motion is none.
const MOST_DRIFT: f64 = 0.1;

/// The true motion of a scene, as far as small steps can tell.
#[derive(Debug)]
pub struct Truth {
    /// The run that computes it; has to reach its end before there is anything to compare.
    pub run: Run,
    finer: usize,
}

/// The visible motion of a run over that of the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TruthShare {
    /// Mean visible motion of the last fifth over that of the truth; `None` if one of them did not reach its end, or if the truth does not move.
    pub visible: Option<f64>,
    /// Frequency of the visible motion over that of the truth; `None` also if one of them has none.
    pub frequency: Option<f64>,
}

impl Truth {
    /// The truth of a scene of that many frames; each is `finer` steps.
    ///
    /// # Errors
    /// [`SceneError`] if the scene cannot be built, or not be simulated so.
    pub fn new(
        name: impl Into<String>,
        parsed: &ParsedScene,
        folder: &Path,
        frames: usize,
        finer: usize,
    ) -> Result<Self, SceneError> {
        let finer = finer.max(1);
        let with = |rule| build(&in_small_steps(parsed, rule, finer), folder);
        let explicit =
            if parsed.scene.has_contact() { None } else { with(IntegratorKind::SymplecticEuler).ok() };
        let built: BuiltScene = match explicit {
            Some(built) if built.model().bone_count() == 0 => built,
            _ => with(IntegratorKind::ImplicitMidpoint)?,
        };
        let run = Run::in_substeps(name, built, frames, (finer, parsed.scene.h));
        Ok(Self { run, finer })
    }

    /// Whether this is also the truth of another scene of that many frames.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let key = |truth: &Self| (truth.run.scene.fingerprint, truth.run.frames, truth.finer);
        key(self) == key(other)
    }

    /// How it is computed, in a sentence.
    pub fn method(&self) -> String {
        let settings = self.run.scene().settings();
        let rule = settings.integrator.name();
        let how = if settings.integrator.is_explicit() {
            rule.to_owned()
        } else {
            format!("{rule}, solved by {} because the scene has bones or contact", settings.solver.name())
        };
        let finer = self.finer;
        format!("{} is {how}; {finer} steps a frame, no correction", self.run.name())
    }

    /// What makes it useless or doubtful, in a sentence; `None` if it is fine.
    pub fn doubt(&self) -> Option<String> {
        let report = self.run.report();
        let (name, finer) = (self.run.name(), self.finer);
        if let Some(failure) = &report.failure {
            return Some(format!("{name} has no result: {failure}; take a larger --truth than {finer}"));
        }
        if report.exploded {
            return Some(format!(
                "{name} has no result: a body grew beyond 100 times its size; take a larger --truth than {finer}"
            ));
        }
        let drift = report.energy.drift;
        (drift > MOST_DRIFT).then(|| {
            format!(
                "do not rely on {name}: its own energy drifts by {drift:.2} of the energy in motion; \
                 take a larger --truth than {finer}"
            )
        })
    }

    /// What share of the true motion a run has.
    pub fn share_of(&self, report: &Report) -> TruthShare {
        let truth = self.run.report();
        let complete = |report: &Report| report.failure.is_none() && report.frames == self.run.frames();
        if !complete(&truth) || !complete(report) || truth.exploded {
            return TruthShare::default();
        }
        let over = |ours: Option<f64>, true_one: Option<f64>| Some(ours? / true_one.filter(|x| *x > 0.0)?);
        TruthShare {
            visible: over(report.motion.visible_last, truth.motion.visible_last),
            frequency: over(report.motion.visible_hz, truth.motion.visible_hz),
        }
    }
}

/// The same bodies and forces, in steps of h/`finer`. Damping is part of the scene and stays.
fn in_small_steps(parsed: &ParsedScene, rule: IntegratorKind, finer: usize) -> ParsedScene {
    let mut parsed = parsed.clone();
    let scene = &mut parsed.scene;
    scene.h /= finer as f64;
    scene.integrator = Integrator { kind: Some(rule), ..Integrator::default() };
    scene.solver = Solver { kind: SolverKind::Newton, ..Solver::default() };
    scene.correction = Correction { kind: CorrectionKind::None, ..Correction::default() };
    scene.fepr = Fepr::default();
    parsed
}
