// Keeps the browser's history and the page together: Back returns to the gallery, and a page that is loaded again shows what it showed.

import { linkTo, newId, placeOfHistory, placeOfLink, remember, type GivenFile, type Place, type ScenePlace } from './address';
import type { Source } from './protocol/messages';
import type { Store } from './store';
import type { Gallery } from './shell/gallery';

export class Whereabouts {
  /** What is simulated. */
  private current: ScenePlace | null = null;
  /** What was asked for and is not open yet. */
  private asked: ScenePlace | null = null;
  private inGallery = true;
  private timer = 0;
  /** One after the other: the link of a long text takes a moment. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly gallery: Gallery,
    private readonly say: (text: string) => void,
  ) {
    store.events.on('opened', (opened) => {
      const asked = this.asked;
      this.asked = null;
      const { name, text, source, file, dropped } = opened;
      const from: Source = source === 'scene' ? { scene: name } : source === 'file' && file ? { file } : { text, name, ...(dropped ? { dropped } : file ? { beside: file } : {}) };
      const how = this.inGallery && !store.reopens && !asked?.id ? 'push' : 'replace';
      this.current = { id: asked?.id || newId(), source: from, variants: asked?.variants ?? [], files: dropped ? [...store.files] : [] };
      this.inGallery = false;
      this.write(this.current, how);
    });
    store.events.on('scene', (variant) => variant.scene.variant === variant.scene.variants - 1 && this.edited());
    store.events.on('settings', () => this.edited());
    store.events.on('error', ({ about }) => {
      if (about !== 'open') return;
      this.asked = null;
      // A link to something that there is not leads to the gallery.
      if (!this.current && !this.gallery.shown) this.gallery.show();
    });
    addEventListener('popstate', () => void this.follow());
  }

  /** At the start, when the engine is there: what the history, the link or the command line says, in this order. */
  async begin(opening: Source | undefined): Promise<void> {
    const place = placeOfHistory() ?? (await this.ofLink());
    if (place && !('gallery' in place)) return this.enter(place);
    if (place) return;
    this.write({ gallery: true }, 'replace');
    if (opening) this.open(opening, []);
  }

  /** Opens something that was chosen, in the history after where one is. */
  open(source: Source, files: GivenFile[]): void {
    this.asked = { id: '', source, variants: [], files };
    this.store.openScene(source, [], files);
  }

  /** The engine is another one: what was open is opened again, with its changes. */
  again(): void {
    if (this.current) this.enter(this.current, true);
    else void this.begin(undefined);
  }

  toGallery(): void {
    if (this.inGallery) return;
    this.inGallery = true;
    this.write({ gallery: true }, 'push');
    this.gallery.show();
  }

  /** From the gallery back to what is simulated. */
  fromGallery(): void {
    if (!this.current) return;
    this.gallery.hide();
    if (!this.inGallery) return;
    this.inGallery = false;
    this.write(this.current, 'push');
  }

  /** A link to what is shown; null: a link cannot hold it. */
  async link(): Promise<string | null> {
    await this.writing;
    return this.current && !this.inGallery ? linkTo(this.current) : linkTo({ gallery: true });
  }

  private enter(place: ScenePlace, again = false): void {
    this.asked = place;
    this.store.openScene(place.source, place.variants, place.files);
    this.store.reopens = again;
  }

  private async ofLink(): Promise<Place | null> {
    try {
      return await placeOfLink(location.href);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** Back and forward, and links that are typed over. */
  private async follow(): Promise<void> {
    const place = placeOfHistory() ?? (await this.ofLink()) ?? { gallery: true as const };
    this.inGallery = 'gallery' in place;
    if ('gallery' in place) return this.gallery.show();
    if (place.id !== this.current?.id) return this.enter(place);
    this.gallery.hide();
  }

  /** The settings in force are part of the link. A slider changes them many times a second. */
  private edited(): void {
    if (!this.current) return;
    const variants = this.store.variants.map(({ scene, set }) => ({ label: scene.label, set }));
    this.current.variants = variants.length === 1 && variants[0].set.length === 0 ? [] : variants;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (this.current && !this.inGallery) this.write(this.current, 'replace');
    }, 300);
  }

  private write(place: Place, how: 'push' | 'replace'): void {
    const kept = 'gallery' in place ? place : { ...place };
    this.writing = this.writing.then(() => remember(kept, how)).catch(() => {});
  }
}
