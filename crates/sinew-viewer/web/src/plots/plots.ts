// The plots below the picture: one at a time, chosen by tabs, drawn about ten times a second while rows come in.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { download, el, fileName } from '../dom';
import { tabs } from '../panel/tabs';
import type { Store } from '../store';
import { csvText } from './csv';
import { decimate, type Table } from './decimate';
import { compared, kinds, type Series } from './kinds';
import { Legend } from './legend';

const light = ['#2f56d0', '#c2410c', '#0b7a63', '#9a6a00', '#8b3fb5', '#0a7398', '#b52a63', '#56711a', '#5f5bd6', '#8a5a3c'];
const dark = ['#86a5ff', '#ff9d6b', '#4fd1ae', '#f2c14e', '#d39bf2', '#62c8ee', '#ff8db8', '#b4d367', '#a9a5ff', '#d8a98a'];

export class Plots {
  readonly element = el('section', { class: 'plots', id: 'plots', 'aria-label': 'Plots' });
  private readonly body = el('div', { class: 'plot' });
  private readonly legend = new Legend();
  private readonly whom = el('select', { id: 'plot-variant', 'aria-label': 'Variant of the plot', hidden: true });
  private plot: uPlot | null = null;
  private kind = kinds[0];
  private series: Series[] = [];
  private signature = '';
  private window: [number, number] | null = null;
  private drawnRevision = '';
  /** Series that someone switched, by kind and label. */
  private readonly switched = new Map<string, boolean>();

  constructor(
    private readonly store: Store,
    private readonly isDark: () => boolean,
  ) {
    const bar = tabs('plot', 'Plots', kinds.map(({ id, title }) => ({ id, title, panel: this.body })), (id) => {
      this.kind = kinds.find((kind) => kind.id === id) ?? kinds[0];
      this.window = null;
      this.rebuild();
    });
    const csv = el('button', { type: 'button', id: 'export-csv', title: 'All rows as a table', onclick: () => this.exportCsv() }, 'CSV');
    const png = el('button', { type: 'button', id: 'export-png', title: 'This plot as a picture', onclick: () => this.exportPng() }, 'PNG');
    this.whom.addEventListener('change', () => this.rebuild());
    this.element.append(
      el('div', { class: 'plots-bar' }, bar, el('span', { class: 'spring' }), this.whom, csv, png),
      el('div', { class: 'plots-body' }, this.body, this.legend.element),
    );
    new ResizeObserver(() => this.resize()).observe(this.body);
    this.body.addEventListener('dblclick', () => {
      this.window = null;
      this.drawnRevision = '';
      this.redraw();
    });
    store.events.on('opened', () => (this.window = null));
    setInterval(() => this.redraw(), 100);
  }

  rebuild(): void {
    this.signature = '';
    this.drawnRevision = '';
    this.redraw();
  }

  private get variant(): number {
    return Math.min(this.store.variants.length - 1, Math.max(0, Number(this.whom.value) || 0));
  }

  private wanted(): Series[] {
    const { variants } = this.store;
    const several = variants.length > 1;
    if (several && this.kind.id === 'energy') return compared(variants.map((v, i) => v.scene.label || `variant ${i + 1}`));
    const variant = variants[this.variant];
    if (!variant) return [];
    return this.kind.series(variant.history.names, this.variant).filter((series) => {
      if (!series.ifAny) return true;
      // Books grow from zero: what is zero now and was never shown has not begun.
      return variant.history.newest(series.columns[0]) !== 0;
    });
  }

  private showVariants(): void {
    const { variants } = this.store;
    const names = variants.map((v, i) => v.scene.label || `variant ${i + 1}`);
    this.whom.hidden = variants.length < 2 || this.kind.id === 'energy';
    if (names.join('\n') === [...this.whom.options].map((option) => option.text).join('\n')) return;
    const chosen = this.variant;
    this.whom.replaceChildren(...names.map((name, i) => el('option', { value: i }, name)));
    this.whom.value = String(Math.max(0, Math.min(chosen, names.length - 1)));
  }

  private shown(series: Series): boolean {
    return this.switched.get(`${this.kind.id}/${series.label}`) ?? !series.hidden;
  }

  private colour(index: number, series: Series): string {
    const palette = this.isDark() ? dark : light;
    const several = this.store.variants.length > 1 && this.kind.id === 'energy';
    return palette[(several ? series.variant : index) % palette.length];
  }

  private table(): Table {
    const buckets = Math.max(100, Math.round(this.body.clientWidth / 1.5));
    const groups = new Map<number, Series[]>();
    for (const series of this.series) groups.set(series.variant, [...(groups.get(series.variant) ?? []), series]);
    const tables = [...groups].map(([variant, series]) => decimate(this.store.variants[variant].history, series, this.window, buckets));
    if (tables.length === 0) return [[]];
    return tables.length === 1 ? tables[0] : (uPlot.join(tables as uPlot.AlignedData[]) as Table);
  }

  private redraw(): void {
    // Nothing to see: no work.
    if (this.element.offsetParent === null || this.body.clientWidth === 0) return;
    const revision = this.store.variants.map((v) => v.history.revision).join();
    if (revision === this.drawnRevision) return;
    this.drawnRevision = revision;
    this.showVariants();
    const wanted = this.wanted();
    const signature = `${this.isDark()} ${this.kind.id} ${wanted.map((s) => `${s.variant}/${s.label}`).join('|')}`;
    this.series = wanted;
    const data = this.table() as uPlot.AlignedData;
    if (signature !== this.signature || !this.plot) {
      this.signature = signature;
      this.build(data);
      return;
    }
    this.plot.batch(() => {
      this.plot!.setData(data, this.window === null);
      if (this.window) this.plot!.setScale('x', { min: this.window[0], max: this.window[1] });
    });
    this.read();
  }

  private build(data: uPlot.AlignedData): void {
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const text = style.getPropertyValue('--muted').trim() || '#666';
    const grid = style.getPropertyValue('--line').trim() || '#ddd';
    const axis = (more: Partial<uPlot.Axis>): uPlot.Axis => ({
      stroke: text,
      font: '11px system-ui, sans-serif',
      labelFont: '11px system-ui, sans-serif',
      grid: { stroke: grid, width: 1 },
      ticks: { stroke: grid, width: 1, size: 4 },
      ...more,
    });
    const options: uPlot.Options = {
      width: this.body.clientWidth,
      height: Math.max(60, this.body.clientHeight),
      legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { size: 6 }, bind: { dblclick: () => null } },
      scales: { x: { time: false } },
      axes: [
        axis({ size: 32, label: 'time (s)', labelSize: 14, labelGap: 0, gap: 3 }),
        axis({ size: 62, label: this.kind.axis, labelSize: 16, labelGap: 0, gap: 3, values: (_, ticks) => ticks.map((tick) => tickText(tick)) }),
      ],
      series: [
        {},
        ...this.series.map((series, i) => ({
          label: series.label,
          stroke: this.colour(i, series),
          width: series.dashed ? 1.4 : 1.8,
          show: this.shown(series),
          spanGaps: true,
          points: { show: false },
          ...(series.dashed ? { dash: [6, 4] } : {}),
        })),
      ],
      hooks: {
        setSelect: [
          (plot) => {
            if (plot.select.width < 4) return;
            this.window = [plot.posToVal(plot.select.left, 'x'), plot.posToVal(plot.select.left + plot.select.width, 'x')];
            this.drawnRevision = '';
          },
        ],
        setCursor: [() => this.read()],
      },
    };
    this.plot = new uPlot(options, data, this.body);
    this.legend.build(
      this.series.map((series, i) => ({ label: series.label, colour: this.colour(i, series), dashed: series.dashed ?? false, shown: this.shown(series) })),
      (i, on) => {
        this.switched.set(`${this.kind.id}/${this.series[i].label}`, on);
        this.plot?.setSeries(i + 1, { show: on });
      },
    );
    this.read();
  }

  /** Values under the cursor, else the newest. */
  private read(): void {
    const { plot } = this;
    if (!plot) return;
    const at = plot.cursor.idx ?? plot.data[0].length - 1;
    this.legend.show(plot.data.slice(1).map((values) => values[at] as number | null));
  }

  private resize(): void {
    if (this.body.clientWidth === 0) return;
    this.plot?.setSize({ width: this.body.clientWidth, height: Math.max(60, this.body.clientHeight) });
    this.drawnRevision = '';
  }

  private exportCsv(): void {
    const name = fileName(this.store.opened?.name ?? 'sinew');
    download(`${name}.csv`, csvText(this.store.variants), 'text/csv');
  }

  private exportPng(): void {
    if (!this.plot) return;
    const source = this.plot.ctx.canvas;
    const scale = source.width / Math.max(1, this.body.clientWidth);
    const head = Math.round(26 * scale);
    const canvas = el('canvas', { width: source.width, height: source.height + head });
    const context = canvas.getContext('2d')!;
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--surface').trim() || '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, head);
    context.font = `${12 * scale}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    let x = 12 * scale;
    this.series.forEach((series, i) => {
      if (!this.shown(series)) return;
      context.fillStyle = this.colour(i, series);
      context.fillRect(x, head / 2 - scale, 14 * scale, 3 * scale);
      context.fillText(series.label, x + 20 * scale, head / 2 + scale);
      x += context.measureText(series.label).width + 38 * scale;
    });
    const name = `${fileName(this.store.opened?.name ?? 'sinew')}-${this.kind.id}.png`;
    canvas.toBlob((blob) => blob && download(name, blob));
  }
}

function tickText(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e5 || size < 1e-3)) return value.toExponential(Math.abs(Number(value.toPrecision(1)) - value) < 1e-9 * size ? 0 : 1);
  return String(Number(value.toPrecision(5)));
}
