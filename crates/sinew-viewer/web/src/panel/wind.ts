// Air that moves: how fast, and from where.

import type { Store } from '../store';
import { short, slider, throttled } from './controls';

/** Milliseconds after which the engine has told what was asked of it. */
const SETTLED = 500;

export function wind(store: Store): HTMLElement[] {
  let strength = 0;
  let heading = 0;
  let touched = -SETTLED;
  const send = throttled<void>(100, () => {
    const angle = (heading * Math.PI) / 180;
    store.send({ do: 'wind', velocity: [strength * Math.cos(angle), 0, -strength * Math.sin(angle)] });
  });
  const speed = slider('wind-strength', 'Wind', { min: 0, max: 20, step: 0.1, value: 0 }, (v) => `${short(v)} m/s`, (value, final) => {
    strength = value;
    touched = performance.now();
    send(undefined, final);
  });
  const names: Record<number, string> = { 0: '+x', 90: '−z', 180: '−x', 270: '+z', 360: '+x' };
  const direction = slider('wind-direction', 'Wind blows toward', { min: 0, max: 360, step: 5, value: 0 }, (v) => `${v}°${names[v] ? ` (${names[v]})` : ''}`, (value, final) => {
    heading = value;
    touched = performance.now();
    if (strength > 0) send(undefined, final);
  });
  // What blows is what the engine says, after a reset as after a state was loaded; only not while someone moves a slider, whose
  // older values are still on their way back.
  const follow = () => {
    clearTimeout(later);
    if (speed.busy() || direction.busy()) return;
    const rest = touched + SETTLED - performance.now();
    if (rest > 0) {
      later = window.setTimeout(follow, rest);
      return;
    }
    const [x, y, z] = store.wind ?? [0, 0, 0];
    strength = Math.hypot(x, y, z);
    speed.set(Number(strength.toPrecision(4)));
    if (strength === 0) return;
    heading = (Math.round((Math.atan2(-z, x) * 180) / Math.PI) + 360) % 360;
    direction.set(heading);
  };
  let later = 0;
  store.events.on('state', follow);
  return [speed.element, direction.element];
}
