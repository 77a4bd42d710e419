// The bar on top: what plays, how fast, and what opens beside it.

import { el, iconButton, icon, icons } from '../dom';
import { choice } from '../panel/controls';
import { overflowMenu } from './menu';
import type { Store } from '../store';

const speeds: [string, string][] = [
  ['1', 'real time'],
  ['0.5', '1/2 speed'],
  ['0.25', '1/4 speed'],
  ['0.1', '1/10 speed'],
  ['max', 'as fast as possible'],
];

export interface TransportActions {
  gallery(): void;
  ball(): void;
  panel(): void;
  plots(): void;
  theme(): void;
  help(): void;
  link(): void;
}

export class Transport {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;

  constructor(
    private readonly store: Store,
    actions: TransportActions,
  ) {
    this.playButton = iconButton('play', icons.play, 'Play (Space)', () => this.toggle());
    const step = iconButton('step', icons.step, 'One step (P)', () => this.step());
    const reset = iconButton('reset', icons.reset, 'Back to the start (R)', () => this.reset());
    const speed = choice('speed', speeds, (value) => store.send({ do: 'speed', speed: value === 'max' ? null : Number(value) }));
    speed.setAttribute('aria-label', 'Speed');
    const speedBox = el('span', { class: 'speed' }, speed);
    const ball = el('button', { id: 'throw-ball', type: 'button', title: 'Throw a ball (B)', 'aria-label': 'Throw a ball (B)', onclick: actions.ball }, icon(icons.ball), el('span', { class: 'word' }, 'Ball'));
    const title = el('h1', { class: 'scene-title', id: 'scene-title' }, 'Sinew');
    const time = el('span', { class: 'time', id: 'time', role: 'timer', 'aria-label': 'Simulated time' }, '0.00 s');
    const scenes = el('button', { id: 'open-gallery', type: 'button', 'aria-label': 'Scenes', onclick: actions.gallery }, icon(icons.scenes), el('span', { class: 'word' }, 'Scenes'));
    const help = iconButton('help', icons.help, 'Keys and gestures (?)', actions.help);
    const theme = iconButton('theme', icons.theme, 'Dark or light', actions.theme);
    const link = iconButton('copy-link', icons.link, 'Copy a link to this', actions.link);
    const plots = iconButton('toggle-plots', icons.plots, 'Plots', actions.plots);
    const panel = iconButton('toggle-panel', icons.panel, 'Controls', actions.panel);
    const transport = el('div', { class: 'transport', role: 'group', 'aria-label': 'Simulation' }, this.playButton, step, reset, speedBox, ball, time);
    const ends = el('div', { class: 'ends', role: 'group', 'aria-label': 'Page' }, link, help, theme, plots, panel);
    const menu = overflowMenu([
      // What goes first when there is too little room, each back to where it was.
      { item: speedBox, home: transport, before: ball, below: 760 },
      { item: link, home: ends, before: help, below: 760 },
      { item: help, home: ends, before: theme, below: 760 },
      { item: theme, home: ends, before: plots, below: 760 },
      { item: plots, home: ends, before: panel, below: 480 },
    ]);
    ends.append(menu.button);
    this.element = el('header', { class: 'top' }, scenes, title, el('span', { class: 'spring' }), transport, el('span', { class: 'spring' }), ends, menu.element);
    store.events.on('scene', (variant) => {
      if (variant.scene.variant !== 0) return;
      title.textContent = variant.scene.title || variant.scene.name;
      title.title = variant.scene.description;
      document.title = `${title.textContent} – Sinew`;
    });
    store.events.on('state', (state) => {
      this.show();
      const wanted = state.speed === null ? 'max' : String(state.speed);
      if (![...speed.options].some((option) => option.value === wanted)) speed.append(el('option', { value: wanted }, `${wanted} ×`));
      speed.value = wanted;
    });
    store.events.on('disconnected', () => this.show());
    let shown = 0;
    store.events.on('frame', (variant) => {
      const now = performance.now();
      if (variant.scene.variant !== 0 || (now - shown < 60 && store.playing)) return;
      shown = now;
      time.textContent = `${variant.time.toFixed(2)} s`;
    });
    // A new scene starts at the engine's pace; the choice of the page holds on.
    store.events.on('opened', () => {
      if (speed.value !== '1') store.send({ do: 'speed', speed: speed.value === 'max' ? null : Number(speed.value) });
    });
  }

  private show(): void {
    const { playing } = this.store;
    const label = playing ? 'Pause (Space)' : 'Play (Space)';
    this.playButton.replaceChildren(icon(playing ? icons.pause : icons.play, !playing));
    this.playButton.setAttribute('aria-label', label);
    this.playButton.title = label;
    this.playButton.classList.toggle('on', playing);
  }

  toggle(): void {
    this.store.send({ do: this.store.playing ? 'pause' : 'play' });
  }

  step(): void {
    this.store.send({ do: 'step' });
  }

  reset(): void {
    this.store.send({ do: 'reset' });
  }
}
