// The rows of the last steps, column by column, in a ring: what the plots draw and the CSV holds.

const LIMIT = 20_000;

export class History {
  private columns: string[];
  private data: Float64Array[];
  private capacity = 512;
  private first = 0;
  length = 0;
  /** Counts up with every change, so that a plot knows when to draw again. */
  revision = 0;

  constructor(columns: string[]) {
    this.columns = columns;
    this.data = columns.map(() => new Float64Array(this.capacity));
  }

  get names(): readonly string[] {
    return this.columns;
  }

  has(name: string): boolean {
    return this.columns.includes(name);
  }

  clear(): void {
    this.first = 0;
    this.length = 0;
    this.revision++;
  }

  /** Takes other columns from now on; those of the same name keep what they hold, new ones are empty so far. */
  adapt(columns: string[]): void {
    if (columns.length === this.columns.length && columns.every((name, i) => name === this.columns[i])) return;
    this.data = columns.map((name) => {
      const old = this.columns.indexOf(name);
      return old >= 0 ? this.data[old] : new Float64Array(this.capacity).fill(NaN);
    });
    this.columns = columns;
    this.revision++;
  }

  /** Rows one after the other, each as wide as there are columns. Time that goes back starts the history again. */
  push(rows: Float64Array): void {
    const width = this.columns.length;
    const time = this.columns.indexOf('time');
    for (let at = 0; at + width <= rows.length; at += width) {
      if (time >= 0 && this.length > 0 && rows[at + time] < this.at(time, this.length - 1)) this.clear();
      if (this.length === this.capacity && this.capacity < LIMIT) this.grow();
      let slot = (this.first + this.length) % this.capacity;
      if (this.length === this.capacity) {
        slot = this.first;
        this.first = (this.first + 1) % this.capacity;
      } else {
        this.length++;
      }
      for (let c = 0; c < width; c++) this.data[c][slot] = rows[at + c];
    }
    this.revision++;
  }

  private grow(): void {
    const capacity = Math.min(LIMIT, this.capacity * 2);
    this.data = this.data.map((old) => {
      const grown = new Float64Array(capacity);
      for (let i = 0; i < this.length; i++) grown[i] = old[(this.first + i) % this.capacity];
      return grown;
    });
    this.first = 0;
    this.capacity = capacity;
  }

  /** Value of a column (by number) in a row, 0 being the oldest. */
  at(column: number, row: number): number {
    return this.data[column][(this.first + row) % this.capacity];
  }

  /** Value of a column in the newest row. */
  newest(name: string): number {
    const column = this.columns.indexOf(name);
    return column < 0 || this.length === 0 ? NaN : this.at(column, this.length - 1);
  }

  /** A column from row `from` to before `to`, oldest first. */
  column(name: string, from = 0, to = this.length): Float64Array {
    const column = this.columns.indexOf(name);
    const out = new Float64Array(Math.max(0, to - from));
    if (column < 0) return out.fill(NaN);
    for (let i = 0; i < out.length; i++) out[i] = this.at(column, from + i);
    return out;
  }

  /** The newest row by name. */
  row(): Record<string, number> {
    const out: Record<string, number> = {};
    if (this.length === 0) return out;
    this.columns.forEach((name, c) => (out[name] = this.at(c, this.length - 1)));
    return out;
  }
}
