//! The numbers of each frame, from which reports, traces and plots are made.

use super::depth::Depth;
use super::history::History;
use super::swing::Swing;
use super::totals::Totals;
use super::visible::{Shape, Visible};
use glam::DVec3;
use sinew::{Entries, Model, State, StepReport};

/// The numbers of one frame. Energies in J.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Simulated time, s.
    pub time: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Kinetic energy of displacements over 0.1 s: the motion that can be seen. The last known value; NaN in the first 0.1 s.
    pub visible: f64,
    /// Each potential, by [`Run::potentials`](super::Run::potentials).
    pub potentials: Vec<f64>,
    /// Total work in the ledger since the start.
    pub added: f64,
    /// Total energy that the ledger lists as dissipated since the start.
    pub dissipated: f64,
    /// Both, by cause.
    pub entries: Entries,
    /// The target of the total energy: initial + added − dissipated.
    pub target: f64,
    /// Linear momentum P, kg·m/s.
    pub linear: DVec3,
    /// Angular momentum L about the centre of mass, kg·m²/s.
    pub angular: DVec3,
    /// Σ mᵢ|vᵢ|, kg·m/s: the scale of P.
    pub linear_scale: f64,
    /// Σ mᵢ|rᵢ||vᵢ|, kg·m²/s, r from the centre of mass: the scale of L.
    pub angular_scale: f64,
    /// √(vᵀLv / vᵀMv)/2π, Hz; NaN while nothing moves.
    pub frequency: f64,
    /// Largest extent of a body over its extent at rest.
    pub growth: f64,
    /// Largest depth of a vertex below the surface that it is in contact with, as a share of its body's size.
    pub depth: f64,
    /// Number of contacts that exert a force.
    pub contacts: u64,
    /// Rounds of solver and contact in the step.
    pub rounds: u64,
    /// 1 if vertices were still held back where the rounds ended.
    pub cut: u64,
    /// Work of contacts that the step left open, J.
    pub unclosed: f64,
    /// How far colliders were held back from where they should be, m.
    pub held_back: f64,
    /// Solver iterations of the step.
    pub iterations: u64,
    /// Unbalanced force where the solve ended, as a share of the force that moves the bodies; 0 where nothing is measured.
    pub residual: f64,
    /// 1 if the solver's iterations ran out before a tolerance was met.
    pub at_limit: u64,
    /// What the correction did in the step.
    pub correction: CorrectionCounts,
    /// Computing times of the step.
    pub times: Times,
}

/// What a correction did in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CorrectionCounts {
    /// Iterations.
    pub iterations: u64,
    /// 1 if a fallback was used instead of the regular correction.
    pub fallbacks: u64,
    /// Evaluations of the energy.
    pub energy_evaluations: u64,
    /// Evaluations of its gradient.
    pub gradient_evaluations: u64,
}

/// Computing times, ms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// The whole step.
    pub step: f64,
    /// The solver.
    pub solve: f64,
    /// The correction.
    pub correct: f64,
    /// Contact detection.
    pub contact: f64,
}

impl Row {
    /// Sum of the potentials.
    pub fn potential(&self) -> f64 {
        self.potentials.iter().sum()
    }

    /// H = kinetic + potentials.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential()
    }
}

/// Measures the states of one model, one after the other.
#[derive(Clone, Debug)]
pub struct Meter {
    potentials: Vec<String>,
    /// Index in `potentials` of each batch of the engine.
    column: Vec<usize>,
    /// Extent of each body at rest, m.
    extents: Vec<f64>,
    depth: Depth,
    visible: Visible,
}

impl Meter {
    /// Creates a meter for states of the model of this state.
    pub fn new(model: &Model, state: &State) -> Self {
        let mut potentials: Vec<String> = Vec::new();
        let mut column = Vec::new();
        for name in model.potential_names() {
            let known = potentials.iter().position(|p| p == name);
            column.push(known.unwrap_or(potentials.len()));
            if known.is_none() {
                potentials.push(name.to_owned());
            }
        }
        let extents: Vec<f64> =
            model.bodies().iter().map(|body| extent(&model.rest()[body.vertices.clone()])).collect();
        let depth = Depth::new(model, &extents);
        let visible = Visible::new(state.mass_points(model));
        Self { potentials, column, extents, depth, visible }
    }

    /// Names of the potentials, each once.
    pub fn potentials(&self) -> &[String] {
        &self.potentials
    }

    /// The row of a frame that ended with this step. `frame` is the time between two frames, s.
    pub fn row(&mut self, model: &Model, state: &State, step: &StepReport, times: Times, frame: f64) -> Row {
        let row = self.measure(model, state, frame);
        Row {
            contacts: step.contact.pressing as u64,
            rounds: step.contact.rounds as u64,
            cut: u64::from(step.contact.cut),
            unclosed: step.contact.unclosed,
            held_back: step.contact.held_back,
            iterations: step.iterations as u64,
            residual: step.residual,
            at_limit: u64::from(step.at_limit),
            depth: row.depth.max(self.depth.of_distances(step.contact.depth)),
            correction: correction_counts(step),
            times,
            ..row
        }
    }

    /// The row of a state without a step, from which the motion is measured from now on. `frame` is the time between two frames, s.
    pub fn first(&mut self, model: &Model, state: &State, frame: f64) -> Row {
        self.visible.restart();
        self.measure(model, state, frame)
    }

    /// Where the bodies are and how they are turned, as a whole.
    pub(super) fn shape(&self, model: &Model, state: &State) -> Shape {
        self.visible.shape(state.mass_points(model))
    }

    fn measure(&mut self, model: &Model, state: &State, frame: f64) -> Row {
        let (x, ledger) = (state.positions(), state.ledger());
        let mut potentials = vec![0.0; self.potentials.len()];
        for (&column, energy) in self.column.iter().zip(&ledger.potentials) {
            potentials[column] += energy;
        }
        let momenta = state.total_momenta(model);
        let (linear_scale, angular_scale) = state.momentum_scales(model);
        let growth = model.bodies().iter().zip(&self.extents).filter(|(_, rest)| **rest > 0.0);
        Row {
            time: state.time(),
            kinetic: ledger.kinetic,
            visible: self.visible.observe(state.mass_points(model), state.time(), frame),
            potentials,
            added: ledger.entries.added(),
            dissipated: ledger.entries.dissipated(),
            entries: ledger.entries,
            depth: self.depth.in_colliders(model, state),
            target: ledger.target(),
            linear: momenta.linear,
            angular: momenta.angular,
            linear_scale,
            angular_scale,
            frequency: state.frequency(model).unwrap_or(f64::NAN),
            growth: growth.map(|(body, rest)| extent(&x[body.vertices.clone()]) / rest).fold(0.0, f64::max),
            ..Row::default()
        }
    }
}

/// Measures each state; keeps what reports, plots and checkpoints need, in bounded memory.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    meter: Meter,
    /// Time between two rows, s.
    frame: f64,
    history: History,
    totals: Totals,
    swing: Swing,
}

impl Recorder {
    /// Starts with the initial state as its first row. `frame` is the time between two rows, s.
    pub fn new(model: &Model, state: &State, frame: f64) -> Self {
        let mut meter = Meter::new(model, state);
        let first = meter.first(model, state, frame);
        let mut swing = Swing::new(frame);
        swing.push(&meter.shape(model, state));
        Self { meter, frame, totals: Totals::new(&first), history: History::new(first), swing }
    }

    /// Appends the row of a step.
    pub fn record(&mut self, model: &Model, state: &State, step: &StepReport, times: Times) {
        let row = self.meter.row(model, state, step, times, self.frame);
        self.add(row);
        self.swing.push(&self.meter.shape(model, state));
    }

    /// Time between two rows, s.
    pub fn frame(&self) -> f64 {
        self.frame
    }

    /// What measures the visible motion.
    pub fn visible(&self) -> &Visible {
        &self.meter.visible
    }

    /// What measures its frequency.
    pub fn swing(&self) -> &Swing {
        &self.swing
    }

    /// Appends a row.
    pub fn add(&mut self, row: Row) {
        self.totals.add(&row, &self.history.rows()[0]);
        self.history.push(row);
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Keeps every row from now on.
    pub fn keep_all(&mut self) {
        self.history.keep_all();
    }

    pub fn potentials(&self) -> &[String] {
        self.meter.potentials()
    }

    /// A recorder that has seen these rows.
    #[cfg(test)]
    pub fn of(potentials: &[&str], rows: &[Row]) -> Self {
        let meter = Meter {
            potentials: potentials.iter().map(ToString::to_string).collect(),
            column: Vec::new(),
            extents: Vec::new(),
            depth: Depth::default(),
            visible: Visible::new(std::iter::empty()),
        };
        let (first, frame) = (rows[0].clone(), 0.1);
        let (totals, history) = (Totals::new(&first), History::new(first));
        let mut recorder = Self { meter, frame, totals, history, swing: Swing::new(frame) };
        rows[1..].iter().for_each(|row| recorder.add(row.clone()));
        recorder
    }

    /// Takes over what an earlier run recorded, with the [words](Visible::words) of its visible motion.
    pub fn restore(&mut self, history: History, totals: Totals, visible: &[u64], swing: Swing) {
        (self.history, self.totals, self.swing) = (history, totals, swing);
        self.meter.visible.restore(visible);
    }
}

/// The engine's report about the correction of a step.
fn correction_counts(step: &StepReport) -> CorrectionCounts {
    let sinew::CorrectionReport { iterations, energy_evaluations, gradient_evaluations, fallbacks, .. } =
        step.correction;
    CorrectionCounts {
        iterations: iterations as u64,
        fallbacks: u64::from(fallbacks > 0),
        energy_evaluations: energy_evaluations as u64,
        gradient_evaluations: gradient_evaluations as u64,
    }
}

/// Diagonal of the bounding box, m.
fn extent(points: &[DVec3]) -> f64 {
    let low = points.iter().copied().reduce(DVec3::min).unwrap_or_default();
    let high = points.iter().copied().reduce(DVec3::max).unwrap_or_default();
    high.distance(low)
}
