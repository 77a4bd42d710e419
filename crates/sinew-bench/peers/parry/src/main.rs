//! parry3d's volume mesh: parry-driver SURFACE.off CELL_SIZE OUT.mesh
//!
//! A cover of whole lattice cells, shrunk towards the surface by as many iterations as its smoothing needs to stop changing the numbers that are compared (20). It
//! works in single precision.

use parry3d::math::Vector;
use parry3d::transformation::{volume_mesh, VolumeMeshParameters};
use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

const SMOOTHING: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [surface, size, out] = &arguments[..] else { return Err("parry-driver SURFACE.off CELL_SIZE OUT.mesh".into()) };
    let text = std::fs::read_to_string(surface)?;
    let mut words = text.split_ascii_whitespace().skip(1).map(str::parse::<f64>);
    let mut number = || -> Result<f64, Box<dyn Error>> { Ok(words.next().ok_or("the surface ends early")??) };
    let (vertices, faces) = (number()? as usize, number()? as usize);
    number()?;
    let mut points = Vec::with_capacity(vertices);
    for _ in 0..vertices {
        points.push(Vector::new(number()? as f32, number()? as f32, number()? as f32));
    }
    let mut triangles = Vec::with_capacity(faces);
    for _ in 0..faces {
        number()?;
        triangles.push([number()? as u32, number()? as u32, number()? as u32]);
    }
    let parameters = VolumeMeshParameters { cover_smoothing: SMOOTHING, ..VolumeMeshParameters::new(size.parse()?) };
    let begin = Instant::now();
    let mesh = volume_mesh(&points, &triangles, &parameters).ok_or("error: the surface encloses nothing")?;
    println!("sinew-seconds: {}", begin.elapsed().as_secs_f64());
    let mut text = format!("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", mesh.vertices.len());
    for p in &mesh.vertices {
        writeln!(text, "{} {} {} 1", p.x, p.y, p.z)?;
    }
    writeln!(text, "Tetrahedra\n{}", mesh.cells.len())?;
    for cell in &mesh.cells {
        writeln!(text, "{} {} {} {} 1", cell[0] + 1, cell[1] + 1, cell[2] + 1, cell[3] + 1)?;
    }
    text.push_str("End\n");
    std::fs::write(out, text)?;
    Ok(())
}
