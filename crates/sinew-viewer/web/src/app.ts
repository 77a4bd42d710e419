// Puts the page together.

import { el, iconButton, icons } from './dom';
import type { Connect } from './link/link';
import { comparePanel } from './panel/compare';
import { editorPanel } from './panel/editor';
import { lookPanel } from './panel/look';
import { physicsPanel } from './panel/physics';
import { savePanel } from './panel/save';
import { tabs } from './panel/tabs';
import { Plots } from './plots/plots';
import { expose } from './probe';
import { Picture } from './record/picture';
import { listenToDrops, take } from './shell/drop';
import { Gallery } from './shell/gallery';
import { helpDialog } from './shell/help';
import { labels } from './shell/labels';
import { rejoin } from './link/rejoin';
import { Notices } from './shell/notice';
import { statusLine } from './shell/status';
import { Panes } from './shell/panes';
import { Theme } from './shell/theme';
import { Transport } from './shell/transport';
import { Store } from './store';
import { Whereabouts } from './whereabouts';
import './style/index.css';
import { Cursor } from './interaction/cursor';
import { Drag } from './interaction/drag';
import { listenToKeys } from './interaction/keys';
import { BoxSelect } from './interaction/select';
import { throwBall } from './interaction/throw';
import { Stage } from './view/stage';

export function start(connect: Connect): void {
  const store = new Store(connect);
  let stage: Stage;
  try {
    stage = new Stage(store);
  } catch {
    document.body.append(el('p', { class: 'fatal', role: 'alert' }, 'This browser does not give the page WebGL, which draws the bodies. Turn on hardware acceleration, or try another browser.'));
    return;
  }
  const box = new BoxSelect(store, stage);
  const drag = new Drag(store, stage, box);
  const cursor = new Cursor(store, stage);
  const picture = new Picture(store, stage);
  const plots = new Plots(store, () => stage.look.dark);
  const theme = new Theme((dark) => {
    stage.look.dark = dark;
    stage.restyle();
    plots.rebuild();
  });
  const help = helpDialog();

  const pages = [
    { id: 'physics', title: 'Physics', panel: physicsPanel(store, () => drag.giveAllBack()) },
    { id: 'view', title: 'View', panel: lookPanel(store, stage) },
    { id: 'scene', title: 'Scene', panel: editorPanel(store) },
    { id: 'compare', title: 'Compare', panel: comparePanel(store) },
    { id: 'save', title: 'Save', panel: savePanel(store, picture) },
  ];
  const closePanel = iconButton('close-panel', icons.close, 'Close the controls', () => panes.flip('panel', false));
  const head = el('div', { class: 'sheet-head' }, el('span', {}, 'Controls'), closePanel);
  const panel = el('aside', { class: 'panel', id: 'panel', 'aria-label': 'Controls' }, head, tabs('panel', 'Controls', pages, () => {}), ...pages.map((page) => page.panel));

  const app = el('div', { class: 'app' });
  const panes = new Panes(app);
  /** The simulation was paused because the gallery is in front. */
  let resume = false;
  // Before the gallery hears of it and leaves: what is new decides by itself whether it plays.
  store.events.on('opened', () => (resume = false));
  const openFiles = (files: File[]) => {
    take(store, files, (source, given) => where.open(source, given)).catch((error: unknown) => notices.say(error instanceof Error ? error.message : String(error), 'error'));
  };
  const gallery = new Gallery(
    store,
    { open: (source) => where.open(source, []), files: openFiles, back: () => where.fromGallery() },
    (shown) => {
      app.inert = shown;
      // Nobody looks; it goes on when one is back.
      if (shown && store.playing) {
        resume = true;
        store.send({ do: 'pause' });
      } else if (!shown && resume) {
        resume = false;
        store.send({ do: 'play' });
      }
      // Who came from a card goes on in the picture; who came by the address has not chosen a place yet.
      if (!shown && gallery.element.contains(document.activeElement)) stage.canvas.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
    },
  );
  const where = new Whereabouts(store, gallery, (text) => notices.say(text, 'error'));
  const copyLink = async () => {
    const link = await where.link();
    if (!link) return notices.say('A link cannot hold a mesh that was dropped, nor a very long text. Save the state instead.', 'warning');
    try {
      await navigator.clipboard.writeText(link);
      notices.say('The link is copied. It opens this scene with its changes.', 'warning');
    } catch {
      notices.say(`Copy this link:\n${link}`, 'warning');
    }
  };
  const ball = (toward: [number, number] | null) => throwBall(store, stage, toward);
  const transport = new Transport(store, {
    gallery: () => where.toGallery(),
    ball: () => ball(null),
    panel: () => panes.flip('panel'),
    plots: () => panes.flip('plots'),
    theme: () => theme.toggle(),
    help: () => help.showModal(),
    link: () => void copyLink(),
  });
  app.append(transport.element, stage.element, plots.element, panel, statusLine(store, stage));
  document.body.append(app, gallery.element, help, listenToDrops(openFiles));
  app.inert = true;
  panes.show();

  labels(store, stage);
  expose(store, stage, cursor);
  listenToKeys({
    toggle: () => transport.toggle(),
    step: () => transport.step(),
    reset: () => transport.reset(),
    ball: () => ball(drag.last),
    home: () => stage.eye.goHome(),
    escape: () => {
      box.clear();
      cursor.leave();
    },
    help: () => help.showModal(),
    busy: () => gallery.shown || help.open || notices.open,
  });

  let silence = 0;
  const reconnect = async () => {
    clearTimeout(silence);
    try {
      await store.open();
      // It may have closed at once, and said why.
      if (!store.linked) return;
      // A module that loads but says nothing would leave one waiting for ever.
      silence = window.setTimeout(() => {
        if (!store.connected) notices.lose('The engine was started but does not answer. It may be of another version than this page.', reconnect, 'There is no engine');
      }, 15_000);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      gallery.say(reason);
      notices.lose(reason, reconnect, 'There is no engine');
      store.lastError = reason;
    }
  };
  const notices = new Notices(store, document.body, reconnect);
  rejoin(store, () => notices.waiting());
  let first = true;
  store.events.on('connected', (hello) => {
    clearTimeout(silence);
    if (hello.protocol !== 1) notices.say(`The engine speaks version ${hello.protocol} of the protocol, this page version 1. Load the page again from the engine.`, 'error');
    if (first) void where.begin(hello.scene);
    else where.again();
    first = false;
  });
  theme.apply();
  void reconnect();
}
