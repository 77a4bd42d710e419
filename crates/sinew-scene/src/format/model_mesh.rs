//! Members of the cast as the mesh of a body: `mesh = { model = "hippo", vertices = 2400 }`.

use super::text_or_table::or_string;
use crate::cast::Name;
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A member of the cast: its name, or a table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = or_name)]
pub struct ModelMesh {
    /// Which one.
    pub name: Name,
    /// Number of vertices, met within 15 %. Default: as many as in the tables of the papers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 20))]
    pub vertices: Option<u32>,
    /// The longest side, m, positive. Default: 1.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub size: f64,
    /// Whether pictures show the fine surface of the shape, which the tetrahedra carry. Default: true.
    #[serde(default = "yes")]
    pub fine_surface: bool,
}

impl ModelMesh {
    /// The number of vertices that is asked for.
    pub fn count(&self) -> u32 {
        self.vertices.unwrap_or_else(|| u32::try_from(self.name.vertices()).unwrap_or(u32::MAX))
    }
}

fn or_name(schema: &mut schemars::Schema) {
    or_string(schema, "Name of the model.");
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

/// [`ModelMesh`] written as a table.
#[derive(Deserialize)]
#[serde(rename = "ModelMesh", deny_unknown_fields)]
struct Table {
    name: Name,
    vertices: Option<u32>,
    #[serde(default = "one")]
    size: f64,
    #[serde(default = "yes")]
    fine_surface: bool,
}

impl<'de> Deserialize<'de> for ModelMesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrTable)
    }
}

struct NameOrTable;

impl<'de> Visitor<'de> for NameOrTable {
    type Value = ModelMesh;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a model or a table { name, vertices, size, fine_surface }")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ModelMesh, E> {
        let name = Name::deserialize(StrDeserializer::<E>::new(text))?;
        Ok(ModelMesh { name, vertices: None, size: 1.0, fine_surface: true })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ModelMesh, A::Error> {
        let Table { name, vertices, size, fine_surface } =
            Table::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ModelMesh { name, vertices, size, fine_surface })
    }
}
