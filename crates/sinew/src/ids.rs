//! Indices of the parts of a model, each with its own type so that they cannot be confused.
//!
//! Parts are numbered from zero in the order in which they are added to a [`ModelBuilder`](crate::ModelBuilder).

macro_rules! id {
    ($(#[$doc:meta] $name:ident)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )*};
}

id! {
    /// Index of a body of a model.
    BodyId
    /// Index of a bone of a model; bones that are welded together keep their own ids.
    BoneId
    /// Index of a joint of a model.
    JointId
    /// Index of an attachment of a model.
    AttachmentId
    /// Index of a collider of a model.
    ColliderId
    /// Index of a muscle of a model.
    MuscleId
    /// Identifies a grab: a point that a pointer holds.
    GrabId
}
