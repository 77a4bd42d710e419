// The line at the bottom: which engine, how fast, how exact.

import { el } from '../dom';
import { short } from '../panel/controls';
import type { Store } from '../store';
import type { Stage } from '../view/stage';

export function statusLine(store: Store, stage: Stage): HTMLElement {
  const cell = (id: string, title: string) => el('span', { id, title });
  const engine = cell('status-engine', 'Which engine computes');
  const size = cell('status-size', 'Vertices and elements of the scene');
  const fps = cell('status-fps', 'Pictures drawn a second');
  const step = cell('status-step', 'Computing time of a step');
  const factor = cell('status-factor', 'Simulated seconds a second');
  const lost = cell('status-lost', 'Steps whose numbers never reached the page');
  const kept = cell('status-kept', 'Visible motion of the last fifth of the run over that of the first fifth: kinetic energy of displacements over 0.1 s');
  const drift = cell('status-drift', '|H − target| over the largest kinetic energy plus the largest change of potential energy');
  /** Where the simulation was during the last two seconds. */
  let past: { wall: number; time: number }[] = [];
  const write = (element: HTMLElement, text: string) => {
    if (element.textContent !== text) element.textContent = text;
  };
  setInterval(() => {
    const { hello, variants } = store;
    const variant = variants[0];
    write(engine, store.connected && hello ? `${hello.engine} ${hello.version}${hello.threads > 1 ? `, ${hello.threads} threads` : ''}` : 'no engine');
    if (!variant) return;
    write(size, `${variant.scene.vertices} vertices, ${variant.scene.elements} elements`);
    write(fps, `${store.playing ? Math.round(stage.framesPerSecond) : '–'} fps`);
    const sum = variants.reduce((total, each) => total + (each.history.newest('ms.step') || 0), 0);
    write(step, `step ${sum > 0 ? sum.toFixed(sum < 10 ? 2 : 1) : '–'} ms`);
    const now = performance.now();
    if (!store.playing || (past.length > 0 && variant.time < past[past.length - 1].time)) past = [];
    past.push({ wall: now, time: variant.time });
    while (past.length > 5) past.shift();
    const passed = now - past[0].wall;
    write(factor, `${store.playing && passed > 0 ? (((variant.time - past[0].time) * 1000) / passed).toFixed(2) : '–'} × real time`);
    const missing = Math.max(...variants.map((each) => each.lostRows));
    write(lost, `${missing} dropped`);
    write(kept, `motion kept ${variants.map((each) => short(each.visibleKept(), 2)).join(' ')}`);
    const drifts = variants.map((each) => (each.history.length > 0 ? each.drift() : NaN));
    drift.replaceChildren('drift', ...drifts.map((value) => el('b', { class: value > 0.01 ? 'off' : '' }, short(value, 2))));
  }, 500);
  return el('footer', { class: 'status', id: 'status', 'aria-label': 'Status' }, engine, size, fps, step, factor, lost, kept, drift);
}
