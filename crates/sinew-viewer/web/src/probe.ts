// What tests may look at: window.sinew, read-only.

import type { Store } from './store';
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
  time(variant?: number): number;
  row(variant?: number): Record<string, number>;
  positions(variant?: number): Float32Array;
  project(variant: number, vertex: number): [number, number] | null;
}

declare global {
  interface Window {
    sinew?: Probe;
  }
}

export function expose(store: Store, stage: Stage): void {
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
    time: (variant = 0) => store.variants[variant]?.time ?? NaN,
    row: (variant = 0) => store.variants[variant]?.history.row() ?? {},
    positions: (variant = 0) => store.variants[variant]?.positions.slice() ?? new Float32Array(0),
    project: (variant, vertex) => {
      const positions = store.variants[variant]?.positions;
      return positions && vertex * 3 + 2 < positions.length ? stage.projector(variant)(positions, vertex * 3) : null;
    },
  };
  Object.defineProperty(window, 'sinew', { value: Object.freeze(probe), configurable: true });
}
