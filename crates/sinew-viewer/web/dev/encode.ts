// Binary messages as an engine writes them.

type Part = [tag: number, payload: ArrayBufferView];

export function message(kind: number, variant: number, number: number, parts: Part[]): ArrayBuffer {
  const total = parts.reduce((sum, [, payload]) => sum + 8 + Math.ceil(payload.byteLength / 8) * 8, 8);
  const out = new ArrayBuffer(total);
  const view = new DataView(out);
  view.setUint8(0, kind);
  view.setUint8(1, variant);
  view.setUint16(2, parts.length, true);
  view.setUint32(4, number, true);
  let at = 8;
  for (const [tag, payload] of parts) {
    view.setUint32(at, tag, true);
    view.setUint32(at + 4, payload.byteLength, true);
    new Uint8Array(out, at + 8, payload.byteLength).set(new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength));
    at += 8 + Math.ceil(payload.byteLength / 8) * 8;
  }
  return out;
}
