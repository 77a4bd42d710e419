// The few kinds of controls that the panel is made of.

import { el } from '../dom';

/** A label over or beside its control. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  const id = control.id;
  return el('div', { class: 'field' }, el('label', { for: id, title: hint }, label), control);
}

export function choice(id: string, options: readonly (string | [string, string])[], onchange: (value: string) => void): HTMLSelectElement {
  const select = el('select', { id, onchange: () => onchange(select.value) });
  for (const option of options) {
    const [value, text] = typeof option === 'string' ? [option, option] : option;
    select.append(el('option', { value }, text));
  }
  return select;
}

/** Shows a value that may not be among the options (a newer engine has more than the page knows). */
export function choose(select: HTMLSelectElement, value: string): void {
  if (![...select.options].some((option) => option.value === value)) select.append(el('option', { value }, value));
  select.value = value;
}

export function number(id: string, attributes: { min?: number; max?: number; step?: number | string }, onchange: (value: number) => void): HTMLInputElement {
  const input = el('input', { id, type: 'number', inputmode: 'decimal', ...attributes });
  input.addEventListener('change', () => {
    const value = input.valueAsNumber;
    if (Number.isFinite(value)) onchange(value);
  });
  return input;
}

export function toggle(id: string, label: string, onchange: (on: boolean) => void, on = false): { element: HTMLElement; input: HTMLInputElement } {
  const input = el('input', { id, type: 'checkbox', role: 'switch', onchange: () => onchange(input.checked) });
  input.checked = on;
  return { element: el('label', { class: 'toggle', for: id }, input, el('span', { class: 'knob', 'aria-hidden': 'true' }), el('span', {}, label)), input };
}

export interface Slider {
  element: HTMLElement;
  input: HTMLInputElement;
  /** Shows a value that came from elsewhere. */
  set(value: number): void;
  /** Someone is moving it right now. */
  busy(): boolean;
}

export function slider(
  id: string,
  label: string,
  range: { min: number; max: number; step: number | 'any'; value: number },
  show: (value: number) => string,
  oninput: (value: number, final: boolean) => void,
): Slider {
  const output = el('output', { for: id });
  const input = el('input', { id, type: 'range', min: range.min, max: range.max, step: range.step });
  const say = (value: number) => {
    output.textContent = show(value);
    input.setAttribute('aria-valuetext', output.textContent);
  };
  const set = (value: number) => {
    input.value = String(value);
    // In words as it is, even where the slider ends before.
    say(value);
  };
  set(range.value);
  let held = false;
  const tell = (final: boolean) => {
    say(input.valueAsNumber);
    oninput(input.valueAsNumber, final);
  };
  input.addEventListener('pointerdown', () => (held = true));
  input.addEventListener('pointerup', () => (held = false));
  input.addEventListener('pointercancel', () => (held = false));
  input.addEventListener('input', () => tell(false));
  input.addEventListener('change', () => tell(true));
  const element = el('div', { class: 'field slider' }, el('label', { for: id }, label), output, input);
  return { element, input, set, busy: () => held };
}

export function group(title: string, ...children: (HTMLElement | null)[]): HTMLElement {
  return el('section', { class: 'group' }, el('h3', {}, title), ...children);
}

export function button(id: string, text: string, onclick: () => void, kind = ''): HTMLButtonElement {
  return el('button', { id, type: 'button', class: kind, onclick }, text);
}

/** Numbers as people read them: three digits, thousands as 10ⁿ only where it helps. */
export function short(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return `${mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa}e${Number(exponent)}`;
  }
  return String(Number(value.toPrecision(digits)));
}

/** Calls at most once in so many milliseconds, and always with the last value. */
export function throttled<T>(milliseconds: number, call: (value: T) => void): (value: T, now: boolean) => void {
  let timer = 0;
  let waiting: T | undefined;
  return (value, now) => {
    waiting = value;
    if (now) {
      clearTimeout(timer);
      timer = 0;
      call(value);
    } else if (timer === 0) {
      timer = window.setTimeout(() => {
        timer = 0;
        call(waiting as T);
      }, milliseconds);
    }
  };
}
