//! What is wrong with a mesh, where, and what to do about it; and the repairs that are safe.

mod holes;
mod orient;
mod repair;

pub use repair::{Repaired, repair};

use crate::mesh_data::MeshData;
use crate::surface::{Edges, Tree, area_vector, components, corners, crossings, enclosed_volume};
use crate::tet_quality::{FACES, Quality, quality};
use glam::DVec3;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Angles below this are worth a finding, in degrees.
const POOR: f64 = 5.0;
/// Places that a finding names.
const NAMED: usize = 3;
/// Crossing pairs that are looked for.
const CROSSINGS: usize = 1000;
/// Extents outside this range are probably in another unit than metres.
const USUAL: std::ops::Range<f64> = 0.005..50.0;

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is.
    pub what: String,
    /// Where it is.
    #[serde(rename = "where")]
    pub place: String,
    /// What to do.
    pub remedy: String,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of tetrahedra.
    pub tets: usize,
    /// Number of triangles in the file.
    pub triangles: usize,
    /// Whether the surface (of tetrahedra: their boundary) has no open edge.
    pub closed: bool,
    /// Whether no edge of that surface has more than two faces.
    pub manifold: bool,
    /// Tetrahedra with negative volume.
    pub inverted: usize,
    /// Elements without volume or area.
    pub degenerate: usize,
    /// The smallest dihedral angle; null without tetrahedra.
    pub min_dihedral_deg: Option<f64>,
    /// Number of different labels of tetrahedra.
    pub regions: usize,
    /// Everything that is wrong.
    pub findings: Vec<Finding>,
}

/// Checks a mesh. `unused` is the number of points of the file that no element uses, which readers leave out.
pub fn check(mesh: &MeshData, unused: usize) -> Check {
    let mut findings = Findings::default();
    let solid = !mesh.tets.is_empty();
    let surface = if solid { boundary(&mesh.tets) } else { mesh.triangles.clone() };
    let edges = Edges::new(&surface);
    let q = if solid { quality(&mesh.points, &mesh.tets) } else { Quality::default() };
    if unused > 0 {
        findings.add(
            format!("{unused} points that no element uses"),
            "the list of points".into(),
            "they are left out when the file is read; `--repair --out FILE` writes it without them",
        );
    }
    twins(&mesh.points, &mut findings);
    let flat = if solid { tet_findings(mesh, &q, &mut findings) } else { face_findings(mesh, &mut findings) };
    topology(&mesh.points, &surface, &edges, solid, &mut findings);
    if !solid {
        crossing(&mesh.points, &surface, &mut findings);
    }
    scale(&mesh.points, &mut findings);
    Check {
        vertices: mesh.points.len(),
        tets: mesh.tets.len(),
        triangles: mesh.triangles.len(),
        closed: !surface.is_empty() && edges.open().next().is_none(),
        manifold: edges.crowded().next().is_none(),
        inverted: q.inverted,
        degenerate: flat,
        min_dihedral_deg: solid.then_some(q.min_dihedral_deg),
        regions: mesh.regions.iter().collect::<BTreeSet<_>>().len(),
        findings: findings.list,
    }
}

#[derive(Default)]
struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    fn add(&mut self, what: String, place: String, remedy: &str) {
        self.list.push(Finding { what, place, remedy: remedy.into() });
    }
}

/// The faces that belong to one tetrahedron only.
pub fn boundary(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let mut faces: BTreeMap<[u32; 3], Option<[u32; 3]>> = BTreeMap::new();
    for tet in tets {
        for face in FACES {
            let face = face.map(|k| tet[k]);
            let mut key = face;
            key.sort_unstable();
            faces.entry(key).and_modify(|first| *first = None).or_insert(Some(face));
        }
    }
    faces.into_values().flatten().collect()
}

fn shown(p: DVec3) -> String {
    format!("({:.5}, {:.5}, {:.5})", p.x, p.y, p.z)
}

fn listed(numbers: &[usize], what: &str) -> String {
    let first: Vec<String> = numbers.iter().take(NAMED).map(ToString::to_string).collect();
    let more = if numbers.len() > NAMED { ", …" } else { "" };
    format!("{what} {}{more} (counted from 0)", first.join(", "))
}

fn twins(points: &[DVec3], findings: &mut Findings) {
    let mut order: Vec<usize> = (0..points.len()).collect();
    let key = |p: usize| points[p].to_array();
    order.sort_by(|&a, &b| {
        let (p, q) = (key(a), key(b));
        p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])).then(p[2].total_cmp(&q[2])).then(a.cmp(&b))
    });
    let twins: Vec<usize> =
        order.windows(2).filter(|pair| points[pair[0]] == points[pair[1]]).map(|pair| pair[1]).collect();
    if !twins.is_empty() {
        findings.add(
            format!("{} vertices at the place of another vertex", twins.len()),
            format!("{}, the first at {}", listed(&twins, "vertices"), shown(points[twins[0]])),
            "weld them (`--repair`): elements that meet there are not connected",
        );
    }
}

fn tet_findings(mesh: &MeshData, q: &Quality, findings: &mut Findings) -> usize {
    let at = |t: usize| {
        let middle = mesh.tets[t].iter().map(|&v| mesh.points[v as usize]).sum::<DVec3>() / 4.0;
        format!("tetrahedron {t} (counted from 0) at {}", shown(middle))
    };
    let first = |holds: &dyn Fn(f64, f64) -> bool| {
        (0..mesh.tets.len()).find(|&t| {
            let p = mesh.tets[t].map(|v| mesh.points[v as usize]);
            holds(crate::tet_quality::signed_volume(p), crate::tet_quality::longest_edge(p))
        })
    };
    let limit = |edge: f64| crate::tet_quality::FLAT * edge.powi(3);
    if let Some(t) = first(&|volume, edge| volume < -limit(edge)) {
        let remedy = if q.inverted == mesh.tets.len() {
            "all are: the file orders corners the other way round, and scenes turn them when they read it; `--repair --out FILE` writes them turned"
        } else {
            "the mesh folds over itself: make it again, such as with `sinew mesh tetrahedralize` from its surface"
        };
        findings.add(format!("{} inverted tetrahedra", q.inverted), at(t), remedy);
    }
    if let Some(t) = first(&|volume, edge| volume.abs() <= limit(edge)) {
        let remedy = "remesh or remove them: an element without volume has no rest shape";
        findings.add(format!("{} tetrahedra without volume", q.degenerate), at(t), remedy);
    }
    if q.min_dihedral_deg < POOR && q.degenerate == 0 {
        findings.add(
            format!("slivers: the smallest dihedral angle is {:.2}°", q.min_dihedral_deg),
            at(q.worst),
            "simulations become slow and inaccurate: make the mesh again, such as with `sinew mesh tetrahedralize` from its surface",
        );
    }
    q.degenerate
}

fn face_findings(mesh: &MeshData, findings: &mut Findings) -> usize {
    let flat: Vec<usize> =
        (0..mesh.triangles.len()).filter(|&t| is_flat(&mesh.points, mesh.triangles[t])).collect();
    if !flat.is_empty() {
        let (place, remedy) = (listed(&flat, "triangles"), "leave them out (`--repair`)");
        findings.add(format!("{} triangles without area", flat.len()), place, remedy);
    }
    let mut seen = BTreeSet::new();
    let twice: Vec<usize> = (0..mesh.triangles.len())
        .filter(|&t| {
            let mut key = mesh.triangles[t];
            key.sort_unstable();
            !seen.insert(key)
        })
        .collect();
    if !twice.is_empty() {
        let (place, remedy) = (listed(&twice, "triangles"), "leave them out (`--repair`)");
        findings.add(format!("{} triangles that are there already", twice.len()), place, remedy);
    }
    flat.len()
}

/// Whether a triangle has no area to the precision of its coordinates.
fn is_flat(points: &[DVec3], triangle: [u32; 3]) -> bool {
    let p = corners(points, triangle);
    let longest =
        p[0].distance_squared(p[1]).max(p[1].distance_squared(p[2])).max(p[2].distance_squared(p[0]));
    let area = area_vector(p).length();
    area.is_nan() || area <= 1e-12 * longest
}

fn topology(points: &[DVec3], surface: &[[u32; 3]], edges: &Edges, solid: bool, findings: &mut Findings) {
    let middle = |(a, b): (u32, u32)| shown(0.5 * (points[a as usize] + points[b as usize]));
    let (loops, stray) = edges.loops();
    for hole in &loops {
        let (centre, perimeter) = holes::extent(points, hole);
        findings.add(
            format!("a hole of {} edges, {perimeter:.4} around", hole.vertices.len()),
            format!("around {}", shown(centre)),
            "fill it (`--repair`), or close it in a modelling program; a sheet that should be open is no solid",
        );
    }
    if let (true, Some(first)) = (stray > 0, edges.open().next()) {
        findings.add(
            format!("{stray} open edges that form no loop"),
            format!("near {}", middle(first)),
            "weld vertices (`--repair`), or close them in a modelling program",
        );
    }
    let crowded: Vec<_> = edges.crowded().collect();
    if let Some(&first) = crowded.first() {
        let remedy = if solid {
            "parts of the body touch along an edge: they will move as if hinged there; remesh with a smaller size if they should not touch"
        } else {
            "tetrahedra can be made all the same, if the surface is closed; otherwise separate the parts in a modelling program"
        };
        findings.add(
            format!("{} edges with more than two faces", crowded.len()),
            format!("near {}", middle(first)),
            remedy,
        );
    }
    let twisted: Vec<_> = edges.twisted().collect();
    if let Some(&first) = twisted.first() {
        findings.add(
            format!("{} edges whose faces disagree on which side is outside", twisted.len()),
            format!("near {}", middle(first)),
            "orient them alike (`--repair`)",
        );
    }
    let closed = edges.unbalanced().next().is_none();
    let volume = enclosed_volume(points, surface);
    if !solid && closed && volume < 0.0 {
        let place = format!("the whole surface encloses {volume:.4e}");
        findings.add(
            "all faces point inwards".into(),
            place,
            "turn them (`--repair`); `tetrahedralize` does so by itself",
        );
    }
    let (_, count) = components(points.len(), surface);
    if solid && count > 1 {
        findings.add(
            format!("the boundary has {count} separate parts"),
            "the whole mesh".into(),
            "right for several bodies in one file and for hollow ones; otherwise connect them",
        );
    }
}

fn crossing(points: &[DVec3], surface: &[[u32; 3]], findings: &mut Findings) {
    let tree = Tree::new(points, surface);
    let found = crossings(points, surface, &tree, CROSSINGS);
    let Some(&(a, b)) = found.first() else { return };
    let more = if found.len() == CROSSINGS { "at least " } else { "" };
    let middle = corners(points, surface[a]).iter().sum::<DVec3>() / 3.0;
    findings.add(
        format!("{more}{} pairs of triangles cross", found.len()),
        format!("triangles {a} and {b} (counted from 0) at {}", shown(middle)),
        "`tetrahedralize` takes what is inside any of them as inside; contact needs a surface that does not cross itself",
    );
}

fn scale(points: &[DVec3], findings: &mut Findings) {
    let Some((low, high)) = bounds(points) else { return };
    let extent = (high - low).max_element();
    if !USUAL.contains(&extent) {
        findings.add(
            format!("the mesh is {extent:.4} units wide, and a unit is a metre"),
            format!("from {} to {}", shown(low), shown(high)),
            "give its unit in the scene: `scale = 0.001` for millimetres, 0.01 for centimetres",
        );
    }
}

/// The box around points.
pub fn bounds(points: &[DVec3]) -> Option<(DVec3, DVec3)> {
    points.iter().fold(None, |b, &p| {
        let (low, high) = b.unwrap_or((p, p));
        Some((low.min(p), high.max(p)))
    })
}
