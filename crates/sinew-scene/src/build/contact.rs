//! Converts the scene's contact law to the engine's.

use crate::format::{Contact, Friction, ResponseKind};
use sinew::contact::{ContactLaw, Response};

pub(super) fn law(contact: &Contact) -> ContactLaw {
    let default = ContactLaw::default();
    ContactLaw {
        response: match contact.response {
            ResponseKind::Repulsion => Response::Repulsion,
            ResponseKind::Cubic => Response::Cubic,
        },
        stiffness: contact.stiffness.unwrap_or(default.stiffness),
        thickness: contact.thickness,
        friction: friction(contact.friction),
        restitution: contact.restitution,
        bodies: contact.bodies,
        own: contact.own,
    }
}

pub(super) fn friction(Friction { sticking, sliding }: Friction) -> sinew::contact::Friction {
    sinew::contact::Friction { sticking, sliding }
}
