//! Other ways to keep the energy, on the same scenes.

mod constrained;
mod rows;
mod velocity_first;

use super::grid::{Grid, STEPS, log_error, trial, truth};
use super::scenes::{LISTS, List};
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

/// What is compared with the rivals: all energy is returned.
const FEPR: &str = " + fepr";
/// The others that keep H in every step.
const RIVALS: [&str; 3] = [" + blend", " + velocity-projection", " + velocity first"];

/// Names and overrides of the corrections, and who applies them.
const CORRECTIONS: [(&str, &[&str], Option<Rival>); 6] = [
    ("", &["correction.kind=none"], None),
    (FEPR, &["correction.kind=fepr"], None),
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
            trials.push(truth(list, scene, SECONDS, length));
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
        let name = list.name;
        if grid.of(list, BASES[0]).next().is_none() {
            continue;
        }
        for base in BASES {
            let errors = CORRECTIONS.map(|(correction, ..)| {
                (correction, log_error(grid.of(list, &format!("{base}{correction}"))))
            });
            for (correction, error) in errors {
                finding =
                    finding.number(format!("{name}: mean |ln kept| of {base}{correction}"), None, error);
            }
            let of = |correction: &str| {
                errors.iter().find(|known| known.0 == correction).and_then(|known| known.1)
            };
            let fepr = of(FEPR);
            for rival in RIVALS {
                // A rival that explodes has no error to compare: the motion is lost.
                let nearer = fepr.is_some_and(|fepr| of(rival).is_none_or(|error| fepr < error));
                finding = finding.claim(
                    nearer,
                    &format!("{name}, {base}: fepr is nearer to the truth than{}", &rival[2..]),
                );
            }
        }
        finding = judge_constrained(finding, &grid, list);
    }
    finding.remark(REMARK)
}

/// Against backward Euler with energy projection, which is the same rule, on the scenes that it covers.
fn judge_constrained(finding: Finding, grid: &Grid, list: &List) -> Finding {
    let name = list.name;
    let covered: Vec<_> = grid.of(list, CONSTRAINED).map(|cell| cell.scene).collect();
    let fepr = format!("{}{FEPR}", BASES[0]);
    let [constrained, fepr] = [CONSTRAINED, fepr.as_str()]
        .map(|variant| log_error(grid.of(list, variant).filter(|cell| covered.contains(&cell.scene))));
    finding
        .number(format!("{name}: mean |ln kept| of {CONSTRAINED}"), None, constrained)
        .number(format!("{name}: the same of backward-euler{FEPR} on its scenes"), None, fepr)
        .claim(
            fepr.is_some_and(|fepr| constrained.is_none_or(|error| fepr < error)),
            &format!("{name}, backward-euler: fepr is nearer to the truth than {CONSTRAINED}"),
        )
}

const REMARK: &str = "Corrections follow 20 iterations of L-BFGS. Velocity-projection keeps the solver's positions and scales velocities, also where that cannot help; velocity first is the same, but lets energy projection move positions there, after a second solve that a finished implementation would not need. Constrained PD is Constrained Projective Dynamics written anew from its description: backward Euler, 20 plain iterations with the energy, and for free bodies the momenta, as constraints, so 21 solves a step (22 for a free body); no bones. Kept, drift, over, cost and time as for `sinew paper motion`; constrained PD has no separate correction and so no cost of its own, see time. The blend may err by 1 % of the energy by design.";
