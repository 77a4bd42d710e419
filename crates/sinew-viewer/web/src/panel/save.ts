// Pictures, films and states to keep.

import { download, el, fileName } from '../dom';
import { startFilm } from '../record/film';
import { startGif } from '../record/gif';
import { objText } from '../record/obj';
import type { Picture } from '../record/picture';
import { checkState } from '../protocol/decode';
import type { Store } from '../store';
import { button, group } from './controls';

export function savePanel(store: Store, picture: Picture): HTMLElement {
  const name = () => fileName(store.opened?.name ?? 'sinew');
  const say = (error: unknown) => store.events.emit('odd', error instanceof Error ? error.message : String(error));

  let film: { stop(): void } | null = null;
  const webm = button('record-webm', 'Record video', () => {
    if (film) return film.stop();
    try {
      film = startFilm(picture, (blob) => {
        film = null;
        webm.textContent = 'Record video';
        webm.classList.remove('recording');
        if (blob) download(`${name()}.webm`, blob);
      });
      webm.textContent = 'Stop recording';
      webm.classList.add('recording');
    } catch (error) {
      say(error);
    }
  });

  let moving: { stop(): void } | null = null;
  const gif = button('record-gif', 'Record GIF (up to 10 s)', () => {
    if (moving) return moving.stop();
    moving = startGif(
      picture,
      (seconds) => (gif.textContent = `Stop GIF (${seconds.toFixed(1)} s)`),
      (blob) => {
        moving = null;
        gif.textContent = 'Record GIF (up to 10 s)';
        gif.classList.remove('recording');
        if (blob) download(`${name()}.gif`, blob);
        else say('The GIF could not be made.');
      },
    );
    gif.classList.add('recording');
  });

  const shot = button('screenshot', 'Picture (PNG)', () => picture.once((canvas) => canvas.toBlob((blob) => blob && download(`${name()}.png`, blob))));
  const obj = button('export-obj', 'Surfaces (OBJ)', () => {
    store.variants.forEach((variant, i) => {
      if (!variant.ready) return;
      const label = store.variants.length > 1 ? `-${fileName(variant.scene.label || String(i + 1))}` : '';
      download(`${name()}${label}-${variant.time.toFixed(3)}s.obj`, objText(variant));
    });
  });

  const save = button('save-state', 'Save state', () => store.send({ do: 'save' }));
  store.events.on('saved', ({ bytes, name: saved, time }) => download(`${fileName(saved)}-${time.toFixed(3)}s.sinewstate`, new Blob([bytes])));
  const file = el('input', { id: 'load-state', type: 'file', accept: '.sinewstate', class: 'unseen', tabindex: -1, 'aria-label': 'State file' });
  file.addEventListener('change', async () => {
    const chosen = file.files?.[0];
    file.value = '';
    if (!chosen) return;
    try {
      const bytes = await chosen.arrayBuffer();
      checkState(bytes);
      store.sendState(bytes);
    } catch (error) {
      say(`${chosen.name} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  const load = button('load-state-button', 'Load state…', () => file.click());

  return el(
    'div',
    { class: 'page' },
    group('Film', webm, gif),
    group('Now', shot, obj),
    group('State', el('p', { class: 'hint' }, 'Everything the simulation needs to go on from here.'), save, load, file),
  );
}
