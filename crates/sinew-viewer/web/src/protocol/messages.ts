// The text messages of docs/viewer-protocol.md, as types.

export type Vec3 = [number, number, number];

/**
 * What to open: a scene by name, a file of the served folder, a mesh that was given to the engine, or a text, whose paths start in the
 * folder of `beside` or name files that were given (`dropped`).
 */
export type Source = { scene: string } | { file: string } | { mesh: string } | { text: string; name?: string; beside?: string; dropped?: boolean };

export type ColourBy = 'none' | 'energy' | 'stress' | 'speed' | 'correction';

/** What a face shows, as in a scene. */
export interface Expression {
  /** Expressions by name, with strengths from 0 to 1. */
  show?: Record<string, number>;
  /** Lengths of fibres over those at rest; a name without a side means both. */
  contract?: Record<string, number>;
  /** Degrees and metres. */
  jaw?: { open?: number; turn?: number; offset?: Vec3 };
}

export interface VariantRequest {
  label: string;
  set: string[];
}

/** Everything the page may ask for. */
export type Command =
  | ({ do: 'open' } & Source)
  | { do: 'variants'; variants: VariantRequest[] }
  | { do: 'set'; set: string[]; variant?: number }
  | { do: 'accepts'; sets: string[][] }
  | { do: 'play' }
  | { do: 'pause' }
  | { do: 'step'; count?: number }
  | { do: 'reset' }
  | { do: 'speed'; speed: number | null }
  | { do: 'grab'; pointer: number; corners: Vec3; weights: Vec3; target: Vec3; stiffness?: number; variant?: number }
  | { do: 'move'; pointer: number; target: Vec3 }
  | { do: 'release'; pointer: number }
  | { do: 'pin'; vertices: number[]; on: boolean; variant?: number }
  | { do: 'target'; attachment: number; to: Vec3 | null; variant?: number }
  | { do: 'throw'; from: Vec3; velocity: Vec3; radius: number }
  | { do: 'wind'; velocity: Vec3 }
  | { do: 'face'; expression: Expression | null }
  | { do: 'colour'; by: ColourBy }
  | { do: 'inside'; on: boolean }
  | { do: 'save'; variant?: number }
  | { do: 'scenes' }
  | { do: 'shown'; frame: number };

export interface Hello {
  event: 'hello';
  protocol: number;
  engine: 'native' | 'wasm';
  version: string;
  threads: number;
  scene?: { scene: string } | { file: string };
}

export interface SceneEntry {
  name: string;
  title: string;
  description: string;
  seconds: number;
}

export interface Scenes {
  event: 'scenes';
  scenes: SceneEntry[];
  files: string[];
}

export interface Opened {
  event: 'opened';
  name: string;
  text: string;
  source: 'scene' | 'file' | 'text';
  /** The file that it is, or is beside. */
  file?: string | null;
  /** Its paths name files that were given to the engine. */
  dropped?: boolean;
}

/** For each list of overrides that was asked about: why it would be refused, or null. */
export interface Accepts {
  event: 'accepts';
  refusals: (string | null)[];
}

export interface BodyInfo {
  name: string;
  rigid: boolean;
  triangles: number;
  springs: number;
  tetrahedra: number;
}

export type ColliderInfo = { kind: 'plane' } | { kind: 'solid'; points: number; triangles: number };

export interface MaterialValue {
  key: string;
  label: string;
  value: number;
}

export interface Values {
  integrator: string;
  solver: string;
  /** Null where the solver has none. */
  iterations: number | null;
  acceleration: string | null;
  correction: string;
  h: number;
  gravity: Vec3;
  ether: number;
  rigid_preserving: number;
  materials: MaterialValue[];
}

export interface FaceInfo {
  muscles: string[];
  fat: MaterialValue;
}

export interface SceneInfo {
  event: 'scene';
  variant: number;
  variants: number;
  label: string;
  name: string;
  title: string;
  description: string;
  h: number;
  set: string[];
  vertices: number;
  seen: number;
  elements: number;
  bones: number;
  joints: number;
  size: number;
  bodies: BodyInfo[];
  colliders: ColliderInfo[];
  camera?: { eye: Vec3; look_at: Vec3; fov: number } | null;
  ground?: number | null;
  /** The first face of the scene. */
  face?: FaceInfo | null;
  potentials: string[];
  columns: string[];
  /** Of what `colour` shows. */
  units?: Partial<Record<ColourBy, string>>;
  values: Values;
  bounds: { min: Vec3; max: Vec3 };
}

export interface SettingsEvent {
  event: 'settings';
  variant: number;
  set: string[];
  values: Values;
}

export interface StateEvent {
  event: 'state';
  playing: boolean;
  speed: number | null;
  /** Null: none was set by the page. */
  wind?: Vec3 | null;
  /** What the page set faces to show; null: what the scene says. */
  face?: Expression | null;
  pins: number[];
}

export interface ErrorEvent {
  event: 'error';
  message: string;
  about: string;
  line?: number | null;
  column?: number | null;
  key?: string | null;
}

export interface Failed {
  event: 'failed';
  variant: number;
  message: string;
}

export interface Closed {
  event: 'closed';
  reason: string;
}

export type Event = Hello | Scenes | Opened | Accepts | SceneInfo | SettingsEvent | StateEvent | ErrorEvent | Failed | Closed;

const known = new Set(['hello', 'scenes', 'opened', 'accepts', 'scene', 'settings', 'state', 'error', 'failed', 'closed']);

/** Reads a text message; an event that this page does not know is null, so that a newer engine does not break it. */
export function parseEvent(text: string): Event | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('event' in value)) {
    throw new Error('a text message without "event"');
  }
  return known.has(String(value.event)) ? (value as Event) : null;
}
