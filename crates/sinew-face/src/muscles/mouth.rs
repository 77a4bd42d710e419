//! Cutting flesh between the lips without moving a vertex: faces between tetrahedra above and below a plane come apart, and vertices on them are doubled.

use super::anatomy::MouthCut;
use glam::DVec3;
use std::collections::HashMap;

/// Doubles vertices along the cut, those of the skin only between the lips; returns the vertex that each new one is a copy of.
pub(crate) fn cut(
    points: &mut Vec<DVec3>,
    tets: &mut [[u32; 4]],
    skin: &[bool],
    mouth: &MouthCut,
) -> Vec<u32> {
    let middle =
        |tet: &[u32; 4], points: &[DVec3]| tet.iter().map(|&v| points[v as usize]).sum::<DVec3>() / 4.0;
    let above: Vec<bool> = tets.iter().map(|tet| middle(tet, points).y > mouth.height).collect();
    let face = |tet: &[u32; 4], k: usize| {
        let mut face = [tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]];
        face.sort_unstable();
        face
    };
    let inside = |p: DVec3, on_skin: bool| match p.z > mouth.front {
        true => p.x.abs() < mouth.lips,
        false => p.x.abs() < mouth.cavity && p.z > mouth.behind && !on_skin,
    };
    // Faces that stay together: all but those between above and below whose middle is in the mouth.
    let mut first: HashMap<[u32; 3], usize> = HashMap::new();
    let mut joined: Vec<(usize, usize, [u32; 3])> = Vec::new();
    let mut touched = vec![false; points.len()];
    for (t, tet) in tets.iter().enumerate() {
        for k in 0..4 {
            let face = face(tet, k);
            let Some(&other) = first.get(&face) else {
                first.insert(face, t);
                continue;
            };
            let centre = face.iter().map(|&v| points[v as usize]).sum::<DVec3>() / 3.0;
            if above[t] != above[other]
                && inside(centre, face.iter().filter(|&&v| skin[v as usize]).count() > 1)
            {
                face.iter().for_each(|&v| touched[v as usize] = true);
            } else {
                joined.push((other, t, face));
            }
        }
    }
    // Around a touched vertex, tetrahedra that no face joins get vertices of their own.
    let mut around: HashMap<u32, Vec<usize>> = HashMap::new();
    for (t, tet) in tets.iter().enumerate() {
        tet.iter().filter(|&&v| touched[v as usize]).for_each(|&v| around.entry(v).or_default().push(t));
    }
    let mut links: HashMap<u32, Vec<(usize, usize)>> = HashMap::new();
    for &(a, b, face) in &joined {
        face.iter().filter(|&&v| touched[v as usize]).for_each(|&v| links.entry(v).or_default().push((a, b)));
    }
    let mut copies = Vec::new();
    let mut vertices: Vec<u32> = around.keys().copied().collect();
    vertices.sort_unstable();
    for v in vertices {
        let list = &around[&v];
        let mut group: HashMap<usize, usize> = list.iter().map(|&t| (t, t)).collect();
        loop {
            let mut changed = false;
            for &(a, b) in links.get(&v).map_or(&[][..], |list| list) {
                let least = group[&a].min(group[&b]);
                for t in [a, b] {
                    changed |= group.insert(t, least) != Some(least);
                }
            }
            if !changed {
                break;
            }
        }
        let mut names: Vec<usize> = group.values().copied().collect();
        names.sort_unstable();
        names.dedup();
        for name in names.into_iter().skip(1) {
            let copy = points.len() as u32;
            points.push(points[v as usize]);
            copies.push(v);
            for &t in list.iter().filter(|t| group[t] == name) {
                tets[t].iter_mut().filter(|w| **w == v).for_each(|w| *w = copy);
            }
        }
    }
    copies
}
