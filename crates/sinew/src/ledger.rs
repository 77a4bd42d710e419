//! The energy account: the energy at the start, what each cause added or took out, and the energy now.
//!
//! H_total = initial + added − dissipated [dinev2018stab, Eq. 37] is what physics allows; H = kinetic + potentials is what the integrator
//! produced. Their difference is numerical damping (H below) or an explosion (H above).

use std::ops::{Index, IndexMut};

/// Whether a cause adds energy or takes it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Work done on the bodies; negative where the bodies do work.
    Added,
    /// Energy taken out on purpose.
    Dissipated,
}

impl Side {
    /// Its name in reports, tables and the viewer.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Dissipated => "dissipated",
        }
    }
}

/// Declares the causes, one per line: reports, tables, saved states, plots and the viewer iterate over them.
macro_rules! causes {
    ($($side:ident $name:literal $cause:ident: $doc:literal)*) => {
        /// Why energy enters or leaves the bodies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Cause { $(#[doc = $doc] $cause,)* }

        impl Cause {
            /// All causes; those that add energy come first.
            pub const ALL: &'static [Self] = &[$(Self::$cause),*];

            /// Its name in reports, tables and the viewer.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$cause => $name,)* }
            }

            /// Whether it adds energy or takes it out.
            pub const fn side(self) -> Side {
                match self { $(Self::$cause => Side::$side,)* }
            }
        }
    };
}

causes! {
    Added "attachments" Attachments: "Attachments whose targets moved."
    Added "bones" Bones: "Kinematic bones that moved."
    Added "colliders" Colliders: "Colliders that moved."
    Added "contacts" Contacts: "Contacts that pushed apart what was inside each other, and brought more energy than the bodies had."
    Added "wind" Wind: "Wind and the resistance of air."
    Added "acceleration" Acceleration: "A uniform acceleration other than gravity."
    Added "grabs" Grabs: "Grabs that were moved or released."
    Added "muscles" Muscles: "Muscles that contracted or relaxed."
    Added "edits" Edits: "Changes of positions, velocities or the model by the user."
    Dissipated "ether" Ether: "Ether drag."
    Dissipated "rigid_preserving" RigidPreserving: "Rigid-mode-preserving damping."
    Dissipated "friction" Friction: "Friction between surfaces that slide on each other."
    Dissipated "restitution" Restitution: "Inelastic contacts: restitution below 1."
    Dissipated "unresolved" Unresolved: "Vibration too fast to see that the correction did not return (`fepr.return = \"resolved\"`), and half of the velocities where a step in contact was given up."
}

impl Cause {
    /// The causes of one side.
    pub fn of(side: Side) -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied().filter(move |cause| cause.side() == side)
    }
}

/// An amount of energy for each cause, J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entries([f64; Cause::ALL.len()]);

impl Default for Entries {
    fn default() -> Self {
        Self([0.0; Cause::ALL.len()])
    }
}

impl Index<Cause> for Entries {
    type Output = f64;

    fn index(&self, cause: Cause) -> &f64 {
        &self.0[cause as usize]
    }
}

impl IndexMut<Cause> for Entries {
    fn index_mut(&mut self, cause: Cause) -> &mut f64 {
        &mut self.0[cause as usize]
    }
}

impl Entries {
    /// Every cause with its amount.
    pub fn iter(&self) -> impl Iterator<Item = (Cause, f64)> + '_ {
        Cause::ALL.iter().copied().zip(self.0)
    }

    /// Sum over the causes that add energy, J.
    pub fn added(&self) -> f64 {
        self.total(Side::Added)
    }

    /// Sum over the causes that take energy out, J.
    pub fn dissipated(&self) -> f64 {
        self.total(Side::Dissipated)
    }

    /// Sum over the causes of one side, J.
    pub fn total(&self, side: Side) -> f64 {
        Cause::of(side).map(|cause| self[cause]).sum()
    }

    /// Adds another amount to each cause.
    pub(crate) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }

    /// The amounts in the order of [`Cause::ALL`].
    pub(crate) fn amounts_mut(&mut self) -> &mut [f64] {
        &mut self.0
    }
}

/// The energy account of one simulation. All amounts in joules.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Ledger {
    /// H at the start.
    pub initial: f64,
    /// Energy that each cause has added or taken out since the start.
    pub entries: Entries,
    /// Current kinetic energy.
    pub kinetic: f64,
    /// Current value of each potential, in the order of [`Model::potential_names`](crate::Model::potential_names).
    pub potentials: Vec<f64>,
    /// The energy that a correction restores in each connected component. It follows the ledger's target from the step in which a correction
    /// is switched on; without a correction it is the current energy.
    pub(crate) component_targets: Vec<f64>,
}

impl Ledger {
    /// The current energy H = kinetic + potentials.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential()
    }

    /// Sum of the potentials.
    pub fn potential(&self) -> f64 {
        self.potentials.iter().sum()
    }

    /// The energy H_total that the bodies should have: initial + added − dissipated.
    pub fn target(&self) -> f64 {
        self.initial + self.entries.added() - self.entries.dissipated()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_of_both_sides_are_all_causes_and_names_differ() {
        let sides = [Side::Added, Side::Dissipated];
        assert_eq!(sides.map(|side| Cause::of(side).count()).iter().sum::<usize>(), Cause::ALL.len());
        for (k, &cause) in Cause::ALL.iter().enumerate() {
            assert_eq!(cause as usize, k, "amounts are stored by this number");
            assert!(Cause::ALL[..k].iter().all(|other| other.name() != cause.name()), "{}", cause.name());
        }
    }

    #[test]
    fn the_target_follows_what_is_added_and_taken_out() {
        let mut ledger = Ledger { initial: 10.0, ..Ledger::default() };
        ledger.entries[Cause::Wind] = 3.0;
        ledger.entries[Cause::Friction] = 1.0;
        assert_eq!((ledger.entries.added(), ledger.entries.dissipated(), ledger.target()), (3.0, 1.0, 12.0));
    }
}
