// All rows that the page still has, as a table. With several variants the first column says whose row it is.

import type { Variant } from '../variant';

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function csvText(variants: Variant[]): string {
  const several = variants.length > 1;
  const names: string[] = [];
  for (const { history } of variants) for (const name of history.names) if (!names.includes(name)) names.push(name);
  const lines = [[...(several ? ['variant'] : []), ...names].map(quoted).join(',')];
  variants.forEach(({ history, scene }, i) => {
    const columns = names.map((name) => history.names.indexOf(name));
    for (let row = 0; row < history.length; row++) {
      const cells = columns.map((column) => {
        const value = column < 0 ? NaN : history.at(column, row);
        return Number.isFinite(value) ? String(value) : '';
      });
      if (several) cells.unshift(quoted(scene.label || `variant ${i + 1}`));
      lines.push(cells.join(','));
    }
  });
  return `${lines.join('\n')}\n`;
}
