// What the engine takes; beyond, it ends the session, so the page stays within.

import type { Vec3 } from './messages';

/** Metres and metres a second. */
const FAR = 1e6;
/** Vertices of one `pin`. */
export const PIN_LIMIT = 1000;
/** Overrides of one variant. */
export const OVERRIDE_LIMIT = 100;
/** Bytes of a text message, with some room for what is around a scene's text. */
export const TEXT_LIMIT = 1024 * 1024 - 4096;

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** A place or a velocity that the engine takes. */
export function within({ x, y, z }: { x: number; y: number; z: number }): Vec3 {
  const bound = (value: number) => (Number.isNaN(value) ? 0 : clamp(value, -FAR, FAR));
  return [bound(x), bound(y), bound(z)];
}

export const radiusWithin = (radius: number): number => clamp(radius, 1e-6, 1e3);
