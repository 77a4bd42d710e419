//! The global solve: our kernel compared with faer on the same factor, and with the bandwidth of streaming the factor.

use super::{CELLS_5K, CELLS_30K, H, cells};
use crate::bodies::{Noise, cube};
use crate::catalogue::Options;
use crate::error::BenchError;
use crate::machine::{Bandwidth, peak_flops};
use crate::record::{Bound, Detail, Record, Table, number};
use crate::rounds::{Plan, side_by_side, timed};
use glam::DVec3;
use sinew::measure::GlobalSolve;
use sinew::roofline;
use std::hint::black_box;

/// The solve for 4,913 vertices.
pub fn solve_5k(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let cells = cells(CELLS_5K, options.quick);
    let Measured { record, faster, .. } = measure(id, cells, options, progress)?;
    Ok(record.detail(Detail::bounded("ratio to faer", faster, "", Bound::AtLeast(2.0))))
}

/// The solve for 29,791 vertices.
pub fn solve_30k(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let cells = cells(CELLS_30K, options.quick);
    let Measured { record, faster, over_bound } = measure(id, cells, options, progress)?;
    Ok(record
        .detail(Detail::bounded("ratio to faer", faster, "", Bound::AtLeast(1.3)))
        .detail(Detail::bounded("time over the bandwidth bound", over_bound, "", Bound::AtMost(2.0))))
}

struct Measured {
    record: Record,
    faster: f64,
    over_bound: f64,
}

fn measure(
    id: &'static str,
    cells: usize,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Measured, BenchError> {
    let model = cube(cells, false)?;
    progress(&format!("factors the matrix of {} vertices", model.vertex_count()));
    let mut solve = GlobalSolve::new(&model, H).map_err(|error| BenchError::CannotRun(error.to_string()))?;
    let solve_entries = solve.factor_entries();
    let (bytes, flops, entries) = (solve.bytes() as f64, solve.flops() as f64, solve_entries as f64);

    let mut noise = Noise::new(3);
    let right: Vec<DVec3> = (0..solve.vertices()).map(|_| noise.vector()).collect();
    let mut x = right.clone();
    let [mut ours, mut single, mut theirs] = [const { Vec::new() }; 3];
    let mut once = |which: Which, keep: &mut Vec<DVec3>| {
        x.copy_from_slice(&right);
        let time = timed(|| match which {
            Which::Ours => solve.ours(black_box(&mut x)),
            Which::OursF32 => solve.ours_f32(black_box(&mut x)),
            Which::Faer => solve.faer(black_box(&mut x)),
        });
        keep.clone_from(&x);
        time
    };
    progress("solves three right-hand sides, ours and faer's in turn");
    let once = std::cell::RefCell::new(&mut once);
    let block = vec![1.0; solve_entries];
    let samples = side_by_side(
        Plan::kernel(options.quick),
        &mut [
            &mut || (once.borrow_mut())(Which::Ours, &mut ours),
            &mut || (once.borrow_mut())(Which::Faer, &mut theirs),
            &mut || (once.borrow_mut())(Which::OursF32, &mut single),
            // The bound: the bytes of the factor, streamed forwards and backwards like it, in the same rounds.
            &mut || {
                timed(|| _ = black_box(roofline::sum(black_box(&block)) + roofline::sum(black_box(&block))))
            },
        ],
    );
    progress("measures bandwidth and peak");
    // A solve reads the factor twice; what may stay in a cache in between is the factor itself.
    let near = Bandwidth::measure(8.0 * entries, options.quick);
    let far = Bandwidth::of_memory(options.quick);
    let peak = peak_flops(options.quick);
    let [time, faer, time_f32] = [samples[0].median(), samples[1].median(), samples[2].median()];
    let stream = samples[3].median() * bytes / (16.0 * entries);
    let bound = stream.max(flops / peak);
    let over_bound = time / bound;

    let mut table = Table::new(
        format!("Global solve, {} vertices, {} M entries", solve.vertices(), number(entries / 1e6)),
        &["", "ms", "GB/s", "GFLOP/s", "over the bound"],
    );
    let mut row = |name: &str, time: f64, bytes: f64, share: Option<f64>| {
        let over = share.map_or_else(|| "–".into(), number);
        table.rows.push(vec![
            name.into(),
            number(1e3 * time),
            number(bytes / time / 1e9),
            number(flops / time / 1e9),
            over,
        ]);
    };
    row("Sinew, f64", time, bytes, Some(over_bound));
    row("Sinew, f32 factor", time_f32, 0.5 * bytes, Some(time_f32 / (0.5 * stream)));
    row("faer", faer, bytes, Some(faer / bound));
    row("bound: streaming a block of the factor's size", bound, bytes, Some(1.0));
    row("the same from memory", bytes / far.best(), bytes, None);

    let ms = samples[0].scaled(1e3);
    let record = Record::new(id, &ms, "ms")
        .against("faer's solve with the same factor", &samples[1].scaled(1e3))
        .detail(Detail::new("bytes read", bytes / 1e6, "MB"))
        .detail(Detail::new("floating-point operations", flops / 1e6, "M"))
        .detail(Detail::new("read bandwidth at the factor's size", near.read / 1e9, "GB/s"))
        .detail(Detail::new("triad bandwidth at the factor's size", near.triad / 1e9, "GB/s"))
        .detail(Detail::new("read bandwidth of memory", far.read / 1e9, "GB/s"))
        .detail(Detail::new("triad bandwidth of memory", far.triad / 1e9, "GB/s"))
        .detail(Detail::new("peak", peak / 1e9, "GFLOP/s"))
        .detail(Detail::new("over the bandwidth bound", over_bound, ""))
        .detail(Detail::new("f32 against f64", time / time_f32, ""))
        .detail(Detail::new("ratio of the best times", samples[1].best() / samples[0].best(), ""))
        .detail(Detail::bounded("difference to faer", difference(&ours, &theirs), "", Bound::AtMost(1e-9)))
        .detail(Detail::new("difference of f32", difference(&single, &theirs), ""))
        .table(table)
        .note("one thread; three right-hand sides at once");
    Ok(Measured { record, faster: faer / time, over_bound })
}

#[derive(Clone, Copy)]
enum Which {
    Ours,
    OursF32,
    Faer,
}

/// ‖a − b‖∞ / ‖b‖∞.
fn difference(a: &[DVec3], b: &[DVec3]) -> f64 {
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let error = largest(&mut a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element()));
    error / largest(&mut b.iter().map(|b| b.abs().max_element()))
}
