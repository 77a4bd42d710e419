//! The JSON Schema of scene files, for editors that complete and check TOML.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::scene::Scene;

/// JSON Schema (draft 2020-12) of the scene format, indented.
pub fn schema() -> String {
    let mut schema =
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Scene>().to_value();
    tidy(&mut schema);
    if let Some(root) = schema.as_object_mut() {
        root.insert("title".into(), "Sinew scene".into());
        root.insert("required".into(), Value::Array(vec!["body".into()]));
    }
    format!("{schema:#}")
}

/// Adapts the derived schema to TOML: no null, descriptions without the line breaks of the source.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(object) => {
            remove_null(object);
            if let Some(Value::String(description)) = object.get_mut("description") {
                *description = description.replace('\n', " ");
            }
            object.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Optional values are described as "or null"; TOML has no null, so the key is left out instead.
fn remove_null(object: &mut Map<String, Value>) {
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type") != Some(&Value::from("null")));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            object.extend(only);
        }
    }
}
