// What the page knows, and how it came to know it: messages go in, events for the rest of the page come out.

import { Emitter } from './emitter';
import type { Connect, Link } from './link/link';
import { decode } from './protocol/decode';
import { parseEvent } from './protocol/messages';
import type { GivenFile } from './address';
import { fileMessage } from './protocol/encode';
import type { Command, ErrorEvent, Event, Expression, Failed, Hello, Opened, Scenes, Source, StateEvent, VariantRequest, Vec3 } from './protocol/messages';
import { Variant } from './variant';

export interface Happenings {
  connected: Hello;
  disconnected: string;
  scenes: Scenes;
  opened: Opened;
  /** The scene of a variant is new or has changed; its mesh follows. */
  scene: Variant;
  mesh: Variant;
  settings: Variant;
  state: StateEvent;
  error: ErrorEvent;
  failed: Failed;
  frame: Variant;
  saved: { bytes: ArrayBuffer; name: string; time: number };
  /** Something that the engine sent made no sense. */
  odd: string;
}

export class Store {
  readonly events = new Emitter<Happenings>();
  hello: Hello | null = null;
  scenes: Scenes | null = null;
  opened: Opened | null = null;
  variants: Variant[] = [];
  playing = false;
  speed: number | null = 1;
  /** Of the first variant. */
  pins = new Set<number>();
  /** Air that the page has set in motion. */
  wind: Vec3 | null = null;
  /** What the page has set faces to show. */
  face: Expression | null = null;
  connected = false;
  /** The engine closed the connection because of what this page sent. */
  refused = false;
  lastError: string | null = null;
  /** The scene that was asked for last is the text of the editor, which shows its own mistakes. */
  runsText = false;
  /** What was given to the engine, for scenes that name it. */
  files: GivenFile[] = [];
  /** What is asked for is what was open before the connection was lost. */
  reopens = false;
  /** Newest frame number that came. */
  frame = -1;
  private link: Link | null = null;
  private session = 0;
  /** What was asked for plays when the engine has accepted it; a state that was loaded waits. */
  private playAfter: 'opened' | 'scene' | null = null;
  /** What to change of a scene when it is open. */
  private changeAfter: VariantRequest[] = [];
  /** Who waits for an answer to what was asked; answers come in the order of questions. */
  private questions: ((refusals: (string | null)[]) => void)[] = [];
  private readonly received = new Map<number, { variants: Set<number>; since: number }>();

  constructor(private readonly connect: Connect) {}

  /** Starts a session, or starts over. Throws where no engine is to be had. */
  async open(): Promise<void> {
    this.link?.close();
    const session = ++this.session;
    const current = () => session === this.session;
    this.link = null;
    // What comes before the link is handed over waits, since it may want an answer.
    let early: (() => void)[] | null = [];
    const listen = (work: () => void) => {
      if (!current()) return;
      if (early) early.push(work);
      else this.guarded(work);
    };
    const link = await this.connect(
      {
        text: (message) => listen(() => this.takeText(message)),
        binary: (message) => listen(() => this.takeBinary(message)),
        closed: (reason, refused = false) => listen(() => this.lose(reason, refused)),
      },
      this.hello !== null,
    );
    if (!current()) return link.close();
    // Only now: what the last session showed stays in sight for as long as there is no other.
    this.variants = [];
    this.received.clear();
    this.frame = -1;
    this.link = link;
    const waiting = early;
    early = null;
    for (const work of waiting) this.guarded(work);
  }

  /** There is an engine, even if it has not said anything yet. */
  get linked(): boolean {
    return this.link !== null;
  }

  send(command: Command): void {
    this.link?.send(command);
  }

  /** Opens a scene, with the files it names, changes it if that is wanted, and plays it. */
  openScene(source: Source, variants: VariantRequest[] = [], files: GivenFile[] = []): void {
    this.runsText = false;
    this.reopens = false;
    this.playAfter = 'opened';
    this.changeAfter = variants;
    for (const file of files) {
      this.files = [...this.files.filter(({ name }) => name !== file.name), file];
      this.link?.sendBinary(fileMessage(file.name, file.bytes));
    }
    this.send({ do: 'open', ...source });
  }

  /** Starts the scene again, once with each list of settings; then it plays. */
  startVariants(variants: VariantRequest[]): void {
    this.playAfter = 'scene';
    this.send({ do: 'variants', variants });
  }

  /** Asks with which lists of overrides the open scene could start: for each, why not, or null. */
  ask(sets: string[][]): Promise<(string | null)[]> {
    return new Promise((resolve) => {
      this.questions.push(resolve);
      this.send({ do: 'accepts', sets });
    });
  }

  sendState(bytes: ArrayBuffer): void {
    this.runsText = false;
    this.changeAfter = [];
    this.reopens = false;
    this.playAfter = null;
    this.link?.sendBinary(bytes);
  }

  /** To be called when what has come was drawn: answers the newest number of which all variants were there. */
  drawn(now: number): void {
    let answer = -1;
    for (const [number, { variants, since }] of this.received) {
      // A variant that failed may send nothing; the others shall not wait for it for ever.
      if (variants.size >= this.variants.length || now - since > 250) answer = Math.max(answer, number);
    }
    if (answer < 0) return;
    for (const number of [...this.received.keys()]) if (number <= answer) this.received.delete(number);
    this.send({ do: 'shown', frame: answer });
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      console.warn(message);
      this.lastError = message;
      this.events.emit('odd', message);
    }
  }

  private lose(reason: string, refused = false): void {
    // An engine may also close before it has said anything (there are enough pages already).
    if (!this.link) return;
    this.link.close();
    this.link = null;
    this.connected = false;
    this.refused = refused;
    this.questions = [];
    this.playAfter = null;
    this.playing = false;
    this.lastError = reason;
    this.events.emit('disconnected', reason);
  }

  private playOn(event: 'opened' | 'scene'): void {
    if (this.playAfter !== event) return;
    this.playAfter = null;
    this.send({ do: 'play' });
  }

  private takeText(message: string): void {
    const event = parseEvent(message);
    if (event) this.take(event);
  }

  private take(event: Event): void {
    switch (event.event) {
      case 'hello':
        this.hello = event;
        this.connected = true;
        this.send({ do: 'scenes' });
        this.events.emit('connected', event);
        break;
      case 'scenes':
        this.scenes = event;
        this.events.emit('scenes', event);
        break;
      case 'opened':
        this.opened = event;
        this.variants = [];
        this.pins.clear();
        this.events.emit('opened', event);
        this.reopens = false;
        if (this.changeAfter.length > 0) this.startVariants(this.changeAfter);
        else this.playOn('opened');
        this.changeAfter = [];
        break;
      case 'accepts':
        this.questions.shift()?.(event.refusals);
        break;
      case 'scene': {
        this.variants.length = Math.min(this.variants.length, event.variants);
        const known = this.variants[event.variant];
        const same = known && known.scene.name === event.name && known.scene.label === event.label;
        if (same) known.takeScene(event);
        else this.variants[event.variant] = new Variant(event);
        this.events.emit('scene', this.variants[event.variant]);
        this.playOn('scene');
        break;
      }
      case 'settings': {
        const variant = this.variants[event.variant];
        if (!variant) break;
        variant.values = event.values;
        variant.set = event.set;
        this.events.emit('settings', variant);
        break;
      }
      case 'state':
        this.playing = event.playing;
        this.speed = event.speed;
        this.pins = new Set(event.pins);
        this.wind = event.wind ?? null;
        this.face = event.face ?? null;
        this.events.emit('state', event);
        break;
      case 'error':
        this.lastError = event.message;
        // Nothing is open to ask about: nothing is known, so nothing is refused.
        if (event.about === 'accepts') {
          this.questions.shift()?.([]);
          break;
        }
        if (event.about === 'open') this.changeAfter = [];
        if (event.about === 'open' || event.about === 'variants') this.playAfter = null;
        this.events.emit('error', event);
        break;
      case 'failed':
        this.lastError = event.message;
        this.events.emit('failed', event);
        break;
      case 'closed':
        this.lose(event.reason);
        break;
    }
  }

  private takeBinary(bytes: ArrayBuffer): void {
    const message = decode(bytes);
    if (message.kind === 'state') {
      this.events.emit('saved', { bytes, name: message.about.name ?? 'scene', time: message.about.time ?? 0 });
      return;
    }
    const variant = this.variants[message.variant];
    if (message.kind === 'mesh') {
      if (!variant) throw new Error(`a mesh of variant ${message.variant}, which there is not`);
      variant.takeMesh(message);
      if (message.variant === 0) this.pins = new Set(message.pinned);
      this.events.emit('mesh', variant);
      return;
    }
    // Counted before it is applied: a frame that makes no sense has to be answered too, or no other would come.
    const entry = this.received.get(message.number) ?? { variants: new Set<number>(), since: performance.now() };
    entry.variants.add(message.variant);
    this.received.set(message.number, entry);
    this.frame = Math.max(this.frame, message.number);
    if (!variant) return; // of a scene that was just closed
    variant.takeFrame(message);
    this.events.emit('frame', variant);
  }
}
