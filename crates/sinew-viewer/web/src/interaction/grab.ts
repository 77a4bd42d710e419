// A spring that the page pulls by, for as long as the engine holds its other end.

import type { Vector3 } from 'three';
import { within } from '../protocol/limits';
import type { Vec3 } from '../protocol/messages';
import type { Store } from '../store';
import type { Variant } from '../variant';

/** Milliseconds in which a frame may still be from before the engine heard of the grab. */
const UNDER_WAY = 500;

/** The last of the eight is the keyboard's. */
export const FINGERS = 7;
export const KEYBOARD = 7;

export class Grab {
  private readonly of: Variant | undefined;
  private readonly since = performance.now();
  /** The newest mesh with which the engine was seen, or is believed, to hold. */
  private generation: number;
  private refused = false;

  constructor(
    private readonly store: Store,
    readonly variant: number,
    readonly pointer: number,
    grip: { corners: Vec3; weights: Vec3 },
    target: Vector3,
  ) {
    this.of = store.variants[variant];
    this.generation = this.of?.generation ?? -1;
    const { corners, weights } = grip;
    store.send({ do: 'grab', pointer, corners, weights, target: within(target), variant });
  }

  move(target: Vector3): void {
    this.store.send({ do: 'move', pointer: this.pointer, target: within(target) });
  }

  release(): void {
    this.store.send({ do: 'release', pointer: this.pointer });
  }

  /** The engine has answered a grab by an error. */
  doubt(): void {
    this.refused ||= !this.seen();
  }

  private seen(): boolean {
    const grabs = this.of?.grabs ?? [];
    for (let h = 0; h < grabs.length; h += 7) if (grabs[h] === this.pointer) return true;
    return false;
  }

  /** The engine holds it no more: a reset lets go, as other bodies do, while a pin or a ball does not; the frame after the mesh tells. */
  get lost(): boolean {
    const { of } = this;
    if (!of || this.refused || this.store.variants[this.variant] !== of) return true;
    if (this.generation === of.generation || !of.ready) return false;
    if (this.seen()) this.generation = of.generation;
    return this.generation !== of.generation && performance.now() - this.since > UNDER_WAY;
  }
}
