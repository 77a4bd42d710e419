// The native engine behind a WebSocket (`sinew view`).

import type { Command } from '../protocol/messages';
import type { Link, Listener } from './link';

/** The address of the engine that served this page, or of another part of it; null: no server, only files. */
export function socketAddress(page: Location, part = 'live'): string | null {
  const token = new URLSearchParams(page.search).get('token');
  if (!token || !page.protocol.startsWith('http')) return null;
  const address = new URL(part, page.href);
  address.protocol = page.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = new URLSearchParams({ token }).toString();
  address.hash = '';
  return address.href;
}

/** What a close means that gives no reason. */
const meanings: Record<number, string> = {
  1001: 'The engine has ended.',
  1006: 'The connection to the engine was lost. Is “sinew view” still running?',
  1008: 'The engine did not take a message of this page.',
  1009: 'A message of this page was too large for the engine.',
  1011: 'The engine made a mistake.',
  1013: 'The engine serves enough pages already; close one of them.',
};

/** Resolves when the socket is open; rejects if it cannot be opened at all. */
export function openSocket<C = Command>(address: string, listener: Listener): Promise<Link<C>> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    let open = false;
    let left = false;
    socket.onopen = () => {
      open = true;
      resolve({
        send: (command) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
        },
        sendBinary: (bytes) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
        },
        close: () => {
          left = true;
          socket.close(1000);
        },
      });
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') listener.text(data);
      else listener.binary(data);
    };
    socket.onclose = ({ code, reason }) => {
      if (!open) reject(new Error('The engine behind this address does not answer.'));
      else if (!left) listener.closed(`${reason || (meanings[code] ?? 'The engine closed the connection.')}${code === 1006 ? '' : ` (Code ${code}.)`}`, code === 1008 || code === 1009);
    };
  });
}
