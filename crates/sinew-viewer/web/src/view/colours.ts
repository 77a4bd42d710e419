// Colours of bodies, and the map from numbers to colours: viridis, which is even to the eye and to the colour-blind.

import { Color } from 'three';
import type { ColourBy } from '../protocol/messages';

const bodyColours = ['#5b7fe8', '#f08a5d', '#2fa98c', '#e5b54a', '#b06ad4', '#45a6d9', '#e0709b', '#8fb04e'];

export function bodyColour(body: number): Color {
  return new Color(bodyColours[body % bodyColours.length]);
}

const stops = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];

/** 256 colours in linear light, three numbers each, as vertex colours want them. */
const table = (() => {
  const out = new Float32Array(256 * 3);
  const colours = stops.map((stop) => new Color().setStyle(stop));
  const mixed = new Color();
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at));
    // Mixed as seen (sRGB), stored linear.
    const a = colours[low].clone().convertLinearToSRGB();
    const b = colours[low + 1].clone().convertLinearToSRGB();
    mixed.copy(a).lerp(b, at - low).convertSRGBToLinear().toArray(out, i * 3);
  }
  return out;
})();

/** Colours for values between low and high; numbers that are none are grey. */
export function mapColours(values: Float32Array, low: number, high: number, out: Float32Array): void {
  const scale = high > low ? 255 / (high - low) : 0;
  const count = Math.min(values.length, out.length / 3);
  for (let v = 0; v < count; v++) {
    const at = (values[v] - low) * scale;
    if (at !== at) {
      out[v * 3] = out[v * 3 + 1] = out[v * 3 + 2] = 0.3;
      continue;
    }
    const slot = (at <= 0 ? 0 : at >= 255 ? 255 : Math.round(at)) * 3;
    out[v * 3] = table[slot];
    out[v * 3 + 1] = table[slot + 1];
    out[v * 3 + 2] = table[slot + 2];
  }
}

/** The map as a CSS gradient, for the legend. */
export const gradient = `linear-gradient(to right, ${stops.join(', ')})`;

export const colourNames: Record<ColourBy, { label: string; unit: string }> = {
  none: { label: 'Bodies', unit: '' },
  energy: { label: 'Strain energy', unit: 'J' },
  stress: { label: 'Stress', unit: 'Pa' },
  speed: { label: 'Speed', unit: 'm/s' },
  correction: { label: 'Size of the correction', unit: 'm' },
};
