// Where one is and how one comes back: files that are dropped, links, Back, Forward, loading again; the same for both engines.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { PATIENCE, launch, playing, until, time } from './browser.mjs';

const scene = `title = "Dropped"
gravity = [0, -9.81, 0]
[[body]]
mesh.cloth = { size = [1, 1], cells = [6, 6] }
material = { stiffness = 300, mass = 0.2 }
[[body.pin]]
select.indices = [0, 6]
`;
const cube = 'v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n';

export function places(start) {
  let browser;
  let engine;
  before(async () => {
    [engine, browser] = await Promise.all([start([]), launch()]);
  });
  after(async () => {
    await browser?.close();
    await engine?.close();
  });

  /** The page of the gallery, whichever scene the engine would open. */
  const bare = () => {
    const address = new URL(engine.address);
    address.hash = '';
    address.searchParams.delete('scene');
    return address;
  };
  const on = (title, work) =>
    test(title, { timeout: 3 * PATIENCE }, async () => {
      const context = await browser.newContext({ viewport: { width: 1000, height: 600 } });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      const complaints = [];
      page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
      try {
        await page.goto(bare().href);
        await until(page, () => window.sinew?.connected && document.querySelector('.card'));
        await work(page);
        assert.deepEqual(complaints, []);
      } finally {
        await context.close();
      }
    });
  const runs = (page, name) => until(page, (wanted) => window.sinew?.scene === wanted && window.sinew.playing && window.sinew.time(0) > 0, name);
  const open = async (page, name) => {
    await page.click(`#scene-${name}`);
    await runs(page, name);
  };
  const inGallery = (page) => page.isVisible('#gallery');

  on('the gallery is first, every card has a picture, and Back returns to it with what ran', async (page) => {
    assert.ok(await inGallery(page));
    assert.equal(await page.locator('main:visible').count(), 1);
    assert.equal(await page.locator('h1:visible').count(), 1);
    const names = await page.$$eval('.card', (cards) => cards.map((card) => card.dataset.scene));
    assert.ok(names.length > 20, `${names.length} cards`);
    await open(page, 'two-springs');
    assert.equal(new URL(page.url()).searchParams.get('scene'), 'two-springs');
    assert.equal(await page.locator('main:visible').count(), 1);
    assert.equal(await page.textContent('h1:visible'), await page.textContent('#scene-title'));
    await until(page, () => window.sinew.time(0) > 0.2);
    await page.goBack();
    await page.waitForSelector('#gallery:not([hidden])');
    await until(page, () => !window.sinew.playing);
    const left = await time(page);
    await page.goForward();
    await page.waitForSelector('#gallery', { state: 'hidden' });
    // It goes on where it was.
    await until(page, (t) => window.sinew.playing && window.sinew.time(0) > t, left);
    await page.click('#open-gallery');
    await page.waitForSelector('#gallery:not([hidden])');
    await open(page, 'bar');
    await page.goBack();
    await page.waitForSelector('#gallery:not([hidden])');
    await page.goBack();
    await runs(page, 'two-springs');
    assert.ok(!(await inGallery(page)));
  });

  on('changes are in the link, and a page that is loaded again or elsewhere has them', async (page) => {
    await open(page, 'bar');
    await page.click('label[for=keep-energy]');
    const changed = () => new URL(location.href).searchParams.getAll('set').some((line) => line.startsWith('correction.kind='));
    await until(page, changed);
    const now = await page.isChecked('#keep-energy');
    await page.reload();
    await runs(page, 'bar');
    await until(page, (on) => document.getElementById('keep-energy').checked === on, now);
    // Two pages that draw at a time would only wait for each other.
    await playing(page, false);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await runs(other, 'bar');
    await until(other, (on) => document.getElementById('keep-energy').checked === on, now);
    await other.close();
    // A text that was edited is in it, too.
    await page.click('#panel-tab-scene');
    const text = (await page.inputValue('#scene-text')).replace(/^title = .*$/m, 'title = "My own bar"');
    await page.fill('#scene-text', text);
    await page.click('#run-scene');
    await page.waitForSelector('#scene-title:has-text("My own bar")');
    await until(page, () => location.hash.startsWith('#text='));
    await page.reload();
    await page.waitForSelector('#scene-title:has-text("My own bar")');
    await page.goBack();
    await page.waitForSelector('#gallery:not([hidden])');
  });

  on('variants side by side are in the link', async (page) => {
    await open(page, 'two-springs');
    await page.click('#panel-tab-compare');
    await page.click('#preset-energy');
    await until(page, () => window.sinew.variants === 2 && new URL(location.href).searchParams.has('compare'));
    await page.reload();
    await until(page, () => window.sinew?.variants === 2 && window.sinew.time(1) > 0);
  });

  on('a link that makes no sense says so and leads to the gallery', async (page) => {
    await page.goto(`${bare().href}${bare().search ? '&' : '?'}scene=no-such-scene`);
    await page.waitForSelector('.notice:has-text("no-such-scene")');
    assert.ok(await inGallery(page));
    await page.goto('about:blank');
    await page.goto(`${bare().href}#text=AAAA`);
    await page.waitForSelector('.notice:has-text("cut off")');
    await open(page, 'two-springs');
  });

  /** Drops files as a person does. */
  const drop = (page, files) =>
    page.evaluate((files) => {
      const held = new DataTransfer();
      for (const { name, text, base64 } of files) {
        held.items.add(new File([base64 ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) : text], name));
      }
      const at = document.querySelector('#gallery:not([hidden])') ?? document.getElementById('canvas');
      for (const type of ['dragenter', 'dragover', 'drop']) at.dispatchEvent(new DragEvent(type, { dataTransfer: held, bubbles: true, cancelable: true }));
    }, files);

  on('a dropped scene opens, and is there after Back, Forward and loading again', async (page) => {
    await drop(page, [{ name: 'mine.toml', text: scene }]);
    await runs(page, 'mine');
    assert.equal(await page.textContent('#scene-title'), 'Dropped');
    await page.goBack();
    await page.waitForSelector('#gallery:not([hidden])');
    await page.goForward();
    await page.waitForSelector('#gallery', { state: 'hidden' });
    await page.reload();
    await runs(page, 'mine');
    assert.equal(await page.textContent('#scene-title'), 'Dropped');
  });

  on('a dropped mesh becomes a body, alone or with its scene, and is there after loading again', async (page) => {
    await drop(page, [{ name: 'cube.obj', text: cube }]);
    await runs(page, 'cube');
    const count = await page.evaluate(() => window.sinew.positions(0).length);
    assert.ok(count > 300, `${count} numbers`);
    await page.reload();
    await runs(page, 'cube');
    const own = `gravity = [0, -9.81, 0]\nmaterial = { young = 1e5, poisson = 0.4, density = 1000 }\n[[body]]\nmesh.file = { path = "cube.obj", tetrahedralize = { vertices = 60 } }\n`;
    await drop(page, [{ name: 'cube.obj', text: cube }, { name: 'with-mesh.toml', text: own }]);
    await runs(page, 'with-mesh');
  });

  on('a saved state that is dropped goes on from its time', async (page) => {
    await open(page, 'two-springs');
    await until(page, () => window.sinew.time(0) > 0.1);
    await playing(page, false);
    await page.click('#panel-tab-save');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-state')]);
    const bytes = await readFile(await download.path());
    const then = await time(page);
    await page.focus('#canvas');
    await page.keyboard.press('r');
    await until(page, () => window.sinew.time(0) === 0);
    await drop(page, [{ name: 'kept.sinewstate', base64: bytes.toString('base64') }]);
    await until(page, (t) => window.sinew.time(0) === t, then);
  });

  on('what cannot be opened is refused with a reason, and what runs goes on', async (page) => {
    await open(page, 'two-springs');
    await drop(page, [{ name: 'notes.docx', text: 'x' }]);
    await page.waitForSelector('.notice:has-text("notes.docx")');
    await drop(page, [{ name: 'broken.obj', text: 'v 1 2\n' }]);
    await page.waitForSelector('.notice:has-text("broken.obj")');
    await drop(page, [{ name: 'wrong.toml', text: scene.replace('gravity', 'gravitee') }]);
    await page.waitForSelector('.notice:has-text("gravitee")');
    const now = await time(page);
    await until(page, (t) => window.sinew.playing && window.sinew.time(0) > t && window.sinew.scene === 'two-springs', now);
  });

  on('presets that a scene refuses are not offered', async (page) => {
    // Plain iterations cannot do what this material needs: FEPR would be refused.
    const text = scene.replace('[[body]]', 'integrator.kind = "forward-euler"\nh = 1e-4\n[[body]]');
    await drop(page, [{ name: 'explicit.toml', text }]);
    await runs(page, 'explicit');
    await page.click('#panel-tab-compare');
    const offered = async (id) => page.isVisible(`#${id}`);
    const refusals = await page.textContent('#presets-refused');
    for (const id of ['preset-corrections', 'preset-integrators', 'preset-energy']) {
      if (!(await offered(id))) {
        assert.ok(refusals.length > 10, 'it says why');
        continue;
      }
      await page.click(`#${id}`);
      await until(page, () => window.sinew.variants > 1);
      assert.equal(await page.locator('.notice.error').count(), 0, `${id} was offered and refused`);
      await page.click('#single-variant');
      await until(page, () => window.sinew.variants === 1);
    }
    // One's own variant that is refused leaves what runs.
    await page.click('#add-variant');
    await page.locator('.variant-card textarea').last().fill('solver.iterations=-1');
    await page.click('#start-variants');
    await page.waitForSelector('.notice.error');
    const now = await time(page);
    await until(page, (t) => window.sinew.playing && window.sinew.variants === 1 && window.sinew.time(0) > t, now);
  });
}
