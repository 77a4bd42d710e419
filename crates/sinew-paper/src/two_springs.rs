//! A weight between two compressed springs: a non-convex potential [dinev2018stab, App. C, Fig. 14 and 15].

use super::measure::{first, kept};
use super::{Document, Experiment, Finding, Trial, curves};
use sinew_scene::run::{Row, Run};

pub(super) const STAB_FIG15: Experiment = Experiment {
    id: "stab-fig15",
    title: "two springs, backward Euler",
    document: Document::Stabilizing,
    figure: "Fig. 15",
    claim: "On a potential that is not convex backward Euler can raise the energy now and then; the trend is down.",
    trials: |length| vec![Trial::new("backward Euler", "two-springs", length.pick(200, 600), &[])],
    judge,
    draw: curves::energy,
};

fn judge(runs: &[Run]) -> Finding {
    let run = &runs[0];
    let totals: Vec<f64> = run.rows().iter().map(Row::total).collect();
    let rises = totals.windows(2).filter(|pair| pair[1] > pair[0] * (1.0 + 1e-9)).count();
    let largest = totals.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    let highest = totals.iter().copied().fold(0.0, f64::max);
    Finding::default()
        .number("steps", None, (totals.len() - 1) as f64)
        .number("steps in which the energy rises", None, rises as f64)
        .number("largest rise over the first energy", None, largest / first(run).total())
        .number("energy kept at the end", None, kept(run))
        .claim(rises > 0, "backward Euler raises the energy in some steps")
        .claim(kept(run) < 0.5, "the trend is down")
        .claim(highest <= first(run).total() * (1.0 + 1e-12), "the rises stay bounded")
        .remark("Stiffness, mass and start are not printed: 20 N/m, 1 kg, from x = 2 m.")
}
