// Elements in one expression.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** An element with attributes; those that are functions listen (`onclick`). */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'value') (element as unknown as HTMLInputElement).value = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** A stroke icon of 24×24 from path data. */
export function icon(paths: string, filled = false): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', filled ? 'icon filled' : 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths);
  svg.append(path);
  return svg;
}

export const icons = {
  play: 'M7 5.5v13l11-6.5z',
  pause: 'M8 5v14M16 5v14',
  step: 'M6 5.5v13l9-6.5zM18 5.5v13',
  reset: 'M4.5 12a7.5 7.5 0 1 0 2.5-5.600M4.5 4.5v4h4',
  ball: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M8.5 9.5a4 4 0 0 1 3-2.200',
  scenes: 'M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z',
  panel: 'M4 5h16v14H4zM14.5 5v14',
  plots: 'M4 19h16M4.5 15l4.5-5 4 3 6.5-8',
  theme: 'M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8',
  close: 'M6 6l12 12M18 6L6 18',
  help: 'M9 9.5a3 3 0 1 1 4.300 2.700c-.9.5-1.300 1-1.300 2.100M12 17.5v.2',
  link: 'M10.5 13.5a4 4 0 0 0 5.700 0l2.800-2.800a4 4 0 0 0-5.700-5.700l-1.300 1.300M13.5 10.5a4 4 0 0 0-5.700 0L5 13.300A4 4 0 0 0 10.700 19l1.300-1.300',
  more: 'M12 5.5v.1M12 12v.1M12 18.5v.1',
  open: 'M4 19V6h5l2 2.5h9V19zM12 16.5v-5M9.5 13.500l2.500-2.500 2.500 2.500',
  camera: 'M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 10.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
};

/** A button with an icon, a name for those who do not see it, and a hint. */
export function iconButton(id: string, paths: string, label: string, onclick: () => void, filled = false): HTMLButtonElement {
  return el('button', { id, type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick }, icon(paths, filled), el('span', { class: 'word' }, label.replace(/ \(.*\)$/, '')));
}

/** Offers bytes as a file. */
export function download(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = el('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser needs the address until it has begun to save.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name that is fit for a file. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '') || 'scene';
}
