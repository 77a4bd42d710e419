// The binary messages of docs/viewer-protocol.md: a header of 8 bytes, then sections whose payloads start at multiples
// of 8, so that typed arrays can look at them without a copy.

import type { Vec3 } from './messages';

export interface Frame {
  kind: 'frame';
  variant: number;
  number: number;
  time: number;
  steps: number;
  /** (first, count) pairs. */
  runs: Uint32Array;
  positions: Float32Array;
  colours: Float32Array | null;
  range: [number, number] | null;
  placements: Float32Array | null;
  targets: Float32Array | null;
  joints: Float32Array | null;
  grabs: Float32Array | null;
  rows: Float64Array | null;
}

export interface Mesh {
  kind: 'mesh';
  variant: number;
  triangles: Uint32Array;
  springs: Uint32Array;
  tetrahedra: Uint32Array;
  boneTriangles: Uint32Array;
  pinned: Uint32Array;
  attached: Uint32Array;
  solidPoints: Float32Array;
  solidTriangles: Uint32Array;
  boneOfVertex: Int32Array | null;
}

export interface SavedState {
  kind: 'state';
  variant: number;
  /** For people: what was saved. */
  about: { name?: string; set?: string[]; time?: number };
}

/** Most sections and bytes that the engine takes. */
const SECTION_LIMIT = 64;
const STATE_LIMIT = 64 * 1024 * 1024;

export type Binary = Frame | Mesh | SavedState;

interface Section {
  start: number;
  length: number;
}

/** Sections of a message by tag; throws a sentence if the message is cut off or crooked. */
export function sections(buffer: ArrayBuffer): { kind: number; variant: number; number: number; byTag: Map<number, Section>; end: number } {
  if (buffer.byteLength < 8) throw new Error(`a binary message of ${buffer.byteLength} bytes has no header`);
  const view = new DataView(buffer);
  const kind = view.getUint8(0);
  const variant = view.getUint8(1);
  const count = view.getUint16(2, true);
  const number = view.getUint32(4, true);
  const byTag = new Map<number, Section>();
  let at = 8;
  for (let i = 0; i < count; i++) {
    if (at + 8 > buffer.byteLength) throw new Error(`section ${i} of ${count} begins behind the end of the message`);
    const tag = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    const start = at + 8;
    if (start + length > buffer.byteLength) throw new Error(`section ${tag} ends behind the end of the message`);
    byTag.set(tag, { start, length });
    at = start + Math.ceil(length / 8) * 8;
  }
  return { kind, variant, number, byTag, end: at };
}

/** Views of the sections as typed arrays; a length that is no multiple of the element size is refused. */
export class Reader {
  constructor(
    private readonly buffer: ArrayBuffer,
    private readonly byTag: Map<number, Section>,
  ) {}

  private section(tag: number, size: number): Section | null {
    const found = this.byTag.get(tag);
    if (!found) return null;
    if (found.length % size !== 0) throw new Error(`section ${tag} has ${found.length} bytes, no multiple of ${size}`);
    return found;
  }

  f32(tag: number, width = 1): Float32Array | null {
    const s = this.section(tag, 4 * width);
    return s && new Float32Array(this.buffer, s.start, s.length / 4);
  }

  f64(tag: number, width = 1): Float64Array | null {
    const s = this.section(tag, 8 * width);
    return s && new Float64Array(this.buffer, s.start, s.length / 8);
  }

  u32(tag: number, width = 1): Uint32Array {
    const s = this.section(tag, 4 * width);
    return s ? new Uint32Array(this.buffer, s.start, s.length / 4) : new Uint32Array(0);
  }

  i32(tag: number): Int32Array | null {
    const s = this.section(tag, 4);
    return s && new Int32Array(this.buffer, s.start, s.length / 4);
  }

  text(tag: number): string | null {
    const s = this.section(tag, 1);
    return s && new TextDecoder().decode(new Uint8Array(this.buffer, s.start, s.length));
  }
}

/** Decodes a message from the engine. The arrays look into `buffer`, which has to stay as it is. */
export function decode(buffer: ArrayBuffer): Binary {
  const { kind, variant, number, byTag } = sections(buffer);
  const read = new Reader(buffer, byTag);
  switch (kind) {
    case 1: {
      const time = read.f64(1);
      if (!time || time.length < 2) throw new Error('a frame without time');
      const range = read.f32(5);
      return {
        kind: 'frame',
        variant,
        number,
        time: time[0],
        steps: time[1],
        runs: read.u32(2, 2),
        positions: read.f32(3, 3) ?? new Float32Array(0),
        colours: read.f32(4),
        range: range && range.length >= 2 ? [range[0], range[1]] : null,
        placements: read.f32(6, 7),
        targets: read.f32(7, 3),
        joints: read.f32(8, 3),
        grabs: read.f32(9, 7),
        rows: read.f64(10),
      };
    }
    case 2:
      return {
        kind: 'mesh',
        variant,
        triangles: read.u32(20, 3),
        springs: read.u32(21, 2),
        tetrahedra: read.u32(22, 4),
        boneTriangles: read.u32(23, 3),
        pinned: read.u32(24),
        attached: read.u32(25),
        solidPoints: read.f32(26, 3) ?? new Float32Array(0),
        solidTriangles: read.u32(27, 3),
        boneOfVertex: read.i32(28),
      };
    case 3: {
      const about = read.text(31);
      return { kind: 'state', variant, about: about ? JSON.parse(about) : {} };
    }
    default:
      throw new Error(`a binary message of the unknown kind ${kind}`);
  }
}

/** Checks that bytes from a file are a state which the engine can read, since anything else would end the session; throws a sentence. */
export function checkState(buffer: ArrayBuffer): void {
  if (buffer.byteLength > STATE_LIMIT) throw new Error('it is larger than 64 MiB.');
  if (new Uint8Array(buffer)[0] !== 3) throw new Error('it is no state saved by Sinew.');
  let parts: ReturnType<typeof sections>;
  try {
    parts = sections(buffer);
  } catch {
    throw new Error('it is cut off.');
  }
  const { byTag, end } = parts;
  if (end !== buffer.byteLength) throw new Error(end > buffer.byteLength ? 'it is cut off.' : 'it is longer than it says.');
  if (byTag.size > SECTION_LIMIT || !byTag.has(30)) throw new Error('it holds no state.');
  if (!namesScene(new Reader(buffer, byTag).text(31))) throw new Error('it does not say of which scene it is.');
}

function namesScene(text: string | null): boolean {
  try {
    const { name, text: scene, set, touched, changes = touched, time } = JSON.parse(text ?? '{}') as Record<string, unknown>;
    const known = typeof name === 'string' && typeof scene === 'string' && typeof time === 'number' && typeof changes === 'object';
    return known && Array.isArray(set) && set.every((line) => typeof line === 'string');
  } catch {
    return false;
  }
}

/** Three numbers of an array as a vector. */
export function vec3(values: ArrayLike<number>, at: number): Vec3 {
  return [values[at], values[at + 1], values[at + 2]];
}
