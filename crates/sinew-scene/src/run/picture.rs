//! Pictures of a running scene.

use super::checkers::checkers;
use super::moment::Moment;
use super::scenery::Scenery;
use super::skin::Skin;
use crate::build::BuiltScene;
use crate::export::ExportError;
use crate::export::colour::Colour;
use crate::export::image::Image;
use crate::export::render::{
    Backdrop, Bounds, Camera, Frame, Markers, Mesh, Pattern, Radius, Renderer, Rods, Settings,
};
use glam::DVec3;
use sinew::{Model, State};

/// Default direction from the body to the eye: from the front, the right and above.
const VIEW: DVec3 = DVec3::new(0.5, 0.55, 1.0);
const SCENERY: Colour = Colour::hex(0xb9_b1_a6);
/// How much white is in the light squares of a cloth.
const LIGHT: f64 = 0.6;

/// Draws states of one scene.
#[derive(Debug)]
pub struct Picture {
    renderer: Renderer,
    camera: Camera,
    scenery: Scenery,
    /// Finer surfaces of bodies, and room for their points.
    skins: Vec<(Skin, Vec<DVec3>)>,
    /// Colours of the points of those that have some.
    tints: Vec<Vec<Colour>>,
    /// Vertices whose pins are not marked: of animated figures, all of which are held, and of painted bodies, which marks would cover.
    unmarked: Vec<std::ops::Range<usize>>,
    /// Of each body, which triangles are on light squares.
    checkers: Vec<Option<Vec<bool>>>,
    ground: Option<f64>,
    wireframe: bool,
    caption: String,
    marks: Colour,
}

impl Picture {
    /// Uses the scene's `[camera]` and `[render]`; without a camera, all bodies are visible at the start.
    pub fn new(built: &BuiltScene, name: &str) -> Result<Self, ExportError> {
        Self::sized(built, name, (built.scene.render.width, built.scene.render.height))
    }

    /// The same with a size in pixels other than the scene's; without a name, without axes and a line of text.
    pub fn sized(built: &BuiltScene, name: &str, size: (u32, u32)) -> Result<Self, ExportError> {
        Self::against(Backdrop::Light, built, name, size)
    }

    /// The same with what is behind the bodies.
    pub fn against(
        backdrop: Backdrop,
        built: &BuiltScene,
        name: &str,
        (width, height): (u32, u32),
    ) -> Result<Self, ExportError> {
        let render = &built.scene.render;
        let settings = Settings { width, height, axes: !name.is_empty(), backdrop, ..Settings::default() };
        let mut scenery = Scenery::new(built.model());
        scenery.place(built.state.colliders());
        let camera = match &built.scene.camera {
            Some(camera) => Camera {
                eye: DVec3::from(camera.eye),
                look_at: DVec3::from(camera.look_at),
                up: DVec3::Y,
                fov_degrees: camera.fov,
            },
            None => {
                let seen = built.model().rest().iter().chain(built.state.positions());
                let unit = Bounds { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) };
                let bodies = Bounds::of(seen).unwrap_or(unit);
                Camera::fit(&scenery.bounds(bodies, built.state.colliders()), VIEW, settings.aspect())
            }
        };
        let bodies = built.model().bodies();
        let skins = Skin::all(built);
        let figures = built.motions.figures().map(|figure| figure.body);
        let painted =
            (0..bodies.len()).filter(|&i| skins.get(i).is_some_and(|skin| !skin.tints().is_empty()));
        let unmarked: Vec<_> = figures.chain(painted).map(|i| bodies[i].vertices.clone()).collect();
        let tints = skins.iter().map(|skin| skin.tints().iter().map(|&tint| Colour::hex(tint)).collect());
        // Checked now, not when the run is over.
        if !camera.look_at.distance(camera.eye).is_finite() {
            return Err(ExportError::Camera("it stands too far from the point that it looks at"));
        }
        Ok(Self {
            renderer: Renderer::new(settings)?,
            camera,
            scenery,
            tints: tints.collect(),
            skins: skins.into_iter().map(|skin| (skin, Vec::new())).collect(),
            unmarked,
            checkers: bodies
                .iter()
                .enumerate()
                // A figure shows by its shape how it moves.
                .map(|(i, body)| match built.motions.figures().any(|figure| figure.body == i) {
                    true => None,
                    false => checkers(body, built.model().rest()),
                })
                .collect(),
            ground: render.ground,
            wireframe: render.wireframe,
            caption: name.to_owned(),
            marks: backdrop.marks(),
        })
    }

    /// Draws a state of the model.
    pub fn draw(&mut self, model: &Model, state: &State) -> Result<Image, ExportError> {
        self.draw_moment(model, &Moment::of(state))
    }

    /// Draws what was seen of a state of the model.
    pub fn draw_moment(&mut self, model: &Model, moment: &Moment) -> Result<Image, ExportError> {
        let x = moment.positions.as_slice();
        self.scenery.place(&moment.colliders);
        for (skin, points) in self.skins.iter_mut().filter(|(skin, _)| skin.is_carried()) {
            points.clear();
            skin.place(x, points);
        }
        let (mut meshes, mut rods) = (Vec::new(), Vec::new());
        for (i, body) in model.bodies().iter().enumerate() {
            let colour = Colour::body(i);
            if let Some((skin, points)) = self.skins.get(i)
                && skin.is_carried()
            {
                let triangles = skin.triangles.as_slice();
                let tints = self.tints.get(i).map(Vec::as_slice).filter(|tints| !tints.is_empty());
                // Lines would show the triangles of the fine surface, which mean nothing.
                let wireframe = self.wireframe && tints.is_none();
                meshes.push(Mesh { positions: points, triangles, colour, wireframe, pattern: None, tints });
            } else if body.surface.is_empty() {
                let (radius, ball_radius) = (Radius::Pixels(2.5), Radius::Pixels(7.0));
                rods.push(Rods { positions: x, segments: &body.springs, colour, radius, ball_radius });
            } else {
                let wireframe = self.wireframe;
                let on = self.checkers.get(i).and_then(Option::as_deref);
                let pattern = on.map(|on| Pattern { colour: colour.mix(Colour::WHITE, LIGHT), on });
                let triangles = &body.surface;
                meshes.push(Mesh { positions: x, triangles, colour, wireframe, pattern, tints: None });
            }
        }
        // On bare rods, a mark must be larger than the balls at their ends.
        let pin = if meshes.is_empty() { 8.5 } else { 4.5 };
        for (positions, triangles) in self.scenery.solids() {
            let (colour, wireframe) = (SCENERY, false);
            meshes.push(Mesh { positions, triangles, colour, wireframe, pattern: None, tints: None });
        }
        let pinned: Vec<DVec3> = (0..x.len())
            .filter(|i| model.is_held(*i) && !self.unmarked.iter().any(|body| body.contains(i)))
            .map(|i| x[i])
            .collect();
        let mark =
            |positions, radius| Markers { positions, colour: self.marks, radius: Radius::Pixels(radius) };
        let caption = match self.caption.as_str() {
            "" => String::new(),
            name => format!("{name}   t = {:.2} s", moment.time),
        };
        let frame = Frame {
            meshes,
            rods,
            markers: vec![mark(&pinned, pin), mark(&moment.targets, 2.5), mark(&moment.grabbed, 4.5)],
            ground: self.ground,
            planes: self.scenery.planes(&moment.colliders),
            caption,
        };
        self.renderer.render(&frame, &self.camera)
    }
}
