//! Turns the visibility buffer into pixels.

use super::{
    Camera, Frame, Plane, Settings, View,
    backdrop::Tones,
    geometry::Geometry,
    ground::{Ground, smooth_step},
    light::Lights,
    shadow::DepthMap,
    sky::Sky,
    visibility::{Facet, Visibility},
};
use crate::export::{ExportError, colour::Colour, image::Image};
use glam::DVec3;

/// How much the wireframe's lines darken a colour.
const WIRE_DARKNESS: f64 = 0.62;
/// Reflectance of the back of a surface, relative to its front.
const BACK: f64 = 0.72;

/// What a sample sees.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Seen {
    Facet(u32),
    /// Index of the plane.
    Ground(usize),
    Background,
}

/// Samples of one pixel that see the same thing: how many, and sums over them.
#[derive(Clone, Copy, Debug)]
struct Part {
    what: Seen,
    samples: f64,
    columns: f64,
    rows: f64,
    wires: f64,
}

impl Part {
    fn add(&mut self, column: f64, row: f64, wire: f64) {
        self.samples += 1.0;
        self.columns += column;
        self.rows += row;
        self.wires += wire;
    }
}

/// Everything that the colour of a sample depends on.
pub(super) struct Scene<'a> {
    geometry: &'a Geometry,
    view: &'a View,
    lights: Lights,
    grounds: Vec<Ground>,
    /// The depth map of the key light.
    shadows: Option<DepthMap>,
    sky: Sky,
    /// Half a wireframe line, samples.
    wire: f64,
    top: DVec3,
    bottom: DVec3,
}

impl<'a> Scene<'a> {
    pub fn new(
        frame: &Frame,
        geometry: &'a Geometry,
        view: &'a View,
        camera: &Camera,
        settings: &Settings,
    ) -> Self {
        let lights = Lights::of(view);
        // Without a limit the shadows on a huge floor would be coarse.
        let sight = (camera.look_at, view.distance);
        let shadows = DepthMap::of(geometry, lights.key, sight, 576, 0.08);
        let samples = f64::from(settings.supersampling);
        let Tones { sky: [top, bottom], squares, .. } = settings.backdrop.tones();
        let planes = frame.ground.map(Plane::level).into_iter().chain(frame.planes.iter().copied());
        Self {
            geometry,
            view,
            lights,
            grounds: planes
                .filter_map(|p| {
                    Ground::new(p, geometry, view, sight, squares, (lights.key, shadows.as_ref()))
                })
                .collect(),
            shadows,
            sky: Sky::of(geometry, sight),
            wire: 0.5 * settings.wire_width.clamp(0.0, 100.0) * samples,
            top: top.to_linear(),
            bottom: bottom.to_linear(),
        }
    }

    /// The image: each pixel the mean of its samples.
    pub fn image(&self, seen: &Visibility, settings: &Settings) -> Result<Image, ExportError> {
        let n = settings.supersampling as usize;
        let mut image = Image::filled(settings.width, settings.height, Colour::WHITE)?;
        let width = settings.width as usize;
        let normals: Vec<[DVec3; 3]> = seen.facets.iter().map(|facet| self.corner_normals(facet)).collect();
        let shade_band = |first_row: usize, band: &mut [[u8; 3]]| {
            let mut parts = Vec::with_capacity(n * n);
            for (i, pixel) in band.iter_mut().enumerate() {
                self.divide(&mut parts, seen, (i % width * n, (first_row + i / width) * n), n);
                let light: DVec3 = parts.iter().map(|part| self.light(part, seen, &normals, n)).sum();
                let colour = Colour::from_linear(light / (n * n) as f64);
                *pixel = [colour.r, colour.g, colour.b];
            }
        };
        // Pixels do not depend on each other, so any number of threads gives the same image.
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
        let rows = (settings.height as usize).div_ceil(threads);
        let mut bands = image.bytes_mut().as_chunks_mut::<3>().0.chunks_mut(rows * width).enumerate();
        std::thread::scope(|scope| {
            let mine = bands.next();
            for (i, band) in bands {
                scope.spawn(move || shade_band(i * rows, band));
            }
            if let Some((_, band)) = mine {
                shade_band(0, band);
            }
        });
        Ok(image)
    }

    /// Groups the samples of the pixel that starts at sample (`left`, `top`) by what they see.
    fn divide(&self, parts: &mut Vec<Part>, seen: &Visibility, (left, top): (usize, usize), n: usize) {
        parts.clear();
        let rows = || (top..top + n).map(|row| row * self.view.width + left);
        if rows().all(|start| seen.seen[start..start + n].iter().all(|&facet| facet == Visibility::NOTHING)) {
            // The ground has faded long before its horizon, so the middle sample may decide for all.
            let half = 0.5 * (n - 1) as f64;
            let (x, y) = (left as f64 + half, top as f64 + half);
            let what = self.nearest_ground(x, y, 0.0).map_or(Seen::Background, Seen::Ground);
            let samples = (n * n) as f64;
            parts.push(Part { what, samples, columns: samples * x, rows: samples * y, wires: samples });
            return;
        }
        for row in top..top + n {
            for column in left..left + n {
                let at = row * self.view.width + column;
                let (x, y) = (column as f64, row as f64);
                let inverse_depth = f64::from(seen.inverse_depth[at]);
                let (what, wire) = if let Some(ground) = self.nearest_ground(x, y, inverse_depth) {
                    (Seen::Ground(ground), 1.0)
                } else if let Some(facet) = seen.facets.get(seen.seen[at] as usize) {
                    (Seen::Facet(seen.seen[at]), self.wire_factor(facet, x, y))
                } else {
                    (Seen::Background, 1.0)
                };
                match parts.iter_mut().find(|part| part.what == what) {
                    Some(part) => part.add(x, y, wire),
                    None => parts.push(Part { what, samples: 1.0, columns: x, rows: y, wires: wire }),
                }
            }
        }
    }

    /// The plane that a sample sees, if one is nearer than `inverse_depth`.
    fn nearest_ground(&self, x: f64, y: f64, inverse_depth: f64) -> Option<usize> {
        let mut nearest = (None, inverse_depth);
        for (number, ground) in self.grounds.iter().enumerate() {
            let inverse_depth = ground.inverse_depth(x, y);
            if inverse_depth > nearest.1 {
                nearest = (Some(number), inverse_depth);
            }
        }
        nearest.0
    }

    /// The light of a part's samples together: shaded once, at their centre. Only the wireframe's lines, which can be thinner than a pixel,
    /// are evaluated sample by sample.
    fn light(&self, part: &Part, seen: &Visibility, normals: &[[DVec3; 3]], n: usize) -> DVec3 {
        let (x, y) = (part.columns / part.samples, part.rows / part.samples);
        let background = || self.top.lerp(self.bottom, (y + 0.5) / self.view.height as f64);
        let d = self.view.in_world(self.view.ray(x, y));
        match part.what {
            Seen::Ground(number) => {
                let pixel = n as f64 * self.view.sample;
                let (colour, opacity) = self.grounds[number].look(self.view, &self.sky, d, pixel);
                part.samples * background().lerp(colour, opacity)
            }
            Seen::Facet(number) => {
                let number = number as usize;
                part.wires * self.surface(&seen.facets[number], &normals[number], d, (x, y))
            }
            Seen::Background => part.samples * background(),
        }
    }

    fn surface(&self, facet: &Facet, normals: &[DVec3; 3], d: DVec3, (x, y): (f64, f64)) -> DVec3 {
        let surface = self.geometry.surfaces[facet.triangle.surface];
        let (w, depth) = facet.hit(x, y);
        let to_eye = -d.normalize_or_zero();
        let outward = (w.x * normals[0] + w.y * normals[1] + w.z * normals[2]).normalize_or(to_eye);
        let albedo = self.geometry.albedo(&facet.triangle, w);
        let (normal, albedo) = match (facet.front, surface.solid) {
            (true, _) => (outward, albedo),
            (false, true) => (-outward, albedo),
            (false, false) => (-outward, BACK * albedo),
        };
        let point = self.view.eye + depth * d;
        let lit = if normal.dot(self.lights.key) > -0.1 {
            self.shadows.as_ref().map_or(1.0, |map| map.lit(point, normal))
        } else {
            0.0
        };
        let open = self.sky.share(point, normal);
        self.lights.shade(albedo, normal, to_eye, (lit, open))
    }

    /// Darker close to an edge of the triangle. Where triangles get too small for lines, these fade out.
    fn wire_factor(&self, facet: &Facet, x: f64, y: f64) -> f64 {
        let fade = smooth_step(5.0 * self.wire, 18.0 * self.wire, facet.altitude);
        if !self.geometry.surfaces[facet.triangle.surface].wireframe || fade <= 0.0 {
            return 1.0;
        }
        let near = |k: usize| facet.edges[k].at(x, y) * facet.per_sample[k];
        let distance = near(0).min(near(1)).min(near(2));
        1.0 - WIRE_DARKNESS * fade * (self.wire + 0.5 - distance).clamp(0.0, 1.0)
    }

    /// Normals at the corners of a facet: those of the vertices where the surface is smooth. Where one differs much from the facet's normal,
    /// as on the edge of a box, the facet's normal replaces it and the edge stays sharp.
    fn corner_normals(&self, facet: &Facet) -> [DVec3; 3] {
        let corners = facet.triangle.corners;
        let vertex = corners.map(|corner| self.geometry.normals[corner]);
        let [a, b, c] = corners.map(|corner| self.geometry.positions[corner]);
        match (b - a).cross(c - a).try_normalize() {
            Some(flat) => vertex.map(|n| flat.lerp(n, smooth_step(0.62, 0.88, flat.dot(n)))),
            None => vertex,
        }
    }
}
