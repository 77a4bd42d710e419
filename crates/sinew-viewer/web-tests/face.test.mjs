// Sliders for muscles, jaw and fatness of a face.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PATIENCE, launch, open, playing, row, until } from './browser.mjs';
import { native } from './engines.mjs';
import { shoot } from './picture.mjs';

describe('a face in the viewer', () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  /** Moves a slider as a person does: values on the way, and one at the end. */
  const slide = (page, selector, value) =>
    page.$eval(
      selector,
      (input, value) => {
        input.value = String(value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        input.dispatchEvent(new Event('change', { bubbles: true }));
      },
      value,
    );

  test('muscles contract, the jaw opens, the face swells, and the scene takes over again', { timeout: 3 * PATIENCE }, async () => {
    const engine = await native(['face-wind']);
    const { page, context, complaints } = await open(browser, engine, { width: 1280, height: 900 });
    try {
      await until(page, () => !document.getElementById('face-controls').hidden);
      await playing(page, false);
      // 25 muscles are 12 pairs and the orbicularis oris, or each side for itself.
      const sliders = () => page.$$eval('#face-controls [data-muscle]', (list) => list.length);
      assert.equal(await sliders(), 13);
      await page.click('label[for=face-sides]');
      assert.equal(await sliders(), 25);
      await page.click('label[for=face-sides]');
      assert.equal(await page.isDisabled('#face-back'), true);

      const before = await page.evaluate(() => [...window.sinew.positions(0)]);
      await slide(page, '#jaw-open', 7);
      await slide(page, '#face-controls [data-muscle="zygomaticus major"]', 45);
      await slide(page, '#fatness', 1.15);
      await until(page, () => document.querySelector('label[for=fatness] + output').textContent === '1.15');
      await until(page, () => !document.getElementById('face-back').disabled);
      await playing(page, true);
      const from = (await row(page)).time;
      await until(page, (t) => window.sinew.time(0) > t + 0.2, from);
      await playing(page, false);
      const after = await page.evaluate(() => [...window.sinew.positions(0)]);
      let most = 0;
      for (let k = 0; k < before.length; k++) most = Math.max(most, Math.abs(after[k] - before[k]));
      assert.ok(most > 0.004, `${most} m`);
      await page.$eval('#face-controls', (box) => box.scrollIntoView());
      await shoot(page, 'native-face');

      await page.click('#face-back');
      await until(page, () => document.getElementById('face-back').disabled && document.getElementById('jaw-open').value === '0');
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
      assert.equal(await engine.close(), 0, engine.complaint());
    }
  });
});
