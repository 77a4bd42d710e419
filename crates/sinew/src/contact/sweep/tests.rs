use super::*;
use crate::contact::testing::{Random, Scene};
use std::time::Instant;

const D: f64 = 0.01;

/// Every pair that may come within reach, one by one.
fn one_by_one(p: &Primitives, x: &[DVec3], e: &[DVec3], reach: f64) -> Vec<PairKey> {
    let mut keys = Vec::new();
    for &a in &p.points {
        keys.extend((0..p.triangles.len()).map(|b| PairKey {
            kind: PairKind::VertexTriangle,
            a,
            b: b as u32,
        }));
    }
    for a in 0..p.edges.len() as u32 {
        keys.extend((a + 1..p.edges.len() as u32).map(|b| PairKey { kind: PairKind::EdgeEdge, a, b }));
    }
    for &a in &p.points {
        keys.extend((0..p.planes.len()).map(|b| PairKey { kind: PairKind::VertexPlane, a, b: b as u32 }));
    }
    keys.retain(|&key| {
        let pair = p.pair(key);
        let around = |places: &[u32]| {
            let places = places.iter().flat_map(|&i| [x[i as usize], e[i as usize]]);
            places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)))
        };
        let ((la, ha), (lb, hb)) = (around(pair.a()), around(pair.b()));
        let gap = match key.kind {
            PairKind::VertexPlane => {
                let h = |i: u32| [x[i as usize], e[i as usize]].map(|x| pair.normal.dot(x));
                let (v, o) = (h(pair.places[0]), h(pair.places[1]));
                v[0].min(v[1]) - o[0].max(o[1])
            }
            _ => (la - hb).max(lb - ha).max_element(),
        };
        let own = p.owner[pair.places[0] as usize] == p.owner[pair.places[3] as usize];
        let reach = if own && reach.is_finite() { reach.min(OWN_REACH) } else { reach };
        let (from, to) = (pair.points(x), pair.points(e));
        let moves = apart(pair.key.kind, &std::array::from_fn(|k| to[k] - from[k]));
        let nearest = pair.closest(x).distance - pair.radius - moves;
        let along = std::array::from_fn(|k| to[k] - from[k]);
        let planar = stays_apart(pair.key.kind, &from, &along) - pair.radius;
        let within =
            gap <= reach * pair.distance + pair.radius && nearest.max(planar) <= reach * pair.distance;
        p.may_meet(pair.a(), pair.b()) && !p.touch_at_rest(&pair) && within
    });
    keys.sort();
    keys
}

fn mixed() -> Scene {
    Scene::new(D)
        .cloth(9, 0.5, DVec3::ZERO, DVec3::X, DVec3::Z)
        .cloth(7, 0.4, DVec3::Y * 0.1, DVec3::X, DVec3::Z)
        .rope(12, DVec3::new(-0.3, 0.05, 0.0), DVec3::new(0.3, 0.06, 0.1))
        .cuboid(DVec3::new(0.0, -0.1, 0.0), DVec3::splat(0.05))
        .round(&[DVec3::new(0.2, 0.05, 0.2)], 0.04)
        .round(&[DVec3::new(-0.2, 0.05, 0.2), DVec3::new(-0.1, 0.05, -0.2)], 0.03)
        .plane(DVec3::Y * -0.2, DVec3::Y)
}

#[test]
fn finds_the_same_pairs_as_one_by_one() {
    let mut random = Random(3);
    for case in 0..40 {
        let Scene { mut primitives, x, .. } = mixed();
        (primitives.own, primitives.between) = (case % 3 != 1, case % 3 != 2);
        let amplitude = [0.001, 0.01, 0.05][random.below(3)];
        let x: Vec<DVec3> = x.iter().map(|x| *x + random.vector() * 0.02).collect();
        let mut e: Vec<DVec3> = x.iter().map(|x| *x + random.vector() * amplitude).collect();
        if case % 4 == 0 {
            e.clone_from(&x);
        }
        let mut sweep = Sweep::new(&primitives);
        let mut found = Vec::new();
        for reach in [2.0, 0.5] {
            sweep.reach = reach;
            // Again with the same buffers.
            for _ in 0..2 {
                assert_eq!(sweep.find(&primitives, &x, &e, Times::Single, &mut found), Ok(()));
            }
            let keys: Vec<PairKey> = found.iter().map(|pair| pair.key).collect();
            assert!(keys.is_sorted());
            let expected = one_by_one(&primitives, &x, &e, reach);
            for key in &expected {
                assert!(
                    keys.binary_search(key).is_ok(),
                    "{case}: {key:?} is missing, {:?}",
                    primitives.pair(*key)
                );
            }
            for pair in &found {
                let (from, to) = (pair.points(&x), pair.points(&e));
                let moves = apart(pair.key.kind, &std::array::from_fn(|k| to[k] - from[k]));
                let nearest = pair.closest(&x).distance - pair.radius - moves;
                assert!(nearest <= reach * pair.distance * (1.0 + 1e-9), "{case}: a pair too many");
            }
            for pair in &found {
                assert_eq!(pair.distance, primitives.pair(pair.key).distance);
            }
            // More rounding far from the origin must not lose any.
            let far = DVec3::new(1e4, -1e5, 300.0);
            let (x, e): (Vec<_>, Vec<_>) =
                (x.iter().map(|x| *x + far).collect(), e.iter().map(|e| *e + far).collect());
            assert_eq!(sweep.find(&primitives, &x, &e, Times::Single, &mut found), Ok(()));
            let expected = one_by_one(&primitives, &x, &e, reach);
            let keys: Vec<PairKey> = found.iter().map(|pair| pair.key).collect();
            assert!(
                expected.iter().all(|key| keys.binary_search(key).is_ok()),
                "{case}: a pair is missing far away"
            );
        }
    }
}

/// Whatever times the places of a pair stop at, one that is not listed stays out of reach.
#[test]
fn what_is_left_out_stays_out_of_reach() {
    let mut random = Random(11);
    let Scene { primitives, x, .. } = mixed();
    let mut sweep = Sweep::new(&primitives);
    let mut found = Vec::new();
    for _ in 0..10 {
        let e: Vec<DVec3> = x.iter().map(|x| *x + random.vector() * 0.1).collect();
        assert_eq!(sweep.find(&primitives, &x, &e, Times::Single, &mut found), Ok(()));
        let listed: Vec<PairKey> = found.iter().map(|pair| pair.key).collect();
        let all = one_by_one(&primitives, &x, &x, f64::INFINITY);
        for _ in 0..20 {
            let way = |i: usize, t: f64| x[i] + (e[i] - x[i]) * t;
            let at: Vec<DVec3> = (0..x.len()).map(|i| way(i, random.unsigned())).collect();
            for key in all.iter().filter(|key| listed.binary_search(key).is_err()) {
                let pair = primitives.pair(*key);
                let s = pair.closest(&at).distance - pair.radius;
                let own =
                    primitives.owner[pair.places[0] as usize] == primitives.owner[pair.places[3] as usize];
                let reach = if own { OWN_REACH } else { sweep.reach };
                assert!(s > reach * pair.distance, "{key:?} comes as near as {s}");
            }
        }
    }
}

#[test]
fn what_is_not_a_number_is_left_out() {
    let Scene { primitives, mut x, .. } = mixed();
    let mut e = x.clone();
    x[3] = DVec3::new(0.0, f64::NAN, 0.0);
    e[40] = DVec3::INFINITY;
    e[41] = DVec3::splat(1e200);
    let last = x.len() - 1;
    let mut sweep = Sweep::new(&primitives);
    let mut found = Vec::new();
    assert_eq!(sweep.find(&primitives, &x, &e, Times::Single, &mut found), Ok(()));
    assert!(
        !found.is_empty() && found.iter().all(|pair| pair.places.iter().all(|i| ![3, 40, 41].contains(i)))
    );
    e[last].y = f64::NAN;
    assert_eq!(sweep.find(&primitives, &x, &e, Times::Single, &mut found), Ok(()));
    assert!(found.iter().all(|pair| pair.key.kind != PairKind::VertexPlane));
}

#[test]
fn a_crowd_is_refused_on_any_number_of_threads() {
    let Scene { primitives, x, .. } = Scene::new(D).cloth(61, 1.0, DVec3::ZERO, DVec3::X, DVec3::Z);
    let mut random = Random(5);
    let e: Vec<DVec3> = x.iter().map(|_| random.vector() * 10.0).collect();
    let mut sweep = Sweep::new(&primitives);
    let mut found = Vec::new();
    assert_eq!(sweep.find(&primitives, &x, &e, Times::Single, &mut found), Err(TooMany));
    assert!(found.is_empty());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    assert_eq!(pool.install(|| sweep.find(&primitives, &x, &e, Times::Single, &mut found)), Err(TooMany));
    // A short way is not refused, and the same on two threads.
    let e: Vec<DVec3> = x.iter().zip(&e).map(|(x, e)| x.lerp(*e, 1e-3)).collect();
    assert_eq!(sweep.find(&primitives, &x, &e, Times::Single, &mut found), Ok(()));
    let mut again = Vec::new();
    assert_eq!(pool.install(|| sweep.find(&primitives, &x, &e, Times::Single, &mut again)), Ok(()));
    let keys =
        |pairs: &[Pair]| pairs.iter().map(|pair| (pair.key, pair.distance.to_bits())).collect::<Vec<_>>();
    assert_eq!(keys(&found), keys(&again));
}

#[test]
fn with_common_times_what_a_body_does_as_a_whole_does_not_matter() {
    let Scene { primitives, x, .. } = Scene::new(D)
        .cloth(9, 0.2, DVec3::ZERO, DVec3::X, DVec3::Z)
        .cloth(9, 0.2, DVec3::X, DVec3::X, DVec3::Z)
        .plane(DVec3::Y * -0.03, DVec3::Y);
    let e: Vec<DVec3> = x.iter().map(|x| *x + DVec3::new(0.1, -0.05, 0.1)).collect();
    let mut sweep = Sweep::new(&primitives);
    let mut found = Vec::new();
    assert_eq!(sweep.find(&primitives, &x, &e, Times::Common, &mut found), Ok(()));
    assert!(
        !found.is_empty() && found.iter().all(|pair| pair.key.kind == PairKind::VertexPlane),
        "{}",
        found.len()
    );
    assert_eq!(sweep.find(&primitives, &x, &e, Times::Single, &mut found), Ok(()));
    assert!(found.iter().any(|pair| pair.key.kind == PairKind::EdgeEdge));
}

#[test]
fn times() {
    use crate::contact::filter::{Filter, Floor};
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    for (n, d, fall) in [(61, 0.005, 0.001), (61, 0.005, 0.03), (142, 0.003, 0.03)] {
        let scene =
            Scene::new(d).cloth(n, 1.0, DVec3::ZERO, DVec3::X, DVec3::Z).round(&[DVec3::Y * -0.3], 0.29);
        let Scene { primitives, x, .. } = scene;
        let e: Vec<DVec3> = x.iter().map(|x| *x + DVec3::Y * -fall).collect();
        let (mut sweep, mut filter) = (Sweep::new(&primitives), Filter::default());
        let mut found = Vec::new();
        for times in [Times::Single, Times::Common] {
            let mut measure = || {
                let (mut search, mut advance) = (f64::INFINITY, f64::INFINITY);
                for _ in 0..3 {
                    let mut x = x.clone();
                    let start = Instant::now();
                    sweep.find(&primitives, &x, &e, times, &mut found).expect("calm");
                    let between = Instant::now();
                    filter.together(&primitives, &found, Floor::Share(0.1), &mut x, &e);
                    search = search.min((between - start).as_secs_f64() * 1e3);
                    advance = advance.min(between.elapsed().as_secs_f64() * 1e3);
                }
                (search, advance)
            };
            let ((one, filter_one), (two, filter_two)) = (measure(), pool.install(&mut measure));
            println!(
                "{n}² d {d} fall {fall} {times:?}, ms on 1 and 2 threads: search {one:.1} {two:.1}, together {filter_one:.1} {filter_two:.1}, {} pairs",
                found.len()
            );
        }
    }
}
