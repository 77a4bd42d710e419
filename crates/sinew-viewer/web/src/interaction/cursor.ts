// Vertices by keyboard: one after the other, to pin or to pull, while the picture has the focus.

import { Vector3 } from 'three';
import { el } from '../dom';
import type { Store } from '../store';
import type { Variant } from '../variant';
import type { Stage } from '../view/stage';
import { Grab, KEYBOARD } from './grab';
import { nearestOnPage, pick } from './pick';

/** How far a key pulls, in distances to the eye. */
const STRIDE = 0.02;

interface At {
  variant: number;
  of: Variant;
  numbering: number;
  /** All vertices to go through, the first one's neighbourhood first. */
  order: Uint32Array;
  place: number;
}

export class Cursor {
  private at: At | null = null;
  private grab: { grab: Grab; target: Vector3 } | null = null;
  /** Which view the keys are for. */
  private view = 0;
  private readonly bar = el('div', { class: 'cursor-bar', id: 'cursor', role: 'status', hidden: true });

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
  ) {
    stage.element.append(this.bar);
    const { canvas } = stage;
    // Before the camera's, which takes the arrows.
    canvas.addEventListener('keydown', (event) => this.key(event), { capture: true });
    canvas.addEventListener('pointerdown', (event) => (this.view = stage.variantAt(event.clientX, event.clientY)), { capture: true });
    store.events.on('opened', () => this.leave());
    store.events.on('disconnected', () => this.leave());
    store.events.on('mesh', () => this.follow());
    store.events.on('frame', () => this.grab && this.follow());
    store.events.on('state', () => this.at && this.say());
    store.events.on('error', ({ about }) => {
      if (about !== 'grab') return;
      this.grab?.grab.doubt();
      this.follow();
    });
  }

  get vertex(): number | null {
    return this.at ? this.at.order[this.at.place] : null;
  }

  /** No cursor any more, and nothing held. */
  leave(): void {
    if (!this.at) return;
    this.letGo();
    this.at = null;
    this.stage.point(null);
    this.bar.hidden = true;
  }

  private follow(): void {
    const { at } = this;
    if (!at) return;
    if (this.grab?.grab.lost) {
      this.letGo();
      this.say();
    }
    if (this.store.variants[at.variant] !== at.of || at.of.numbering !== at.numbering) this.leave();
  }

  private letGo(): void {
    this.grab?.grab.release();
    this.grab = null;
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.store.connected) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!this.act(key, event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Whether the key was ours. */
  private act(key: string, { shiftKey, repeat }: KeyboardEvent): boolean {
    if (key === 'v') {
      this.step(shiftKey ? -1 : 1);
      return true;
    }
    if (/^[1-4]$/.test(key) && Number(key) <= this.store.variants.length && this.store.variants.length > 1) {
      this.leave();
      this.view = Number(key) - 1;
      this.step(1);
      return true;
    }
    if (!this.at) return false;
    if (key === 'Enter') {
      if (!repeat) this.pin();
      return true;
    }
    if (key === 'g') {
      if (!repeat) this.toggle();
      return true;
    }
    if (key === 'Escape') {
      if (!this.grab) this.leave();
      this.letGo();
      this.say();
      return true;
    }
    return this.grab !== null && !shiftKey && this.pull(key);
  }

  private step(by: number): void {
    if (!this.at) {
      this.begin();
    } else {
      const { order, place } = this.at;
      this.letGo();
      this.at.place = (place + by + order.length) % order.length;
    }
    if (this.at) this.stage.point({ variant: this.at.variant, vertex: this.vertex! });
    this.say();
  }

  /** At what is in the middle of the view, else next to it; the others by their distance from there. */
  private begin(): void {
    const { stage } = this;
    const variant = this.view < this.store.variants.length ? this.view : 0;
    const of = this.store.variants[variant];
    if (!of?.ready) return;
    const box = stage.canvas.getBoundingClientRect();
    const rect = stage.rects()[variant];
    const [x, y] = [box.left + rect.x + rect.width / 2, box.top + rect.y + rect.height / 2];
    const first = pick(stage, x, y, 0)?.nearest ?? nearestOnPage(stage, variant, of.positions, of.scene.seen, x, y, Infinity);
    if (first < 0) return;
    const { positions } = of;
    const away = Float32Array.from({ length: of.scene.seen }, (_, v) =>
      Math.hypot(positions[v * 3] - positions[first * 3], positions[v * 3 + 1] - positions[first * 3 + 1], positions[v * 3 + 2] - positions[first * 3 + 2]),
    );
    const order = Uint32Array.from(away.keys()).sort((a, b) => away[a] - away[b] || a - b);
    this.at = { variant, of, numbering: of.numbering, order, place: 0 };
  }

  private pin(): void {
    const { variant } = this.at!;
    const vertex = this.vertex!;
    this.store.send({ do: 'pin', vertices: [vertex], on: !this.stage.pinsOf(variant).has(vertex), variant });
  }

  private toggle(): void {
    if (this.grab) {
      this.letGo();
    } else {
      const { variant, of } = this.at!;
      const vertex = this.vertex!;
      const target = new Vector3().fromArray(of.positions, vertex * 3);
      this.grab = { grab: new Grab(this.store, variant, KEYBOARD, { corners: [vertex, vertex, vertex], weights: [1, 0, 0] }, target), target };
    }
    this.say();
  }

  private pull(key: string): boolean {
    const directions: Record<string, [number, number, number]> = {
      ArrowLeft: [-1, 0, 0],
      ArrowRight: [1, 0, 0],
      ArrowUp: [0, 1, 0],
      ArrowDown: [0, -1, 0],
      PageUp: [0, 0, -1],
      PageDown: [0, 0, 1],
    };
    const toward = directions[key];
    if (!toward || !this.grab) return false;
    const { camera, controls } = this.stage.eye;
    const { grab, target } = this.grab;
    const stride = STRIDE * camera.position.distanceTo(controls.target);
    target.addScaledVector(new Vector3(...toward).applyQuaternion(camera.quaternion), stride);
    grab.move(target);
    return true;
  }

  private say(): void {
    this.bar.hidden = this.at === null;
    if (!this.at) return;
    const pinned = this.stage.pinsOf(this.at.variant).has(this.vertex!);
    const text = `Vertex ${this.vertex}${pinned ? ', pinned' : ''}${this.grab ? ', pulled: arrows, Page Up and Page Down; G lets go' : `: Enter ${pinned ? 'frees' : 'pins'} it, G pulls it`}`;
    // Said aloud again only where it has changed.
    if (this.bar.textContent !== text) this.bar.textContent = text;
  }
}
