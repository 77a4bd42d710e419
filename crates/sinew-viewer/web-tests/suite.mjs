// What a person does with the page, and what must come of it; the same for both engines.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { PATIENCE, choose, launch, open, playing, row, time, until } from './browser.mjs';
import { difference, shoot, update } from './picture.mjs';

export function suite(start) {
  let browser;
  let engine;
  before(async () => {
    [engine, browser] = await Promise.all([start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    const code = await engine?.close();
    assert.equal(code, 0, `the engine ended with ${code}: ${engine?.complaint()}`);
  });

  /** A test on a fresh page that has not complained at its end. */
  const on = (title, work, options) =>
    test(title, { timeout: 3 * PATIENCE }, async () => {
      const opened = await open(browser, engine, options);
      try {
        await work(opened.page, opened);
        assert.deepEqual(opened.complaints, []);
      } finally {
        await opened.context.close();
      }
    });

  on('the page loads from its own host alone, and the trampoline moves', async (page, { hosts }) => {
    assert.equal(await page.evaluate(() => window.sinew.engine), engine.name);
    assert.equal(await page.evaluate(() => window.sinew.scene), 'trampoline');
    await playing(page, true);
    await until(page, () => window.sinew.time(0) > 0.1);
    const first = await page.evaluate(() => [...window.sinew.positions(0)]);
    await until(page, (since) => window.sinew.time(0) > since + 0.1, await time(page));
    const moved = await page.evaluate((old) => Math.max(...window.sinew.positions(0).map((x, i) => Math.abs(x - old[i]))), first);
    assert.ok(moved > 1e-3, `nothing moved further than ${moved} m`);
    assert.deepEqual([...hosts], [new URL(engine.address).host]);
    assert.equal(await page.evaluate(() => window.sinew.lastError), null);
  });

  on('pause, step and reset by keys', async (page) => {
    await playing(page, true);
    await until(page, () => window.sinew.time(0) > 0.1);
    await page.focus('#canvas');
    await page.keyboard.press(' ');
    await until(page, () => !window.sinew.playing);
    // Frames come in order: after the one of the start there is none from before it.
    await page.keyboard.press('r');
    await until(page, () => window.sinew.time(0) === 0);
    const h = await page.evaluate(() => 1 / document.getElementById('time-step').valueAsNumber);
    for (const count of [1, 2, 3]) {
      await page.keyboard.press('p');
      await until(page, (t) => window.sinew.time(0) > t, (count - 0.5) * h);
      assert.ok(Math.abs((await time(page)) - count * h) < 1e-9, `${count} steps make ${await time(page)} s`);
    }
    await page.keyboard.press(' ');
    await until(page, () => window.sinew.playing && window.sinew.time(0) > 0);
  });

  on('a drag by the mouse moves the body, and the books show the work', async (page) => {
    // From the start, where the cloth is flat: on a slow machine one that swings is gone before the pointer is there.
    await playing(page, false);
    await page.focus('#canvas');
    await page.keyboard.press('r');
    await until(page, () => window.sinew.time(0) === 0);
    const { vertex, at, size } = await grip(page);
    const height = () => page.evaluate((v) => window.sinew.positions(0)[3 * v + 1], vertex);
    const flat = await height();
    assert.equal((await row(page))['added.grabs'], 0);
    await page.mouse.move(...at);
    await page.mouse.down();
    for (let part = 1; part <= 10; part++) await page.mouse.move(at[0], at[1] - 9 * part);
    await page.keyboard.press(' ');
    await until(page, () => Math.abs(window.sinew.row(0)['added.grabs']) > 1e-6);
    // The grab is 90 pixels higher; the point follows it against the springs of the cloth.
    await until(page, ([v, y]) => window.sinew.positions(0)[3 * v + 1] > y, [vertex, flat + 0.05 * size]);
    await until(page, ([v, y]) => window.sinew.project(0, v)[1] < y, [vertex, at[1] - 30]);
    // It stays there as long as it is held.
    await until(page, (t) => window.sinew.time(0) > t + 0.5, await time(page));
    const held = await height();
    assert.ok(held > flat + 0.05 * size, `held at ${held} m, ${flat} m before`);
    await page.mouse.up();
    // After the grab has gone, its work stays as it is.
    await until(page, (t) => window.sinew.time(0) > t + 0.2, await time(page));
    await playing(page, false);
    const work = (await row(page))['added.grabs'];
    assert.ok(Math.abs(work) > 1e-6, `the grab did ${work} J`);
    const rest = await time(page);
    await page.keyboard.press('p');
    await until(page, (t) => window.sinew.time(0) > t, rest);
    assert.ok(Math.abs((await row(page))['added.grabs'] - work) <= 1e-9 * Math.abs(work), 'work without a grab');
  });

  on('without correction the energy decays, with FEPR it stays', async (page) => {
    const kept = async (correction) => {
      await playing(page, false);
      await choose(page, 'correction', correction);
      await page.focus('#canvas');
      await page.keyboard.press('r');
      await until(page, () => window.sinew.time(0) === 0);
      await page.selectOption('#speed', 'max');
      await playing(page, true);
      await until(page, () => window.sinew.row(0).time > 1);
      await playing(page, false);
      return row(page);
    };
    // What the correction aims at is the energy at the start and all work since.
    const off = (books) => Math.abs(books.energy - books.target) / Math.max(Math.abs(books.kinetic), Math.abs(books.target), 1e-9);
    const none = await kept('none');
    const fepr = await kept('fepr');
    assert.ok(none.energy < none.target, 'backward Euler loses energy');
    assert.ok(off(fepr) < 1e-3, `FEPR is off by ${off(fepr)}: ${JSON.stringify(fepr)}`);
    assert.ok(off(none) > 20 * off(fepr), `none is off by ${off(none)}, FEPR by ${off(fepr)}`);
  });

  on('the correction is switched on while it runs: energy falls before and stays after', async (page) => {
    await playing(page, false);
    await choose(page, 'correction', 'none');
    await page.focus('#canvas');
    await page.keyboard.press('r');
    await until(page, () => window.sinew.time(0) === 0);
    await playing(page, true);
    await until(page, () => window.sinew.row(0).energy < 0.95 * window.sinew.row(0).target);
    const before = await row(page);
    await choose(page, 'correction', 'fepr');
    // The first row that FEPR has worked on.
    await until(page, (t) => window.sinew.row(0).time > t && window.sinew.row(0)['correction.iterations'] > 0, before.time);
    const first = await row(page);
    const h = await page.evaluate(() => 1 / document.getElementById('time-step').valueAsNumber);
    await until(page, (t) => window.sinew.row(0).time > t, first.time + 30.5 * h);
    const last = await row(page);
    assert.ok(last.time - first.time > 30 * h, `${last.time - first.time} s`);
    assert.ok(Math.abs(last.energy - first.energy) < 1e-6 * first.target, `${first.energy} J and then ${last.energy} J`);
    // What was lost before stays lost, and the books remember it.
    assert.ok(first.energy < 0.95 * first.target && last.energy < 0.95 * last.target, `${last.energy} of ${last.target} J`);
  });

  on('a mistake in a scene is shown at its line, and mended', async (page) => {
    await page.click('#panel-tab-scene');
    const text = await page.inputValue('#scene-text');
    const lines = text.split('\n');
    const at = lines.findIndex((line) => /^frames\s*=/.test(line));
    assert.ok(at >= 0, 'the scene has a number of frames');
    await page.fill('#scene-text', lines.with(at, 'frames = "many"').join('\n'));
    await page.click('#run-scene');
    await page.waitForSelector('#scene-error:not([hidden])');
    assert.match(await page.textContent('#scene-error'), /integer/);
    assert.equal(await page.textContent('.line-numbers .faulty'), String(at + 1));
    assert.ok(await page.evaluate(() => window.sinew.lastError));
    assert.equal(await page.evaluate(() => window.sinew.variants), 1, 'the scene before goes on');
    await page.fill('#scene-text', text);
    await page.click('#run-scene');
    await page.waitForSelector('#scene-error', { state: 'hidden' });
    await until(page, () => window.sinew.connected && window.sinew.variants === 1);
  });

  on('two variants run side by side, and are pulled together', async (page) => {
    await page.click('#panel-tab-compare');
    await page.click('#preset-energy');
    await until(page, () => window.sinew.variants === 2 && window.sinew.playing && window.sinew.time(0) > 0.2 && window.sinew.time(1) > 0.2);
    const { at } = await grip(page);
    await page.mouse.move(...at);
    await page.mouse.down();
    for (let part = 1; part <= 10; part++) await page.mouse.move(at[0], at[1] - 9 * part);
    await until(page, () => [0, 1].every((v) => Math.abs(window.sinew.row(v)['added.grabs']) > 1e-6));
    await page.mouse.up();
    await playing(page, false);
    // The frames of the two come one after the other, of the same moment.
    const both = await until(page, () => {
      const rows = [0, 1].map((variant) => window.sinew.row(variant));
      return Math.abs(rows[0].time - rows[1].time) < 1e-9 && rows;
    });
    const [a, b] = await both.jsonValue();
    assert.notEqual(a.energy, b.energy);
    await shoot(page, `${engine.name}-variants`);
  });

  on('a box of vertices is selected, pinned and freed', async (page) => {
    await playing(page, false);
    const { at } = await grip(page);
    const before = await page.evaluate(() => window.sinew.pins.length);
    await page.keyboard.down('Shift');
    await page.mouse.move(at[0] - 30, at[1] - 20);
    await page.mouse.down();
    await page.mouse.move(at[0] + 30, at[1] + 20, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const selected = Number((await page.textContent('#selection [role=status]')).split(' ')[0]);
    assert.ok(selected > 5, `${selected} vertices`);
    await page.click('#pin-selection');
    await until(page, (count) => window.sinew.pins.length === count, before + selected);
    // The model is another one now, its vertices are the same: so is the selection.
    await page.click('#free-selection');
    await until(page, (count) => window.sinew.pins.length === count, before);
    // With a ball they are others, and what was selected is not what these numbers mean.
    const vertices = await page.evaluate(() => window.sinew.positions(0).length);
    await page.click('#throw-ball');
    await until(page, (count) => window.sinew.positions(0).length > count, vertices);
    await page.waitForSelector('#selection', { state: 'hidden' });
  });

  on('a ball is thrown, and flies', async (page) => {
    const vertices = await page.evaluate(() => window.sinew.positions(0).length / 3);
    await page.focus('#canvas');
    await page.keyboard.press('b');
    const first = await until(page, (count) => {
      const positions = window.sinew.positions(0);
      const ball = [...positions.slice(3 * count, 3 * count + 3)];
      return ball.some((x) => x !== 0) && ball;
    }, vertices);
    const from = await first.jsonValue();
    await until(page, ([v, old]) => Math.hypot(...old.map((x, i) => window.sinew.positions(0)[3 * v + i] - x)) > 0.1, [vertices, from]);
    await until(page, () => window.sinew.playing);
  });

  on('a state is saved and loaded; one that is cut off is not sent', async (page) => {
    await playing(page, false);
    await page.click('#panel-tab-save');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-state')]);
    const bytes = await readFile(await download.path());
    const then = await page.evaluate(() => [window.sinew.time(0), ...window.sinew.positions(0).slice(0, 3000)]);
    await playing(page, true);
    await until(page, (t) => window.sinew.time(0) > t + 0.2, then[0]);
    await playing(page, false);
    const file = (name, buffer) => ({ name, mimeType: 'application/octet-stream', buffer });
    await page.setInputFiles('#load-state', file('cut.sinewstate', bytes.subarray(0, bytes.length - 16)));
    await page.waitForSelector('.notice:has-text("cut.sinewstate")');
    assert.ok((await time(page)) > then[0] + 0.2, 'nothing has changed');
    await page.setInputFiles('#load-state', file('whole.sinewstate', bytes));
    await until(page, (t) => window.sinew.time(0) === t && window.sinew.variants === 1, then[0]);
    const now = await page.evaluate(() => [window.sinew.time(0), ...window.sinew.positions(0).slice(0, 3000)]);
    assert.deepEqual(now, then);
    // It goes on from there.
    await page.focus('#canvas');
    await page.keyboard.press('p');
    await until(page, (t) => window.sinew.time(0) > t && window.sinew.time(0) < t + 0.1, then[0]);
    assert.ok(await page.evaluate(() => window.sinew.connected));
  });

  on('an attachment is dragged, and the books show the work', async (page) => {
    await playing(page, false);
    assert.equal((await row(page))['added.attachments'], 0);
    // The lowest of the picture is nearest to the eye, with nothing before it.
    const at = await page.evaluate(() => {
      let lowest = null;
      for (let a = 0, at; (at = window.sinew.attachment(0, a)); a++) if (!lowest || at[1] > lowest[1]) lowest = [...at];
      return lowest;
    });
    await page.mouse.move(...at);
    await page.mouse.down();
    await page.mouse.move(at[0], at[1] - 40, { steps: 4 });
    await page.mouse.up();
    await playing(page, true);
    await until(page, () => Math.abs(window.sinew.row(0)['added.attachments']) > 1e-6);
    assert.equal((await row(page))['added.grabs'], 0);
  });

  on('a vertex is pinned and pulled by keys', async (page) => {
    await playing(page, false);
    await page.focus('#canvas');
    const before = await page.evaluate(() => window.sinew.pins.length);
    await page.keyboard.press('v');
    const first = await page.evaluate(() => window.sinew.cursor);
    await page.keyboard.press('v');
    const second = await page.evaluate(() => window.sinew.cursor);
    assert.ok(first !== null && second !== null && first !== second, `${first}, then ${second}`);
    await page.keyboard.press('Shift+V');
    assert.equal(await page.evaluate(() => window.sinew.cursor), first);
    await page.keyboard.press('Enter');
    await until(page, (vertex) => window.sinew.pins.includes(vertex), first);
    await page.keyboard.press('Enter');
    await until(page, (count) => window.sinew.pins.length === count, before);
    await page.keyboard.press('g');
    for (let press = 0; press < 8; press++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press(' ');
    await until(page, () => Math.abs(window.sinew.row(0)['added.grabs']) > 1e-6);
    await page.waitForSelector('#cursor:has-text("pulled")');
    // The engine drops its grabs at a reset, and the page knows it.
    await page.keyboard.press('r');
    await page.waitForSelector('#cursor:has-text("Enter pins")');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => window.sinew.cursor), null);
  });

  on('the picture is the one that was stored', async (page) => {
    await playing(page, false);
    await page.focus('#canvas');
    await page.keyboard.press('r');
    await until(page, () => window.sinew.time(0) === 0);
    await twoFrames(page);
    const picture = await shoot(page, `${engine.name}-trampoline`, '#canvas');
    if (engine.name === 'native') await update('trampoline', picture);
    const off = await difference(page, 'trampoline', picture);
    // What a difference is: the same without the red dots.
    await page.click('#panel-tab-view');
    await page.click('label[for=markers]');
    await page.focus('#canvas');
    await page.keyboard.press('f');
    await twoFrames(page);
    const bare = await difference(page, 'trampoline', await shoot(page, `${engine.name}-trampoline-bare`, '#canvas'));
    console.log(`picture: differs by ${off.toFixed(3)} of 255, without markers by ${bare.toFixed(3)}`);
    assert.ok(off < 0.4, `differs by ${off} of 255`);
    assert.ok(bare > 0.6, `differs by only ${bare} of 255 without markers`);
  });

  describe('both themes at two sizes', () => {
    for (const dark of [false, true]) {
      for (const [width, height] of [[1440, 900], [800, 600]]) {
        const name = `${dark ? 'dark' : 'light'}-${width}x${height}`;
        on(name, async (page) => {
          await playing(page, true);
          await until(page, () => window.sinew.time(0) > 0.3);
          await shoot(page, `${engine.name}-${name}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${wide} pixels wide`);
        }, { width, height, dark });
      }
    }
  });
}

/** Waits until what is known has been drawn. */
const twoFrames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The vertex nearest to the middle of the body, and where it is on the page. */
function grip(page) {
  return page.evaluate(() => {
    const positions = window.sinew.positions(0);
    const count = positions.length / 3;
    const middle = [0, 1, 2].map((axis) => positions.reduce((sum, x, i) => sum + (i % 3 === axis ? x : 0), 0) / count);
    const distance = (v) => middle.reduce((sum, x, axis) => sum + (positions[3 * v + axis] - x) ** 2, 0);
    let vertex = 0;
    for (let v = 1; v < count; v++) if (distance(v) < distance(vertex)) vertex = v;
    const size = Math.max(...positions) - Math.min(...positions);
    return { vertex, at: window.sinew.project(0, vertex), size };
  });
}
