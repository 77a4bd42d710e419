// The text of the scene: a text area with line numbers, and mistakes shown at their line.

import { el } from '../dom';
import { TEXT_LIMIT } from '../protocol/limits';
import type { Store } from '../store';
import { button } from './controls';

const LINE = 18; // px; the style sheet says the same

export function editorPanel(store: Store): HTMLElement {
  const area = el('textarea', {
    id: 'scene-text',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    wrap: 'off',
    'aria-label': 'Scene text (TOML)',
    'aria-describedby': 'scene-error',
  });
  const numbers = el('div', { class: 'line-numbers', 'aria-hidden': 'true' });
  const band = el('div', { class: 'error-band', hidden: true });
  const message = el('pre', { id: 'scene-error', class: 'scene-error', role: 'alert', hidden: true });
  const note = el('span', { class: 'note', id: 'scene-note' });
  let faulty = 0;
  let counted = 0;
  /** What was opened last. */
  let text = '';

  const place = () => {
    numbers.style.transform = `translateY(${-area.scrollTop}px)`;
    band.style.transform = `translateY(${(faulty - 1) * LINE - area.scrollTop}px)`;
  };
  const count = () => {
    const lines = area.value.split('\n').length;
    if (lines !== counted) {
      counted = lines;
      numbers.replaceChildren(...Array.from({ length: lines }, (_, i) => el('div', { class: i + 1 === faulty ? 'faulty' : '' }, String(i + 1))));
    }
    place();
  };
  const clear = () => {
    faulty = 0;
    counted = 0;
    band.hidden = true;
    message.hidden = true;
    area.removeAttribute('aria-invalid');
    count();
  };
  const blame = (text: string, line?: number | null, column?: number | null) => {
    message.textContent = text;
    message.hidden = false;
    area.setAttribute('aria-invalid', 'true');
    if (!line) return;
    faulty = line;
    counted = 0;
    band.hidden = false;
    count();
    const lines = area.value.split('\n');
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const caret = before + Math.min(lines[line - 1]?.length ?? 0, Math.max(0, (column ?? 1) - 1));
    area.focus();
    area.setSelectionRange(caret, caret);
    area.scrollTop = Math.max(0, (line - 4) * LINE);
    place();
  };
  const run = () => {
    clear();
    const written = area.value;
    // Escaped as JSON it may be longer than it looks; too long a message would end the session.
    if (new Blob([JSON.stringify(written)]).size > TEXT_LIMIT) return blame('The text is longer than a message to the engine may be (1 MiB). Put meshes into files of their own.');
    const { name, file, dropped } = store.opened ?? {};
    // The name labels what is saved; other files that the text names are looked for beside its own, or among those that were dropped.
    store.openScene({ text: written, ...(name ? { name } : {}), ...(dropped ? { dropped } : file ? { beside: file } : {}) });
    store.runsText = true;
  };

  area.addEventListener('scroll', place);
  area.addEventListener('input', () => {
    if (faulty) clear();
    count();
    note.textContent = area.value === store.opened?.text ? '' : 'changed';
  });
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (event.key === 'Escape') {
      // Tab belongs to the keyboard's way through the page; Escape leaves the text.
      runButton.focus();
    }
  });

  store.events.on('opened', (opened) => {
    // What was written and not yet run outlives a lost connection.
    if (!(store.reopens && area.value !== text) && area.value !== opened.text) area.value = opened.text;
    text = opened.text;
    note.textContent = area.value === text ? '' : 'changed';
    clear();
  });
  store.events.on('error', (error) => {
    if (error.about === 'open' && store.runsText) blame(error.message, error.line, error.column);
  });

  const runButton = button('run-scene', 'Run', run, 'primary');
  runButton.title = 'Run this text (Ctrl + Enter)';
  const revert = button('revert-scene', 'Undo changes', () => {
    if (store.opened) area.value = store.opened.text;
    note.textContent = '';
    clear();
  });
  count();
  return el(
    'div',
    { class: 'page editor' },
    el('div', { class: 'editor-bar' }, runButton, revert, note),
    el('div', { class: 'editor-box' }, el('div', { class: 'gutter' }, numbers), el('div', { class: 'text' }, band, area)),
    message,
  );
}
