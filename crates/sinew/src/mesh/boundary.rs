//! The triangles that belong to one tetrahedron only.

/// The four faces of a positively oriented tetrahedron, seen from outside counter-clockwise.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Boundary faces of tetrahedra (#T by 4), outward oriented, in the order of the tetrahedra.
pub fn boundary_triangles(tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let mut faces = Vec::with_capacity(4 * tetrahedra.len());
    for t in tetrahedra {
        for f in FACES {
            let triangle = f.map(|c| t[c]);
            let mut key = triangle;
            key.sort_unstable();
            faces.push((key, faces.len(), triangle));
        }
    }
    faces.sort_unstable();
    let mut boundary: Vec<_> = faces
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|same| same.len() == 1)
        .map(|same| (same[0].1, same[0].2))
        .collect();
    boundary.sort_unstable();
    boundary.into_iter().map(|(_, triangle)| triangle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tetrahedra_share_one_face() {
        let t = [[0, 1, 2, 3], [1, 2, 3, 4]];
        let boundary = boundary_triangles(&t);
        assert_eq!(boundary.len(), 6);
        assert!(boundary.iter().all(|f| !(f.contains(&1) && f.contains(&2) && f.contains(&3))));
    }
}
