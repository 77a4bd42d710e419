// The tool for lips: a contour is drawn over the face, the lips follow, the frame is added, and other frames learn from it.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PATIENCE, launch, until } from './browser.mjs';
import { run, serve } from './engines.mjs';
import { shoot } from './picture.mjs';
import { clipped, controls, serious } from './reach.mjs';

const FRAMES = 60;
/** Landmarks of the upper lip in the mouth that `perform` makes. */
const UPPER = [1412, 1424, 1436];

describe('sinew lips view', () => {
  let browser;
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinew-lips-'));
    browser = await launch();
    await run(['lips', 'perform', '--frames', String(FRAMES), '--quiet', '--out', join(folder, 'take')]);
  });
  after(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (corrected, more = []) => {
    const at = (name) => join(folder, 'take', name);
    return serve(['lips', 'view', '--neutral', at('neutral.obj'), '--regions', at('regions.txt'), '--sequence', at('captured'), '--corrected', join(folder, corrected), ...more]);
  };

  /** A test on a page of a server of its own, which has not complained at its end. */
  const on = (title, work, { width = 1280, height = 720, dark = false, touch = false, more = [] } = {}) =>
    test(title, { timeout: 3 * PATIENCE }, async () => {
      const corrected = `corrected-${title.replace(/\W+/g, '-')}`;
      const engine = await start(corrected, more);
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: touch, bypassCSP: true });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      const complaints = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('dialog', (dialog) => void dialog.accept());
      try {
        await page.goto(engine.address);
        await until(page, () => window.sinewLips?.connected && window.sinewLips.settled && window.sinewLips.suggestions.length > 0);
        await work(page, join(folder, corrected));
        assert.deepEqual(complaints, []);
      } finally {
        await context.close();
        const code = await engine.close();
        assert.equal(code, 0, engine.complaint());
      }
    });

  const settled = (page) => until(page, () => window.sinewLips.settled);
  const positions = (page) => page.evaluate(() => [...window.sinewLips.positions()]);
  const choose = async (page, tool) => {
    await page.click(`label[for=tool-${tool}]`);
    await until(page, (wanted) => window.sinewLips.tool === wanted, tool);
  };
  const show = async (page, frame) => {
    await page.evaluate((wanted) => {
      const slider = document.getElementById('frame');
      slider.value = wanted;
      slider.dispatchEvent(new Event('input'));
    }, frame);
    await until(page, (wanted) => window.sinewLips.frame === wanted && window.sinewLips.settled, frame);
  };
  const side = async (page, wanted) => {
    if ((await page.evaluate(() => window.sinewLips.side)) !== wanted) await page.click('label[for=corrected]');
    await until(page, (w) => window.sinewLips.side === w && window.sinewLips.settled, wanted);
  };
  /** Where the vertices of the lip line are on the page. */
  const line = (page) => page.evaluate(() => window.sinewLips.lines[window.sinewLips.line].map((v) => window.sinewLips.project(v)));
  const stroke = async (page, points) => {
    await page.mouse.move(...points[0]);
    await page.mouse.down();
    for (const at of points.slice(1)) await page.mouse.move(...at, { steps: 2 });
    await page.mouse.up();
  };
  /** Largest distance between two shapes, over all vertices and over those that are no inner lips. */
  const difference = async (page, a, b) => {
    const inner = new Set(await page.evaluate(() => window.sinewLips.inner));
    let [all, outside] = [0, 0];
    for (let v = 0; v < a.length / 3; v++) {
      const far = Math.hypot(a[3 * v] - b[3 * v], a[3 * v + 1] - b[3 * v + 1], a[3 * v + 2] - b[3 * v + 2]);
      all = Math.max(all, far);
      if (!inner.has(v)) outside = Math.max(outside, far);
    }
    return { all, outside };
  };
  const besides = (at, points) => Math.min(...points.slice(1).map((b, k) => segment(at, points[k], b)));

  on('a contour moves the lips, is learned, and corrects another frame', async (page, corrected) => {
    const frame = await page.evaluate(() => window.sinewLips.suggestions[0]);
    await page.click('#next-suggested');
    await until(page, (wanted) => window.sinewLips.frame === wanted && window.sinewLips.settled, frame);
    const captured = await positions(page);

    // A lip is traced over its vertices, and the line is found again along them.
    await choose(page, 'line');
    const upper = await page.evaluate((landmarks) => landmarks.map((v) => window.sinewLips.project(v)), UPPER);
    await stroke(page, [upper[0], middle(upper[0], upper[1]), upper[1], middle(upper[1], upper[2]), upper[2]]);
    await until(page, () => window.sinewLips.lines.length === 1 && window.sinewLips.tool === 'contour');
    const traced = await page.evaluate(() => window.sinewLips.lines[0]);
    assert.ok(traced.length >= 8, `${traced}`);

    // The contour is 12 pixels higher. Drawn the other way round it means the same.
    const contour = (await line(page)).map(([x, y]) => [x, y - 12]);
    await stroke(page, [...contour].reverse());
    await until(page, () => window.sinewLips.strokes === 1 && window.sinewLips.settled);
    const drawn = await positions(page);
    const moved = await difference(page, captured, drawn);
    assert.ok(moved.all > 0.02 && moved.outside === 0, JSON.stringify(moved));
    const off = Math.max(...(await line(page)).map((at) => besides(at, contour)));
    assert.ok(off < 2, `the lip line is seen ${off} pixels beside the contour`);
    await shoot(page, 'lips-1280x720-drawn');

    // Undo, and again.
    await page.keyboard.press('z');
    await until(page, () => window.sinewLips.strokes === 0 && window.sinewLips.settled);
    assert.deepEqual(await positions(page), captured);
    await stroke(page, contour);
    await until(page, () => window.sinewLips.strokes === 1 && window.sinewLips.settled);

    // Another frame is as captured until something is learned.
    const other = (frame + 17) % FRAMES;
    await show(page, other);
    const before = await positions(page);
    await side(page, 'captured');
    assert.deepEqual(await positions(page), before);
    await side(page, 'corrected');
    await show(page, frame);
    const kept = await positions(page);
    assert.ok((await difference(page, kept, captured)).all > 0.02, 'what was drawn is still there');
    await page.click('#add');
    await until(page, (wanted) => window.sinewLips.trained.includes(wanted) && window.sinewLips.settled, frame);
    await page.waitForSelector('.notice:has-text("is a training frame now")');
    assert.ok((await difference(page, await positions(page), kept)).all < 1e-4, 'the model gives the correction back');

    // The file has the correction and all else of the captured one.
    const name = `frame_${String(frame).padStart(5, '0')}.obj`;
    assert.deepEqual(await readdir(corrected), [name]);
    const vertices = (text) => text.split('\n').filter((row) => row.startsWith('v ')).flatMap((row) => row.split(' ').slice(1, 4).map(Number));
    const written = vertices(await readFile(join(corrected, name), 'utf8'));
    assert.ok((await difference(page, written, kept)).all < 1e-4);
    const source = vertices(await readFile(join(folder, 'take/captured', name), 'utf8'));
    assert.equal((await difference(page, written, source)).outside, 0);

    await show(page, other);
    const after = await positions(page);
    const learned = await difference(page, before, after);
    assert.ok(learned.all > 1e-3 && learned.outside === 0, JSON.stringify(learned));
    await side(page, 'captured');
    assert.deepEqual(await positions(page), before);
    await side(page, 'corrected');
    await shoot(page, 'lips-1280x720-learned');

    // Another suggestion comes instead of the frame that was corrected.
    await until(page, (was) => window.sinewLips.suggestions.length > 0 && !window.sinewLips.suggestions.includes(was), frame);
    // Taken out again, the file is gone and the drawing is not.
    await show(page, frame);
    await page.click('#remove');
    await until(page, () => window.sinewLips.trained.length === 0 && window.sinewLips.strokes === 1 && window.sinewLips.settled);
    assert.deepEqual(await readdir(corrected), []);
    await show(page, other);
    assert.deepEqual(await positions(page), before);
  });

  on('a contour by keys, and what is wrong is said', async (page) => {
    const captured = await positions(page);
    // Far from the lips.
    await choose(page, 'line');
    const box = await page.locator('#canvas').boundingBox();
    await stroke(page, [[box.x + 5, box.y + 5], [box.x + 60, box.y + 5]]);
    await page.waitForSelector('.notice.error:has-text("no inner lips")');
    await choose(page, 'contour');
    await page.focus('#canvas');
    // The cross starts in the middle; two points left and right of it are a contour for the line that was given.
    for (let press = 0; press < 8; press++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    for (let press = 0; press < 16; press++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.press('f');
    await until(page, () => window.sinewLips.strokes === 1 && window.sinewLips.settled);
    assert.ok((await difference(page, captured, await positions(page))).all > 1e-3);
    const before = await page.evaluate(() => window.sinewLips.frame);
    await page.keyboard.press('.');
    await until(page, (was) => window.sinewLips.frame === was + 1 && window.sinewLips.settled, before);
    await page.keyboard.press('c');
    await until(page, () => window.sinewLips.side === 'captured' && window.sinewLips.settled);
  }, { more: ['--line', UPPER.join(',')] });

  for (const [width, height] of [[390, 844], [640, 360], [1280, 720]]) {
    for (const dark of width === 640 ? [false] : [false, true]) {
      on(`${dark ? 'dark' : 'light'} ${width} × ${height}`, async (page) => {
        const small = width <= 900 || height <= 480;
        await show(page, await page.evaluate(() => window.sinewLips.suggestions[0]));
        await choose(page, 'contour');
        const contour = (await line(page)).map(([x, y]) => [x, y - 6]);
        await stroke(page, contour);
        await until(page, () => window.sinewLips.strokes === 1 && window.sinewLips.settled);
        await page.click('#add');
        await page.waitForSelector('.notice');
        await shoot(page, `lips-${dark ? 'dark' : 'light'}-${width}x${height}`);
        const faults = await serious(page);
        await page.click('.notice button[aria-label]');
        const found = await controls(page, small ? 44 : 24);
        faults.push(...found.faults, ...(await clipped(page)));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) faults.push(`${wide} pixels wide`);
        await page.focus('#canvas');
        await page.keyboard.press('?');
        await page.waitForSelector('#help-dialog[open]');
        faults.push(...(await serious(page)), ...(await controls(page, small ? 44 : 24)).faults);
        assert.deepEqual(faults, []);
        const wanted = ['tool-turn', 'tool-line', 'tool-contour', 'lip-line', 'corrected', 'undo', 'discard', 'add', 'remove', 'frame', 'play', 'next-suggested', 'follow', 'wireframe', 'camera-home', 'help', 'theme'];
        assert.deepEqual(wanted.filter((id) => !found.reached.includes(id)), [], 'controls that are nowhere');
      }, { width, height, dark, touch: width < 900, more: ['--line', UPPER.join(',')] });
    }
  }
});

const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/** Distance of a point from a segment. */
function segment([x, y], [ax, ay], [bx, by]) {
  const length = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
  const t = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay));
}
