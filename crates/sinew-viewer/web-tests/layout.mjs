// Every control at every size, and what axe-core says about it; light and dark.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PATIENCE, launch, until } from './browser.mjs';
import { shoot } from './picture.mjs';
import { clipped, controls, serious } from './reach.mjs';

const sizes = [[390, 844], [640, 360], [844, 390], [1280, 720]];

/** What there has to be, somewhere. */
const wanted = [
  ...['open-gallery', 'play', 'step', 'reset', 'speed', 'throw-ball', 'copy-link', 'help', 'theme', 'toggle-plots', 'toggle-panel'],
  ...['panel-tab-physics', 'panel-tab-view', 'panel-tab-scene', 'panel-tab-compare', 'panel-tab-save'],
  ...['keep-energy', 'gravity', 'wind-strength', 'wind-direction', 'material-0', 'advanced-summary', 'integrator', 'solver', 'iterations', 'correction', 'time-step', 'damping-ether', 'damping-rigid'],
  ...['colour-by', 'wireframe', 'shadows', 'markers', 'camera-home', 'scene-text', 'run-scene', 'revert-scene'],
  ...['preset-corrections', 'preset-integrators', 'preset-energy', 'add-variant', 'start-variants', 'record-webm', 'record-gif', 'screenshot', 'export-obj', 'save-state', 'load-state-button'],
  ...['plot-tab-energy', 'plot-tab-flow', 'plot-tab-momentum', 'plot-tab-iterations', 'plot-tab-milliseconds', 'export-csv', 'export-png'],
  ...['open-files', 'close-gallery', 'scene-trampoline'],
];

export function layout(start) {
  let browser;
  let engine;
  before(async () => {
    [engine, browser] = await Promise.all([start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await engine?.close();
  });

  for (const [width, height] of sizes) {
    describe(`${width} × ${height}`, () => {
      // The two that differ most show whether the dark colours can be read.
      for (const dark of width === 390 || width === 1280 ? [false, true] : [false]) {
        const name = `${dark ? 'dark' : 'light'}-${width}x${height}`;
        test(name, { timeout: 3 * PATIENCE }, async () => {
          const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', bypassCSP: true });
          const page = await context.newPage();
          page.setDefaultTimeout(PATIENCE);
          try {
            await visit(page, name, { width, height, dark });
          } finally {
            await context.close();
          }
        });
      }
    });
  }

  async function visit(page, name, { width, height, dark }) {
    const small = width <= 900 || height <= 480;
    const reached = new Set();
    const faults = [];
    const look = async (where) => {
      // A sheet that rises is not there yet.
      await page.waitForFunction(() => document.getAnimations().every((one) => one.playState === 'finished'));
      await shoot(page, `${engine.name}-${name}-${where}`);
      faults.push(...(await serious(page)).map((fault) => `${where}: ${fault}`));
      // Where things are does not depend on their colour.
      if (dark) return;
      const found = await controls(page, small ? 44 : 24);
      found.reached.forEach((id) => reached.add(id));
      faults.push(...found.faults.map((fault) => `${where}: ${fault}`), ...(await clipped(page)).map((fault) => `${where}: ${fault}`));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) faults.push(`${where}: ${wide} pixels wide`);
    };
    await page.goto(engine.address);
    await until(page, () => window.sinew?.connected && window.sinew.time(0) > 0);
    await page.click('#play');
    await until(page, () => !window.sinew.playing);
    await look('scene');
    if (await page.isVisible('#more')) {
      await page.click('#more');
      await page.waitForSelector('#more-menu:popover-open');
      await look('menu');
      await page.keyboard.press('Escape');
      await page.waitForSelector('#more-menu', { state: 'hidden' });
    }
    if (!(await page.isVisible('#plots'))) {
      if (!(await page.isVisible('#toggle-plots'))) await page.click('#more');
      await page.click('#toggle-plots');
    }
    await look('plots');
    if (!(await page.isVisible('#panel'))) await page.click('#toggle-panel');
    await page.click('#advanced-summary');
    for (const tab of ['physics', 'view', 'scene', 'compare', 'save']) {
      await page.click(`#panel-tab-${tab}`);
      if (tab === 'compare') await page.click('#add-variant');
      await look(tab);
    }
    if (small) await page.click('#close-panel');
    await page.focus('#canvas');
    await page.keyboard.press('?');
    await page.waitForSelector('#help-dialog[open]');
    await look('help');
    await page.keyboard.press('Escape');
    await page.click('#open-gallery');
    await page.waitForSelector('#gallery:not([hidden])');
    await look('gallery');
    assert.deepEqual(faults, []);
    if (!dark) assert.deepEqual(wanted.filter((id) => !reached.has(id)), [], 'controls that are nowhere');
  }
}
