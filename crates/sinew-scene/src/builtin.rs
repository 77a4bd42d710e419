//! The scenes that come with Sinew: the files of `scenes/`, inside the program.

/// A scene by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuiltinScene {
    /// Its name: the file's, without `.toml`.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
    /// Roughly how long it takes on two cores, s.
    pub seconds: f64,
}

macro_rules! scenes {
    ($($name:literal $seconds:literal),+ $(,)?) => {
        /// All of them, in the order in which they are listed.
        pub const SCENES: &[BuiltinScene] = &[$(BuiltinScene {
            name: $name,
            text: include_str!(concat!("../../../scenes/", $name, ".toml")),
            seconds: $seconds,
        }),+];
    };
}

scenes!(
    "trampoline" 5.0,
    "cloth-shaken" 11.0,
    "bar" 1.5,
    "spinning-cube" 2.0,
    "spinning-cube-600" 2.5,
    "soft-ball" 0.7,
    "tetrahedron" 0.01,
    "simple-spring" 0.01,
    "two-springs" 0.01,
);

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static BuiltinScene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// The name that was probably meant.
pub fn closest(name: &str) -> Option<&'static str> {
    let scored = SCENES.iter().map(|scene| (strsim::damerau_levenshtein(name, scene.name), scene.name));
    scored.min().filter(|(distance, _)| *distance <= 3.max(name.len() / 3)).map(|(_, name)| name)
}
