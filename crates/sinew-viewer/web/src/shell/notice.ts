// Messages over the picture: what was refused and why, and when the engine is gone.

import { el, icon, icons } from '../dom';
import type { Store } from '../store';

export class Notices {
  readonly element = el('div', { class: 'notices', id: 'messages', role: 'alert', 'aria-live': 'assertive' });
  private readonly lost = el('div', { class: 'lost', id: 'disconnected', role: 'alertdialog', 'aria-label': 'No engine', hidden: true });

  constructor(store: Store, stage: HTMLElement, reconnect: () => void) {
    stage.append(this.element, this.lost);
    store.events.on('error', (error) => {
      // The editor says what is wrong with its text, at its line.
      if (error.about !== 'open' || !store.runsText) this.say(error.message, 'error');
    });
    store.events.on('failed', (failed) => {
      const label = store.variants.length > 1 ? `${store.variants[failed.variant]?.scene.label ?? ''}: ` : '';
      this.say(`${label}${failed.message}\nThe simulation is paused at its last good state; R starts it again.`, 'error');
    });
    store.events.on('odd', (message) => this.say(message, 'warning'));
    store.events.on('opened', () => this.clear());
    store.events.on('settings', () => this.clear());
    store.events.on('connected', () => (this.lost.hidden = true));
    store.events.on('disconnected', (reason) => this.lose(reason, reconnect));
  }

  say(text: string, kind: 'error' | 'warning'): void {
    const close = el('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close this message', onclick: () => box.remove() }, icon(icons.close));
    const box = el('div', { class: `notice ${kind}` }, el('pre', {}, text), close);
    // The same again says nothing new.
    for (const old of [...this.element.children]) if (old.querySelector('pre')?.textContent === text) old.remove();
    while (this.element.children.length > 2) this.element.firstElementChild?.remove();
    this.element.append(box);
  }

  clear(): void {
    this.element.replaceChildren();
  }

  lose(reason: string, reconnect: () => void, title = 'The engine is gone'): void {
    const again = el('button', { type: 'button', id: 'reconnect', class: 'primary', onclick: reconnect }, 'Connect again');
    this.lost.replaceChildren(el('h2', {}, title), el('p', {}, reason), again);
    this.lost.hidden = false;
    again.focus();
  }
}
