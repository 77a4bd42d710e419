// Both engines compute the same, up to rounding: one fuses multiplications with additions, the other cannot, and they eliminate
// the unknowns of the large systems in another order.
//
// How far rounding carries is a matter of the scene and of the solver. A bar forgets it. On the trampoline twenty iterations of L-BFGS multiply
// it by about 1.6 a step: with gravity changed in its last bit, the native engine alone is 1e-12 off after 10 steps, 2e-10 after 20 and all
// different after 70. Solved to the end by Newton's method, both engines are 2e-12 apart after 50 steps and 3e-9 after 100.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { PATIENCE, launch } from './browser.mjs';
import { overSocket, withModule } from './conversation.mjs';
import { native, wasmFile } from './engines.mjs';

describe('native and WebAssembly agree', () => {
  let engine;
  let browser;
  let page;
  before(async () => {
    [engine, browser] = await Promise.all([native([]), launch()]);
    page = await browser.newPage();
    // Any answer of the server makes the page one of its own; the page itself would simulate beside us.
    await page.goto(new URL('/nothing', engine.address).href);
  });
  after(async () => {
    await browser?.close();
    await engine?.close();
  });

  const cases = [
    ['trampoline', 10, []],
    ['trampoline', 20, ['solver.kind=newton']],
    ['bar', 100, []],
    ['spinning-cube', 100, []],
  ];
  for (const [scene, steps, set] of cases) {
    test(`${scene}, ${steps} steps ${set.join(' ')}`, { timeout: 3 * PATIENCE }, async () => {
      const states = [await overSocket(page, engine.address, scene, steps, set), await withModule(await readFile(wasmFile), scene, steps, set)];
      assert.equal(states[0].length, states[1].length);
      assert.ok(states[0].length > 1000 && states[0].length % 8 === 0, `${states[0].length} bytes`);
      const [a, b] = states.map((bytes) => new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
      let [other, largest] = [0, 0];
      a.forEach((x, i) => {
        if (Object.is(x, b[i])) return;
        other++;
        assert.ok(Number.isFinite(x) && Number.isFinite(b[i]), `word ${i}: ${x} and ${b[i]}`);
        largest = Math.max(largest, Math.abs(x - b[i]) / Math.max(1, Math.abs(x)));
      });
      console.log(`${scene}, ${steps} steps ${set.join(' ')}: ${other} of ${a.length} words differ, by at most ${largest.toExponential(2)}`);
      assert.ok(largest <= 1e-9, `differ by ${largest}`);
    });
  }
});
