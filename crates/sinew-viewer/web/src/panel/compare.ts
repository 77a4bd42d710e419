// The same scene up to four times side by side, each with other settings.

import { el } from '../dom';
import { OVERRIDE_LIMIT } from '../protocol/limits';
import type { VariantRequest } from '../protocol/messages';
import type { Store } from '../store';
import { button, group } from './controls';

const presets: { id: string; name: string; variants: VariantRequest[] }[] = [
  {
    id: 'preset-corrections',
    name: 'Corrections: none, FEPR, blend',
    variants: ['none', 'fepr', 'blend'].map((kind) => ({ label: kind, set: [`correction.kind=${kind}`] })),
  },
  {
    id: 'preset-integrators',
    name: 'Integrators: backward Euler, BDF2, midpoint',
    variants: ['backward-euler', 'bdf2', 'implicit-midpoint'].map((kind) => ({ label: kind, set: [`integrator.kind=${kind}`] })),
  },
  {
    id: 'preset-energy',
    name: 'Without and with energy kept',
    variants: [
      { label: 'no correction', set: ['correction.kind=none'] },
      { label: 'energy kept (FEPR)', set: ['correction.kind=fepr'] },
    ],
  },
];

export function comparePanel(store: Store): HTMLElement {
  const list = el('div', { class: 'rows' });
  const add = button('add-variant', 'Add a variant', () => insert({ label: `variant ${list.children.length + 1}`, set: [] }));
  let made = 0;

  const sync = () => {
    add.disabled = list.children.length >= 4;
    start.disabled = list.children.length === 0;
  };
  const insert = ({ label, set }: VariantRequest) => {
    if (list.children.length >= 4) return;
    const id = `variant-${made++}`;
    const name = el('input', { id: `${id}-label`, type: 'text', maxlength: 40, 'aria-label': 'Label' });
    name.value = label;
    const lines = el('textarea', { id: `${id}-set`, rows: 3, spellcheck: 'false', placeholder: 'solver.iterations=50\nintegrator.kind=bdf2', 'aria-label': 'Overrides, KEY=VALUE, one a line' });
    lines.value = set.join('\n');
    const remove = button(`${id}-remove`, 'Remove', () => {
      card.remove();
      sync();
    });
    const card = el('div', { class: 'variant-card' }, el('div', { class: 'pair' }, name, remove), lines);
    list.append(card);
    sync();
  };
  const requests = (): VariantRequest[] =>
    [...list.children].map((card, i) => ({
      label: card.querySelector('input')!.value.trim() || `variant ${i + 1}`,
      set: card.querySelector('textarea')!.value.split('\n').map((line) => line.trim()).filter(Boolean),
    }));
  const begin = (variants: VariantRequest[]) => {
    const crowded = variants.find(({ set }) => set.length > OVERRIDE_LIMIT);
    if (crowded) return store.events.emit('odd', `“${crowded.label}” has ${crowded.set.length} overrides; ${OVERRIDE_LIMIT} are the most that a variant may have.`);
    store.startVariants(variants);
  };
  /** A variant that is refused leaves everything as it was; so does the list. */
  const restore = () => show(store.variants.length > 1 ? store.variants.map((each) => ({ label: each.scene.label, set: each.set })) : []);
  const start = button('start-variants', 'Start side by side', () => begin(requests()), 'primary');
  const single = button('single-variant', 'Back to one', () => begin([{ label: '', set: [] }]));
  const show = (variants: VariantRequest[]) => {
    list.replaceChildren();
    variants.forEach(insert);
    sync();
  };

  // Which variants run is what the list says, however they came to be.
  store.events.on('scene', (variant) => {
    single.hidden = store.variants.length < 2;
    if (variant.scene.variant !== variant.scene.variants - 1 || variant.scene.variants < 2) return;
    if (list.contains(document.activeElement)) return;
    show(store.variants.map((each) => ({ label: each.scene.label, set: each.set })));
  });
  single.hidden = true;
  sync();
  let byPreset = false;
  store.events.on('error', ({ about }) => {
    if (about === 'variants' && byPreset) restore();
    byPreset = false;
  });

  // Only what the scene can do is offered.
  const offered = presets.map((preset) => ({
    preset,
    button: button(preset.id, preset.name, () => {
      byPreset = true;
      show(preset.variants);
      begin(preset.variants);
    }),
  }));
  const refused = el('p', { class: 'hint', id: 'presets-refused', hidden: true });
  store.events.on('opened', async () => {
    const answers = await store.ask(presets.flatMap(({ variants }) => variants.map(({ set }) => set)));
    let at = 0;
    let reason = '';
    for (const each of offered) {
      const own = answers.slice(at, (at += each.preset.variants.length)).find((answer) => answer);
      each.button.hidden = Boolean(own);
      reason ||= own ?? '';
    }
    refused.hidden = reason === '';
    refused.textContent = reason && `Presets that this scene refuses are left out: ${reason}`;
  });

  return el(
    'div',
    { class: 'page' },
    group(
      'Presets',
      el('p', { class: 'hint' }, 'The scene starts again, once with each list of settings. What you pull, pin or throw happens in all of them.'),
      ...offered.map((each) => each.button),
      refused,
    ),
    group('Variants', list, el('div', { class: 'pair' }, add, start), single),
  );
}
