// Which engine: the server that gave us a token, else the one in the page.

import type { Link, Listener } from './link';
import { openSocket, socketAddress } from './socket';
import { openWorker } from './worker';

/** `again`: there was an engine before, and another one than that is not wanted. */
export async function connect(listener: Listener, again = false): Promise<Link> {
  const address = socketAddress(location);
  let silent: unknown;
  if (address) {
    try {
      return await openSocket(address, listener);
    } catch (error) {
      if (again) throw error;
      silent = error;
    }
  }
  try {
    return await openWorker(listener);
  } catch (error) {
    throw new Error(advice(address !== null, silent, error));
  }
}

function advice(hadToken: boolean, socket: unknown, worker: unknown): string {
  const said = (error: unknown) => (error instanceof Error ? error.message : String(error));
  if (hadToken) {
    return `${said(socket)} Is “sinew view” still running? Start it again and use the address that it prints, with its token.`;
  }
  if (location.protocol === 'file:') {
    return 'A page opened as a file may not load the engine. Start “sinew view”, or serve this folder with any static web server.';
  }
  return `The engine of the page could not be started: ${said(worker)} Start “sinew view” and use the address that it prints, or put engine.wasm beside this page.`;
}
