// Uses the page as a person would, in Chromium: node dev/check.mjs. Needs `npm run dev`; ADDRESS and SCENE choose another engine.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const address = process.env.ADDRESS ?? 'http://127.0.0.1:5173/dev/';
const scene = process.env.SCENE ?? 'trampoline';
const mock = !process.env.ADDRESS;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
const page = await context.newPage();
const errors = [];
const foreign = [];
page.on('pageerror', (error) => errors.push(error.message));
page.on('request', (request) => {
  const { host, protocol } = new URL(request.url());
  if (protocol.startsWith('http') && host !== new URL(address).host) foreign.push(request.url());
});
let failures = 0;
async function check(name, work) {
  try {
    const problem = await work();
    if (problem === undefined || problem === true) return console.log(`ok    ${name}`);
    failures++;
    console.log(`FAIL  ${name}: ${JSON.stringify(problem)}`);
  } catch (error) {
    failures++;
    console.log(`FAIL  ${name}: ${error.message.split('\n')[0]}`);
  }
}
const until = (test, argument, timeout = 20000) => page.waitForFunction(test, argument, { timeout }).then(() => undefined);
const saved = async (press) => {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60000 }), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
};

await page.goto(address);
await check('connects and lists scenes', () => until(() => window.sinew?.connected && document.querySelectorAll('.card').length > 0));
if (failures > 0) {
  await browser.close();
  process.exit(1);
}
await check('a card opens its scene, which plays', async () => {
  await page.click(`#scene-${scene}`);
  await until(() => window.sinew.playing && window.sinew.time(0) > 0.2);
});
await check('the address follows', async () => page.url().includes(`#scene=${scene}`));
await check('space pauses, P steps once', async () => {
  await page.focus('#canvas');
  await page.keyboard.press(' ');
  await until(() => !window.sinew.playing);
  await page.waitForTimeout(300);
  const before = await page.evaluate(() => window.sinew.time(0));
  await page.keyboard.press('p');
  await until((time) => window.sinew.time(0) > time, before);
});
await check('R resets', async () => {
  await page.keyboard.press('r');
  await until(() => window.sinew.time(0) < 1e-9);
});
/** A vertex in the middle of what is seen. */
const middle = () =>
  page.evaluate(() => {
    const box = document.querySelector('#canvas').getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    let best = [Infinity, 0, 0, 0];
    const count = window.sinew.positions(0).length / 3;
    for (let v = 0; v < count; v++) {
      const at = window.sinew.project(0, v);
      if (!at) continue;
      const apart = Math.hypot(at[0] - x, at[1] - y);
      if (apart < best[0]) best = [apart, v, at[0], at[1]];
    }
    return { vertex: best[1], x: best[2], y: best[3] };
  });
await check('a drag pulls the body', async () => {
  await page.keyboard.press(' ');
  await until(() => window.sinew.playing);
  await page.evaluate(() => document.querySelector('#play').click());
  await until(() => !window.sinew.playing);
  await page.waitForTimeout(300);
  const { x, y } = await middle();
  await page.evaluate(() => document.querySelector('#play').click());
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 10, y - 40, { steps: 3 });
  await page.mouse.move(x + 10, y - 110, { steps: 5 });
  await page.waitForTimeout(1000);
  const work = await page.evaluate(() => window.sinew.row(0)['added.grabs']);
  await page.mouse.up();
  return Math.abs(work) > 0 || { work };
});
await check('a click pins a vertex, another frees it', async () => {
  await page.keyboard.press('r');
  await page.waitForTimeout(300);
  if (await page.evaluate(() => window.sinew.playing)) await page.evaluate(() => document.querySelector('#play').click());
  await until(() => !window.sinew.playing);
  await page.waitForTimeout(400);
  const before = await page.evaluate(() => window.sinew.pins.length);
  const { x, y } = await middle();
  await page.mouse.click(x, y);
  await until((count) => window.sinew.pins.length === count + 1, before);
  await page.mouse.click(x, y);
  await until((count) => window.sinew.pins.length === count, before);
});
await check('shift and drag select, Pin pins', async () => {
  const before = await page.evaluate(() => window.sinew.pins.length);
  const { x, y } = await middle();
  await page.keyboard.down('Shift');
  await page.mouse.move(x - 40, y - 30);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 30, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.click('#pin-selection');
  await until((count) => window.sinew.pins.length > count, before);
  await page.click('#free-selection');
  await until((count) => window.sinew.pins.length <= count, before);
  await page.click('#clear-selection');
});
await check('a drag on the background turns the view, not a body', async () => {
  const before = await page.evaluate(() => window.sinew.project(0, 0));
  await page.mouse.move(30, 90);
  await page.mouse.down();
  await page.mouse.move(130, 120, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(600);
  const after = await page.evaluate(() => window.sinew.project(0, 0));
  await page.focus('#canvas');
  await page.keyboard.press('f');
  return Math.hypot(after[0] - before[0], after[1] - before[1]) > 5 || { before, after };
});
await check('settings change', async () => {
  await page.selectOption('#correction', 'none');
  await page.waitForTimeout(500);
  await page.fill('#iterations', '15');
  await page.press('#iterations', 'Enter');
  await page.waitForTimeout(500);
  return (await page.inputValue('#correction')) === 'none' && (await page.inputValue('#iterations')) === '15';
});
await check('a refused setting is told, and the control goes back', async () => {
  const before = await page.inputValue('#solver');
  if (mock) {
    await page.selectOption('#solver', 'xpbd');
  } else {
    // More iterations than any engine takes.
    await page.fill('#iterations', '99999999');
    await page.press('#iterations', 'Enter');
  }
  await page.waitForSelector('.notice', { timeout: 10000 });
  return ((await page.inputValue('#solver')) === before && (await page.inputValue('#iterations')) === '15') || 'stayed';
});
await check('a ball is thrown', async () => {
  const before = await page.evaluate(() => window.sinew.positions(0).length);
  await page.click('#throw-ball');
  await until((length) => window.sinew.positions(0).length > length, before);
});
await check('colours and their legend', async () => {
  await page.click('#panel-tab-view');
  await page.selectOption('#colour-by', 'speed');
  await page.waitForSelector('#colour-legend', { state: 'visible' });
  await page.selectOption('#colour-by', 'none');
});
await check('a mistake is shown at its line', async () => {
  await page.click('#panel-tab-scene');
  const text = await page.inputValue('#scene-text');
  await page.fill('#scene-text', `wrong = 3\n${text}`);
  await page.press('#scene-text', 'Control+Enter');
  await page.waitForSelector('#scene-error', { state: 'visible' });
  const line = await page.textContent('.line-numbers .faulty');
  await page.fill('#scene-text', text.replace(/title = .*/, 'title = "Mine"'));
  await page.click('#run-scene');
  await until(() => document.querySelector('#scene-title').textContent === 'Mine' || document.querySelector('#scene-note').textContent === '');
  return line === '1' || line;
});
await check('variants side by side', async () => {
  await page.click('#panel-tab-compare');
  await page.click('#preset-corrections');
  await until(() => window.sinew.variants === 3 && window.sinew.time(2) > 0.2);
  const labels = await page.$$eval('.label', (all) => all.map((each) => each.textContent));
  if (mock) {
    await page.focus('#canvas');
    for (const key of ['2', 'Enter', 'g', 'ArrowUp', 'g', 'Escape']) await page.keyboard.press(key);
    const touched = await page.evaluate(() => window.mock.sent.filter((command) => ['pin', 'grab'].includes(command.do)).slice(-2));
    if (!touched.every(({ variant }) => variant === 1)) return touched;
  }
  await page.click('#single-variant');
  await until(() => window.sinew.variants === 1);
  return labels.join() === 'none,fepr,blend' || labels;
});
await check('plots: every tab, CSV, PNG', async () => {
  for (const id of ['flow', 'momentum', 'iterations', 'milliseconds', 'energy']) await page.click(`#plot-tab-${id}`);
  await until(() => window.sinew.time(0) > 0.3);
  const csv = await saved(() => page.click('#export-csv'));
  const png = await saved(() => page.click('#export-png'));
  const lines = csv.bytes.toString().trim().split('\n');
  return (lines.length > 3 && lines[0].startsWith('time,energy') && png.bytes[1] === 0x50) || [csv.name, lines.length, png.name];
});
await check('picture and OBJ', async () => {
  await page.click('#panel-tab-save');
  const png = await saved(() => page.click('#screenshot'));
  const obj = await saved(() => page.click('#export-obj'));
  return (png.bytes.length > 2000 && /^o /m.test(obj.bytes.toString()) && /^f /m.test(obj.bytes.toString())) || [png.bytes.length, obj.bytes.length];
});
await check('state saved and loaded', async () => {
  const state = await saved(() => page.click('#save-state'));
  const at = Number(state.name.match(/([\d.]+)s\.sinewstate$/)[1]);
  await until((time) => window.sinew.time(0) > time + 0.2, at);
  const file = (name, buffer) => ({ name, mimeType: 'application/octet-stream', buffer });
  await page.setInputFiles('#load-state', file('cut.sinewstate', state.bytes.subarray(0, state.bytes.length - 8)));
  await page.waitForSelector('.notice:has-text("cut off")');
  await page.setInputFiles('#load-state', file('whole.sinewstate', state.bytes));
  await until((time) => Math.abs(window.sinew.time(0) - time) < 1e-3 && !window.sinew.playing, at);
  await page.keyboard.press('Escape');
  await page.click('#play');
  await until(() => window.sinew.playing);
});
await check('video and GIF', async () => {
  await page.click('#record-webm');
  await page.waitForTimeout(2500);
  const film = await saved(() => page.click('#record-webm'));
  await page.click('#record-gif');
  await page.waitForTimeout(2000);
  const gif = await saved(() => page.click('#record-gif'));
  return (film.bytes.length > 1000 && gif.bytes.subarray(0, 3).toString() === 'GIF') || [film.bytes.length, gif.bytes.length];
});
if (mock) {
  const sent = (what) => page.evaluate((name) => window.mock.sent.filter((command) => command.do === name), what);
  await check('touches name their view', async () => {
    const touches = [...(await sent('grab')), ...(await sent('pin'))];
    return (touches.length > 2 && touches.every(({ variant }) => variant === 0 || variant === 1)) || touches;
  });
  await check('the wind is what the engine says', async () => {
    await page.click('#panel-tab-physics');
    await page.fill('#wind-strength', '5');
    await until(() => window.mock.sent.some((command) => command.do === 'wind' && command.velocity[0] === 5));
    await page.click('#reset');
    await until(() => document.querySelector('#wind-strength').getAttribute('aria-valuetext') === '0 m/s' && document.querySelector('#wind-strength').value === '0');
  });
  await check('the text of a file runs beside it', async () => {
    await page.click('#open-gallery');
    await page.click('[data-file="own/ball.toml"]');
    await until(() => window.sinew.time(0) > 0);
    await page.click('#panel-tab-scene');
    await page.fill('#scene-text', 'title = "other"');
    await page.click('#run-scene');
    const last = (await sent('open')).at(-1);
    return last.beside === 'own/ball.toml' || last;
  });
  await check('variants that are refused do not play', async () => {
    await page.click('#panel-tab-compare');
    if (await page.evaluate(() => window.sinew.playing)) await page.click('#play');
    await until(() => !window.sinew.playing);
    const before = (await sent('play')).length;
    await page.click('#add-variant');
    await page.locator('.variant-card textarea').last().fill('wrong=1');
    await page.click('#start-variants');
    await page.waitForSelector('.notice:has-text("unknown key")');
    const asked = (await sent('variants')).length;
    await page.locator('.variant-card textarea').last().fill('a=1\n'.repeat(101));
    await page.click('#start-variants');
    await page.waitForSelector('.notice:has-text("101 overrides")');
    return ((await sent('play')).length === before && (await sent('variants')).length === asked) || 'played';
  });
  await check('a reset during a drag lets go', async () => {
    await page.click('#play');
    const { x, y } = await middle();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 40, { steps: 4 });
    await until(() => document.querySelector('#canvas').style.cursor === 'grabbing' && window.mock.sent.at(-1) !== undefined);
    await page.waitForTimeout(600);
    await page.keyboard.press('r');
    await until(() => document.querySelector('#canvas').style.cursor !== 'grabbing');
    const moves = (await sent('move')).length;
    await page.mouse.move(x, y - 80, { steps: 4 });
    await page.mouse.up();
    return (await sent('move')).length === moves || 'moved on';
  });
  await check('why the engine is gone is said, and it can be had again', async () => {
    await page.click('#panel-tab-scene');
    await page.fill('#scene-text', 'title = "a draft"');
    await page.evaluate(() => window.mock.lose('Eight pages are enough. (Code 1013.)'));
    await page.waitForSelector('dialog#disconnected[open]:has-text("1013")');
    await page.click('#stay');
    await page.click('#reconnect-later');
    await until(() => window.sinew.connected && window.sinew.time(0) > 0);
    const again = (await sent('open')).at(-1);
    const draft = await page.inputValue('#scene-text');
    return (again.beside === 'own/ball.toml' && again.text === 'title = "other"' && draft === 'title = "a draft"') || { again, draft };
  });
}
await check('nothing asked of other hosts', async () => foreign.length === 0 || foreign);
await check('no errors on the page', async () => errors.length === 0 || errors);
await browser.close();
console.log(failures === 0 ? 'all well' : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
