// Air that moves: how fast, and from where.

import type { Store } from '../store';
import { short, slider, throttled } from './controls';

export function wind(store: Store): HTMLElement[] {
  let strength = 0;
  let heading = 0;
  const send = throttled<void>(100, () => {
    const angle = (heading * Math.PI) / 180;
    store.send({ do: 'wind', velocity: [strength * Math.cos(angle), 0, -strength * Math.sin(angle)] });
  });
  const speed = slider('wind-strength', 'Wind', { min: 0, max: 20, step: 0.1, value: 0 }, (v) => `${short(v)} m/s`, (value, final) => {
    strength = value;
    send(undefined, final);
  });
  const names: Record<number, string> = { 0: '+x', 90: '−z', 180: '−x', 270: '+z', 360: '+x' };
  const direction = slider('wind-direction', 'Wind blows toward', { min: 0, max: 360, step: 5, value: 0 }, (v) => `${v}°${names[v] ? ` (${names[v]})` : ''}`, (value, final) => {
    heading = value;
    if (strength > 0) send(undefined, final);
  });
  const calm = () => {
    strength = 0;
    speed.input.value = '0';
    speed.output.textContent = '0 m/s';
  };
  store.events.on('opened', calm);
  return [speed.element, direction.element];
}
