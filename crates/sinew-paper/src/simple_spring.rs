//! One stiff spring under implicit midpoint [dinev2018stab, Fig. 2 and 3, Eq. 7].

use super::measure::{angular_drift, first, highest};
use super::{Document, Experiment, Finding, Trial, curves};
use sinew_scene::run::Run;

pub(super) const STAB_FIG3: Experiment = Experiment {
    id: "stab-fig3",
    title: "simple spring, implicit midpoint",
    document: Document::Stabilizing,
    figure: "Fig. 3",
    claim: "At a large step implicit midpoint raises the energy by orders of magnitude and keeps angular momentum.",
    trials: |length| {
        let seconds = length.pick(1.0, 10.0);
        let frames = |h: f64| (seconds / h) as usize;
        vec![
            Trial::new("h = 33 ms", "simple-spring", frames(0.033), &[]),
            Trial::new("h = 0.33 ms", "simple-spring", frames(0.00033), &["h=0.00033"]),
        ]
    },
    judge,
    draw: curves::energy_and_spin,
};

fn judge(runs: &[Run]) -> Finding {
    let (large, small) = (&runs[0], &runs[1]);
    Finding::default()
        .number("energy at the start (J)", Some(25_000.0), first(large).total())
        .number("largest energy over the first, h = 33 ms", None, highest(large))
        .number("largest energy over the first, h = 0.33 ms", None, highest(small))
        .number("largest change of L over L, h = 33 ms", None, angular_drift(large))
        .claim(highest(large) > 100.0, "at 33 ms the energy rises by orders of magnitude")
        .claim(highest(small) < 1.1, "at 0.33 ms it does not")
        .claim(angular_drift(large) < 1e-6, "angular momentum is kept all the same")
        .remark("The 25 000 J of the text contradict its own Eq. 7, which gives 78 150 J.")
}
