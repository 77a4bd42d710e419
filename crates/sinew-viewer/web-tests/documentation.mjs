// The pictures of docs/viewer.md, docs/lips.md and the README: cargo xtask docs --only viewer

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, until } from './browser.mjs';
import { native, run, serve } from './engines.mjs';

const images = process.env.SINEW_IMAGES ?? new URL('../../../docs/images', import.meta.url).pathname;
const size = { width: 1280, height: 720 };

const [engine, browser] = await Promise.all([native([]), launch()]);

/** A page with a scene; drawn twice as large as it is kept, since software draws without smoothing. */
async function open(scene, colorScheme = 'light') {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: 2, colorScheme });
  const page = await context.newPage();
  await page.goto(`${engine.address}#scene=${scene}`);
  await until(page, () => window.sinew?.time(0) > 0.3);
  return page;
}

async function keep(page, name) {
  const large = (await page.screenshot()).toString('base64');
  const small = await page.evaluate(async ([large, { width, height }]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${large}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return canvas.toDataURL('image/png').split(',')[1];
  }, [large, size]);
  await writeFile(`${images}/${name}.png`, Buffer.from(small, 'base64'));
  await page.context().close();
}

{
  const page = await open('trampoline');
  await page.click('#panel-tab-view');
  await page.selectOption('#colour-by', 'energy');
  await page.click('#panel-tab-physics');
  const middle = await page.evaluate(() => {
    const positions = window.sinew.positions(0);
    let best = 0;
    for (let i = 0; i < positions.length / 3; i++) {
      const far = (k) => Math.hypot(positions[3 * k], positions[3 * k + 2]);
      if (far(i) < far(best)) best = i;
    }
    return window.sinew.project(0, best);
  });
  await page.mouse.move(...middle);
  await page.mouse.down();
  for (let part = 1; part <= 12; part++) {
    await page.mouse.move(middle[0], middle[1] - 9 * part);
    const now = await page.evaluate(() => window.sinew.time(0));
    await until(page, (t) => window.sinew.time(0) > t + 0.15, now);
  }
  await keep(page, 'viewer-trampoline');
}
{
  const page = await open('trampoline');
  await page.click('#panel-tab-compare');
  await page.click('#preset-corrections');
  await page.click('#start-variants');
  await until(page, () => window.sinew.variants > 1 && window.sinew.time(0) > 2);
  await keep(page, 'viewer-variants');
}
{
  const page = await open('jelly', 'dark');
  await page.click('#panel-tab-view');
  await page.selectOption('#colour-by', 'stress');
  await page.focus('#cut');
  await page.keyboard.press('Space');
  await until(page, () => window.sinew.time(0) > 4);
  await keep(page, 'viewer-cut');
}
{
  const folder = await mkdtemp(join(tmpdir(), 'sinew-lips-'));
  const at = (name) => join(folder, name);
  await run(['lips', 'perform', '--quiet', '--out', folder]);
  const lips = await serve(['lips', 'view', '--neutral', at('neutral.obj'), '--regions', at('regions.txt'), '--sequence', at('captured'), '--corrected', at('drawn'), '--line', '1412,1424,1436']);
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(lips.address);
  await until(page, () => window.sinewLips?.settled && window.sinewLips.suggestions.length > 0);
  await page.click('#next-suggested');
  await until(page, () => window.sinewLips.frame === window.sinewLips.suggestions[0] && window.sinewLips.settled);
  await page.click('label[for=tool-contour]');
  const line = await page.evaluate(() => window.sinewLips.lines[0].map((v) => window.sinewLips.project(v)));
  const contour = line.map(([x, y], k) => [x, y + 26 * Math.sin((Math.PI * k) / (line.length - 1))]);
  await page.mouse.move(...contour[0]);
  await page.mouse.down();
  for (const point of contour.slice(1)) await page.mouse.move(...point);
  await keep(page, 'lips-view');
  await lips.close();
  await rm(folder, { recursive: true });
}
await browser.close();
await engine.close();
