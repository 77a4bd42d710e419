//! The initial state: what `initial` does to positions and velocities, in the order of its keys.

use super::enclosed::Enclosed;
use super::random::SplitMix64;
use crate::format::Initial;
use glam::{DQuat, DVec3};
use sinew::Placement;

/// Positions and velocities of one body, m and m/s, #V each.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub positions: Vec<DVec3>,
    pub velocities: Vec<DVec3>,
    /// The rotation and displacement applied so far.
    pub placed: Placement,
}

/// How to find the centre of mass.
#[derive(Clone, Copy, Debug)]
pub(super) enum Centre<'a> {
    /// From these masses of the vertices, kg.
    Masses(&'a [f64]),
    /// From the volume that these triangles enclose.
    Enclosed(&'a [[u32; 3]]),
    /// At this point, before anything is moved, m.
    Given(DVec3),
}

impl Start {
    /// Starts from these positions, not moved yet.
    pub fn new(positions: Vec<DVec3>, velocities: Vec<DVec3>) -> Self {
        Self { positions, velocities, placed: Placement::default() }
    }

    /// Applies `initial`.
    pub fn apply(&mut self, initial: &Initial, centre: Centre<'_>) {
        if let Some(stretch) = initial.stretch {
            self.about_centre(centre, |r| r * DVec3::from(stretch));
        }
        if let Some(rotate) = &initial.rotate {
            let axis = DVec3::from(rotate.axis).normalize_or(DVec3::Y);
            let turn = DQuat::from_axis_angle(axis, rotate.degrees.to_radians());
            let middle = self.centre(centre);
            self.about_centre(centre, |r| turn * r);
            self.placed = Placement { rotation: turn, translation: middle - turn * middle };
        }
        if let Some(translate) = initial.translate {
            self.positions.iter_mut().for_each(|p| *p += DVec3::from(translate));
            self.placed.translation += DVec3::from(translate);
        }
        if let Some(velocity) = initial.velocity {
            self.velocities.iter_mut().for_each(|v| *v += DVec3::from(velocity));
        }
        if let Some(spin) = initial.spin {
            let centre = self.centre(centre);
            for (v, p) in self.velocities.iter_mut().zip(&self.positions) {
                *v += DVec3::from(spin).cross(p - centre);
            }
        }
        if let Some(strike) = &initial.strike {
            for (v, p) in self.velocities.iter_mut().zip(&self.positions) {
                let reach = p.distance(DVec3::from(strike.center)) / strike.radius;
                *v += DVec3::from(strike.velocity) * (1.0 - reach * reach).max(0.0);
            }
        }
        if let Some(randomize) = &initial.randomize {
            let mut random = SplitMix64::new(randomize.seed);
            for p in &mut self.positions {
                let offset = DVec3::new(random.symmetric(), random.symmetric(), random.symmetric());
                *p += randomize.amplitude * offset;
            }
        }
    }

    /// The current centre of mass, m.
    pub fn centre(&self, centre: Centre<'_>) -> DVec3 {
        match centre {
            Centre::Masses(masses) => centre_of_mass(masses, &self.positions),
            Centre::Enclosed(triangles) => Enclosed::by(&self.positions, triangles).centre,
            Centre::Given(middle) => self.placed.apply(middle),
        }
    }

    fn about_centre(&mut self, centre: Centre<'_>, map: impl Fn(DVec3) -> DVec3) {
        let centre = self.centre(centre);
        self.positions.iter_mut().for_each(|p| *p = centre + map(*p - centre));
    }
}

/// Σ mᵢxᵢ / Σ mᵢ. Masses without a positive sum, which the engine refuses later, count as equal.
pub(super) fn centre_of_mass(masses: &[f64], x: &[DVec3]) -> DVec3 {
    let total: f64 = masses.iter().sum();
    if total > 0.0 && total.is_finite() {
        masses.iter().zip(x).map(|(m, x)| *x * *m).sum::<DVec3>() / total
    } else {
        x.iter().sum::<DVec3>() / x.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Randomize, Rotation, Strike};

    fn dumbbell() -> (Start, Vec<f64>) {
        let positions = vec![DVec3::ZERO, DVec3::X * 3.0];
        (Start::new(positions, vec![DVec3::ZERO; 2]), vec![2.0, 1.0])
    }

    #[test]
    fn stretch_then_rotation_keep_the_centre_of_mass() {
        let (mut start, masses) = dumbbell();
        let rotate = Some(Rotation { axis: [0.0, 0.0, 5.0], degrees: 90.0 });
        start.apply(
            &Initial { stretch: Some([2.0, 1.0, 1.0]), rotate, ..Initial::default() },
            Centre::Masses(&masses),
        );
        assert!((start.positions[0] - DVec3::new(1.0, -2.0, 0.0)).length() < 1e-14);
        assert!((start.positions[1] - DVec3::new(1.0, 4.0, 0.0)).length() < 1e-14);
        // Without the stretch, the placement gives the same result.
        assert!((start.placed.apply(DVec3::ZERO) - DVec3::new(1.0, -1.0, 0.0)).length() < 1e-14);
    }

    #[test]
    fn spin_turns_about_the_centre_of_mass_and_adds_to_velocity() {
        let (mut start, masses) = dumbbell();
        let initial =
            Initial { velocity: Some([0.0, 0.0, 1.0]), spin: Some([0.0, 0.0, 2.0]), ..Initial::default() };
        start.apply(&initial, Centre::Masses(&masses));
        assert_eq!(start.velocities, [DVec3::new(0.0, -2.0, 1.0), DVec3::new(0.0, 4.0, 1.0)]);
    }

    #[test]
    fn strike_fades_with_the_square_of_the_distance() {
        let (mut start, masses) = dumbbell();
        let strike = Strike { center: [1.0, 0.0, 0.0], radius: 2.0, velocity: [0.0, -3.0, 0.0] };
        start.apply(&Initial { strike: Some(strike), ..Initial::default() }, Centre::Masses(&masses));
        assert_eq!(start.velocities, [DVec3::new(0.0, -2.25, 0.0), DVec3::ZERO]);
    }

    #[test]
    fn random_displacements_repeat_for_a_seed_and_stay_in_the_cube() {
        let moved = |seed| {
            let (mut start, masses) = dumbbell();
            let randomize = Some(Randomize { amplitude: 0.1, seed });
            start.apply(&Initial { randomize, ..Initial::default() }, Centre::Masses(&masses));
            start.positions
        };
        assert_eq!(moved(3), moved(3));
        assert_ne!(moved(3), moved(4));
        assert!(moved(3)[0].abs().max_element() <= 0.1 && moved(3)[0].length() > 0.0);
    }
}
