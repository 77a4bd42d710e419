// The panel of the tool: what is seen, what the pointer does, and what is learned.

import { el } from '../dom';
import { button, field, group, short, toggle } from '../panel/controls';
import type { Desk } from './desk';
import type { FaceView } from './face';
import type { Tool } from './pen';

export interface Panel {
  element: HTMLElement;
  choose(tool: Tool): void;
  flipSide(): void;
}

const tools: [Tool, string, string][] = [
  ['turn', 'Turn', 'Turn the face (T)'],
  ['line', 'Trace lip', 'Trace the lip line as it is (L)'],
  ['contour', 'Draw contour', 'Draw where the lip line should be (D)'],
];

const hints: Record<Tool, string> = {
  turn: 'Drag to turn the face, scroll or pinch to come closer.',
  line: 'Trace the line of a lip as you see it, from one end to the other. It is found again in all frames.',
  contour: 'Draw where the blue line should be, from end to end. The lips follow.',
};

export function panel(desk: Desk, view: FaceView, use: (tool: Tool) => void): Panel {
  const hint = el('p', { class: 'hint', id: 'tool-hint' }, hints.turn);
  const radios = tools.map(([tool, word, title]) => {
    const input = el('input', { id: `tool-${tool}`, type: 'radio', name: 'tool', value: tool, onchange: () => choose(tool) });
    return { tool, input, label: el('label', { class: 'tool', for: `tool-${tool}`, title }, input, el('span', {}, word)) };
  });
  const choose = (tool: Tool) => {
    for (const radio of radios) radio.input.checked = radio.tool === tool;
    hint.textContent = tool === 'contour' && desk.line < 0 ? 'Trace a lip first: its contour is drawn for that line.' : hints[tool];
    use(tool);
  };
  const corrected = toggle('corrected', 'Corrected', (on) => desk.show(desk.frame, on ? 'corrected' : 'captured'), true);
  const info = el('p', { class: 'hint', id: 'frame-info', role: 'status' });
  const lines = el('select', { id: 'lip-line', onchange: () => {
    desk.line = Number(lines.value);
    desk.events.emit('lines', desk.line);
  } });
  const undo = button('undo', 'Undo', () => desk.undo(false));
  const discard = button('discard', 'Discard all', () => desk.undo(true));
  const add = button('add', 'Add to training', () => desk.add(), 'primary');
  const remove = button('remove', 'Take out', () => desk.remove());
  const learned = el('p', { class: 'hint', id: 'training-info', role: 'status' });
  const next = el('div', { class: 'frames', id: 'next-frames' });
  const trained = el('div', { class: 'frames', id: 'trained-frames' });
  const follow = toggle('follow', 'Follow the head', (on) => (view.follow = on), true);
  const edges = toggle('wireframe', 'Edges of the mesh', (on) => view.showEdges(on));
  const jumps = (frames: number[], none: string) =>
    frames.length === 0 ? [el('p', { class: 'hint' }, none)] : frames.map((frame) => el('button', { type: 'button', 'aria-label': `Go to frame ${frame}`, onclick: () => desk.show(frame) }, String(frame)));

  const refresh = () => {
    const { face, training } = desk;
    corrected.input.checked = desk.side === 'corrected';
    const strokes = desk.strokes;
    undo.disabled = discard.disabled = strokes === 0;
    add.disabled = !face || !desk.connected || (face.trained && strokes === 0);
    remove.disabled = !face?.trained;
    const examples = training?.examples ?? 0;
    const what = [
      strokes > 0 ? `${strokes} stroke${strokes === 1 ? '' : 's'} not yet added.` : '',
      face?.trained ? 'A training frame.' : '',
      face && face.side === 'corrected' && face.moved > 0 ? `Inner lips moved by ${short(face.moved)} in the mean.` : '',
      face && face.side === 'corrected' && examples === 0 && strokes === 0 ? 'Nothing is learned yet: as captured.' : '',
      face?.side === 'captured' ? 'As captured.' : '',
    ];
    info.textContent = what.filter(Boolean).join(' ');
  };
  desk.events.on('face', refresh);
  desk.events.on('training', (training) => {
    const { examples, warnings } = training;
    learned.textContent = examples === 0 ? 'No training frames yet. Correct a frame and add it.' : `${examples} training frame${examples === 1 ? '' : 's'}.${warnings.length > 0 ? ` Mind: ${warnings.join('; ')}.` : ''}`;
    trained.replaceChildren(...jumps(training.trained, 'none'));
    refresh();
  });
  desk.events.on('survey', (survey) => {
    const trainedNow = new Set(desk.training?.trained ?? []);
    next.replaceChildren(...jumps(survey.suggestions.filter((frame) => !trainedNow.has(frame)), 'Every frame is explained.'));
  });
  desk.events.on('lines', () => {
    lines.replaceChildren(...desk.lines.map((line, k) => el('option', { value: k }, `${k + 1} (${line.length} vertices)`)));
    if (desk.lines.length === 0) lines.append(el('option', { value: -1 }, 'none yet: trace one'));
    lines.disabled = desk.lines.length === 0;
    lines.value = String(desk.line);
  });

  const element = el(
    'aside',
    { class: 'panel page', id: 'panel', 'aria-label': 'Controls', tabindex: 0 },
    group('Pointer', el('div', { class: 'tools', role: 'radiogroup', 'aria-label': 'What the pointer does' }, ...radios.map((radio) => radio.label)), hint, field('Lip line', lines)),
    group('This frame', corrected.element, info, el('div', { class: 'pair' }, undo, discard), el('div', { class: 'pair' }, add, remove)),
    group('Training', learned, el('h4', {}, 'To correct next'), next, el('h4', {}, 'Training frames'), trained),
    group('View', follow.element, edges.element, button('camera-home', 'Camera back', () => view.home())),
  );
  radios[0].input.checked = true;
  refresh();
  return {
    element,
    choose,
    flipSide: () => desk.show(desk.frame, desk.side === 'corrected' ? 'captured' : 'corrected'),
  };
}
