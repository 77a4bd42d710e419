// The messages of the tool for lips, as docs/viewer-protocol.md has them.

import type { Vec3 } from '../protocol/messages';

export type Side = 'captured' | 'corrected';

/** The camera of a drawing: the page's, with the size of the picture in pixels. */
export interface DrawingCamera {
  eye: Vec3;
  look_at: Vec3;
  up: Vec3;
  fov: number;
  width: number;
  height: number;
}

export type LipsCommand =
  | { do: 'show'; frame: number; side: Side }
  | { do: 'line'; landmarks: number[] }
  | { do: 'draw'; frame: number; side: Side; line: number; camera: DrawingCamera; contour: [number, number][] }
  | { do: 'undo' | 'discard' | 'remove'; frame: number }
  | { do: 'add'; frame: number; side: Side };

export interface LipsHello {
  event: 'hello';
  protocol: number;
  version: string;
  title: string;
  frames: number;
  vertices: number;
  bounds: { min: Vec3; max: Vec3 };
  camera: { eye: Vec3; look_at: Vec3; fov: number };
  folder: string;
}

export interface FaceEvent {
  event: 'face';
  frame: number;
  side: Side;
  strokes: number;
  trained: boolean;
  moved: number;
}

export interface Training {
  event: 'training';
  trained: number[];
  examples: number;
  warnings: string[];
  done?: string;
}

export interface Survey {
  event: 'survey';
  unexplained: number[];
  suggestions: number[];
}

export type LipsEvent =
  | LipsHello
  | FaceEvent
  | Training
  | Survey
  | { event: 'lines'; lines: number[][]; kept?: number }
  | { event: 'error'; message: string; about: string };

/** The mesh of the face, which all frames share. */
export interface FaceMesh {
  triangles: Uint32Array;
  inner: Uint32Array;
  mouth: Uint32Array;
}
