//! Values that may be written as a plain string, which stands for a table with one key: `mesh = "bunny.obj"`.

use schemars::Schema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::{Value, json};
use std::fmt;
use std::marker::PhantomData;

/// Reads a `T` from a string by `of_text`, or from a table by way of `R`. Not an untagged enum: that would lose the positions of the values in the file.
pub(super) fn text_or_table<'de, D, T, R>(
    deserializer: D,
    what: &'static str,
    of_text: fn(String) -> T,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    R: Deserialize<'de> + Into<T>,
{
    deserializer.deserialize_any(Either { what, of_text, table: PhantomData::<R> })
}

struct Either<T, R> {
    what: &'static str,
    of_text: fn(String) -> T,
    table: PhantomData<R>,
}

impl<'de, T, R: Deserialize<'de> + Into<T>> Visitor<'de> for Either<T, R> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        Ok((self.of_text)(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        R::deserialize(MapAccessDeserializer::new(map)).map(Into::into)
    }
}

/// Changes the schema of the table to one that also allows a string.
pub(super) fn or_text(schema: &mut Schema) {
    or_string(schema, "Path of the file.");
}

/// The same with what the string is.
pub(super) fn or_string(schema: &mut Schema, what: &str) {
    let description = schema.get("description").cloned();
    let mut table = schema.clone().to_value();
    if let Some(object) = table.as_object_mut() {
        object.remove("description");
    }
    let mut either = json!({ "anyOf": [{ "type": "string", "description": what }, table] });
    if let Some(description) = description {
        either["description"] = description;
    }
    if let Value::Object(either) = either {
        *schema = either.into();
    }
}
