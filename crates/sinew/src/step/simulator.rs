//! The simulator: settings, and the memory that steps reuse.

use super::watch::CorrectionWatch;
use crate::budgets::Budgets;
use crate::contact::phases::Contact;
use crate::controls::Controls;
use crate::controls::work::ControlWork;
use crate::correction::CorrectionWork;
use crate::driven::Driven;
use crate::model::Model;
use crate::next::Next;
use crate::objective::ObjectiveWork;
use crate::operator::Operators;
use crate::pushes::Pushes;
use crate::settings::{Settings, SettingsError};
use crate::skeleton::phases::Bones;
use crate::solver::SolverWork;
use std::sync::Arc;

/// Advances states of one model.
#[derive(Debug)]
pub struct Simulator {
    pub(super) model: Arc<Model>,
    pub(super) settings: Settings,
    /// The matrices that solver and correction share.
    pub(super) operators: Operators,
    pub(super) solver: SolverWork,
    pub(super) correction: CorrectionWork,
    pub(super) shared: ObjectiveWork,
    pub(super) controls: ControlWork,
    pub(super) pushes: Pushes,
    pub(super) contact: Contact,
    pub(super) bones: Bones,
    pub(super) driven: Driven,
    /// The controls at the time at which forces act.
    pub(super) acting: Controls,
    pub(super) budgets: Budgets,
    pub(super) next: Next,
    /// How far the last correction moved each vertex, while `watch_correction` is on.
    pub(super) watch: Option<CorrectionWatch>,
}

impl Simulator {
    /// Checks the settings against the model and factors what is constant.
    pub fn new(model: Arc<Model>, settings: Settings) -> Result<Self, SettingsError> {
        settings.check(&model)?;
        let mut operators = Operators::new(settings.global);
        let setup = settings.solver_setup();
        let of_steps = setup.operators(&model, &mut operators)?;
        operators.install(of_steps);
        let Settings { h, integrator, correction, .. } = settings;
        Ok(Self {
            solver: SolverWork::new(&model, &setup)?,
            correction: CorrectionWork::new(&model, &mut operators.systems, &correction, integrator, h)?,
            operators,
            shared: ObjectiveWork::new(&model),
            controls: ControlWork::new(&model),
            pushes: Pushes::new(&model),
            contact: Contact::new(&model),
            bones: Bones::new(&model),
            driven: Driven::new(&model),
            acting: model.initial.controls.clone(),
            budgets: Budgets::new(&model),
            next: Next::new(&model),
            watch: None,
            settings,
            model,
        })
    }

    /// The model that is simulated.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The choices in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether these settings can work with the model; to switch to them, a matrix may have to be factored as well.
    pub fn accepts(&self, settings: &Settings) -> Result<(), SettingsError> {
        settings.check(&self.model)
    }

    /// Switches any choice between two steps. A combination that cannot work changes nothing.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SettingsError> {
        settings.check(&self.model)?;
        let (old, new) = (&self.settings, &settings);
        let model = &*self.model;
        let mut fresh = (old.global != new.global).then(|| Operators::new(new.global));
        let operators = fresh.as_mut().unwrap_or(&mut self.operators);
        // What is still needed is held until the new memory is there: factors that fit are found and kept.
        let setup = new.solver_setup();
        let solver = if setup.is_served_by(&old.solver_setup()) {
            None
        } else {
            Some((setup.operators(model, operators)?, SolverWork::new(model, &setup)?))
        };
        let choices = |s: &Settings| (s.h, s.integrator, s.global, s.correction);
        let correction = if choices(old) == choices(new) {
            None
        } else {
            let systems = &mut operators.systems;
            Some(CorrectionWork::new(model, systems, &new.correction, new.integrator, new.h)?)
        };
        if let Some(operators) = fresh {
            self.operators = operators;
        }
        if let Some((of_steps, solver)) = solver {
            self.operators.install(of_steps);
            self.solver = solver;
        }
        if let Some(correction) = correction {
            self.correction = correction;
        }
        self.settings = settings;
        Ok(())
    }

    /// Measures from now on what each correction does, or no longer.
    pub fn watch_correction(&mut self, on: bool) {
        self.watch = on.then(|| CorrectionWatch::new(&self.model));
    }

    /// How far the correction of the last step moved each vertex, #V, m: √(|Δx|² + h²|Δv|²). `None` while nobody watches.
    pub fn correction_sizes(&self) -> Option<&[f64]> {
        self.watch.as_ref().map(CorrectionWatch::sizes)
    }

    #[cfg(test)]
    pub(crate) fn systems(&self) -> &crate::operator::Systems {
        &self.operators.systems
    }
}
