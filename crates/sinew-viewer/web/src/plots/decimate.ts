// Thousands of rows on a few hundred pixels: of each bucket the lowest and the highest value, in the order in which they
// came, so that no spike is lost.

import type { History } from '../history';
import type { Series } from './kinds';

export type Table = [number[], ...(number | null)[][]];

/** First row whose time is not below `time`. */
function rowAt(history: History, column: number, time: number): number {
  let low = 0;
  let high = history.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (history.at(column, middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function decimate(history: History, series: Series[], window: [number, number] | null, buckets: number): Table {
  const clock = history.names.indexOf('time');
  if (clock < 0 || history.length === 0) return [[], ...series.map(() => [])];
  const from = window ? Math.max(0, rowAt(history, clock, window[0]) - 1) : 0;
  const to = window ? Math.min(history.length, rowAt(history, clock, window[1]) + 2) : history.length;
  const columns = series.map(({ columns: names }) => names.map((name) => history.names.indexOf(name)));
  const scratch = columns.map((each) => new Array<number>(each.length));
  const value = (s: number, row: number): number => {
    const at = columns[s];
    const { combine } = series[s];
    if (at[0] < 0) return NaN;
    if (!combine) return history.at(at[0], row);
    const values = scratch[s];
    for (let i = 0; i < at.length; i++) values[i] = at[i] < 0 ? 0 : history.at(at[i], row);
    return combine(values);
  };
  const stride = Math.max(1, Math.ceil((to - from) / buckets));
  const time: number[] = [];
  const out: (number | null)[][] = series.map(() => []);
  const put = (s: number, v: number) => out[s].push(Number.isFinite(v) ? v : null);
  for (let begin = from; begin < to; begin += stride) {
    const end = Math.min(to, begin + stride);
    time.push(history.at(clock, begin));
    if (end - begin < 2) {
      for (let s = 0; s < series.length; s++) put(s, value(s, begin));
      continue;
    }
    time.push(history.at(clock, begin + ((end - begin) >> 1)));
    for (let s = 0; s < series.length; s++) {
      let low = Infinity;
      let high = -Infinity;
      let lowAt = begin;
      let highAt = begin;
      for (let row = begin; row < end; row++) {
        const v = value(s, row);
        if (v < low) {
          low = v;
          lowAt = row;
        }
        if (v > high) {
          high = v;
          highAt = row;
        }
      }
      put(s, lowAt <= highAt ? low : high);
      put(s, lowAt <= highAt ? high : low);
    }
  }
  return [time, ...out];
}
