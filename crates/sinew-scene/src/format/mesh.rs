//! The source of a body's points and elements.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::choices::{CellDiagonals, CubeSplit};
use super::face::FaceMesh;
use super::model_mesh::ModelMesh;
use super::rigged_mesh::{
    BraceletMesh, CantileverMesh, ChainMesh, CharacterMesh, FigureMesh, MujocoMesh, NunchuckMesh,
};
use super::text_or_table::{or_text, text_or_table};

/// The mesh of a body: exactly one of these, or the path of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = or_text)]
pub enum MeshSource {
    /// One regular tetrahedron.
    Tetrahedron(TetrahedronMesh),
    /// A block of tetrahedra.
    Box(BoxMesh),
    /// A bar of tetrahedra along the x axis.
    Bar(BarMesh),
    /// A ball of tetrahedra.
    Ball(BallMesh),
    /// A rigid sphere, which collides as one.
    Sphere(SphereMesh),
    /// A rigid capsule along y, which collides as one.
    Capsule(CapsuleMesh),
    /// A rectangular cloth of springs.
    Cloth(ClothMesh),
    /// A soft bar with two bones.
    Cantilever(CantileverMesh),
    /// A soft bar with bones in a row.
    Chain(ChainMesh),
    /// Two rigid sticks.
    Nunchuck(NunchuckMesh),
    /// Rigid beads in a ring.
    Bracelet(BraceletMesh),
    /// Flesh with any number of bones.
    Character(CharacterMesh),
    /// An animated glTF figure, which moves other bodies.
    Figure(FigureMesh),
    /// Flesh with muscles on a skull and a jaw.
    Face(FaceMesh),
    /// Bodies, hinges and limits of a MuJoCo model.
    Mujoco(MujocoMesh),
    /// A member of the cast: a creature or a thing made by code.
    Model(ModelMesh),
    /// A mesh file.
    File(FileMesh),
    /// Points and elements written into the scene.
    Inline(InlineMesh),
}

impl MeshSource {
    /// Whether it comes with bones and joints of its own.
    pub fn brings_bones(&self) -> bool {
        match self {
            Self::Cantilever(_)
            | Self::Chain(_)
            | Self::Nunchuck(_)
            | Self::Bracelet(_)
            | Self::Character(_)
            | Self::Mujoco(_)
            | Self::Face(_)
            | Self::Figure(_) => true,
            Self::Tetrahedron(_)
            | Self::Box(_)
            | Self::Bar(_)
            | Self::Ball(_)
            | Self::Sphere(_)
            | Self::Capsule(_)
            | Self::Cloth(_)
            | Self::Model(_)
            | Self::File(_)
            | Self::Inline(_) => false,
        }
    }
}

impl MeshSource {
    /// Approximate number of vertices, before the mesh is made; unknown for a file.
    pub fn vertices(&self) -> f64 {
        let grid = |cells: &[u32]| cells.iter().map(|&n| f64::from(n) + 1.0).product::<f64>();
        match self {
            Self::Tetrahedron(_) => 4.0,
            Self::Box(mesh) => grid(&mesh.cells),
            Self::Bar(mesh) => grid(&mesh.cells),
            Self::Ball(mesh) => (f64::from(mesh.cells) + 1.0).powi(3),
            Self::Sphere(SphereMesh { segments, .. }) | Self::Capsule(CapsuleMesh { segments, .. }) => {
                0.5 * f64::from(*segments).powi(2)
            }
            Self::Cloth(mesh) => grid(&mesh.cells),
            Self::Cantilever(mesh) => grid(&mesh.cells),
            Self::Chain(mesh) => grid(&mesh.all_cells()),
            Self::Nunchuck(mesh) => 2.0 * grid(&mesh.cells),
            Self::Bracelet(mesh) => f64::from(mesh.beads) * (f64::from(mesh.cells) + 1.0).powi(3),
            Self::Character(mesh) => f64::from(mesh.vertices) + 64.0 * f64::from(mesh.bones),
            Self::Model(mesh) => f64::from(mesh.count()),
            Self::File(_) | Self::Mujoco(_) | Self::Figure(_) | Self::Face(_) => 0.0,
            Self::Inline(mesh) => mesh.points.len() as f64,
        }
    }
}

/// One regular tetrahedron.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TetrahedronMesh {
    /// Length of an edge, m, positive. Default: 1.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub edge: f64,
}

impl Default for TetrahedronMesh {
    fn default() -> Self {
        Self { edge: 1.0 }
    }
}

/// A block of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxMesh {
    /// Extent along x, y, z, m, positive.
    pub size: [f64; 3],
    /// Number of cubes along x, y, z, 1 or greater.
    pub cells: [u32; 3],
    /// Tetrahedra per cube. Default: five.
    #[serde(default)]
    pub split: CubeSplit,
}

/// A bar of tetrahedra along the x axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BarMesh {
    /// Extent along x, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: f64,
    /// Extent along z, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub width: f64,
    /// Extent along y, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub height: f64,
    /// Number of cubes along x, y, z, 1 or greater.
    pub cells: [u32; 3],
    /// Tetrahedra per cube. Default: five.
    #[serde(default)]
    pub split: CubeSplit,
}

/// A ball of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BallMesh {
    /// Radius, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Number of cells across the diameter, 1 or greater.
    #[schemars(range(min = 1))]
    pub cells: u32,
}

/// A rigid sphere. It collides as a sphere, and weighs as one; its triangles are only drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereMesh {
    /// Radius, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Number of segments that are drawn around it, 3 or greater. Default: 16.
    #[serde(default = "sixteen")]
    #[schemars(range(min = 3))]
    pub segments: u32,
}

/// A rigid capsule: everything within a radius of a segment along y about the origin. It collides as one, and weighs as one; its triangles are only drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapsuleMesh {
    /// Radius, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Length of the segment, without the round ends, m, positive.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: f64,
    /// Number of segments that are drawn around it, 3 or greater. Default: 16.
    #[serde(default = "sixteen")]
    #[schemars(range(min = 3))]
    pub segments: u32,
}

fn sixteen() -> u32 {
    16
}

/// A rectangular cloth of springs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClothMesh {
    /// Extent along x and along z (y if vertical), m, positive.
    pub size: [f64; 2],
    /// Number of cells in both directions, 1 or greater.
    pub cells: [u32; 2],
    /// Whether there are springs along the edges of cells. Default: true.
    #[serde(default = "yes")]
    pub structural: bool,
    /// Whether there are springs along the diagonals of cells. Default: true.
    #[serde(default = "yes")]
    pub shear: bool,
    /// Which diagonals have springs. Default: both.
    #[serde(default)]
    pub diagonals: CellDiagonals,
    /// Whether there are springs over two cells, which resist bending. Default: true.
    #[serde(default = "yes")]
    pub bend: bool,
    /// Whether the cloth is in the xy plane instead of the xz plane. Default: false.
    #[serde(default)]
    pub vertical: bool,
}

fn yes() -> bool {
    true
}

/// A mesh file: its path, or a table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = or_text)]
pub struct FileMesh {
    /// Path of the file, relative to the folder of the scene file.
    pub path: String,
    /// Factor from the file's unit to metres, positive. Default: 1.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub scale: f64,
    /// Whether to move the centre of the bounding box to the origin. Default: false.
    #[serde(default)]
    pub center: bool,
    /// Fill the closed surface of the file with tetrahedra. Default: take the elements of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tetrahedralize: Option<Filling>,
}

/// How to fill a closed surface with tetrahedra: with `size` or `vertices`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Filling {
    /// Length of the longer edges, m, positive; after `scale`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub size: Option<f64>,
    /// About how many vertices, instead of a size.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 20))]
    pub vertices: Option<u32>,
    /// Whether tetrahedra become larger away from the surface. Default: false.
    pub coarser_inside: bool,
    /// Whether to repair the surface first: weld vertices, orient faces, fill small holes. Default: false.
    pub repair: bool,
}

fn one() -> f64 {
    1.0
}

/// [`FileMesh`] written as a table.
#[derive(Deserialize)]
#[serde(rename = "FileMesh", deny_unknown_fields)]
struct FileTable {
    path: String,
    #[serde(default = "one")]
    scale: f64,
    #[serde(default)]
    center: bool,
    tetrahedralize: Option<Filling>,
}

impl From<FileTable> for FileMesh {
    fn from(FileTable { path, scale, center, tetrahedralize }: FileTable) -> Self {
        Self { path, scale, center, tetrahedralize }
    }
}

impl<'de> Deserialize<'de> for FileMesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let of_text = |path| Self { path, scale: 1.0, center: false, tetrahedralize: None };
        text_or_table::<D, Self, FileTable>(
            deserializer,
            "the path of a mesh file or a table { path, scale, center, tetrahedralize }",
            of_text,
        )
    }
}

/// A finer surface that a body of tetrahedra carries: its path, or a table. Its coordinates are those of the mesh, whose `scale` and `center` apply.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = or_text)]
pub struct CarriedSurface {
    /// Path of the file, relative to the folder of the scene file.
    pub path: String,
    /// Factor from the file's unit to metres, positive. Default: that of the mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub scale: Option<f64>,
}

/// [`CarriedSurface`] written as a table.
#[derive(Deserialize)]
#[serde(rename = "CarriedSurface", deny_unknown_fields)]
struct SurfaceTable {
    path: String,
    scale: Option<f64>,
}

impl From<SurfaceTable> for CarriedSurface {
    fn from(SurfaceTable { path, scale }: SurfaceTable) -> Self {
        Self { path, scale }
    }
}

impl<'de> Deserialize<'de> for CarriedSurface {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let of_text = |path| Self { path, scale: None };
        text_or_table::<D, Self, SurfaceTable>(
            deserializer,
            "the path of a surface or a table { path, scale }",
            of_text,
        )
    }
}

/// Points and elements written into the scene. Vertices are counted from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InlineMesh {
    /// Rest positions, m, one [x, y, z] per vertex.
    pub points: Vec<[f64; 3]>,
    /// Springs, each a pair of vertices. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<[u32; 2]>,
    /// Tetrahedra, each four vertices. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tets: Vec<[u32; 4]>,
    /// Label of the region of each tetrahedron. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regions: Option<Vec<i32>>,
    /// Triangles of the surface, each three vertices. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triangles: Vec<[u32; 3]>,
    /// Mass of each vertex, kg, positive; replaces the mass of the material. Default: from the material.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masses: Option<Vec<f64>>,
    /// Initial position of each vertex, m, before `initial` applies. Default: `points`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<Vec<[f64; 3]>>,
    /// Initial velocity of each vertex, m/s, to which `initial` adds. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocities: Option<Vec<[f64; 3]>>,
    /// Rest length of each spring, m, 0 or greater. Default: from `points`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_lengths: Option<Vec<f64>>,
    /// Stiffness of each spring, N/m, 0 or greater. Default: from the material.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffnesses: Option<Vec<f64>>,
}
