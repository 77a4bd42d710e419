// The canvas: one viewport for each variant, one camera for all of them, drawn when something has changed.

import { CanvasTexture, Matrix4, PCFShadowMap, SRGBColorSpace, Vector2, Vector3, WebGLRenderer } from 'three';
import { el } from '../dom';
import type { Store } from '../store';
import { Eye } from './camera';
import { firstLook, type Look } from './look';
import { drawnBySoftware, Pace } from './quality';
import { VariantView } from './variantView';

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Ray {
  variant: number;
  origin: Vector3;
  direction: Vector3;
}

export class Stage {
  readonly element = el('main', { class: 'stage', 'aria-label': 'Simulation' });
  readonly canvas = el('canvas', {
    id: 'canvas',
    tabindex: 0,
    'aria-label': 'The simulation. Drag a body to pull it, click a point to pin it, drag the background to turn the view; arrow keys turn, with Shift they move. V goes from vertex to vertex, Enter pins one, G pulls it.',
    role: 'application',
  });
  readonly look: Look = firstLook();
  readonly eye: Eye;
  /** Called right after drawing, while the canvas still holds the picture. */
  readonly afterDraw = new Set<(now: number) => void>();
  views: (VariantView | null)[] = [];
  selection = new Set<number>();
  /** In whose numbers the selection is. */
  private selectedIn = 0;
  private cursor: { variant: number; vertex: number } | null = null;
  /** Told when the look changed without the panel's doing. */
  lookChanged: (() => void) | null = null;
  framesPerSecond = 0;
  private readonly renderer: WebGLRenderer;
  private dirty = true;
  private hovered = false;
  private moved = new Set<number>();
  private drawnSince = { at: 0, count: 0 };
  private fitNext = false;
  private background = new CanvasTexture(el('canvas', { width: 2, height: 256 }));
  /** Most pixels of the screen for one of the page. */
  private sharpness = 2;
  private readonly pace = new Pace(() => this.drawLess());

  constructor(private readonly store: Store) {
    const software = drawnBySoftware();
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: !software, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    if (software) {
      this.look.shadows = false;
      this.sharpness = 1;
    }
    this.renderer.setScissorTest(true);
    this.renderer.autoClear = false;
    this.element.append(this.canvas);
    this.eye = new Eye(this.canvas, () => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(this.element);
    store.events.on('opened', () => (this.fitNext = true));
    store.events.on('frame', (variant) => {
      const number = store.variants.indexOf(variant);
      if (number >= 0) this.moved.add(number);
      this.invalidate();
    });
    store.events.on('mesh', () => this.showPins());
    store.events.on('state', () => {
      this.showPins();
      this.showHolds();
    });
    const hover = (over: boolean) => () => {
      this.hovered = over;
      this.showHolds();
    };
    this.canvas.addEventListener('pointerenter', hover(true));
    this.canvas.addEventListener('pointerleave', hover(false));
    this.canvas.addEventListener('pointercancel', hover(false));
    const loop = (now: number) => {
      requestAnimationFrame(loop);
      try {
        this.turn(now);
      } catch (error) {
        console.error(error);
      }
    };
    requestAnimationFrame(loop);
  }

  invalidate(): void {
    this.dirty = true;
  }

  /** After a change of `look`. */
  restyle(): void {
    const inside = this.wantsInside();
    this.views.forEach((view, number) => {
      // One whose mesh has just changed is built anew with its next frame.
      if (!view || view.generation !== view.variant.generation || view.variant !== this.store.variants[number]) return;
      if (view.inside !== inside) this.build(number);
      else view.apply(this.look);
    });
    this.paintBackground();
    this.invalidate();
  }

  wantsInside(): boolean {
    return this.look.cut.on;
  }

  select(vertices: Set<number>, variant: number): void {
    this.selection = vertices;
    this.selectedIn = variant;
    this.views.forEach((view, number) => view?.markers.selection(this.counted(number, variant) ? vertices : []));
    this.invalidate();
  }

  /** A vertex to show as the keyboard's, or none. */
  point(cursor: { variant: number; vertex: number } | null): void {
    this.cursor = cursor;
    this.views.forEach((view, number) => view?.markers.cursor(cursor?.variant === number ? cursor.vertex : null));
    this.invalidate();
  }

  /** Two variants count alike where they have as many vertices: only then numbers of one are shown in the other. */
  private counted(a: number, b: number): boolean {
    const [first, second] = [this.store.variants[a], this.store.variants[b]];
    return first !== undefined && first.scene.vertices === second?.scene.vertices;
  }

  /** The engine tells the pins of the first variant; those of one that counts otherwise came with its mesh. */
  pinsOf(variant: number): Set<number> {
    return this.counted(variant, 0) ? this.store.pins : new Set(this.store.variants[variant]?.mesh?.pinned);
  }

  showPins(): void {
    this.views.forEach((view, number) => view?.markers.pins(this.pinsOf(number)));
    this.invalidate();
  }

  /** What holds bodies would hide them while they move: it shows while they rest, and where one points. */
  private showHolds(): void {
    const wanted = !this.store.playing || this.hovered;
    if (wanted === this.look.holds) return;
    this.look.holds = wanted;
    this.views.forEach((view) => view?.markers.show(this.look.markers && wanted));
    this.invalidate();
  }

  private paintBackground(): void {
    const canvas = this.background.image as HTMLCanvasElement;
    const context = canvas.getContext('2d')!;
    const fill = context.createLinearGradient(0, 0, 0, 256);
    fill.addColorStop(0, this.look.dark ? '#1b2030' : '#f6f8fd');
    fill.addColorStop(1, this.look.dark ? '#10131c' : '#dde2ee');
    context.fillStyle = fill;
    context.fillRect(0, 0, 2, 256);
    this.background.colorSpace = SRGBColorSpace;
    this.background.needsUpdate = true;
  }

  private build(number: number): void {
    this.views[number]?.dispose();
    const variant = this.store.variants[number];
    const view = new VariantView(variant, this.wantsInside());
    view.scene.background = this.background;
    this.views[number] = view;
    view.update();
    view.apply(this.look);
    view.markers.pins(this.pinsOf(number));
    if (this.selection.size > 0 && this.counted(number, this.selectedIn)) view.markers.selection(this.selection);
    if (this.cursor?.variant === number) view.markers.cursor(this.cursor.vertex);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.sharpness));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.invalidate();
  }

  /** Viewports in CSS pixels of the canvas, from the top left. */
  rects(): Rect[] {
    const count = Math.max(1, this.store.variants.length);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const wide = width >= height;
    const columns = count === 4 ? 2 : wide ? count : 1;
    const rows = Math.ceil(count / columns);
    const gap = count > 1 ? 2 : 0;
    return Array.from({ length: count }, (_, i) => {
      const column = i % columns;
      const row = Math.floor(i / columns);
      const w = (width - gap * (columns - 1)) / columns;
      const h = (height - gap * (rows - 1)) / rows;
      return { x: column * (w + gap), y: row * (h + gap), width: w, height: h };
    });
  }

  private turn(now: number): void {
    this.eye.controls.update();
    for (const number of this.moved) {
      const variant = this.store.variants[number];
      if (!variant?.ready) continue;
      const view = this.views[number];
      // A new mesh: the old picture stayed until there was something to draw instead of it.
      if (!view || view.variant !== variant || view.generation !== variant.generation) this.build(number);
      else view.update();
      if (this.fitNext && number === 0) {
        this.fitNext = false;
        this.eye.fit(variant.scene);
      }
    }
    this.moved.clear();
    if (this.dirty) {
      this.dirty = false;
      this.draw();
      for (const hook of this.afterDraw) hook(now);
      this.pace.drawn(now);
      this.drawnSince.count++;
    }
    this.store.drawn(performance.now());
    if (now - this.drawnSince.at > 500) {
      this.framesPerSecond = (this.drawnSince.count * 1000) / (now - this.drawnSince.at);
      this.drawnSince = { at: now, count: 0 };
    }
  }

  /** First sharpness, then shadows. */
  private drawLess(): void {
    if (this.sharpness > 1 && devicePixelRatio > 1) {
      this.sharpness = 1;
      this.resize();
    } else if (this.look.shadows) {
      this.look.shadows = false;
      this.restyle();
      this.lookChanged?.();
    }
  }

  private draw(): void {
    const { renderer } = this;
    const size = renderer.getSize(new Vector2());
    while (this.views.length > Math.max(1, this.store.variants.length)) this.views.pop()?.dispose();
    const rects = this.rects();
    renderer.setScissor(0, 0, size.x, size.y);
    renderer.setViewport(0, 0, size.x, size.y);
    renderer.setClearColor(this.look.dark ? '#2c3346' : '#c3cadb');
    renderer.clear();
    this.views.forEach((view, i) => {
      const rect = rects[i];
      if (!view || !rect) return;
      this.aim(rect);
      // Of WebGL the origin is at the bottom.
      const bottom = size.y - rect.y - rect.height;
      renderer.setViewport(rect.x, bottom, rect.width, rect.height);
      renderer.setScissor(rect.x, bottom, rect.width, rect.height);
      renderer.clearDepth();
      view.follow(this.eye.camera.position, this.eye.controls.target);
      renderer.render(view.scene, this.eye.camera);
    });
  }

  private aim(rect: Rect): void {
    this.eye.aim(rect.width / Math.max(1, rect.height));
  }

  /** The variant whose viewport is under a point of the page. */
  variantAt(clientX: number, clientY: number): number {
    const box = this.canvas.getBoundingClientRect();
    const x = clientX - box.left;
    const y = clientY - box.top;
    const found = this.rects().findIndex((r) => x >= r.x && x <= r.x + r.width && y >= r.y && y <= r.y + r.height);
    return Math.max(0, found);
  }

  /** The line of sight through a point of the page, in the viewport of a variant (by default the one under the point). */
  ray(clientX: number, clientY: number, variant = this.variantAt(clientX, clientY)): Ray {
    const box = this.canvas.getBoundingClientRect();
    const rect = this.rects()[variant] ?? this.rects()[0];
    this.aim(rect);
    const x = ((clientX - box.left - rect.x) / rect.width) * 2 - 1;
    const y = 1 - ((clientY - box.top - rect.y) / rect.height) * 2;
    const origin = this.eye.camera.position.clone();
    const direction = new Vector3(x, y, 0.5).unproject(this.eye.camera).sub(origin).normalize();
    return { variant, origin, direction };
  }

  /** Says where points of an array are on the page; null behind the camera. What it returns is overwritten by the next call. */
  projector(variant: number): (points: Float32Array, at: number) => [number, number] | null {
    const box = this.canvas.getBoundingClientRect();
    const rect = this.rects()[variant] ?? this.rects()[0];
    this.aim(rect);
    const { camera } = this.eye;
    const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const point = new Vector3();
    const out: [number, number] = [0, 0];
    return (points, at) => {
      const seen = point.fromArray(points, at).applyMatrix4(matrix);
      if (!(seen.z <= 1 && seen.z >= -1)) return null;
      out[0] = box.left + rect.x + ((seen.x + 1) / 2) * rect.width;
      out[1] = box.top + rect.y + ((1 - seen.y) / 2) * rect.height;
      return out;
    };
  }
}
