// A GIF of at most ten seconds, encoded by a worker while it is recorded.

import { el } from '../dom';
import type { Picture } from './picture';

const PER_SECOND = 15;
const LONGEST = 10;
const WIDEST = 640;

export function startGif(picture: Picture, progress: (seconds: number) => void, done: (blob: Blob | null) => void): { stop(): void } {
  const worker = new Worker(new URL('./gif.worker.ts', import.meta.url), { type: 'module' });
  const small = el('canvas');
  const context = small.getContext('2d', { willReadFrequently: true })!;
  let start = -1;
  let frames = 0;
  let stopped = false;
  const finish = (blob: Blob | null) => {
    worker.terminate();
    unfollow();
    done(blob);
  };
  worker.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => finish(data.length > 0 ? new Blob([data], { type: 'image/gif' }) : null);
  worker.onerror = (event) => {
    event.preventDefault();
    finish(null);
  };
  const stop = () => {
    if (stopped) return;
    stopped = true;
    unfollow();
    worker.postMessage({ finish: true });
  };
  const unfollow = picture.follow((canvas, now) => {
    if (stopped) return;
    if (start < 0) {
      start = now;
      const scale = Math.min(1, WIDEST / canvas.width);
      small.width = Math.max(2, Math.round(canvas.width * scale));
      small.height = Math.max(2, Math.round(canvas.height * scale));
    }
    const seconds = (now - start) / 1000;
    if (seconds > LONGEST) return stop();
    if (seconds * PER_SECOND < frames) return;
    frames = Math.floor(seconds * PER_SECOND) + 1;
    context.drawImage(canvas, 0, 0, small.width, small.height);
    const { data } = context.getImageData(0, 0, small.width, small.height);
    worker.postMessage({ pixels: data, width: small.width, height: small.height, seconds }, [data.buffer]);
    progress(seconds);
  });
  return { stop };
}
