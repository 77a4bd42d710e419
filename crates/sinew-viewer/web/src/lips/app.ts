// The tool for lips: draw the contour of a lip over a captured face, see the result, and let all other frames learn from it.

import { el, icon, iconButton, icons } from '../dom';
import { Theme } from '../shell/theme';
import '../style/index.css';
import { Desk } from './desk';
import { FaceView } from './face';
import { panel } from './panel';
import { Pen, type Tool } from './pen';
import { expose } from './probe';
import { Timeline } from './timeline';

/** A traced line is looked up at so many places, and not nearer than so many pixels: more would only follow the trembling of the hand. */
const LANDMARKS = 6;
const LANDMARKS_APART = 28;

const keyHelp: [string, string][] = [
  ['T, L, D', 'turn the face, trace a lip, draw a contour'],
  ['Arrows', 'turn the view, or move the cross of the other tools (with Shift: finely), when the picture has the focus'],
  ['Enter, Backspace', 'set a point of the line at the cross, take it back'],
  ['F', 'finish the line'],
  ['Z', 'undo the last stroke on this frame'],
  ['C', 'captured or corrected'],
  ['N', 'next frame that is worth correcting'],
  ['Comma, full stop', 'one frame back, one further'],
  ['Space', 'play or pause'],
  ['Home', 'camera back'],
];

export function start(): void {
  document.title = 'Sinew – lips';
  const desk = new Desk();
  const stage = el('main', { class: 'stage', 'aria-label': 'Face' });
  let view: FaceView;
  try {
    view = new FaceView(stage, desk);
  } catch {
    document.body.append(el('p', { class: 'fatal', role: 'alert' }, 'This browser does not give the page WebGL, which draws the face. Turn on hardware acceleration, or try another browser.'));
    return;
  }
  const messages = el('div', { class: 'notices', id: 'messages', role: 'alert', 'aria-live': 'assertive' });
  const say = (text: string, kind: 'error' | 'warning', remedy?: HTMLElement) => {
    const close = el('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close this message', onclick: () => box.remove() }, icon(icons.close));
    const box = el('div', { class: `notice ${kind}` }, el('pre', {}, text), remedy, close);
    messages.replaceChildren(box);
  };
  const spoken = el('p', { class: 'unseen', role: 'status', id: 'spoken' });

  const pen = new Pen(stage, view.canvas, () => view.lipLine(), (points) => (pen.tool === 'line' ? trace(points) : contour(points)), (text) => {
    spoken.textContent = text;
    if (text.startsWith('Draw')) say(text, 'warning');
  });
  const controls = panel(desk, view, (tool: Tool) => {
    pen.use(tool);
    view.turns(tool === 'turn');
  });
  view.turns(true);
  view.drawn = () => pen.paint();
  const timeline = new Timeline(desk);

  const trace = (points: [number, number][]) => {
    const landmarks: number[] = [];
    const step = (k: number) => (k > 0 ? Math.hypot(points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1]) : 0);
    const apart = Math.max(LANDMARKS_APART, points.reduce((sum, _, k) => sum + step(k), 0) / LANDMARKS);
    let since = Infinity;
    points.forEach(([x, y], k) => {
      since += step(k);
      if (since < apart && k < points.length - 1) return;
      const vertex = view.pick(x, y);
      if (vertex >= 0 && !landmarks.includes(vertex)) landmarks.push(vertex);
      since = 0;
    });
    if (landmarks.length < 2) return say('There are no inner lips where you traced. They are the darker part of the mouth; come closer, or turn the face.', 'error');
    traced = true;
    desk.keepLine(landmarks);
  };
  /** The frame that the last message is about. */
  let saidAt = 0;
  /** A traced line is under way. */
  let traced = false;

  const contour = (points: [number, number][]) => {
    const line = desk.lines[desk.line];
    if (!line) return say('Trace a lip first (L): the contour is drawn for that line.', 'error');
    const ends = [view.project(line[0]), view.project(line[line.length - 1])];
    const [a, b] = ends;
    if (!a || !b) return say('A part of the lip line is behind the camera. Turn the face, or choose “Camera back”.', 'error');
    const far = (p: [number, number], q: [number, number]) => Math.hypot(p[0] - q[0], p[1] - q[1]);
    const [first, last] = [points[0], points[points.length - 1]];
    // Which way one draws does not matter.
    const turned = far(first, a) + far(last, b) > far(first, b) + far(last, a);
    desk.draw(view.camera(), turned ? [...points].reverse() : points);
  };

  const theme = new Theme((dark) => {
    view.restyle(dark);
    timeline.paint();
  });
  const help = el(
    'dialog',
    { id: 'help-dialog', 'aria-label': 'Keys' },
    el('h2', {}, 'Keys'),
    el('dl', {}, ...keyHelp.flatMap(([key, what]) => [el('dt', {}, key), el('dd', {}, what)])),
    el('form', { method: 'dialog' }, el('button', { class: 'primary' }, 'Close')),
  );
  const title = el('h1', { class: 'scene-title', id: 'title' }, 'Lips');
  const top = el('header', { class: 'top' }, title, el('span', { class: 'spring' }), iconButton('help', icons.help, 'Keys (?)', () => help.showModal()), iconButton('theme', icons.theme, 'Dark or light', () => theme.toggle()));
  stage.append(messages, spoken);
  const app = el('div', { class: 'app lips' }, top, stage, timeline.element, controls.element);
  document.body.append(app, help);

  desk.events.on('hello', (hello) => {
    messages.replaceChildren();
    title.textContent = `Lips: ${hello.title}`;
  });
  desk.events.on('error', (message) => {
    traced = false;
    say(message, 'error');
  });
  desk.events.on('training', ({ done }) => {
    if (done) say(done, 'warning');
    saidAt = desk.frame;
  });
  // What was done to one frame is no news at another.
  desk.events.on('face', ({ frame }) => {
    if (frame !== saidAt) messages.querySelector('.warning')?.remove();
  });
  desk.events.on('lines', () => {
    if (traced) controls.choose('contour');
    traced = false;
  });
  const connect = async () => {
    try {
      await desk.open();
    } catch (error) {
      lose(error instanceof Error ? error.message : String(error));
    }
  };
  const lose = (reason: string) => {
    desk.lastError = reason;
    say(reason, 'error', el('button', { type: 'button', id: 'reconnect', onclick: () => void connect() }, 'Connect again'));
  };
  desk.events.on('lost', lose);
  addEventListener('beforeunload', (event) => {
    // Drafts stay with the server, not for ever.
    if (desk.strokes > 0) event.preventDefault();
  });
  listen({ t: () => controls.choose('turn'), l: () => controls.choose('line'), d: () => controls.choose('contour'), z: () => desk.strokes > 0 && desk.undo(false), c: () => controls.flipSide(), n: () => timeline.next(), ',': () => timeline.step(-1), '.': () => timeline.step(1), ' ': () => timeline.toggle(), '?': () => help.showModal() }, () => help.open);
  expose(desk, view, pen);
  theme.apply();
  void connect();
}

/** Keys that work anywhere, except where one writes or chooses. */
function listen(keys: Record<string, () => unknown>, busy: () => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || busy()) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest('select, textarea')) return;
    if (event.key === ' ' && target?.closest('button, input, a')) return;
    const action = keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
