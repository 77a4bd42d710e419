//! Numbers of the things in a model, each with a type of its own so that one cannot be taken for another.
//!
//! Things are numbered from zero in the order in which they are added to a [`ModelBuilder`](crate::ModelBuilder).

macro_rules! id {
    ($(#[$doc:meta] $name:ident)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )*};
}

id! {
    /// A body of a model.
    BodyId
    /// A bone of a model; bones that are welded together keep their own numbers.
    BoneId
    /// A joint of a model.
    JointId
    /// An attachment of a model.
    AttachmentId
    /// A collider of a model.
    ColliderId
    /// A point that a pointer holds.
    GrabId
}
