// Meshes for the mock engine.

export interface Shape {
  name: string;
  points: number[][];
  triangles: number[][];
  springs: number[][];
  tetrahedra: number[][];
  pinned: number[];
  attached: number[];
  bone: (point: number[]) => number;
}

const empty = { triangles: [], springs: [], tetrahedra: [], pinned: [], attached: [], bone: () => -1 };

export function cloth(name: string, cells: number, vertical: boolean): Shape {
  const points: number[][] = [];
  const triangles: number[][] = [];
  const n = cells + 1;
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) points.push(vertical ? [i / cells, 1 - j / cells, 0] : [i / cells - 0.5, 0, j / cells - 0.5]);
  }
  for (let j = 0; j < cells; j++) {
    for (let i = 0; i < cells; i++) {
      const a = j * n + i;
      triangles.push([a, a + n, a + 1], [a + 1, a + n, a + n + 1]);
    }
  }
  const border = points.map((_, v) => v).filter((v) => v % n === 0 || v % n === cells || v < n || v >= n * cells);
  const pole = points.map((_, v) => v).filter((v) => v % n === 0);
  return { ...empty, name, points, triangles, pinned: vertical ? [] : border, attached: vertical ? pole.filter((_, i) => i % 8 === 0) : [] };
}

/** A box of tetrahedra, five a cube, with two bones along x. */
export function box(name: string, size: number[], cells: number[], bones: boolean): Shape {
  const [nx, ny, nz] = cells;
  const id = (i: number, j: number, k: number) => (k * (ny + 1) + j) * (nx + 1) + i;
  const raw: number[][] = [];
  for (let k = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) raw.push([(i / nx - 0.5) * size[0], (j / ny) * size[1] + 0.35, (k / nz - 0.5) * size[2]]);
    }
  }
  const tets: number[][] = [];
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const c = [id(i, j, k), id(i + 1, j, k), id(i, j + 1, k), id(i + 1, j + 1, k), id(i, j, k + 1), id(i + 1, j, k + 1), id(i, j + 1, k + 1), id(i + 1, j + 1, k + 1)];
        const odd = (i + j + k) % 2 === 1;
        const five = odd
          ? [[0, 1, 3, 5], [0, 3, 2, 6], [0, 5, 4, 6], [3, 5, 7, 6], [0, 3, 5, 6]]
          : [[1, 0, 2, 4], [1, 2, 3, 7], [1, 4, 5, 7], [2, 4, 6, 7], [1, 2, 4, 7]];
        for (const t of five) tets.push(t.map((corner) => c[corner]));
      }
    }
  }
  for (const t of tets) {
    const [a, b, c, d] = t.map((v) => raw[v]);
    const [u, v, w] = [b, c, d].map((p) => p.map((x, k) => x - a[k]));
    const volume = u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    if (volume < 0) [t[2], t[3]] = [t[3], t[2]];
  }
  const faces = surface(tets);
  const inBone = (p: number[]) => (!bones ? -1 : Math.abs(p[1] - 0.35 - size[1] / 2) < size[1] * 0.2 && Math.abs(p[2]) < size[2] * 0.2 ? (p[0] < -0.1 * size[0] ? 0 : p[0] > 0.1 * size[0] ? 1 : -1) : -1);
  const boneFaces = surface(tets.filter((t) => t.every((v) => inBone(raw[v]) >= 0)));
  const seen = new Set([...faces.flat(), ...boneFaces.flat()]);
  const order = [...seen, ...raw.map((_, v) => v).filter((v) => !seen.has(v))];
  const place = new Map(order.map((v, i) => [v, i]));
  const renumber = (list: number[][]) => list.map((each) => each.map((v) => place.get(v)!));
  return { ...empty, name, points: order.map((v) => raw[v]), triangles: renumber(faces), tetrahedra: renumber(tets), bone: inBone };
}

export function surface(tets: number[][]): number[][] {
  const once = new Map<string, number[]>();
  for (const [a, b, c, d] of tets) {
    for (const face of [[b, c, d], [a, d, c], [a, b, d], [a, c, b]]) {
      const key = [...face].sort((x, y) => x - y).join();
      if (once.has(key)) once.delete(key);
      else once.set(key, face);
    }
  }
  return [...once.values()];
}

export function springs(name: string): Shape {
  return {
    ...empty,
    name,
    points: [[0, 0, 0], [0.5, 0, 0], [1, 0, 0], [0.5, 0.5, 0]],
    springs: [[0, 1], [1, 2], [1, 3], [0, 3]],
    pinned: [0],
  };
}

export function sphere(name: string, radius: number, centre: number[]): Shape {
  const points: number[][] = [];
  const triangles: number[][] = [];
  const [rows, columns] = [16, 24];
  for (let j = 0; j <= rows; j++) {
    for (let i = 0; i < columns; i++) {
      const [theta, phi] = [(Math.PI * j) / rows, (2 * Math.PI * i) / columns];
      points.push([centre[0] + radius * Math.sin(theta) * Math.cos(phi), centre[1] + radius * Math.cos(theta), centre[2] + radius * Math.sin(theta) * Math.sin(phi)]);
    }
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const [a, b] = [j * columns + i, j * columns + ((i + 1) % columns)];
      triangles.push([a, b, a + columns], [b, b + columns, a + columns]);
    }
  }
  return { ...empty, name, points, triangles };
}
