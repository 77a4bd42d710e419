// A plane through solids: the surface of the tetrahedra that lie on one side of it.

import type { Variant } from '../variant';

export interface Cut {
  on: boolean;
  axis: 0 | 1 | 2;
  /** 0 to 1 across the bounds of the bodies. */
  position: number;
  flip: boolean;
}

/** Corners of the face opposite each corner, so that it is seen from outside for a positive tetrahedron. */
const faces = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
] as const;

/** Which tetrahedron lies behind each face (−1: none). Made once a mesh; a cut is then one pass. */
export function neighbours(tetrahedra: Uint32Array, vertices: number): Int32Array {
  const out = new Int32Array(tetrahedra.length).fill(-1);
  const open = new Map<number, number>();
  for (let f = 0; f < tetrahedra.length; f++) {
    const base = f & ~3;
    const [i, j, k] = faces[f & 3];
    const a = tetrahedra[base + i];
    const b = tetrahedra[base + j];
    const c = tetrahedra[base + k];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    const key = (low * vertices + (a + b + c - low - high)) * vertices + high;
    const other = open.get(key);
    if (other === undefined) {
      open.set(key, f);
    } else {
      out[f] = other >> 2;
      out[other] = f >> 2;
      open.delete(key);
    }
  }
  return out;
}

/** Bounds of the vertices along an axis. */
export function extent(positions: Float32Array, axis: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = axis; i < positions.length; i += 3) {
    if (positions[i] < low) low = positions[i];
    if (positions[i] > high) high = positions[i];
  }
  return [low, high];
}

/** Triangles of each body that has tetrahedra, after the cut; null for the others, which stay whole. */
export function cutSurfaces(variant: Variant, behind: Int32Array, cut: Cut): (Uint32Array | null)[] {
  const tetrahedra = variant.mesh!.tetrahedra;
  const positions = variant.positions;
  const [low, high] = extent(positions, cut.axis);
  const level = (low + (high - low) * cut.position) * 4;
  const count = tetrahedra.length / 4;
  const kept = new Uint8Array(count);
  for (let t = 0; t < count; t++) {
    let sum = 0;
    for (let corner = 0; corner < 4; corner++) sum += positions[tetrahedra[t * 4 + corner] * 3 + cut.axis];
    kept[t] = sum <= level !== cut.flip ? 1 : 0;
  }
  let first = 0;
  return variant.scene.bodies.map((body) => {
    if (body.tetrahedra === 0) return null;
    const out: number[] = [];
    for (let t = first; t < first + body.tetrahedra; t++) {
      if (!kept[t]) continue;
      for (let face = 0; face < 4; face++) {
        const other = behind[t * 4 + face];
        if (other >= 0 && kept[other]) continue;
        for (const corner of faces[face]) out.push(tetrahedra[t * 4 + corner]);
      }
    }
    first += body.tetrahedra;
    return Uint32Array.from(out);
  });
}
