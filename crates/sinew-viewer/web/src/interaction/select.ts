// Shift and drag: a box, and the vertices that are seen in it.

import { el } from '../dom';
import { PIN_LIMIT } from '../protocol/limits';
import type { Store } from '../store';
import type { Variant } from '../variant';
import type { Stage } from '../view/stage';

export class BoxSelect {
  /** Of what the vertices are, and how they were numbered. */
  private of: { variant: number; model: Variant; numbering: number } | null = null;
  private readonly frame = el('div', { class: 'select-box', hidden: true });
  private readonly text = el('span', { role: 'status' });
  private readonly bar = el(
    'div',
    { class: 'selection-bar', id: 'selection', hidden: true },
    this.text,
    el('button', { type: 'button', id: 'pin-selection', onclick: () => this.pin(true) }, 'Pin'),
    el('button', { type: 'button', id: 'free-selection', onclick: () => this.pin(false) }, 'Free'),
    el('button', { type: 'button', id: 'clear-selection', onclick: () => this.clear() }, 'Clear'),
  );

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
  ) {
    stage.element.append(this.frame, this.bar);
    store.events.on('opened', () => this.clear());
    // Numbers of an older mesh may be those of other vertices now.
    store.events.on('mesh', () => this.current() || this.clear());
  }

  begin(event: PointerEvent): void {
    const { canvas } = this.stage;
    const variant = this.stage.variantAt(event.clientX, event.clientY);
    const start = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
    const box = (now: PointerEvent) => ({
      left: Math.min(start[0], now.clientX),
      right: Math.max(start[0], now.clientX),
      top: Math.min(start[1], now.clientY),
      bottom: Math.max(start[1], now.clientY),
    });
    const move = (now: PointerEvent) => {
      if (now.pointerId !== event.pointerId) return;
      const { left, right, top, bottom } = box(now);
      const origin = this.stage.element.getBoundingClientRect();
      this.frame.hidden = false;
      Object.assign(this.frame.style, {
        left: `${left - origin.left}px`,
        top: `${top - origin.top}px`,
        width: `${right - left}px`,
        height: `${bottom - top}px`,
      });
    };
    const end = (now: PointerEvent) => {
      if (now.pointerId !== event.pointerId) return;
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerup', end);
      canvas.removeEventListener('pointercancel', end);
      this.frame.hidden = true;
      if (now.type === 'pointerup') this.select(variant, box(now));
    };
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
  }

  private select(variant: number, box: { left: number; right: number; top: number; bottom: number }): void {
    const view = this.stage.views[variant];
    if (!view || view.generation !== view.variant.generation) return;
    const found = new Set<number>();
    const project = this.stage.projector(variant);
    const count = view.inside ? view.variant.scene.vertices : view.variant.scene.seen;
    for (let v = 0; v < count; v++) {
      const at = project(view.variant.positions, v * 3);
      if (at && at[0] >= box.left && at[0] <= box.right && at[1] >= box.top && at[1] <= box.bottom) found.add(v);
    }
    this.of = { variant, model: view.variant, numbering: view.variant.numbering };
    this.show(found);
  }

  private current(): boolean {
    const { of } = this;
    return of !== null && this.store.variants[of.variant] === of.model && of.model.numbering === of.numbering;
  }

  private show(vertices: Set<number>): void {
    this.stage.select(vertices, this.of?.variant ?? 0);
    this.bar.hidden = vertices.size === 0;
    this.text.textContent = `${vertices.size} ${vertices.size === 1 ? 'vertex' : 'vertices'} selected`;
  }

  clear(): void {
    this.of = null;
    if (this.stage.selection.size > 0) this.show(new Set());
  }

  pin(on: boolean): void {
    if (!this.of || !this.current()) return this.clear();
    const { variant } = this.of;
    const vertices = [...this.stage.selection];
    for (let i = 0; i < vertices.length; i += PIN_LIMIT) {
      this.store.send({ do: 'pin', vertices: vertices.slice(i, i + PIN_LIMIT), on, variant });
    }
  }
}
