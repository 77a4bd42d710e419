//! Other ways to keep the energy, on the same scenes.

mod constrained;
mod rows;
mod velocity_first;

use super::grid::{Grid, STEPS, log_error, trial, truth};
use super::scenes::{LISTS, TUNED};
use crate::{Document, Experiment, Finding, Length, Trial};
use constrained::Constrained;
use sinew_scene::run::{Run, Stepper};
use velocity_first::VelocityFirst;

/// A method that the engine does not have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rival {
    /// [`VelocityFirst`].
    VelocityFirst,
    /// [`Constrained`].
    Constrained,
}

impl Rival {
    /// What makes its steps.
    pub fn stepper(self) -> Box<dyn Stepper> {
        match self {
            Self::VelocityFirst => Box::new(VelocityFirst::default()),
            Self::Constrained => Box::new(Constrained::new(ITERATIONS)),
        }
    }
}

/// Iterations of a step, of all methods.
const ITERATIONS: usize = 20;
/// Length of the runs, s.
const SECONDS: usize = 10;
/// The rules under the corrections: the one with the most to correct, and the default's.
const BASES: [&str; 2] = ["backward-euler", "sdirk2"];
/// Constrained Projective Dynamics, by its name in tables.
const CONSTRAINED: &str = "constrained PD";

pub(crate) const RIVALS_MOTION: Experiment = Experiment {
    id: "rivals-motion",
    title: "visible motion with other corrections, against the truth",
    document: Document::Sinew,
    figure: "Table",
    claim: "Of the methods that keep H, energy projection leaves the motion nearest to the truth.",
    trials,
    judge,
    draw: |runs| Grid::new(runs).figure(),
};

/// Names and overrides of the corrections, and who applies them.
const CORRECTIONS: [(&str, &[&str], Option<Rival>); 6] = [
    ("", &["correction.kind=none"], None),
    (" + fepr", &["correction.kind=fepr"], None),
    (" + resolved", &["correction.kind=fepr", "fepr.return=resolved"], None),
    (" + blend", &["correction.kind=blend"], None),
    (" + velocity-projection", &["correction.kind=velocity-projection"], None),
    (" + velocity first", &["correction.kind=velocity-projection"], Some(Rival::VelocityFirst)),
];

fn trials(length: Length) -> Vec<Trial> {
    let (lists, steps) = (length.pick(&LISTS[..1], &LISTS[..]), length.pick(&STEPS[..1], &STEPS[..]));
    let mut trials = Vec::new();
    for list in lists {
        for scene in list.scenes {
            trials.push(truth(list, scene, SECONDS));
            for &step in steps {
                let trial = |name: &str| trial(list, scene, name, step, SECONDS);
                for base in BASES {
                    for (correction, set, rival) in CORRECTIONS {
                        let rule = [
                            &*format!("integrator.kind={base}"),
                            &*format!("solver.iterations={ITERATIONS}"),
                        ];
                        let trial = trial(&format!("{base}{correction}")).with(&rule).with(set);
                        trials.push(match rival {
                            Some(rival) => trial.by(rival),
                            None => trial,
                        });
                    }
                }
                if !scene.bones {
                    // The rule of the scene only moves time on.
                    let explicit = ["integrator.kind=symplectic-euler"];
                    trials.push(trial(CONSTRAINED).with(&explicit).by(Rival::Constrained));
                }
            }
        }
    }
    trials
}

fn judge(runs: &[Run]) -> Finding {
    let grid = Grid::new(runs);
    let mut finding = grid.tables().into_iter().fold(Finding::default(), Finding::table);
    for list in LISTS {
        let errors = |variant: &str| log_error(grid.of(list, variant));
        for base in BASES {
            for (correction, ..) in CORRECTIONS {
                let variant = format!("{base}{correction}");
                finding = finding.number(
                    format!("{}: mean |ln kept| of {variant}", list.name),
                    None,
                    errors(&variant),
                );
            }
        }
        finding = finding.number(
            format!("{}: mean |ln kept| of {CONSTRAINED}", list.name),
            None,
            errors(CONSTRAINED),
        );
    }
    let _ = &TUNED;
    finding.remark(REMARK)
}

const REMARK: &str = "";
