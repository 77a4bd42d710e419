// Binary messages to the engine.

/** A file for scenes that name it; kind 4, its name and its bytes. */
export function fileMessage(name: string, bytes: ArrayBuffer): ArrayBuffer {
  const sections: [number, Uint8Array][] = [
    [40, new TextEncoder().encode(name)],
    [41, new Uint8Array(bytes)],
  ];
  const padded = (length: number) => Math.ceil(length / 8) * 8;
  const out = new Uint8Array(8 + sections.reduce((sum, [, payload]) => sum + 8 + padded(payload.length), 0));
  const view = new DataView(out.buffer);
  out[0] = 4;
  view.setUint16(2, sections.length, true);
  let at = 8;
  for (const [tag, payload] of sections) {
    view.setUint32(at, tag, true);
    view.setUint32(at + 4, payload.length, true);
    out.set(payload, at + 8);
    at += 8 + padded(payload.length);
  }
  return out.buffer;
}
