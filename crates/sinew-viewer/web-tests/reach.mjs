// Whether a person can get at the controls of a page: each is in the window (after scrolling to it), large enough, and nothing lies on it.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core calls serious or worse; the page must let scripts in (`bypassCSP`). */
export async function serious(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target} ${failureSummary.replaceAll('\n', ' ')}`));
}

/** Looks at every control that is shown now. Returns the ids of those within reach, and sentences about the others. */
export function controls(page, least) {
  return page.evaluate((least) => {
    const reached = [];
    const faults = [];
    const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]');
    const modal = document.querySelector('dialog:modal');
    for (const control of document.querySelectorAll('button, select, textarea, summary, a[href], input:not(.unseen)')) {
      // The knob of a switch is drawn by its label.
      const target = control.matches('[role=switch]') ? control.closest('label') : control;
      if (!shown(target) || (modal && !modal.contains(control))) continue;
      const name = control.id || control.getAttribute('aria-label') || control.textContent.trim();
      target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      const box = target.getBoundingClientRect();
      const off = box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
      const [x, y] = [Math.min(innerWidth - 1, box.left + box.width / 2), Math.min(innerHeight - 1, box.top + box.height / 2)];
      const hit = document.elementFromPoint(x, y);
      if (off) faults.push(`${name} is outside of the window: ${JSON.stringify(box)}`);
      else if (box.width < least || box.height < least) faults.push(`${name} has ${box.width} × ${box.height} pixels`);
      else if (!hit || !(target === hit || target.contains(hit) || hit.contains(target))) faults.push(`${name} lies under ${hit?.id || hit?.className}`);
      else reached.push(name);
    }
    return { reached, faults };
  }, least);
}

/** Words that are cut off where they should be read whole. */
export function clipped(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, label, h1, h2, h3, .hint, .status span, summary')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], dialog:not([open])'))
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
      .map((element) => `${element.id || element.className}: “${element.textContent.trim()}” has ${element.clientWidth} of ${element.scrollWidth} pixels`),
  );
}
