//! The scenes that come with Sinew: the files of `scenes/`, compiled into the program.

/// A built-in scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuiltinScene {
    /// Its name: the file's, without `.toml`.
    pub name: &'static str,
    /// Contents of the file.
    pub text: &'static str,
    /// Approximate run time on two cores, s.
    pub seconds: f64,
}

macro_rules! scenes {
    ($(#[$docs:meta])* $table:ident: $($name:literal $seconds:literal),+ $(,)?) => {
        $(#[$docs])*
        pub const $table: &[BuiltinScene] = &[$(BuiltinScene {
            name: $name,
            text: include_str!(concat!("../../../scenes/", $name, ".toml")),
            seconds: $seconds,
        }),+];
    };
}

scenes!(
    /// The scenes that are listed, in this order.
    SCENES:
    "trampoline" 5.0,
    "octopus" 6.0,
    "bunny-swing" 3.0,
    "cactus" 3.0,
    "cape" 4.0,
    "dog-nose" 5.0,
    "snail" 8.0,
    "acrobat" 15.0,
    "frog" 20.0,
    "monster-hanging" 25.0,
    "monster-stairs" 20.0,
    "cloth-shaken" 11.0,
    "bar" 1.5,
    "spinning-cube" 2.0,
    "spinning-cube-600" 2.5,
    "soft-ball" 0.7,
    "bouncing-ball" 4.0,
    "colliding-cubes" 1.2,
    "cube-on-spheres" 1.0,
    "through-torus" 0.4,
    "cloth-torus" 10.0,
    "bowl" 25.0,
    "jelly" 1.2,
    "cannonball" 2.5,
    "flag" 2.0,
    "face-wind" 60.0,
    "folding-cloth" 2.5,
    "sliding-block" 0.4,
    "sliding-frictionless" 1.2,
    "stack" 8.0,
    "cantilever-bones" 2.0,
    "nunchuck" 0.1,
    "bracelet" 1.5,
    "bracelet-hinges" 2.5,
    "bone-chain" 6.0,
    "stairs" 4.0,
    "peers-cloth" 5.0,
    "peers-bar" 12.0,
    "tetrahedron" 0.01,
    "simple-spring" 0.01,
    "two-springs" 0.01,
);

scenes!(
    /// The scenes that only `sinew paper` uses; they can also be run by name.
    PAPER_SCENES:
    "paper/bare-bones" 1.0,
    "paper/bouncing-ball" 1.0,
    "paper/bracelet" 1.0,
    "paper/cactus" 60.0,
    "paper/cantilever" 1.0,
    "paper/character" 2.0,
    "paper/dragged-body" 1.0,
    "paper/dragged-tetrahedron" 0.1,
    "paper/free-cube" 0.2,
    "paper/hanging-bar" 1.0,
    "paper/hanging-cloth" 1.0,
    "paper/hippo" 30.0,
    "paper/human" 1.5,
    "paper/nunchuck" 0.2,
    "paper/octopus" 120.0,
    "paper/quartic" 0.1,
    "paper/rabbit" 60.0,
    "paper/randomised-body" 1.0,
    "paper/spinning-bar" 0.2,
    "paper/spinning-cube" 1.0,
    "paper/squirrel" 3.0,
    "paper/stretched-cube" 0.1,
    "paper/swinging-chain" 1.0,
);

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static BuiltinScene> {
    SCENES.iter().chain(PAPER_SCENES).find(|scene| scene.name == name)
}

/// The name that was probably meant.
pub fn closest(name: &str) -> Option<&'static str> {
    let scored = SCENES.iter().map(|scene| (strsim::damerau_levenshtein(name, scene.name), scene.name));
    scored.min().filter(|(distance, _)| *distance <= 3.max(name.len() / 3)).map(|(_, name)| name)
}
