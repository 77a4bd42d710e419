//! One case: draws a scene, settings and a user, takes some steps, and checks what the engine promises.

use crate::choices::random_settings;
use crate::drive::User;
use crate::random::Random;
use crate::scene::{Scene, random_scene};
use rayon::ThreadPool;
use sinew::{Correction, Ledger, Settings, Simulator, State, StateError, StepError};

/// H may be above H_total by this share of the energy scale.
const PROMISE: f64 = 1e-9;
/// Rounding of sums, as a share of the largest energies that were ever summed.
const ROUNDING: f64 = 1e-14;
/// What may overflow, J: a run without a correction can leave a body with as much.
const ABSURD: f64 = 1e60;
/// Draws of settings for one model. Most are accepted; so many refusals in a row never happen.
const DRAWS: usize = 100;

/// What a case did, if it did nothing wrong.
#[derive(Default)]
pub struct Outcome {
    /// Models, settings and edits that were refused, with a reason.
    pub refusals: usize,
    /// Runs that ended with a `StepError`, the state as it was.
    pub errors: usize,
    /// Whether surfaces crossed where the scene started, so that no step was verified.
    pub tangled: bool,
    /// Steps with FEPR in which H was checked.
    pub checked: usize,
}

/// Two pools, for the promise that threads do not change a bit.
pub struct Pools(pub [ThreadPool; 2]);

/// Plays a case and checks it; every promise that is broken is an error that names the case.
pub fn play(case: u64, contact: bool, pools: &Pools) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    let scene = match random_scene(case, contact) {
        Ok(scene) => scene,
        Err(refusal) => {
            outcome.refusals = 1;
            return sentence(&refusal).map(|()| outcome);
        }
    };
    let mut r = Random::of(case, "settings");
    let (switches, steps) = (r.chance(0.15), 5 + r.index(16) as u64);
    let mut choices = Vec::new();
    for _ in 0..if switches { 2 } else { 1 } {
        choices.push(accepted(&mut r, &scene, &mut outcome)?);
    }
    let run = Run { case, scene: &scene, choices: &choices, steps };
    let told = |what: String| format!("{what}\n  {}", run.described());
    let end = run.go(None).map_err(told)?;
    outcome.errors = usize::from(end.failed);
    outcome.refusals += end.refusals;
    outcome.checked = end.checked;
    outcome.tangled = scene.model.contact_law().is_some_and(|law| !law.verify);
    if let Some(excess) = end.excess {
        return Err(told(excess));
    }
    // A share of the cases runs again, in another way that must not matter.
    if case % 10 == 3 {
        for pool in &pools.0 {
            let other = pool.install(|| run.go(None)).map_err(told)?;
            if other.hash != end.hash {
                return Err(told(format!("other bits with {} threads", pool.current_num_threads())));
            }
        }
    }
    if case % 10 == 6 && run.go(Some(steps / 2)).map_err(told)?.hash != end.hash {
        return Err(told("other bits after saving and restoring".to_owned()));
    }
    Ok(outcome)
}

/// Settings that the model takes. What it refuses must be explained.
fn accepted(r: &mut Random, scene: &Scene, outcome: &mut Outcome) -> Result<Settings, String> {
    let mut last = String::new();
    for _ in 0..DRAWS {
        let settings = random_settings(r);
        match Simulator::new(scene.model.clone(), settings) {
            Ok(_) => return Ok(settings),
            Err(refusal) => {
                last = refusal.to_string();
                sentence(&last)?;
                outcome.refusals += 1;
            }
        }
    }
    Err(format!("{DRAWS} settings were refused, at last: {last}"))
}

/// Whether a message helps: some words, and nothing that only its author can read.
fn sentence(message: &str) -> Result<(), String> {
    let odd = ["Some(", "None", "Err(", "{", "}"];
    let good = message.split_whitespace().count() >= 4 && !odd.iter().any(|odd| message.contains(odd));
    if good { Ok(()) } else { Err(format!("a refusal that does not help: {message}")) }
}

/// H − H_total, J.
fn excess(ledger: &Ledger) -> f64 {
    ledger.energy() - ledger.target()
}

/// How a run ended.
struct End {
    hash: u64,
    failed: bool,
    refusals: usize,
    checked: usize,
    /// The first step in which FEPR left more energy than there is.
    excess: Option<String>,
}

struct Run<'a> {
    case: u64,
    scene: &'a Scene,
    /// Those of the first half, and those of the second where they are switched.
    choices: &'a [Settings],
    steps: u64,
}

impl Run<'_> {
    /// Takes all steps; at step `save`, through bytes and with a new simulator.
    fn go(&self, save: Option<u64>) -> Result<End, String> {
        let model = &self.scene.model;
        let user = User::new(self.case);
        let mut state = State::new(model);
        let mut settings = self.choices[0];
        let mut simulator = Simulator::new(model.clone(), settings).map_err(|e| e.to_string())?;
        let mut end = End { hash: 0, failed: false, refusals: 0, checked: 0, excess: None };
        let (mut owed, mut largest, mut after_another) = (0.0, 0f64, false);
        for step in 0..self.steps {
            let at = |what: String| format!("case {}, step {step}: {what}", self.case);
            if save == Some(step) {
                state = State::from_bytes(model, &state.to_bytes()).map_err(|e| at(e.to_string()))?;
                simulator = Simulator::new(model.clone(), settings).map_err(|e| at(e.to_string()))?;
            }
            if let (true, Some(&other)) = (step == self.steps / 2, self.choices.get(1)) {
                settings = other;
                simulator.set_settings(settings).map_err(|e| at(e.to_string()))?;
                // Other corrections leave momenta with more energy than there is; nothing can mend that.
                after_another = !matches!(self.choices[0].correction, Correction::Fepr(_) | Correction::None);
                // A correction that is switched on keeps the energy of that moment.
                owed = excess(state.ledger()).max(0.0);
            }
            end.refusals += user.act(self.scene, &mut state).map_err(at)?;
            let (before, scale) = (state.clone(), self.scale(state.ledger()));
            let fepr = matches!(settings.correction, Correction::Fepr(_)) && !after_another;
            let report = match simulator.step(&mut state) {
                Ok(report) => report,
                Err(error) => {
                    sentence(&error.to_string()).map_err(at)?;
                    if state != before {
                        return Err(at(format!("a failed step changed the state: {error}")));
                    }
                    // What an edit or a hand put into each other is no fault of the step.
                    let crosses = matches!(error, StepError::Crossing { .. });
                    if crosses && before.crossings(model) == 0 {
                        let far = before.positions().iter().map(|p| p.length()).fold(0.0, f64::max);
                        let fast = before.velocities().iter().map(|v| v.length()).fold(0.0, f64::max);
                        return Err(at(format!("{error}, up to {far:.1e} m away and {fast:.1e} m/s fast")));
                    }
                    let absurd = before.ledger().energy().abs() > ABSURD;
                    if fepr && !absurd && !crosses {
                        return Err(at(format!("a step with fepr failed: {error}")));
                    }
                    end.failed = true;
                    break;
                }
            };
            let ledger = state.ledger();
            if !state.positions().iter().chain(state.velocities()).all(|p| p.is_finite())
                || !ledger.energy().is_finite()
                || !ledger.target().is_finite()
            {
                return Err(at("not finite".to_owned()));
            }
            let scale = scale + report.entries.iter().map(|(_, joules)| joules.abs()).sum::<f64>();
            largest = largest.max(scale);
            // What was too much before the step may stay: the scale may have fallen since.
            let (before, above) = (excess(before.ledger()), excess(ledger));
            if fepr {
                end.checked += 1;
                let promised = owed + (before - owed).max(PROMISE * scale);
                let allowed = promised + ROUNDING * largest + self.rounding(&state);
                if above > allowed && above > allowed + self.blur(&state) && end.excess.is_none() {
                    let share = above / scale;
                    end.excess = Some(at(format!("H is {above:e} J above H_total, {share:e} of the scale")));
                }
            }
        }
        State::from_bytes(model, &state.to_bytes()).map_err(|e| format!("case {}: {e}", self.case))?;
        end.hash = state.hash();
        Ok(end)
    }

    /// The energy scale: what a small energy is small to. K + Σ|E| + weight × size; the caller adds what the step adds.
    fn scale(&self, ledger: &Ledger) -> f64 {
        ledger.kinetic + ledger.potentials.iter().map(|p| p.abs()).sum::<f64>() + self.scene.weight
    }

    /// What rounding of positions makes of the potentials, J: E = ½kd² has forces of about kd = √(2kE).
    fn rounding(&self, state: &State) -> f64 {
        let far = state.positions().iter().map(|p| p.length()).fold(self.scene.size, f64::max);
        let (blur, k) = (f64::EPSILON * far, self.scene.stiffest);
        let energy: f64 = state.ledger().potentials.iter().map(|p| p.abs()).sum();
        (2.0 * k * energy).sqrt() * blur + k * blur * blur * state.positions().len() as f64
    }

    /// The same, measured: what the potentials change by when every coordinate goes to the next number, up or down in turn. It is asked for only where the estimate is not enough: materials
    /// that harden have larger forces than √(2kE).
    fn blur(&self, state: &State) -> f64 {
        let sum = |state: &State| state.ledger().potentials.iter().sum::<f64>();
        let mut pinned = Vec::new();
        loop {
            let mut moved = state.clone();
            let edited = moved.edit(&self.scene.model, |x, _| {
                for (i, x) in x.iter_mut().enumerate().filter(|(i, _)| !pinned.contains(i)) {
                    for k in 0..3 {
                        let up = (i + k).is_multiple_of(2);
                        x[k] = if up { x[k].next_up() } else { x[k].next_down() };
                    }
                }
            });
            match edited {
                Err(StateError::Pinned { index }) => pinned.push(index),
                Err(_) => return 0.0,
                Ok(()) => return (sum(&moved) - sum(state)).abs(),
            }
        }
    }

    /// What there is, for the report of a failure.
    fn described(&self) -> String {
        let model = &self.scene.model;
        let names: Vec<_> = model.potential_names().collect();
        format!(
            "{} steps of {} vertices, {} bones ({} kinematic), {} joints, {} colliders, potentials {}; {:?}",
            self.steps,
            model.vertex_count(),
            model.bone_count(),
            self.scene.kinematic.len(),
            model.joint_count(),
            model.colliders().len(),
            names.join(", "),
            self.choices
        )
    }
}
