// Muscles, jaw and fatness of a face. Until someone moves a slider, the face shows what the scene says.

import { el } from '../dom';
import type { Expression } from '../protocol/messages';
import type { Store } from '../store';
import { button, group, short, slider, throttled, toggle, type Slider } from './controls';

/** Milliseconds after which the engine has told what was asked of it. */
const SETTLED = 500;
const SIDES = ['left ', 'right '];

/** The jaw: what a slider changes, and what a unit of it is for the engine. */
const JAW = [
  { id: 'jaw-open', label: 'Jaw opens', range: { min: 0, max: 15, step: 0.1, value: 0 }, unit: '°' },
  { id: 'jaw-turn', label: 'Jaw turns', range: { min: -5, max: 5, step: 0.1, value: 0 }, unit: '°' },
  { id: 'jaw-forward', label: 'Jaw forward', range: { min: -3, max: 5, step: 0.1, value: 0 }, unit: ' mm' },
];

const withoutSide = (name: string) => SIDES.reduce((short, side) => (short.startsWith(side) ? short.slice(side.length) : short), name);
const unique = (list: string[]) => [...new Set(list)];

export function facePanel(store: Store): HTMLElement {
  let names: string[] = [];
  let contract: Record<string, number> = {};
  let jaw = [0, 0, 0];
  let muscles: { name: string; slider: Slider }[] = [];
  let touched = -SETTLED;

  const send = throttled<void>(60, () => {
    const used = Object.entries(contract).filter(([, length]) => length !== 1);
    const [open, turn, forward] = jaw;
    const expression: Expression = { contract: Object.fromEntries(used), jaw: { open, turn, offset: [0, 0, forward / 1000] } };
    store.send({ do: 'face', expression });
  });
  const change = (final: boolean) => {
    touched = performance.now();
    send(undefined, final);
  };

  const jaws = JAW.map(({ id, label, range, unit }, k) =>
    slider(id, label, range, (v) => `${short(v)}${unit}`, (value, final) => {
      jaw[k] = value;
      change(final);
    }),
  );
  const fatten = throttled<string>(200, (line) => store.send({ do: 'set', set: [line] }));
  const fat = slider('fatness', 'Fatness', { min: 0.8, max: 1.4, step: 0.01, value: 1 }, short, (value, final) => {
    const key = store.variants[0]?.scene.face?.fat.key;
    if (key) fatten(`${key}=${value}`, final);
  });

  const list = el('div', { class: 'rows' });
  const build = () => {
    const shown = sides.input.checked ? names : unique(names.map(withoutSide));
    muscles = shown.map((name, k) => {
      // How much shorter than at rest.
      const made = slider(`muscle-${k}`, name, { min: 0, max: 50, step: 1, value: 0 }, (v) => `${short(v)} %`, (value, final) => {
        for (const own of names.filter((own) => own === name || withoutSide(own) === name)) contract[own] = 1 - value / 100;
        change(final);
      });
      made.input.dataset['muscle'] = name;
      return { name, slider: made };
    });
    list.replaceChildren(...muscles.map((row) => row.slider.element));
  };
  const sides = toggle('face-sides', 'Each side for itself', () => {
    build();
    show();
  });

  const show = () => {
    for (const { name, slider } of muscles) {
      if (slider.busy()) continue;
      const own = names.filter((own) => own === name || withoutSide(own) === name).map((own) => contract[own] ?? 1);
      slider.set(Math.round(100 * (1 - own.reduce((sum, length) => sum + length, 0) / Math.max(1, own.length))));
    }
    jaws.forEach((made, k) => made.busy() || made.set(jaw[k]));
  };

  // What is in force is what the engine says, after a reset as after a state was loaded; only not while someone moves a slider.
  let later = 0;
  const follow = () => {
    clearTimeout(later);
    if (muscles.some((row) => row.slider.busy()) || jaws.some((made) => made.busy())) return;
    const rest = touched + SETTLED - performance.now();
    if (rest > 0) {
      later = window.setTimeout(follow, rest);
      return;
    }
    const now = store.face;
    contract = {};
    for (const [name, length] of Object.entries(now?.contract ?? {})) {
      for (const own of names.filter((own) => own === name || withoutSide(own) === name)) contract[own] = length;
    }
    jaw = [now?.jaw?.open ?? 0, now?.jaw?.turn ?? 0, 1000 * (now?.jaw?.offset?.[2] ?? 0)];
    back.disabled = now === null;
    show();
  };

  const back = button('face-back', 'Let the scene move the face', () => {
    touched = -SETTLED;
    store.send({ do: 'face', expression: null });
  });
  const box = group('Face', ...jaws.map((made) => made.element), fat.element, sides.element, list, back);
  box.id = 'face-controls';
  box.hidden = true;

  const open = () => {
    const face = store.variants[0]?.scene.face;
    box.hidden = !face;
    if (!face) return;
    if (face.muscles.join() !== names.join()) {
      names = face.muscles;
      build();
    }
    if (!fat.busy()) fat.set(face.fat.value);
    follow();
  };
  store.events.on('scene', open);
  store.events.on('state', follow);
  store.events.on('error', (error) => ['face', 'set'].includes(error.about) && open());
  return box;
}
