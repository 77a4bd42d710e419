// The picture of a scene's card: what `cargo xtask pictures` made of it, or a line drawing for one that is newer.

import { el } from '../dom';
import { drawing } from './drawings';

const pictures = import.meta.glob<string>('../../gallery/*.png', { eager: true, query: '?url', import: 'default' });

/** The picture for light pages and the one for dark pages; the style shows one of them, and what is not shown is not loaded. */
export function picture(name: string, title: string): (HTMLElement | SVGSVGElement)[] {
  const light = pictures[`../../gallery/${name}.png`];
  if (!light) return [drawing(`${name} ${title}`)];
  const dark = pictures[`../../gallery/${name}-dark.png`];
  const image = (src: string, page: string) => el('img', { class: `photo ${page}`, src, alt: '', loading: 'lazy', width: 320, height: 200 });
  return dark ? [image(light, 'for-light'), image(dark, 'for-dark')] : [image(light, '')];
}
