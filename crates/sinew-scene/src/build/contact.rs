//! Converts the scene's contact law to the engine's.

use crate::format::{Contact, Friction, StartKind};
use sinew::contact::{BadStart, ContactLaw};

pub(super) fn law(contact: &Contact) -> ContactLaw {
    ContactLaw {
        thickness: contact.thickness,
        friction: friction(contact.friction),
        restitution: contact.restitution,
        bodies: contact.bodies,
        own: contact.own,
        start: match contact.start {
            StartKind::Untangle => BadStart::Untangle,
            StartKind::Ignore => BadStart::Ignore,
            StartKind::Refuse => BadStart::Refuse,
        },
        verify: contact.verify,
    }
}

pub(super) fn friction(Friction { sticking, sliding }: Friction) -> sinew::contact::Friction {
    sinew::contact::Friction { sticking, sliding }
}
