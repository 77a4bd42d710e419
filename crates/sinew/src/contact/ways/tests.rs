use super::*;
use crate::contact::testing::{Random, quad};

const KINDS: [PairKind; 3] = [PairKind::VertexTriangle, PairKind::EdgeEdge, PairKind::VertexPlane];

#[test]
fn never_late_and_hardly_early() {
    let mut random = Random(7);
    let (mut hits, mut misses) = (0, 0);
    for case in 0..6000 {
        let pair = quad(KINDS[case % 3], if case % 5 == 0 { 0.03 } else { 0.0 }, 0.01);
        let amplitude = [0.003, 0.03, 0.3, 3.0][random.below(4)];
        let x: Vec<DVec3> = (0..4).map(|_| random.vector() * 0.2).collect();
        let drift = random.vector() * 10.0;
        let e: Vec<DVec3> = x.iter().map(|x| *x + drift + random.vector() * amplitude).collect();
        let gap = 0.012;
        let at = |t: f64| {
            let q: Vec<DVec3> = x.iter().zip(&e).map(|(x, e)| x.lerp(*e, t)).collect();
            pair.closest(&q).distance - pair.radius
        };
        let found = first_contact(pair.closest(&x), &pair, &x, &e, gap);
        let until = found.as_ref().map_or(1.0, |(t, _)| *t);
        assert!(
            (0..=200).all(|k| at(until * f64::from(k) / 200.0) > gap - 1e-12 || until == 0.0),
            "late: {case}"
        );
        if let Some((t, closest)) = found {
            assert!((closest.distance - pair.radius - at(t)).abs() < 1e-9);
            if at(t) <= gap + 1.01e-3 * pair.distance {
                hits += 1;
            } else {
                misses += 1;
            }
        }
    }
    assert!(hits > 1000 && misses == 0, "{hits} contacts, {misses} given up before");
}

#[test]
fn a_way_past_each_other_is_none() {
    let pair = quad(PairKind::VertexTriangle, 0.0, 0.01);
    let x = [DVec3::new(-9.0, 0.011, 0.0), DVec3::new(-1.0, 0.0, -1.0), DVec3::new(1.0, 0.0, -1.0), DVec3::Z];
    let mut e = x;
    e[0].x = 9.0;
    assert!(first_contact(pair.closest(&x), &pair, &x, &e, 0.01).is_none());
    let (t, closest) = first_contact(pair.closest(&x), &pair, &x, &e, 0.012).expect("they meet");
    assert!((0.4..0.5).contains(&t) && closest.distance > 0.0119, "{t}");
}
