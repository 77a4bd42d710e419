//! A page that replays a run, however long it was: moments are thinned out as they come, so that memory and page stay small.

use super::scenery::Scenery;
use super::{Moment, Run, Skin};
use crate::export::Bounds;
use crate::export::colour::Colour;
use crate::export::series::{Drawn, ReplayPage};
use glam::DVec3;

/// Most coordinates that a page holds; each takes two bytes before compression.
const MOST: usize = 3_000_000;
/// Least time between two moments, s: no page plays faster.
const BETWEEN: f64 = 1.0 / 61.0;
const SCENERY: Colour = Colour::hex(0xb9_b1_a6);
/// Colours of the tiles of a plane.
const TILES: [Colour; 2] = [Colour::hex(0xe4_df_d8), Colour::hex(0xd3_cd_c4)];
/// Tiles along each side of a plane.
const SIDE: u32 = 24;

/// What was seen of a run, thinned out.
#[derive(Clone, Debug)]
pub struct Replay {
    page: ReplayPage,
    skins: Vec<Skin>,
    scenery: Scenery,
    ground: Option<f64>,
    rest: Option<Bounds>,
    /// Side of a tile of a plane, m, from what is seen first: a page has the same tiles whether it is made along with the run or afterwards.
    tile: f64,
    /// Moments given, and which of them are kept.
    given: usize,
    every: usize,
}

impl Replay {
    /// An empty replay of a run.
    pub fn new(run: &Run) -> Self {
        let scene = run.scene();
        let model = scene.model();
        let skins = Skin::all(scene);
        let mut page = ReplayPage::new(run.name(), &scene.scene.title);
        if let Some(camera) = &scene.scene.camera {
            page.look_from(camera.eye, camera.look_at, camera.fov);
        }
        for (body, skin) in skins.iter().enumerate() {
            let rgb = Colour::body(body);
            let colours = match skin.tints() {
                [] => vec![rgb; skin.len()],
                tints => tints.iter().map(|&rgb| Colour::hex(rgb)).collect(),
            };
            page.part(Drawn { triangles: skin.triangles.clone(), segments: skin.segments.clone(), colours });
        }
        let scenery = Scenery::new(model);
        for (positions, triangles) in scenery.solids() {
            let colours = vec![SCENERY; positions.len()];
            page.part(Drawn { triangles: triangles.to_vec(), segments: Vec::new(), colours });
        }
        let ground = scene.scene.render.ground;
        let planes = scenery.planes(scene.state.colliders()).len() + usize::from(ground.is_some());
        (0..planes).for_each(|_| page.surroundings(tiles()));
        let rest = Bounds::of(model.rest());
        let every = (BETWEEN / run.frame_time()).ceil().max(1.0) as usize;
        Self { page, skins, scenery, ground, rest, tile: 0.0, given: 0, every }
    }

    /// Adds the next moment.
    pub fn add(&mut self, moment: &Moment) {
        if self.given == 0 {
            let seen = Bounds::of(&moment.positions);
            let size = self.rest.zip(seen).map(|(a, b)| a.union(b)).or(seen);
            self.tile = 0.25 * size.map_or(1.0, |bounds| bounds.diagonal());
        }
        self.given += 1;
        if !(self.given - 1).is_multiple_of(self.every) {
            return;
        }
        let mut points = Vec::new();
        self.skins.iter().for_each(|skin| skin.place(&moment.positions, &mut points));
        let centre = Bounds::of(&points).map_or(DVec3::ZERO, |bounds| bounds.centre());
        self.scenery.place(&moment.colliders);
        self.scenery.solids().for_each(|(positions, _)| points.extend_from_slice(positions));
        let planes = self.scenery.planes(&moment.colliders);
        let mut flats: Vec<[DVec3; 3]> =
            planes.iter().map(|plane| [plane.point, plane.normal, plane.along]).collect();
        flats.extend(self.ground.map(|height| [DVec3::Y * height, DVec3::Y, DVec3::X]));
        for [point, normal, along] in flats {
            let across = normal.cross(along) * self.tile;
            let along = along * self.tile;
            // Under the bodies, in whole pairs of tiles, so that the pattern stands still.
            let pairs =
                |axis: DVec3| ((centre - point).dot(axis) / (2.0 * self.tile * self.tile)).round() * 2.0;
            let middle = point + along * pairs(along) + across * pairs(across);
            let half = f64::from(SIDE) / 2.0;
            for tile in 0..SIDE * SIDE {
                let (i, j) = (f64::from(tile / SIDE) - half, f64::from(tile % SIDE) - half);
                let corner = |di: f64, dj: f64| middle + along * (i + di) + across * (j + dj);
                points.extend([corner(0.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0), corner(1.0, 0.0)]);
            }
        }
        self.page.frame(moment.time, &points);
        if self.page.coordinates() > MOST && self.page.frames() > 2 {
            self.page.thin();
            self.every *= 2;
        }
    }

    /// The page: complete, without requests to anywhere.
    pub fn page(&self) -> String {
        self.page.html()
    }
}

/// A plane as tiles that share no corners.
fn tiles() -> Drawn {
    let mut drawn = Drawn::default();
    for tile in 0..SIDE * SIDE {
        let first = 4 * tile;
        drawn.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|corner| first + corner)));
        drawn.colours.extend([TILES[((tile / SIDE + tile % SIDE) % 2) as usize]; 4]);
    }
    drawn
}
