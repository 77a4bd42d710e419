//! A soft cube that rotates about a fixed axle.

use super::measure::{alive, blew_up, blow_up_time, drift, first, kept, spin_kept};
use super::{Document, Experiment, Finding, Length, Trial, curves};
use sinew_scene::run::{Row, Run};

const MIDPOINT: &str = "integrator.kind=implicit-midpoint";

/// The cube of the blend's experiments; quick with 125 vertices.
fn cube(name: impl Into<String>, length: Length, frames: usize) -> Trial {
    let cells = length.pick("body.0.mesh.box.cells=[4, 4, 4]", "body.0.mesh.box.cells=[6, 7, 6]");
    Trial::new(name, "paper/spinning-cube", frames, &[cells])
}

/// Twice the stiffness of the scene.
const STIFFER: [&str; 2] = ["material.mu=2e4", "material.lambda=2e4"];

pub(super) const STAB_FIG5: Experiment = Experiment {
    id: "stab-fig5",
    title: "spinning cube, six integrators",
    document: Document::Stabilizing,
    figure: "Fig. 5",
    claim: "Backward Euler and BDF2 damp, implicit midpoint explodes, Newmark and velocity projection later; the blend keeps the energy, and L better than the damped ones.",
    trials: |length| {
        let trial = |name, set: &[&str]| cube(name, length, 3000).with(set);
        let midpoint = |name| trial(name, &[MIDPOINT]).until_it_explodes();
        let velocity =
            |name| trial(name, &[MIDPOINT, "correction.kind=velocity-projection"]).until_it_explodes();
        vec![
            trial("backward Euler", &[]),
            trial("BDF2", &["integrator.kind=bdf2"]),
            midpoint("implicit midpoint"),
            trial("Newmark", &["integrator.kind=newmark"]).until_it_explodes(),
            velocity("velocity projection"),
            trial("blend", &[MIDPOINT, "correction.kind=blend"]),
            midpoint("implicit midpoint, twice as stiff").with(&STIFFER),
            velocity("velocity projection, twice as stiff").with(&STIFFER),
        ]
    },
    judge: judge_six,
    draw: curves::energy_and_spin,
};

/// The angular momentum about the y axis before the energy grows out of bounds, over that at the start: what comes after is no solution of a step any more.
fn spin_until_explosion(run: &Run) -> f64 {
    let end = blow_up_time(run).unwrap_or(f64::INFINITY);
    let sane = run.rows().iter().take_while(|row| row.time < end).last();
    sane.map_or(f64::NAN, |row| row.angular.y / first(run).angular.y)
}

fn judge_six(runs: &[Run]) -> Finding {
    let [euler, bdf2, midpoint, newmark, velocity, blend, stiff_midpoint, stiff_velocity] =
        std::array::from_fn(|i| &runs[i]);
    let mut finding = Finding::default();
    for run in [euler, bdf2, blend] {
        finding = finding.number(format!("{}: energy kept", run.name()), None, kept(run)).number(
            format!("{}: angular momentum kept", run.name()),
            None,
            spin_kept(run),
        );
    }
    for run in [midpoint, newmark, velocity, stiff_midpoint, stiff_velocity] {
        finding =
            finding.number(format!("{}: time of explosion (s)", run.name()), None, blow_up_time(run)).number(
                format!("{}: angular momentum kept until then", run.name()),
                None,
                spin_until_explosion(run),
            );
    }
    // A run that never explodes counts as exploding after the end.
    let time = |run: &Run| blow_up_time(run).unwrap_or(f64::INFINITY);
    finding
        .number("velocity projection: energy drift", None, drift(velocity))
        .claim(kept(euler) < 0.5, "backward Euler damps out most of the energy")
        .claim(kept(bdf2) < 0.5, "so does BDF2")
        .claim(blew_up(midpoint), "implicit midpoint explodes")
        .claim(blew_up(newmark) && time(newmark) > time(midpoint), "Newmark survives longer, then explodes")
        .claim(
            blew_up(stiff_velocity) && time(stiff_velocity) > time(stiff_midpoint),
            "velocity projection survives longer, then explodes, on the stiffer cube",
        )
        .claim(drift(blend) < 0.02, "the blend keeps the energy")
        .claim(spin_kept(blend) > 2.0 * spin_kept(euler), "the blend keeps much more angular momentum than backward Euler")
        .claim(
            1.0 - spin_kept(blend) < 0.5 * (1.0 - spin_kept(bdf2)),
            "the blend keeps much more of it than BDF2: it loses less than half as much",
        )
        .claim(
            (spin_until_explosion(midpoint) - 1.0).abs() < 1e-6,
            "implicit midpoint keeps angular momentum exactly, while its steps can be solved",
        )
        .remark(&format!("3000 steps, as the paper's several thousand. Stiffness and speed of the cube are not printed, and much depends on them: on this one velocity projection misses the energy by up to {:.2} of it and does not explode, on one twice as stiff it does; on the softer scene spinning-cube nothing explodes in 600 steps. Ours has 125 vertices, with --full 392, against 386.", drift(velocity)))
}

pub(super) const FEPR_FIG18: Experiment = Experiment {
    id: "fepr-fig18",
    title: "angular momentum, blend against FEPR",
    document: Document::Fepr,
    figure: "Fig. 18",
    claim: "The blend slows a spinning cube down; FEPR keeps it turning.",
    trials: |length| {
        let frames = length.pick(300, 1500);
        let set = [
            MIDPOINT,
            "solver.kind=projective-dynamics",
            "solver.iterations=10",
            "body.0.mesh.box.cells=[8, 6, 8]",
        ];
        let trial = |name, more: &[&str]| Trial::new(name, "paper/spinning-cube", frames, &set).with(more);
        vec![
            trial("blend", &["correction.kind=blend"]),
            trial("FEPR", &["correction.kind=fepr"]),
            trial("FEPR as printed", &["correction.kind=fepr", "fepr.variant=paper"]),
        ]
    },
    judge: judge_momentum,
    draw: |runs| {
        let mut figure = curves::energy_and_spin(runs);
        figure.panels.reverse();
        figure
    },
};

fn judge_momentum(runs: &[Run]) -> Finding {
    let (blend, fepr, printed) = (&runs[0], &runs[1], &runs[2]);
    let time = fepr.report().time_ms;
    let printed_report = printed.report();
    Finding::default()
        .number("blend: angular momentum kept", None, spin_kept(blend))
        .number("FEPR: angular momentum kept", None, spin_kept(fepr))
        .number("FEPR as printed: angular momentum kept", None, spin_kept(printed))
        .number("FEPR: energy drift", None, drift(fepr))
        .number("FEPR as printed: energy drift", None, drift(printed))
        .number("FEPR: iterations per step", Some(5.2), fepr.report().correction.iterations_mean)
        .number("FEPR as printed: iterations per step", Some(5.2), printed_report.correction.iterations_mean)
        .number("FEPR: time over that of the solver", Some(7.0 / 18.0), time.correct_mean / time.solve_mean)
        .claim((spin_kept(fepr) - 1.0).abs() < 0.05, "FEPR keeps the cube turning")
        .claim(spin_kept(blend) < 0.95 * spin_kept(fepr), "the blend slows it down")
        .remark("A built-in cube of 567 vertices stands for the paper's of 602. It depends on the stiffness: on the softer scene spinning-cube-600 the blend keeps 0.998 of the angular momentum.")
}

pub(super) const STAB_ALPHA: Experiment = Experiment {
    id: "stab-alpha",
    title: "blend from implicit midpoint and from symplectic Euler",
    document: Document::Dissertation,
    figure: "Fig. 3.12",
    claim: "From symplectic Euler α is almost 1 and the angular momentum drops to nearly zero; from implicit midpoint α is small.",
    trials: |length| {
        let frames = length.pick(600, 3000);
        let trial = |name, rule| Trial::new(name, "spinning-cube", frames, &[rule, "correction.kind=blend"]);
        vec![
            trial("from implicit midpoint", MIDPOINT),
            trial("from symplectic Euler", "integrator.kind=symplectic-euler"),
        ]
    },
    judge: |runs| {
        let (midpoint, symplectic) = (&runs[0], &runs[1]);
        Finding::default()
            .number("from implicit midpoint: angular momentum kept", None, spin_kept(midpoint))
            .number("from symplectic Euler: angular momentum kept", None, spin_kept(symplectic))
            .number("from implicit midpoint: energy drift", None, drift(midpoint))
            .number("from symplectic Euler: energy drift", None, drift(symplectic))
            .claim(spin_kept(midpoint) > 0.5, "from implicit midpoint most of the angular momentum stays")
            .claim(spin_kept(symplectic) < 0.1, "from symplectic Euler it drops to nearly zero")
            .remark("α itself is not recorded; what it does to the angular momentum is. On the stiffer cube of stab-fig5 the blend cannot hold symplectic Euler at all.")
    },
    draw: curves::energy_and_spin,
};

pub(super) const STAB_EPSILON: Experiment = Experiment {
    id: "stab-epsilon",
    title: "blend with a loose tolerance",
    document: Document::Dissertation,
    figure: "Fig. 3.16",
    claim: "With ε = 0.5 nothing explodes, but the global motion slows down and the mesh vibrates.",
    trials: |length| {
        let mut trials = Vec::new();
        for modulus in MODULI {
            for epsilon in [0.01, 0.5] {
                let name = format!("ε = {epsilon}, {modulus:.0e} Pa");
                let set = [
                    format!("correction.epsilon={epsilon}"),
                    format!("material.mu={modulus:e}"),
                    format!("material.lambda={modulus:e}"),
                ];
                let trial = cube(name, length, length.pick(600, 3000));
                trials.push(
                    trial
                        .with(&[MIDPOINT, "correction.kind=blend"])
                        .with(&set.each_ref().map(String::as_str)),
                );
            }
        }
        trials
    },
    judge: judge_epsilon,
    draw: curves::energy_and_spin,
};

/// Lamé's parameters of the cubes, Pa: softer than, as, and stiffer than that of the scene.
const MODULI: [f64; 3] = [1e3, 1e4, 1e5];

fn judge_epsilon(runs: &[Run]) -> Finding {
    let frequency = |run: &Run| run.report().motion.frequency_hz.unwrap_or(f64::NAN);
    let swings = |run: &Run| {
        let totals = || run.rows().iter().map(Row::total);
        (totals().fold(f64::NEG_INFINITY, f64::max) - totals().fold(f64::INFINITY, f64::min))
            / first(run).total()
    };
    let mut finding = Finding::default();
    for run in runs {
        finding = finding
            .number(format!("{}: angular momentum kept", run.name()), None, spin_kept(run))
            .number(format!("{}: frequency at the end (Hz)", run.name()), None, frequency(run))
            .number(format!("{}: range of the energy over the first", run.name()), None, swings(run));
    }
    let pairs = || runs.chunks_exact(2).map(|pair| (&pair[0], &pair[1]));
    finding
        .claim(!runs.iter().any(blew_up), "the loose blend does not explode")
        .claim(pairs().any(|(_, loose)| swings(loose) > 0.5), "its energy swings between what the two Euler steps take and add")
        .claim(pairs().any(|(tight, loose)| spin_kept(loose) < 0.9 * spin_kept(tight)), "its global motion slows down on one of the cubes")
        .claim(pairs().any(|(tight, loose)| frequency(loose) > 1.5 * frequency(tight)), "its mesh vibrates on one of them")
        .remark("The scene of the figure is not described; three stiffnesses of the cube of stab-fig5 are tried. A looser ε is used less often: where the energy is within one half, the step stays that of implicit midpoint, which keeps the angular momentum. So here the loose blend keeps a little more of it than the tight one, and vibrates as much.")
}

pub(super) const FEPR_FIG14: Experiment = Experiment {
    id: "fepr-fig14",
    title: "Lagrange multipliers against FEPR",
    document: Document::Fepr,
    figure: "Fig. 14",
    claim: "The Lagrange multiplier keeps the energy, loses the global rotation and vibrates; FEPR keeps turning.",
    trials: |length| {
        let trial =
            |name, correction| Trial::new(name, "paper/squirrel", length.pick(300, 1000), &[correction]);
        vec![
            trial("Lagrange multiplier", "correction.kind=lagrange-multiplier"),
            trial("FEPR", "correction.kind=fepr"),
        ]
    },
    judge: judge_multiplier,
    draw: curves::energy_and_motion,
};

fn judge_multiplier(runs: &[Run]) -> Finding {
    let (multiplier, fepr) = (&runs[0], &runs[1]);
    let visible = |run: &Run| run.report().motion.visible_kept.unwrap_or(f64::NAN);
    let time = fepr.report().time_ms;
    Finding::default()
        .number("Lagrange multiplier: energy drift", None, drift(multiplier))
        .number("Lagrange multiplier: steps that failed", None, multiplier.report().correction.fallbacks as f64)
        .number("FEPR: energy drift", None, drift(fepr))
        .number("Lagrange multiplier: visible motion left", None, visible(multiplier))
        .number("FEPR: visible motion left", None, visible(fepr))
        .number("Lagrange multiplier: kinetic energy left", None, alive(multiplier))
        .number("FEPR: kinetic energy left", None, alive(fepr))
        .number("FEPR: iterations per step", Some(2.7), fepr.report().correction.iterations_mean)
        .number("FEPR: time over that of the solver", Some(11.0 / 71.0), time.correct_mean / time.solve_mean)
        .claim(drift(multiplier) < 1e-5, "the Lagrange multiplier keeps the energy perfectly")
        .claim(visible(multiplier) < 0.1, "its global motion stops in the end")
        .claim(
            alive(multiplier) > 5.0 * visible(multiplier),
            "the energy of the motion is then in vibration too fast to see",
        )
        .claim(drift(fepr) < 1e-9 && visible(fepr) > 0.5, "FEPR keeps the energy and the head swinging")
        .remark(&format!("The energy of the Lagrange multiplier is off by at most {:.1e} of what moves: our Newton's method does not meet the constraint to 1e-12 within 60 iterations in {} of {} steps. A squirrel's head of about 1507 vertices that hangs by its top and was pushed. Left: mean of the last fifth of the run over that of the first. Visible motion: that of displacements over a tenth of a second.", drift(multiplier), multiplier.report().correction.fallbacks, multiplier.frame()))
}
