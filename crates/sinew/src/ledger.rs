//! The energy account: what there is, what was put in, what was taken out and by what.
//!
//! H_total = initial + added − dissipated [dinev2018stab, Eq. 37] is what physics allows; H = kinetic + potentials is
//! what the integrator left. Their difference is numerical damping (H below) or an explosion (H above).

/// Energy taken out on purpose, J, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dissipation {
    /// By ether drag.
    pub ether: f64,
    /// By rigid-mode-preserving damping.
    pub rigid_preserving: f64,
}

impl Dissipation {
    /// Sum over the causes, J.
    pub fn total(&self) -> f64 {
        self.ether + self.rigid_preserving
    }
}

/// The books of one simulation. All entries in joules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// H at the start.
    pub initial: f64,
    /// Work done by moved attachments and by the user's own changes of the state.
    pub added: f64,
    /// Energy taken out by damping.
    pub dissipated: Dissipation,
    /// Kinetic energy now.
    pub kinetic: f64,
    /// Each potential now, in the order of [`Model::potential_names`](crate::Model::potential_names).
    pub potentials: Vec<f64>,
    /// The energy that a correction restores in each connected component. It follows the ledger's target from the
    /// step in which a correction is switched on; without one it is the energy that is there.
    pub(crate) component_targets: Vec<f64>,
}

impl Ledger {
    /// H, the energy that is there.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential()
    }

    /// Sum of the potentials.
    pub fn potential(&self) -> f64 {
        self.potentials.iter().sum()
    }

    /// H_total, the energy that should be there.
    pub fn target(&self) -> f64 {
        self.initial + self.added - self.dissipated.total()
    }
}
