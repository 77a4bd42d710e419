// What is under the pointer: a point of a surface, a vertex of springs, the target of an attachment.

import { Vector3 } from 'three';
import { vec3 } from '../protocol/decode';
import type { Vec3 } from '../protocol/messages';
import type { Stage } from '../view/stage';

export interface Hit {
  variant: number;
  corners: Vec3;
  weights: Vec3;
  point: Vector3;
  distance: number;
  /** The corner next to the point. */
  nearest: number;
}

/** The nearest triangle that the ray meets, from either side (Möller and Trumbore's test, written out). */
function triangleUnder(positions: Float32Array, triangles: Uint32Array, o: Vector3, d: Vector3): { t: number; u: number; v: number; at: number } | null {
  let best = Infinity;
  let bestU = 0;
  let bestV = 0;
  let bestAt = -1;
  for (let i = 0; i < triangles.length; i += 3) {
    const a = triangles[i] * 3;
    const b = triangles[i + 1] * 3;
    const c = triangles[i + 2] * 3;
    const ax = positions[a];
    const ay = positions[a + 1];
    const az = positions[a + 2];
    const e1x = positions[b] - ax;
    const e1y = positions[b + 1] - ay;
    const e1z = positions[b + 2] - az;
    const e2x = positions[c] - ax;
    const e2y = positions[c + 1] - ay;
    const e2z = positions[c + 2] - az;
    const px = d.y * e2z - d.z * e2y;
    const py = d.z * e2x - d.x * e2z;
    const pz = d.x * e2y - d.y * e2x;
    const det = e1x * px + e1y * py + e1z * pz;
    if (det === 0) continue;
    const inv = 1 / det;
    const sx = o.x - ax;
    const sy = o.y - ay;
    const sz = o.z - az;
    const u = (sx * px + sy * py + sz * pz) * inv;
    if (!(u >= 0 && u <= 1)) continue;
    const qx = sy * e1z - sz * e1y;
    const qy = sz * e1x - sx * e1z;
    const qz = sx * e1y - sy * e1x;
    const v = (d.x * qx + d.y * qy + d.z * qz) * inv;
    if (!(v >= 0 && u + v <= 1)) continue;
    const t = (e2x * qx + e2y * qy + e2z * qz) * inv;
    if (t > 0 && t < best) {
      best = t;
      bestU = u;
      bestV = v;
      bestAt = i;
    }
  }
  return bestAt < 0 ? null : { t: best, u: bestU, v: bestV, at: bestAt };
}

/** Of the given points (all: the first so many) the number of the one next to a place on the page, within `reach` pixels. */
export function nearestOnPage(stage: Stage, variant: number, points: Float32Array, which: ArrayLike<number> | number, x: number, y: number, reach: number): number {
  let best = reach;
  let found = -1;
  const project = stage.projector(variant);
  const count = typeof which === 'number' ? which : which.length;
  for (let i = 0; i < count; i++) {
    const seen = project(points, (typeof which === 'number' ? i : which[i]) * 3);
    if (!seen) continue;
    const apart = Math.hypot(seen[0] - x, seen[1] - y);
    if (apart < best) {
      best = apart;
      found = i;
    }
  }
  return found;
}

/**
 * The point of a body under the pointer: of a surface, else a vertex of springs within `reach` pixels, else (with `near`) a
 * vertex of a surface half as near, since one who aims at an edge misses it half of the time.
 */
export function pick(stage: Stage, clientX: number, clientY: number, reach: number, near = false): Hit | null {
  const ray = stage.ray(clientX, clientY);
  const view = stage.views[ray.variant];
  if (!view?.variant.mesh || view.generation !== view.variant.generation) return null;
  const { positions, mesh } = view.variant;
  let hit: Hit | null = null;
  for (const triangles of view.bodies.drawn()) {
    const found = triangleUnder(positions, triangles, ray.origin, ray.direction);
    if (!found || (hit && found.t >= hit.distance)) continue;
    const weights: Vec3 = [1 - found.u - found.v, found.u, found.v];
    const corners = vec3(triangles, found.at);
    const largest = weights.indexOf(Math.max(...weights));
    hit = {
      variant: ray.variant,
      corners,
      weights,
      point: ray.origin.clone().addScaledVector(ray.direction, found.t),
      distance: found.t,
      nearest: corners[largest],
    };
  }
  if (hit) return hit;
  const end = nearestOnPage(stage, ray.variant, positions, mesh.springs, clientX, clientY, reach);
  let vertex = end < 0 ? -1 : mesh.springs[end];
  if (vertex < 0 && near) vertex = nearestOnPage(stage, ray.variant, positions, view.variant.scene.seen, clientX, clientY, reach / 2);
  if (vertex < 0) return null;
  const point = new Vector3().fromArray(positions, vertex * 3);
  return {
    variant: ray.variant,
    corners: [vertex, vertex, vertex],
    weights: [1, 0, 0],
    point,
    distance: point.distanceTo(ray.origin),
    nearest: vertex,
  };
}

/** The attachments whose common target is under the pointer. */
export function pickAttachments(stage: Stage, clientX: number, clientY: number, reach: number): { variant: number; attachments: number[]; point: Vector3 } | null {
  const variant = stage.variantAt(clientX, clientY);
  const view = stage.views[variant];
  if (!view || !stage.look.markers || view.generation !== view.variant.generation) return null;
  const { targets, scene } = view.variant;
  const count = targets.length / 3;
  if (count === 0) return null;
  const found = nearestOnPage(stage, variant, targets, count, clientX, clientY, reach);
  if (found < 0) return null;
  const point = new Vector3().fromArray(targets, found * 3);
  // Attachments drawn to one common point look like one and move as one.
  const same: number[] = [];
  for (let a = 0; a < count; a++) {
    if (point.distanceTo(new Vector3().fromArray(targets, a * 3)) < 1e-6 * scene.size) same.push(a);
  }
  return { variant, attachments: same, point };
}
