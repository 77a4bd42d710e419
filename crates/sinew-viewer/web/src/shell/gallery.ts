// The scenes to choose from.

import { el, icon, icons } from '../dom';
import type { Scenes, Source } from '../protocol/messages';
import type { Store } from '../store';
import { fileButton } from './drop';
import { picture } from './pictures';

/** What a scene costs to compute, in words: `seconds` is how long it roughly takes from beginning to end. */
function cost(seconds: number): string {
  if (seconds < 2) return 'light';
  if (seconds < 15) return 'moderate';
  return 'heavy';
}

export interface GalleryActions {
  open(source: Source): void;
  /** Files that were chosen. */
  files(files: File[]): void;
  /** Back to the simulation. */
  back(): void;
}

export class Gallery {
  readonly element: HTMLElement;
  private readonly cards = el('div', { class: 'cards' });
  private readonly files = el('div', { class: 'files' });
  private readonly note = el('p', { class: 'hint', id: 'gallery-note', role: 'status' }, 'Starting the engine…');
  private readonly back = el('button', { type: 'button', id: 'close-gallery', class: 'icon-button', 'aria-label': 'Back to the simulation', title: 'Back to the simulation', hidden: true, onclick: () => this.actions.back() }, icon(icons.close));

  constructor(
    private readonly store: Store,
    private readonly actions: GalleryActions,
    private readonly toggled: (shown: boolean) => void,
  ) {
    this.element = el(
      'main',
      { class: 'gallery', id: 'gallery', 'aria-label': 'Scenes' },
      el(
        'div',
        { class: 'gallery-inner' },
        el('header', {}, el('div', {}, el('h1', {}, 'Sinew'), el('p', {}, 'Soft bodies that keep their energy, with the books open. Choose a scene; then pull, pin and throw.')), this.back),
        el('div', { class: 'gallery-open' }, ...fileButton('open-files', 'Open a file…', actions.files), el('span', { class: 'hint' }, 'or drop a scene (.toml), a mesh or a saved state anywhere on this page')),
        this.note,
        this.cards,
        this.files,
      ),
    );
    store.events.on('scenes', (scenes) => this.fill(scenes));
    store.events.on('opened', () => {
      this.busy(null);
      this.hide();
    });
    store.events.on('disconnected', (reason) => store.scenes || this.say(reason));
    store.events.on('error', (error) => error.about === 'open' && this.busy(null));
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.back.hidden) actions.back();
    });
  }

  private fill({ scenes, files }: Scenes): void {
    this.note.textContent = '';
    this.note.hidden = true;
    this.cards.replaceChildren(
      ...scenes.map(({ name, title, description, seconds }) => {
        const tag = el('span', { class: `cost ${cost(seconds)}`, title: `about ${seconds} s to compute from beginning to end` }, cost(seconds));
        return el(
          'button',
          { type: 'button', class: 'card', 'data-scene': name, id: `scene-${name}`, onclick: () => this.begin({ scene: name }) },
          ...picture(name, title),
          el('span', { class: 'card-title' }, title || name),
          el('span', { class: 'card-text' }, description),
          el('span', { class: 'card-foot' }, el('code', {}, name), tag),
        );
      }),
    );
    this.files.replaceChildren();
    if (files.length > 0) {
      this.files.append(
        el('h2', {}, 'Files of this folder'),
        el('div', { class: 'file-list' }, ...files.map((file) => el('button', { type: 'button', 'data-file': file, onclick: () => this.begin({ file }) }, file))),
      );
    }
  }

  /** Opens something; a large scene takes its time, and one wants to see that the click was heard. */
  private begin(source: { scene: string } | { file: string }): void {
    this.busy('scene' in source ? `[data-scene="${CSS.escape(source.scene)}"]` : `[data-file="${CSS.escape(source.file)}"]`);
    this.actions.open(source);
  }

  private busy(which: string | null): void {
    for (const old of this.element.querySelectorAll('[aria-busy]')) old.removeAttribute('aria-busy');
    if (which) this.element.querySelector(which)?.setAttribute('aria-busy', 'true');
  }

  say(text: string): void {
    this.note.hidden = false;
    this.note.textContent = text;
  }

  get shown(): boolean {
    return !this.element.hidden;
  }

  show(): void {
    if (this.shown && !this.back.hidden) return;
    this.back.hidden = this.store.variants.length === 0;
    this.element.hidden = false;
    this.toggled(true);
    (this.back.hidden ? this.cards.querySelector<HTMLElement>('.card') : this.back)?.focus();
  }

  hide(): void {
    if (this.element.hidden) return;
    this.toggled(false);
    this.element.hidden = true;
  }
}
