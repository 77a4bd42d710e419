//! A face that muscles move: its file, the built-in head, and expressions by name.
//!
//! Text with one thing on a line:
//!
//! ```text
//! sinew-face 1
//! lame MU LAMBDA                      Pa
//! hinge X Y Z                         m
//! muscle fibre|ring X Y Z NAME        direction of fibres, or axis of the ring
//! v X Y Z free|skull|jaw
//! t A B C D                           tetrahedra; those with a free vertex come first
//! s COLUMN WEIGHT COLUMN WEIGHT …     a row of S for each of those; column 0 is passive tissue
//! f A B C skin|mouth
//! scanned V V …
//! landmark X Y Z NAME                 a place of the skin
//! head built-in                       the flesh is that of the built-in head: pictures show its painted skin
//! ```

mod look;
mod named;
mod text;

pub use look::{Body, HEAD_SIZE};
pub use named::{Contraction, NAMES, named};

use glam::DVec3;
use sinew::Lame;
use sinew::muscle::{self, Activation};
use std::sync::{Arc, LazyLock};

/// What holds a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Nothing: it moves with the flesh.
    Free,
    /// The skull, which does not move.
    Skull,
    /// The jaw.
    Jaw,
}

/// A muscle by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// Its name.
    pub name: String,
    /// The direction of its fibres, or the axis of a ring; a unit vector.
    pub axis: DVec3,
    /// Whether its fibres are a ring, as around mouth and eyes.
    pub ring: bool,
}

impl Muscle {
    /// Its activation when its fibres have `length` of their rest length.
    pub fn contracted(&self, length: f64) -> Activation {
        if self.ring { muscle::ring(self.axis, length) } else { muscle::fibre(self.axis, length) }
    }
}

/// What the file of a face has.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceFile {
    /// Vertices at rest, #V, m.
    pub points: Vec<DVec3>,
    /// What holds each of them, #V.
    pub holds: Vec<Hold>,
    /// Tetrahedra of flesh, #T by 4; those with a free vertex come first.
    pub tets: Vec<[u32; 4]>,
    /// A row of S for each tetrahedron with a free vertex: columns and weights on the simplex.
    pub rows: Vec<Vec<(u32, f64)>>,
    /// Muscles; column j + 1 of the rows is muscle j.
    pub muscles: Vec<Muscle>,
    /// Where the jaw turns, m.
    pub hinge: DVec3,
    /// Triangles that one can see: skin first, then the inside of the mouth.
    pub surface: Vec<[u32; 3]>,
    /// How many of them are skin.
    pub skin: usize,
    /// The vertices that a scan sees.
    pub scanned: Vec<u32>,
    /// Places of the skin with names, m.
    pub landmarks: Vec<(String, DVec3)>,
    /// The material of all flesh, Pa.
    pub lame: Lame,
    /// Whether the flesh at rest is that of the built-in head, whose painted skin pictures then show.
    pub built_in: bool,
}

impl FaceFile {
    /// The numbers of the muscles of this name; a name without a side means both sides.
    pub fn muscles_named(&self, name: &str) -> impl Iterator<Item = usize> {
        (0..self.muscles.len()).filter(move |&j| {
            let own = self.muscles[j].name.as_str();
            own == name || own.strip_prefix("left ") == Some(name) || own.strip_prefix("right ") == Some(name)
        })
    }

    /// The names that [`Self::muscles_named`] understands: those without a side, then all muscles.
    pub fn names_of_muscles(&self) -> Vec<&str> {
        let own = || self.muscles.iter().map(|muscle| muscle.name.as_str());
        let sideless =
            own().filter_map(|name| name.strip_prefix("left ").or_else(|| name.strip_prefix("right ")));
        let mut names: Vec<&str> = Vec::new();
        for name in sideless.chain(own()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The share of passive tissue in the tetrahedron of a row.
    pub fn passive(&self, row: usize) -> f64 {
        self.rows[row].iter().filter(|(column, _)| *column == 0).map(|(_, weight)| weight).sum()
    }
}

/// What `sinew face make --size 12` wrote, compressed, with seven digits of a metre and six of a weight.
const HEAD: &[u8] = include_bytes!("head.face.z");

/// The built-in head.
///
/// # Errors
/// A sentence, if what the program was built with is damaged.
pub fn built_in() -> Result<Arc<FaceFile>, String> {
    static FACE: LazyLock<Result<Arc<FaceFile>, String>> = LazyLock::new(|| {
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(HEAD, 1 << 24)
            .map_err(|error| format!("the built-in head is damaged: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|_| "the built-in head is damaged".to_owned())?;
        FaceFile::from_text(&text).map(Arc::new)
    });
    FACE.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_head_is_sound_and_comes_back_from_its_text() {
        let head = built_in().unwrap();
        assert_eq!(head.muscles.len(), 25);
        assert!(head.rows.len() > 10_000 && head.holds.contains(&Hold::Jaw));
        assert_eq!(FaceFile::from_text(&head.to_text()).unwrap(), *head);
        assert_eq!(head.muscles_named("zygomaticus major").count(), 2);
        assert_eq!(head.muscles_named("left zygomaticus major").count(), 1);
    }

    #[test]
    fn every_expression_uses_muscles_of_the_head() {
        let head = built_in().unwrap();
        for name in NAMES {
            let Some(contraction) = named(name) else { panic!("{name} is not an expression") };
            for (muscle, length) in contraction.lengths {
                assert!(head.muscles_named(muscle).count() > 0, "{name}: {muscle}");
                assert!((0.5..1.0).contains(length), "{name}: {length} is stronger than the stated range");
            }
            assert!(contraction.jaw[0].abs() <= 7.4, "9 mm at 70 mm");
        }
    }

    #[test]
    fn damaged_files_are_refused_with_a_line() {
        let text = built_in().unwrap().to_text();
        for (from, to, says) in [
            ("sinew-face 1", "sinew-face 9", "version 9"),
            ("sinew-face 1", "ply", "this is no face"),
            ("\nhinge ", "\nhinge x ", "line 3"),
            (" jaw\n", " skull\n", "no jaw"),
            ("\nlame ", "\n# ", "line 2"),
        ] {
            let error = FaceFile::from_text(&text.replace(from, to)).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
