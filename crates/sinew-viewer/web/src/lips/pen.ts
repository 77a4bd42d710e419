// Drawing over the face: strokes of a pointer, or points that the keyboard sets one after the other.

import { el } from '../dom';

export type Tool = 'turn' | 'line' | 'contour';

/** Pixels between two points of a stroke. */
const APART = 3;
/** Pixels that an arrow key moves the cross, with Shift and without. */
const STEPS = [2, 10];

type Point = [number, number];

export class Pen {
  readonly element = el('canvas', { class: 'pen', 'aria-hidden': 'true' });
  tool: Tool = 'turn';
  private points: Point[] = [];
  private pointer: number | null = null;
  /** Where the keyboard's cross is. */
  private cross: Point | null = null;

  constructor(
    private readonly stage: HTMLElement,
    canvas: HTMLCanvasElement,
    /** Where the lip line is now. */
    private readonly lipLine: () => Point[],
    private readonly done: (points: Point[]) => void,
    private readonly say: (text: string) => void,
  ) {
    stage.append(this.element);
    new ResizeObserver(() => this.paint()).observe(stage);
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', () => this.clear());
    // Before the camera hears of the arrows.
    stage.addEventListener('keydown', (event) => this.key(event), { capture: true });
    canvas.addEventListener('blur', () => {
      this.cross = null;
      this.paint();
    });
  }

  use(tool: Tool): void {
    this.tool = tool;
    this.clear();
  }

  clear(): void {
    this.points = [];
    this.pointer = null;
    this.cross = null;
    this.paint();
  }

  private at(event: PointerEvent): Point {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent): void {
    if (this.tool === 'turn') return;
    // A second finger zooms; what the first has drawn by then was not meant.
    if (this.pointer !== null || event.button !== 0) return this.clear();
    this.pointer = event.pointerId;
    this.cross = null;
    this.points = [this.at(event)];
    this.paint();
  }

  private move(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    for (const part of event.getCoalescedEvents?.() ?? [event]) {
      const [x, y] = this.at(part);
      const [a, b] = this.points[this.points.length - 1];
      if (Math.hypot(x - a, y - b) >= APART) this.points.push([x, y]);
    }
    this.paint();
  }

  private up(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    this.finish();
  }

  private finish(): void {
    const { points } = this;
    this.clear();
    if (points.length >= 2) this.done(points);
    else this.say('Draw a line, not a point: from one end of the lip to the other.');
  }

  private key(event: KeyboardEvent): void {
    if (this.tool === 'turn' || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.shiftKey ? 0 : 1];
    const moves: Record<string, Point> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const move = moves[event.key];
    const { clientWidth, clientHeight } = this.stage;
    this.cross ??= move || event.key === 'Enter' ? [Math.round(clientWidth / 2), Math.round(clientHeight / 2)] : null;
    if (move && this.cross) {
      this.cross = [Math.max(0, Math.min(clientWidth, this.cross[0] + move[0])), Math.max(0, Math.min(clientHeight, this.cross[1] + move[1]))];
    } else if (event.key === 'Enter' && this.cross) {
      this.points.push([...this.cross]);
      this.say(`Point ${this.points.length} is set; F finishes the line.`);
    } else if (event.key === 'Backspace') {
      this.points.pop();
      this.say(`${this.points.length} points.`);
    } else if (event.key === 'Escape') {
      this.clear();
    } else if (event.key.toLowerCase() === 'f' && this.points.length > 0) {
      this.finish();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.paint();
  }

  /** Draws the lip line and what the hand has drawn so far. */
  paint(): void {
    const { clientWidth, clientHeight } = this.stage;
    const scale = Math.min(2, devicePixelRatio);
    this.element.width = clientWidth * scale;
    this.element.height = clientHeight * scale;
    const pen = this.element.getContext('2d');
    if (!pen) return;
    pen.scale(scale, scale);
    pen.lineJoin = pen.lineCap = 'round';
    const { points, cross } = this;
    const lipLine = this.lipLine();
    // One that has nothing on it might not be drawn anew.
    this.element.hidden = points.length === 0 && cross === null && lipLine.length === 0;
    polyline(pen, lipLine, '#1f46d6', 1.5);
    const colour = this.tool === 'line' ? '#1f46d6' : '#0b7a3b';
    polyline(pen, points, colour, 2.5);
    if (cross) {
      const [x, y] = cross;
      polyline(pen, [[x - 9, y], [x + 9, y]], colour, 2.5);
      polyline(pen, [[x, y - 9], [x, y + 9]], colour, 2.5);
    }
  }
}

/** A dark line with a light edge, which is seen on any skin. */
function polyline(pen: CanvasRenderingContext2D, points: Point[], colour: string, width: number): void {
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  for (const [shade, wide] of [['rgb(255 255 255 / 80%)', width + 2], [colour, width]] as const) {
    pen.strokeStyle = shade;
    pen.lineWidth = wide;
    pen.stroke();
  }
}
