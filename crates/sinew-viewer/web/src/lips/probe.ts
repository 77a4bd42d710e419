// What tests may look at: window.sinewLips, read-only.

import type { Desk } from './desk';
import type { FaceView } from './face';
import type { Pen } from './pen';

export interface LipsProbe {
  readonly connected: boolean;
  readonly frame: number;
  readonly frames: number;
  readonly side: string;
  readonly tool: string;
  /** What is shown is what was asked for. */
  readonly settled: boolean;
  readonly strokes: number;
  readonly trained: number[];
  readonly suggestions: number[];
  readonly unexplained: number[];
  readonly lines: number[][];
  readonly line: number;
  readonly inner: number[];
  readonly lastError: string | null;
  positions(): Float32Array;
  /** Where a vertex is on the page. */
  project(vertex: number): [number, number] | null;
}

declare global {
  interface Window {
    sinewLips?: LipsProbe;
  }
}

export function expose(desk: Desk, view: FaceView, pen: Pen): void {
  const probe: LipsProbe = {
    get connected() {
      return desk.connected;
    },
    get frame() {
      return desk.frame;
    },
    get frames() {
      return desk.hello?.frames ?? 0;
    },
    get side() {
      return desk.side;
    },
    get tool() {
      return pen.tool;
    },
    get settled() {
      return desk.idle && desk.face?.frame === desk.frame && desk.face.side === desk.side;
    },
    get strokes() {
      return desk.strokes;
    },
    get trained() {
      return [...(desk.training?.trained ?? [])];
    },
    get suggestions() {
      return [...(desk.survey?.suggestions ?? [])];
    },
    get unexplained() {
      return [...(desk.survey?.unexplained ?? [])];
    },
    get lines() {
      return desk.lines.map((line) => [...line]);
    },
    get line() {
      return desk.line;
    },
    get inner() {
      return [...(desk.mesh?.inner ?? [])];
    },
    get lastError() {
      return desk.lastError;
    },
    positions: () => desk.positions.slice(),
    project: (vertex) => {
      const at = view.project(vertex);
      const box = view.canvas.getBoundingClientRect();
      return at && [at[0] + box.left, at[1] + box.top];
    },
  };
  Object.defineProperty(window, 'sinewLips', { value: Object.freeze(probe), configurable: true });
}
