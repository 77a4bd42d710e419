//! The names of the cast.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! names {
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $vertices:literal;)+) => {
        /// A built-in creature or thing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Name {
            $($(#[$doc])* #[serde(rename = $text)] $variant,)+
        }

        impl Name {
            /// All of them, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// As scenes and commands write it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// How many vertices it has if nobody says how many: as many as in the tables of the papers.
            pub const fn vertices(self) -> usize {
                match self {
                    $(Self::$variant => $vertices,)+
                }
            }
        }
    };
}

names! {
    /// A hippopotamus, which looks along +x.
    Hippo = "hippo", 2387;
    /// A cactus with two arms in a pot.
    Cactus = "cactus", 5261;
    /// An octopus with eight arms, which hang down.
    Octopus = "octopus", 7502;
    /// The head of a squirrel, which looks along +z.
    SquirrelHead = "squirrel-head", 1507;
    /// A rabbit that sits upright and looks along +z.
    Rabbit = "rabbit", 14261;
    /// The head of a dog, which looks along +z.
    DogHead = "dog-head", 28390;
    /// A bunny on all fours, which looks along +x.
    Bunny = "bunny", 4497;
    /// A moulded jelly with flutes.
    Jelly = "jelly", 6073;
    /// A person with arms held out, who looks along +z.
    Human = "human", 571;
    /// A ball.
    Ball = "ball", 889;
    /// A cube with rounded edges.
    Cube = "cube", 602;
    /// A bar along x with rounded edges.
    Bar = "bar", 290;
    /// An acrobat who hangs by one hand on a silk, with 9 bones and 8 joints; looks along +z.
    Acrobat = "acrobat", 12683;
    /// A frog that stands upright, with 18 bones and 13 joints; it looks along +z.
    Frog = "frog", 29466;
    /// A snail with a rigid shell, which looks along +z.
    Snail = "snail", 28840;
    /// A monster with horns, teeth and claws, 59 bones and 9 joints; it looks along +z.
    Monster = "monster", 37689;
    /// A human head with skull, jaw, teeth and facial muscles, which looks along +z.
    Head = "head", 30000;
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for Name {
    type Err = super::CastError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().copied().find(|name| name.as_str() == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|name| name.as_str()).collect();
            let meant = crate::suggest::closest(text, &names);
            let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            let names = crate::suggest::list(&names);
            super::CastError::Unknown { given: text.to_owned(), meant, names }
        })
    }
}
