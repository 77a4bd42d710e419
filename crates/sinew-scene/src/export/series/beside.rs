//! A glTF file that stands beside our animation in one `.glb`: its nodes, skins and clips are kept, and its nodes also move in our clip, with a
//! keyframe for each frame.

use super::gltf::FLOAT;
use serde_json::{Value, json};

/// Node, translation, rotation (x, y, z, w) and scale.
pub type NodeMove = (usize, [f64; 3], [f64; 4], [f64; 3]);

/// Another glTF file whose nodes are kept, and move with the result.
pub struct Beside<'a> {
    /// Name of the node above all of its nodes.
    pub name: String,
    /// Its JSON, with one buffer.
    pub document: Value,
    /// That buffer.
    pub data: Vec<u8>,
    /// From its coordinates to the world, by columns.
    pub matrix: [f64; 16],
    /// Node, translation, rotation and scale of what moves, at a time of the run, s.
    pub moves: &'a dyn Fn(f64) -> Vec<NodeMove>,
}

impl std::fmt::Debug for Beside<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Beside").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Puts our JSON behind that of another file. Returns the JSON, the data before ours and the data after it; `length` is that of ours.
pub(super) fn join(
    mut ours: Value,
    beside: Beside<'_>,
    length: u64,
    times: &[f64],
) -> (Value, Vec<u8>, Vec<u8>) {
    let Beside { name, document: mut all, data: mut before, matrix, moves } = beside;
    before.resize(before.len().next_multiple_of(4), 0);
    let count = |all: &Value, key: &str| all[key].as_array().map_or(0, Vec::len) as u64;
    let shifts = ["nodes", "meshes", "accessors", "bufferViews"].map(|key| count(&all, key));
    shift(&mut ours, shifts, before.len() as u64);
    // One node above those of the other file places all of it.
    let roots: Vec<Value> =
        match all["scenes"][all["scene"].as_u64().unwrap_or(0) as usize]["nodes"].as_array() {
            Some(roots) => roots.clone(),
            None => Vec::new(),
        };
    let mut nodes = ours["nodes"].as_array().cloned().unwrap_or_default();
    let mut above = json!({ "name": name, "children": roots });
    if glam::DMat4::from_cols_array(&matrix) != glam::DMat4::IDENTITY {
        above["matrix"] = json!(matrix);
    }
    nodes.push(above);
    let top = (shifts[0]..shifts[0] + nodes.len() as u64).collect::<Vec<_>>();
    ours["nodes"] = nodes.into();

    let after = add_moves(&mut ours, shifts, before.len() as u64 + length, times, moves);
    for key in ["nodes", "meshes", "accessors", "bufferViews"] {
        let mut list = all[key].as_array().cloned().unwrap_or_default();
        list.extend(ours[key].as_array().cloned().unwrap_or_default());
        all[key] = list.into();
    }
    if let Some(clips) = ours.get("animations").and_then(Value::as_array) {
        let own = all["animations"].as_array().cloned().unwrap_or_default();
        all["animations"] = clips.iter().cloned().chain(own).collect();
    }
    all["scene"] = 0.into();
    all["scenes"] = json!([{ "nodes": top }]);
    all["buffers"] = json!([{ "byteLength": before.len() as u64 + length + after.len() as u64 }]);
    all["asset"]["generator"] = "Sinew".into();
    (all, before, after)
}

/// Counts nodes, meshes, accessors and views from where another file's end.
fn shift(ours: &mut Value, [nodes, meshes, accessors, views]: [u64; 4], bytes: u64) {
    let add = |value: &mut Value, by: u64| {
        if let Some(index) = value.as_u64() {
            *value = (index + by).into();
        }
    };
    let list = |value: &mut Value| value.as_array_mut().map(std::mem::take).unwrap_or_default();
    let each = |ours: &mut Value, key: &str, change: &dyn Fn(&mut Value)| {
        let mut all = list(&mut ours[key]);
        all.iter_mut().for_each(change);
        ours[key] = all.into();
    };
    each(ours, "nodes", &|node| add(&mut node["mesh"], meshes));
    each(ours, "bufferViews", &|view| add(&mut view["byteOffset"], bytes));
    each(ours, "accessors", &|accessor| add(&mut accessor["bufferView"], views));
    each(ours, "meshes", &|mesh| {
        let primitive = &mut mesh["primitives"][0];
        add(&mut primitive["attributes"]["POSITION"], accessors);
        if primitive.get("indices").is_some() {
            add(&mut primitive["indices"], accessors);
        }
        for target in primitive.get_mut("targets").and_then(Value::as_array_mut).into_iter().flatten() {
            add(&mut target["POSITION"], accessors);
        }
    });
    if let Some(clip) = ours.get_mut("animations").map(|clips| &mut clips[0]) {
        each(clip, "channels", &|channel| add(&mut channel["target"]["node"], nodes));
        each(clip, "samplers", &|sampler| {
            add(&mut sampler["input"], accessors);
            add(&mut sampler["output"], accessors);
        });
    }
}

/// Adds the motion of the other file's nodes to our clip; returns its numbers, which are at `offset` of the buffer.
fn add_moves(
    ours: &mut Value,
    [_, _, accessors, views]: [u64; 4],
    offset: u64,
    times: &[f64],
    moves: &dyn Fn(f64) -> Vec<NodeMove>,
) -> Vec<u8> {
    let Some(input) = ours.get("animations").map(|clips| clips[0]["samplers"][0]["input"].clone()) else {
        return Vec::new();
    };
    let poses: Vec<_> = times.iter().map(|&time| moves(time)).collect();
    let mut bytes: Vec<u8> = Vec::new();
    let push = |ours: &mut Value, key: &str, value: Value| -> u64 {
        let list = ours[key].as_array_mut();
        list.map_or(0, |list| {
            list.push(value);
            list.len() as u64 - 1
        })
    };
    for (k, &(node, ..)) in poses.first().into_iter().flatten().enumerate() {
        for (property, kind, columns) in
            [("translation", "VEC3", 3), ("rotation", "VEC4", 4), ("scale", "VEC3", 3)]
        {
            let start = bytes.len() as u64;
            for (_, translation, rotation, scale) in poses.iter().filter_map(|pose| pose.get(k)) {
                let numbers: &[f64] = match property {
                    "translation" => translation,
                    "rotation" => rotation,
                    _ => scale,
                };
                bytes.extend(numbers.iter().flat_map(|&v| (v as f32).to_le_bytes()));
            }
            let view =
                json!({ "buffer": 0, "byteOffset": offset + start, "byteLength": 4 * columns * poses.len() });
            let view = views + push(ours, "bufferViews", view);
            let accessor =
                json!({ "bufferView": view, "componentType": FLOAT, "count": poses.len(), "type": kind });
            let output = accessors + push(ours, "accessors", accessor);
            let clip = &mut ours["animations"][0];
            let sampler = json!({ "input": input, "output": output, "interpolation": "LINEAR" });
            let sampler = push(clip, "samplers", sampler);
            push(
                clip,
                "channels",
                json!({ "sampler": sampler, "target": { "node": node, "path": property } }),
            );
        }
    }
    bytes
}
