// The legend of a plot: buttons that show or hide a series, with its value at the cursor or the newest.

import { el } from '../dom';
import { short } from '../panel/controls';

export interface LegendEntry {
  label: string;
  colour: string;
  dashed: boolean;
  shown: boolean;
}

export class Legend {
  readonly element = el('div', { class: 'plot-legend', role: 'group', 'aria-label': 'Series' });
  private readonly values: HTMLElement[] = [];

  build(entries: LegendEntry[], toggle: (index: number, on: boolean) => void): void {
    this.values.length = 0;
    this.element.replaceChildren(
      ...entries.map((entry, i) => {
        const value = el('span', { class: 'value' });
        this.values.push(value);
        const swatch = el('span', { class: entry.dashed ? 'swatch dashed' : 'swatch' });
        swatch.style.color = entry.colour;
        const button = el('button', { type: 'button', 'aria-pressed': String(entry.shown), title: entry.label }, swatch, el('span', { class: 'name' }, entry.label), value);
        button.addEventListener('click', () => {
          const on = button.getAttribute('aria-pressed') !== 'true';
          button.setAttribute('aria-pressed', String(on));
          toggle(i, on);
        });
        return button;
      }),
    );
  }

  show(values: (number | null | undefined)[]): void {
    this.values.forEach((element, i) => {
      const value = values[i];
      element.textContent = value === null || value === undefined ? '–' : short(value, 5);
    });
  }
}
