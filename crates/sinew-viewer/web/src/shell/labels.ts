// The names of the variants, over their viewports.

import { el } from '../dom';
import type { Store } from '../store';
import type { Stage } from '../view/stage';

export function labels(store: Store, stage: Stage): void {
  const box = el('div', { class: 'labels', id: 'labels' });
  stage.element.append(box);
  const place = () => {
    const several = store.variants.length > 1;
    const rects = stage.rects();
    box.replaceChildren(
      ...(several ? store.variants : []).map((variant, i) => {
        const label = el('span', { class: 'label' }, variant.scene.label || `variant ${i + 1}`);
        label.style.left = `${rects[i].x + 12}px`;
        label.style.top = `${rects[i].y + 12}px`;
        return label;
      }),
    );
    stage.invalidate();
  };
  store.events.on('scene', place);
  store.events.on('opened', place);
  new ResizeObserver(place).observe(stage.element);
}
