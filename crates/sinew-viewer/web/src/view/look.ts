// How things are shown: what the view's controls say, for all variants alike.

import type { ColourBy } from '../protocol/messages';
import type { Cut } from './cut';

export interface Look {
  dark: boolean;
  wireframe: boolean;
  shadows: boolean;
  markers: boolean;
  /** Someone may want to see what holds the bodies: it is paused, or the pointer is over the picture. */
  holds: boolean;
  /** Opacity of the flesh where there are bones in it. */
  flesh: number;
  colourBy: ColourBy;
  cut: Cut;
}

export function firstLook(): Look {
  return {
    dark: false,
    wireframe: false,
    shadows: true,
    markers: true,
    holds: true,
    flesh: 0.45,
    colourBy: 'none',
    cut: { on: false, axis: 0, position: 0.5, flip: false },
  };
}
