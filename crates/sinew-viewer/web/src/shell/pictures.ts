// The picture of a scene's card: what `cargo xtask pictures` made of it, or a line drawing for one that is newer.

import { el } from '../dom';
import { drawing } from './drawings';

const pictures = import.meta.glob<string>('../../gallery/*.png', { eager: true, query: '?url', import: 'default' });

export function picture(name: string, title: string): HTMLElement | SVGSVGElement {
  const src = pictures[`../../gallery/${name}.png`];
  return src ? el('img', { class: 'photo', src, alt: '', loading: 'lazy', width: 320, height: 200 }) : drawing(`${name} ${title}`);
}
