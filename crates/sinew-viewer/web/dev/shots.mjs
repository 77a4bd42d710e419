// Screenshots of the page with the mock engine: node dev/shots.mjs [only]. Needs `npm run dev` and Chromium.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

const address = process.env.ADDRESS ?? 'http://127.0.0.1:5173/dev/';
const out = new URL('./shots/', import.meta.url).pathname;
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

async function shoot(name, { width = 1280, height = 720, dark = false, touch = false, hash = '' }, act = async () => {}) {
  if (process.argv[2] && !name.match(process.argv[2])) return;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: touch });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.log(name, 'error:', error.message));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()) && console.log(name, message.type(), message.text()));
  await page.goto(address + hash);
  await page.waitForFunction(() => window.sinew?.connected);
  if (hash) await page.waitForFunction(() => window.sinew.time(0) > 0.5);
  await act(page);
  await page.waitForTimeout(1200);
  await page.screenshot({ path: `${out}${name}.png` });
  console.log(name, await page.textContent('#status'));
  await context.close();
}

const tab = (id) => (page) => page.click(`#panel-tab-${id}`);
await shoot('gallery', {});
await shoot('gallery-dark', { dark: true });
await shoot('trampoline', { hash: '#scene=trampoline' });
await shoot('trampoline-dark', { hash: '#scene=trampoline', dark: true });
await shoot('jelly', { hash: '#scene=jelly' }, tab('view'));
await shoot('jelly-cut', { hash: '#scene=jelly', dark: true }, async (page) => {
  await tab('view')(page);
  await page.click('label[for=cut]');
  await page.click('label[for=wireframe]');
  await page.selectOption('#colour-by', 'energy');
});
await shoot('jelly-cut-plain', { hash: '#scene=jelly' }, async (page) => {
  await tab('view')(page);
  await page.click('label[for=cut]');
});
await shoot('springs', { hash: '#scene=two-springs' });
await shoot('flag', { hash: '#scene=flag', dark: true });
await shoot('compare', { hash: '#scene=trampoline' }, async (page) => {
  await tab('compare')(page);
  await page.click('#preset-corrections');
  await page.waitForTimeout(2500);
});
await shoot('error', { hash: '#scene=trampoline' }, async (page) => {
  await tab('scene')(page);
  await page.fill('#scene-text', 'title = "x"\n\n[solver]\nwrong = 3\n');
  await page.click('#run-scene');
});
await shoot('refused', { hash: '#scene=trampoline', dark: true }, (page) => page.selectOption('#solver', 'xpbd'));
await shoot('save', { hash: '#scene=trampoline' }, tab('save'));
await shoot('help', { hash: '#scene=trampoline' }, (page) => page.click('#help'));
await shoot('tablet', { width: 1024, height: 768, touch: true, hash: '#scene=jelly' });
await shoot('tablet-portrait', { width: 768, height: 1024, touch: true, hash: '#scene=trampoline' });
await shoot('tablet-portrait-panel', { width: 768, height: 1024, touch: true, dark: true, hash: '#scene=trampoline' }, (page) => page.click('#toggle-panel'));
await shoot('tablet-gallery', { width: 768, height: 1024, touch: true });
await browser.close();
