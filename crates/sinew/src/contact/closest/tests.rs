use super::*;
use crate::contact::testing::{Random, quad};

/// Four points: general, flattened, collinear, with points that coincide, parallel, nearly parallel.
fn points(random: &mut Random, case: usize) -> [DVec3; 4] {
    let mut q: [DVec3; 4] = std::array::from_fn(|_| random.vector());
    let tiny = [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4][random.below(6)];
    match case % 8 {
        1 => q.iter_mut().for_each(|p| p.y *= tiny),
        2 => q.iter_mut().for_each(|p| *p = DVec3::new(p.x, p.y * tiny, p.z * tiny)),
        3 => q[3] = q[2] + random.vector() * tiny,
        4 => q[1] = q[0] + random.vector() * tiny,
        5 => q[3] = q[2] + (q[1] - q[0]) * random.signed() + random.vector() * tiny,
        6 => q[3] = q[1].lerp(q[2], random.signed() * 2.0) + random.vector() * tiny,
        7 => q = [q[0], q[0] + random.vector() * tiny, q[0], q[0] + random.vector() * tiny],
        _ => {}
    }
    // At the scale of a mesh, away from the origin.
    q.map(|p| p * 0.1 + DVec3::new(3.0, -2.0, 1.0))
}

fn sampled(kind: PairKind, q: [DVec3; 4]) -> f64 {
    const N: usize = 16;
    let mut best = f64::INFINITY;
    for i in 0..=N {
        for j in 0..=N {
            let (u, v) = (i as f64 / N as f64, j as f64 / N as f64);
            let z = match kind {
                PairKind::EdgeEdge => q[0].lerp(q[1], u) - q[2].lerp(q[3], v),
                _ => q[0] - q[1].lerp(q[2].lerp(q[3], v), u),
            };
            best = best.min(z.length());
        }
    }
    best
}

#[test]
fn no_points_are_closer_and_the_normal_proves_it() {
    let mut random = Random(1);
    for kind in [PairKind::VertexTriangle, PairKind::EdgeEdge] {
        let pair = quad(kind, 0.0, 1e-3);
        for case in 0..4000 {
            let q = points(&mut random, case);
            let closest = pair.closest_of(q);
            let w = closest.weights;
            assert!((closest.normal.length() - 1.0).abs() < 1e-12, "{kind:?} {q:?}");
            assert!(
                w.iter().enumerate().all(|(k, w)| if k < usize::from(pair.split) {
                    *w >= 0.0
                } else {
                    *w <= 1e-15
                }),
                "{w:?}"
            );
            let a: f64 = w[..usize::from(pair.split)].iter().sum();
            assert!((a - 1.0).abs() < 1e-12 && w.iter().sum::<f64>().abs() < 1e-12, "{w:?}");
            let z: DVec3 = (0..4).map(|k| q[k] * w[k]).sum();
            assert!((z - closest.normal * closest.distance).length() < 1e-13, "{kind:?} {case} {q:?}");
            assert!(closest.distance <= sampled(kind, q) + 1e-13, "{kind:?} {case} {q:?}");
            // The lower bound: valid for any normal, equal for the best one.
            let gap = closest.distance - pair.separation(closest.normal, &q);
            assert!(gap > -1e-13, "{kind:?} {case} {gap} {closest:?} {q:?}");
            if closest.distance > 1e-4 {
                assert!(gap < 1e-11, "{kind:?} {case} distance {} gap {gap} {q:?}", closest.distance);
            }
        }
    }
}

#[test]
fn what_touches_has_a_normal() {
    let edges = quad(PairKind::EdgeEdge, 0.0, 1e-3);
    let crossing = [-DVec3::X, DVec3::X, -DVec3::Z, DVec3::Z];
    let closest = edges.closest_of(crossing);
    assert_eq!((closest.distance, closest.normal.abs()), (0.0, DVec3::Y));
    let vertex = quad(PairKind::VertexTriangle, 0.0, 1e-3);
    let inside = [DVec3::ZERO, -DVec3::X - DVec3::Z, DVec3::X - DVec3::Z, DVec3::Z];
    let closest = vertex.closest_of(inside);
    assert_eq!((closest.distance, closest.normal.abs()), (0.0, DVec3::Y));
    for pair in [edges, vertex] {
        let closest = pair.closest_of([DVec3::ONE; 4]);
        assert_eq!((closest.distance, closest.normal.length()), (0.0, 1.0));
    }
}

#[test]
fn a_plane_has_a_sign() {
    let pair = quad(PairKind::VertexPlane, 0.0, 1e-3);
    let closest = pair.closest(&[DVec3::new(5.0, -0.5, 3.0), DVec3::Y]);
    assert_eq!((closest.distance, closest.normal), (-1.5, DVec3::Y));
    assert_eq!(pair.separation(closest.normal, &pair.points(&[DVec3::new(5.0, -0.5, 3.0), DVec3::Y])), -1.5);
}
