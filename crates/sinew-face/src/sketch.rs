//! A contour drawn over the image of a frame moves the lip line in space, and the flesh around it follows smoothly.
//!
//! The lip line runs along edges through given landmarks. A vertex at share s of the line's length goes to the ray through the contour's point at the
//! same share, at its own depth: it moves parallel to the image. The displacements d of the region minimise Σ ‖Δd‖² with d given on the line and zero
//! outside (Laplacian editing, Δ the graph Laplacian): details of the surface are kept, and the region joins its surroundings smoothly.

use crate::error::FaceError;
use crate::geodesic::{adjacency, shortest_path};
use crate::poisson::Factor;
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// The camera of an image: where it is, where it looks, and the size of the image in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageCamera {
    /// Position of the eye.
    pub eye: DVec3,
    /// The point in the middle of the image.
    pub look_at: DVec3,
    /// Which way is up.
    pub up: DVec3,
    /// Vertical field of view, degrees.
    pub fov_degrees: f64,
    /// Width and height of the image, pixels.
    pub size: (f64, f64),
}

/// A camera with its axes.
struct View {
    eye: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// Size of a pixel at depth 1.
    pixel: f64,
    size: DVec2,
}

impl ImageCamera {
    fn view(&self) -> Result<View, FaceError> {
        let refuse = |what: &str| FaceError::Sketch(format!("the camera cannot be used: {what}"));
        let forward = (self.look_at - self.eye).try_normalize();
        let forward = forward.ok_or_else(|| refuse("it stands where it looks"))?;
        let right = forward.cross(self.up).try_normalize();
        let right = right.ok_or_else(|| refuse("it looks along its up direction"))?;
        if !(self.fov_degrees > 0.0 && self.fov_degrees < 180.0) {
            return Err(refuse("its field of view does not lie between 0 and 180 degrees"));
        }
        if !(self.size.0 >= 1.0 && self.size.1 >= 1.0) {
            return Err(refuse("its image has no pixels"));
        }
        let pixel = 2.0 * (self.fov_degrees.to_radians() / 2.0).tan() / self.size.1;
        let size = DVec2::new(self.size.0, self.size.1);
        Ok(View { eye: self.eye, right, up: right.cross(forward), forward, pixel, size })
    }

    /// Where a point is seen, pixels from the top left; `None` behind the camera.
    ///
    /// # Errors
    /// [`FaceError::Sketch`] if the camera cannot be used.
    pub fn project(&self, p: DVec3) -> Result<Option<DVec2>, FaceError> {
        Ok(self.view()?.project(p))
    }
}

impl View {
    fn project(&self, p: DVec3) -> Option<DVec2> {
        let q = p - self.eye;
        let depth = q.dot(self.forward);
        let at = DVec2::new(q.dot(self.right), -q.dot(self.up)) / (depth * self.pixel);
        (depth > 0.0).then(|| at + 0.5 * self.size)
    }

    /// The point at a pixel that has the depth of `p`.
    fn at_depth_of(&self, pixel: DVec2, p: DVec3) -> DVec3 {
        let depth = (p - self.eye).dot(self.forward);
        let at = (pixel - 0.5 * self.size) * self.pixel * depth;
        self.eye + self.forward * depth + self.right * at.x - self.up * at.y
    }
}

/// What was moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketched {
    /// Vertices of the lip line.
    pub line: Vec<u32>,
    /// Vertices that moved.
    pub moved: Vec<u32>,
    /// Largest displacement.
    pub largest: f64,
}

/// Moves the lip line through `landmarks` to `contour` (pixels, in the same direction as the landmarks), and the vertices of `region` with it.
///
/// # Errors
/// [`FaceError::Sketch`] if camera, contour or landmarks cannot be used.
pub fn sketch(
    points: &mut [DVec3],
    triangles: &[[u32; 3]],
    region: &[u32],
    landmarks: &[u32],
    camera: &ImageCamera,
    contour: &[DVec2],
) -> Result<Sketched, FaceError> {
    crate::patch::check_finite("the frame", points)?;
    let line = lip_line(points, triangles, region, landmarks)?;
    bend(points, triangles, region, line, camera, contour)
}

/// The lip line through landmarks: vertices of the region, along edges, from the first landmark to the last.
///
/// # Errors
/// [`FaceError::Sketch`] if there are fewer than two landmarks, one does not exist, or the line leaves the region.
pub fn lip_line(
    points: &[DVec3],
    triangles: &[[u32; 3]],
    region: &[u32],
    landmarks: &[u32],
) -> Result<Vec<u32>, FaceError> {
    let refuse = |what: String| Err(FaceError::Sketch(what));
    if landmarks.len() < 2 {
        return refuse("the lip line needs at least two landmarks".into());
    }
    let n = points.len();
    if let Some(v) = landmarks.iter().chain(region).find(|&&v| v as usize >= n) {
        return refuse(format!("vertex {v} does not exist: the frame has {n} vertices"));
    }
    let edges = adjacency(points, triangles);
    let mut line = vec![landmarks[0]];
    for pair in landmarks.windows(2) {
        let mut way = shortest_path(&edges, n, pair[0], pair[1]);
        way.dedup();
        way.reverse();
        line.extend(way.into_iter().skip(1));
    }
    let region: BTreeSet<u32> = region.iter().copied().collect();
    if let Some(v) = line.iter().find(|v| !region.contains(v)) {
        return refuse(format!("the lip line leaves the region at vertex {v}"));
    }
    let is_edge = |a: u32, b: u32| edges.get(&a).is_some_and(|list| list.iter().any(|&(v, _)| v == b));
    if let Some(pair) = line.windows(2).find(|pair| !is_edge(pair[0], pair[1])) {
        return refuse(format!(
            "no way along edges connects the vertices {} and {} of the lip line",
            pair[0], pair[1]
        ));
    }
    Ok(line)
}

/// Moves a lip line, vertices of the region, to `contour` (pixels, in the same direction), and the vertices of `region` with it.
///
/// # Errors
/// [`FaceError::Sketch`] if camera, contour or line cannot be used.
pub fn bend(
    points: &mut [DVec3],
    triangles: &[[u32; 3]],
    region: &[u32],
    line: Vec<u32>,
    camera: &ImageCamera,
    contour: &[DVec2],
) -> Result<Sketched, FaceError> {
    let refuse = |what: &str| Err(FaceError::Sketch(what.into()));
    if contour.len() < 2 || contour.iter().any(|p| !p.is_finite()) {
        return refuse("a contour needs at least two points, x and y in pixels");
    }
    let n = points.len();
    if line.len() < 2 || line.iter().chain(region).any(|&v| v as usize >= n) {
        return refuse("the lip line does not fit the frame");
    }
    let view = camera.view()?;
    let region: BTreeSet<u32> = region.iter().copied().collect();
    let seen: Option<Vec<DVec2>> = line.iter().map(|&v| view.project(points[v as usize])).collect();
    let Some(seen) = seen else { return refuse("a part of the lip line is behind the camera") };
    let targets = along(contour, &shares(&seen));
    let fixed: BTreeMap<u32, DVec3> = (line.iter().zip(targets))
        .map(|(&v, pixel)| (v, view.at_depth_of(pixel, points[v as usize]) - points[v as usize]))
        .collect();
    let moved = follow(triangles, &region, &fixed)?;
    let largest = moved.values().map(|d| d.length()).fold(0.0, f64::max);
    moved.iter().for_each(|(&v, &d)| points[v as usize] += d);
    Ok(Sketched { line, moved: moved.into_keys().collect(), largest })
}

/// The share of the length at each point of a polyline.
fn shares(line: &[DVec2]) -> Vec<f64> {
    let mut length = vec![0.0];
    line.windows(2).for_each(|p| length.push(length.last().copied().unwrap_or(0.0) + p[0].distance(p[1])));
    let whole = length.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    length.iter().map(|l| l / whole).collect()
}

/// Points of a polyline at shares of its length.
fn along(line: &[DVec2], at: &[f64]) -> Vec<DVec2> {
    let own = shares(line);
    let one = |&s: &f64| {
        let next = own.partition_point(|&o| o < s).clamp(1, line.len() - 1);
        let (a, b) = (own[next - 1], own[next]);
        let t = if b > a { ((s - a) / (b - a)).clamp(0.0, 1.0) } else { 0.0 };
        line[next - 1].lerp(line[next], t)
    };
    at.iter().map(one).collect()
}

/// Displacements of the region: given ones, and those that bend least between them and the fixed surroundings.
fn follow(
    triangles: &[[u32; 3]],
    region: &BTreeSet<u32>,
    given: &BTreeMap<u32, DVec3>,
) -> Result<BTreeMap<u32, DVec3>, FaceError> {
    let mut neighbours: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for t in triangles {
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            neighbours.entry(a).or_default().insert(b);
            neighbours.entry(b).or_default().insert(a);
        }
    }
    let free: Vec<u32> = region.iter().copied().filter(|v| !given.contains_key(v)).collect();
    let row: BTreeMap<u32, u32> = free.iter().enumerate().map(|(k, &v)| (v, k as u32)).collect();
    let (mut matrix, mut rhs) = (BTreeMap::new(), vec![DVec3::ZERO; free.len()]);
    // One term ‖Σ_j (d_i − d_j)/n‖² for each vertex of the region and each neighbour of it.
    let mut rows: BTreeSet<u32> = region.clone();
    region.iter().filter_map(|v| neighbours.get(v)).for_each(|list| rows.extend(list));
    for i in rows {
        let Some(list) = neighbours.get(&i) else { continue };
        let w = -1.0 / list.len() as f64;
        let terms: Vec<(u32, f64)> = std::iter::once((i, 1.0)).chain(list.iter().map(|&j| (j, w))).collect();
        let known: DVec3 = terms.iter().filter_map(|(v, c)| given.get(v).map(|&d| d * *c)).sum();
        for &(v, c) in &terms {
            let Some(&r) = row.get(&v) else { continue };
            rhs[r as usize] -= known * c;
            for &(u, e) in &terms {
                if let Some(&q) = row.get(&u).filter(|&&q| q <= r) {
                    *matrix.entry((r, q)).or_insert(0.0) += c * e;
                }
            }
        }
    }
    let mut all = given.clone();
    if !free.is_empty() {
        let factor = Factor::new(free.len(), &matrix);
        let factor = factor.ok_or_else(|| {
            FaceError::Sketch("the region around the lip line touches nothing that stays in place".into())
        })?;
        factor.solve(&mut rhs);
        all.extend(free.iter().copied().zip(rhs));
    }
    Ok(all)
}
