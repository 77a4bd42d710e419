// Pointers on the canvas: pull a body, move an attachment, pin with a click. What is not ours is left to the camera.

import { Plane, Vector3 } from 'three';
import { within } from '../protocol/limits';
import type { Store } from '../store';
import type { Variant } from '../variant';
import type { Stage } from '../view/stage';
import { FINGERS, Grab } from './grab';
import { pick, pickAttachments, type Hit } from './pick';
import type { BoxSelect } from './select';

/** A pointer that moved less (pixels) and was down shorter (ms) has clicked. */
const CLICK_PIXELS = 5;
const CLICK_TIME = 350;

interface Pull {
  pointer: number;
  variant: number;
  /** What was pressed, and how its vertices were numbered then. */
  of: Variant;
  numbering: number;
  plane: Plane;
  hit: Hit | null;
  attachments: number[];
  from: [number, number];
  since: number;
  /** More than a click. */
  holding: boolean;
  grab: Grab | null;
  target: Vector3;
  fresh: boolean;
  timer: number;
}

export class Drag {
  private readonly pulls = new Map<number, Pull>();
  private hover: PointerEvent | null = null;
  /** Where the pointer was last, for what is thrown at it. */
  last: [number, number] | null = null;
  /** Attachments that were moved by the user, of each variant in which they were. */
  private readonly movedAttachments = new Map<number, Set<number>>();

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
    private readonly box: BoxSelect,
  ) {
    const { canvas } = stage;
    // Before the camera's own listeners, which bubble.
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    canvas.addEventListener('pointerup', (event) => this.up(event), { capture: true });
    canvas.addEventListener('pointercancel', (event) => this.up(event), { capture: true });
    canvas.addEventListener('dblclick', (event) => this.giveBack(event));
    const flush = () => {
      requestAnimationFrame(flush);
      this.flush();
    };
    requestAnimationFrame(flush);
    store.events.on('opened', () => this.forgetAll());
    store.events.on('disconnected', () => this.forgetAll());
    store.events.on('mesh', () => this.forgetOld());
    store.events.on('frame', () => this.forgetOld());
    store.events.on('error', ({ about }) => {
      if (about !== 'grab') return;
      for (const { grab } of this.pulls.values()) grab?.doubt();
      this.forgetOld();
    });
  }

  private forgetAll(): void {
    for (const id of [...this.pulls.keys()]) this.drop(id);
    this.movedAttachments.clear();
  }

  /** Pulls whose numbers mean something else by now, or whose grabs the engine has dropped. */
  private forgetOld(): void {
    for (const [id, pull] of [...this.pulls]) {
      if (pull.grab) {
        if (!pull.grab.lost) continue;
        pull.grab.release();
      } else if (this.current(pull)) continue;
      this.drop(id);
    }
  }

  private current(pull: Pull): boolean {
    return this.store.variants[pull.variant] === pull.of && pull.of.numbering === pull.numbering;
  }

  private drop(id: number): void {
    clearTimeout(this.pulls.get(id)?.timer);
    this.pulls.delete(id);
    if (this.pulls.size === 0) this.stage.canvas.style.cursor = '';
  }

  private freePointer(): number {
    const used = new Set([...this.pulls.values()].map((pull) => pull.pointer));
    for (let p = 0; p < FINGERS; p++) if (!used.has(p)) return p;
    return -1;
  }

  private down(event: PointerEvent): void {
    this.last = [event.clientX, event.clientY];
    // No ring: who points at the picture sees where they are.
    this.stage.canvas.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
    if (event.button !== 0 || this.store.variants.length === 0) return;
    if (event.shiftKey) {
      event.stopImmediatePropagation();
      this.box.begin(event);
      return;
    }
    const reach = event.pointerType === 'touch' ? 26 : 14;
    const marker = pickAttachments(this.stage, event.clientX, event.clientY, reach * 0.7);
    const hit = marker ? null : pick(this.stage, event.clientX, event.clientY, reach, true);
    const pointer = this.freePointer();
    if ((!marker && !hit) || pointer < 0) return;
    event.stopImmediatePropagation();
    this.stage.canvas.setPointerCapture(event.pointerId);
    const { point, variant } = (marker ?? hit)!;
    const of = this.store.variants[variant];
    const facing = this.stage.eye.camera.getWorldDirection(new Vector3());
    const pull: Pull = {
      pointer,
      variant,
      of,
      numbering: of.numbering,
      plane: new Plane().setFromNormalAndCoplanarPoint(facing, point),
      hit,
      attachments: marker?.attachments ?? [],
      from: [event.clientX, event.clientY],
      since: performance.now(),
      holding: false,
      grab: null,
      target: point.clone(),
      fresh: false,
      timer: 0,
    };
    // One who keeps the button down holds the point, even without moving.
    pull.timer = window.setTimeout(() => this.hold(pull), CLICK_TIME);
    this.pulls.set(event.pointerId, pull);
    this.stage.canvas.style.cursor = 'grabbing';
  }

  private hold(pull: Pull): void {
    clearTimeout(pull.timer);
    if (pull.holding || !this.current(pull)) return;
    pull.holding = true;
    if (pull.hit) pull.grab = new Grab(this.store, pull.variant, pull.pointer, pull.hit, pull.target);
  }

  private move(event: PointerEvent): void {
    this.last = [event.clientX, event.clientY];
    const pull = this.pulls.get(event.pointerId);
    if (!pull) {
      if (event.pointerType === 'mouse' && event.buttons === 0) this.hover = event;
      return;
    }
    event.stopImmediatePropagation();
    if (!pull.holding && Math.hypot(event.clientX - pull.from[0], event.clientY - pull.from[1]) < CLICK_PIXELS) return;
    const ray = this.stage.ray(event.clientX, event.clientY, pull.variant);
    const ahead = ray.direction.dot(pull.plane.normal);
    if (ahead > 1e-6) {
      const distance = -pull.plane.distanceToPoint(ray.origin) / ahead;
      if (distance > 0) pull.target.copy(ray.origin).addScaledVector(ray.direction, distance);
    }
    if (pull.holding) pull.fresh = true;
    else this.hold(pull);
    if (pull.attachments.length > 0) pull.fresh = true;
  }

  /** At most one message a pointer and drawn frame. */
  private flush(): void {
    for (const pull of this.pulls.values()) {
      if (!pull.fresh) continue;
      pull.fresh = false;
      pull.grab?.move(pull.target);
      if (pull.attachments.length === 0 || !this.current(pull)) continue;
      const moved = this.movedAttachments.get(pull.variant) ?? new Set();
      this.movedAttachments.set(pull.variant, moved);
      for (const attachment of pull.attachments) {
        moved.add(attachment);
        this.store.send({ do: 'target', attachment, to: within(pull.target), variant: pull.variant });
      }
    }
    if (this.hover && this.pulls.size === 0) {
      const { clientX, clientY } = this.hover;
      const over = pickAttachments(this.stage, clientX, clientY, 10) ?? pick(this.stage, clientX, clientY, 14);
      this.stage.canvas.style.cursor = over ? 'grab' : '';
    }
    this.hover = null;
  }

  private up(event: PointerEvent): void {
    const pull = this.pulls.get(event.pointerId);
    if (!pull) return;
    event.stopImmediatePropagation();
    this.flush();
    this.drop(event.pointerId);
    pull.grab?.release();
    if (!pull.holding && pull.hit && this.current(pull) && event.type === 'pointerup') {
      const vertex = pull.hit.nearest;
      this.store.send({ do: 'pin', vertices: [vertex], on: !this.stage.pinsOf(pull.variant).has(vertex), variant: pull.variant });
    }
  }

  /** A double click on the target of an attachment gives it back to the scene. */
  private giveBack(event: MouseEvent): void {
    const marker = pickAttachments(this.stage, event.clientX, event.clientY, 10);
    for (const attachment of marker?.attachments ?? []) {
      this.movedAttachments.get(marker!.variant)?.delete(attachment);
      this.store.send({ do: 'target', attachment, to: null, variant: marker!.variant });
    }
  }

  giveAllBack(): void {
    for (const [variant, moved] of this.movedAttachments) {
      const count = this.store.variants[variant]?.mesh?.attached.length ?? 0;
      for (const attachment of moved) if (attachment < count) this.store.send({ do: 'target', attachment, to: null, variant });
    }
    this.movedAttachments.clear();
  }
}
