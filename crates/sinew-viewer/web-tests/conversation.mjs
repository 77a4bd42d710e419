// Some steps of a scene and the state after them, whatever carries the messages.

/**
 * A page without a picture: takes messages, says what to answer, and has the state in the end. It stands alone, so that
 * it can be sent into a browser as text.
 */
export function conversation(scene, steps, set = []) {
  let asked = false;
  let saved = false;
  const text = (message) => {
    const event = JSON.parse(message);
    if (event.event === 'hello') return [{ do: 'open', scene }];
    if (['error', 'failed', 'closed'].includes(event.event)) throw new Error(message);
    return [];
  };
  const binary = (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const section = (tag) => {
      for (let at = 8; at < bytes.length; at += 8 + Math.ceil(view.getUint32(at + 4, true) / 8) * 8) {
        if (view.getUint32(at, true) === tag) return { at: at + 8, length: view.getUint32(at + 4, true) };
      }
      throw new Error(`no section ${tag}`);
    };
    if (bytes[0] === 3) {
      const { at, length } = section(30);
      return { state: bytes.slice(at, at + length) };
    }
    const answers = [];
    if (bytes[0] === 2 && !asked) {
      asked = true;
      answers.push({ do: 'set', set }, { do: 'step', count: steps });
    }
    if (bytes[0] === 1) {
      answers.push({ do: 'shown', frame: view.getUint32(4, true) });
      if (view.getFloat64(section(1).at + 8, true) >= steps && !saved) {
        saved = true;
        answers.push({ do: 'save' });
      }
    }
    return { answers };
  };
  /** `{answers}` to send, or `{state}`: done. */
  return (message) => (typeof message === 'string' ? { answers: text(message) } : binary(message));
}

/** By WebSocket, from a page of `sinew view`: the only one that may connect. */
export async function overSocket(page, address, ...arguments_) {
  const base64 = await page.evaluate(
    ([source, address, given]) =>
      new Promise((resolve, reject) => {
        const { origin, search } = new URL(address);
        const hear = new Function(`return ${source}`)()(...given);
        const socket = new WebSocket(`${origin.replace('http', 'ws')}/live${search}`);
        socket.binaryType = 'arraybuffer';
        socket.onclose = (event) => reject(new Error(`closed: ${event.code} ${event.reason}`));
        socket.onmessage = ({ data }) => {
          try {
            const { answers = [], state } = hear(typeof data === 'string' ? data : new Uint8Array(data));
            for (const answer of answers) socket.send(JSON.stringify(answer));
            if (!state) return;
            resolve(btoa(state.reduce((all, byte) => all + String.fromCharCode(byte), '')));
            socket.close();
          } catch (error) {
            reject(error);
          }
        };
      }),
    [conversation.toString(), address, arguments_],
  );
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

/** With the module itself: no page, no worker. */
export async function withModule(bytes, ...arguments_) {
  const { instance } = await WebAssembly.instantiate(bytes, { env: { now: () => performance.now() } });
  const engine = instance.exports;
  const hear = conversation(...arguments_);
  const say = (command) => {
    const message = new TextEncoder().encode(JSON.stringify(command));
    new Uint8Array(engine.memory.buffer, engine.message_buffer(message.length), message.length).set(message);
    engine.text(message.length);
  };
  const view = (pointer, length) => new Uint8Array(engine.memory.buffer, pointer, length).slice();
  try {
    engine.start();
    for (;;) {
      const wait = engine.advance();
      let heard = 0;
      for (let kind = engine.outgoing(); kind !== 0; kind = engine.outgoing(), heard++) {
        const message = view(engine.outgoing_pointer(), engine.outgoing_length());
        const { answers = [], state } = hear(kind === 1 ? new TextDecoder().decode(message) : message);
        if (state) return state;
        answers.forEach(say);
      }
      if (wait < 0 && heard === 0) throw new Error('the engine waits for nothing');
    }
  } catch (error) {
    const words = new TextDecoder().decode(view(engine.panic_pointer(), engine.panic_length()));
    throw words ? new Error(words, { cause: error }) : error;
  }
}
