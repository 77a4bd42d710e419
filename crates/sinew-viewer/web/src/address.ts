// #scene=NAME in the address: what to open, and kept up to date so that it can be passed on.

import type { Store } from './store';

export function sceneOfAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('scene');
}

export function followAddress(store: Store): void {
  store.events.on('opened', ({ name, source }) => {
    const hash = source === 'scene' ? `#scene=${encodeURIComponent(name)}` : '';
    if (hash !== location.hash) history.replaceState(null, '', `${location.pathname}${location.search}${hash}`);
  });
  addEventListener('hashchange', () => {
    const name = sceneOfAddress();
    if (name && name !== store.opened?.name) store.openScene({ scene: name });
  });
}
