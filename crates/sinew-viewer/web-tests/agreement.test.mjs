// Both engines compute the same.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PATIENCE, launch } from './browser.mjs';
import { overSocket, withModule } from './conversation.mjs';
import { native, wasmFile } from './engines.mjs';

const SCENE = 'trampoline';
const STEPS = 100;

test(`native and WebAssembly agree after ${STEPS} steps of the ${SCENE}`, { timeout: 5 * PATIENCE }, async () => {
  const [engine, browser] = await Promise.all([native([]), launch()]);
  try {
    const page = await browser.newPage();
    // Any answer of the server makes the page one of its own; the page itself would simulate beside us.
    await page.goto(new URL('/nothing', engine.address).href);
    const [here, there] = [await overSocket(page, engine.address, SCENE, STEPS), await withModule(await readFile(wasmFile), SCENE, STEPS)];
    assert.equal(here.length, there.length);
    assert.ok(here.length % 8 === 0 && here.length > 3721 * 6 * 8, `${here.length} bytes: positions and velocities`);
    const [a, b] = [here, there].map((bytes) => new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
    let largest = 0;
    let other = 0;
    const [x, y] = [a, b].map((words) => new BigUint64Array(words.buffer));
    for (let i = 0; i < a.length; i++) {
      if (x[i] === y[i]) continue;
      other++;
      assert.ok(Number.isFinite(a[i]) && Number.isFinite(b[i]), `word ${i}: ${a[i]} and ${b[i]}`);
      largest = Math.max(largest, Math.abs(a[i] - b[i]) / Math.max(1, Math.abs(a[i])));
    }
    console.log(`native and WebAssembly: ${a.length} words, ${other} differ, by at most ${largest.toExponential(2)}; ${other === 0 ? 'the same bits' : 'not the same bits'}`);
    assert.ok(largest <= 1e-9, `differ by ${largest}`);
  } finally {
    await browser.close();
    await engine.close();
  }
});
