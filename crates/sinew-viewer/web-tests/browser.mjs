// Chromium, and a page that must not complain.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

/** Drawing without a graphics card on a busy machine is slow; a test that fails waits this long, others do not. */
export const PATIENCE = Number(process.env.SINEW_PATIENCE ?? 90_000);

export function launch() {
  return chromium.launch({
    executablePath: process.env.SINEW_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
  });
}

// What the software renderer says about itself.
const harmless = /GPU stall|GL Driver Message|GroupMarkerNotSet/;

/** A page with the scene open. Afterwards `complaints()` is what went wrong on the way. */
export async function open(browser, engine, { width = 1000, height = 600, dark = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  const hosts = new Set();
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !harmless.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (response) => response.status() >= 400 && complaints.push(`${response.status()}: ${response.url()}`));
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(engine.address);
  // A scene plays when it is open; before that, nothing the page says about itself would last.
  await until(page, () => window.sinew?.connected && window.sinew.scene && window.sinew.playing && window.sinew.time(0) > 0);
  return { page, context, complaints, hosts };
}

/** Waits until an expression of the page holds; `argument` goes into it. */
export function until(page, condition, argument) {
  return page.waitForFunction(condition, argument, { timeout: PATIENCE, polling: 50 });
}

/** The newest row of numbers. */
export const row = (page, variant = 0) => page.evaluate((v) => window.sinew.row(v), variant);
export const time = (page, variant = 0) => page.evaluate((v) => window.sinew.time(v), variant);

/** Plays or pauses, and waits until the engine says so. */
export async function playing(page, wanted) {
  if ((await page.evaluate(() => window.sinew.playing)) !== wanted) await page.click('#play');
  await until(page, (w) => window.sinew.playing === w, wanted);
}

/** Chooses a value of the panel and waits until it is in force. */
export async function choose(page, control, value) {
  // The methods are under Advanced.
  if (!(await page.isVisible(`#${control}`))) await page.click('#advanced-summary');
  await page.selectOption(`#${control}`, value);
  const chosen = () => page.evaluate((id) => document.getElementById(id).value, control);
  assert.equal(await chosen(), value);
}
