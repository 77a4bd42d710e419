//! From the visibility buffer to pixels.

use super::{
    Camera, Frame, Settings, View,
    geometry::Geometry,
    ground::{Ground, smooth_step},
    light::Lights,
    shadow::DepthMap,
    visibility::{Facet, Visibility},
};
use crate::export::{ExportError, colour::Colour, image::Image};
use glam::DVec3;

const TOP: Colour = Colour::hex(0xc9_d8_e8);
const BOTTOM: Colour = Colour::hex(0xf7_f8_fa);
/// How much of a colour the wireframe's lines take away.
const WIRE_DARKNESS: f64 = 0.62;
/// The back of a surface reflects this much of what the front does.
const BACK: f64 = 0.72;

/// Everything that a sample's colour depends on.
pub(super) struct Scene<'a> {
    geometry: &'a Geometry,
    view: &'a View,
    lights: Lights,
    ground: Option<Ground>,
    /// What the key light sees.
    shadows: Option<DepthMap>,
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
        let samples = f64::from(settings.supersampling.clamp(1, 8));
        Self {
            geometry,
            view,
            lights,
            ground: frame.ground.and_then(|height| Ground::new(height, geometry, view, camera, &lights)),
            shadows: DepthMap::of(geometry, lights.key, 768, 0.02),
            wire: 0.5 * settings.wire_width.clamp(0.0, 100.0) * samples,
            top: TOP.to_linear(),
            bottom: BOTTOM.to_linear(),
        }
    }

    /// The image: each pixel the mean of its `n`×`n` samples.
    pub fn image(&self, seen: &Visibility, n: usize, settings: &Settings) -> Result<Image, ExportError> {
        let mut image = Image::filled(settings.width, settings.height, Colour::WHITE)?;
        let width = settings.width as usize;
        let shaded: Vec<[DVec3; 3]> = seen.facets.iter().map(|facet| self.corner_normals(facet)).collect();
        for (i, pixel) in image.bytes_mut().as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let (left, top) = (i % width * n, i / width * n);
            let mut light = DVec3::ZERO;
            for row in top..top + n {
                for column in left..left + n {
                    light += self.sample(seen, &shaded, column, row);
                }
            }
            let colour = Colour::from_linear(light / (n * n) as f64);
            *pixel = [colour.r, colour.g, colour.b];
        }
        Ok(image)
    }

    fn sample(&self, seen: &Visibility, normals: &[[DVec3; 3]], column: usize, row: usize) -> DVec3 {
        let at = row * self.view.width + column;
        let (x, y) = (column as f64, row as f64);
        let d = self.view.to_world(self.view.ray(x, y));
        let background = || self.top.lerp(self.bottom, (y + 0.5) / self.view.height as f64);
        if let Some(ground) = &self.ground
            && ground.inverse_depth(self.view, d) > f64::from(seen.inverse_depth[at])
        {
            let (colour, opacity) = ground.look(self.view, d, self.view.sample);
            return background().lerp(colour, opacity);
        }
        let number = seen.seen[at];
        if number == Visibility::NOTHING {
            return background();
        }
        let facet = &seen.facets[number as usize];
        let light = self.surface(facet, &normals[number as usize], d, (x, y), seen.inverse_depth[at]);
        light * self.wire_factor(facet, x, y)
    }

    fn surface(
        &self,
        facet: &Facet,
        normals: &[DVec3; 3],
        d: DVec3,
        (x, y): (f64, f64),
        inverse_depth: f32,
    ) -> DVec3 {
        let surface = self.geometry.surfaces[facet.triangle.surface];
        let w = facet.barycentric(x, y);
        let to_eye = -d.normalize_or_zero();
        let outward = (w.x * normals[0] + w.y * normals[1] + w.z * normals[2]).normalize_or(to_eye);
        let (normal, albedo) = match (facet.front, surface.solid) {
            (true, _) => (outward, surface.albedo),
            (false, true) => (-outward, surface.albedo),
            (false, false) => (-outward, BACK * surface.albedo),
        };
        let point = self.view.eye + d / f64::from(inverse_depth);
        let lit = if normal.dot(self.lights.key) > -0.1 {
            self.shadows.as_ref().map_or(1.0, |map| map.lit(point, normal))
        } else {
            0.0
        };
        self.lights.shade(albedo, normal, to_eye, lit)
    }

    /// Darker close to an edge of the triangle. Where triangles get too small for lines, these fade out.
    fn wire_factor(&self, facet: &Facet, x: f64, y: f64) -> f64 {
        let fade = smooth_step(4.0 * self.wire, 14.0 * self.wire, facet.altitude);
        if !self.geometry.surfaces[facet.triangle.surface].wireframe || fade <= 0.0 {
            return 1.0;
        }
        let near = |k: usize| facet.edges[k].at(x, y) * facet.per_sample[k];
        let distance = near(0).min(near(1)).min(near(2));
        1.0 - WIRE_DARKNESS * fade * (self.wire + 0.5 - distance).clamp(0.0, 1.0)
    }

    /// Normals at the corners of a facet: the vertices' own where the surface is smooth. Where one is far from
    /// the facet's normal, as on the edge of a box, the facet's own takes over and the edge stays sharp.
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
