//! Random bodies: cloth, ropes, solids, single tetrahedra, loose points; thin, light and heavy, crumpled, fast.

use crate::random::Random;
use crate::support::cube;
use sinew::{Body, Constitutive, DQuat, DVec3, Lame, SpringLaw};

/// A body, and what the rest of a scene wants to know of it.
pub struct Part {
    /// Without its initial motion, which bones still change: see [`Part::finish`].
    body: Body,
    pub rest: Vec<DVec3>,
    pub x: Vec<DVec3>,
    v: Vec<DVec3>,
    /// Triangles, by the numbers of its own vertices; of cloth and solids.
    pub surface: Vec<[u32; 3]>,
    /// Extent, m.
    pub size: f64,
    /// Typical stiffness of a vertex, N/m.
    pub stiffness: f64,
    /// About the trace of the matrix L of Projective Dynamics, N/m. A thin element is as stiff as its thickness is small.
    pub stiffest: f64,
}

impl Part {
    /// Keeps vertices where they are at rest: those of a bone must not be crumpled.
    pub fn straighten(&mut self, vertices: &[usize]) {
        vertices.iter().for_each(|&i| self.x[i] = self.rest[i]);
    }

    /// The body with its initial motion.
    pub fn finish(self) -> Body {
        self.body.positions(self.x).velocities(self.v)
    }
}

/// Vertices, elements and surface of a body of size 1.
struct Shape {
    points: Vec<DVec3>,
    springs: Vec<[u32; 2]>,
    tetrahedra: Vec<[u32; 4]>,
    surface: Vec<[u32; 3]>,
}

/// A square net with bending springs.
fn cloth(n: usize) -> Shape {
    let index = |i: usize, j: usize| (i * n + j) as u32;
    let (mut points, mut springs, mut surface) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n {
        for j in 0..n {
            points.push(DVec3::new(i as f64, 0.0, j as f64) / (n - 1) as f64);
            for (di, dj) in [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)] {
                if i + di < n && j + dj < n {
                    springs.push([index(i, j), index(i + di, j + dj)]);
                }
            }
            if i + 1 < n && j + 1 < n {
                surface.push([index(i, j), index(i, j + 1), index(i + 1, j + 1)]);
                surface.push([index(i, j), index(i + 1, j + 1), index(i + 1, j)]);
            }
        }
    }
    Shape { points, springs, tetrahedra: Vec::new(), surface }
}

/// A cloth of n² vertices and half a metre, turned about its middle.
pub fn sheet(n: usize, middle: DVec3, turn: DQuat, velocity: DVec3) -> Body {
    let Shape { points, springs, surface, .. } = cloth(n);
    let put = |p: &DVec3| middle + turn * ((*p - DVec3::new(0.5, 0.0, 0.5)) * 0.5);
    let points: Vec<_> = points.iter().map(put).collect();
    let velocities = vec![velocity; points.len()];
    let body = Body::new("cloth", points).springs(springs, SpringLaw::Hookean, 300.0).total_mass(0.1);
    body.surface(surface).velocities(velocities)
}

/// Points in a line, each joined to the next.
fn rope(n: usize) -> Shape {
    Shape {
        points: (0..n).map(|k| DVec3::X * (k as f64 / (n - 1) as f64)).collect(),
        springs: (1..n as u32).map(|k| [k - 1, k]).collect(),
        tetrahedra: Vec::new(),
        surface: Vec::new(),
    }
}

fn solid(points: Vec<DVec3>, tetrahedra: Vec<[u32; 4]>) -> Shape {
    let surface = sinew::boundary_triangles(&tetrahedra);
    Shape { points, springs: Vec::new(), tetrahedra, surface }
}

fn wedge() -> Shape {
    solid(vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 1, 2, 3]])
}

fn dust(n: usize, r: &mut Random) -> Shape {
    let points = (0..n).map(|_| r.vector(0.5)).collect();
    Shape { points, springs: Vec::new(), tetrahedra: Vec::new(), surface: Vec::new() }
}

/// A body around `place`; a `large` one has more elements than fit in one chunk of a parallel loop.
pub fn random_body(r: &mut Random, name: String, place: DVec3, large: bool) -> Part {
    let shape = match r.index(if large { 2 } else { 10 }) {
        0 if large => cloth(18),
        _ if large => {
            let (points, tetrahedra) = cube(7);
            solid(points, tetrahedra)
        }
        0..=2 => cloth(r.pick(&[2, 3, 4, 5])),
        3 => rope(r.pick(&[2, 3, 6, 10])),
        4 => wedge(),
        5 => dust(1 + r.index(3), r),
        k => {
            let (points, tetrahedra) = cube(if k == 6 { 3 } else { 2 });
            solid(points, tetrahedra)
        }
    };
    dressed(r, name, shape, place)
}

/// A solid cube of n³ vertices around `place`, for bones.
pub fn random_cube(r: &mut Random, name: String, n: usize, place: DVec3) -> Part {
    let (points, tetrahedra) = cube(n);
    dressed(r, name, solid(points, tetrahedra), place)
}

/// Gives a shape size, material, masses and motion.
fn dressed(r: &mut Random, name: String, shape: Shape, place: DVec3) -> Part {
    let size = r.pick(&[1.0, 1.0, 0.1, 0.01, 10.0]);
    let thin = r.pick(&[1.0, 1.0, 1.0, 1e-2, 1e-4]);
    let rest: Vec<_> = shape.points.iter().map(|p| place + *p * DVec3::new(1.0, thin, 1.0) * size).collect();
    let mut body = Body::new(name, rest.clone());
    let (mut stiffness, mut stiffest) = (r.decades(0.0, 5.0), 0.0);
    let total = r.decades(-3.0, 3.0);
    if !shape.springs.is_empty() {
        let law = r.pick(&[SpringLaw::Hookean, SpringLaw::Squared]);
        let spread = r.pick(&[0.0, 0.0, 3.0]);
        let graded: Vec<f64> = shape.springs.iter().map(|_| stiffness * r.decades(-spread, spread)).collect();
        stiffest = 10.0 * graded.iter().sum::<f64>();
        body = body.graded_springs(shape.springs, law, graded, None);
    }
    if shape.tetrahedra.is_empty() {
        body = body.masses(uneven(r, rest.len(), total / rest.len() as f64));
    } else {
        let young = r.decades(2.0, 8.0);
        let lame = Lame::from_young(young, r.between(0.0, 0.49)).unwrap();
        let law = r.pick(&[
            Constitutive::Corotated,
            Constitutive::Arap,
            Constitutive::StVenantKirchhoff,
            Constitutive::NeoHookean,
        ]);
        let count = shape.tetrahedra.len();
        let density = r.decades(1.0, 4.0);
        let densities = uneven(r, count, density);
        body = body.graded_tetrahedra(shape.tetrahedra, law, vec![lame; count], densities);
        stiffness = young * size;
        stiffest = (2.0 * lame.mu + 3.0 * lame.lambda) * size / thin * count as f64;
    }
    if !shape.surface.is_empty() {
        body = body.surface(shape.surface.clone());
    }
    let (x, v) = motion(r, &rest, size);
    Part { body, rest, x, v, surface: shape.surface, size, stiffness, stiffest }
}

/// Masses or densities around a mean; some differ by up to 1e6 from each other.
fn uneven(r: &mut Random, count: usize, mean: f64) -> Vec<f64> {
    let spread = r.pick(&[0.0, 0.0, 0.0, 1.0, 3.0]);
    (0..count).map(|_| mean * r.decades(-spread, spread)).collect()
}

/// Crumpled positions, and velocities of the whole and of every vertex by itself.
fn motion(r: &mut Random, rest: &[DVec3], size: f64) -> (Vec<DVec3>, Vec<DVec3>) {
    let mess = size * r.pick(&[0.0, 0.0, 0.05, 0.3, 1.0]);
    let speed = r.pick(&[0.0, 0.0, 1.0, 10.0, 100.0, 1000.0]);
    let drift = r.direction() * speed;
    let spin = r.direction() * r.pick(&[0.0, 0.0, 1.0, 30.0]);
    let own = r.pick(&[0.0, 0.0, 0.1, 1.0]) * speed.max(1.0);
    let center = rest.iter().sum::<DVec3>() / rest.len() as f64;
    let x: Vec<_> = rest.iter().map(|p| *p + r.vector(mess)).collect();
    let v = x.iter().map(|p| drift + spin.cross(*p - center) + r.vector(own)).collect();
    (x, v)
}
