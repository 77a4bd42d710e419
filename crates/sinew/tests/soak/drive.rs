//! What the user does between two steps: moves targets, colliders and bones, grabs, blows, shakes, edits.

use crate::random::Random;
use crate::scene::Scene;
use sinew::{DVec3, Grab, GrabId, Placement, State};

/// The user of a case. What is drawn for a step depends on the number of the step alone, not on the state: a run that is repeated or restored gets the same.
pub struct User {
    case: u64,
    /// How far things move in a step, as a share of their size.
    pace: f64,
    /// Chance of each kind of change in a step.
    chance: f64,
    /// Whether the frame is shaken at all.
    shakes: bool,
    left_out: String,
}

impl User {
    pub fn new(case: u64) -> Self {
        let mut r = Random::of(case, "user");
        let left_out = std::env::var(crate::scene::LEFT_OUT).unwrap_or_default();
        let (pace, chance) = (r.pick(&[0.01, 0.3, 3.0, 30.0]), r.pick(&[0.0, 0.2, 0.7]));
        Self { case, pace, chance, shakes: r.chance(0.2), left_out }
    }

    /// Acts before a step; returns how often it was refused.
    pub fn act(&self, scene: &Scene, state: &mut State) -> Result<usize, String> {
        let step = state.step_count();
        let generator = |feature: &str| {
            let acts = !self.left_out.split_whitespace().any(|name| name == feature);
            let mut r = Random::of(self.case, &format!("{feature} {step}"));
            (acts && r.chance(self.chance)).then_some(r)
        };
        if let Some(mut r) = generator("attachments") {
            for &(id, size) in &scene.attachments {
                let to = state.controls().targets()[id.0] + r.vector(size * self.pace);
                state.controls_mut().move_target(id, to).map_err(|e| e.to_string())?;
            }
        }
        if let Some(mut r) = generator("colliders") {
            for &(id, size) in &scene.colliders {
                let to = self.moved(&mut r, state.controls().colliders()[id.0], size);
                state.controls_mut().move_collider(id, to).map_err(|e| e.to_string())?;
            }
        }
        if let Some(mut r) = generator("kinematic") {
            for &(id, size) in &scene.kinematic {
                let to = self.moved(&mut r, state.controls().bones()[id.0], size);
                state.controls_mut().move_bone(id, to).map_err(|e| e.to_string())?;
            }
        }
        if let Some(mut r) = generator("wind") {
            let wind = r.direction() * r.pick(&[0.0, 1.0, 30.0, 300.0]);
            state.controls_mut().set_wind(wind).map_err(|e| e.to_string())?;
        }
        if let Some(mut r) = generator("acceleration").filter(|_| self.shakes) {
            let push = r.direction() * r.pick(&[0.0, 1.0, 30.0, 1000.0]);
            state.controls_mut().set_acceleration(push).map_err(|e| e.to_string())?;
        }
        let mut refusals = 0;
        if let Some(mut r) = generator("grabs") {
            refusals += self.grab(&mut r, scene, state)?;
        }
        if let Some(mut r) = generator("edits") {
            refusals += self.edit(&mut r, scene, state)?;
        }
        Ok(refusals)
    }

    fn moved(&self, r: &mut Random, from: Placement, size: f64) -> Placement {
        let turn = r.rotation(self.pace.min(3.0));
        Placement {
            rotation: (turn * from.rotation).normalize(),
            translation: from.translation + r.vector(size * self.pace),
        }
    }

    /// Grabs something, or moves or releases what is grabbed.
    fn grab(&self, r: &mut Random, scene: &Scene, state: &mut State) -> Result<usize, String> {
        let Some(&(corners, stiffness)) = scene.grabbable.get(r.index(scene.grabbable.len().max(1))) else {
            return Ok(0);
        };
        let held: Option<(GrabId, Grab)> = state.controls().grabs().next().map(|(id, grab)| (id, *grab));
        let reach = scene.model.size() * self.pace;
        let result = match held {
            Some((id, _)) if r.chance(0.3) => state.controls_mut().release(id).map(|_| ()),
            Some((id, grab)) => {
                let to = grab.target + r.vector(reach);
                state.controls_mut().move_grab(id, to).map(|_| ())
            }
            None => {
                let (a, b) = (r.unit(), r.unit());
                let weights = if a + b < 1.0 { [a, b, 1.0 - a - b] } else { [1.0, 0.0, 0.0] };
                let stiffness = stiffness * r.decades(-2.0, 3.0);
                let mut grab = Grab { corners, weights, stiffness, target: DVec3::ZERO };
                grab.target = grab.point(state.positions()) + r.vector(reach);
                state.controls_mut().grab(&scene.model, grab).map(|_| ())
            }
        };
        result.map(|()| 0).map_err(|e| e.to_string())
    }

    /// Kicks or drags some vertices. An edit that is refused must change nothing.
    fn edit(&self, r: &mut Random, scene: &Scene, state: &mut State) -> Result<usize, String> {
        if scene.model.vertex_count() == 0 {
            return Ok(0);
        }
        let before = state.clone();
        let (some, way) =
            (r.index(scene.model.vertex_count()), r.vector(0.3 * scene.model.size() * self.pace.min(3.0)));
        let (kick, whole) = (r.direction() * r.pick(&[0.0, 1.0, 100.0]), r.chance(0.5));
        let edited = state.edit(&scene.model, |x, v| {
            for i in (0..x.len()).filter(|&i| (whole || i == some) && !scene.model.is_held(i)) {
                x[i] += way;
                v[i] += kick;
            }
        });
        match edited {
            Ok(()) => Ok(0),
            Err(_) if *state == before => Ok(1),
            Err(error) => Err(format!("a refused edit changed the state: {error}")),
        }
    }
}
