// How it is shown: colours, wires, flesh, and a cut through the solids.

import { el } from '../dom';
import type { ColourBy } from '../protocol/messages';
import type { Store } from '../store';
import { colourNames, gradient } from '../view/colours';
import type { Stage } from '../view/stage';
import { button, choice, field, group, short, slider, toggle } from './controls';

export function lookPanel(store: Store, stage: Stage): HTMLElement {
  const { look } = stage;
  const options = Object.entries(colourNames).map(([value, { label }]) => [value, label] as [string, string]);
  const colour = choice('colour-by', options, (value) => {
    look.colourBy = value as ColourBy;
    store.send({ do: 'colour', by: look.colourBy });
    legend();
  });
  const wireframe = toggle('wireframe', 'Wireframe', (on) => {
    look.wireframe = on;
    stage.restyle();
  });
  const shadows = toggle('shadows', 'Shadows', (on) => {
    look.shadows = on;
    stage.restyle();
  }, look.shadows);
  stage.lookChanged = () => (shadows.input.checked = look.shadows);
  const markers = toggle('markers', 'Pins, attachments and joints', (on) => {
    look.markers = on;
    stage.restyle();
  }, look.markers);
  const flesh = slider('flesh', 'Opacity of the flesh', { min: 0, max: 1, step: 0.05, value: look.flesh }, (v) => `${Math.round(v * 100)} %`, (value) => {
    look.flesh = value;
    stage.restyle();
  });

  const cutOn = toggle('cut', 'Cut through solids', (on) => {
    look.cut.on = on;
    cutControls.hidden = !on;
    store.send({ do: 'inside', on });
    stage.restyle();
    awaitInside = on;
  });
  const axis = choice('cut-axis', ['x', 'y', 'z'], (value) => {
    look.cut.axis = 'xyz'.indexOf(value) as 0 | 1 | 2;
    stage.restyle();
  });
  const position = slider('cut-position', 'Position', { min: 0, max: 1, step: 0.01, value: 0.5 }, (v) => `${Math.round(v * 100)} %`, (value) => {
    look.cut.position = value;
    stage.restyle();
  });
  const flip = toggle('cut-flip', 'Other side', (on) => {
    look.cut.flip = on;
    stage.restyle();
  });
  const cutControls = el('div', { class: 'rows', hidden: true }, field('Across', axis), position.element, flip.element);

  // The inside comes with the next frame; the cut is made where the tetrahedra are then.
  let awaitInside = false;
  store.events.on('frame', () => {
    if (!awaitInside) return;
    awaitInside = false;
    requestAnimationFrame(() => stage.restyle());
  });

  const bar = el('div', { class: 'legend-bar' });
  bar.style.background = gradient;
  const low = el('span');
  const middle = el('span');
  const high = el('span');
  const title = el('div', { class: 'legend-title' });
  const key = el('div', { class: 'colour-legend', id: 'colour-legend', hidden: true }, title, bar, el('div', { class: 'legend-numbers' }, low, middle, high));
  stage.element.append(key);
  let shown = 0;
  const legend = () => {
    key.hidden = look.colourBy === 'none';
    const { label, unit } = colourNames[look.colourBy];
    title.textContent = `${label} (${store.variants[0]?.scene.units?.[look.colourBy] ?? unit})`;
    const [from, to] = store.variants[0]?.range ?? [0, 1];
    low.textContent = short(from);
    middle.textContent = short((from + to) / 2);
    high.textContent = short(to);
  };
  store.events.on('frame', () => {
    if (look.colourBy === 'none' || performance.now() - shown < 200) return;
    shown = performance.now();
    legend();
  });

  const cutGroup = group('Cut', cutOn.element, cutControls);
  store.events.on('scene', (variant) => {
    flesh.element.hidden = variant.scene.bones === 0;
    cutGroup.hidden = !variant.scene.bodies.some((body) => body.tetrahedra > 0);
  });
  // A new scene starts with the engine's own choices; it is told what this page shows.
  store.events.on('opened', () => {
    if (look.colourBy !== 'none') store.send({ do: 'colour', by: look.colourBy });
    if (look.cut.on) {
      store.send({ do: 'inside', on: true });
      awaitInside = true;
    }
  });

  return el(
    'div',
    { class: 'page' },
    group('Colour', field('Colour by', colour)),
    group('Show', wireframe.element, shadows.element, markers.element, flesh.element, button('camera-home', 'Camera back', () => stage.eye.goHome())),
    cutGroup,
  );
}
