//! The surfaces of a scene as they are drawn and written: those of the bodies, or the finer ones that they carry.

use crate::build::{BuiltScene, EmbeddedSurface};
use glam::DVec3;
use sinew::BodyInfo;

/// The surface of one body.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Name of the body.
    pub name: String,
    /// Triangles, counted from the skin's first point.
    pub triangles: Vec<[u32; 3]>,
    /// Springs of a body without a surface, counted from the skin's first point.
    pub segments: Vec<[u32; 2]>,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// Vertices of the model.
    Own(Vec<u32>),
    Carried(EmbeddedSurface),
}

impl Skin {
    /// The skins of all bodies: only the points that their surfaces use.
    pub fn all(scene: &BuiltScene) -> Vec<Self> {
        let bodies = scene.model().bodies().iter();
        bodies
            .enumerate()
            .map(|(i, body)| Self::of(body, scene.surfaces.get(i).and_then(Option::as_ref)))
            .collect()
    }

    fn of(body: &BodyInfo, carried: Option<&EmbeddedSurface>) -> Self {
        let name = body.name.clone();
        if let Some(surface) = carried {
            let source = Source::Carried(surface.clone());
            return Self { name, triangles: surface.triangles.clone(), segments: Vec::new(), source };
        }
        let segments = if body.surface.is_empty() { body.springs.as_slice() } else { &[] };
        let mut number = vec![u32::MAX; body.vertices.len()];
        let mut own = Vec::new();
        let used = body.surface.iter().flatten().chain(segments.iter().flatten());
        used.for_each(|&vertex| number[vertex as usize - body.vertices.start] = 0);
        // In the order of the body, so that neighbours in memory stay neighbours.
        for (place, vertex) in number.iter_mut().zip(body.vertices.clone()) {
            if *place == 0 {
                *place = own.len() as u32;
                own.push(vertex as u32);
            }
        }
        let rename = |vertex: u32| number[vertex as usize - body.vertices.start];
        let triangles = body.surface.iter().map(|t| t.map(rename)).collect();
        let segments = segments.iter().map(|s| s.map(rename)).collect();
        Self { name, triangles, segments, source: Source::Own(own) }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        match &self.source {
            Source::Own(vertices) => vertices.len(),
            Source::Carried(surface) => surface.anchors.len(),
        }
    }

    /// Colours of its points, 0xRRGGBB, or none.
    pub fn tints(&self) -> &[u32] {
        match &self.source {
            Source::Own(_) => &[],
            Source::Carried(surface) => &surface.tints,
        }
    }

    /// Whether it has no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it is a finer surface than the body's own.
    pub fn is_carried(&self) -> bool {
        matches!(self.source, Source::Carried(_))
    }

    /// Adds the positions of its points, given those of the model's vertices, to `out`.
    pub fn place(&self, x: &[DVec3], out: &mut Vec<DVec3>) {
        match &self.source {
            Source::Own(vertices) => out.extend(vertices.iter().map(|&vertex| x[vertex as usize])),
            Source::Carried(surface) => surface.place(x, out),
        }
    }
}
