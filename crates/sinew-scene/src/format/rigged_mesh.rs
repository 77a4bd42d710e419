//! Meshes with bones and joints of their own.

use super::choices::ClipRepeat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A soft bar along the x axis with two bones in line, `bone 1` and `bone 2`, and a ball joint between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CantileverMesh {
    /// Extent along x, m, positive. Default: 1.7.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: f64,
    /// Extent along y and z, m, positive. Default: 0.3.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub thickness: f64,
    /// Number of cubes along x, y, z; at least 6, 3 and 3. Default: [34, 6, 6].
    pub cells: [u32; 3],
    /// Whether there is flesh around the bones. Default: true.
    pub flesh: bool,
}

impl Default for CantileverMesh {
    fn default() -> Self {
        Self { length: 1.7, thickness: 0.3, cells: [34, 6, 6], flesh: true }
    }
}

/// A soft bar along the x axis with bones in a row, `bone 1`, `bone 2` and so on, and a ball joint between neighbours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ChainMesh {
    /// Number of bones, 1 or greater. Default: 5.
    #[schemars(range(min = 1))]
    pub bones: u32,
    /// Extent along x, m, positive. Default: 1.5.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: f64,
    /// Extent along y and z, m, positive. Default: 0.1.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub thickness: f64,
    /// Number of cubes along x, y, z; at least 3 for each bone, 3 and 3. Default: 12 for each bone, 4 and 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<[u32; 3]>,
    /// Whether there is flesh around the bones. Default: true.
    pub flesh: bool,
}

impl Default for ChainMesh {
    fn default() -> Self {
        Self { bones: 5, length: 1.5, thickness: 0.1, cells: None, flesh: true }
    }
}

impl ChainMesh {
    /// The cells, by default in proportion to the bones.
    pub fn all_cells(&self) -> [u32; 3] {
        self.cells.unwrap_or([self.bones.saturating_mul(12), 4, 4])
    }
}

/// Two rigid sticks along the x axis, `stick 1` and `stick 2`, with a ball joint between them at the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NunchuckMesh {
    /// Length of a stick, m, positive. Default: 0.4.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: f64,
    /// Thickness of a stick, m, positive. Default: 0.2.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub thickness: f64,
    /// Distance between the sticks, m, 0 or greater. Default: 0.05.
    #[schemars(range(min = 0))]
    pub gap: f64,
    /// Number of cubes of a stick along x, y, z, 1 or greater. Default: [8, 4, 4].
    pub cells: [u32; 3],
}

impl Default for NunchuckMesh {
    fn default() -> Self {
        Self { length: 0.4, thickness: 0.2, gap: 0.05, cells: [8, 4, 4] }
    }
}

/// Rigid beads in a closed ring in the xy plane, `bead 1` at the top and the others counter-clockwise, with a joint between neighbours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BraceletMesh {
    /// Number of beads, 3 or greater. Default: 12.
    #[schemars(range(min = 3))]
    pub beads: u32,
    /// Radius of the ring, m, positive. Default: 0.2.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Radius of a bead, m, positive; beads must not overlap. Default: 0.04.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub bead_radius: f64,
    /// Number of cells across a bead, 1 or greater. Default: 6.
    #[schemars(range(min = 1))]
    pub cells: u32,
    /// Whether there are hinges that turn in the plane of the ring instead of ball joints. Default: false.
    pub hinges: bool,
}

impl Default for BraceletMesh {
    fn default() -> Self {
        Self { beads: 12, radius: 0.2, bead_radius: 0.04, cells: 6, hinges: false }
    }
}

/// A box of flesh with any number of vertices, bones (`bone 1`, `bone 2` and so on) and ball joints: a character for measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CharacterMesh {
    /// Extent along x, y, z, m, positive. Default: [0.6, 1.6, 0.35].
    pub size: [f64; 3],
    /// Number of vertices, met within 3 %. Default: 5000.
    pub vertices: u32,
    /// Number of bones. Default: 18.
    pub bones: u32,
    /// Number of joints, at most one less than bones. Default: one less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<u32>,
    /// Number of vertices on no bone, met roughly. Default: 84 % of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elastic: Option<u32>,
    /// Whether there is flesh around the bones. Default: true.
    pub flesh: bool,
}

impl Default for CharacterMesh {
    fn default() -> Self {
        Self { size: [0.6, 1.6, 0.35], vertices: 5000, bones: 18, joints: None, elastic: None, flesh: true }
    }
}

/// The skinned surface of an animated glTF figure. A clip moves all of it: it is kinematic, and other bodies collide with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FigureMesh {
    /// Path of the file (`.glb` or `.gltf`), relative to the folder of the scene file.
    pub path: String,
    /// Name of the clip. Default: the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// What follows when the clip is over. Default: never.
    #[serde(default)]
    pub repeat: ClipRepeat,
    /// Time at which the clip starts, s, 0 or greater; until then the figure holds its first pose. Default: 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub start: f64,
    /// Factor from the file's unit to metres, positive. Default: 1.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub scale: f64,
}

/// Rigid bones and joints from the bodies and joints of a MuJoCo model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MujocoMesh {
    /// Path of the file (`.xml`), relative to the folder of the scene file.
    pub path: String,
    /// Factor from the file's unit to metres, positive. Default: 1.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub scale: f64,
}

fn one() -> f64 {
    1.0
}
