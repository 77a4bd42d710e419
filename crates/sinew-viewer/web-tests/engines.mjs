// Where the page comes from: `sinew view`, or files with the engine as WebAssembly.

import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const root = new URL('../../../', import.meta.url).pathname;
const binary = process.env.SINEW_BINARY ?? join(root, 'target/debug/sinew');
const dist = process.env.SINEW_DIST ?? join(root, 'dist');

/** The engine of the page. */
export const wasmFile = join(dist, 'engine.wasm');

/** `sinew view trampoline`: `{name, address, close}`. */
export const native = (scene = ['trampoline'], port = 0, environment = {}) => serve(['view', '--port', String(port), ...scene], environment);

/** A command that serves the page. */
export async function serve(command, environment = {}) {
  const child = spawn(binary, [...command, '--no-open'], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } });
  let complaint = '';
  child.stderr.on('data', (bytes) => (complaint += bytes));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const failed = new Promise((_, reject) => child.once('error', (error) => reject(new Error(`${binary}: ${error.message}`))));
  const first = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const early = ended.then((code) => Promise.reject(new Error(`sinew ${command[0]} ended with ${code}: ${complaint}`)));
  early.catch(() => {});
  const address = await Promise.race([first, failed, early]);
  return {
    name: 'native',
    address,
    complaint: () => complaint,
    /** Ctrl-C; resolves with the exit code. */
    close: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** Runs a command to its end. */
export const run = promisify((command, done) => execFile(binary, command, done));

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.json': 'application/json' };

/** `dist/` as any static host would serve it, in a folder, to see that addresses are relative. */
export async function wasm() {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const below = path.startsWith('/some/folder/') ? normalize(path.slice('/some/folder/'.length)) : '..';
    const file = below === '.' || below === '' ? 'index.html' : below;
    try {
      if (file.startsWith('..')) throw new Error('outside');
      const bytes = await readFile(join(dist, file));
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    name: 'wasm',
    address: `http://127.0.0.1:${server.address().port}/some/folder/?scene=trampoline`,
    complaint: () => '',
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve(0)))),
  };
}
