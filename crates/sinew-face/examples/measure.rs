//! Scratch.
use glam::DVec3;
use sinew_face::perform::{Performance, ict::*, mouth};
use sinew_face::{Model, Patch, Ridge, evaluate, positions::PositionModel, suggest};
use std::sync::Arc;
fn main() {
    let dir = std::path::PathBuf::from(std::env::var("SINEW_DATA").unwrap()).join("face");
    let what = std::env::args().nth(1).unwrap_or("speech".into());
    let seed: u64 = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(1);
    let p = if what == "mouth" {
        mouth::perform(&mouth::MouthOptions { frames: 300, seed, ..Default::default() })
    } else {
        let repertoire = if what == "rich" { Repertoire::Rich } else { Repertoire::Speech };
        let performer = IctPerformer::load(&dir, &IctOptions { repertoire, frames: 300, seed }).unwrap();
        Performance::of(&performer)
    };
    report(&p);
}
fn report(p: &Performance) {
    let patch = Arc::new(Patch::new(&p.neutral, &p.triangles, p.regions.clone()).unwrap());
    println!(
        "V {} regions {} {} triangles {:?}",
        p.neutral.len(),
        p.regions.mouth.len(),
        p.regions.inner.len(),
        patch.triangle_counts()
    );
    let err = |a: &Vec<DVec3>, k: usize| 10.0 * evaluate::frame_error(a, &p.truth[k], &p.regions.inner).mean;
    let n = p.truth.len();
    let good = p.good.iter().filter(|g| **g).count();
    let cap: Vec<f64> = (0..n).map(|k| err(&p.captured[k], k)).collect();
    println!(
        "good {good}, capture mean {:.3} mm, p95 {:.3}",
        cap.iter().sum::<f64>() / n as f64,
        evaluate::percentile(&cap, 0.95)
    );
    let chosen = suggest(&patch, None, &p.captured, 20).unwrap();
    println!("{:?}", chosen.iter().map(|s| s.frame).collect::<Vec<_>>());
    for k in [2, 4, 6, 8, 10, 12, 15, 20] {
        if k > chosen.len() {
            break;
        }
        let frames: Vec<usize> = chosen[..k].iter().map(|s| s.frame).collect();
        let mut model = Model::new(patch.clone(), Ridge::None);
        frames.iter().for_each(|&f| model.add("x", &p.truth[f]).unwrap());
        let pos =
            PositionModel::train(&patch, &frames.iter().map(|&f| p.truth[f].clone()).collect::<Vec<_>>())
                .unwrap();
        let (mut e, mut c, mut q, mut gd, mut worse, mut bad) =
            (vec![], vec![], vec![], vec![], [0; 4], [0; 4]);
        for f in (0..n).filter(|f| !frames.contains(f)) {
            let mut out = p.captured[f].clone();
            model.apply("x", &mut out).unwrap();
            let x = err(&out, f);
            e.push(x);
            c.push(cap[f]);
            if p.good[f] {
                gd.push(x)
            } else {
                for (i, lim) in [0.0, 0.1, 0.2, 0.3].iter().enumerate() {
                    if cap[f] > *lim {
                        bad[i] += 1;
                        if x > cap[f] {
                            worse[i] += 1
                        }
                    }
                }
            }
            let mut out = p.captured[f].clone();
            pos.apply(&mut out).unwrap();
            q.push(err(&out, f));
        }
        let m = |v: &[f64]| v.iter().sum::<f64>() / v.len().max(1) as f64;
        println!(
            "k {k:2}: ratio {:.3} pos {:.3}; mean {:.3} p95 {:.3} worst {:.3}; good mean {:.3} worst {:.3}; worse {worse:?}/{bad:?}",
            m(&e) / m(&c),
            m(&q) / m(&c),
            m(&e),
            evaluate::percentile(&e, 0.95),
            evaluate::percentile(&e, 1.0),
            m(&gd),
            evaluate::percentile(&gd, 1.0)
        );
    }
}
