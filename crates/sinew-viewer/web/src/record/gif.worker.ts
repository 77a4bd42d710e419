// Encodes pictures as they come; each stays for as long as it took until the next one.

/// <reference lib="webworker" />
import { applyPalette, GIFEncoder, quantize } from 'gifenc';

interface Picture {
  pixels: Uint8ClampedArray;
  width: number;
  height: number;
  seconds: number;
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
const encoder = GIFEncoder();
let held: Picture | null = null;

function write(picture: Picture, until: number): void {
  const palette = quantize(picture.pixels, 256, { format: 'rgb565' });
  const index = applyPalette(picture.pixels, palette, 'rgb565');
  encoder.writeFrame(index, picture.width, picture.height, { palette, delay: Math.max(20, Math.round((until - picture.seconds) * 1000)) });
}

scope.onmessage = ({ data }: MessageEvent<Picture | { finish: true }>) => {
  if ('finish' in data) {
    if (!held) return scope.postMessage(new Uint8Array(0));
    write(held, held.seconds + 1 / 15);
    encoder.finish();
    const bytes = encoder.bytes();
    scope.postMessage(bytes, [bytes.buffer]);
    return;
  }
  if (held) write(held, data.seconds);
  held = data;
};
