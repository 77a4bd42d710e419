//! Shapes that the export tests draw.

use glam::DVec3;

/// Points and triangles.
pub struct Shape {
    pub positions: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// A cloth of `n`×`n` cells over [−1, 1]², lying over a ball of radius 0.5 around (0, 0.5, 0) and on the ground.
pub fn draped_cloth(n: u32) -> Shape {
    sheet(n, |s, t| {
        let (x, z) = (2.0 * s - 1.0, 2.0 * t - 1.0);
        let r = x.hypot(z);
        let angle = z.atan2(x);
        let fall = ((r - 0.45) / 0.55).clamp(0.0, 1.6);
        let y = if r < 0.45 { 0.5 + (0.27 - r * r).sqrt() } else { (0.76 - 0.9 * fall).max(0.02) };
        let folds = 0.07 * fall.min(1.0) * (8.0 * angle).cos();
        let pull = if r < 0.45 { 1.0 } else { 0.55 + 0.45 / (1.0 + (r - 0.45)) + folds };
        DVec3::new(x * pull, y, z * pull)
    })
}

/// A sheet of `n`×`n` cells, bent by a function of (s, t) ∈ [0, 1]²; its normals point along ∂t × ∂s.
pub fn sheet(n: u32, place: impl Fn(f64, f64) -> DVec3) -> Shape {
    let at = |i: u32| f64::from(i) / f64::from(n);
    let positions =
        (0..=n).flat_map(|j| (0..=n).map(move |i| (i, j))).map(|(i, j)| place(at(i), at(j))).collect();
    let corner = |i: u32, j: u32| j * (n + 1) + i;
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let triangles = cells
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, c, b], [a, d, c]]
        })
        .collect();
    Shape { positions, triangles }
}

/// A ball with outward triangles.
pub fn ball(centre: DVec3, radius: f64, n: u32) -> Shape {
    weld(sheet(n, |s, t| {
        let (around, down) = (std::f64::consts::TAU * s, std::f64::consts::PI * t);
        centre + radius * DVec3::new(down.sin() * around.sin(), down.cos(), down.sin() * around.cos())
    }))
}

/// A box of n×n×n·4 cells from the origin, outward triangles.
pub fn beam(n: u32) -> Shape {
    let mut shape = Shape { positions: Vec::new(), triangles: Vec::new() };
    let faces: [(DVec3, DVec3, DVec3); 6] = [
        (DVec3::ZERO, DVec3::X, DVec3::Y),
        (DVec3::Z, DVec3::Y, DVec3::X),
        (DVec3::ZERO, DVec3::Y, DVec3::Z),
        (DVec3::X, DVec3::Z, DVec3::Y),
        (DVec3::ZERO, DVec3::Z, DVec3::X),
        (DVec3::Y, DVec3::X, DVec3::Z),
    ];
    for (origin, u, v) in faces {
        let face = sheet(n, |s, t| (origin + s * u + t * v) * DVec3::new(2.0, 0.5, 0.5));
        let first = shape.positions.len() as u32;
        shape.positions.extend(face.positions);
        shape.triangles.extend(face.triangles.iter().map(|t| t.map(|i| i + first)));
    }
    weld(shape)
}

fn weld(shape: Shape) -> Shape {
    let mut positions: Vec<DVec3> = Vec::new();
    let number: Vec<u32> = shape
        .positions
        .iter()
        .map(|p| {
            let known = positions.iter().position(|q| q.distance(*p) < 1e-9);
            known.unwrap_or_else(|| {
                positions.push(*p);
                positions.len() - 1
            }) as u32
        })
        .collect();
    let triangles = shape.triangles.iter().map(|t| t.map(|i| number[i as usize])).collect();
    Shape { positions, triangles }
}
