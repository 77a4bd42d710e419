// The picture with the labels of the variants, on a canvas of its own: what films and screenshots show.

import { el } from '../dom';
import type { Store } from '../store';
import type { Stage } from '../view/stage';

export class Picture {
  readonly canvas = el('canvas');
  private readonly context = this.canvas.getContext('2d', { alpha: false })!;
  private readonly wanted = new Set<(canvas: HTMLCanvasElement, now: number) => void>();

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
  ) {
    stage.afterDraw.add((now) => {
      if (this.wanted.size === 0) return;
      this.compose();
      for (const listener of [...this.wanted]) listener(this.canvas, now);
    });
  }

  /** Calls with every drawn picture until the returned function is called. */
  follow(listener: (canvas: HTMLCanvasElement, now: number) => void): () => void {
    this.wanted.add(listener);
    this.stage.invalidate();
    return () => this.wanted.delete(listener);
  }

  once(listener: (canvas: HTMLCanvasElement) => void): void {
    const stop = this.follow((canvas) => {
      stop();
      listener(canvas);
    });
  }

  /** Of even size, which video encoders want. */
  compose(): void {
    const source = this.stage.canvas;
    const width = source.width & ~1;
    const height = source.height & ~1;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const { context } = this;
    context.drawImage(source, 0, 0);
    if (this.store.variants.length < 2) return;
    const scale = source.width / Math.max(1, source.clientWidth);
    context.font = `600 ${13 * scale}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    this.stage.rects().forEach((rect, i) => {
      const label = this.store.variants[i]?.scene.label;
      if (!label) return;
      const x = (rect.x + 12) * scale;
      const y = (rect.y + 12) * scale;
      context.fillStyle = 'rgba(16, 20, 34, 0.78)';
      context.beginPath();
      context.roundRect(x, y, context.measureText(label).width + 20 * scale, 26 * scale, 6 * scale);
      context.fill();
      context.fillStyle = '#fff';
      context.fillText(label, x + 10 * scale, y + 14 * scale);
    });
  }
}
