use super::*;
use crate::contact::pair::{PairKey, PairKind};
use crate::contact::testing::Scene;

const D: f64 = 0.01;
const FLOOR: Floor = Floor::Share(0.1);

/// Every pair, near or not.
pub(super) fn all_pairs(primitives: &Primitives) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut offer = |kind, a: usize, b: usize| {
        let pair = primitives.pair(PairKey { kind, a: a as u32, b: b as u32 });
        if primitives.may_meet(pair.a(), pair.b()) {
            pairs.push(pair);
        }
    };
    for &p in &primitives.points {
        (0..primitives.triangles.len()).for_each(|t| offer(PairKind::VertexTriangle, p as usize, t));
        (0..primitives.planes.len()).for_each(|t| offer(PairKind::VertexPlane, p as usize, t));
    }
    for a in 0..primitives.edges.len() {
        (a + 1..primitives.edges.len()).for_each(|b| offer(PairKind::EdgeEdge, a, b));
    }
    pairs
}

/// Two squares, one above the other, and a plane below both.
fn squares() -> Scene {
    Scene::new(D)
        .cloth(3, 1.0, DVec3::Y * 0.2, DVec3::X, DVec3::Z)
        .cloth(3, 1.0, DVec3::Y * 0.1, DVec3::X, DVec3::Z)
        .plane(DVec3::ZERO, DVec3::Y)
}

#[test]
fn free_flight_arrives_bit_for_bit() {
    let Scene { primitives, x, .. } = squares();
    let pairs = all_pairs(&primitives);
    // Both squares fly far through where the other one was; neither meets anything.
    let e: Vec<DVec3> = x
        .iter()
        .enumerate()
        .map(|(i, x)| if i < 18 { *x + DVec3::new(3.0, 1.0 / 3.0, 0.1) } else { *x })
        .collect();
    let (mut filter, mut to) = (Filter::default(), x);
    assert_eq!(filter.advance(&primitives, &pairs, FLOOR, &mut to, &e), 0);
    assert_eq!(to, e);
    assert!(filter.share().iter().all(|t| *t == 1.0));
}

#[test]
fn a_plane_stops_what_falls_and_nothing_else() {
    let Scene { primitives, x, .. } = squares();
    let pairs = all_pairs(&primitives);
    let e: Vec<DVec3> = x
        .iter()
        .enumerate()
        .map(|(i, x)| if (9..18).contains(&i) { *x - DVec3::Y * 0.5 } else { *x })
        .collect();
    let (mut filter, mut to) = (Filter::default(), x.clone());
    assert_eq!(filter.advance(&primitives, &pairs, FLOOR, &mut to, &e), 9);
    assert!(to[9..18].iter().all(|x| x.y >= 0.1 * D && x.y < 0.3 * D), "{:?}", &to[9..18]);
    assert_eq!(to[..9], x[..9]);
    assert!(filter.share()[..9].iter().chain(&filter.share()[18..]).all(|t| *t == 1.0));
    assert!(filter.share()[9..18].iter().all(|t| (t - 0.198).abs() < 0.003), "{:?}", filter.share());
}

#[test]
fn below_its_floor_a_pair_parts_and_slides_but_does_not_approach() {
    let Scene { primitives, mut x, .. } = squares();
    let pairs = all_pairs(&primitives);
    x[9..18].iter_mut().for_each(|x| x.y = 0.05 * D);
    let mut filter = Filter::default();
    for (way, arrives) in [
        (DVec3::Y * 0.01, true),
        (DVec3::X, true),
        (-DVec3::Y * 0.01, false),
        (DVec3::new(0.7, 0.0, 0.7), true),
    ] {
        let e: Vec<DVec3> =
            x.iter().enumerate().map(|(i, x)| if (9..18).contains(&i) { *x + way } else { *x }).collect();
        let mut to = x.clone();
        assert_eq!(filter.advance(&primitives, &pairs, FLOOR, &mut to, &e) == 0, arrives, "{way}");
        assert!(arrives || to.iter().zip(&x).all(|(to, x)| (*to - *x).length() <= 2.2e-9 * D));
    }
}

#[test]
fn at_rest_nothing_comes_much_closer() {
    let Scene { primitives, mut x, .. } = squares();
    let pairs = all_pairs(&primitives);
    x[9..18].iter_mut().for_each(|x| x.y = 0.45 * D);
    let e: Vec<DVec3> =
        x.iter().enumerate().map(|(i, x)| if i < 18 { *x - DVec3::Y * 0.3 * D } else { *x }).collect();
    let mut to = x.clone();
    let mut filter = Filter::default();
    let cut = filter.advance(&primitives, &pairs, Floor::AtRest, &mut to, &e);
    // The lower square stays, the upper one, far from everything, goes on.
    assert_eq!(cut, 9);
    assert!(to[9..18].iter().all(|x| (x.y - 0.45 * D).abs() < 0.02 * D), "{:?}", &to[9..18]);
    assert_eq!(to[..9], e[..9]);
}

#[test]
fn a_unit_keeps_its_shape_and_pushes_nothing_through() {
    // A box sinks onto a cloth that holds still.
    let scene = Scene::new(D)
        .cloth(5, 1.0, DVec3::ZERO, DVec3::X, DVec3::Z)
        .cuboid(DVec3::Y * 0.3, DVec3::splat(0.1));
    let Scene { primitives, x, .. } = scene;
    let pairs = all_pairs(&primitives);
    let e: Vec<DVec3> = x.iter().enumerate().map(|(i, x)| if i < 25 { *x } else { *x - DVec3::Y }).collect();
    let (mut filter, mut to) = (Filter::default(), x.clone());
    assert_eq!(filter.advance(&primitives, &pairs, FLOOR, &mut to, &e), 8);
    let moved = to[25] - x[25];
    assert!(to.iter().zip(&x).skip(25).all(|(to, x)| (*to - *x - moved).length() < 1e-15));
    assert!((-0.2..-0.197).contains(&moved.y), "{moved}");
}
