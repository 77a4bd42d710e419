// Screenshots, and how much two of them differ. The browser decodes both: there is no other decoder here.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const expected = new URL('./expected/', import.meta.url).pathname;
const shots = process.env.SINEW_SCREENSHOTS ?? new URL('../../../target/viewer-screenshots/', import.meta.url).pathname;

/** Takes a picture of the page, or of a part of it, and keeps it to look at. */
export async function shoot(page, name, part) {
  const path = join(shots, `${name}.png`);
  await mkdir(dirname(path), { recursive: true });
  return part ? page.locator(part).screenshot({ path }) : page.screenshot({ path });
}

/** Stores a picture to compare with, if that was asked for. */
export async function update(name, picture) {
  if (!process.env.SINEW_UPDATE) return;
  await mkdir(expected, { recursive: true });
  await writeFile(join(expected, `${name}.png`), picture);
}

/**
 * Mean absolute difference to the stored picture, of 255, after both were reduced to 64 pixels a side: small shifts of
 * edges, fonts and smoothing vanish, a missing body or a wrong colour does not.
 */
export async function difference(page, name, picture) {
  const file = join(expected, `${name}.png`);
  if (!existsSync(file)) throw new Error(`${file} is missing; cargo xtask browser --update makes it`);
  const pair = [picture, await readFile(file)].map((bytes) => bytes.toString('base64'));
  return page.evaluate(async (pictures) => {
    const SIDE = 64;
    const reduce = async (base64) => {
      // Not fetch(): the page may not connect to data addresses.
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(SIDE, SIDE);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.imageSmoothingQuality = 'high';
      context.drawImage(bitmap, 0, 0, SIDE, SIDE);
      return context.getImageData(0, 0, SIDE, SIDE).data;
    };
    const [a, b] = await Promise.all(pictures.map(reduce));
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
  }, pair);
}
