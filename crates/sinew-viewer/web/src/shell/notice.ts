// Messages over the picture: what was refused and why, and when the engine is gone.

import { el, icon, icons } from '../dom';
import type { Store } from '../store';

export class Notices {
  readonly element = el('div', { class: 'notices', id: 'messages', role: 'alert', 'aria-live': 'assertive' });
  private readonly lost = el('dialog', { class: 'lost', id: 'disconnected', role: 'alertdialog', 'aria-labelledby': 'lost-title', 'aria-describedby': 'lost-reason' });

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
    store.events.on('connected', () => {
      this.lost.close();
      this.clear();
    });
    // Plots, picture and text of what was are still there to look at and to save.
    this.lost.addEventListener('close', () => {
      if (store.connected) return;
      this.say('There is no engine.', 'warning', el('button', { type: 'button', id: 'reconnect-later', onclick: reconnect }, 'Connect again'));
    });
    store.events.on('disconnected', (reason) => this.lose(reason, reconnect, store.hello ? undefined : 'There is no engine'));
  }

  say(text: string, kind: 'error' | 'warning', remedy?: HTMLElement): void {
    const close = el('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close this message', onclick: () => box.remove() }, icon(icons.close));
    const box = el('div', { class: `notice ${kind}` }, el('pre', {}, text), remedy, close);
    // The same again says nothing new.
    for (const old of [...this.element.children]) if (old.querySelector('pre')?.textContent === text) old.remove();
    while (this.element.children.length > 2) this.element.firstElementChild?.remove();
    this.element.append(box);
  }

  get open(): boolean {
    return this.lost.open;
  }

  /** A server that was started again on the same port is found without a click. */
  waiting(): void {
    const line = this.lost.querySelector('#lost-waiting');
    if (line) line.textContent = 'The page looks for it every few seconds and goes on when it is back.';
  }

  clear(): void {
    this.element.replaceChildren();
  }

  lose(reason: string, reconnect: () => void, title = 'The engine is gone'): void {
    const again = el('button', { type: 'button', id: 'reconnect', class: 'primary', onclick: reconnect }, 'Connect again');
    const leave = el('button', { type: 'button', id: 'stay', onclick: () => this.lost.close() }, 'Stay without');
    this.lost.replaceChildren(el('h2', { id: 'lost-title' }, title), el('p', { id: 'lost-reason' }, reason), el('p', { id: 'lost-waiting', class: 'hint', role: 'status' }), el('div', { class: 'pair' }, again, leave));
    if (!this.lost.open) this.lost.showModal();
    again.focus();
  }
}
