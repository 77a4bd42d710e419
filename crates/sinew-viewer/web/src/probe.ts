// What tests may look at: window.sinew, read-only.

import type { Store } from './store';
import type { Cursor } from './interaction/cursor';
import type { Stage } from './view/stage';

export interface Probe {
  readonly connected: boolean;
  readonly engine: string | null;
  readonly playing: boolean;
  readonly frame: number;
  readonly variants: number;
  readonly lastError: string | null;
  readonly scene: string | null;
  readonly pins: number[];
  readonly cursor: number | null;
  time(variant?: number): number;
  row(variant?: number): Record<string, number>;
  positions(variant?: number): Float32Array;
  project(variant: number, vertex: number): [number, number] | null;
  attachment(variant: number, attachment: number): [number, number] | null;
}

declare global {
  interface Window {
    sinew?: Probe;
  }
}

export function expose(store: Store, stage: Stage, cursor: Cursor): void {
  const onPage = (variant: number, points: Float32Array | undefined, number: number) =>
    points && number * 3 + 2 < points.length ? stage.projector(variant)(points, number * 3) : null;
  const probe: Probe = {
    get connected() {
      return store.connected;
    },
    get engine() {
      return store.hello?.engine ?? null;
    },
    get playing() {
      return store.playing;
    },
    get frame() {
      return store.frame;
    },
    get variants() {
      return store.variants.length;
    },
    get lastError() {
      return store.lastError;
    },
    get scene() {
      return store.opened?.name ?? null;
    },
    get pins() {
      return [...store.pins];
    },
    get cursor() {
      return cursor.vertex;
    },
    time: (variant = 0) => store.variants[variant]?.time ?? NaN,
    row: (variant = 0) => store.variants[variant]?.history.row() ?? {},
    positions: (variant = 0) => store.variants[variant]?.positions.slice() ?? new Float32Array(0),
    project: (variant, vertex) => onPage(variant, store.variants[variant]?.positions, vertex),
    attachment: (variant, attachment) => onPage(variant, store.variants[variant]?.targets, attachment),
  };
  Object.defineProperty(window, 'sinew', { value: Object.freeze(probe), configurable: true });
}
