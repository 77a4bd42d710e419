// When the engine is gone: looks whether it is back. `sinew view --port N` that is started again on the same port takes the same page.

import type { Store } from '../store';

/** Milliseconds between two looks; the page of a server that stays away asks less and less often. */
const FIRST = 1000;
const LAST = 15_000;

export function rejoin(store: Store, waiting: () => void): void {
  let timer = 0;
  const look = async (pause: number) => {
    // A page that nobody sees can wait.
    if (!document.hidden) {
      try {
        await store.open();
        return;
      } catch {
        // Not yet.
      }
    }
    timer = window.setTimeout(() => void look(Math.min(LAST, pause * 1.5)), pause);
  };
  store.events.on('disconnected', () => {
    clearTimeout(timer);
    // The engine in the page does not come back by itself, and one that refused this page would refuse it again.
    if (store.hello?.engine !== 'native' || store.refused) return;
    waiting();
    timer = window.setTimeout(() => void look(FIRST), FIRST);
  });
  store.events.on('connected', () => clearTimeout(timer));
}
