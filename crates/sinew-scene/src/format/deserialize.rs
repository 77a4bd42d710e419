//! serde's view of a [`Node`]: turns the tree into the typed scene.
//!
//! Stricter than TOML's own deserialiser where leniency would hide a mistake: a table is not accepted as a
//! list of fields in order, an array must have exactly the length asked for, and a choice between
//! sub-tables must be made exactly once.

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::fault::Fault;
use super::tree::{Entry, Node, Value};
use crate::suggest;

impl<'de> Deserializer<'de> for &'de Node {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.value {
            Value::String(s) => visitor.visit_borrowed_str(s),
            Value::Integer(i) => visitor.visit_i64(*i),
            Value::Float(x) => visitor.visit_f64(*x),
            Value::Boolean(b) => visitor.visit_bool(*b),
            Value::Date(date) => {
                Err(Fault::invalid_type(Unexpected::Other(&format!("the date {date}")), &visitor))
            }
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter().enumerate() }),
            Value::Table(entries) => visitor.visit_map(Entries { entries: entries.iter(), current: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.value {
            Value::Array(_) => Err(Fault::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        match &self.value {
            Value::Array(items) if items.len() == length => self.deserialize_any(visitor),
            Value::Array(items) => Err(Fault::invalid_length(items.len(), &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.value {
            // A mesh that is a plain string is a file.
            Value::String(text) if name == "MeshSource" && !variants.contains(&text.as_str()) => {
                visitor.visit_enum(Choice { name: "file", content: Some(self) })
            }
            Value::String(name) => visitor.visit_enum(Choice { name, content: None }),
            Value::Table(entries) => match entries.as_slice() {
                [Entry { key, node, .. }] => visitor.visit_enum(Choice { name: key, content: Some(node) }),
                _ => {
                    // An unknown key is a likelier mistake than two keys that exclude each other.
                    if let Some(stray) = entries.iter().find(|e| !variants.contains(&e.key.as_str())) {
                        return Err(Fault::unknown_variant(&stray.key, variants));
                    }
                    let given: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
                    let found = if given.is_empty() { "nothing".into() } else { suggest::list(&given) };
                    let allowed = suggest::list(variants);
                    Err(Fault::custom(format!("expected exactly one of {allowed}, found {found}")))
                }
            },
            _ => self.deserialize_any(visitor).map_err(|_| {
                Fault::custom(format!("expected one of {}, found {}", suggest::list(variants), self.kind()))
            }),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple_struct map identifier ignored_any
    }
}

impl Node {
    /// The kind of this value, with its article.
    fn kind(&self) -> &'static str {
        match self.value {
            Value::String(_) => "a string",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Boolean(_) => "true or false",
            Value::Date(_) => "a date",
            Value::Array(_) => "an array",
            Value::Table(_) => "a table",
        }
    }
}

struct Items<'de> {
    items: std::iter::Enumerate<std::slice::Iter<'de, Node>>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some((index, node)) = self.items.next() else { return Ok(None) };
        seed.deserialize(node).map(Some).map_err(|fault| fault.inside(index.to_string()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Entries<'de> {
    entries: std::slice::Iter<'de, Entry>,
    current: Option<&'de Entry>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        self.current = self.entries.next();
        self.current.map(|entry| seed.deserialize(entry.key.as_str().into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let entry =
            self.current.take().ok_or_else(|| Fault::custom("a value was asked for before its key"))?;
        seed.deserialize(&entry.node).map_err(|fault| fault.inside(&entry.key))
    }
}

/// One of several: a bare word (`kind = "newton"`) or a table with one key (`{ all = true }`).
struct Choice<'de> {
    name: &'de str,
    content: Option<&'de Node>,
}

impl<'de> EnumAccess<'de> for Choice<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let name: StrDeserializer<'_, Fault> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.content {
            None => Ok(()),
            Some(_) => Err(Fault::custom(format!("expected the string \"{}\", found a table", self.name))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        match self.content {
            Some(node) => seed.deserialize(node).map_err(|fault| fault.inside(self.name)),
            None => Err(Fault::custom(format!(
                "expected a table {{ {0} = … }}, found the string {0:?}",
                self.name
            ))),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Fault> {
        Err(Fault::custom("the format has no choices with a list of values"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Fault> {
        Err(Fault::custom("the format has no choices of this form"))
    }
}
