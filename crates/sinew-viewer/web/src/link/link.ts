// The way to an engine, whichever it is.

import type { Command } from '../protocol/messages';

export interface Link<C = Command> {
  send(command: C): void;
  sendBinary(bytes: ArrayBuffer): void;
  close(): void;
}

export interface Listener {
  text(message: string): void;
  binary(message: ArrayBuffer): void;
  /** The engine is gone; nothing more will come. */
  closed(reason: string, refused?: boolean): void;
}

/** Opens a link, or throws an error whose message helps. */
export type Connect = (listener: Listener, again?: boolean) => Promise<Link>;
