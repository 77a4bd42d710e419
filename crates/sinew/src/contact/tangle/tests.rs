use super::*;
use crate::contact::testing::Scene;

/// Sheets of 0.4 m: one lies, the other stands in it.
fn crossing() -> Scene {
    Scene::new(0.002).cloth(7, 0.4, DVec3::ZERO, DVec3::X, DVec3::Z).cloth(
        7,
        0.4,
        DVec3::new(0.011, 0.15, 0.007),
        DVec3::Y,
        DVec3::Z,
    )
}

fn sides(primitives: &Primitives) -> Sides {
    let mut sides = Sides::default();
    sides.fill(primitives);
    sides
}

#[test]
fn sides_know_their_triangles_and_edges() {
    let Scene { primitives, .. } = crossing();
    let sides = sides(&primitives);
    for (k, &edge) in primitives.edges.iter().enumerate() {
        let at = sides.at(edge);
        assert!(at.len() == 1 || at.len() == 2, "{edge:?}: {at:?}");
        for &t in at {
            assert!(edge.iter().all(|i| primitives.triangles[t as usize].contains(i)));
            assert!(sides.of(&primitives, t).contains(&Some(k as u32)));
        }
    }
}

#[test]
fn pushes_shorten_the_contour() {
    let Scene { primitives, x, .. } = crossing();
    let mut exact = Exact::new(&primitives);
    assert!(exact.test(&primitives, &x) > 0);
    let sides = sides(&primitives);
    let mut borders = 0;
    for crossing in &exact.crossings {
        let edge = primitives.edges[crossing.edge as usize];
        let at = sides.at(edge);
        let Some(push) = sides.push(&primitives, &x, crossing, None) else { continue };
        assert!((push.normal.length() - 1.0).abs() < 1e-12 && push.by > 0.0);
        assert!(push.weights.iter().sum::<f64>().abs() < 1e-12);
        // Where the contour ends at a border, the border is drawn inward, along the contour.
        if let [only] = at {
            let middle =
                |places: &[u32]| places.iter().map(|&i| x[i as usize]).sum::<DVec3>() / places.len() as f64;
            let inward = middle(&primitives.triangles[*only as usize]) - middle(&edge);
            assert!(push.normal.dot(inward) > 0.0, "{edge:?}: {}", push.normal);
            borders += 1;
        }
    }
    assert_eq!(borders, 2);
}

#[test]
fn ignores_what_crosses_and_nothing_far() {
    let Scene { primitives, x, .. } = crossing();
    let mut exact = Exact::new(&primitives);
    exact.test(&primitives, &x);
    let mut tangle = Tangle { count: 1, sides: sides(&primitives), ..Tangle::default() };
    exact.crossings.iter().for_each(|crossing| tangle.ignore(&primitives, crossing));
    tangle.ignored.sort_unstable();
    assert!(exact.crossings.iter().all(|crossing| tangle.excuses(&primitives, crossing)));
    for pair in tangle.ignored.iter().map(|&key| primitives.unclipped(key)) {
        let [a, b] = [pair.a()[0], pair.b()[0]].map(|i| primitives.owner[i as usize]);
        assert_ne!(a, b);
        assert!(pair.closest(&x).distance < 0.2);
    }
    // An edge at the far end of the sheet that stands.
    let far = primitives.edges.iter().position(|e| e.iter().all(|&i| x[i as usize].y > 0.3)).unwrap();
    assert!(!tangle.excuses(&primitives, &Crossing { edge: far as u32, triangle: 0 }));
    tangle.clear();
    assert!(!tangle.any() && tangle.ignored.is_empty());
}
