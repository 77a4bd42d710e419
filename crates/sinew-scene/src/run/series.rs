//! Every frame of a run in the formats of other programs.

use super::output::OutputError;
use super::skin::Skin;
use super::{Format, Moment, Replay, Run};
use crate::export::ExportError;
use crate::export::series::{
    Array, Beside, Cells, Field, NpzWriter, Part, Pc2Writer, Spool, write_gltf, write_mdd, write_ply,
    write_pvd, write_usda, write_vtu,
};
use crate::mesh_io::write_obj;
use glam::{DMat4, DVec3};
use sinew::Placement;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Writers of all chosen formats.
pub(super) struct Series {
    folder: PathBuf,
    formats: Vec<Format>,
    skins: Vec<Skin>,
    parts: Vec<Part>,
    /// Points of all skins in the current frame.
    points: Vec<DVec3>,
    /// Points of the skins for MDD, glTF and USD.
    frames: Option<Spool>,
    /// Vertices and their velocities for npz.
    vertices: Option<(Spool, Spool)>,
    pc2: Option<Pc2Writer>,
    volume: Option<Volume>,
    replay: Option<Replay>,
    /// Number of the first frame that is written.
    first: usize,
    frame_time: f64,
}

/// The simulation mesh, for VTU.
struct Volume {
    cells: Cells,
    /// The body of each cell.
    bodies: Vec<i32>,
    /// The cell of each tetrahedron, by its corners.
    tets: HashMap<[u32; 4], usize>,
    /// Rest volume of each cell, m³; 0 where it is no tetrahedron.
    volumes: Vec<f64>,
    densities: Vec<f64>,
    velocities: Vec<DVec3>,
    written: Vec<(f64, String)>,
}

impl Series {
    pub fn create(folder: &Path, formats: &[Format], run: &Run) -> Result<Self, OutputError> {
        let skins = Skin::all(run.scene());
        let mut start = 0;
        let part = |skin: &Skin| {
            let vertices = start..start + skin.len();
            start = vertices.end;
            Part {
                name: skin.name.clone(),
                vertices,
                triangles: skin.triangles.clone(),
                segments: skin.segments.clone(),
            }
        };
        let parts: Vec<Part> = skins.iter().map(part).collect();
        let has = |format| formats.contains(&format);
        for (format, name) in [(Format::Obj, "obj"), (Format::Ply, "ply"), (Format::Vtu, "vtu")] {
            if has(format) {
                let path = folder.join(name);
                std::fs::create_dir_all(&path).map_err(|source| OutputError::Io { path, source })?;
            }
        }
        let spool = |name: &str, points: usize| Spool::create(&folder.join(name), points);
        let frames = match [Format::Gltf, Format::Mdd, Format::Usda].into_iter().any(has) {
            true => Some(spool("frames.part", start)?),
            false => None,
        };
        let count = run.scene().model().vertex_count();
        let vertices = match has(Format::Npz) {
            true => Some((spool("positions.part", count)?, spool("velocities.part", count)?)),
            false => None,
        };
        let pc2 = match has(Format::Pc2) {
            true => Some(Pc2Writer::create(&folder.join("cache.pc2"), start, run.frame())?),
            false => None,
        };
        // What is written at the end must be writable, which is better known now than after hours.
        for (format, name) in [
            (Format::Gltf, "animation.glb"),
            (Format::Usda, "animation.usda"),
            (Format::Mdd, "cache.mdd"),
            (Format::Npz, "run.npz"),
            (Format::Vtu, "vtu.pvd"),
            (Format::Html, "replay.html"),
        ] {
            if has(format) {
                let path = folder.join(name);
                std::fs::File::create(&path).map_err(|source| OutputError::Io { path, source })?;
            }
        }
        let volume = has(Format::Vtu).then(|| Volume::of(run));
        let replay = has(Format::Html).then(|| Replay::new(run));
        Ok(Self {
            folder: folder.to_owned(),
            formats: formats.to_vec(),
            skins,
            parts,
            points: Vec::new(),
            frames,
            vertices,
            pc2,
            volume,
            replay,
            first: run.frame(),
            frame_time: run.frame_time(),
        })
    }

    /// Writes the current frame.
    pub fn frame(&mut self, run: &Run) -> Result<(), OutputError> {
        let (state, model) = (run.state(), run.scene().model());
        self.points.clear();
        self.skins.iter().for_each(|skin| skin.place(state.positions(), &mut self.points));
        let name = format!("frame_{:05}", run.frame());
        let has = |format| self.formats.contains(&format);
        if has(Format::Obj) || has(Format::Ply) {
            // Without finer surfaces the vertices keep the numbers that they have in the tables.
            let own = self.skins.iter().all(|skin| !skin.is_carried());
            let points = if own { state.positions() } else { &self.points };
            let triangles: Vec<[u32; 3]> = match own {
                true => model.bodies().iter().flat_map(|body| body.surface.iter().copied()).collect(),
                false => self.triangles(),
            };
            if has(Format::Obj) {
                write_obj(&self.folder.join("obj").join(format!("{name}.obj")), points, &triangles)?;
            }
            if has(Format::Ply) {
                write_ply(&self.folder.join("ply").join(format!("{name}.ply")), points, &triangles)?;
            }
        }
        if let Some(frames) = &mut self.frames {
            frames.push(state.time(), &self.points)?;
        }
        if let Some(pc2) = &mut self.pc2 {
            pc2.push(&self.points)?;
        }
        let velocity = |vertex: usize| state.velocity(model, vertex).unwrap_or_default();
        if let Some((positions, velocities)) = &mut self.vertices {
            positions.push(state.time(), state.positions())?;
            let all: Vec<DVec3> = (0..state.positions().len()).map(velocity).collect();
            velocities.push(state.time(), &all)?;
        }
        if let Some(volume) = &mut self.volume {
            volume.velocities.clear();
            volume.velocities.extend((0..state.positions().len()).map(velocity));
            volume.write(run, &self.folder, &format!("{name}.vtu"))?;
        }
        if let Some(replay) = &mut self.replay {
            replay.add(&Moment::of(state));
        }
        Ok(())
    }

    /// Writes what needs all frames.
    pub fn finish(mut self, run: &Run) -> Result<(), OutputError> {
        let has = |format| self.formats.contains(&format);
        let at = |name: &str| self.folder.join(name);
        if has(Format::Pc2) || has(Format::Mdd) {
            // The shape at rest, whose vertices are in the order of the cache.
            let mut rest = Vec::new();
            self.skins.iter().for_each(|skin| skin.place(run.scene().model().rest(), &mut rest));
            write_obj(&at("cache.obj"), &rest, &self.triangles())?;
        }
        if let Some(frames) = &mut self.frames {
            if has(Format::Mdd) {
                write_mdd(&at("cache.mdd"), frames)?;
            }
            if has(Format::Gltf) {
                gltf(&at("animation.glb"), &self.parts, frames, run)?;
            }
            if has(Format::Usda) {
                write_usda(&at("animation.usda"), &self.parts, frames, 1.0 / self.frame_time, self.first)?;
            }
        }
        if let Some((positions, velocities)) = &mut self.vertices {
            write_npz(&at("run.npz"), run, (positions, velocities))?;
        }
        if let Some(volume) = &self.volume {
            write_pvd(&at("vtu.pvd"), &volume.written)?;
        }
        if let Some(replay) = &self.replay {
            let path = at("replay.html");
            std::fs::write(&path, replay.page()).map_err(|source| OutputError::Io { path, source })?;
        }
        if let Some(pc2) = self.pc2.take() {
            pc2.finish()?;
        }
        Ok(())
    }

    /// Triangles of all parts, counted from the first point of all.
    fn triangles(&self) -> Vec<[u32; 3]> {
        let of = |part: &Part| {
            let first = part.vertices.start as u32;
            part.triangles.iter().map(move |t| t.map(|vertex| first + vertex)).collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(of).collect()
    }
}

impl Volume {
    fn of(run: &Run) -> Self {
        let model = run.scene().model();
        let (mut cells, mut bodies, mut tets, mut volumes) =
            (Cells::default(), Vec::new(), HashMap::new(), Vec::new());
        for (index, body) in model.bodies().iter().enumerate() {
            for tet in &body.tetrahedra {
                let [a, b, c, d] = tet.map(|vertex| model.rest()[vertex as usize]);
                tets.insert(*tet, volumes.len());
                volumes.push((b - a).cross(c - a).dot(d - a).abs() / 6.0);
            }
            cells.add_tets(&body.tetrahedra);
            if body.tetrahedra.is_empty() {
                cells.add_triangles(&body.surface);
            }
            if body.tetrahedra.is_empty() && body.surface.is_empty() {
                cells.add_segments(&body.springs);
            }
            volumes.resize(cells.len(), 0.0);
            bodies.resize(cells.len(), index as i32);
        }
        let densities = vec![0.0; cells.len()];
        Self { cells, bodies, tets, volumes, densities, velocities: Vec::new(), written: Vec::new() }
    }

    fn write(&mut self, run: &Run, folder: &Path, name: &str) -> Result<(), ExportError> {
        let Self { cells, bodies, tets, volumes, densities, velocities, written } = self;
        densities.fill(0.0);
        run.scene().model().tetrahedron_energies(
            run.state().positions(),
            run.state().controls(),
            |corners, energy| {
                if let Some(&cell) = tets.get(&corners)
                    && volumes[cell] > 0.0
                {
                    densities[cell] = energy / volumes[cell];
                }
            },
        );
        let fields = [
            Field::PointVectors("velocity", velocities),
            Field::CellReals("energy_density", densities),
            Field::CellInts("body", bodies),
        ];
        write_vtu(&folder.join("vtu").join(name), run.state().positions(), cells, &fields)?;
        written.push((run.state().time(), format!("vtu/{name}")));
        Ok(())
    }
}

fn write_npz(
    path: &Path,
    run: &Run,
    (positions, velocities): (&mut Spool, &mut Spool),
) -> Result<(), ExportError> {
    let model = run.scene().model();
    let rest: Vec<f64> = model.rest().iter().flat_map(|p| p.to_array()).collect();
    let tets: Vec<u32> =
        model.bodies().iter().flat_map(|body| body.tetrahedra.iter().flatten().copied()).collect();
    let triangles: Vec<u32> =
        model.bodies().iter().flat_map(|body| body.surface.iter().flatten().copied()).collect();
    let body: Vec<i32> =
        (0..).zip(model.bodies()).flat_map(|(i, body)| body.vertices.clone().map(move |_| i)).collect();
    let mut out = NpzWriter::create(path)?;
    out.array("points", &[rest.len() / 3, 3], Array::Reals(&rest))?;
    out.array("tets", &[tets.len() / 4, 4], Array::Indices(&tets))?;
    out.array("triangles", &[triangles.len() / 3, 3], Array::Indices(&triangles))?;
    out.array("body", &[body.len()], Array::Ints(&body))?;
    out.array("time", &[positions.times().len()], Array::Reals(positions.times()))?;
    out.frames("positions", positions)?;
    out.frames("velocities", velocities)?;
    out.finish()
}

/// With an animated figure, its skeleton and skin stand beside the result, instead of the surface that the run has of it.
fn gltf(path: &Path, parts: &[Part], frames: &mut Spool, run: &Run) -> Result<(), OutputError> {
    let Some(placed) = run.scene().motions.figures().next() else {
        return Ok(write_gltf(path, parts, frames, None)?);
    };
    let (document, data) = placed.figure.document()?;
    let without =
        |(index, part): (usize, &Part)| if index == placed.body { Part::default() } else { part.clone() };
    let others: Vec<Part> = parts.iter().enumerate().map(without).collect();
    let Placement { rotation, translation } = placed.placed;
    let matrix = DMat4::from_scale_rotation_translation(DVec3::splat(placed.scale), rotation, translation);
    let beside = Beside {
        name: parts.get(placed.body).map_or_else(String::new, |part| part.name.clone()),
        document,
        data,
        matrix: matrix.to_cols_array(),
        moves: &|time| placed.figure.transforms(placed.clip_time(time)),
    };
    Ok(write_gltf(path, &others, frames, Some(beside))?)
}
