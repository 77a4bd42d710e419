// What the mock engine shows: bodies that wave by a formula, with made-up books.

import { message } from './encode';
import { box, cloth, sphere, springs, surface, type Shape } from './shapes';

const causes = ['attachments', 'bones', 'colliders', 'contacts', 'wind', 'acceleration', 'grabs', 'edits'];
const sinks = ['ether', 'rigid_preserving', 'friction', 'restitution'];
export const columns = [
  'time', 'energy', 'target', 'kinetic', 'potential', 'added', 'dissipated',
  ...causes.map((c) => `added.${c}`), ...sinks.map((s) => `dissipated.${s}`),
  'linear.x', 'linear.y', 'linear.z', 'angular.x', 'angular.y', 'angular.z',
  'iterations', 'correction.iterations', 'correction.fallbacks', 'contacts', 'ms.step', 'ms.solve', 'ms.correct', 'ms.contact',
  'potential.elastic', 'potential.gravity',
];

export function shapesOf(scene: string): Shape[] {
  switch (scene) {
    case 'jelly':
      return [box('jelly', [1.2, 0.5, 0.5], [18, 8, 8], true), sphere('ball', 0.2, [0.9, 0.2, 0.5])];
    case 'two-springs':
      return [springs('springs')];
    case 'flag':
      return [cloth('flag', 40, true)];
    default:
      return [cloth('cloth', 60, false)];
  }
}

export interface Grab {
  corners: number[];
  weights: number[];
  target: number[];
}

export class World {
  time = 0;
  steps = 0;
  rest: number[][] = [];
  seen = 0;
  now: Float32Array;
  rows: number[] = [];
  pins = new Set<number>();
  targets = new Map<number, number[]>();
  grabs = new Map<number, Grab>();
  private work = 0;
  private readonly held = new Map<number, number[]>();

  constructor(
    readonly shapes: Shape[],
    readonly scene: string,
    public correction: string,
  ) {
    // Seen ones of all bodies first, as the protocol wants; shapes already have theirs in front.
    const counts = shapes.map((s) => (s.tetrahedra.length ? new Set([...s.triangles.flat(), ...this.boneFaces(s).flat()]).size : s.points.length));
    const maps: number[][] = shapes.map(() => []);
    shapes.forEach((s, b) => s.points.slice(0, counts[b]).forEach((p, i) => (maps[b][i] = this.rest.push(p) - 1)));
    this.seen = this.rest.length;
    shapes.forEach((s, b) => s.points.slice(counts[b]).forEach((p, i) => (maps[b][counts[b] + i] = this.rest.push(p) - 1)));
    this.maps = maps;
    this.now = new Float32Array(this.rest.length * 3);
    shapes.forEach((s, b) => s.pinned.forEach((v) => this.pins.add(maps[b][v])));
    this.move();
  }

  readonly maps: number[][];

  private boneFaces(s: Shape): number[][] {
    return surface(s.tetrahedra.filter((t) => t.every((v) => s.bone(s.points[v]) >= 0)));
  }

  private list(pick: (s: Shape) => number[][]): Uint32Array {
    return Uint32Array.from(this.shapes.flatMap((s, b) => pick(s).flatMap((each) => each.map((v) => this.maps[b][v]))));
  }

  get attached(): number[] {
    return this.shapes.flatMap((s, b) => s.attached.map((v) => this.maps[b][v]));
  }

  get solid(): Shape | null {
    return this.scene === 'jelly' ? box('step', [0.6, 0.25, 0.6], [1, 1, 1], false) : null;
  }

  bones(): number {
    return this.scene === 'jelly' ? 2 : 0;
  }

  mesh(variant: number): ArrayBuffer {
    const solid = this.solid;
    return message(2, variant, 0, [
      [20, this.list((s) => s.triangles)],
      [21, this.list((s) => s.springs)],
      [22, this.list((s) => s.tetrahedra)],
      [23, this.list((s) => this.boneFaces(s))],
      [24, Uint32Array.from(this.pins)],
      [25, Uint32Array.from(this.attached)],
      [26, Float32Array.from(solid?.points.flat() ?? [])],
      [27, Uint32Array.from(solid?.triangles.flat() ?? [])],
    ]);
  }

  /** A wave that dies out without a correction, and does not with one. */
  private amplitude(): number {
    return this.correction === 'none' ? Math.exp(-0.25 * this.time) : 1;
  }

  private move(): void {
    const a = this.amplitude();
    const t = this.time;
    this.rest.forEach(([x, y, z], v) => {
      let p = [x, y, z];
      if (this.scene === 'trampoline') {
        const edge = (1 - 4 * x * x) * (1 - 4 * z * z);
        p[1] += a * edge * (0.22 * Math.cos(6 * t) * Math.exp(-6 * (x * x + z * z)) + 0.04 * Math.sin(9 * x + 7 * t) * Math.cos(8 * z - 5 * t));
      } else if (this.scene === 'flag') {
        p[2] += a * 0.18 * x * Math.sin(7 * x - 6 * t + 2 * y);
        p[1] -= 0.1 * x * x;
      } else if (this.scene === 'two-springs') {
        p[1] += a * 0.3 * x * Math.sin(4 * t);
      } else {
        p[1] += a * 0.12 * Math.sin(3 * t + 3 * x) * (1 + x);
        p[0] += a * 0.03 * Math.cos(5 * t + 4 * y);
      }
      if (this.pins.has(v)) p = this.held.get(v) ?? p;
      for (const grab of this.grabs.values()) {
        const from = grab.corners.reduce((sum, c, k) => sum.map((s, i) => s + grab.weights[k] * this.rest[c][i]), [0, 0, 0]);
        const apart = (from[0] - x) ** 2 + (from[1] - y) ** 2 + (from[2] - z) ** 2;
        const w = 0.85 * Math.exp(-apart / 0.02);
        if (!this.pins.has(v)) p = p.map((q, i) => q + w * (grab.target[i] - from[i]));
      }
      this.now.set(p, v * 3);
    });
  }

  hold(vertices: number[], on: boolean): void {
    for (const v of vertices) {
      if (on) {
        this.pins.add(v);
        this.held.set(v, [...this.now.subarray(v * 3, v * 3 + 3)]);
      } else {
        this.pins.delete(v);
        this.held.delete(v);
      }
    }
  }

  step(h: number): void {
    this.time += h;
    this.steps++;
    const begin = performance.now();
    this.move();
    const took = performance.now() - begin;
    const a = this.amplitude();
    if (this.grabs.size > 0) this.work += 0.02;
    const target = 10 + this.work;
    const energy = target * a * a;
    const kinetic = energy * (0.5 + 0.45 * Math.sin(12 * this.time));
    const row = new Array<number>(columns.length).fill(0);
    const put = (name: string, value: number) => (row[columns.indexOf(name)] = value);
    put('time', this.time);
    put('energy', energy * (1 + 1e-10 * Math.random()));
    put('target', target);
    put('kinetic', kinetic);
    put('potential', energy - kinetic);
    put('added', this.work);
    put('added.grabs', this.work);
    put('linear.y', Math.sin(6 * this.time));
    put('angular.x', 0.3);
    put('angular.z', 0.2 * Math.cos(2 * this.time));
    put('iterations', 20);
    put('correction.iterations', this.correction === 'none' ? 0 : 2);
    put('ms.step', took);
    put('ms.solve', took * 0.8);
    put('ms.correct', took * 0.15);
    put('potential.elastic', (energy - kinetic) * 0.9);
    put('potential.gravity', (energy - kinetic) * 0.1);
    this.rows.push(...row);
    if (this.rows.length > 256 * columns.length) this.rows.splice(0, this.rows.length - 256 * columns.length);
  }

  frame(variant: number, number: number, inside: boolean, colour: string): ArrayBuffer {
    const count = inside ? this.rest.length : this.seen;
    const parts: [number, ArrayBufferView][] = [
      [1, Float64Array.of(this.time, this.steps)],
      [2, Uint32Array.of(0, count)],
      [3, this.now.subarray(0, count * 3)],
    ];
    if (colour !== 'none') {
      parts.push([4, Float32Array.from({ length: count }, (_, v) => Math.abs(this.now[v * 3 + 1] - this.rest[v][1]))], [5, Float32Array.of(0, 0.2, 0, 0)]);
    }
    const placements = this.scene === 'jelly' ? [0, 0, 0, 0, 0, 0, 1, -1, -0.35, 0.3 * Math.sin(this.time), 0, 0, 0, 1] : [];
    parts.push([6, Float32Array.from(placements)]);
    parts.push([7, Float32Array.from(this.attached.flatMap((v, i) => this.targets.get(i) ?? [this.rest[v][0] - 0.06, this.rest[v][1], this.rest[v][2]]))]);
    if (this.bones() > 0) parts.push([8, Float32Array.of(0, 0.6 + 0.12 * this.amplitude() * Math.sin(3 * this.time), 0)]);
    parts.push([9, Float32Array.from([...this.grabs].flatMap(([p, grab]) => [p, ...[0, 1, 2].map((i) => grab.corners.reduce((s, c, k) => s + grab.weights[k] * this.now[c * 3 + i], 0)), ...grab.target]))]);
    if (this.rows.length > 0) parts.push([10, Float64Array.from(this.rows)]);
    this.rows = [];
    return message(1, variant, number, parts);
  }
}
