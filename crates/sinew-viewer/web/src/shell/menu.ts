// What the bar has no room for, in a menu that opens from its end. The controls are the same ones: they move, they are not copied.

import { el, iconButton, icons } from '../dom';

export interface Movable {
  item: HTMLElement;
  home: HTMLElement;
  /** Its right neighbour at home. */
  before: HTMLElement;
  /** In the menu while the window is narrower than this, pixels. */
  below: number;
}

export function overflowMenu(movables: Movable[]): { button: HTMLButtonElement; element: HTMLElement } {
  const element = el('div', { class: 'menu', id: 'more-menu', popover: 'auto', role: 'group', 'aria-label': 'More' });
  const button = iconButton('more', icons.more, 'More', () => {});
  button.setAttribute('popovertarget', element.id);
  button.setAttribute('aria-expanded', 'false');
  element.addEventListener('toggle', () => {
    const open = element.matches(':popover-open');
    button.setAttribute('aria-expanded', String(open));
    if (open) element.querySelector<HTMLElement>('select, button')?.focus();
  });
  // Who has chosen is done; a list of choices stays for another look.
  element.addEventListener('click', (event) => {
    if ((event.target as HTMLElement).closest('button')) element.hidePopover();
  });
  const place = () => {
    // From the last one, so that each finds its neighbour at home.
    for (const { item, home, before, below } of [...movables].reverse()) {
      if (!matchMedia(`(max-width: ${below - 0.02}px)`).matches) home.insertBefore(item, before.parentElement === home ? before : null);
    }
    for (const { item, below } of movables) if (matchMedia(`(max-width: ${below - 0.02}px)`).matches) element.append(item);
    button.hidden = element.childElementCount === 0;
    if (button.hidden && element.matches(':popover-open')) element.hidePopover();
  };
  for (const below of new Set(movables.map((each) => each.below))) matchMedia(`(max-width: ${below - 0.02}px)`).addEventListener('change', place);
  place();
  return { button, element };
}
