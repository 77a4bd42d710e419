// Runs engine.wasm: delivers messages, makes the steps that are due, posts what comes out.

/// <reference lib="webworker" />
export {};

interface Engine {
  memory: WebAssembly.Memory;
  start(): void;
  message_buffer(bytes: number): number;
  text(bytes: number): number;
  binary(bytes: number): number;
  advance(): number;
  outgoing(): number;
  outgoing_pointer(): number;
  outgoing_length(): number;
  panic_pointer(): number;
  panic_length(): number;
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

let engine: Engine | null = null;
let over = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let soon = false;

// Chains of setTimeout(0) are slowed down to one in 4 ms; a message to oneself is not.
const ticker = new MessageChannel();
ticker.port1.onmessage = () => {
  soon = false;
  guarded(turn);
};

function end(reason: string): void {
  if (over) return;
  over = true;
  clearTimeout(timer);
  scope.postMessage(JSON.stringify({ event: 'closed', reason }));
}

/** What the engine said before it trapped; a trap alone says only “unreachable”. */
function lastWords(): string {
  if (!engine) return '';
  try {
    const length = engine.panic_length();
    return length > 0 ? decoder.decode(new Uint8Array(engine.memory.buffer, engine.panic_pointer(), length).slice()) : '';
  } catch {
    return '';
  }
}

/** A trap leaves the module in no state to go on. */
function guarded(work: () => void): void {
  if (over) return;
  try {
    work();
  } catch (error) {
    end(`The engine stopped: ${lastWords() || (error instanceof Error ? error.message : String(error))}`);
  }
}

/** Posts everything that waits to go out; the last text. */
function drain(running: Engine): string {
  let last = '';
  for (;;) {
    const kind = running.outgoing();
    if (kind === 0) return last;
    // The memory may have grown, so its buffer is asked for each time.
    const bytes = new Uint8Array(running.memory.buffer, running.outgoing_pointer(), running.outgoing_length());
    const copy = bytes.slice();
    if (kind === 1) {
      last = decoder.decode(copy);
      if (!over) scope.postMessage(last);
    } else if (!over) {
      scope.postMessage(copy.buffer, [copy.buffer]);
    }
  }
}

function deliver(message: string | ArrayBuffer): void {
  const running = engine;
  if (!running) return;
  const bytes = typeof message === 'string' ? encoder.encode(message) : new Uint8Array(message);
  const pointer = running.message_buffer(bytes.length);
  new Uint8Array(running.memory.buffer, pointer, bytes.length).set(bytes);
  const refused = typeof message === 'string' ? running.text(bytes.length) : running.binary(bytes.length);
  if (refused !== 0) {
    // The reason is the next outgoing text, which may already be the event that says so.
    const reason = drain(running);
    over = true;
    clearTimeout(timer);
    if (!reason.includes('"closed"')) {
      scope.postMessage(JSON.stringify({ event: 'closed', reason: reason || 'The engine refused a message.' }));
    }
  }
}

function turn(): void {
  const running = engine;
  if (!running) return;
  clearTimeout(timer);
  const wait = running.advance();
  drain(running);
  if (wait < 0 || over) return;
  if (wait < 1) {
    if (!soon) {
      soon = true;
      ticker.port2.postMessage(0);
    }
  } else {
    timer = setTimeout(() => guarded(turn), wait);
  }
}

async function load(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} could not be loaded (${response.status}).`);
  const imports = { env: { now: () => performance.now() } };
  const bytes = await response.arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  engine = instance.exports as unknown as Engine;
  try {
    engine.start();
  } catch (error) {
    throw new Error(lastWords() || String(error));
  }
}

scope.onmessage = ({ data }: MessageEvent<string | ArrayBuffer | { load: string }>) => {
  if (typeof data === 'string' || data instanceof ArrayBuffer) {
    guarded(() => {
      deliver(data);
      if (!over) turn();
    });
    return;
  }
  load(data.load).then(
    () => {
      scope.postMessage({ ready: true });
      guarded(turn);
    },
    (error: unknown) => scope.postMessage({ failed: error instanceof Error ? error.message : String(error) }),
  );
};
