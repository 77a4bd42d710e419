// The same engine as WebAssembly, in a Web Worker of the page.

import type { Link, Listener } from './link';

/** Resolves when the module runs; rejects if it cannot be loaded. */
export function openWorker(listener: Listener): Promise<Link> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module', name: 'sinew' });
    const address = new URL('engine.wasm', document.baseURI).href;
    let open = false;
    const fail = (reason: string) => {
      worker.terminate();
      if (open) listener.closed(reason);
      else reject(new Error(reason));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || 'The worker of the engine could not be started.');
    };
    worker.onmessage = ({ data }: MessageEvent<string | ArrayBuffer | { ready: true } | { failed: string }>) => {
      if (typeof data === 'string') listener.text(data);
      else if (data instanceof ArrayBuffer) listener.binary(data);
      else if ('failed' in data) fail(data.failed);
      else {
        open = true;
        resolve({
          send: (command) => worker.postMessage(JSON.stringify(command)),
          sendBinary: (bytes) => worker.postMessage(bytes),
          close: () => worker.terminate(),
        });
      }
    };
    worker.postMessage({ load: address });
  });
}
