// Tabs as the keyboard expects them: one of them in the order of the page, arrows between them.

import { el } from '../dom';

export interface Tab {
  id: string;
  title: string;
  panel: HTMLElement;
}

export function tabs(prefix: string, label: string, list: Tab[], chosen: (id: string) => void): HTMLElement {
  const bar = el('div', { class: 'tabs', role: 'tablist', 'aria-label': label });
  const select = (id: string, focus: boolean) => {
    for (const tab of list) {
      const button = bar.querySelector<HTMLButtonElement>(`#${prefix}-tab-${tab.id}`)!;
      const on = tab.id === id;
      button.setAttribute('aria-selected', String(on));
      button.tabIndex = on ? 0 : -1;
      if (on && focus) button.focus();
    }
    for (const tab of list) tab.panel.hidden = true;
    const current = list.find((tab) => tab.id === id)!;
    current.panel.hidden = false;
    current.panel.setAttribute('aria-labelledby', `${prefix}-tab-${id}`);
    chosen(id);
  };
  list.forEach(({ id, title, panel }, i) => {
    panel.id ||= `${prefix}-page-${id}`;
    panel.setAttribute('role', 'tabpanel');
    const button = el('button', { type: 'button', role: 'tab', id: `${prefix}-tab-${id}`, 'aria-controls': panel.id, 'aria-selected': 'false', tabindex: -1, onclick: () => select(id, false) }, title);
    button.addEventListener('keydown', (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: list.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      select(list[(to + list.length) % list.length].id, true);
    });
    bar.append(button);
  });
  // Without telling: who makes the tabs is not ready to hear of them yet.
  const told = chosen;
  chosen = () => {};
  select(list[0].id, false);
  chosen = told;
  return bar;
}
