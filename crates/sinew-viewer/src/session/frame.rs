//! What changed since the last frame: positions, colours, placements, rows.

use super::command::Quantity;
use super::sections::Writer;
use super::variant::Variant;
use bytemuck::cast_slice;
use glam::DVec3;

const FRAME: u8 = 1;
/// Vertices that did not move are also sent if they lie between two that moved and that are no farther apart than this: each run has a header, too.
const GAP: usize = 4;
/// How fast the range of colours narrows, per frame.
const NARROWING: f32 = 0.97;
/// Share of the vertices that the range of colours covers.
const COVERED: f64 = 0.99;

/// The data that the page has.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    positions: Vec<[f32; 3]>,
    placements: Vec<[f32; 7]>,
    targets: Vec<[f32; 3]>,
    joints: Vec<[f32; 3]>,
    grabs: bool,
    /// The quantity that colours bodies, by vertex of the model, and the same sorted.
    colours: Vec<f64>,
    ranked: Vec<f64>,
}

/// The data that the page wants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub colour: Quantity,
    pub inside: bool,
    /// Highest value of the colours, the same for all variants.
    pub highest: f32,
}

impl Wanted {
    /// Adapts the range of colours: at once when it grows, slowly when it shrinks.
    pub fn follow(&mut self, highest: f64) {
        self.highest = (highest as f32).max(NARROWING * self.highest);
    }
}

/// The frame message of a variant.
pub fn frame_message(variant: &mut Variant, number: usize, frame: u32, wanted: Wanted) -> Vec<u8> {
    let mut writer = Writer::new(FRAME, number, frame);
    let state = &variant.built.state;
    writer.section(1, &[state.time(), state.step_count() as f64]);
    let shown = if wanted.inside { variant.numbering.len() } else { variant.numbering.seen };
    positions(variant, shown, &mut writer);
    if wanted.colour != Quantity::None {
        colours(variant, shown, wanted.highest, &mut writer);
    }
    surroundings(variant, &mut writer);
    let rows = variant.rows.take();
    if !rows.is_empty() {
        writer.section(10, &rows);
    }
    writer.finish()
}

/// Runs of vertices that moved since they were last sent.
fn positions(variant: &mut Variant, shown: usize, writer: &mut Writer) {
    let (x, sent) = (variant.built.state.positions(), &mut variant.sent.positions);
    // A vertex that was never sent counts as moved.
    sent.resize(variant.numbering.len(), [f32::NAN; 3]);
    let (mut runs, mut moved): (Vec<[u32; 2]>, Vec<[f32; 3]>) = (Vec::new(), Vec::new());
    for place in 0..shown {
        let now = variant.numbering.position(place, x).as_vec3().to_array();
        if now.map(f32::to_bits) == sent[place].map(f32::to_bits) {
            continue;
        }
        sent[place] = now;
        match runs.last_mut() {
            Some([first, count]) if place - (*first + *count) as usize <= GAP => {
                let end = (*first + *count) as usize;
                moved.extend_from_slice(&sent[end..=place]);
                *count = (place - *first as usize + 1) as u32;
            }
            _ => {
                runs.push([place as u32, 1]);
                moved.push(now);
            }
        }
    }
    if !runs.is_empty() {
        writer.section(2, &runs);
        writer.section(3, &moved);
    }
}

/// Computes the quantity that colours a variant. Returns the value that all but a few vertices stay below.
pub fn measure_colours(variant: &mut Variant, quantity: Quantity) -> f64 {
    let solid = shows_pressure(variant);
    let (built, sent) = (&variant.built, &mut variant.sent);
    let (model, state) = (built.model(), &built.state);
    sent.colours.clear();
    match quantity {
        Quantity::Energy => state.strain_energy(model, &mut sent.colours),
        Quantity::Stress => {
            state.stress(model, &mut sent.colours);
            // Solids have pressures, springs forces: only those with the unit of the legend are shown.
            let others = model.bodies().iter().filter(|body| body.tetrahedra.is_empty() == solid);
            others.for_each(|body| sent.colours[body.vertices.clone()].fill(0.0));
        }
        Quantity::Speed => {
            let speed = |i| state.velocity(model, i).map_or(0.0, |v| v.length());
            sent.colours.extend((0..model.vertex_count()).map(speed));
        }
        Quantity::Correction => {
            sent.colours.extend_from_slice(built.simulator.correction_sizes().unwrap_or_default());
        }
        Quantity::None => {}
    }
    let Sent { colours, ranked, .. } = sent;
    colours.resize(model.vertex_count(), 0.0);
    ranked.clone_from(colours);
    let at = ((ranked.len() as f64 * COVERED) as usize).min(ranked.len().saturating_sub(1));
    if ranked.is_empty() { 0.0 } else { *ranked.select_nth_unstable_by(at, f64::total_cmp).1 }
}

/// Whether the bodies of the scene itself, without thrown balls, are solids.
pub fn shows_pressure(variant: &Variant) -> bool {
    let own = variant.built.scene.bodies.len() - variant.changes.balls.len();
    variant.built.model().bodies().iter().take(own).any(|body| !body.tetrahedra.is_empty())
}

/// A number for each vertex, and the range to map to colours.
fn colours(variant: &Variant, shown: usize, highest: f32, writer: &mut Writer) {
    let colours = &variant.sent.colours;
    let values: Vec<f32> = (0..shown).map(|place| variant.numbering.value(place, colours) as f32).collect();
    writer.section(4, &values);
    writer.section(5, &[0.0, highest, 0.0, 0.0]);
}

/// Colliders, targets, joints and grabs.
fn surroundings(variant: &mut Variant, writer: &mut Writer) {
    let (state, model) = (&variant.built.state, variant.built.model());
    let point = |p: DVec3| p.as_vec3().to_array();
    let placements = state.colliders().iter().map(|p| {
        let ([x, y, z], q) = (point(p.translation), p.rotation.as_quat());
        [x, y, z, q.x, q.y, q.z, q.w]
    });
    update(&mut variant.sent.placements, placements.collect(), 6, writer);
    let targets = state.controls().targets().iter().map(|&p| point(p)).collect();
    update(&mut variant.sent.targets, targets, 7, writer);
    if model.joint_count() > 0 {
        let joints = state.joints(model).into_iter().map(|p| p.map_or([f32::NAN; 3], point)).collect();
        update(&mut variant.sent.joints, joints, 8, writer);
    }
    let held: Vec<[f32; 7]> = variant
        .grabs
        .iter()
        .enumerate()
        .filter_map(|(pointer, id)| {
            let grab = state.controls().grabbed((*id)?)?;
            let ([a, b, c], [x, y, z]) = (point(grab.point(state.positions())), point(grab.target));
            Some([pointer as f32, a, b, c, x, y, z])
        })
        .collect();
    if !held.is_empty() || variant.sent.grabs {
        writer.section(9, &held);
    }
    variant.sent.grabs = !held.is_empty();
}

/// Sends a list if it differs from what the page has.
fn update<const K: usize>(sent: &mut Vec<[f32; K]>, now: Vec<[f32; K]>, tag: u32, writer: &mut Writer) {
    let same = cast_slice::<_, u8>(sent.as_flattened()) == cast_slice::<_, u8>(now.as_flattened());
    if !same {
        writer.section(tag, now.as_flattened());
        *sent = now;
    }
}
