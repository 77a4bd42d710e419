// A server that ends and is started again on the same port: the page finds it, and has what it had.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PATIENCE, launch, until } from './browser.mjs';
import { native } from './engines.mjs';

/** A port that is free now. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

export function rejoining() {
  test('the page goes on with the new one', { timeout: 3 * PATIENCE }, async () => {
    const place = await mkdtemp(join(tmpdir(), 'sinew-'));
    const start = async (port) => native(['two-springs'], port, { XDG_RUNTIME_DIR: place });
    const [port, browser] = [await freePort(), await launch()];
    let engine = await start(port);
    try {
      const page = await browser.newPage();
      await page.goto(engine.address);
      await until(page, () => window.sinew?.time(0) > 0);
      await page.click('label[for=keep-energy]');
      await until(page, () => location.search.includes('correction.kind'));
      const kept = await page.isChecked('#keep-energy');
      await engine.close();
      await page.waitForSelector('#disconnected[open]');
      const before = engine.address;
      engine = await start(port);
      assert.equal(engine.address, before, 'the same port has the same token');
      await page.waitForSelector('#disconnected', { state: 'hidden' });
      await until(page, () => window.sinew.connected && window.sinew.scene === 'two-springs' && window.sinew.playing && window.sinew.time(0) > 0);
      assert.equal(await page.isChecked('#keep-energy'), kept);
    } finally {
      await browser.close();
      await engine.close();
      await rm(place, { recursive: true });
    }
  });
}
