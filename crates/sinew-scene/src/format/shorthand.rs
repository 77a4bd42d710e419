//! Short ways to write something, made long before the scene is read: `mesh = { file = "x.obj", tetrahedralize = { size = 0.05 } }` is
//! `mesh = { file = { path = "x.obj", tetrahedralize = { size = 0.05 } } }`, and `mesh = { model = "hippo", vertices = 2400 }` is
//! `mesh = { model = { name = "hippo", vertices = 2400 } }`.

use super::tree::{Entry, Node, Value};

/// A kind of mesh, what its text is, and the keys that may stand beside it.
const SHORT: [(&str, &str, &[&str]); 2] = [
    ("file", "path", &["tetrahedralize", "scale", "center"]),
    ("model", "name", &["vertices", "size", "fine_surface"]),
];

/// Makes everything long. Values keep their places in the file, so that errors find them.
pub(super) fn expand(root: &mut Node) {
    for mesh in bodies(root).filter_map(|body| get(body, "mesh")) {
        if let Value::Table(entries) = &mut mesh.value {
            for (kind, text, keys) in SHORT {
                keys_beside(kind, text, keys, entries);
            }
        }
    }
}

fn bodies(root: &mut Node) -> impl Iterator<Item = &mut Node> {
    let list = match get(root, "body") {
        Some(Node { value: Value::Array(bodies), .. }) => &mut bodies[..],
        _ => &mut [],
    };
    list.iter_mut()
}

fn get<'a>(node: &'a mut Node, key: &str) -> Option<&'a mut Node> {
    match &mut node.value {
        Value::Table(entries) => entries.iter_mut().find(|entry| entry.key == key).map(|e| &mut e.node),
        _ => None,
    }
}

fn keys_beside(kind: &str, text: &str, keys: &[&str], entries: &mut Vec<Entry>) {
    let beside = |entry: &Entry| keys.contains(&entry.key.as_str());
    // Other keys are mistakes, and are reported as what was written.
    if !entries.iter().any(beside) || !entries.iter().all(|entry| entry.key == kind || beside(entry)) {
        return;
    }
    let Some(place) = entries.iter().position(|entry| entry.key == kind) else { return };
    let mut short = entries.remove(place);
    let mut keys = std::mem::take(entries);
    let origin = short.node.origin;
    match &mut short.node.value {
        Value::String(name) => {
            let name = Node { value: Value::String(std::mem::take(name)), origin };
            keys.insert(0, Entry { key: text.into(), key_origin: origin, node: name });
            short.node.value = Value::Table(keys);
        }
        Value::Table(own) => own.append(&mut keys),
        _ => {}
    }
    entries.push(short);
}
