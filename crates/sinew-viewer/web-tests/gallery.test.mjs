// The page that `sinew gallery` writes: every picture is there, nothing complains, it plays, it copies, it turns dark.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PATIENCE, launch } from './browser.mjs';

describe('gallery', () => {
  let browser, folder;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinew-gallery-'));
    const make = () => execFileSync(process.env.SINEW_BINARY, ['gallery', 'tetrahedron', 'simple-spring', '--out', folder, '--quiet'], { encoding: 'utf8' });
    assert.match(make(), /2 scenes, 2 of them made/);
    // What is there is not made again.
    const made = statSync(join(folder, 'tetrahedron', 'animation.gif')).mtimeMs;
    assert.match(make(), /2 scenes, 0 of them made/);
    assert.equal(statSync(join(folder, 'tetrahedron', 'animation.gif')).mtimeMs, made);
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('every picture is shown, and nothing complains', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    page.setDefaultTimeout(PATIENCE);
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    assert.equal(await page.locator('.card').count(), 2);
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
    await page.evaluate(() => document.querySelectorAll('img').forEach((image) => { image.loading = 'eager'; }));
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
    // Two pictures, for light and dark pages, and the plot of each.
    assert.equal(await page.evaluate(() => document.images.length), 6);
    const shown = () => page.evaluate(() => [...document.querySelectorAll('#tetrahedron .picture img')].filter((image) => image.checkVisibility()).map((image) => image.src.split('/').pop()));
    assert.deepEqual(await shown(), ['picture.png']);
    await page.click('#tetrahedron .picture');
    await page.waitForFunction(() => {
      const image = document.querySelector('#tetrahedron .picture .moving');
      return image?.src.endsWith('animation.gif') && image.complete && image.naturalWidth > 0;
    });
    assert.deepEqual(await shown(), ['animation.gif']);
    await page.click('#tetrahedron .picture');
    assert.deepEqual(await shown(), ['picture.png']);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.click('#theme');
    assert.notEqual(await ground(), light);
    assert.deepEqual(await shown(), ['picture-dark.png']);
    await page.click('#simple-spring .picture');
    await page.waitForFunction(() => document.querySelector('#simple-spring .moving')?.naturalWidth > 0);
    // As the system says, until someone chooses.
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    assert.deepEqual(await shown(), ['picture-dark.png']);
    await page.click('#theme');
    assert.deepEqual(await shown(), ['picture.png']);
    // No part is wider than the window, even on a phone.
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width}`);
    }
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
