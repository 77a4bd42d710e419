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
    /// By surfaces that slide on each other.
    pub friction: f64,
    /// By contacts that are not elastic.
    pub restitution: f64,
}

impl Dissipation {
    /// Adds each cause.
    pub(crate) fn add(&mut self, other: &Self) {
        self.ether += other.ether;
        self.rigid_preserving += other.rigid_preserving;
        self.friction += other.friction;
        self.restitution += other.restitution;
    }

    /// Sum over the causes, J.
    pub fn total(&self) -> f64 {
        self.ether + self.rigid_preserving + self.friction + self.restitution
    }
}

/// Work done on the bodies, J, by cause. Negative where the bodies did it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AddedWork {
    /// By attachments whose targets moved.
    pub attachments: f64,
    /// By bones that were moved by hand.
    pub bones: f64,
    /// By colliders that moved.
    pub colliders: f64,
    /// By contacts between bodies that were found with more energy than there was.
    pub contacts: f64,
    /// By wind and the resistance of air.
    pub wind: f64,
    /// By a uniform acceleration other than gravity.
    pub acceleration: f64,
    /// By the user's hand: grabbed points that were moved or let go.
    pub grabs: f64,
    /// By the user's own changes of positions and velocities.
    pub edits: f64,
}

impl AddedWork {
    /// Adds each cause.
    pub(crate) fn add(&mut self, other: &Self) {
        self.attachments += other.attachments;
        self.bones += other.bones;
        self.colliders += other.colliders;
        self.contacts += other.contacts;
        self.wind += other.wind;
        self.acceleration += other.acceleration;
        self.grabs += other.grabs;
        self.edits += other.edits;
    }

    /// Sum over the causes, J.
    pub fn total(&self) -> f64 {
        self.attachments
            + self.bones
            + self.colliders
            + self.contacts
            + self.wind
            + self.acceleration
            + self.grabs
            + self.edits
    }
}

/// The books of one simulation. All entries in joules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// H at the start.
    pub initial: f64,
    /// Work done on the bodies.
    pub added: AddedWork,
    /// Energy taken out on purpose.
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
        self.initial + self.added.total() - self.dissipated.total()
    }
}
