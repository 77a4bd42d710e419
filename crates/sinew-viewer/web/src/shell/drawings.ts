// A line drawing for each card, chosen by words of its name.

const shapes: [RegExp, string][] = [
  [/flag/, 'M30 10v44M30 12c10-6 18 6 34 0v22c-16 6-24-6-34 0M30 23c10-6 18 6 34 0M41 10.5v22M53 13.5v22'],
  [/trampoline/, 'M10 22l70 0M10 22l14 20M80 22l-14 20M24 42h42M16 22c12 26 46 26 58 0M26 22c8 15 30 15 38 0M45 22v20M33 22c2 10 4 14 6 19M57 22c-2 10-4 14-6 19'],
  [/cloth|folding|torus/, 'M14 18c14-8 20 8 32 0s20 6 30 0l-4 28c-10 6-18-6-28 0s-20-8-28 0zM15 32c14-8 20 8 30 0s20 6 29 0M34 17l-2 29M55 20l-3 24'],
  [/stairs/, 'M12 54h16v-10h16v-10h16v-10h18M24 26a9 9 0 1 0 .1 0'],
  [/bounc|ball|cannon|sphere/, 'M45 14a18 18 0 1 0 .1 0M10 54h70M34 22c8 6 22 6 26-2M28 34c10 8 26 8 34-2M40 15c-6 10-4 26 4 35'],
  [/chain|bone|cantilever|character/, 'M10 24c10-8 20 0 24 8s18 16 44 14M12 32c8-6 14 0 18 8s20 18 46 14M12 28l18 9M36 42l18 8M60 51l15-1M32 37a2.5 2.5 0 1 0 .1 0M56 49a2.5 2.5 0 1 0 .1 0'],
  [/bracelet|bead/, 'M45 8a6 6 0 1 0 .1 0M62 15a6 6 0 1 0 .1 0M68 31a6 6 0 1 0 .1 0M58 46a6 6 0 1 0 .1 0M40 49a6 6 0 1 0 .1 0M25 40a6 6 0 1 0 .1 0M22 24a6 6 0 1 0 .1 0M29 11a6 6 0 1 0 .1 0'],
  [/nunchuck/, 'M10 20l28 10-3 9-28-10zM45 33a2 2 0 1 0 .1 0M52 36l24 18-6 7-24-18z'],
  [/spring/, 'M12 32h8l4-10 8 20 8-20 8 20 8-20 4 10h10M10 32a5 5 0 1 0 .1-.1M76 32a6 6 0 1 0 .1-.1'],
  [/bar|beam|hang/, 'M10 16v36M10 20c26-2 46 8 66 26M10 34c22-2 38 6 58 22M76 46l-8 10M28 21l-2 14M46 26l-5 14M62 35l-7 12'],
  [/jelly|stack|slid/, 'M24 20l26-8 18 8v26l-26 10-18-10zM24 20l18 8 26-8M42 28v28M10 58h70'],
];
const cube = 'M24 22l22-10 22 10v24l-22 10-22-10zM24 22l22 10 22-10M46 32v24M35 27v24M57 27v24M24 34l22 10 22-10M35 17l22 10M57 17l-22 10';

export function drawing(words: string): SVGSVGElement {
  const text = words.toLowerCase();
  const path = shapes.find(([pattern]) => pattern.test(text))?.[1] ?? cube;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 90 66');
  svg.setAttribute('class', 'drawing');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
