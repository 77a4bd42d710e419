//! The boundary of a tetrahedral mesh: the triangles that belong to one tetrahedron only.

/// The four faces of a positively oriented tetrahedron, counter-clockwise seen from outside.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Boundary faces of tetrahedra (#T by 4), outward oriented, in the order of the tetrahedra.
pub fn boundary_triangles(tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let face = |f: usize| FACES[f % 4].map(|c| tetrahedra[f / 4][c]);
    // Faces are put in buckets by their smallest vertex: the two sides of an inner face meet in a list of a dozen, so the list of all faces
    // need not be sorted. There are as many buckets as tetrahedra, whatever the indices are, because they have not been checked yet.
    let buckets = tetrahedra.len();
    let mut start = vec![0; buckets + 1];
    let bucket = |f: usize| face(f).into_iter().min().map_or(0, |v| v as usize % buckets);
    for f in 0..4 * tetrahedra.len() {
        start[bucket(f) + 1] += 1;
    }
    for b in 0..buckets {
        start[b + 1] += start[b];
    }
    let mut next = start.clone();
    let mut faces = vec![0; 4 * tetrahedra.len()];
    for f in 0..faces.len() {
        let place = &mut next[bucket(f)];
        faces[*place] = f;
        *place += 1;
    }
    let mut outside = vec![false; faces.len()];
    let mut together = Vec::new();
    for b in 0..buckets {
        together.clear();
        together.extend(faces[start[b]..start[b + 1]].iter().map(|&f| {
            let mut key = face(f);
            key.sort_unstable();
            (key, f)
        }));
        together.sort_unstable();
        for same in together.chunk_by(|a, b| a.0 == b.0) {
            outside[same[0].1] = same.len() == 1;
        }
    }
    (0..outside.len()).filter(|&f| outside[f]).map(face).collect()
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

    #[test]
    fn any_indices_will_do() {
        assert!(boundary_triangles(&[]).is_empty());
        let far = u32::MAX;
        assert_eq!(boundary_triangles(&[[far, 7, far - 1, 0], [far, 7, far - 1, 3]]).len(), 6);
    }
}
