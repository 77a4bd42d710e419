// Keys and gestures, in a dialog.

import { el } from '../dom';
import { keyHelp } from '../interaction/keys';

export function helpDialog(): HTMLDialogElement {
  const dialog = el(
    'dialog',
    { id: 'help-dialog', 'aria-label': 'Keys and gestures' },
    el('h2', {}, 'Keys and gestures'),
    el('dl', {}, ...keyHelp.flatMap(([key, what]) => [el('dt', {}, key), el('dd', {}, what)])),
    el('form', { method: 'dialog' }, el('button', { class: 'primary' }, 'Close')),
  );
  return dialog;
}
