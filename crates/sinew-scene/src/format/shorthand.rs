//! Short ways to write something, made long before the scene is read: `mesh = { file = "x.obj", tetrahedralize = { size = 0.05 } }` is
//! `mesh = { file = { path = "x.obj", tetrahedralize = { size = 0.05 } } }`.

use super::tree::{Entry, Node, Value};

/// Keys of a file that may stand beside it.
const OF_FILE: [&str; 3] = ["tetrahedralize", "scale", "center"];

/// Makes everything long. Values keep their places in the file, so that errors find them.
pub(super) fn expand(root: &mut Node) {
    for mesh in bodies(root).filter_map(|body| get(body, "mesh")) {
        if let Value::Table(entries) = &mut mesh.value {
            file_with_keys_beside_it(entries);
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

fn file_with_keys_beside_it(entries: &mut Vec<Entry>) {
    let beside = |entry: &Entry| OF_FILE.contains(&entry.key.as_str());
    // Other keys are mistakes, and are reported as what was written.
    if !entries.iter().any(beside) || !entries.iter().all(|entry| entry.key == "file" || beside(entry)) {
        return;
    }
    let Some(place) = entries.iter().position(|entry| entry.key == "file") else { return };
    let mut file = entries.remove(place);
    let mut keys = std::mem::take(entries);
    let origin = file.node.origin;
    match &mut file.node.value {
        Value::String(path) => {
            let path = Node { value: Value::String(std::mem::take(path)), origin };
            keys.insert(0, Entry { key: "path".into(), key_origin: origin, node: path });
            file.node.value = Value::Table(keys);
        }
        Value::Table(own) => own.append(&mut keys),
        _ => {}
    }
    entries.push(file);
}
