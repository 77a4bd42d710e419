//! The order in which unknowns are eliminated: nested dissection by places \[george1973\].
//!
//! Vertices are halved along the longest side of their box, again and again; those of one half that touch the other separate them and come last. Flesh is a volume of an even grain, where this
//! leaves a smaller factor than minimum degree.

use glam::DVec3;

/// Parts of so few vertices are not halved.
const LEAF: usize = 16;

/// The order of vertices with these places, where `neighbours` lists those that are joined with each.
pub(super) fn dissection(points: &[DVec3], neighbours: &[Vec<u32>]) -> Vec<u32> {
    let mut order = Vec::with_capacity(points.len());
    // Which part each vertex is in now.
    let mut part = vec![0_u32; points.len()];
    let mut parts = 0;
    halve(
        &mut (0..points.len() as u32).collect::<Vec<_>>(),
        points,
        neighbours,
        (&mut part, &mut parts),
        &mut order,
    );
    order
}

fn halve(
    list: &mut [u32],
    points: &[DVec3],
    neighbours: &[Vec<u32>],
    (part, parts): (&mut [u32], &mut u32),
    order: &mut Vec<u32>,
) {
    if list.len() <= LEAF {
        order.extend_from_slice(list);
        return;
    }
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = list
        .iter()
        .fold(start, |(low, high), &v| (low.min(points[v as usize]), high.max(points[v as usize])));
    let axis = (high - low).max_position();
    list.sort_unstable_by(|&a, &b| {
        points[a as usize][axis].total_cmp(&points[b as usize][axis]).then(a.cmp(&b))
    });
    let (left, right) = list.split_at_mut(list.len() / 2);
    *parts += 2;
    let [l, r] = [*parts - 1, *parts];
    left.iter().for_each(|&v| part[v as usize] = l);
    right.iter().for_each(|&v| part[v as usize] = r);
    let touches =
        |v: u32, other: u32, part: &[u32]| neighbours[v as usize].iter().any(|&w| part[w as usize] == other);
    let count = |side: &[u32], other: u32| side.iter().filter(|&&v| touches(v, other, part)).count();
    // The side with fewer vertices at the border gives the separator.
    let (inner, whole, other) =
        if count(left, r) <= count(right, l) { (left, right, r) } else { (right, left, l) };
    let (separator, mut rest): (Vec<u32>, Vec<u32>) = inner.iter().partition(|&&v| touches(v, other, part));
    separator.iter().for_each(|&v| part[v as usize] = 0);
    halve(&mut rest, points, neighbours, (part, parts), order);
    halve(whole, points, neighbours, (part, parts), order);
    order.extend(separator);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_eliminated_once_and_separators_last() {
        // A row of 100 vertices: the one in the middle comes last.
        let points: Vec<DVec3> = (0..100).map(|k| DVec3::new(f64::from(k), 0.0, 0.0)).collect();
        let neighbours: Vec<Vec<u32>> = (0..100_u32)
            .map(|k| [k.checked_sub(1), (k < 99).then_some(k + 1)].into_iter().flatten().collect())
            .collect();
        let order = dissection(&points, &neighbours);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
        assert!((49..51).contains(&order[99]));
    }
}
