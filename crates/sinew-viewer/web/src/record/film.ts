// WebM by the browser's own encoder.

import type { Picture } from './picture';

export function startFilm(picture: Picture, done: (blob: Blob | null) => void): { stop(): void } {
  if (typeof MediaRecorder === 'undefined') throw new Error('This browser cannot record video; try a GIF.');
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((each) => MediaRecorder.isTypeSupported(each));
  if (!type) throw new Error('This browser cannot record WebM; try a GIF.');
  picture.compose();
  const unfollow = picture.follow(() => {});
  const stream = picture.canvas.captureStream(30);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12_000_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => {
    if (data.size > 0) parts.push(data);
  };
  recorder.onstop = () => {
    unfollow();
    for (const track of stream.getTracks()) track.stop();
    done(parts.length > 0 ? new Blob(parts, { type: 'video/webm' }) : null);
  };
  recorder.onerror = () => recorder.state !== 'inactive' && recorder.stop();
  recorder.start(1000);
  return { stop: () => recorder.state !== 'inactive' && recorder.stop() };
}
