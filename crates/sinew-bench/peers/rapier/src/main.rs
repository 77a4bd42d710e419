//! Rapier: rapier-driver BODY OUT constraints|fem SUBSTEPS
//!
//! Springs become edges and bend edges, whose stiffness it takes as a natural frequency √(k/(m/2))/2π; tetrahedra become
//! corotational cells. Its default cap of 20 iterations of conjugate gradients does not solve the bar: it gets 200. Where there is a sphere to fall
//! on, the surface collides with it and, if it should, with itself; the thickness of its particles is the contact distance.

use rapier3d::prelude::*;
use std::collections::HashMap;
use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

struct Body {
    scalars: HashMap<String, f64>,
    sections: HashMap<String, Vec<Vec<f64>>>,
}

impl Body {
    fn read(path: &str) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(path)?;
        let mut words = text.split_ascii_whitespace().skip(2);
        let mut body = Self { scalars: HashMap::new(), sections: HashMap::new() };
        while let Some(name) = words.next() {
            let mut number = || -> Result<f64, Box<dyn Error>> { Ok(words.next().ok_or("the body ends early")?.parse()?) };
            let first = number()?;
            let width = match name {
                "vertices" | "tetrahedra" => 4,
                "springs" | "triangles" => 3,
                "pins" => 1,
                _ => {
                    body.scalars.insert(name.into(), first);
                    continue;
                }
            };
            let rows = (0..first as usize).map(|_| (0..width).map(|_| number()).collect::<Result<Vec<_>, _>>());
            body.sections.insert(name.into(), rows.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(body)
    }

    fn scalar(&self, name: &str) -> f64 {
        self.scalars.get(name).copied().unwrap_or(0.0)
    }

    fn rows(&self, name: &str) -> &[Vec<f64>] {
        self.sections.get(name).map_or(&[], Vec::as_slice)
    }

    fn elements<const N: usize>(&self, name: &str) -> Vec<[u32; N]> {
        self.rows(name).iter().map(|row| std::array::from_fn(|i| row[i] as u32)).collect()
    }
}

fn soft_body(body: &Body, solver: &str) -> SoftBodyBuilder {
    let vertices = body.rows("vertices");
    let points = vertices.iter().map(|row| Vector::new(row[0] as f32, row[1] as f32, row[2] as f32)).collect();
    let masses = vertices.iter().map(|row| row[3] as f32).collect();
    let pins = body.rows("pins").iter().map(|row| row[0] as u32).collect::<Vec<_>>();
    let mut builder = SoftBodyBuilder::new(points)
        .masses(masses)
        .pinned_particles(pins)
        .can_sleep(false);
    builder = if body.scalar("sphere") > 0.0 {
        let surface = ColliderBuilder::ball(0.05).density(0.0).friction(body.scalar("friction") as f32);
        builder.surface_collider(surface).particle_radius(body.scalar("thickness") as f32)
    } else {
        builder.no_surface_collider()
    };
    let springs = body.rows("springs");
    if springs.is_empty() {
        builder = builder
            .cells(body.elements("tetrahedra"))
            .cell_model(SoftBodyCellModel::Corotational)
            .material(SoftBodyMaterial {
                young_modulus: body.scalar("young") as f32,
                poisson_ratio: body.scalar("poisson") as f32,
                elastic_damping_ratio: 0.0,
                ..Default::default()
            });
    } else {
        // The stiffest are edges, the others bend edges: there are two kinds.
        let stiffest = springs.iter().map(|row| row[2]).fold(0.0, f64::max);
        let softest = springs.iter().map(|row| row[2]).fold(f64::INFINITY, f64::min);
        let of = |bend: bool| {
            let chosen = springs.iter().filter(|row| (row[2] < stiffest) == bend);
            chosen.map(|row| [row[0] as u32, row[1] as u32]).collect::<Vec<_>>()
        };
        let mass = vertices[0][3];
        let frequency = |k: f64| ((k / (0.5 * mass)).sqrt() / std::f64::consts::TAU) as f32;
        builder = builder.edges(of(false)).bend_edges(of(true)).surface(body.elements("triangles")).material(
            SoftBodyMaterial {
                edge_softness: SpringCoefficients::new(frequency(stiffest), 0.0),
                bend_softness: SpringCoefficients::new(frequency(softest), 0.0),
                ..Default::default()
            },
        );
    }
    let solver = if solver == "fem" { SoftBodySolver::Fem } else { SoftBodySolver::Constraints };
    builder.volume_preservation(false).shape_matching(false).self_contacts(body.scalar("self") > 0.0).solver(solver)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, out, solver, substeps] = &arguments[..] else {
        return Err("usage: rapier-driver BODY OUT constraints|fem SUBSTEPS".into());
    };
    let body = Body::read(path)?;
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -body.scalar("gravity") as f32, 0.0);
    world.integration_parameters.dt = body.scalar("h") as f32;
    world.integration_parameters.num_solver_iterations = substeps.parse()?;
    world.integration_parameters.soft_bodies.fem.max_linear_iterations = 200;
    if body.scalar("sphere") > 0.0 {
        let place = ["sphere_x", "sphere_y", "sphere_z"].map(|name| body.scalar(name) as f32);
        let sphere = ColliderBuilder::ball(body.scalar("sphere") as f32)
            .translation(Vector::new(place[0], place[1], place[2]))
            .friction(body.scalar("friction") as f32);
        world.insert_collider(sphere, None);
    }
    let handle = world.insert_soft_body(soft_body(&body, solver));

    let frames = body.scalar("frames") as usize;
    let budget = std::env::var("SINEW_PEERS_BUDGET").ok().and_then(|text| text.parse().ok()).unwrap_or(120.0);
    let (mut shots, mut times): (Vec<f32>, Vec<f64>) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    for frame in 0..=frames {
        let particles = world.soft_bodies[handle].particles();
        let places = particles.iter().map(|p| p.position()).chain(particles.iter().map(|p| p.velocity()));
        let first = shots.len();
        shots.extend(places.flat_map(|q| [q.x, q.y, q.z]));
        let blown_up = shots[first..].iter().any(|value| !(value.abs() < 1e6));
        if frame == frames || blown_up || begin.elapsed() > Duration::from_secs_f64(budget) {
            break;
        }
        let start = Instant::now();
        world.step();
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut file = std::io::BufWriter::new(std::fs::File::create(out)?);
    for word in [body.rows("vertices").len() as u32, times.len() as u32] {
        file.write_all(&word.to_le_bytes())?;
    }
    for time in &times {
        file.write_all(&time.to_le_bytes())?;
    }
    for value in &shots {
        file.write_all(&value.to_le_bytes())?;
    }
    Ok(file.flush()?)
}
