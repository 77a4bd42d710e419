//! The scenes of the experiments, in two lists.

use crate::Source;

/// A list of scenes.
pub(super) struct List {
    /// Its name in tables.
    pub name: &'static str,
    /// Its scenes.
    pub scenes: &'static [Scene],
}

/// A scene and how its true motion is computed.
#[derive(Clone, Copy)]
pub(super) struct Scene {
    /// Its name in tables.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
    /// Steps of the truth in a frame of 1/30 s.
    pub finer: usize,
    /// Whether it has bones.
    pub bones: bool,
}

impl Scene {
    /// The scene for a trial.
    pub fn source(&self) -> Source {
        Source::Own { name: self.name, text: self.text }
    }
}

/// The file of a scene.
macro_rules! scene {
    ($folder:literal, $name:literal) => {
        Scene {
            name: $name,
            text: include_str!(concat!($folder, "/", $name, ".toml")),
            finer: 400,
            bones: false,
        }
    };
    // Bones need an implicit rule of second order, which is solved to the end: a tenth of the steps is as good.
    ($folder:literal, $name:literal, bones) => {
        Scene { finer: 40, bones: true, ..scene!($folder, $name) }
    };
}

/// The constants of energy projection were chosen with these scenes in view.
pub(super) const TUNED: List = List {
    name: "tuned",
    scenes: &[
        scene!("scenes", "pendulum"),
        scene!("scenes", "hinged-bar"),
        scene!("scenes", "clamped-soft-bar"),
        scene!("scenes", "clamped-stiff-bar"),
        scene!("scenes", "trampoline"),
        scene!("scenes", "hung-cloth"),
        scene!("scenes", "free-cube"),
        scene!("scenes", "two-bones", bones),
    ],
};

/// No constant was chosen with these: other bodies, supports, materials and stiffnesses.
pub(super) const UNSEEN: List = List {
    name: "unseen",
    scenes: &[
        scene!("unseen", "hung-ball"),
        scene!("unseen", "hinged-neo-hookean-bar"),
        scene!("unseen", "flag"),
        scene!("unseen", "rotor"),
        scene!("unseen", "chain"),
        scene!("unseen", "rubber-cantilever"),
        scene!("unseen", "tumbling-bar"),
        scene!("unseen", "corner-cloth"),
        scene!("unseen", "plank"),
        scene!("unseen", "three-bones", bones),
    ],
};

/// Both lists.
pub(super) const LISTS: [&List; 2] = [&TUNED, &UNSEEN];
