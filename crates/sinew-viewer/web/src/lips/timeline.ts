// The frames: a slider, what of each frame is not explained, and marks on those to correct and those that are corrected.

import { el, icon, iconButton, icons } from '../dom';
import type { Desk } from './desk';

/** Frames a second. */
const RATE = 30;

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider = el('input', { id: 'frame', type: 'range', min: 0, max: 0, step: 1, 'aria-label': 'Frame', value: 0 });
  private readonly number = el('output', { id: 'frame-number', for: 'frame' });
  private readonly strip = el('canvas', { class: 'strip', 'aria-hidden': 'true' });
  private readonly play = iconButton('play', icons.play, 'Play or pause (Space)', () => this.toggle(), true);
  private timer = 0;

  constructor(private readonly desk: Desk) {
    this.slider.addEventListener('input', () => desk.show(this.slider.valueAsNumber));
    const next = el('button', { id: 'next-suggested', type: 'button', onclick: () => this.next() }, 'Next to correct');
    this.element = el('section', { class: 'timeline', 'aria-label': 'Frames' }, el('div', { class: 'timeline-bar' }, this.play, this.number, el('span', { class: 'spring' }), next), this.strip, this.slider);
    new ResizeObserver(() => this.paint()).observe(this.strip);
    desk.events.on('hello', () => this.refresh());
    desk.events.on('face', () => this.refresh());
    desk.events.on('survey', () => this.paint());
    desk.events.on('training', () => this.paint());
  }

  /** One frame further, or back. */
  step(by: number): void {
    this.desk.show(this.desk.frame + by);
    this.refresh();
  }

  /** To the suggested frame after this one, in the order of their worth. */
  next(): void {
    const list = this.desk.survey?.suggestions ?? [];
    if (list.length === 0) return;
    this.desk.show(list[(list.indexOf(this.desk.frame) + 1) % list.length]);
    this.refresh();
  }

  toggle(): void {
    const plays = this.timer === 0;
    clearInterval(this.timer);
    this.timer = 0;
    if (plays) {
      this.timer = window.setInterval(() => {
        // A frame that takes longer is shown until it is there.
        if (this.desk.idle) this.desk.show((this.desk.frame + 1) % (this.desk.hello?.frames ?? 1));
      }, 1000 / RATE);
    }
    this.play.replaceChildren(icon(plays ? icons.pause : icons.play, !plays), el('span', { class: 'word' }, 'Play or pause'));
    this.play.setAttribute('aria-pressed', String(plays));
  }

  private refresh(): void {
    const { desk, slider } = this;
    const last = (desk.hello?.frames ?? 1) - 1;
    slider.max = String(last);
    slider.value = String(desk.frame);
    this.number.textContent = `Frame ${desk.frame} of ${last}`;
    const marks = [desk.training?.trained.includes(desk.frame) && 'training frame', desk.survey?.suggestions.includes(desk.frame) && 'worth correcting'].filter(Boolean);
    slider.setAttribute('aria-valuetext', [`Frame ${desk.frame}`, ...marks].join(', '));
    this.paint();
  }

  paint(): void {
    const { strip, desk } = this;
    const width = strip.clientWidth;
    const height = strip.clientHeight;
    const scale = Math.min(2, devicePixelRatio);
    strip.width = width * scale;
    strip.height = height * scale;
    const pen = strip.getContext('2d');
    const frames = desk.hello?.frames ?? 0;
    if (!pen || frames === 0 || width === 0) return;
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    // The thumb of the slider is 8 pixels from its ends at the first and at the last frame.
    const x = (frame: number) => 8 + ((width - 16) * frame) / Math.max(1, frames - 1);
    const unexplained = desk.survey?.unexplained ?? [];
    const most = Math.max(1e-12, ...unexplained);
    pen.fillStyle = colour('--edge');
    const bar = Math.max(1, (width - 16) / frames);
    unexplained.forEach((value, frame) => {
      const high = (height - 12) * (value / most);
      pen.fillRect(x(frame) - bar / 2, height - high, bar, high);
    });
    const mark = (frame: number, shade: string, draw: (at: number) => void) => {
      pen.fillStyle = shade;
      pen.beginPath();
      draw(x(frame));
      pen.fill();
    };
    // Triangles are to be corrected, dots are corrected.
    for (const frame of desk.survey?.suggestions ?? []) {
      mark(frame, colour('--bad'), (at) => {
        pen.moveTo(at - 5, 1);
        pen.lineTo(at + 5, 1);
        pen.lineTo(at, 10);
      });
    }
    for (const frame of desk.training?.trained ?? []) mark(frame, colour('--good'), (at) => pen.arc(at, 6, 4.5, 0, 7));
    mark(desk.frame, colour('--accent'), (at) => pen.rect(at - 1, 0, 2, height));
  }
}
