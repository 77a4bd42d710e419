// How it is simulated: method, damping, gravity, materials. Shows what is in force; asks for changes by `set`.

import { el } from '../dom';
import type { Values } from '../protocol/messages';
import type { Store } from '../store';
import type { Variant } from '../variant';
import { button, choice, choose, field, group, number, short, slider, throttled, toggle, type Slider } from './controls';
import { facePanel } from './face';
import { wind } from './wind';

const integrators = ['forward-euler', 'symplectic-euler', 'backward-euler', 'bdf2', 'implicit-midpoint', 'newmark', 'sdirk2', 'tr-bdf2', 'generalized-alpha', 'discrete-gradient'];
const solvers = ['newton', 'linearized', 'projective-dynamics', 'xpbd'];
const accelerations = ['none', 'lbfgs'];
const corrections = ['none', 'fepr', 'fepr-sqp', 'blend', 'velocity-projection', 'lagrange-multiplier'];

interface MaterialRow {
  key: string;
  /** Value when the scene was opened: the middle of the slider. */
  base: number;
  slider: Slider;
}

/** Poisson's ratio has bounds; everything else is a positive number of any size. */
const bounded = (key: string) => key.endsWith('poisson');

export function physicsPanel(store: Store, giveBack: () => void): HTMLElement {
  let chosen = 0;
  const whom = choice('variant', [], (value) => {
    chosen = Number(value);
    show();
  });
  const whomField = field('Variant', whom);
  whomField.hidden = true;

  const current = (): Variant | undefined => store.variants[Math.max(0, chosen)];
  const set = (...lines: string[]) => {
    if (store.variants.length > 1 && chosen >= 0) store.send({ do: 'set', set: lines, variant: chosen });
    else store.send({ do: 'set', set: lines });
  };

  const integrator = choice('integrator', integrators, (value) => set(`integrator.kind=${value}`));
  const solver = choice('solver', solvers, (value) => set(`solver.kind=${value}`));
  const acceleration = choice('acceleration', accelerations, (value) => set(`solver.acceleration=${value}`));
  const correction = choice('correction', corrections, (value) => set(`correction.kind=${value}`));
  // What most people want to know of all this, in a word.
  const keep = toggle('keep-energy', 'Keep energy', (on) => set(`correction.kind=${on ? 'fepr' : 'none'}`));
  const keepHint = el('p', { class: 'hint', id: 'keep-energy-hint' });
  keep.input.setAttribute('aria-describedby', keepHint.id);
  let cannot: string | null = null;
  store.events.on('opened', async () => {
    [cannot] = [...(await store.ask([['correction.kind=fepr']])), null];
    show();
  });
  const iterations = number('iterations', { min: 1, max: 100000, step: 1 }, (value) => set(`solver.iterations=${Math.round(value)}`));
  const perSecond = number('time-step', { min: 1, max: 100000, step: 'any' }, (value) =>
    set(Number.isInteger(value) ? `h=1/${value}` : `h=${1 / value}`),
  );
  const timeStep = el('div', { class: 'field' }, el('label', { for: 'time-step' }, 'Time step (s)'), el('span', { class: 'fraction' }, '1 /', perSecond));
  const ether = number('damping-ether', { min: 0, step: 'any' }, (value) => set(`damping.ether=${value}`));
  const rigid = number('damping-rigid', { min: 0, max: 1, step: 'any' }, (value) => set(`damping.rigid_preserving=${value}`));
  const later = throttled<string>(150, (line) => set(line));
  const gravity = slider('gravity', 'Gravity', { min: -30, max: 30, step: 0.01, value: 0 }, (v) => `${short(v)} m/s²`, (value, final) => {
    const [x, , z] = current()?.values.gravity ?? [0, 0, 0];
    later(`gravity=[${x},${value},${z}]`, final);
  });

  const attachments = button('give-back', 'Give moved attachments back', giveBack);
  attachments.hidden = true;
  store.events.on('mesh', (variant) => (attachments.hidden = variant.mesh!.attached.length === 0));

  const materials = el('div', { class: 'rows' });
  const materialGroup = group('Materials', materials);
  let rows: MaterialRow[] = [];

  const buildMaterials = (values: Values) => {
    rows = values.materials.map(({ key, label, value }, i) => {
      const send = throttled<number>(200, (next) => set(`${key}=${next}`));
      const range = bounded(key) ? { min: -0.4, max: 0.495, step: 0.005, value } : { min: -2, max: 2, step: 0.02, value: 0 };
      const real = (at: number) => (bounded(key) ? at : value * 10 ** at);
      const made = slider(`material-${i}`, label, range, (at) => short(real(at)), (at, final) => send(Number(real(at).toPrecision(6)), final));
      made.input.dataset['key'] = key;
      made.element.title = key;
      return { key, base: value, slider: made };
    });
    materials.replaceChildren(...rows.map((row) => row.slider.element));
  };

  const showMaterials = (values: Values) => {
    const same = rows.length === values.materials.length && rows.every((row, i) => row.key === values.materials[i].key);
    if (!same) buildMaterials(values);
    materialGroup.hidden = rows.length === 0;
    rows.forEach((row, i) => {
      if (row.slider.busy()) return;
      const { value } = values.materials[i];
      row.slider.set(bounded(row.key) ? value : Math.log10(value / row.base));
    });
  };

  const show = () => {
    const variant = current();
    if (!variant) return;
    const { values } = variant;
    choose(integrator, values.integrator);
    choose(solver, values.solver);
    choose(acceleration, values.acceleration ?? 'none');
    acceleration.disabled = values.solver !== 'projective-dynamics';
    choose(correction, values.correction);
    keep.input.checked = values.correction !== 'none';
    keep.input.disabled = cannot !== null && values.correction === 'none';
    keepHint.textContent = keep.input.disabled
      ? `This scene cannot: ${cannot}`
      : keep.input.checked
        ? 'On: every step is put right, so that the energy is what it was plus what was added.'
        : 'Off: the method loses or gains energy as it will. The plot shows how much.';
    iterations.value = values.iterations === null ? '' : String(values.iterations);
    iterations.disabled = values.iterations === null;
    perSecond.value = String(Number((1 / values.h).toPrecision(6)));
    ether.value = String(values.ether);
    rigid.value = String(values.rigid_preserving);
    if (!gravity.busy()) gravity.set(values.gravity[1]);
    showMaterials(values);
  };

  const showVariants = () => {
    const several = store.variants.length > 1;
    whomField.hidden = !several;
    if (!several) chosen = 0;
    else if (whom.options.length !== store.variants.length + 1) chosen = -1;
    whom.replaceChildren(
      el('option', { value: -1 }, 'all'),
      ...store.variants.map((variant, i) => el('option', { value: i }, variant.scene.label || `variant ${i + 1}`)),
    );
    whom.value = String(chosen);
  };

  store.events.on('opened', () => (rows = []));
  store.events.on('scene', () => {
    showVariants();
    show();
  });
  store.events.on('settings', show);
  // What was refused is not in force: the controls say so again.
  store.events.on('error', (error) => error.about === 'set' && show());

  return el(
    'div',
    { class: 'page' },
    whomField,
    group('Energy', keep.element, keepHint),
    group('Forces', gravity.element, ...wind(store), attachments),
    facePanel(store),
    materialGroup,
    advanced(
      group(
        'Method',
        field('Integrator', integrator),
        field('Solver', solver),
        field('Acceleration', acceleration),
        field('Iterations', iterations),
        field('Correction', correction, 'Puts the energy right after each step'),
        timeStep,
      ),
      group('Damping', field('Ether (N·s/m)', ether), field('Rigid-preserving', rigid, 'Share of the non-rigid velocity removed each step, 0 to 1')),
    ),
  );
}

/** What one needs to know the methods for. Whether it is open outlives the page. */
function advanced(...children: HTMLElement[]): HTMLElement {
  const KEY = 'sinew-advanced';
  const box = el('details', { class: 'advanced', id: 'advanced' }, el('summary', { id: 'advanced-summary' }, 'Advanced'), ...children);
  try {
    box.open = sessionStorage.getItem(KEY) === 'open';
    box.addEventListener('toggle', () => sessionStorage.setItem(KEY, box.open ? 'open' : ''));
  } catch {
    // Storage may be forbidden; then it is closed at first.
  }
  return box;
}
