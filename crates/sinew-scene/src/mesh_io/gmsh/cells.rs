//! The cells of Gmsh by their number: how many nodes to read, and their names.

/// A kind of cell.
pub(super) struct CellKind {
    pub name: &'static str,
    /// 0 for points to 3 for volumes.
    pub dimension: u8,
    pub nodes: usize,
}

/// The linear triangle.
pub(super) const TRIANGLE: i64 = 2;
/// The linear tetrahedron.
pub(super) const TETRAHEDRON: i64 = 4;

/// The kind that Gmsh gives this number, if its manual lists it.
#[rustfmt::skip]
pub(super) fn cell_kind(number: i64) -> Option<CellKind> {
    let (nodes, dimension, name) = match number {
        1 => (2, 1, "lines"),
        TRIANGLE => (3, 2, "triangles"),
        3 => (4, 2, "quadrilaterals"),
        TETRAHEDRON => (4, 3, "tetrahedra"),
        5 => (8, 3, "hexahedra"),
        6 => (6, 3, "wedges (prisms)"),
        7 => (5, 3, "pyramids"),
        8 => (3, 1, "3-node lines"),
        9 => (6, 2, "6-node (quadratic) triangles"),
        10 => (9, 2, "9-node (quadratic) quadrilaterals"),
        11 => (10, 3, "10-node (quadratic) tetrahedra"),
        12 => (27, 3, "27-node (quadratic) hexahedra"),
        13 => (18, 3, "18-node (quadratic) wedges (prisms)"),
        14 => (14, 3, "14-node (quadratic) pyramids"),
        15 => (1, 0, "points"),
        16 => (8, 2, "8-node (quadratic) quadrilaterals"),
        17 => (20, 3, "20-node (quadratic) hexahedra"),
        18 => (15, 3, "15-node (quadratic) wedges (prisms)"),
        19 => (13, 3, "13-node (quadratic) pyramids"),
        20 => (9, 2, "9-node (cubic) triangles"),
        21 => (10, 2, "10-node (cubic) triangles"),
        22 => (12, 2, "12-node (quartic) triangles"),
        23 => (15, 2, "15-node (quartic) triangles"),
        24 => (15, 2, "15-node (quintic) triangles"),
        25 => (21, 2, "21-node (quintic) triangles"),
        26 => (4, 1, "4-node lines"),
        27 => (5, 1, "5-node lines"),
        28 => (6, 1, "6-node lines"),
        29 => (20, 3, "20-node (cubic) tetrahedra"),
        30 => (35, 3, "35-node (quartic) tetrahedra"),
        31 => (56, 3, "56-node (quintic) tetrahedra"),
        36 => (16, 2, "16-node (cubic) quadrilaterals"),
        37 => (25, 2, "25-node (quartic) quadrilaterals"),
        92 => (64, 3, "64-node (cubic) hexahedra"),
        93 => (125, 3, "125-node (quartic) hexahedra"),
        _ => return None,
    };
    Some(CellKind { name, dimension, nodes })
}
